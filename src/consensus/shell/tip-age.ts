import type { ShellOptions } from './shell-options.js';

/** Milliseconds since the last committed block's timestamp, on the wall clock; 0 if it lies ahead. */
export function tipAgeMs({ runtime, chain }: Pick<ShellOptions, 'runtime' | 'chain'>): number {
  return Math.max(0, runtime.wallMs() - Number(chain.tip.header.timestamp_ms));
}
