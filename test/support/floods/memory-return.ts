import { setTimeout as sleep } from 'node:timers/promises';
import { processMemory } from '../nodes/process-memory.js';

const LOOK_MS = 100;
/** Allowance beyond the resident memory at rest: heaps keep spare room, and V8 compiles under load. */
const SLACK_MIB = 192;
const SLACK_SHARE = 1 / 2;

/** Maximum resident memory that counts as recovered, MiB. */
export function memoryAsBefore(restMiB: number): number {
  return restMiB + Math.max(SLACK_MIB, restMiB * SLACK_SHARE);
}

/**
 * Waits until a process's resident memory has recovered.
 * @param deadline on the clock of `performance.now()`
 * @returns the time of recovery on that clock, or undefined if the deadline passes first
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
