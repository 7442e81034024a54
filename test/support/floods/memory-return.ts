import { setTimeout as sleep } from 'node:timers/promises';
import { processMemory } from '../process-memory.js';

const LOOK_MS = 100;
/** Allowance beyond the resident memory at rest: heaps keep spare room, and V8 compiles under load. */
const SLACK_MIB = 192;
const SLACK_SHARE = 1 / 2;

/** The most resident memory that counts as back to the state at rest, MiB. */
export function memoryAsBefore(restMiB: number): number {
  return restMiB + Math.max(SLACK_MIB, restMiB * SLACK_SHARE);
}

/**
 * Watches a process until its resident memory is back.
 * @param deadline of `performance.now()`
 * @returns the time of `performance.now()` then; undefined if it is not back by the deadline
 */
export async function waitForMemoryReturn(
  pid: number,
  restMiB: number,
  deadline: number,
): Promise<number | undefined> {
  for (;;) {
    if (processMemory(pid).residentMiB <= memoryAsBefore(restMiB)) return performance.now();
    if (performance.now() > deadline) return undefined;
    await sleep(LOOK_MS);
  }
}
