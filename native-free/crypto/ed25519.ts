import { createPrivateKey, createPublicKey, sign, verify } from 'node:crypto';
import type { Ed25519Backend } from '../../src/crypto/strict-ed25519.js';

/** PKCS #8 prefix of an Ed25519 private key, followed by its seed (RFC 8410). */
const PKCS8_PREFIX = Buffer.from('302e020100300506032b657004220420', 'hex');

/**
 * Ed25519 by Node's OpenSSL. @noble/curves multiplies by the cofactor and so accepts signatures that libsodium and
 * OpenSSL refuse.
 */
export const nodeEd25519: Ed25519Backend = {
  publicKey(seed) {
    const { x } = createPublicKey(privateKeyOf(seed)).export({ format: 'jwk' });
    return Uint8Array.from(Buffer.from(x ?? '', 'base64url'));
  },
  sign: (message, seed) => Uint8Array.from(sign(null, message, privateKeyOf(seed))),
  signer(seed) {
    const key = privateKeyOf(seed);
    return (message) => Uint8Array.from(sign(null, message, key));
  },
  verify(signature, message, publicKey) {
    // A JWK imports nine times faster than the DER form.
    const x = Buffer.from(publicKey.buffer, publicKey.byteOffset, 32).toString('base64url');
    const key = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' });
    return verify(null, message, key, signature);
  },
};

function privateKeyOf(seed: Uint8Array) {
  return createPrivateKey({ key: Buffer.concat([PKCS8_PREFIX, seed]), format: 'der', type: 'pkcs8' });
}
