import type { Caller } from '../../async/caller.js';
import type { ReadRequest } from '../read-requests.js';
import { encodeRead } from './call-batch.js';
import type { CallScheduler } from './call-scheduler.js';

/** How long one read may take, in milliseconds: far longer than any that is bounded as it should be. */
export const MAX_READ_MS = 30_000;

/** Has workers answer reads of the store that are too heavy for a thread that serves others. */
export class Reads {
  readonly #scheduler: CallScheduler;

  /** @param scheduler for workers whose setup has `reads` */
  constructor(scheduler: CallScheduler) {
    this.#scheduler = scheduler;
  }

  /**
   * @param caller whose turn it takes, and who may go away
   * @returns the JSON text of the method's result
   * @throws CallError, ExecutionError
   */
  read(request: ReadRequest, caller: Caller): Promise<string> {
    return new Promise((resolve, reject) => {
      this.#scheduler.ask(encodeRead(request), resolve, reject, caller);
    });
  }
}
