import { sameBytes } from '../../base/same-bytes.js';
import type { Bls, Crypto } from '../../crypto/crypto.js';
import { decodeScalar, encodeScalar, GROUP_ORDER } from '../../crypto/scalars/scalars.js';
import type { CeremonyDealing, Reveal } from '../../generated/ledger.js';
import type { CeremonyApproval, CeremonyResponse } from '../../generated/mesh.js';
import { checkReveals } from '../../ledger/validators/check-dealing-points.js';
import { maxFaulty } from '../../ledger/validators/quorum.js';
import { type CeremonyFailure, failure } from './failure.js';
import { isValidStatement, type Session } from './messages.js';

/** Responses of all participants, by index. */
export type Responses = readonly CeremonyResponse[];

/**
 * Dealers whose commitments all participants have and about whom at most f complain, each with the complaining
 * players in ascending order.
 */
export function candidates(responses: Responses): Map<number, readonly number[]> {
  const found = new Map<number, readonly number[]>();
  for (let dealer = 0; dealer < responses.length; dealer++) {
    const seen = responses.every((response) =>
      response.seen.some(({ participant }) => participant === dealer),
    );
    const complaining = responses.flatMap(({ complaints }, player) =>
      complaints.includes(dealer) ? [player] : [],
    );
    if (seen && complaining.length <= maxFaulty(responses.length)) found.set(dealer, complaining);
  }
  return found;
}

/** A dealer that signed different commitments for different participants, if any. */
export function equivocatingDealer(responses: Responses): number | undefined {
  const digests = new Map<number, Uint8Array>();
  for (const { seen } of responses) {
    for (const { participant, digest } of seen) {
      const known = digests.get(participant);
      if (known === undefined) digests.set(participant, digest);
      else if (!sameBytes(known, digest)) return participant;
    }
  }
  return undefined;
}

/**
 * The qualified dealings: those of candidates without complaints, and of candidates that revealed exactly the
 * disputed evaluations.
 * @param commitments by dealer, already validated
 * @param reveals by dealer, well-formed
 */
export function qualifiedDealings(
  bls: Pick<Bls, 'publicKey'>,
  responses: Responses,
  commitments: ReadonlyMap<number, readonly Uint8Array[]>,
  reveals: ReadonlyMap<number, readonly Reveal[]>,
): CeremonyDealing[] {
  return [...candidates(responses)].flatMap(([dealer, complaining]) => {
    const own = commitments.get(dealer);
    const revealed = complaining.length === 0 ? [] : reveals.get(dealer);
    if (own === undefined || revealed === undefined) return [];
    const answered = revealed.map(({ player }) => player).join() === complaining.join();
    if (!answered || checkReveals(bls, { commitments: own, reveals: revealed }) !== undefined) return [];
    return [{ dealer, commitments: own, reveals: revealed }];
  });
}

/**
 * A player's share: the sum of the evaluations dealt to it, or revealed for it, by the qualified dealers.
 * @param dealt by dealer, 32 bytes each
 * @returns 32 bytes, or undefined if an evaluation is missing or the sum is 0
 */
export function shareOf(
  dealings: readonly CeremonyDealing[],
  player: number,
  dealt: ReadonlyMap<number, Uint8Array>,
): Uint8Array | undefined {
  let sum = 0n;
  for (const { dealer, reveals } of dealings) {
    const revealed = reveals.find((reveal) => reveal.player === player)?.share;
    const value = decodeScalar(revealed ?? dealt.get(dealer) ?? new Uint8Array(0));
    if (value === undefined) return undefined;
    sum = (sum + value) % GROUP_ORDER;
  }
  return sum === 0n ? undefined : encodeScalar(sum);
}

/**
 * Determines the participants responsible for approvals of different transcripts. Statements signed by others count
 * more than one participant's claims about them.
 * @param from the participant whose approval differs from this one's
 * @param keys identity keys by participant
 */
export function findDissenter(
  crypto: { readonly ed25519: Pick<Crypto['ed25519'], 'verify'> },
  session: Session,
  keys: readonly Uint8Array[],
  from: number,
  { theirs, own }: { readonly theirs: CeremonyApproval; readonly own: CeremonyApproval },
): CeremonyFailure {
  for (const statement of theirs.responses.slice(0, keys.length)) {
    const known = own.responses.find(({ participant }) => participant === statement.participant);
    if (known === undefined || sameBytes(known.digest, statement.digest)) continue;
    return isValidStatement(crypto, session, 'response', statement, keys[statement.participant])
      ? failure('equivocation', [statement.participant], 'signed different responses')
      : failure('wrong_transcript', [from], 'reports a response that was never signed');
  }
  const differing = [
    ...theirs.qualified.filter((dealer) => !own.qualified.includes(dealer)),
    ...own.qualified.filter((dealer) => !theirs.qualified.includes(dealer)),
  ].filter((dealer) => dealer < keys.length);
  return differing.length > 0
    ? failure('disagreement', differing, `revealed only to some, or participant ${from} claims so`)
    : failure('wrong_transcript', [from], 'signed a transcript that does not follow from the messages');
}
