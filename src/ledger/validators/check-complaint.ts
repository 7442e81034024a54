import type { Complaint, Dealing, SealedShare } from '../../generated/ledger.js';
import { refusal, type ValidatorRefusal } from './refusal.js';

export type DisputedDealing = Pick<Dealing, 'epoch' | 'dealer' | 'commitments' | 'sealed'>;

/**
 * Checks the cheap rules of a complaint: it is about a sealed share of a dealing of this epoch, and the first against
 * that dealing. @returns the refusal, or the share
 */
export function checkComplaintForm(
  { epoch, dealer, player }: Complaint,
  dealings: readonly DisputedDealing[],
  complaints: readonly { readonly dealer: number }[],
): ValidatorRefusal | { readonly dealing: DisputedDealing; readonly sealed: SealedShare } {
  const dealing = dealings.find((one) => one.dealer === dealer);
  if (dealing === undefined || dealing.epoch !== epoch) {
    return refusal('subject', `there is no dealing of dealer ${dealer} in epoch ${epoch}`);
  }
  const sealed = dealing.sealed.find((one) => one.player === player);
  if (sealed === undefined) return refusal('subject', `dealer ${dealer} sealed no share to player ${player}`);
  if (complaints.some((one) => one.dealer === dealer)) {
    return refusal('twice', `a complaint has voided the dealing of dealer ${dealer}`);
  }
  return { dealing, sealed };
}

/** The dealings that no complaint voids, in their order. */
export function undisputed<D extends { readonly dealer: number }>(
  dealings: readonly D[],
  complaints: readonly { readonly dealer: number }[],
): readonly D[] {
  return dealings.filter(({ dealer }) => !complaints.some((one) => one.dealer === dealer));
}
