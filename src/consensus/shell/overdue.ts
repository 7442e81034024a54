import type { CoreConfig } from '../core/types.js';

/** A block is overdue after this many intervals plus a margin for disks and views. */
const INTERVALS = 3;
const MARGIN_MS = 5_000;

export interface BlockAge extends Pick<CoreConfig, 'blockTimeMs' | 'idleBlockTimeMs'> {
  /** Milliseconds since the last block, or since the start if there is none. */
  readonly sinceBlockMs: number;
  /** How long work has waited for a block, in milliseconds; undefined if none waits. */
  readonly waitingMs: number | undefined;
}

/** Returns the milliseconds since the last block if the next one is long overdue, else undefined. */
export function overdueMs(age: BlockAge): number | undefined {
  const { blockTimeMs, idleBlockTimeMs, sinceBlockMs, waitingMs } = age;
  const isOver = (ms: number, interval: number) => ms > MARGIN_MS + INTERVALS * interval;
  const isLate = waitingMs !== undefined && isOver(Math.min(waitingMs, sinceBlockMs), blockTimeMs);
  // Without idle blocks, a chain without work makes no blocks.
  const isIdleLate = idleBlockTimeMs > 0 && isOver(sinceBlockMs, idleBlockTimeMs);
  return isLate || isIdleLate ? sinceBlockMs : undefined;
}
