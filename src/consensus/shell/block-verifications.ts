import type { Cancel } from '../../async/runtime.js';
import { Throttle } from '../../base/throttle.js';
import type { BlockRejection } from '../../chain/block-rejection.js';
import type { BlockFacts, BlockHash, EffectOf } from '../core/types.js';
import { hashBytes } from './conversions.js';
import type { KnownBlock } from './known-blocks.js';
import type { PeerRecords } from './peer-records.js';
import type { ChainVerdict } from './ports.js';
import type { ShellContext } from './shell-context.js';

/** Maximum milliseconds that a block's timestamp may be ahead of the local clock (rule 8). */
export const MAX_AHEAD_MS = 2_000;
/** Milliseconds to verify a block that is not notarized before the verdict is withheld; verification continues. */
const PATIENCE_MS = 2_000;
/** Milliseconds after which the verification of a block that is not notarized is cancelled. */
const MAX_PATIENCE_MS = 16_000;
/** Maximum concurrent verifications; beyond it, blocks that are not notarized wait for a slot. */
const MAX_RUNNING = 4;

const SOON_MS = 50;
const LATER_MS = 500;
/** Minimum interval between log records of proposals that are ahead of the clock, in milliseconds. */
const EARLY_NOTE_MS = 10_000;

type Verdict =
  | { readonly verdict: 'valid' | 'invalid' }
  | { readonly verdict: 'withheld'; readonly retryMs: number };

interface Running {
  readonly facts: Pick<BlockFacts, 'epoch' | 'view'>;
  readonly outcome: Promise<ChainVerdict>;
  readonly abort: AbortController;
  /** Start time, on the clock of `Runtime.now`. */
  readonly begunAt: number;
  isNotarized: boolean;
}

/** Has the chain verify blocks, each at most once at a time; clock and load only delay verdicts (rule 8). */
export class BlockVerifications {
  readonly #context: ShellContext;
  readonly #peers: Pick<PeerRecords, 'countInvalid'>;
  readonly #earlyNotes = new Throttle(EARLY_NOTE_MS);
  readonly #running = new Map<BlockHash, Running>();
  /** Invalid blocks, kept until the core drops them. */
  readonly #invalid = new Set<BlockHash>();
  /** Blocks whose time was too far ahead, kept as long. */
  readonly #early = new Set<BlockHash>();

  constructor(context: ShellContext, peers: Pick<PeerRecords, 'countInvalid'>) {
    this.#context = context;
    this.#peers = peers;
  }

  /** @throws errors not caused by the block */
  async verify({ block: { hash }, notarized }: EffectOf<'verify'>): Promise<void> {
    const { known, events } = this.#context;
    const block = known.get(hash);
    if (block === undefined) throw new RangeError(`the bytes of block ${hash} are missing`);
    events.push({ type: 'verdict', hash, ...(await this.#verdictOf(block, notarized)) });
  }

  /** Drops blocks that the core no longer needs, and cancels their verification. */
  forget(hashes: readonly BlockHash[]): void {
    this.#context.known.forget(hashes);
    for (const hash of hashes) {
      this.#invalid.delete(hash);
      this.#early.delete(hash);
      this.#running.get(hash)?.abort.abort();
    }
  }

  async stop(): Promise<void> {
    const running = [...this.#running.values()];
    for (const { abort } of running) abort.abort();
    await Promise.allSettled(running.map(({ outcome }) => outcome));
  }

  /** @param notarized whether a quorum voted for the block; the verdict then depends only on the block's content */
  async #verdictOf(block: KnownBlock, notarized: boolean): Promise<Verdict> {
    if (this.#invalid.has(block.facts.hash)) return { verdict: 'invalid' };
    if (!notarized) {
      const aheadMs = Number(block.timestampMs) - this.#context.runtime.wallMs();
      if (aheadMs > MAX_AHEAD_MS) {
        this.#noteEarly(block.facts, aheadMs);
        return withheld(Math.min(aheadMs - MAX_AHEAD_MS, LATER_MS));
      }
      if (!this.#running.has(block.facts.hash) && !this.#makeRoom(block.facts)) return withheld(SOON_MS);
    }
    const running = this.#running.get(block.facts.hash) ?? this.#begin(block, notarized);
    if (notarized) running.isNotarized = true;
    return notarized ? this.#verdict(block, await running.outcome) : await this.#inTime(block, running);
  }

  /** Counts a block ahead of the clock once; either clock may be wrong. */
  #noteEarly({ hash, height, view, proposer }: BlockFacts, aheadMs: number): void {
    if (this.#early.has(hash)) return;
    this.#early.add(hash);
    const { log, onEarlyProposal, runtime } = this.#context;
    onEarlyProposal?.(proposer);
    if (!this.#earlyNotes.admits(runtime.now())) return;
    const fields = { height, view, proposer, ahead_ms: Math.round(aheadMs) };
    log.warn(fields, "the time of a proposal is ahead of this node's clock; its vote waits");
  }

  /**
   * Cancels slow or excess verifications of earlier blocks that are not notarized, so that a leader with a slow block
   * uses up only the time of its own view. If votes arrive late, such a block is verified again.
   * @returns whether the block can start; if not, a cancelled verification is still ending
   */
  #makeRoom(wanted: Running['facts']): boolean {
    const over = [...this.#running.values()]
      .filter(({ isNotarized, facts }) => !isNotarized && isEarlier(facts, wanted))
      .sort((a, b) => (isEarlier(a.facts, b.facts) ? -1 : 1));
    const late = this.#context.runtime.now() - PATIENCE_MS;
    for (const { begunAt, abort } of over) if (begunAt < late) abort.abort();
    if (this.#running.size < MAX_RUNNING) return true;
    if (!over.some(({ abort }) => abort.signal.aborted)) over[0]?.abort.abort();
    return false;
  }

  #begin(block: KnownBlock, isNotarized: boolean): Running {
    const { hash, parentHash, epoch, view, proposer } = block.facts;
    const { chain, runtime } = this.#context;
    const abort = new AbortController();
    const context = { parent: hashBytes(parentHash), epoch: BigInt(epoch), view: BigInt(view), proposer };
    const outcome = chain
      .verify(block.decoded ?? block.encoded(), context, abort.signal)
      .catch((error: unknown): ChainVerdict => {
        if (abort.signal.aborted) return { verdict: 'unknown_parent' };
        throw error;
      })
      .finally(() => {
        cancelTimeout();
        this.#running.delete(hash);
      });
    const running: Running = { facts: block.facts, outcome, abort, begunAt: runtime.now(), isNotarized };
    const cancelTimeout = runtime.after(MAX_PATIENCE_MS, () => {
      if (!running.isNotarized) abort.abort();
    });
    this.#running.set(hash, running);
    return running;
  }

  async #inTime(block: KnownBlock, { outcome }: Running): Promise<Verdict> {
    let cancelTimeout: Cancel | undefined;
    const late = new Promise<undefined>((resolve) => {
      cancelTimeout = this.#context.runtime.after(PATIENCE_MS, () => resolve(undefined));
    });
    try {
      const first = await Promise.race([outcome, late]);
      if (first !== undefined) return this.#verdict(block, first);
      // Avoids an unhandled rejection when no caller awaits the outcome any more.
      outcome.catch(() => undefined);
      return withheld(LATER_MS);
    } finally {
      cancelTimeout?.();
    }
  }

  #noteInvalid(
    { hash, height, view, proposer }: BlockFacts,
    { rule, what, stored, computed }: BlockRejection,
  ): void {
    if (this.#invalid.has(hash)) return;
    this.#invalid.add(hash);
    const { log, onInvalidProposal } = this.#context;
    log.warn({ height, view, proposer, rule, what, stored, computed }, 'a block is invalid');
    this.#peers.countInvalid(proposer);
    onInvalidProposal?.(proposer);
  }

  #verdict(block: KnownBlock, outcome: ChainVerdict): Verdict {
    switch (outcome.verdict) {
      case 'valid':
        block.decoded = undefined;
        return { verdict: 'valid' };
      case 'invalid':
        this.#noteInvalid(block.facts, outcome);
        return { verdict: 'invalid' };
      case 'unknown_parent':
        return withheld(SOON_MS);
      case 'withheld':
        this.#context.log.warn(
          { hash: block.facts.hash, reason: outcome.reason },
          'could not verify a block yet; retrying',
        );
        return withheld(LATER_MS);
    }
  }
}

function isEarlier(one: Running['facts'], other: Running['facts']): boolean {
  return one.epoch === other.epoch ? one.view < other.view : one.epoch < other.epoch;
}

function withheld(retryMs: number): Verdict {
  return { verdict: 'withheld', retryMs };
}
