import { readFileSync, writeFileSync } from 'node:fs';

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

/** Resets a process's peak to its current resident memory; works only on own processes. */
export function forgetPeak(pid: number): void {
  writeFileSync(`/proc/${pid}/clear_refs`, '5');
}
