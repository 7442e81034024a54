import { backoffMs, jittered } from '../../async/backoff.js';
import type { Log } from '../../config/log.js';
import type { SourceError, SourceErrorCode } from './source-error.js';

/** First pause after a failure, in milliseconds; doubles with each further failure. */
const FIRST_PAUSE_MS = 250;
const LONGEST_PAUSE_MS = 5_000;
/** First pause after a timeout, in milliseconds; a timeout costs more than a failed connection. */
const FIRST_PAUSE_AFTER_TIMEOUT_MS = 5_000;
/** First ban of a lying source, in milliseconds; doubles with each further lie. */
const FIRST_BAN_MS = 60_000;
const MAX_BAN_MS = 3_600_000;

export interface SourceFaultsOptions {
  /** As configured: a node's address or its full RPC endpoint. */
  readonly url: string;
  readonly log: Log;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** Source of retry jitter; 0 ≤ value < 1. */
  readonly random: () => number;
}

/** The faults of one source: a failing one is paused briefly, a lying one banned for long. */
export class SourceFaults {
  readonly counts = new Map<SourceErrorCode, number>();
  readonly #options: SourceFaultsOptions;
  #failuresInRow = 0;
  #lies = 0;
  #pausedUntil = 0;
  #ban: { readonly until: number; readonly why: string } | undefined;
  #lastFailure: string | undefined;
  #failedMethod: string | undefined;

  constructor(options: SourceFaultsOptions) {
    this.#options = options;
  }

  /** Remaining pause or ban, in milliseconds. */
  get pauseMs(): number {
    const now = this.#options.now();
    return Math.max(0, this.#pausedUntil - now, (this.#ban?.until ?? 0) - now);
  }

  /** Factor that worsens the source's rank; 1 without faults. */
  get penalty(): number {
    return (1 + this.#failuresInRow) * (1 + 4 * this.#lies);
  }

  /** Description of the current problem; undefined if there is none. */
  get problem(): string | undefined {
    const { url, now } = this.#options;
    if (this.#ban !== undefined && this.#ban.until > now()) return `${url} is dropped: ${this.#ban.why}`;
    return this.#failuresInRow === 0 ? undefined : `${url} fails: ${this.#lastFailure}`;
  }

  record(error: SourceError, method: string): void {
    this.counts.set(error.code, (this.counts.get(error.code) ?? 0) + 1);
    if (error.isLie) this.#addLie(error);
    else this.#addFailure(error, method);
  }

  /** Only a success of the same method ends a failure. */
  recordSuccess(method: string): void {
    if (method !== this.#failedMethod) return;
    const { url, log } = this.#options;
    log.info({ source: url, method }, 'a source answers again');
    this.#failuresInRow = 0;
    this.#failedMethod = undefined;
  }

  #addFailure({ code, message: problem }: SourceError, method: string): void {
    const { url, log, now, random } = this.#options;
    const first = code === 'timeout' ? FIRST_PAUSE_AFTER_TIMEOUT_MS : FIRST_PAUSE_MS;
    const pauseMs = jittered(backoffMs(first, LONGEST_PAUSE_MS, this.#failuresInRow), random());
    this.#pausedUntil = now() + Math.ceil(pauseMs);
    this.#lastFailure = problem;
    this.#failedMethod = method;
    // Logs the first failure as a warning and further ones at level debug, so that a night-long outage adds one line
    // to the log instead of thousands.
    const level = this.#failuresInRow === 0 ? 'warn' : 'debug';
    this.#failuresInRow++;
    log[level]({ source: url, code, problem }, 'a source fails');
  }

  #addLie({ code, message: problem }: SourceError): void {
    const { url, log, now } = this.#options;
    // Ignores lies in responses to requests that were in flight when the source was banned.
    if (this.#ban !== undefined && this.#ban.until > now()) return;
    const for_ms = Math.min(MAX_BAN_MS, FIRST_BAN_MS * 2 ** Math.min(this.#lies, 16));
    this.#lies++;
    this.#ban = { until: now() + for_ms, why: problem };
    log.error({ source: url, code, problem, for_ms }, `dropped the source ${url}: ${problem}`);
  }
}
