import type { CoreConfig } from '../core/types.js';

/** A block is overdue after so many times its interval, and this margin for what disks and views take. */
const INTERVALS = 3;
const MARGIN_MS = 5_000;

export interface BlockAge extends Pick<CoreConfig, 'blockTimeMs' | 'idleBlockTimeMs'> {
  /** Milliseconds since the last block, or since the start. */
  readonly sinceBlockMs: number;
  /** How long something has waited for a block, milliseconds; undefined where nothing waits. */
  readonly waitingMs: number | undefined;
}

/** Milliseconds since the last block where the next one is long overdue, else undefined. */
export function overdueMs({
  blockTimeMs,
  idleBlockTimeMs,
  sinceBlockMs,
  waitingMs,
}: BlockAge): number | undefined {
  const isOver = (ms: number, interval: number) => ms > MARGIN_MS + INTERVALS * interval;
  const isLate = waitingMs !== undefined && isOver(Math.min(waitingMs, sinceBlockMs), blockTimeMs);
  // Without idle blocks a chain that has nothing to do stands still.
  const isIdleLate = idleBlockTimeMs > 0 && isOver(sinceBlockMs, idleBlockTimeMs);
  return isLate || isIdleLate ? sinceBlockMs : undefined;
}
