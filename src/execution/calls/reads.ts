import type { Caller } from '../../async/caller.js';
import type { ReadRequest } from '../read-requests.js';
import { encodeRead } from './call-batch.js';
import type { CallScheduler } from './call-scheduler.js';

/** Time limit of one read, in milliseconds: far longer than any properly bounded read takes. */
export const MAX_READ_MS = 30_000;

/** Sends reads of the store to workers if they are too heavy for a thread that serves requests. */
export class Reads {
  readonly #scheduler: CallScheduler;

  /** @param scheduler for workers whose setup has `reads` */
  constructor(scheduler: CallScheduler) {
    this.#scheduler = scheduler;
  }

  get waiting(): number {
    return this.#scheduler.waiting;
  }

  /** Returns the JSON of the method's result; `caller` is charged. @throws CallError, ExecutionError */
  read(request: ReadRequest, caller: Caller): Promise<string> {
    return new Promise((resolve, reject) => {
      this.#scheduler.ask(encodeRead(request), resolve, reject, caller);
    });
  }
}
