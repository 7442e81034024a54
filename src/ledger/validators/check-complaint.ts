import type { Bls, Crypto } from '../../crypto/crypto.js';
import { decodeChecked } from '../../crypto/dkg/commitments.js';
import { isDecryptionProof, isGarbage } from '../../crypto/dkg/complaint.js';
import type { Complaint, Dealing, SealedShare } from '../../generated/ledger.js';
import { refusal, type ValidatorRefusal } from './refusal.js';

/** The part of a dealing that a complaint is about. */
export type DisputedDealing = Pick<Dealing, 'epoch' | 'dealer' | 'commitments' | 'sealed'>;

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
 * Checks the cheap rules of a complaint: it is about a sealed share of a dealing of this epoch, and the first against
 * that dealing.
 * @param dealings of the epoch
 * @param complaints of the epoch
 * @returns the refusal, or the share that the complaint is about
 */
export function checkComplaintForm(
  { epoch, dealer, player }: Complaint,
  dealings: readonly DisputedDealing[],
  complaints: readonly Pick<Complaint, 'dealer'>[],
): ValidatorRefusal | { readonly dealing: DisputedDealing; readonly sealed: SealedShare } {
  const dealing = dealings.find((one) => one.dealer === dealer);
  if (dealing === undefined || dealing.epoch !== epoch) {
    return refusal('subject', `there is no dealing of dealer ${dealer} in epoch ${epoch}`);
  }
  const sealed = dealing.sealed.find((one) => one.player === player);
  if (sealed === undefined) {
    return refusal('subject', `dealer ${dealer} sealed no share to player ${player}`);
  }
  if (complaints.some((one) => one.dealer === dealer)) {
    return refusal('twice', `a complaint has voided the dealing of dealer ${dealer}`);
  }
  return { dealing, sealed };
}

/**
 * Checks that a complaint's proof holds, and that the sealed share decrypts to garbage: a value not below the group
 * order, or one that does not match the commitments.
 *
 * Deterministic, and never throws for anything that decodes as a complaint. Takes milliseconds (bench/dkg.bench.ts), so
 * task `check_complaint` runs this in a worker.
 * @returns the refusal, or undefined if the complaint is valid
 */
export function checkComplaint(
  parts: {
    readonly crypto: Pick<Crypto, 'sha256'>;
    readonly bls: Pick<Bls, 'publicKey' | 'isPublicKey'>;
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

/** The dealings that no complaint voids, in their order. */
export function undisputed<D extends { readonly dealer: number }>(
  dealings: readonly D[],
  complaints: readonly Pick<Complaint, 'dealer'>[],
): readonly D[] {
  return dealings.filter(({ dealer }) => !complaints.some((one) => one.dealer === dealer));
}
