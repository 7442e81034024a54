import type { BlockEnvironment } from '../execution/block-environment.js';
import type { InclusionProblem } from '../execution/execute-transaction.js';
import { MAX_BODY_BYTES } from '../ledger/constants.js';
import { fallsTo } from '../ledger/fees.js';
import type { VerifiedTransaction } from '../ledger/verified-transaction.js';
import { BlockDraw, type Selection } from '../mempool/block-draw.js';
import type { RejectionReason } from '../mempool/errors.js';
import type { Mempool } from '../mempool/pool.js';
import { writeTree } from '../proofs/write-tree.js';
import type { Store } from '../storage/store.js';
import type { BlockBuilder, BuiltBlock, ExecutedCandidates } from './block-builder.js';
import { BlockWaves, oneWave } from './block-waves.js';
import type { Chain } from './chain.js';
import { commitBatch, committedBlock } from './commit-batch.js';
import type { Containment } from './containment.js';
import { type Pacing, untilDue, type Work } from './pacing.js';
import { RecentDurations } from './quantiles.js';
import { WavePace } from './wave-pace.js';

/**
 * What a transaction left out waits for, the next block's gas or the one before it in its lane: it stays in the pool. One
 * whose nonce another used leaves with the block that has the other.
 */
type Delay = 'block_full' | 'nonce';

/** What the pool remembers of a transaction that turned out impossible to include. */
const LEFT_OUT = {
  expired: 'expired',
  fee_too_low: 'fee_too_low',
  insufficient_balance: 'insufficient_balance',
  too_many_lanes: 'too_large',
} as const satisfies Record<Exclude<InclusionProblem, Delay>, RejectionReason>;

/** The sealer's surroundings. */
export interface SealerOptions {
  readonly chain: Chain;
  readonly pool: Mempool;
  readonly builder: BlockBuilder;
  readonly containment: Containment;
  readonly store: Store;
  readonly pacing: Pacing;
  /** What a transaction is expected to use of a block's gas. */
  readonly expectedGas: (transaction: VerifiedTransaction) => bigint;
  /** The proposer's clock, milliseconds since 1970: of the blocks' timestamps and of nothing else, for it may jump. */
  readonly now: () => number;
  readonly onSealed: (block: BuiltBlock, timing: SealTiming) => void;
  /** Told once when sealing cannot go on; the sealer has stopped then. */
  readonly onFailure: (error: Error) => void;
}

/** Where the time of sealing one block went, in milliseconds. */
export interface SealTiming {
  readonly totalMs: number;
  readonly commitMs: number;
}

/**
 * Seals blocks as the only validator: draws transactions from the pool when a block is due, builds the block, and makes
 * it the tip once its batch is synced. One block at a time.
 */
export class Sealer {
  readonly finalityLatency = new RecentDurations();
  readonly blockInterval = new RecentDurations();
  readonly #options: SealerOptions;
  readonly #pace: WavePace;
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
    this.#pace = new WavePace(options.pacing);
    const { timestamp_ms } = options.chain.tip.header;
    this.#lastSealedAt = performance.now() - Math.max(0, options.now() - Number(timestamp_ms));
  }

  /** Blocks sealed since the start. */
  get sealed(): bigint {
    return this.#sealed;
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

  /** Milliseconds since this process sealed a block; undefined while it has sealed none. */
  get sinceSealedMs(): number | undefined {
    return this.#sealed === 0n ? undefined : this.#sinceLast(performance.now());
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

  async #seal(now: number, evenEmpty: boolean): Promise<void> {
    try {
      await this.#sealNext(now, evenEmpty);
    } catch (error) {
      this.#options.containment.acquit(error);
      throw error;
    }
  }

  async #sealNext(now: number, evenEmpty: boolean): Promise<void> {
    const { chain, pool, builder, containment, store, expectedGas } = this.#options;
    const parent = chain.tip.header;
    const started = performance.now();
    const timestamp = BigInt(now) > parent.timestamp_ms ? BigInt(now) : parent.timestamp_ms + 1n;
    const env = builder.environment(timestamp);
    const isHeldBack = (hashHex: string) => containment.isHeldBack(hashHex);
    const apart = containment.apart();
    const source =
      apart === undefined
        ? pool.draw({ ...env, maxBytes: MAX_BODY_BYTES, expectedGas, isHeldBack })
        : oneWave(apart);
    const waves = new BlockWaves(source, this.#pace, (wave) => containment.begin(wave));
    const { outcome, selection } = await this.#fill(env, waves);
    if (waves.candidates.transactions.length === 0 && !evenEmpty) {
      // Those that others are kept from have every second turn.
      this.#nothingSelected = !containment.hasApart;
      await this.#trySuspects(timestamp);
      return;
    }
    this.#sortOut(outcome, selection, env.height);
    // What was drawn and left out has left the pool, or waits by now: the next draw is another one.
    if (outcome.transactions.length === 0 && !evenEmpty) {
      this.#nothingSelected = false;
      containment.end();
      await this.#trySuspects(timestamp);
      return;
    }
    const block = await builder.build(env, outcome);
    const built = performance.now();
    await store.write(await commitBatch(block), { sync: true });
    const committed = performance.now();
    this.#nothingSelected = false;
    if (source instanceof BlockDraw) pool.endDraw(source, outcome.executed);
    this.#sealed += 1n;
    // Between two blocks of this process: what lies before is the time that the node did not run.
    if (this.#sealed > 1n) this.blockInterval.add(this.#sinceLast(started));
    this.#lastSealedAt = started;
    this.finalityLatency.add(committed - started);
    chain.commit(committedBlock(block));
    containment.end();
    await writeTree(store, block.roots.treeBatch);
    this.#options.onSealed(block, {
      totalMs: committed - started,
      commitMs: committed - built,
    });
    await this.#trySuspects(timestamp + 1n);
  }

  /** Fills a block; where that throws, with those candidates drawn that are not at fault. */
  async #fill(
    env: BlockEnvironment,
    waves: BlockWaves,
  ): Promise<{ readonly outcome: ExecutedCandidates; readonly selection: Selection }> {
    const { builder, containment } = this.#options;
    try {
      const outcome = await builder.fill(env, waves);
      return { outcome, selection: waves.candidates };
    } catch (error) {
      return containment.recover(env, waves.candidates, error);
    }
  }

  async #trySuspects(timestamp: bigint): Promise<void> {
    const { builder, containment } = this.#options;
    if (await containment.trySuspects(builder.environment(timestamp))) this.#nothingSelected = false;
  }

  /** Tells the pool what could not be in the block. */
  #sortOut({ leftOut, failedBundles }: ExecutedCandidates, { bundles }: Selection, height: bigint): void {
    const { pool } = this.#options;
    for (const { transaction, problem } of leftOut) {
      if (problem === 'block_full' || problem === 'nonce') continue;
      pool.drop(transaction.hashHex, LEFT_OUT[problem], `could not be in block ${height}: ${problem}`);
    }
    const hashes = new Map(bundles.map(({ start, hashHex }) => [start, hashHex]));
    for (const { start, index, problem, message } of failedBundles) {
      const hashHex = hashes.get(start) ?? '';
      const what = `transaction ${index - start} of the bundle`;
      switch (problem) {
        case 'block_full':
          break;
        case 'nonce':
        case 'fee_too_low':
        case 'insufficient_balance':
          pool.parkBundle(hashHex);
          break;
        case 'expired':
        case 'too_many_lanes':
          pool.dropBundle(hashHex, LEFT_OUT[problem], `${what} could not be in block ${height}: ${problem}`);
          break;
        default: {
          const said = message === undefined ? '' : `: ${message}`;
          pool.dropBundle(hashHex, 'bundle_failed', `${what} failed in block ${height}, ${problem}${said}`);
        }
      }
    }
  }
}
