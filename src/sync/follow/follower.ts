import { toError } from '../../base/errors.js';
import type { BlockImport, ImportOptions } from '../../chain/block-import.js';
import { BlockRejectedError } from '../../chain/block-rejection.js';
import type { Chain } from '../../chain/chain.js';
import type { ChainTip } from '../../chain/committed-chain.js';
import type { PeerHealth, SyncState } from '../../generated/node-rpc-v1.js';
import type { CertifiedRange } from './certified-range.js';
import { FollowError } from './follow-error.js';
import type { RangeFetcher } from './range-fetcher.js';
import type { FollowContext } from './source-set.js';

/** Maximum lag in blocks behind the best known tip for a synced follower; the next block is always in transit. */
const SYNCED_LAG = 2n;
/** Time without an answer from any source after which a follower counts as stalled, in milliseconds. */
const SILENCE_MS = 3_000;
/** Duration of an unsuccessful fetch after which a follower counts as stalled, in milliseconds. */
const STANDSTILL_MS = 10_000;
const REPORT_MS = 5_000;

export interface FollowReport {
  readonly state: SyncState['type'];
  readonly bestKnownHeight: bigint;
  /** Why the follower is not synced, with its sources' problems; empty when synced. */
  readonly reasons: readonly string[];
  readonly peers: readonly PeerHealth[];
  /** Block time of the best source, in milliseconds. */
  readonly blockTimeMs: number | undefined;
}

export interface FollowerOptions extends FollowContext {
  readonly chain: Pick<Chain, 'tip'>;
  readonly blockImport: BlockImport;
  readonly onApplied: ImportOptions['onCommitted'];
  readonly fetcher: RangeFetcher;
  /** Called once when following cannot continue; the follower has stopped by then. */
  readonly onFailure: (error: Error) => void;
}

/** Keeps a chain in sync with its sources; the next range is fetched and checked while this one executes. */
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
      onFailure(toError(error));
    });
  }

  /** Stops following and stops the sources; resolves once blocks in progress are finished. */
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
      // The last applied blocks may turn out to be invalid while no new range arrives.
      const settled = settleOrDiverge(blockImport.settled()).then(() => next);
      const range = await Promise.race([next, settled]);
      next = this.#fetch(range.end);
      // Prevents an unhandled rejection until the next iteration awaits it.
      next.catch(() => undefined);
      await applyRange({ ...this.#options, signal: sources.signal }, range);
      this.#report(range);
    }
  }

  /** Fetches the range after a block and starts checking its signatures. */
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

interface ApplyOptions extends Pick<FollowerOptions, 'onApplied'> {
  readonly blockImport: Pick<BlockImport, 'add'>;
  readonly signal: AbortSignal;
}

/**
 * Executes the blocks of a range. Each becomes the tip once its results match its header; the last ones may still wait
 * for that when this resolves. The range's last block is synced, together with the blocks before it. A crash before
 * that loses only blocks that a source can send again.
 * @throws FollowError `diverged`, for a block of this range or an earlier one; any error of execution and store
 */
export async function applyRange(
  { blockImport, onApplied, signal }: ApplyOptions,
  range: CertifiedRange,
): Promise<void> {
  for (const block of range.blocks) {
    signal.throwIfAborted();
    const certificate = range.certificates.get(block.header.height);
    const sync = block.hash === range.end.hash;
    await settleOrDiverge(blockImport.add(block, { certificate, sync, onCommitted: onApplied }));
  }
}

/** @throws FollowError `diverged` if a block is rejected; any other rejection of `settling` */
async function settleOrDiverge(settling: Promise<void>): Promise<void> {
  try {
    await settling;
  } catch (error) {
    throw error instanceof BlockRejectedError ? diverged(error) : error;
  }
}

function diverged({ height, rejection: { what, stored, computed } }: BlockRejectedError): FollowError {
  return new FollowError(
    'diverged',
    `block ${height} is certified, but executing it gives another result: ${what} is ${stored} there and ${computed} ` +
      'here. Nothing was stored. Check with heddle verify that this node is not damaged, and that it runs the ' +
      "validators' version",
  );
}
