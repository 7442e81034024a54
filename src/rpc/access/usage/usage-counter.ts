import type { PricedMethod } from '../meter.js';
import { settled } from '../settled-report.js';
import type { MethodUse, TokenDay } from './usage.js';
import { dayOf, untilNextDay } from './usage-days.js';

/** Learns what the threads of this node charge to tokens; on the main thread, or a proxy for it. */
export interface UsageReports {
  report(usage: readonly TokenDay[]): Promise<void>;
}

export interface CountedToken {
  readonly id: string;
  readonly subject: string;
}

/** Longest time from a charge to its report. */
const REPORT_MS = 1_000;

/** What one thread has charged to a token since its last report. No client can add names of methods. */
export class TokenUsage {
  readonly token: CountedToken;
  readonly #onUse: (usage: TokenUsage) => void;
  #methods = new Map<string, { calls: number; units: number }>();

  /** @param onUse called at the first charge after a report */
  constructor(token: CountedToken, onUse: (usage: TokenUsage) => void) {
    this.token = token;
    this.#onUse = onUse;
  }

  /** Counts a charge, or a refund by negative numbers. */
  add({ name }: PricedMethod, calls: number, units: number): void {
    const use = this.#methods.get(name);
    if (use !== undefined) {
      use.calls += calls;
      use.units += units;
      return;
    }
    if (this.#methods.size === 0) this.#onUse(this);
    this.#methods.set(name, { calls, units });
  }

  take(): readonly MethodUse[] {
    const methods = this.#methods;
    this.#methods = new Map();
    return Array.from(methods, ([method, use]) => ({ method, ...use })).filter(
      // Refunds have undone the others.
      ({ calls, units }) => calls !== 0 || units !== 0,
    );
  }
}

/**
 * Reports the usage of the tokens of one thread, at most once a second. A report holds charges of one day: it is due at
 * midnight at the latest, and a charge during the few milliseconds of a late timer counts for the day before.
 */
export class UsageCounter {
  readonly #reports: UsageReports;
  readonly #now: () => number;
  #due = new Set<TokenUsage>();
  #day = '';
  #timer: NodeJS.Timeout | undefined;

  /** @param now milliseconds since 1970 */
  constructor(reports: UsageReports, now: () => number) {
    this.#reports = reports;
    this.#now = now;
  }

  of(token: CountedToken): TokenUsage {
    return new TokenUsage(token, (usage) => this.#await(usage));
  }

  async flush(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const day = this.#day;
    const due = this.#due;
    this.#due = new Set();
    const usage = Array.from(due, (each) => {
      const { id, subject } = each.token;
      return { day, token: id, subject, methods: each.take() };
    }).filter(({ methods }) => methods.length > 0);
    if (usage.length > 0) await this.#reports.report(usage);
  }

  #await(usage: TokenUsage): void {
    this.#due.add(usage);
    if (this.#timer !== undefined) return;
    const now = this.#now();
    this.#day = dayOf(now);
    this.#timer = setTimeout(
      () => void settled(this.flush()),
      Math.min(REPORT_MS, untilNextDay(now)),
    ).unref();
  }
}
