import { readFileSync } from 'node:fs';

/** The value below which `share` (0 to 1) of the samples lie; 0 without samples. */
export function quantile(samples: readonly number[], share: number): number {
  const sorted = [...samples].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? 0;
}

/** CPU time of a process on all its threads, in seconds. */
export function processCpuSeconds(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
    .replace(/^.*\) /, '')
    .split(' ');
  const ticks = Number(fields[11] ?? 0) + Number(fields[12] ?? 0);
  return ticks / 100;
}

/** Prints rows of name and value. */
export function printReport(title: string, rows: Readonly<Record<string, string | number>>): void {
  const width = Math.max(...Object.keys(rows).map((name) => name.length));
  const show = (value: string | number): string =>
    typeof value === 'string' ? value : value.toLocaleString('en', { maximumFractionDigits: 2 });
  console.log(`\n${title}`);
  for (const [name, value] of Object.entries(rows)) console.log(`  ${name.padEnd(width)}  ${show(value)}`);
}
