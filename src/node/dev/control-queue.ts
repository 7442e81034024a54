import type { Caller } from '../../async/caller.js';
import { CallerGoneError } from '../../async/sliced-work.js';
import { overloaded } from '../../rpc/domain-errors.js';

/** Maximum number of controls that wait or run. */
const MAX_CONTROLS = 64;

export class ControlQueue {
  /** Settles when the last control and all before it have ended. */
  #last: Promise<unknown> = Promise.resolve();
  #size = 0;

  /**
   * Runs a control once those before it have ended, unless its caller has gone.
   * @throws RpcError `overloaded`; CallerGoneError; what the control throws
   */
  run<R>(control: () => Promise<R>, caller: Caller): Promise<R> {
    if (this.#size >= MAX_CONTROLS) return Promise.reject(overloaded());
    this.#size++;
    const done = this.#last.then(() => {
      if (caller.isGone) throw new CallerGoneError();
      return control();
    });
    this.#last = done
      .catch(() => undefined)
      .finally(() => {
        this.#size--;
      });
    return done;
  }
}
