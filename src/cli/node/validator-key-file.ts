import { bls12_381 } from '@noble/curves/bls12-381.js';
import { loadBls } from '../../crypto/load-bls.js';
import { toPrefixedHex } from '../../idl/hex.js';
import { createKeyFile } from '../key-file.js';

/**
 * Creates a validator's group key in a new file with mode 0600, for `--validator-key`.
 * @returns the public key, 48 bytes, for the genesis's group_public_key
 * @throws CliError if the file exists or cannot be written
 */
export async function writeValidatorKeyFile(path: string): Promise<Uint8Array> {
  const privateKey = bls12_381.utils.randomSecretKey();
  const publicKey = (await loadBls('auto')).publicKey(privateKey);
  const content = {
    scheme: 'bls12-381',
    private_key: toPrefixedHex(privateKey),
    public_key: toPrefixedHex(publicKey),
  };
  createKeyFile(path, `${JSON.stringify(content, null, 2)}\n`);
  return publicKey;
}
