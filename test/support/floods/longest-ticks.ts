import { readMetrics } from '../operations/metrics-lint.js';
import { LoopbackConnection } from './loopback-connection.js';

/** By thread, milliseconds. */
export type ByThread = Readonly<Record<string, number>>;

/** The longest event loop ticks of a node's threads. */
export interface TickDurations {
  /** Time between polls of a thread's sockets, including waits for a CPU. */
  readonly lastedMs: ByThread;
  /** CPU time of a tick, up to 10 ms too high; absent if the system does not report it. */
  readonly processorMs: ByThread;
}

const METRICS: Readonly<Record<string, keyof TickDurations>> = {
  heddle_event_loop_turn_seconds: 'lastedMs',
  heddle_thread_turn_processor_seconds: 'processorMs',
};
const PERIOD_MS = 500;
const ADDRESS = '127.0.0.3';

/** Polls a node's metrics and keeps the longest ticks of each of its threads. */
export class LongestTicks {
  readonly #connection: LoopbackConnection;
  #longest = { lastedMs: new Map<string, number>(), processorMs: new Map<string, number>() };
  readonly #timer: NodeJS.Timeout;
  #reading: Promise<void> | undefined;

  private constructor(url: string) {
    this.#connection = new LoopbackConnection(url, ADDRESS);
    this.#timer = setInterval(() => {
      this.#reading ??= this.#read().finally(() => {
        this.#reading = undefined;
      });
    }, PERIOD_MS).unref();
  }

  /** Starts watching. Discards a first reading, because each reading resets the node's longest tick. */
  static async watch(url: string): Promise<LongestTicks> {
    const turns = new LongestTicks(url);
    await turns.#read();
    turns.#longest = { lastedMs: new Map(), processorMs: new Map() };
    return turns;
  }

  async finish(): Promise<TickDurations> {
    clearInterval(this.#timer);
    await this.#reading;
    await this.#read();
    this.#connection.close();
    const { lastedMs, processorMs } = this.#longest;
    return { lastedMs: Object.fromEntries(lastedMs), processorMs: Object.fromEntries(processorMs) };
  }

  async #read(): Promise<void> {
    let page: string;
    try {
      page = (await this.#connection.get('/metrics')).body.toString();
    } catch {
      // A flooded node may not answer; the next answer covers the gap.
      return;
    }
    for (const { name, labels, value } of readMetrics(page)) {
      const what = METRICS[name];
      if (what === undefined) continue;
      const { thread = '' } = labels;
      const longest = this.#longest[what];
      longest.set(thread, Math.max(longest.get(thread) ?? 0, 1_000 * value));
    }
  }
}
