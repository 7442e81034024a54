import { ClientError, RpcCallError } from '../../client/client.js';

export interface LookupOptions<V> {
  /** Finds the values of some keys in few requests. Keys that it leaves out have no value for now. */
  readonly find: (keys: readonly string[]) => Promise<ReadonlyMap<string, V>>;
  /** Number of keys per call of `find`; one call runs at a time. */
  readonly maxBatch: number;
  /** Time until a key is looked up again when something needs it again, in milliseconds. */
  readonly freshMs: number;
  readonly nowMs?: () => number;
}

/** Time until keys of a failed look-up are looked up again when something needs them, in milliseconds. */
const RETRY_MS = 30_000;
/** Maximum number of known keys; those that nobody watches and that were asked least recently are forgotten. */
const MAX_ENTRIES = 1_000;
/** Maximum number of keys that wait; a page with more shows the rest without their values. */
const MAX_WAITING = 200;

interface Entry<V> {
  value: V | undefined;
  readonly listeners: Set<() => void>;
  /** The key is not looked up before. */
  restsUntilMs: number;
}

/**
 * Values that embellish a page, such as names, looked up in batches. Keys that are needed within one event loop tick
 * share a call. A failed look-up leaves the page as it is.
 */
export class LookupCache<V> {
  readonly #options: LookupOptions<V>;
  readonly #nowMs: () => number;
  /** Least recently asked first. */
  readonly #entries = new Map<string, Entry<V>>();
  readonly #waiting = new Set<string>();
  #isRunning = false;

  constructor(options: LookupOptions<V>) {
    this.#options = options;
    this.#nowMs = options.nowMs ?? Date.now;
  }

  /** The value of a key; undefined while it is not known. Asks nothing. */
  read(key: string): V | undefined {
    return this.#entries.get(key)?.value;
  }

  /** Calls back whenever a key has got a value, until the returned function is called. */
  watch(key: string, onValue: () => void): () => void {
    const { listeners } = this.#entry(key);
    listeners.add(onValue);
    return () => listeners.delete(onValue);
  }

  /** Looks a key up soon, unless that happened a short time ago. */
  ask(key: string): void {
    const entry = this.#entry(key);
    if (this.#nowMs() < entry.restsUntilMs) return;
    if (this.#waiting.size >= MAX_WAITING) return;
    // The least recently asked keys come first.
    this.#entries.delete(key);
    this.#entries.set(key, entry);
    this.#waiting.add(key);
    if (this.#isRunning) return;
    this.#isRunning = true;
    setTimeout(() => void this.#run(), 0);
  }

  #entry(key: string): Entry<V> {
    const known = this.#entries.get(key);
    if (known !== undefined) return known;
    const entry: Entry<V> = { value: undefined, listeners: new Set(), restsUntilMs: 0 };
    this.#entries.set(key, entry);
    if (this.#entries.size > MAX_ENTRIES) this.#forgetOne(key);
    return entry;
  }

  #forgetOne(except: string): void {
    for (const [key, { listeners }] of this.#entries) {
      if (listeners.size > 0 || key === except) continue;
      this.#entries.delete(key);
      return;
    }
  }

  async #run(): Promise<void> {
    try {
      while (this.#waiting.size > 0) await this.#findNext();
    } catch (error) {
      if (!(error instanceof RpcCallError) && !(error instanceof ClientError)) throw error;
      this.#waiting.clear();
    } finally {
      this.#isRunning = false;
    }
  }

  async #findNext(): Promise<void> {
    const keys = [...this.#waiting].slice(0, this.#options.maxBatch);
    for (const key of keys) this.#waiting.delete(key);
    this.#rest(keys, RETRY_MS);
    const found = await this.#options.find(keys);
    this.#rest(keys, this.#options.freshMs);
    for (const key of keys) {
      const value = found.get(key);
      if (value === undefined) continue;
      const entry = this.#entry(key);
      entry.value = value;
      for (const listener of [...entry.listeners]) listener();
    }
  }

  #rest(keys: readonly string[], forMs: number): void {
    for (const key of keys) this.#entry(key).restsUntilMs = this.#nowMs() + forMs;
  }
}
