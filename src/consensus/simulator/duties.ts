import { RULES } from '../core/rules.js';
import type { Vote } from '../core/types.js';
import type { PeerMessage } from '../shell/ports.js';
import { describeVote, nameOf, shortHash } from './model.js';
import type { ProcessWatch } from './process-watch.js';

/** Time between two looks at a process, in virtual milliseconds. */
const LOOK_MS = 50;
/** Time limit for a request, and of a request's repetition after the core's interval. */
const ASK_MS = 400;
/** Time limit for a peer that is ahead, and the least interval of requests to one peer. */
const AHEAD_MS = 1_200;
const ASK_EACH_MS = 1_000;
/** Time limit for a vote or commit that nothing prevents, besides the work that it takes. */
const PROMPT_MS = 300;
/** Time for withheld verdicts, and for the work of the fault phase that takes long. */
const WITHHELD_MS = 3_000;
const STALLED_MS = 4_000;
/** Maximum time after which a block is verified again whose verdict was withheld. */
const RETRY_MS = 500;
/** Time limit of a view's end after the advance timer. */
const END_MS = 2_000;

/** What a process must do now, as long as its state is the same. */
interface Duty {
  /** Identifies the duty; another key begins another duty. */
  readonly key: string;
  readonly withinMs: number;
  readonly what: string;
  /** Whether it was done in time; a duty whose end ends the state needs none. */
  readonly isDone?: (sinceMs: number) => boolean;
}

/** The duties of an honest validator, each with a time limit (rules 1, 3, 5 and 6). */
export class Duties {
  readonly #watch: ProcessWatch;
  readonly #sinceMs = new Map<string, { readonly key: string; readonly atMs: number }>();
  /** When each peer was asked for certificates last. */
  readonly #askedMs = new Map<number, number>();
  /** When certificates, and each block, were asked for last. */
  readonly #requestedMs = new Map<string, number>();
  /** Peers that are ahead, until the check of the request to them. */
  readonly #ahead = new Set<number>();
  #lookMs = 0;
  /** When the process was last connected to a peer after it had none. */
  #joinedMs = 0;

  constructor(watch: ProcessWatch) {
    this.#watch = watch;
  }

  onSend(to: number | undefined, message: PeerMessage): void {
    const { nowMs } = this.#world;
    if (message.type === 'get_block') this.#requestedMs.set(message.hash, nowMs);
    if (message.type !== 'get_certificates' || message.toView === 0) return;
    this.#requestedMs.set('certificates', nowMs);
    if (to !== undefined) this.#askedMs.set(to, nowMs);
    this.#checkRequest(message);
  }

  /** @param isGained whether a peer has connected, or else has disconnected */
  onConnections(isGained: boolean): void {
    if (isGained && this.#watch.connectedMs.size === 1) this.#joinedMs = this.#world.nowMs;
    this.look();
  }

  onReceive(from: number, message: PeerMessage): void {
    if (message.type === 'vote' || message.type === 'proposal') this.#noteVote(from, message.vote);
    if (this.#world.nowMs >= this.#lookMs) this.look();
  }

  /** Compares the duties of the process with its acts. */
  look(): void {
    const watch = this.#watch;
    this.#lookMs = this.#world.nowMs + LOOK_MS;
    if (!watch.isRunning) return;
    const { isVoting } = watch;
    const proposal = isVoting ? watch.votes.proposalOf(watch.epoch, watch.view) : undefined;
    this.#expect('proposal', proposal && this.#ofProposal(proposal));
    this.#expect('view', isVoting ? this.#ofView(proposal !== undefined) : undefined);
    this.#expect('final', watch.isReady ? this.#ofFinal() : undefined);
  }

  /** What an open proposal of the current view demands (rule 3). */
  #ofProposal(proposal: Vote): Duty | undefined {
    const watch = this.#watch;
    const { records, index } = watch.validator;
    const { epoch, view, parentView, hash } = proposal;
    if (proposal.signer === index || parentView < watch.finalizedView) return undefined;
    if (records.hasVoted(epoch, view)) return undefined;
    if (this.#lacksCertificates(proposal)) return this.#asks('certificates', `${epoch}/${view}`);
    const parentHash = watch.finalizedAt(epoch, parentView)?.hash ?? records.hashAt(epoch, parentView);
    if (parentHash === undefined || !this.#isReadyParent(parentHash)) return undefined;
    const block = this.#world.blocks.get(hash);
    if (hash !== parentHash) {
      // The core no longer holds blocks at and below the last final one, so no such block gets a verdict.
      if (block === undefined || block.facts.height <= watch.height) return undefined;
      if (!records.hasBlock(hash) && !watch.refuted.has(hash)) {
        if (watch.pushedMs(hash) === undefined) return this.#asks(hash, `block ${shortHash(hash)}`);
        // A faulty leader may push more blocks than are decoded at a time.
        if (!this.#world.isHonest(proposal.signer)) return undefined;
      }
      const timestampMs = Number(block.header.timestamp_ms);
      if (timestampMs > this.#world.wallMs + watch.validator.skewMs) return undefined;
    }
    const { nowMs } = this.#world;
    const withheldMs = watch.withheldMs.get(hash) ?? Number.NEGATIVE_INFINITY;
    // The clock may have been behind the block's time when the block came.
    const delayedMs = Math.max(withheldMs, watch.validator.clockMovedMs);
    const workMs = this.#workMs(1);
    return {
      key: `${nameOf(proposal)} ${delayedMs}`,
      withinMs: nowMs <= delayedMs + RETRY_MS + workMs ? RETRY_MS + workMs : workMs,
      what: `vote for or against ${describeVote(proposal)}`,
    };
  }

  #isReadyParent(hash: string): boolean {
    const { verified, height } = this.#watch;
    return verified.has(hash) || (this.#world.blocks.get(hash)?.facts.height ?? 0) <= height;
  }

  #lacksCertificates({ epoch, view, parentView }: Vote): boolean {
    const { records } = this.#watch.validator;
    const isFinal = parentView === this.#watch.finalizedView;
    if (!isFinal && records.notarizedAt(epoch, parentView).size === 0) return true;
    for (let between = parentView + 1; between < view; between++)
      if (!records.isNullified(epoch, between)) return true;
    return false;
  }

  #asks(target: string, what: string): Duty | undefined {
    if (this.#watch.connectedMs.size === 0) return undefined;
    const intervalMs = this.#world.scenario.core.deltaMs / 2;
    // A request that found no peer is repeated after the interval.
    const hasJoined = this.#world.nowMs <= this.#joinedMs + intervalMs + ASK_MS;
    return {
      key: `${target} ${what}`,
      withinMs: hasJoined ? intervalMs + ASK_MS : ASK_MS,
      what: `ask for ${target === 'certificates' ? `certificates below ${what}` : what}`,
      isDone: (sinceMs) => {
        const earliestMs = Math.min(sinceMs, this.#world.nowMs - intervalMs) - ASK_MS;
        return (this.#requestedMs.get(target) ?? Number.NEGATIVE_INFINITY) >= earliestMs;
      },
    };
  }

  /** A view ends by the advance timer at the latest if there is a proposal, or a notarized block that is not final. */
  #ofView(hasProposal: boolean): Duty | undefined {
    const watch = this.#watch;
    const { epoch, view } = watch;
    const { records } = watch.validator;
    const { scenario, faults } = this.#world;
    const isOpen = scenario.validators > 1 && records.notarizedView(epoch) > watch.finalizedView;
    if (records.hasEnded(epoch, view) || (!hasProposal && !isOpen)) return undefined;
    const { deltaMs, blockTimeMs } = scenario.core;
    const finalizedView = watch.finalizedBefore(epoch, watch.enteredMs(view));
    const longestMs = blockTimeMs + 3 * RULES.delta(deltaMs, view, finalizedView, faults);
    const place = `${epoch}/${view}`;
    const key = `${hasProposal ? 'proposal' : 'open'} ${place}`;
    return { key, withinMs: longestMs + END_MS, what: `end view ${place}` };
  }

  /** A final block is committed once it is there with its ancestors (rule 5). */
  #ofFinal(): Duty | undefined {
    const watch = this.#watch;
    const { records } = watch.validator;
    const { blocks } = this.#world;
    const hash = watch.finalizedAt(watch.epoch, watch.finalizedView)?.hash;
    let block = hash === undefined ? undefined : blocks.get(hash);
    const missing = (block?.facts.height ?? 0) - watch.height;
    for (let left = missing; left > 0; left--) {
      if (block === undefined || !records.hasBlock(block.facts.hash)) return undefined;
      block = blocks.get(block.facts.parentHash);
    }
    if (missing <= 0) return undefined;
    return {
      key: `${hash} ${watch.height}`,
      withinMs: this.#workMs(missing),
      what: `commit the final block ${shortHash(hash ?? '')}`,
    };
  }

  /** Fails the run if a duty has been open for too long. */
  #expect(kind: string, duty: Duty | undefined): void {
    const { nowMs } = this.#world;
    if (duty === undefined) {
      this.#sinceMs.delete(kind);
      return;
    }
    const { key, withinMs, what, isDone } = duty;
    const since = this.#sinceMs.get(kind);
    if (since?.key !== key) {
      this.#sinceMs.set(kind, { key, atMs: nowMs });
      // Messages may cease.
      if (Number.isFinite(withinMs)) this.#world.after(withinMs + 1, () => this.look());
    } else if (nowMs > since.atMs + withinMs && isDone?.(since.atMs) !== true) this.#fail(what);
  }

  /** A vote of a view far ahead leads to a request for certificates, unless these come by themselves. */
  #noteVote(from: number, vote: Vote): void {
    const watch = this.#watch;
    const { kind, epoch, view, signer } = vote;
    if (!this.#world.keys.isSigned(vote)) return;
    const senderView = kind === 'finalize' ? view + 1 : view;
    if (signer !== from || epoch !== watch.epoch || !watch.isReady || this.#ahead.has(from)) return;
    if (senderView <= watch.view + 1) return;
    this.#ahead.add(from);
    const sinceMs = this.#world.nowMs;
    this.#world.after(AHEAD_MS, () => {
      this.#ahead.delete(from);
      if (!watch.isRunning || !watch.isReady || watch.epoch !== epoch || watch.view >= senderView) return;
      if ((this.#askedMs.get(from) ?? Number.NEGATIVE_INFINITY) < sinceMs - ASK_EACH_MS)
        this.#fail(`ask ${from}, which is ahead, for certificates`);
    });
  }

  /** Certificates that a process has had for some time are not asked for. */
  #checkRequest({ epoch, toView }: Extract<PeerMessage, { readonly type: 'get_certificates' }>): void {
    const watch = this.#watch;
    const { records } = watch.validator;
    if (epoch !== watch.epoch || toView >= watch.view || toView <= watch.finalizedView) return;
    if (watch.certifiedMs(epoch, toView) > this.#world.nowMs - ASK_MS) return;
    const isNullified = records.isNullified(epoch, toView);
    const isNotarized = records.hasCertificateAt('notarize', epoch, toView);
    const proposals = watch.votes.proposals(epoch, watch.view);
    const lacks =
      (!isNullified && !isNotarized) ||
      proposals.some(({ message: { parentView } }) =>
        parentView === toView ? !isNotarized : parentView < toView && !isNullified,
      );
    if (!lacks) watch.validator.fail(`asks for certificates that it has: ${epoch}/${toView}`);
  }

  /** Time that the verification of some blocks takes, with all that may hold it up. */
  #workMs(blocks: number): number {
    const { scenario, isStable } = this.#world;
    const { verifyMs, syncMs, withholding, stall, stableFromMs } = scenario;
    const isStalled = stall > 0 && (!isStable || this.#world.nowMs < stableFromMs + STALLED_MS);
    const delayMs = (withholding > 0 ? WITHHELD_MS : 0) + (isStalled ? Number.POSITIVE_INFINITY : 0);
    return PROMPT_MS + delayMs + (blocks + 1) * (2 * verifyMs + 2 * syncMs);
  }

  get #world() {
    return this.#watch.world;
  }

  #fail(what: string): void {
    this.#watch.validator.fail(`does not ${what}`);
  }
}
