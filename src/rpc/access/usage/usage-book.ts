import { atMost } from '../../../async/at-most.js';
import { QuotaError } from '../quota-store.js';
import { STOP_MS } from '../shared-quota-store.js';
import type { TokenDay, TokenDayKey, UsageQuery, UsageReader, UsageStore } from './usage.js';
import type { UsageReports } from './usage-counter.js';
import { dayAfter, dayOf, KEPT_DAYS } from './usage-days.js';

/** Longest time from a report to its write, while the store answers. */
const WRITE_MS = 4_000;
const WRITTEN_AT_ONCE = 256;
/** Maximum number of methods of tokens and days that wait for the store. */
const MAX_WAITING = 100_000;

interface WaitingDay extends TokenDayKey {
  subject: string;
  readonly methods: Map<string, { calls: number; units: number }>;
}

export interface UsageBookOptions {
  readonly store: UsageStore;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  readonly isShared: boolean;
  /** Called with errors of the store other than its loss. */
  readonly onFault: (error: unknown, where: string) => void;
  /** Called with the number of calls that are in no usage, because the store did not take them. */
  readonly onLost: (calls: number) => void;
}

/**
 * Collects what the threads of this node charge to tokens, and writes it every few seconds. A killed node loses what it
 * has not written: the charges of about five seconds. While a shared store is away, the usage waits for it.
 */
export class UsageBook implements UsageReports, UsageReader {
  readonly #options: UsageBookOptions;
  readonly #waiting = new Map<string, WaitingDay>();
  #methods = 0;
  #lost = 0;
  #timer: NodeJS.Timeout | undefined;
  #writing: Promise<void> | undefined;

  constructor(options: UsageBookOptions) {
    this.#options = options;
  }

  async report(usage: readonly TokenDay[]): Promise<void> {
    for (const each of usage) this.#count(each);
    this.#flushLater();
  }

  usage(query: UsageQuery): Promise<readonly TokenDay[]> {
    return this.#options.store.usage(query);
  }

  purge(): Promise<void> {
    const { store, now } = this.#options;
    return store.purge(dayAfter(dayOf(now()), -KEPT_DAYS));
  }

  /** Writes the waiting usage. Never rejects. */
  flush(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#writing ??= this.#write().finally(() => {
      this.#writing = undefined;
      if (this.#waiting.size > 0) this.#flushLater();
    });
    return this.#writing;
  }

  #flushLater(): void {
    this.#timer ??= setTimeout(() => void this.flush(), WRITE_MS).unref();
  }

  /** Writes the waiting usage; a shared store gets a limited time for it. */
  async close(): Promise<void> {
    // A write that is about to end does not include newer reports.
    const written = this.flush().then(() => this.flush());
    await (this.#options.isShared ? atMost(STOP_MS, written) : written);
    clearTimeout(this.#timer);
    for (const each of this.#waiting.values()) this.#lost += callsOf(each.methods.values());
    this.#waiting.clear();
    this.#tellLost();
  }

  #count({ day, token, subject, methods }: TokenDay): void {
    const key = `${day} ${token}`;
    const waiting = this.#waiting.get(key) ?? { day, token, subject, methods: new Map() };
    for (const { method, calls, units } of methods) {
      const use = waiting.methods.get(method);
      if (use !== undefined) {
        use.calls += calls;
        use.units += units;
      } else if (this.#methods < MAX_WAITING) {
        waiting.methods.set(method, { calls, units });
        this.#methods++;
      } else {
        this.#lost += Math.max(0, calls);
      }
    }
    waiting.subject = subject;
    if (waiting.methods.size > 0) this.#waiting.set(key, waiting);
  }

  async #write(): Promise<void> {
    const { store, onFault } = this.#options;
    while (this.#waiting.size > 0 && store.isUp) {
      const usage = this.#take();
      try {
        await store.add(usage);
      } catch (error) {
        // It may have been added, and a bill must not count it twice.
        this.#lost += callsOf(usage.flatMap(({ methods }) => methods));
        // The loss of a shared store is reported where it is noticed.
        if (!(error instanceof QuotaError)) onFault(error, 'writing the usage of tokens');
      }
    }
    if (store.isUp) this.#tellLost();
  }

  #take(): readonly TokenDay[] {
    const taken: TokenDay[] = [];
    for (const [key, { methods, ...each }] of this.#waiting) {
      if (taken.length === WRITTEN_AT_ONCE) break;
      this.#waiting.delete(key);
      this.#methods -= methods.size;
      taken.push({ ...each, methods: Array.from(methods, ([method, use]) => ({ method, ...use })) });
    }
    return taken;
  }

  #tellLost(): void {
    if (this.#lost > 0) this.#options.onLost(this.#lost);
    this.#lost = 0;
  }
}

function callsOf(uses: Iterable<{ readonly calls: number }>): number {
  let calls = 0;
  for (const use of uses) calls += Math.max(0, use.calls);
  return calls;
}
