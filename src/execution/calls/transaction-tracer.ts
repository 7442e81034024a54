import type { Caller } from '../../async/caller.js';
import { ExecutionError } from '../execution-error.js';
import { type WantedWriteLog, wantedWriteLog } from '../tracing/replay-messages.js';
import type { BlockWriteLogs } from './block-write-logs.js';
import { encodeCall } from './call-batch.js';
import type { CallScheduler } from './call-scheduler.js';

export interface TransactionTracerOptions {
  readonly calls: CallScheduler;
  readonly writeLogs: BlockWriteLogs;
  /** How many traces may wait for their blocks' write logs; more are refused as overloaded. */
  readonly maxWaiting?: number;
}

const DEFAULT_MAX_WAITING = 4_096;

/**
 * Has workers trace transactions that are in blocks. A worker that does not know yet what the earlier ones of a block wrote
 * wants its write log first, and keeps it for the next trace.
 */
export class TransactionTracer {
  readonly #options: TransactionTracerOptions;
  #waiting = 0;

  constructor(options: TransactionTracerOptions) {
    this.#options = options;
  }

  /**
   * Answers by calling `resolve` with the JSON of the ChainTraceTransactionResult, or `reject` with a CallError or an
   * ExecutionError.
   * @param params JSON text of the method's parameters
   */
  trace(
    params: string,
    resolve: (json: string) => void,
    reject: (error: Error) => void,
    caller?: Caller,
  ): void {
    const encoded = encodeCall('chain_traceTransaction', params);
    const take = (answer: string): void => {
      const wanted = wantedWriteLog(answer);
      if (wanted === undefined) resolve(answer);
      else this.#withWriteLog(encoded, wanted, resolve, reject, caller);
    };
    this.#options.calls.ask(encoded, take, reject, caller);
  }

  #withWriteLog(
    encoded: Uint8Array,
    { height, index }: WantedWriteLog,
    resolve: (json: string) => void,
    reject: (error: Error) => void,
    caller: Caller | undefined,
  ): void {
    const { calls, writeLogs, maxWaiting = DEFAULT_MAX_WAITING } = this.#options;
    if (this.#waiting >= maxWaiting) {
      reject(new ExecutionError('overloaded', `${this.#waiting} traces wait for their blocks already`));
      return;
    }
    this.#waiting++;
    writeLogs
      .make(height, index)
      .finally(() => {
        this.#waiting--;
      })
      .then((parts) => calls.ask(encoded, resolve, reject, caller, { height, parts }))
      .catch(reject);
  }
}
