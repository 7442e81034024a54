import { readFileSync, writeFileSync } from 'node:fs';

export interface ProcessMemory {
  /** Resident now, MiB. */
  readonly residentMiB: number;
  /** The most it has been, MiB. */
  readonly peakMiB: number;
  /** The most address space that it has had, TiB: what is set aside counts, whether or not there is memory behind it. */
  readonly addressSpaceTiB: number;
}

/** A process's resident memory as Linux tells it. */
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

/** Lets the peak of a process begin anew with what it has resident now; of one's own processes only. */
export function forgetPeak(pid: number): void {
  writeFileSync(`/proc/${pid}/clear_refs`, '5');
}
