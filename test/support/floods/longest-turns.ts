import { LoopbackConnection } from './loopback-connection.js';

/** Names of metrics that tell how long a thread did not look at its sockets. */
const TURN = /^\w*event_?loop_(?:lag|turn|delay)\w*$/;
const SAMPLE = /^(\w+)(?:\{(.*)\})? (\S+)/;
/** Of the figures that a node gives for one thread, those that are no maximum. */
const OTHER_FIGURES = /_(?:min|mean|stddev|p\d+|sum|count|bucket|total)(?:_|$)/;
const PERIOD_MS = 500;
const ADDRESS = '127.0.0.3';

/** The longest turn of the event loop by thread, in milliseconds, as a page of metrics tells it. */
export function turnsIn(page: string): Map<string, number> {
  const turns = new Map<string, number>();
  for (const line of page.split('\n')) {
    const [, name = '', labels = '', value = ''] = SAMPLE.exec(line) ?? [];
    if (!TURN.test(name) || OTHER_FIGURES.test(name)) continue;
    const thread = /thread="([^"]*)"/.exec(labels)?.[1] ?? 'main';
    const ms = Number(value) * (name.includes('_ms') || name.includes('millis') ? 1 : 1_000);
    if (Number.isFinite(ms)) turns.set(thread, Math.max(turns.get(thread) ?? 0, ms));
  }
  return turns;
}

/** Reads a node's metrics again and again and keeps the longest turn of each of its threads. */
export class LongestTurns {
  readonly #connection: LoopbackConnection;
  readonly #longest = new Map<string, number>();
  readonly #timer: NodeJS.Timeout;
  #reading: Promise<void> | undefined;

  private constructor(url: string) {
    this.#connection = new LoopbackConnection(url, ADDRESS);
    this.#timer = setInterval(() => {
      this.#reading ??= this.#read().finally(() => {
        this.#reading = undefined;
      });
    }, PERIOD_MS);
  }

  /** From now on: reading what was before starts such a figure anew. */
  static async watch(url: string): Promise<LongestTurns> {
    const turns = new LongestTurns(url);
    await turns.#read();
    turns.#longest.clear();
    return turns;
  }

  async finish(): Promise<ReadonlyMap<string, number>> {
    clearInterval(this.#timer);
    await this.#reading;
    await this.#read();
    this.#connection.close();
    return this.#longest;
  }

  stop(): void {
    clearInterval(this.#timer);
    this.#connection.close();
  }

  async #read(): Promise<void> {
    let page: string;
    try {
      page = (await this.#connection.get('/metrics')).body.toString();
    } catch {
      // A node under flood may not answer; what it did not tell now it tells later.
      return;
    }
    for (const [thread, ms] of turnsIn(page)) {
      this.#longest.set(thread, Math.max(this.#longest.get(thread) ?? 0, ms));
    }
  }
}
