import { DEFAULT_IDLE_BLOCK_TIME_MS } from '../config/defaults.js';

/** When blocks are due. Times are milliseconds. */
export interface Pacing {
  /** `timer`: a block every {@link blockTimeMs} while there is work; `instant`: as soon as a transaction is ready. */
  readonly seal: 'timer' | 'instant';
  readonly blockTimeMs: number;
  /** The time between empty blocks while there is nothing to do; 0 seals none, unless the base fee has to fall. */
  readonly idleBlockTimeMs: number;
}

/** What waits for a block: a transaction that is ready, some that are so but for the base fee, or nothing. */
export type Work = 'ready' | 'base_fee' | 'none';

/** How long to wait until the next block, or undefined to wait for work. */
export function untilDue(pacing: Pacing, sinceParentMs: number, work: Work): number | undefined {
  if (work === 'ready')
    return pacing.seal === 'instant' ? 0 : Math.max(0, pacing.blockTimeMs - sinceParentMs);
  const idleMs = idleTime(pacing, work);
  return idleMs === 0 ? undefined : Math.max(0, idleMs - sinceParentMs);
}

/** With every empty block the base fee falls, so that who waits for that is not left to wait for others' transactions. */
function idleTime({ idleBlockTimeMs }: Pacing, work: Work): number {
  return idleBlockTimeMs === 0 && work === 'base_fee' ? DEFAULT_IDLE_BLOCK_TIME_MS : idleBlockTimeMs;
}
