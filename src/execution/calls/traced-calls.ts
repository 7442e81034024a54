import { type Caller, NODE_ITSELF } from '../../async/caller.js';
import { type SharedText, sharedTextBytes } from '../../base/shared-text.js';
import { decodeWantedWriteLog } from '../tracing/replay-messages.js';
import type { BlockWriteLogs } from './block-write-logs.js';
import type { CallListener } from './call-queue.js';
import type { WorkerCall } from './worker-call.js';
import type { Calls } from './worker-calls.js';

export interface TracedCallsOptions {
  readonly calls: Calls;
  readonly writeLogs: BlockWriteLogs;
}

/**
 * Provides calls with write logs. A worker that traces a transaction of a block and does not know the writes of the
 * block's earlier transactions first requests the block's write log, and keeps it for the next trace.
 */
export class TracedCalls implements Calls {
  readonly #options: TracedCallsOptions;

  constructor(options: TracedCallsOptions) {
    this.#options = options;
  }

  get waiting(): number {
    return this.#options.calls.waiting;
  }

  ask(call: WorkerCall, listener: CallListener, caller: Caller = NODE_ITSELF): void {
    const { calls, writeLogs } = this.#options;
    if (call.kind !== 'chain_traceTransaction') {
      calls.ask(call, listener, caller);
      return;
    }
    const resolve = (answer: SharedText, waitedMs: number): void => {
      const wanted = typeof answer === 'string' ? decodeWantedWriteLog(answer) : undefined;
      if (wanted === undefined) {
        listener.resolve(answer, waitedMs);
        return;
      }
      writeLogs
        .make(wanted, sharedTextBytes(call.params), caller)
        .then((writeLog) => calls.ask({ ...call, writeLog }, listener, caller))
        .catch(listener.reject);
    };
    calls.ask(call, { resolve, reject: listener.reject }, caller);
  }
}
