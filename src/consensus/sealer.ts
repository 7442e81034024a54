import type { BlockChain } from '../chain/block-chain.js';
import type { PendingBlock } from '../chain/pending-blocks.js';
import type { ConsensusMetrics } from '../generated/node-rpc-v1.js';
import { fallsTo } from '../ledger/fees.js';
import type { Mempool } from '../mempool/pool.js';
import { type Agreement, noMetrics } from './agreement.js';
import { type Pacing, untilDue, type Work } from './pacing.js';
import { RecentDurations } from './quantiles.js';

/** The sealer's surroundings. */
export interface SealerOptions {
  readonly chain: Pick<BlockChain, 'tip' | 'propose' | 'commit' | 'trySuspects'>;
  readonly pool: Pick<Mempool, 'hasReady' | 'heldBackFee'>;
  readonly pacing: Pacing;
  /** This validator's index in the set. */
  readonly validator: number;
  /** The proposer's clock, milliseconds since 1970: of the blocks' timestamps and of nothing else, for it may jump. */
  readonly now: () => number;
  readonly onSealed: (block: PendingBlock, timing: SealTiming) => void;
  /** Told once when sealing cannot go on; the sealer has stopped then. */
  readonly onFailure: (error: Error) => void;
}

/** Where the time of sealing one block went, in milliseconds. */
export interface SealTiming {
  readonly totalMs: number;
  readonly commitMs: number;
}

/**
 * Agreement of one validator with itself: proposes a block on the tip when one is due, and commits it at once. One block at a
 * time.
 */
export class Sealer implements Agreement {
  readonly #finalityLatency = new RecentDurations();
  readonly #blockInterval = new RecentDurations();
  readonly #options: SealerOptions;
  #sealed = 0n;
  #timer: NodeJS.Timeout | undefined;
  #dueAt = 0;
  #sealing: Promise<void> | undefined;
  #running = false;
  /** When the last block was begun, on the clock of `performance.now`. */
  #lastSealedAt: number;
  /** Set while all that is ready in the pool waits for a lower base fee or more balance: then it is no work. */
  #nothingSelected = false;

  constructor(options: SealerOptions) {
    this.#options = options;
    const { timestamp_ms } = options.chain.tip.header;
    this.#lastSealedAt = performance.now() - Math.max(0, options.now() - Number(timestamp_ms));
  }

  start(): void {
    this.#running = true;
    this.#schedule();
  }

  /** Ends sealing; a block that is under way is finished first. */
  async stop(): Promise<void> {
    this.#running = false;
    clearTimeout(this.#timer);
    await this.#sealing;
  }

  /** Tells that the pool has something new. */
  notify(): void {
    this.#nothingSelected = false;
    if (this.#running && this.#sealing === undefined) this.#schedule();
  }

  /**
   * Seals one block now, empty or not, whatever the pacing; only while the timers are not running.
   * @param timestampMs the block's time instead of the clock's; raised to the parent's plus one where it is not after it
   */
  async sealNow(timestampMs?: number): Promise<void> {
    await this.#seal(timestampMs ?? this.#options.now(), true);
  }

  get sinceFinalMs(): number | undefined {
    return this.#sealed === 0n ? undefined : this.#sinceLast(performance.now());
  }

  /** Every block that one validator proposes is notarized and final at once. */
  metrics(): ConsensusMetrics {
    const { chain, validator } = this.#options;
    const { epoch, view } = chain.tip.header;
    return {
      ...noMetrics({ epoch, view, leader: validator }),
      proposals: this.#sealed,
      notarizations: this.#sealed,
      finalizations: this.#sealed,
      finality_latency_ms: this.#finalityLatency.quantiles(),
      block_interval_ms: this.#blockInterval.quantiles(),
    };
  }

  #sinceLast(time: number): number {
    return time - this.#lastSealedAt;
  }

  #schedule(): void {
    const { pool, pacing } = this.#options;
    const work = !this.#nothingSelected && pool.hasReady() ? 'ready' : this.#idleWork();
    const time = performance.now();
    const delay = untilDue(pacing, this.#sinceLast(time), work);
    if (delay === undefined) return;
    if (this.#timer !== undefined) {
      if (this.#dueAt <= time + delay) return;
      clearTimeout(this.#timer);
    }
    this.#dueAt = time + delay;
    this.#timer = setTimeout(() => this.#due(), Math.ceil(delay));
  }

  #due(): void {
    this.#timer = undefined;
    const { pacing, now, onFailure } = this.#options;
    const idleDue = (untilDue(pacing, this.#sinceLast(performance.now()), this.#idleWork()) ?? 1) < 1;
    this.#sealing = this.#seal(now(), idleDue)
      .then(() => {
        this.#sealing = undefined;
        if (this.#running) this.#schedule();
      })
      .catch((error: unknown) => {
        this.#running = false;
        onFailure(error instanceof Error ? error : new Error(String(error)));
      });
  }

  /** What there is to do where no transaction can be included now: let the base fee fall, as far as that helps any. */
  #idleWork(): Work {
    const fee = this.#options.pool.heldBackFee();
    return fee !== undefined && fallsTo(fee) ? 'base_fee' : 'none';
  }

  async #seal(now: number, allowEmpty: boolean): Promise<void> {
    const { chain, validator } = this.#options;
    const { header, hash } = chain.tip;
    const started = performance.now();
    const proposal = await chain.propose({
      parent: hash,
      epoch: header.epoch,
      view: header.view + 1n,
      proposer: validator,
      timestampMs: BigInt(now),
      allowEmpty,
    });
    if (proposal.block === undefined) {
      this.#nothingSelected = !proposal.mayHaveMore;
      return;
    }
    const { block } = proposal;
    const commits = await chain.commit(block.hash);
    this.#nothingSelected = false;
    const commitMs = commits[0]?.commitMs ?? 0;
    this.#follow(started, block, commitMs);
    if (await chain.trySuspects(block.header.timestamp_ms + 1n)) this.#nothingSelected = false;
  }

  #follow(started: number, block: PendingBlock, commitMs: number): void {
    this.#sealed += 1n;
    // Between two blocks of this process: what lies before is the time that the node did not run.
    if (this.#sealed > 1n) this.#blockInterval.add(this.#sinceLast(started));
    this.#lastSealedAt = started;
    const totalMs = performance.now() - started;
    this.#finalityLatency.add(totalMs);
    this.#options.onSealed(block, { totalMs, commitMs });
  }
}
