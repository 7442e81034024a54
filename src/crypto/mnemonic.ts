import { HDKey } from '@scure/bip32';
import { mnemonicToSeedSync, validateMnemonic } from '@scure/bip39';
import { wordlist } from '@scure/bip39/wordlists/english.js';
import { CryptoError } from './crypto-error.js';

/** Path of a mnemonic's accounts (BIP-44, as wallets for Ethereum derive them); the account's index follows. */
export const MNEMONIC_PATH = "m/44'/60'/0'/0";

/** A secp256k1 key pair. */
export interface MnemonicKey {
  /** 32 bytes. */
  readonly privateKey: Uint8Array;
  /** Compressed, 33 bytes. */
  readonly publicKey: Uint8Array;
}

/** True for 12 to 24 English words of BIP-39 with a valid checksum. */
export function isMnemonic(words: string): boolean {
  return validateMnemonic(normalized(words), wordlist);
}

/**
 * The keys of a mnemonic without a passphrase. Deriving the seed takes milliseconds, so derive it once for many keys.
 * @returns gives the key at an index from 0 to 2^31 − 1
 * @throws CryptoError `invalid_mnemonic`; no message contains a word of it
 */
export function mnemonicKeys(words: string): (index: number) => MnemonicKey {
  if (!isMnemonic(words)) {
    throw new CryptoError(
      'invalid_mnemonic',
      'mnemonic: expected 12, 15, 18, 21 or 24 English words of BIP-39 with a valid checksum',
    );
  }
  const parent = HDKey.fromMasterSeed(mnemonicToSeedSync(normalized(words))).derive(MNEMONIC_PATH);
  return (index) => {
    if (!Number.isInteger(index) || index < 0 || index >= 2 ** 31) {
      throw new CryptoError('out_of_range', `mnemonic: expected an index from 0 to 2147483647, got ${index}`);
    }
    const { privateKey, publicKey } = parent.deriveChild(index);
    if (privateKey === null || publicKey === null) {
      throw new CryptoError('invalid_private_key', `mnemonic: there is no key at index ${index}`);
    }
    return { privateKey, publicKey };
  };
}

function normalized(words: string): string {
  return words.trim().split(/\s+/).join(' ');
}
