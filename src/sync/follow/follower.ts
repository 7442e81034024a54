import type { BlockImport } from '../../chain/block-import.js';
import type { Chain } from '../../chain/chain.js';
import type { ChainTip } from '../../chain/committed-chain.js';
import type { Log } from '../../config/log.js';
import type { PeerHealth, SyncState } from '../../generated/node-rpc-v1.js';
import { type ApplyOptions, applyRange, settleOrDiverge } from './apply-range.js';
import type { CertifiedRange } from './certified-range.js';
import type { RangeFetcher } from './range-fetcher.js';
import type { SourceSet } from './source-set.js';

/** A follower within so many blocks of the best tip it knows of counts as synced: the next block is always on its way. */
const SYNCED_LAG = 2n;
/** Sources that have been silent for so long are gone, in milliseconds. */
const SILENCE_MS = 3_000;
/** A follower that has been asking for the next blocks without an answer for so long is stalled, in milliseconds. */
const STANDSTILL_MS = 10_000;
/** How often a long catch-up is reported in the log, in milliseconds. */
const REPORT_MS = 5_000;

/** How far a follower is. */
export interface FollowReport {
  readonly state: SyncState['type'];
  readonly bestKnownHeight: bigint;
  /** Why it is not synced, and what is wrong with its sources; empty when it is synced and nothing is wrong. */
  readonly reasons: readonly string[];
  readonly peers: readonly PeerHealth[];
  /** Of the best source. */
  readonly blockTimeMs: number | undefined;
}

export interface FollowerOptions extends Omit<ApplyOptions, 'signal' | 'blockImport'> {
  readonly chain: Pick<Chain, 'tip'>;
  readonly blockImport: BlockImport;
  readonly sources: SourceSet;
  readonly fetcher: RangeFetcher;
  readonly log: Log;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** Told once when following cannot go on; the follower has stopped then. */
  readonly onFailure: (error: Error) => void;
}

/**
 * Keeps a chain up with that of its sources: gets certified blocks, executes each and commits it. The next range is fetched
 * and checked while one is executed, and so are its signatures.
 */
export class Follower {
  readonly #options: FollowerOptions;
  #running: Promise<void> | undefined;
  #reportedAtMs = 0;

  constructor(options: FollowerOptions) {
    this.#options = options;
  }

  start(): void {
    const { sources, onFailure } = this.#options;
    this.#running ??= this.#run().catch((error: unknown) => {
      if (sources.signal.aborted) return;
      onFailure(error instanceof Error ? error : new Error(String(error)));
    });
  }

  /** Ends following; blocks that are under way are finished first. Stops the sources too. */
  async stop(): Promise<void> {
    await this.#options.sources.stop();
    await this.#running;
    await this.#options.blockImport.idle();
  }

  report(): FollowReport {
    const { chain, sources, fetcher, now } = this.#options;
    const tip = chain.tip.header.height;
    let best = sources.bestKnownHeight;
    if (best < tip) best = tip;
    const silentMs = now() - sources.lastContactMs;
    const reasons: string[] = [];
    let state: SyncState['type'] = 'synced';
    if (silentMs > SILENCE_MS) {
      state = 'stalled';
      reasons.push(
        sources.lastContactMs === 0
          ? 'no source has answered yet'
          : `no source has answered for ${Math.round(silentMs / 1_000)} s`,
      );
    } else if (best - tip > SYNCED_LAG) {
      const stands = now() - (fetcher.tryingSinceMs ?? now()) > STANDSTILL_MS;
      state = stands ? 'stalled' : 'catching_up';
      reasons.push(`${best - tip} blocks behind the best known height, ${best}`);
      if (stands) reasons.push('no source gives the next block');
    }
    if (state !== 'synced') reasons.push(...sources.problems);
    const blockTimeMs = sources.ranked()[0]?.head?.block_time_ms;
    return { state, bestKnownHeight: best, reasons, peers: sources.peers(tip), blockTimeMs };
  }

  async #run(): Promise<void> {
    const { chain, sources, blockImport } = this.#options;
    let next = this.#fetch(chain.tip);
    for (;;) {
      // What was applied last may turn out to be wrong while there is nothing new.
      const settled = settleOrDiverge(blockImport.settled()).then(() => next);
      const range = await Promise.race([next, settled]);
      next = this.#fetch(range.end);
      // Whoever waits for it is told; until then it is nobody's unhandled rejection.
      next.catch(() => undefined);
      await applyRange({ ...this.#options, signal: sources.signal }, range);
      this.#report(range);
    }
  }

  /** The range after a block; its signatures are checked from then on. */
  async #fetch(after: ChainTip): Promise<CertifiedRange> {
    const { fetcher, blockImport } = this.#options;
    const range = await fetcher.next(after);
    for (const block of range.blocks) blockImport.expect(block);
    return range;
  }

  #report({ end, blocks }: CertifiedRange): void {
    const { sources, log, now } = this.#options;
    const time = now();
    const behind = sources.bestKnownHeight - end.header.height;
    if (behind <= SYNCED_LAG || time - this.#reportedAtMs < REPORT_MS) return;
    this.#reportedAtMs = time;
    log.info(
      { height: end.header.height.toString(), behind: behind.toString(), blocks: blocks.length },
      'catching up',
    );
  }
}
