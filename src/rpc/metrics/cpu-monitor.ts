import { closeSync, existsSync, openSync, readSync } from 'node:fs';

const PERIOD_MS = 10;
/**
 * Scheduler statistics of the thread that opens the file: CPU time in nanoseconds, time waiting for a CPU, number of
 * time slices. Linux provides it if built with CONFIG_SCHED_INFO, as most kernels are; some sandboxes do not.
 */
const SCHEDULED = '/proc/thread-self/schedstat';
const SPACE = 0x20;
const ZERO = 0x30;

/**
 * Measures the CPU time of its thread, in total and per event loop tick. Unlike the duration of a tick, this does not
 * depend on other load on the machine.
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

  /** CPU time since the thread started; undefined if the system does not provide it. */
  seconds(): number | undefined {
    return this.#file === undefined ? undefined : this.#milliseconds(this.#file) / 1_000;
  }

  /**
   * Maximum CPU time of a tick since the last call, in milliseconds, overestimated by up to ten: ticks within the same
   * ten milliseconds count as one. Undefined if the system does not provide it.
   */
  longestTickMs(): number | undefined {
    if (this.#file === undefined) return undefined;
    this.#sample();
    const longest = this.#longestMs;
    this.#longestMs = 0;
    return longest;
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
