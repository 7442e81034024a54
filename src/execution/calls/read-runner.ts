import { RecentReceiptLogs } from '../../ledger/receipt-logs.js';
import { answerRead, type ReadSources } from '../read-requests.js';
import { type BatchRunner, runBatch } from './run-batch.js';

/** Answers reads of the store, in a worker that runs no contracts. One per thread. */
export class ReadRunner implements BatchRunner {
  readonly #progress: Int32Array;
  readonly #sources: ReadSources;
  readonly #recentLogs = new RecentReceiptLogs();

  /** @param progress see CallSetup */
  constructor(progress: SharedArrayBuffer, sources: ReadSources) {
    this.#progress = new Int32Array(progress);
    this.#sources = sources;
  }

  run(batch: Uint8Array): string {
    return runBatch(batch, this.#progress, {
      answer: (call) => {
        if (call.kind !== 'read') throw new Error(`a worker for reads received ${call.kind}`);
        return answerRead(call.request, this.#sources, this.#recentLogs);
      },
    });
  }
}
