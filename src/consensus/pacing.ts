/** When blocks are due. Times are milliseconds. */
export interface Pacing {
  /** `timer`: a block every {@link blockTimeMs} while there is work; `instant`: as soon as a transaction is ready. */
  readonly seal: 'timer' | 'instant';
  readonly blockTimeMs: number;
  /** The time between empty blocks while there is nothing to do; 0 seals no empty block. */
  readonly idleBlockTimeMs: number;
}

/**
 * How long to wait until the next block, or undefined to wait for work.
 * @param sinceParentMs since the parent was sealed
 * @param work whether a transaction is ready
 */
export function untilDue(pacing: Pacing, sinceParentMs: number, work: boolean): number | undefined {
  if (work) return pacing.seal === 'instant' ? 0 : Math.max(0, pacing.blockTimeMs - sinceParentMs);
  if (pacing.idleBlockTimeMs === 0) return undefined;
  return Math.max(0, pacing.idleBlockTimeMs - sinceParentMs);
}
