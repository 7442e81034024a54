import type { Caller } from '../../async/caller.js';
import { SlicedWork } from '../../async/sliced-work.js';
import { AnswerWindow } from './answer-window.js';

/** What calls take of a turn of the main thread's event loop, in milliseconds: blocks are made in the same thread. */
const TICK_BUDGET_MS = 2;
const MAX_WAITING = 16_384;

/** The turns that clients take on the main thread, and the answers that are made there; one for all front threads. */
export class MainThreadScheduler {
  readonly window: AnswerWindow = new AnswerWindow();
  readonly work: SlicedWork;

  /** @param maxWaitMs how long a call may wait to begin */
  constructor(maxWaitMs: number) {
    this.work = new SlicedWork({
      tickBudgetMs: TICK_BUDGET_MS,
      maxWaiting: MAX_WAITING,
      maxWaitMs,
      mayProceed: (client) => this.window.mayBegin(client),
    });
  }

  /** Whether a call may begin at once: none waits, no answer is on its way, and the turn is young. */
  get isQuiet(): boolean {
    return this.work.size === 0 && this.window.isEmpty && this.work.tick.elapsedMs() < TICK_BUDGET_MS;
  }

  /**
   * Waits for the client's turn if this turn of the event loop has been long: one result may end the waiting of thousands.
   * @throws CallerGoneError, WorkRefusedError
   */
  async waitForShortTick(caller: Caller): Promise<void> {
    if (this.work.tick.elapsedMs() < TICK_BUDGET_MS) return;
    await new Promise<void>((resolve, reject) => this.work.add(caller, 0, resolve, reject));
  }

  /** A client's answers have been taken. */
  acknowledged(client: string, length: number): void {
    this.window.remove(client, length);
    this.work.resume();
  }
}
