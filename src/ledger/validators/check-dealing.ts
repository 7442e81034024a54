import { sameBytes } from '../../base/same-bytes.js';
import type { Ed25519, Sha256 } from '../../crypto/crypto.js';
import type { Dealing, ValidatorSet } from '../../generated/ledger.js';
import type { Member } from './members.js';
import { maxFaulty, quorumOf } from './quorum.js';
import { isStrictlyAscending, refusal, type ValidatorRefusal } from './refusal.js';
import { ackMessage, commitmentsDigest, dealingMessage } from './signed-messages.js';

/** What checking the signatures of identity keys needs. */
export interface IdentityCrypto extends Sha256 {
  readonly ed25519: Pick<Ed25519, 'verify'>;
}

/** The block that would include a dealing. */
export interface DealingContext {
  readonly chainId: bigint;
  readonly epoch: bigint;
  /** Validators of the current epoch, who deal their shares. */
  readonly currentSet: ValidatorSet;
  /** Members of the next epoch, who receive the shares; the same for all dealings of this epoch. */
  readonly nextPlayers: readonly NextPlayer[];
}

/** A member of the next set. Dealers encrypt evaluations to its key. */
export type NextPlayer = Pick<Member, 'identity_key' | 'encryption_key'>;

/** Checks the cheap rules of a dealing, before all others: lengths, bounds, order, and the constant. */
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

/** Checks that every player either acknowledged or has a sealed share, and that at most f have one. */
function checkCoverage({ acks, sealed }: Dealing, players: number): ValidatorRefusal | undefined {
  if (acks.length + sealed.length !== players) {
    return refusal(
      'coverage',
      `expected ${players} acknowledgements and sealed shares, got ${acks.length} and ${sealed.length}`,
    );
  }
  const faults = maxFaulty(players);
  if (sealed.length > faults) {
    return refusal('sealed', `expected at most ${faults} sealed shares, got ${sealed.length}`);
  }
  const acknowledging = acks.map(({ player }) => player);
  const absent = sealed.map(({ player }) => player);
  if (!isStrictlyAscending(acknowledging) || !isStrictlyAscending(absent)) {
    return refusal('order', 'expected acknowledgements and sealed shares to ascend by player, each once');
  }
  const beyond = [...acknowledging, ...absent].find((player) => player >= players);
  if (beyond !== undefined) return refusal('member', `there is no player ${beyond}`);
  if (new Set([...acknowledging, ...absent]).size !== players) {
    return refusal('coverage', 'a player both acknowledged and has a sealed share');
  }
  return undefined;
}

/** Checks the signatures of a well-formed dealing, the dealer's and the players', at about 40 µs each. */
export function checkDealingSignatures(
  crypto: IdentityCrypto,
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
  for (const { player, signature } of dealing.acks) {
    const key = nextPlayers[player]?.identity_key;
    const message = ackMessage(chainId, { epoch, dealer, player, digest });
    if (key === undefined || !crypto.ed25519.verify(signature, message, key)) {
      return refusal('signature', `the acknowledgement of player ${player} is not signed by it`);
    }
  }
  return undefined;
}
