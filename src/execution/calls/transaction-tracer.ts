import { type Caller, NODE_ITSELF } from '../../async/caller.js';
import { decodeWantedWriteLog, type WantedWriteLog } from '../tracing/replay-messages.js';
import type { BlockWriteLogs } from './block-write-logs.js';
import { encodeCall } from './call-batch.js';
import type { CallScheduler } from './call-scheduler.js';

export interface TransactionTracerOptions {
  readonly calls: CallScheduler;
  readonly writeLogs: BlockWriteLogs;
}

/**
 * Traces transactions of blocks in workers. A worker that does not know the writes of a block's earlier transactions
 * first requests the block's write log, and keeps it for the next trace.
 */
export class TransactionTracer {
  readonly #options: TransactionTracerOptions;

  constructor(options: TransactionTracerOptions) {
    this.#options = options;
  }

  /** Answers with JSON of the ChainTraceTransactionResult, or rejects with CallError or ExecutionError. */
  trace(
    params: string,
    resolve: (json: string, waitedMs: number) => void,
    reject: (error: Error) => void,
    caller: Caller = NODE_ITSELF,
  ): void {
    const encoded = encodeCall('chain_traceTransaction', params, caller.allowance?.gas);
    const take = (answer: string, waitedMs: number): void => {
      const wanted = decodeWantedWriteLog(answer);
      if (wanted === undefined) resolve(answer, waitedMs);
      else this.#withWriteLog(encoded, wanted, resolve, reject, caller);
    };
    this.#options.calls.ask(encoded, take, reject, caller);
  }

  #withWriteLog(
    encoded: Uint8Array,
    wanted: WantedWriteLog,
    resolve: (json: string, waitedMs: number) => void,
    reject: (error: Error) => void,
    caller: Caller,
  ): void {
    const { calls, writeLogs } = this.#options;
    writeLogs
      .make(wanted, encoded.length, caller)
      .then((writeLog) => calls.ask(encoded, resolve, reject, caller, writeLog))
      .catch(reject);
  }
}
