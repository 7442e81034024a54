import type { BlsKeyCheck, BlsKeys, Sha256 } from '../../crypto/crypto.js';
import { decodeChecked } from '../../crypto/dkg/commitments.js';
import { isDecryptionProof, isGarbage } from '../../crypto/dkg/complaint.js';
import type { Complaint, Dealing, SealedShare } from '../../generated/ledger.js';
import { refusal, type ValidatorRefusal } from './refusal.js';

/** A complaint with everything that decides it. */
export interface DisputedShare {
  readonly chainId: bigint;
  readonly complaint: Complaint;
  /** The share's dealing, which must have passed `checkDealing`. */
  readonly commitments: Dealing['commitments'];
  readonly sealed: SealedShare;
  /** The player's encryption key in the epoch, 48 bytes. */
  readonly encryptionKey: Uint8Array;
}

/**
 * Checks a complaint's proof, and that the sealed share decrypts to garbage: a value not below the group order, or
 * one that does not match the commitments. Deterministic; throws for nothing that decodes as a complaint. Takes
 * milliseconds (bench/dkg.bench.ts), so task `check_complaint` runs this in a worker.
 */
export function checkComplaint(
  parts: {
    readonly crypto: Sha256;
    readonly bls: BlsKeys & BlsKeyCheck;
  },
  { chainId, complaint, commitments, sealed, encryptionKey }: DisputedShare,
): ValidatorRefusal | undefined {
  const { epoch, dealer, player, shared } = complaint;
  const context = { chainId, epoch, dealer, player };
  const isKey = parts.bls.isPublicKey(encryptionKey);
  if (!isKey || !isDecryptionProof(parts, context, encryptionKey, sealed.ephemeral, complaint)) {
    return refusal('proof', `player ${player} does not prove the decryption key of its share`);
  }
  return isGarbage(parts, context, decodeChecked(commitments), sealed, shared)
    ? undefined
    : refusal('unfounded', `dealer ${dealer} sealed a good share to player ${player}`);
}
