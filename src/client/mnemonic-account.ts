import { CryptoError } from '../crypto/crypto-error.js';
import { mnemonicKeys } from '../crypto/mnemonic.js';
import { ClientError } from './client-error.js';
import { type Signer, secp256k1Signer } from './signers.js';

/**
 * An account of a BIP-39 mnemonic: the secp256k1 key at the path m/44'/60'/0'/0/index, as wallets derive it. Each call
 * derives the seed, which takes milliseconds.
 * @param words 12 to 24 English words
 * @param index 0 to 2^31 − 1
 * @throws ClientError `bad_key` for other words or another index; the message contains none of the words
 *
 * @example
 * const words = 'test test test test test test test test test test test junk';
 * formatAddress(mnemonicAccount(words).address); // '0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266'
 */
export function mnemonicAccount(words: string, index = 0): Signer {
  try {
    return secp256k1Signer(mnemonicKeys(words)(index).privateKey);
  } catch (error) {
    if (!(error instanceof CryptoError)) throw error;
    throw new ClientError('bad_key', error.message, { cause: error });
  }
}
