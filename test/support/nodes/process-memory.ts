import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { hasCode } from '../../../src/base/errors.js';

export interface ProcessMemory {
  /** Resident memory now, MiB. */
  readonly residentMiB: number;
  /** Peak resident memory, MiB. */
  readonly peakMiB: number;
  /** Peak address space, TiB, including reservations without memory. */
  readonly addressSpaceTiB: number;
}

/** A process's memory as reported by Linux. */
export function processMemory(pid: number): ProcessMemory {
  const text = readFileSync(`/proc/${pid}/status`, 'utf8');
  const kib = (name: string): number =>
    Number(new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(text)?.[1] ?? 0);
  return {
    residentMiB: kib('VmRSS') / 1024,
    peakMiB: kib('VmHWM') / 1024,
    addressSpaceTiB: kib('VmPeak') / 1024 ** 3,
  };
}

/** Number of front threads of a node, by the names of its threads. */
export function frontThreads(pid: number): number {
  const names = readdirSync(`/proc/${pid}/task`).map((task) => threadName(pid, task));
  return names.filter((name) => name.startsWith('front-')).length;
}

/** The name of a thread; empty if the thread has ended. */
function threadName(pid: number, task: string): string {
  try {
    return readFileSync(`/proc/${pid}/task/${task}/comm`, 'utf8');
  } catch (error) {
    if (hasCode(error, 'ENOENT') || hasCode(error, 'ESRCH')) return '';
    throw error;
  }
}

/** Resets a process's peak to its current resident memory; works only on own processes. */
export function forgetPeak(pid: number): void {
  writeFileSync(`/proc/${pid}/clear_refs`, '5');
}
