import { closeSync, existsSync, openSync, readSync } from 'node:fs';

const PERIOD_MS = 10;
/**
 * Of the thread that opens it: processor time in nanoseconds, then time spent waiting for a processor, then slices. Linux has it
 * where it was built with CONFIG_SCHED_INFO, as it mostly is; sandboxes that stand in for it may not.
 */
const SCHEDULED = '/proc/thread-self/schedstat';
const SPACE = 0x20;
const ZERO = 0x30;

/**
 * The processor time of the thread that makes it, and how much of it one turn of its event loop takes: unlike how long a turn
 * is, that does not go by what else the machine does.
 */
export class CpuMonitor {
  #file: number | undefined;
  readonly #text = new Uint8Array(64);
  readonly #timer: NodeJS.Timeout | undefined;
  #before = 0;
  #longestMs = 0;

  constructor() {
    if (!existsSync(SCHEDULED)) return;
    this.#file = openSync(SCHEDULED, 'r');
    this.#before = this.#milliseconds(this.#file);
    this.#timer = setInterval(() => this.#sample(), PERIOD_MS).unref();
  }

  /** Since the thread began; undefined where the system does not tell. */
  seconds(): number | undefined {
    return this.#file === undefined ? undefined : this.#milliseconds(this.#file) / 1_000;
  }

  /**
   * The most that a turn took since the last look, in milliseconds, and up to ten more: turns that follow each other within ten
   * milliseconds count as one. Undefined where the system does not tell.
   */
  longestTickMs(): number | undefined {
    if (this.#file === undefined) return undefined;
    this.#sample();
    const most = this.#longestMs;
    this.#longestMs = 0;
    return most;
  }

  stop(): void {
    clearInterval(this.#timer);
    if (this.#file !== undefined) closeSync(this.#file);
    this.#file = undefined;
  }

  #sample(): void {
    if (this.#file === undefined) return;
    const now = this.#milliseconds(this.#file);
    this.#longestMs = Math.max(this.#longestMs, now - this.#before);
    this.#before = now;
  }

  #milliseconds(file: number): number {
    const length = readSync(file, this.#text, 0, this.#text.length, 0);
    let nanoseconds = 0;
    for (let at = 0; at < length; at++) {
      const character = this.#text[at] ?? SPACE;
      if (character === SPACE) break;
      nanoseconds = nanoseconds * 10 + character - ZERO;
    }
    return nanoseconds / 1e6;
  }
}
