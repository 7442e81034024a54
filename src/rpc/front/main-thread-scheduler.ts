import type { Caller } from '../../async/caller.js';
import { SlicedWork } from '../../async/sliced-work.js';
import { AnswerWindow } from './answer-window.js';

/** Time for calls per tick of the main thread's event loop, in milliseconds; the same thread makes blocks. */
const TICK_BUDGET_MS = 2;
const MAX_WAITING = 16_384;

/** Schedules clients' calls and answers on the main thread, for all front threads. */
export class MainThreadScheduler {
  readonly window: AnswerWindow = new AnswerWindow();
  readonly work: SlicedWork;
  readonly #tickBudgetMs: number;

  /**
   * @param maxWaitMs maximum time a call may wait to start
   * @param tickBudgetMs time for calls per event loop tick
   */
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
   * Waits in the queue if the current event loop tick has been long, because one event may release thousands of
   * calls.
   * @throws CallerGoneError, WorkRefusedError
   */
  async waitForShortTick(caller: Caller): Promise<void> {
    if (this.work.tick.elapsedMs() < this.#tickBudgetMs) return;
    await new Promise<void>((resolve, reject) => this.work.add(caller, 0, resolve, reject));
  }

  /** Called when a front thread has received answers of a client. */
  acknowledged(client: string, length: number): void {
    this.window.remove(client, length);
    this.work.resume();
  }
}
