import type { Sha256 } from '../crypto/crypto.js';

const HASH_DOMAIN = new TextEncoder().encode('heddle/sealed/1');

/**
 * A sealed transaction's hash, which its sender signs: sha256("heddle/sealed/1" ‖ borsh(SealedEnvelope)), 32 bytes.
 * @param encoded borsh(SealedEnvelope)
 */
export function sealedEnvelopeHash(encoded: Uint8Array, crypto: Sha256): Uint8Array {
  const preimage = new Uint8Array(HASH_DOMAIN.length + encoded.length);
  preimage.set(HASH_DOMAIN);
  preimage.set(encoded, HASH_DOMAIN.length);
  return crypto.sha256(preimage);
}
