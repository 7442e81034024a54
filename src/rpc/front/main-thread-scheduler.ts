import type { Caller } from '../../async/caller.js';
import { SlicedWork } from '../../async/sliced-work.js';
import { LONG_ANSWER } from './front-messages.js';

/** Time for calls per tick of the main thread's event loop, in milliseconds; the same thread makes blocks. */
const TICK_BUDGET_MS = 2;
const MAX_WAITING = 16_384;
/** Limits, in characters, on the answers being made or in flight to front threads: per client, and in total. */
const CLIENT_WINDOW = 4 * 1024 * 1024;
const WINDOW = 64 * 1024 * 1024;
/** Characters reserved for the first answer of a method. */
const UNKNOWN_ANSWER = 64 * 1024;

/** Schedules clients' calls and answers on the main thread, for all front threads. */
export class MainThreadScheduler {
  readonly window = new AnswerWindow();
  readonly work: SlicedWork;
  readonly #tickBudgetMs: number;

  constructor(maxWaitMs: number, tickBudgetMs: number = TICK_BUDGET_MS) {
    this.#tickBudgetMs = tickBudgetMs;
    this.work = new SlicedWork({
      tickBudgetMs,
      maxWaiting: MAX_WAITING,
      maxWaitMs,
      mayProceed: (client) => this.window.mayBegin(client),
    });
  }

  /** True if a call may start at once: no call waits, no answer is in flight, and the tick is short so far. */
  get isQuiet(): boolean {
    return this.work.size === 0 && this.window.isEmpty && this.work.tick.elapsedMs() < this.#tickBudgetMs;
  }

  /**
   * Waits in the queue if this tick has been long, because one event may release thousands of calls.
   * @throws CallerGoneError, WorkRefusedError
   */
  async waitForShortTick(caller: Caller): Promise<void> {
    if (this.work.tick.elapsedMs() < this.#tickBudgetMs) return;
    await new Promise<void>((resolve, reject) => this.work.add(caller, 0, resolve, reject));
  }

  acknowledged(client: string, length: number): void {
    this.window.remove(client, length);
    this.work.resume();
  }
}

/**
 * Bounds the answers that the main thread makes and front threads have not received yet. A client with a full window
 * starts no further call until a front thread has received some of its answers.
 */
class AnswerWindow {
  readonly #clients = new Map<string, number>();
  /** Longest answer so far of each asynchronous method. */
  readonly #longest = new Map<string, number>();
  #all = 0;

  get isEmpty(): boolean {
    return this.#all === 0;
  }

  mayBegin(client: string): boolean {
    return this.#all < WINDOW && (this.#clients.get(client) ?? 0) < CLIENT_WINDOW;
  }

  /** Characters to reserve while a method's answer is being made; 0 if its answers are short. */
  reserveFor(method: string): number {
    const longest = this.#longest.get(method) ?? UNKNOWN_ANSWER;
    return longest < LONG_ANSWER ? 0 : longest;
  }

  recordAnswer(method: string, length: number): void {
    if (length > (this.#longest.get(method) ?? 0)) this.#longest.set(method, length);
  }

  add(client: string, length: number): void {
    if (length === 0) return;
    this.#all += length;
    this.#clients.set(client, (this.#clients.get(client) ?? 0) + length);
  }

  remove(client: string, length: number): void {
    if (length === 0) return;
    this.#all -= length;
    const left = (this.#clients.get(client) ?? 0) - length;
    if (left > 0) this.#clients.set(client, left);
    else this.#clients.delete(client);
  }
}
