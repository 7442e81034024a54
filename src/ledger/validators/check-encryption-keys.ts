import type { BlsKeyCheck } from '../../crypto/crypto.js';
import { refusal, type ValidatorRefusal } from './refusal.js';

/**
 * Checks that validators' encryption keys are canonical points of the subgroup and not infinity: nobody could encrypt
 * a share to another.
 * @param keys by validator, 48 bytes each
 * @returns the refusal, or undefined if all are valid
 */
export function checkEncryptionKeys(
  bls: BlsKeyCheck,
  keys: readonly Uint8Array[],
): ValidatorRefusal | undefined {
  const place = keys.findIndex((key) => !bls.isPublicKey(key));
  return place < 0
    ? undefined
    : refusal('point', `the encryption key of validator ${place} is not a valid point`);
}
