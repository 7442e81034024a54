import { readMetrics } from '../metrics-lint.js';
import { LoopbackConnection } from './loopback-connection.js';

/** By thread, milliseconds. */
export type ByThread = Readonly<Record<string, number>>;

/** The longest turns of the event loops of a node's threads. */
export interface TickDurations {
  /** How long a thread did not look at its sockets, waiting for a processor included. */
  readonly lastedMs: ByThread;
  /** What processor time one took, up to 10 ms too much; nothing where the system does not tell. */
  readonly processorMs: ByThread;
}

const METRICS: Readonly<Record<string, keyof TickDurations>> = {
  heddle_event_loop_turn_seconds: 'lastedMs',
  heddle_thread_turn_processor_seconds: 'processorMs',
};
const PERIOD_MS = 500;
const ADDRESS = '127.0.0.3';

/** Reads a node's metrics again and again and keeps the longest turns of each of its threads. */
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

  /** From now on: reading what was before starts such a figure anew. */
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
      // A node under flood may not answer; what it did not tell now it tells later.
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
