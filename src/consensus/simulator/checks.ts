import type { ChainTip } from '../../chain/committed-chain.js';
import type { FinalityCertificate } from '../../generated/node-rpc-v1.js';
import { toHex } from '../../idl/hex.js';
import type { Vote, VoteMessage } from '../core/types.js';
import type { PeerMessage } from '../shell/ports.js';
import type { Host } from './host.js';
import { describeVote, nameOf, shortHash, type Violation } from './model.js';
import type { ProcessWatch } from './process-watch.js';
import type { SimBlock } from './sim-blocks.js';
import { VoteChecks } from './vote-checks.js';
import type { World } from './world.js';

/** Time within which evidence must be on disk and votes repeated, in virtual milliseconds. */
const SOON_MS = 1_500;
/** Answers to requests for final blocks: burst, and rate per second. */
const FINAL_ANSWERS = { burst: 20, perSecond: 5 };
const BLOCK_ANSWERS = { burst: 200, perSecond: 100 };
/** Bounds of what a process holds for its peers. */
const MAX_CERTIFICATES_A_PEER = 64;
const MAX_MESSAGES = 1_024;
const MAX_MESSAGES_A_PEER = 128;
const MORE_BLOCKS = 8;
/** Views ahead of the current one whose votes and blocks are kept. */
const VIEW_WINDOW = 16;
/** Blocks that are not final when a run ends well. */
const MAX_FINAL_BLOCKS = 16;

/** Safety checks of a run over everything that honest validators send, sign, store and commit. */
export class Checks {
  violation: Violation | undefined;
  /** Highest height with a block finalized by a quorum. */
  finalHeight = 0;
  /** The highest epoch and view in which an honest validator voted. */
  epoch = 0;
  #view = 0;
  /** Number of views that honest validators have passed since the network became stable. */
  viewsSinceStable = 0;
  /** Number of votes of honest validators. */
  votes = 0;
  readonly #world: World;
  readonly #votes: VoteChecks;
  /** The final block's hash at each height. */
  readonly #final: (string | undefined)[] = [];

  constructor(world: World) {
    this.#world = world;
    this.#votes = new VoteChecks(world);
  }

  /** Sets the position of the validators when the run begins. */
  begin(epoch: number, view: number): void {
    this.epoch = epoch;
    this.#view = view;
  }

  fail(kind: Violation['kind'], what: string): void {
    this.violation ??= { kind, what, atMs: this.#world.nowMs };
  }

  finalAt(height: number): string | undefined {
    return this.#final[height];
  }

  /** Notes a block that a quorum has finalized, with its ancestors. */
  noteFinal(block: SimBlock): void {
    const { blocks } = this.#world;
    let at: SimBlock | undefined = block;
    while (at !== undefined) {
      const { hash, height, parentHash } = at.facts;
      const known = this.#final[height];
      if (known === hash) break;
      if (known !== undefined)
        this.fail('safety', `${shortHash(known)} and ${shortHash(hash)} are both final at height ${height}`);
      if (!blocks.isValid(hash)) this.fail('safety', `the invalid block ${shortHash(hash)} is final`);
      this.#final[height] = hash;
      at = blocks.get(parentHash);
    }
    this.finalHeight = Math.max(this.finalHeight, block.facts.height);
  }

  /** Checks a vote before an honest validator signs it. */
  onSign(watch: ProcessWatch, message: VoteMessage): void {
    const { host } = watch;
    this.#votes.check(watch, message);
    watch.onSign(message);
    this.#countFinalize(message, host.index);
    const { epoch, view } = message;
    this.votes++;
    if (epoch < this.epoch || (epoch === this.epoch && view <= this.#view)) return;
    if (this.#world.isStable) this.viewsSinceStable += epoch === this.epoch ? view - this.#view : view;
    this.epoch = epoch;
    this.#view = view;
  }

  onFaultyVote(message: VoteMessage, signer: number): void {
    this.#countFinalize(message, signer);
  }

  /** Checks a request to make a certificate. */
  onAssemble({ host }: ProcessWatch, message: VoteMessage, votes: readonly Vote[], own: boolean): void {
    const signers = new Set(votes.map(({ signer }) => signer));
    if (own) signers.add(host.index);
    if (signers.size < this.#world.quorum || signers.size < votes.length + (own ? 1 : 0))
      this.#unsafe(host, `makes a certificate of too few votes: ${describeVote(message)}`);
    if (votes.some((vote) => nameOf(vote) !== nameOf(message)))
      this.#unsafe(host, `makes a certificate of votes for something else: ${describeVote(message)}`);
  }

  /** Checks a message that an honest validator sends. */
  onSend(watch: ProcessWatch, to: number | undefined, message: PeerMessage): void {
    const { host } = watch;
    const { keys } = this.#world;
    if (message.type === 'vote' || message.type === 'proposal') {
      const { vote } = message;
      if (vote.signer !== host.index && vote.signer !== to)
        this.#unsafe(host, `sends a vote of validator ${vote.signer} to others`);
      if (vote.signer === to && vote.view > watch.view + VIEW_WINDOW)
        this.#unsafe(host, `keeps votes of far views: ${describeVote(vote)}`);
      if (vote.signer === to && vote.view <= watch.finalizedBefore(vote.epoch, this.#world.nowMs - SOON_MS))
        this.#unsafe(host, `keeps votes of final views: ${describeVote(vote)}`);
      if (vote.signer === host.index && !host.records.hasVote(vote))
        this.#unsafe(host, `sends ${describeVote(vote)}, which is not on its disk`);
    } else if (message.type === 'certificate') {
      const { certificate } = message;
      if (!keys.isCertified(certificate) || !keys.hasQuorum(certificate))
        this.#unsafe(host, `sends an invalid certificate: ${describeVote(certificate)}`);
      if (certificate.kind !== 'finalize' && !host.records.hasCertificate(certificate))
        this.#unsafe(host, `sends a certificate that is not on its disk: ${describeVote(certificate)}`);
    } else if (message.type === 'get_block') {
      this.#onBlockRequest(host, message.hash);
    }
  }

  /** Checks the commit of an honest validator. */
  onCommit(
    host: Host,
    block: SimBlock,
    parent: ChainTip,
    certificate: FinalityCertificate | undefined,
  ): void {
    const { height, parentHash, hash } = block.facts;
    const { keys, blocks } = this.#world;
    if (parentHash !== toHex(parent.hash) || height !== Number(parent.header.height) + 1)
      this.#unsafe(host, `commits ${shortHash(hash)}, which does not extend the previous block`);
    if (!blocks.isValid(hash)) this.#unsafe(host, `commits the invalid block ${shortHash(hash)}`);
    const { core, validators } = this.#world.scenario;
    // Validators of the epoch before are told of its end with this certificate.
    if (certificate === undefined && validators > 1 && height % core.epochLength === 0)
      this.#unsafe(host, `commits the last block of an epoch without its certificate: ${height}`);
    if (certificate !== undefined) {
      const { epoch, view, parent_view, block_hash, signature } = certificate;
      const at = { epoch: Number(epoch), view: Number(view), parentView: Number(parent_view) };
      const finalization = { kind: 'finalize', ...at, hash: toHex(block_hash), signature } as const;
      if (!keys.isCertified(finalization) || finalization.hash !== hash)
        this.#unsafe(host, `commits ${shortHash(hash)} under an invalid certificate`);
    }
    if (certificate !== undefined) {
      const { epoch, view } = certificate;
      host.onCertifiedCommit({ epoch: Number(epoch), view: Number(view), atMs: this.#world.nowMs });
    }
    // A sole validator's block is final once it is on disk, and so at the next commit at the latest.
    const final = validators > 1 ? block : blocks.get(parentHash);
    if (final !== undefined) this.noteFinal(final);
  }

  onDrop(host: Host, peer: number, reason: string): void {
    const isHonest = this.#world.hosts[peer]?.every((other) => other.isHonest) ?? false;
    if (isHonest) this.#unsafe(host, `drops the honest validator ${peer}: ${reason}`);
  }

  /** Expects evidence against the signer of a vote, of which a contradicting one was received before. */
  expectEvidence(watch: ProcessWatch, vote: Vote): void {
    const { host } = watch;
    const { life } = host;
    // A failed write loses evidence, and nothing else.
    if (this.#world.scenario.writeFailure > 0) return;
    this.#world.after(SOON_MS, () => {
      if (host.life !== life || host.process?.hasFailed === true) return;
      if (!host.hasEvidence(vote))
        this.#unsafe(
          host,
          `keeps no evidence of two votes of validator ${vote.signer}: ${describeVote(vote)}`,
        );
    });
  }

  /** Expects a validator to nullify its view, because f + 1 others do (rule 4), unless it leaves the view. */
  expectNullify(watch: ProcessWatch, view: number): void {
    const { host, epoch } = watch;
    const { life } = host;
    if (epoch < host.votesFromEpoch) return;
    this.#world.after(SOON_MS, () => {
      if (host.life !== life || watch.epoch !== epoch || watch.view > view) return;
      if (host.process?.hasFailed === true || this.#votes.hasEnded(host.index, epoch, view)) return;
      this.#unsafe(host, `does not join the nullify votes of view ${epoch}/${view}`);
    });
  }

  /** Checks the number of answers to one peer. @param sinceMs start of the process */
  onAnswer(host: Host, type: 'finalized' | 'block', answers: number, sinceMs: number): void {
    const { burst, perSecond } = type === 'finalized' ? FINAL_ANSWERS : BLOCK_ANSWERS;
    const seconds = (this.#world.nowMs - sinceMs) / 1_000;
    if (answers > burst + seconds * perSecond + 1)
      this.#unsafe(host, `answers ${answers} requests of one peer in ${seconds.toFixed(1)} s`);
  }

  /** Checks that a process's memory is bounded. */
  onHeld(
    watch: ProcessWatch,
    held: { readonly blocks: number; readonly certificates: number; readonly messages: number },
  ): void {
    const { host, view, finalizedView, initialHeight } = watch;
    const missing = Math.max(0, this.finalHeight - initialHeight);
    const blocks = 2 * (view - finalizedView + VIEW_WINDOW) + missing + MORE_BLOCKS;
    if (held.blocks > blocks) this.#unsafe(host, `holds ${held.blocks} blocks`);
    if (held.certificates > watch.maxKept(['certificate'], MAX_CERTIFICATES_A_PEER))
      this.#unsafe(host, `holds ${held.certificates} unchecked certificates`);
    const messages = watch.maxKept(['vote', 'proposal', 'certificate'], MAX_MESSAGES_A_PEER);
    if (held.messages > Math.min(MAX_MESSAGES, messages))
      this.#unsafe(host, `holds back ${held.messages} messages`);
  }

  /** Checks what is left when a run has reached its goal. */
  onEnd({ host }: ProcessWatch, held: { readonly blocks: number }): void {
    const { scenario, nowMs, keys } = this.#world;
    for (const { first, second } of host.evidence()) {
      if (!keys.isSigned(first) || !keys.isSigned(second))
        this.#unsafe(host, `keeps evidence that proves nothing: ${describeVote(second)}`);
    }
    if (scenario.mayStop || host.hasLostDisk || scenario.behind.has(host.index)) return;
    if (held.blocks > MAX_FINAL_BLOCKS) this.#unsafe(host, `still holds ${held.blocks} blocks at the end`);
    const old = host.committedBefore(nowMs - SOON_MS);
    if (old !== undefined && host.hasJournalUpTo(old))
      this.#unsafe(host, `keeps journal entries of view ${old.epoch}/${old.view}, which is final`);
  }

  #onBlockRequest(host: Host, hash: string): void {
    const facts = this.#world.blocks.get(hash)?.facts;
    const watch = host.process?.watch;
    if (facts === undefined || watch === undefined) return;
    const pushedMs = watch.pushedMs(hash) ?? Number.POSITIVE_INFINITY;
    if (!host.records.hasBlock(hash) && pushedMs > this.#world.nowMs - SOON_MS) return;
    const isOld =
      facts.height <= host.height || facts.view <= watch.finalizedView || facts.epoch !== watch.epoch;
    if (!isOld) this.#unsafe(host, `asks for block ${shortHash(hash)}, which it has`);
  }

  #countFinalize(message: VoteMessage, signer: number): void {
    if (message.kind !== 'finalize') return;
    const signers = this.#world.keys.signersOf(message);
    const count = signers.size + (signers.has(signer) ? 0 : 1);
    const block = this.#world.blocks.get(message.hash);
    if (count >= this.#world.quorum && block !== undefined) this.noteFinal(block);
  }

  #unsafe(host: Host, what: string): void {
    this.fail('safety', `validator ${host.index} ${what}`);
  }
}
