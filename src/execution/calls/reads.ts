import type { Caller } from '../../async/caller.js';
import { readSharedText, type SharedText } from '../../base/shared-text.js';
import type { ReadRequest } from '../read-requests.js';
import type { Calls } from './worker-calls.js';

/** Sends reads of the store to workers if they are too heavy for a thread that serves requests. */
export class Reads {
  readonly #calls: Calls;

  /** @param calls of workers whose setup has `reads` */
  constructor(calls: Calls) {
    this.#calls = calls;
  }

  get waiting(): number {
    return this.#calls.waiting;
  }

  /** Returns the JSON of the method's result; `caller` is charged. @throws CallError, ExecutionError */
  read(request: ReadRequest, caller: Caller): Promise<string> {
    return new Promise((resolve, reject) => {
      const resolveText = (json: SharedText) => resolve(readSharedText(json));
      this.#calls.ask({ kind: 'read', request }, { resolve: resolveText, reject }, caller);
    });
  }
}
