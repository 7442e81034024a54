import { readFileSync } from 'node:fs';
import { type IntervalHistogram, monitorEventLoopDelay } from 'node:perf_hooks';

const RESOLUTION_MS = 10;
/** Of the thread that reads it (Linux): processor time in nanoseconds, then time spent waiting for a processor, then slices. */
const SCHEDULED = '/proc/thread-self/schedstat';

/** Watches the thread that makes it: how long the turns of its event loop are, and what processor time it takes. */
export class ThreadWatch {
  readonly #delay: IntervalHistogram;

  constructor() {
    this.#delay = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
    this.#delay.enable();
  }

  /** The longest turn since the last look, in milliseconds; short ones count as 0. */
  longestTurnMs(): number {
    const worst = this.#delay.max / 1e6;
    this.#delay.reset();
    return Math.max(0, worst - RESOLUTION_MS);
  }

  /** Seconds since the thread began; undefined where the system does not tell. */
  processorSeconds(): number | undefined {
    if (process.platform !== 'linux') return undefined;
    const [nanoseconds] = readFileSync(SCHEDULED, 'utf8').split(' ');
    return Number(nanoseconds) / 1e9;
  }

  stop(): void {
    this.#delay.disable();
  }
}
