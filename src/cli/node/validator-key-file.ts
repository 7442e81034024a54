import { bls12_381 } from '@noble/curves/bls12-381.js';
import { loadBls } from '../../crypto/load-bls.js';
import { toPrefixedHex } from '../../idl/hex.js';
import { createKeyFile } from '../key-file.js';

/** Writes a validator's group key to a new file, mode 0600. @returns the public key, 48 bytes @throws CliError */
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
