import { monitorEventLoopDelay, PerformanceObserver, performance } from 'node:perf_hooks';
import { getHeapStatistics } from 'node:v8';
import { CpuMonitor } from './cpu-monitor.js';

const RESOLUTION_MS = 10;

/** Usage figures of a thread. Can be structured-cloned. */
export interface ThreadUsage {
  /** Longest event loop tick since the last report, in milliseconds. */
  readonly tickMs: number;
  /** Maximum CPU time of a tick, in milliseconds: see `CpuMonitor`. */
  readonly tickCpuMs: number | undefined;
  /** CPU time since the thread started; undefined if the system does not provide it. */
  readonly cpuSeconds: number | undefined;
  /** Time that the event loop spent outside its wait for events, since the thread started. */
  readonly activeSeconds: number;
  readonly collections: CollectionCounts;
  readonly heapBytes: number;
  /** Size at which V8 ends the process. */
  readonly heapLimitBytes: number;
}

/** Garbage collections of a thread since it started. */
interface CollectionCounts {
  readonly count: number;
  readonly seconds: number;
  /** Longest since the last report. */
  readonly longestSeconds: number;
}

export class ThreadMonitor {
  readonly #eventLoop = new EventLoopMonitor();
  readonly #cpu = new CpuMonitor();
  readonly #collections = new CollectionMonitor();

  usage(): ThreadUsage {
    const { used_heap_size: heapBytes, heap_size_limit: heapLimitBytes } = getHeapStatistics();
    return {
      tickMs: this.#eventLoop.longestTickMs(),
      tickCpuMs: this.#cpu.longestTickMs(),
      cpuSeconds: this.#cpu.seconds(),
      activeSeconds: performance.eventLoopUtilization().active / 1_000,
      collections: this.#collections.counts(),
      heapBytes,
      heapLimitBytes,
    };
  }

  stop(): void {
    this.#eventLoop.stop();
    this.#cpu.stop();
    this.#collections.stop();
  }
}

/** Time after which `RecentTicks` begins another window. */
const WINDOW_MS = 5_000;

/** The longest event loop tick of the last 5 to 10 seconds. */
export class RecentTicks {
  readonly #eventLoop = new EventLoopMonitor();
  readonly #timer = setInterval(() => {
    this.#previousMs = Math.max(this.#currentMs, this.#eventLoop.longestTickMs());
    this.#currentMs = 0;
  }, WINDOW_MS).unref();
  #previousMs = 0;
  #currentMs = 0;

  /** In milliseconds; short ticks count as 0. Any number of callers may ask, because asking resets nothing. */
  longestMs(): number {
    this.#currentMs = Math.max(this.#currentMs, this.#eventLoop.longestTickMs());
    return Math.max(this.#previousMs, this.#currentMs);
  }

  stop(): void {
    clearInterval(this.#timer);
    this.#eventLoop.stop();
  }
}

/** Measures the length of event loop ticks of its thread. */
class EventLoopMonitor {
  readonly #delay = monitorEventLoopDelay({ resolution: RESOLUTION_MS });

  constructor() {
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

class CollectionMonitor {
  readonly #observer = new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) {
      this.#count++;
      this.#ms += duration;
      this.#longestMs = Math.max(this.#longestMs, duration);
    }
  });
  #count = 0;
  #ms = 0;
  #longestMs = 0;

  constructor() {
    this.#observer.observe({ entryTypes: ['gc'] });
  }

  counts(): CollectionCounts {
    const longestSeconds = this.#longestMs / 1_000;
    this.#longestMs = 0;
    return { count: this.#count, seconds: this.#ms / 1_000, longestSeconds };
  }

  stop(): void {
    this.#observer.disconnect();
  }
}
