import { sameBytes } from '../../base/same-bytes.js';
import { ed25519Address } from '../../crypto/address.js';
import type { BlsKeyCheck, Sha256 } from '../../crypto/crypto.js';
import type { Validator, ValidatorChange, ValidatorSet } from '../../generated/ledger.js';
import { toHex } from '../../idl/hex.js';
import { MAX_VALIDATORS } from './quorum.js';
import { refusal, type ValidatorRefusal } from './refusal.js';

/** A validator without a share. Its index is its place in the list. */
export interface Member extends Pick<Validator, 'address' | 'identity_key'> {
  /** Dealers of the present epoch encrypt to it; 48 bytes, or empty if the state holds no encryption keys. */
  readonly encryption_key: Uint8Array;
}

export interface KeyedSet {
  readonly set: Pick<ValidatorSet, 'validators'>;
  readonly encryptionKeys: readonly Uint8Array[];
}

/** The next set's members, or the refusal of an incompatible change. */
export type NextMembers =
  | { readonly ok: true; readonly members: readonly Member[] }
  | { readonly ok: false; readonly refusal: ValidatorRefusal };

/**
 * Applies changes to a set: removed members drop out, the rest keep their order, and added members go to the end. A
 * block may hold a change only if it applies after all pending ones.
 * @param ceremony true if the validators made the group key in a ceremony
 */
export function nextMembers(
  crypto: Sha256,
  { set: { validators }, encryptionKeys }: KeyedSet,
  changes: readonly ValidatorChange[],
  ceremony: boolean,
): NextMembers {
  const members: Member[] = validators.map(({ address, identity_key }, index) => ({
    address,
    identity_key,
    encryption_key: encryptionKeys[index] ?? new Uint8Array(0),
  }));
  const admits = ceremony && validators.length > 1;
  for (const change of changes) {
    const refused = apply(crypto, members, change, admits);
    if (refused !== undefined) return { ok: false, refusal: refused };
  }
  return { ok: true, members };
}

function apply(
  crypto: Sha256,
  members: Member[],
  change: ValidatorChange,
  admits: boolean,
): ValidatorRefusal | undefined {
  switch (change.type) {
    case 'add': {
      if (!admits) {
        return refusal('admission', 'one dealer or validator knows the group key: no further validators');
      }
      if (members.length >= MAX_VALIDATORS) {
        return refusal('size', `expected at most ${MAX_VALIDATORS} validators`);
      }
      const { identity_key, encryption_key } = change.value;
      const address = ed25519Address(crypto, identity_key);
      if (placeOf(members, address) >= 0) {
        return refusal('present', `0x${toHex(address)} is already a validator`);
      }
      members.push({ address, identity_key, encryption_key });
      return undefined;
    }
    case 'remove': {
      const place = placeOf(members, change.value);
      if (place < 0) return refusal('absent', `0x${toHex(change.value)} is not a validator`);
      if (members.length === 1) return refusal('size', 'expected at least one remaining validator');
      members.splice(place, 1);
      return undefined;
    }
  }
}

function placeOf(members: readonly Member[], address: Uint8Array): number {
  return members.findIndex((member) => sameBytes(member.address, address));
}

/** Checks that encryption keys are points to encrypt to: canonical, in the subgroup, not infinity. */
export function checkEncryptionKeys(
  bls: BlsKeyCheck,
  keys: readonly Uint8Array[],
): ValidatorRefusal | undefined {
  const place = keys.findIndex((key) => !bls.isPublicKey(key));
  return place < 0
    ? undefined
    : refusal('point', `the encryption key of validator ${place} is not a valid point`);
}
