import { readFileSync } from 'node:fs';
import { hasCode } from '../../src/base/errors.js';
import { processMemory } from '../../test/support/nodes/process-memory.js';
import { processCpuSeconds } from './statistics.js';

/** A process with its children and their children; Linux only. */
export function processTree(pid: number): readonly number[] {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean);
  return [pid, ...children.flatMap((child) => processTree(Number(child)))];
}

/** Processor time of all threads of the processes, in seconds. */
export function cpuSecondsOf(pids: readonly number[]): number {
  return pids.reduce((sum, pid) => sum + processCpuSeconds(pid), 0);
}

/** Resident memory of the processes. Pages that they share count for each of them. */
export function residentMiBOf(pids: readonly number[]): number {
  return pids.reduce((sum, pid) => sum + processMemory(pid).residentMiB, 0);
}

/** Kills the group of a process that was started as the leader of one; it may have ended before. */
export function killGroup(pid: number): void {
  try {
    process.kill(-pid, 'SIGKILL');
  } catch (error) {
    if (!hasCode(error, 'ESRCH')) throw error;
  }
}
