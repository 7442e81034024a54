/* Safety checks of a run over everything that honest validators send, sign, store and commit. */
import type { ChainTip } from '../../chain/committed-chain.js';
import type { SealShare } from '../../generated/mesh.js';
import type { FinalityCertificate } from '../../generated/node-rpc-v1.js';
import { toHex } from '../../idl/hex.js';
import type { Vote, VoteMessage } from '../core/types.js';
import type { PeerMessage } from '../shell/ports.js';
import { describeVote, nameOf, shortHash } from './model.js';
import type { ProcessWatch } from './process-watch.js';
import type { SimBlock } from './sim-blocks.js';
import type { SimValidator } from './sim-validator.js';
import { checkVote } from './vote-checks.js';

/** Time within which what is final leaves memory and journal, in virtual milliseconds. */
const SOON_MS = 1_500;
/** Time that an order to build a block may wait for commits, in virtual milliseconds. */
const BUILD_WAIT_MS = 100;
/** Time within which a pushed block is taken, in virtual milliseconds. */
const TAKEN_MS = 100;
/** Answers to requests for final blocks: burst, and rate per second. */
const FINAL_ANSWERS = { burst: 20, perSecond: 5 };
const BLOCK_ANSWERS = { burst: 200, perSecond: 100 };
const MAX_CERTIFICATES_A_PEER = 64;
const MAX_MESSAGES = 1_024;
const MAX_MESSAGES_A_PEER = 128;
const MORE_BLOCKS = 8;
/** Views ahead of the current one whose votes and blocks are kept. */
const VIEW_WINDOW = 16;
/** Blocks that are not final when a run ends well. */
const MAX_FINAL_BLOCKS = 16;

export function onSign(watch: ProcessWatch, message: VoteMessage): void {
  checkVote(watch, message);
  watch.onSign(message);
  watch.world.noteHonestVote(message, watch.validator.index);
}

export function onPropose(
  watch: ProcessWatch,
  parent: string,
  place: { readonly epoch: number; readonly view: number },
): void {
  const { validator } = watch;
  const { blocks, scenario, nowMs } = watch.world;
  const height = blocks.get(parent)?.facts.height ?? 0;
  if (height > watch.height && !watch.verified.has(parent))
    validator.fail(`builds on ${shortHash(parent)}, which it has not verified`);
  const { epoch, view } = place;
  // A block may wait for the end of one that takes long.
  if (scenario.stall === 0 && watch.nullifiedMs(epoch, view) < nowMs - BUILD_WAIT_MS)
    validator.fail(`builds a block for view ${epoch}/${view}, which it has nullified`);
}

export function onAssemble(
  watch: ProcessWatch,
  message: VoteMessage,
  votes: readonly Vote[],
  own: boolean,
): void {
  const { validator, world } = watch;
  watch.obligations.onAssemble(message);
  const signers = new Set(votes.map(({ signer }) => signer));
  if (own) signers.add(validator.index);
  if (signers.size < world.quorum || signers.size < votes.length + (own ? 1 : 0))
    validator.fail(`makes a certificate of too few votes: ${describeVote(message)}`);
  if (votes.some((vote) => nameOf(vote) !== nameOf(message)))
    validator.fail(`makes a certificate of votes for something else: ${describeVote(message)}`);
  // A worker that fails has not found the invalid votes.
  if (world.scenario.signFailure > 0) return;
  for (const vote of votes)
    if (!world.keys.isPartial(message, vote.signer, vote.partial) && !watch.noteInvalid(vote))
      validator.fail(`uses an invalid vote again: ${describeVote(vote)} of ${vote.signer}`);
}

export function onSend(watch: ProcessWatch, to: number | undefined, message: PeerMessage): void {
  const { validator, world } = watch;
  const { keys } = world;
  if (message.type === 'vote' || message.type === 'proposal') {
    const { vote } = message;
    if (vote.signer !== validator.index && vote.signer !== to)
      validator.fail(`sends a vote of validator ${vote.signer} to others`);
    // While a process enters an epoch, its core still answers in the one before, whose views do not compare.
    const isOfEpoch = vote.epoch === watch.epoch;
    if (vote.signer === to && isOfEpoch && vote.view > watch.view + VIEW_WINDOW)
      validator.fail(`keeps votes of far views: ${describeVote(vote)}`);
    if (vote.signer === to && vote.view <= watch.finalizedBefore(vote.epoch, world.nowMs - SOON_MS))
      validator.fail(`keeps votes of final views: ${describeVote(vote)}`);
    if (message.type === 'vote' && to === undefined && isOwnBlock(watch, vote))
      validator.fail(`proposes without the block: ${describeVote(vote)}`);
    if (vote.signer === validator.index && !validator.records.hasVote(vote))
      validator.fail(`sends ${describeVote(vote)}, which is not on its disk`);
  } else if (message.type === 'certificate') {
    const { certificate } = message;
    if (!keys.isCertified(certificate) || !keys.hasQuorum(certificate))
      validator.fail(`sends an invalid certificate: ${describeVote(certificate)}`);
    if (certificate.kind !== 'finalize' && !validator.records.hasCertificate(certificate))
      validator.fail(`sends a certificate that is not on its disk: ${describeVote(certificate)}`);
  } else if (message.type === 'get_block') {
    onBlockRequest(watch, message.hash);
  } else if (message.type === 'finalized') {
    const { fromHeight, blocks } = message;
    const bare = blocks.findIndex(
      ({ certificate }, at) => certificate === undefined && validator.hasFinalization(fromHeight + at),
    );
    if (bare >= 0) validator.fail(`withholds the certificate of block ${fromHeight + bare}`);
  }
}

export function onCommit(
  validator: SimValidator,
  block: SimBlock,
  parent: ChainTip,
  certificate: FinalityCertificate | undefined,
): void {
  const { height, parentHash, hash } = block.facts;
  const { world } = validator;
  const { keys, blocks } = world;
  if (parentHash !== toHex(parent.hash) || height !== Number(parent.header.height) + 1)
    validator.fail(`commits ${shortHash(hash)}, which does not extend the previous block`);
  if (!blocks.isValid(hash)) validator.fail(`commits the invalid block ${shortHash(hash)}`);
  const { core, validators } = world.scenario;
  // Validators of the epoch before are told of its end with this certificate.
  if (certificate === undefined && validators > 1 && height % core.epochLength === 0)
    validator.fail(`commits the last block of an epoch without its certificate: ${height}`);
  if (certificate !== undefined) {
    const { epoch, view, parent_view, block_hash, signature } = certificate;
    const at = { epoch: Number(epoch), view: Number(view), parentView: Number(parent_view) };
    const finalization = { kind: 'finalize', ...at, hash: toHex(block_hash), signature } as const;
    if (!keys.isCertified(finalization) || finalization.hash !== hash)
      validator.fail(`commits ${shortHash(hash)} under an invalid certificate`);
    validator.onCertifiedCommit({ epoch: at.epoch, view: at.view, atMs: world.nowMs });
  }
  // A sole validator's block is final once it is on disk, and so at the next commit at the latest.
  const final = validators > 1 ? block : blocks.get(parentHash);
  if (final !== undefined) world.noteFinal(final);
}

/** Checks a part of a height's key that an honest validator sends: the height must be final at its place. */
export function onShare({ validator, height }: ProcessWatch, { height: opensAt, epoch }: SealShare): void {
  if (opensAt > BigInt(height)) validator.fail(`opens height ${opensAt} before it is final`);
  if (epoch < BigInt(validator.votesFromEpoch))
    validator.fail(`signs the key of height ${opensAt} with a share that it has lost`);
}

export function onDrop(validator: SimValidator, peer: number, reason: string): void {
  if (validator.world.isHonest(peer)) validator.fail(`drops the honest validator ${peer}: ${reason}`);
}

/** Checks the number of answers to one peer. @param sinceMs start of the process */
export function onAnswer(
  validator: SimValidator,
  type: 'finalized' | 'block',
  answers: number,
  sinceMs: number,
): void {
  const { burst, perSecond } = type === 'finalized' ? FINAL_ANSWERS : BLOCK_ANSWERS;
  const seconds = (validator.world.nowMs - sinceMs) / 1_000;
  if (answers > burst + seconds * perSecond + 1)
    validator.fail(`answers ${answers} requests of one peer in ${seconds.toFixed(1)} s`);
}

export function onHeld(
  watch: ProcessWatch,
  held: { readonly blocks: number; readonly certificates: number; readonly messages: number },
): void {
  const { validator, world, view, finalizedView, initialHeight } = watch;
  const missing = Math.max(0, world.finalHeight - initialHeight);
  const blocks = 2 * (view - finalizedView + VIEW_WINDOW) + missing + MORE_BLOCKS;
  if (held.blocks > blocks) validator.fail(`holds ${held.blocks} blocks`);
  if (held.certificates > watch.maxKept(['certificate'], MAX_CERTIFICATES_A_PEER))
    validator.fail(`holds ${held.certificates} unchecked certificates`);
  const messages = watch.maxKept(['vote', 'proposal', 'certificate'], MAX_MESSAGES_A_PEER);
  if (held.messages > Math.min(MAX_MESSAGES, messages))
    validator.fail(`holds back ${held.messages} messages`);
}

/** Checks evidence, blocks and journal of a process when the run has reached its goal. */
export function onEnd({ validator }: ProcessWatch, held: { readonly blocks: number }): void {
  const { scenario, nowMs, keys } = validator.world;
  for (const { first, second } of validator.evidence()) {
    if (!keys.isSigned(first) || !keys.isSigned(second))
      validator.fail(`keeps evidence that proves nothing: ${describeVote(second)}`);
  }
  if (scenario.mayStop || validator.hasLostDisk || scenario.behind.has(validator.index)) return;
  if (held.blocks > MAX_FINAL_BLOCKS) validator.fail(`still holds ${held.blocks} blocks at the end`);
  const old = validator.committedBefore(nowMs - SOON_MS);
  if (old !== undefined && validator.hasJournalUpTo(old))
    validator.fail(`keeps journal entries of view ${old.epoch}/${old.view}, which is final`);
}

/** Whether a vote is the proposal of a block of its view, which the process surely holds. */
function isOwnBlock(watch: ProcessWatch, { kind, epoch, view, hash, signer }: Vote): boolean {
  const { world } = watch;
  if (kind !== 'notarize' || signer !== world.leaderOf(epoch, view)) return false;
  if (epoch !== watch.epoch || view <= watch.finalizedView) return false;
  return world.blocks.get(hash)?.facts.view === view;
}

function onBlockRequest(watch: ProcessWatch, hash: string): void {
  const { validator, world } = watch;
  const facts = world.blocks.get(hash)?.facts;
  if (facts === undefined) return;
  // A faulty leader may push more blocks than are decoded at a time.
  if (!world.isHonest(world.leaderOf(facts.epoch, facts.view))) return;
  const pushedMs = watch.pushedMs(hash) ?? Number.POSITIVE_INFINITY;
  if (!validator.records.hasBlock(hash) && pushedMs > world.nowMs - TAKEN_MS) return;
  const isOld =
    facts.height <= watch.height || facts.view <= watch.finalizedView || facts.epoch !== watch.epoch;
  if (!isOld) validator.fail(`asks for block ${shortHash(hash)}, which it has`);
}
