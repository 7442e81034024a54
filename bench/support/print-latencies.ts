import type { Bench } from 'tinybench';

/** Prints the median latency of each task of a completed bench, in nanoseconds. @throws Error if a task has failed */
export function printLatencies({ tasks }: Bench): void {
  for (const { name, result } of tasks) {
    if (result.state !== 'completed') throw new Error(`${name} did not complete`);
    const nanoseconds = Math.round(result.latency.p50 * 1e6).toString();
    console.log(`${name.padEnd(44)} ${nanoseconds.padStart(6)} ns`);
  }
}
