import { setTimeout as pause } from 'node:timers/promises';

/** The work takes at most one part in this many of the time. */
const SHARE = 10;
/** Maximum pause between two runs, in milliseconds. */
const MAX_PAUSE_MS = 500;

/**
 * Work whose result many may ask for at once. Requests share a run that begins after they arrive, so a result is never
 * older than its request, and runs of less than {@link MAX_PAUSE_MS} / 9 take at most a tenth of the time, however many
 * requests there are.
 */
export class PacedWork<T> {
  readonly #run: () => Promise<T>;
  /** The run that has not begun. */
  #next: Promise<T> | undefined;
  #paused: Promise<void> = Promise.resolve();

  constructor(run: () => Promise<T>) {
    this.#run = run;
  }

  /** Resolves with the result of a run that begins after this call. */
  result(): Promise<T> {
    this.#next ??= this.#runNext();
    return this.#next;
  }

  async #runNext(): Promise<T> {
    await this.#paused;
    this.#next = undefined;
    const begun = performance.now();
    const running = this.#run();
    this.#paused = pauseAfter(running, begun);
    return running;
  }
}

async function pauseAfter(running: Promise<unknown>, begun: number): Promise<void> {
  await running.catch(() => undefined);
  const ms = performance.now() - begun;
  await pause(Math.min(MAX_PAUSE_MS, (SHARE - 1) * ms), undefined, { ref: false });
}
