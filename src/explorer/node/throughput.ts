import type { BlockSummary } from '../../generated/node-rpc-v1.js';
import { grouped } from '../text/format.js';

/** Transactions and time between the first and the last of some blocks. */
export interface Throughput {
  readonly perSecond: number;
  /** Mean time between blocks, in milliseconds. */
  readonly intervalMs: number;
}

/**
 * The rate at which a run of blocks included transactions. The oldest block only marks the start.
 * @param listed consecutive, newest first
 * @returns undefined for fewer than two blocks after block 0, or if no time passed between them
 */
export function throughputOf(
  listed: readonly Pick<BlockSummary, 'height' | 'tx_count' | 'timestamp_ms'>[],
): Throughput | undefined {
  // The genesis sets the time of block 0, which may be long before block 1.
  const blocks = listed.filter(({ height }) => height > 0n);
  const newest = blocks[0];
  const oldest = blocks.at(-1);
  if (newest === undefined || oldest === undefined || blocks.length < 2) return undefined;
  const ms = Number(newest.timestamp_ms - oldest.timestamp_ms);
  if (ms <= 0) return undefined;
  const transactions = blocks.slice(0, -1).reduce((sum, block) => sum + block.tx_count, 0);
  return { perSecond: (transactions * 1_000) / ms, intervalMs: ms / (blocks.length - 1) };
}

/** A rate with a precision that fits its size: `0`, `0.25`, `12.5`, `1,250`. */
export function rateText(perSecond: number): string {
  if (perSecond === 0) return '0';
  if (perSecond < 1) return perSecond.toFixed(2);
  if (perSecond < 100) return perSecond.toFixed(1);
  return grouped(Math.round(perSecond));
}
