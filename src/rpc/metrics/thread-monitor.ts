import { type IntervalHistogram, monitorEventLoopDelay } from 'node:perf_hooks';
import { CpuMonitor } from './cpu-monitor.js';

const RESOLUTION_MS = 10;

/** Event loop and CPU metrics of its thread. */
export class ThreadMonitor {
  readonly eventLoop = new EventLoopMonitor();
  readonly cpu = new CpuMonitor();

  stop(): void {
    this.eventLoop.stop();
    this.cpu.stop();
  }
}

/** Measures the length of event loop ticks of its thread. */
export class EventLoopMonitor {
  readonly #delay: IntervalHistogram;

  constructor() {
    this.#delay = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
    this.#delay.enable();
  }

  /** Longest tick since the last call, in milliseconds; short ones count as 0. */
  longestTickMs(): number {
    const worst = this.#delay.max / 1e6;
    this.#delay.reset();
    return Math.max(0, worst - RESOLUTION_MS);
  }

  stop(): void {
    this.#delay.disable();
  }
}
