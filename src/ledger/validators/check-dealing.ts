import { sameBytes } from '../../base/same-bytes.js';
import type { Crypto } from '../../crypto/crypto.js';
import { decodeScalar } from '../../crypto/scalars/scalars.js';
import type { Dealing, ValidatorSet } from '../../generated/ledger.js';
import type { Member } from './members.js';
import { maxFaulty, quorumOf } from './quorum.js';
import { isStrictlyAscending, refusal, type ValidatorRefusal } from './refusal.js';
import { ackMessage, commitmentsDigest, dealingMessage } from './signed-messages.js';

/** The block that would include a dealing. */
export interface DealingContext {
  readonly chainId: bigint;
  readonly epoch: bigint;
  /** Validators of the current epoch, who deal their shares. */
  readonly currentSet: ValidatorSet;
  /** Members of the next epoch, who receive the shares; the same for all dealings of this epoch. */
  readonly nextPlayers: readonly Pick<Member, 'identity_key'>[];
}

/**
 * Checks the cheap rules of a dealing: lengths, bounds, order, and the constant. Runs before all other checks,
 * including the point checks in a worker (`checkDealing`).
 * @returns the refusal, or undefined if the form is valid
 */
export function checkDealingForm(
  dealing: Dealing,
  { epoch, currentSet, nextPlayers }: DealingContext,
): ValidatorRefusal | undefined {
  const { dealer, commitments } = dealing;
  if (dealing.epoch !== epoch) {
    return refusal('epoch', `expected a dealing of epoch ${epoch}, got one of ${dealing.epoch}`);
  }
  const holder = currentSet.validators[dealer];
  if (holder === undefined) return refusal('member', `there is no dealer ${dealer}`);
  const quorum = quorumOf(nextPlayers.length);
  if (commitments.length !== quorum) {
    return refusal('degree', `expected ${quorum} commitments, got ${commitments.length}`);
  }
  const [constant] = commitments;
  if (!sameBytes(constant, holder.share_public_key)) {
    return refusal('constant', `the constant is not the share public key of dealer ${dealer}`);
  }
  return checkCoverage(dealing, nextPlayers.length);
}

/** Checks that every player either acknowledged or is revealed, and that no more are revealed than can be faulty. */
function checkCoverage({ acks, reveals }: Dealing, players: number): ValidatorRefusal | undefined {
  if (acks.length + reveals.length !== players) {
    return refusal(
      'coverage',
      `expected ${players} players to have acknowledged or to be revealed, got ${acks.length} and ${reveals.length}`,
    );
  }
  const faults = maxFaulty(players);
  if (reveals.length > faults) {
    return refusal('reveals', `expected at most ${faults} revealed evaluations, got ${reveals.length}`);
  }
  const acknowledging = acks.map(({ player }) => player);
  const revealed = reveals.map(({ player }) => player);
  if (!isStrictlyAscending(acknowledging) || !isStrictlyAscending(revealed)) {
    return refusal('order', 'expected acknowledgements and reveals to ascend by player, each once');
  }
  const beyond = [...acknowledging, ...revealed].find((player) => player >= players);
  if (beyond !== undefined) return refusal('member', `there is no player ${beyond}`);
  if (new Set([...acknowledging, ...revealed]).size !== players) {
    return refusal('coverage', 'a player both acknowledged and is revealed');
  }
  const unfit = reveals.find(({ share }) => decodeScalar(share) === undefined);
  if (unfit !== undefined) {
    return refusal('evaluation', `the evaluation of player ${unfit.player} is not a field element`);
  }
  return undefined;
}

/**
 * Checks the signatures of a well-formed dealing, the dealer's and the acknowledging players', at about 40 µs each.
 * @returns the refusal, or undefined if all are valid
 */
export function checkDealingSignatures(
  crypto: Pick<Crypto, 'sha256'> & { readonly ed25519: Pick<Crypto['ed25519'], 'verify'> },
  dealing: Dealing,
  { chainId, epoch, currentSet, nextPlayers }: DealingContext,
): ValidatorRefusal | undefined {
  const { dealer } = dealing;
  const holder = currentSet.validators[dealer];
  if (holder === undefined) return refusal('member', `there is no dealer ${dealer}`);
  if (!crypto.ed25519.verify(dealing.signature, dealingMessage(chainId, dealing), holder.identity_key)) {
    return refusal('signature', `the dealing of dealer ${dealer} is not signed by it`);
  }
  const digest = commitmentsDigest(crypto, dealing.commitments);
  const message = ackMessage(chainId, { epoch, dealer, digest });
  for (const { player, signature } of dealing.acks) {
    const key = nextPlayers[player]?.identity_key;
    if (key === undefined || !crypto.ed25519.verify(signature, message, key)) {
      return refusal('signature', `the acknowledgement of player ${player} is not signed by it`);
    }
  }
  return undefined;
}
