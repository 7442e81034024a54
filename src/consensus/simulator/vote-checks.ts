import { RULES } from '../core/rules.js';
import type { VoteMessage, VoteName } from '../core/types.js';
import { describeVote, nameOf } from './model.js';
import type { ProcessWatch } from './process-watch.js';
import type { World } from './world.js';

/** Time between a decision and its vote's signature at most, in virtual milliseconds. */
const DECISION_MS = 1_500;
/** Time within which a certificate that was checked is applied, and a vote decided upon it is signed. */
const APPLIED_MS = 100;
/** How far a block's time may be ahead of the clock, and a clock may jump, in milliseconds. */
const MAX_AHEAD_MS = 2_000;
const MAX_JUMP_MS = 10_000;

/** Checks an honest validator's vote, at the moment of signing, against the rules of `../core.ts`. */
export function checkVote(watch: ProcessWatch, message: VoteMessage): void {
  const { validator } = watch;
  const { kind, epoch, view } = message;
  const problem = (what: string) => validator.fail(`signs ${describeVote(message)} ${what}`);
  if (!validator.records.hasVote(message)) problem('before it is in the journal');
  const place = `${epoch}/${view}`;
  const earlier = validator.signed.get(place) ?? {};
  if (earlier[kind] !== undefined && nameOf(earlier[kind]) === nameOf(message)) return;
  // A vote that a peer has returned is repeated.
  if (epoch < validator.votesFromEpoch) problem('in an epoch whose journal it has lost');
  for (const other of contradicting(message, earlier)) {
    // A disk that was reset to a backup has forgotten votes; it is bound by those that its peers have returned.
    const forgotten =
      validator.wasRestored && !validator.records.hasVote(other) && !watch.returned.has(nameOf(other));
    if (!forgotten) problem(`after ${describeVote(other)}`);
  }
  if (!watch.isFromBefore(message)) {
    if (!watch.listening.canHaveEnded) problem('before it has heard enough others');
    watch.listening.onNewVote();
  }
  validator.signed.set(place, { ...earlier, [kind]: message });
  if (view > 1 && validator.records.highestView(epoch) < view - 1)
    problem('without a journaled certificate of the view before');
  const reason = kind === 'notarize' ? notarizeProblem(watch, message) : undefined;
  if (reason !== undefined) problem(reason);
  if (kind === 'notarize' && !watch.isFromBefore(message)) {
    if (!watch.verified.has(message.hash)) problem('without having verified the block');
    if (isEarly(watch, message)) problem('before its proposal is due');
    if (isBelowHighest(watch, message)) problem('below a notarized block');
  }
  if (kind === 'finalize' && !validator.records.hasCertificate({ ...message, kind: 'notarize' }))
    problem('without its notarization');
  // The process before may have had a reason, and crashed before it signed.
  if (kind === 'nullify' && !watch.isFromBefore(message) && !mayNullify(watch, message))
    problem('without a reason');
}

/** Why a block must not be notarized (rule 3). */
function notarizeProblem(watch: ProcessWatch, message: VoteMessage): string | undefined {
  const { validator, world } = watch;
  const { records } = validator;
  const { epoch, view, parentView, hash } = message;
  const unsound = unsoundness(world, message);
  if (unsound !== undefined) return unsound;
  const leader = world.leaderOf(epoch, view);
  // The time of an own block is later than its parent's in any case.
  if (leader !== validator.index && isFromFuture(watch, message)) return 'of a block from the future';
  if (!records.hasBlock(hash)) return 'without the block on its disk';
  if (leader !== validator.index && !world.keys.signersOf(message).has(leader))
    return 'which its leader has not proposed';
  if (watch.finalizedBefore(epoch, world.nowMs - DECISION_MS) > parentView)
    return 'on a parent below a finalized view';
  if (parentView > 0) {
    const parent = parentOf(world, message);
    const holds =
      records.notarizedAt(epoch, parentView).has(parent) ||
      watch.finalizedAt(epoch, parentView)?.hash === parent;
    if (!holds) return 'without a certificate of its parent';
  }
  for (let between = parentView + 1; between < view; between++)
    if (!records.isNullified(epoch, between)) return `without a nullification of view ${between}`;
  return undefined;
}

/** Whether a leader proposes less than a block time after the arrival of its parent's certificate (rule 1). */
function isEarly(watch: ProcessWatch, { epoch, view, parentView }: VoteMessage): boolean {
  const { world } = watch;
  const { scenario, nowMs } = world;
  const { blockTimeMs, sealInstantly } = scenario.core;
  if (world.leaderOf(epoch, view) !== watch.validator.index) return false;
  // The first parent of an epoch arrived in the epoch before.
  if (parentView === 0 || (sealInstantly && scenario.work !== 'idle')) return false;
  const enteredMs = watch.enteredMs(view);
  // A parent that arrives late does not delay a proposal that was due without it.
  const isAfterNullify = watch.firstKindAt(epoch, parentView) === 'nullify';
  const arrivedMs = isAfterNullify
    ? watch.notarizedMs(epoch, parentView)
    : watch.certifiedMs(epoch, parentView);
  const isInTime = isAfterNullify ? arrivedMs < enteredMs : arrivedMs <= enteredMs;
  return isInTime && nowMs < arrivedMs + blockTimeMs - 1;
}

/** Whether a leader builds on a lower block than the highest that it knows to be notarized (rule 2). */
function isBelowHighest(watch: ProcessWatch, { epoch, view, parentView }: VoteMessage): boolean {
  const { world } = watch;
  if (world.leaderOf(epoch, view) !== watch.validator.index) return false;
  for (let between = parentView + 1; between < view; between++) {
    const sinceMs = watch.hasSinceMs({ kind: 'notarize', epoch, view: between });
    if (sinceMs < world.nowMs - APPLIED_MS) return true;
  }
  return false;
}

/** Whether a block that is not notarized is ahead of the clock, however it may have jumped (rule 8). */
function isFromFuture({ validator }: ProcessWatch, { epoch, view, parentView, hash }: VoteMessage): boolean {
  const { blocks, wallMs, keys } = validator.world;
  const timestampMs = Number(blocks.get(hash)?.header.timestamp_ms ?? 0);
  const latestMs = wallMs + validator.skewMs + MAX_AHEAD_MS + MAX_JUMP_MS;
  // The last block of an epoch is proposed again on the view where it was notarized.
  return timestampMs > latestMs && ![view, parentView].some((at) => keys.isNotarized(epoch, at, hash));
}

/** Why no honest validator may vote for a proposal, or undefined; independent of what a validator holds. */
function unsoundness(world: World, message: VoteMessage): string | undefined {
  const { blocks, scenario } = world;
  const { epochLength } = scenario.core;
  const { epoch, view, parentView, hash } = message;
  const facts = blocks.get(hash)?.facts;
  if (facts === undefined) return 'of an unknown block';
  if (!blocks.isValid(hash)) return 'of an invalid block';
  const isLast = facts.height === (epoch + 1) * epochLength;
  if (facts.epoch !== epoch) return 'of a block of another epoch';
  if (facts.view !== view && !(isLast && facts.view < view)) return 'of a block of another view';
  if (facts.view === view && facts.proposer !== world.leaderOf(epoch, view))
    return 'of a block of another proposer';
  const parent = parentOf(world, message);
  if (parentView === 0)
    return parent === world.finalAt(epoch * epochLength) ? undefined : 'not on the first parent of the epoch';
  const isCertified = world.keys.isNotarized(epoch, parentView, parent);
  return isCertified ? undefined : 'whose parent is not notarized at that view';
}

/** Hash of the block that must be notarized at a proposal's parent view: the block itself if it is proposed again. */
function parentOf(world: World, { view, hash }: VoteMessage): string {
  const facts = world.blocks.get(hash)?.facts;
  return facts === undefined || facts.view < view ? hash : facts.parentHash;
}

/** Whether a timer, the proposal or others can be the reason to nullify (rules 1 and 4). */
function mayNullify(watch: ProcessWatch, { epoch, view }: VoteMessage): boolean {
  const { world } = watch;
  const { scenario, nowMs, faults } = world;
  if (epoch !== watch.epoch) return true;
  if (watch.votes.nullifiers(epoch, view) > faults) return true;
  const leader = world.leaderOf(epoch, view);
  const silentSince = view - 3 * scenario.validators;
  if (silentSince > 0 && watch.votes.lastVote(leader, nowMs - DECISION_MS) < silentSince) return true;
  const proposals = watch.votes.proposals(epoch, view);
  const isBad = ({ message }: { readonly message: VoteMessage }) =>
    unsoundness(world, message) !== undefined || message.parentView < watch.finalizedView;
  if (proposals.some(isBad)) return true;
  const deltaMs = RULES.delta(scenario.core.deltaMs, view, watch.finalizedView, faults);
  const entered = watch.enteredMs(view);
  const inTime = proposals.some(({ atMs }) => atMs > entered && atMs < entered + 2 * deltaMs - 1);
  return nowMs - entered >= (inTime ? 3 : 2) * deltaMs - 1;
}

function contradicting(
  message: VoteMessage,
  earlier: { readonly [K in VoteName]?: VoteMessage },
): VoteMessage[] {
  const { kind } = message;
  const others = [earlier[kind], kind === 'nullify' ? earlier.finalize : earlier.nullify];
  return others.filter((other) => other !== undefined);
}
