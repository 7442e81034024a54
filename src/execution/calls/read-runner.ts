import { BlockReader } from '../../ledger/block-store.js';
import { RecentReceiptLogs } from '../../ledger/receipt-logs.js';
import { answerRead, type ReadSources } from '../read-requests.js';
import { type BatchRunner, runBatch } from './run-batch.js';
import { TextGas, WORK_GAS } from './work-gas.js';

/** Answers reads of the store, in a worker that runs no contracts. One per thread. */
export class ReadRunner implements BatchRunner {
  readonly #progress: Int32Array;
  readonly #sources: ReadSources;
  readonly #recentLogs = new RecentReceiptLogs();
  readonly #texts: TextGas;
  /** Of the last read. */
  #reader: BlockReader;

  /** @param progress see CallSetup */
  constructor(progress: SharedArrayBuffer, sources: ReadSources) {
    this.#progress = new Int32Array(progress);
    this.#sources = sources;
    this.#texts = new TextGas(sources.interfaces);
    this.#reader = new BlockReader(sources.store, this.#recentLogs);
  }

  run(batch: Uint8Array): string {
    return runBatch(batch, this.#progress, {
      answer: (call) => {
        if (call.kind !== 'read') throw new Error(`a worker for reads received ${call.kind}`);
        this.#texts.begin();
        this.#reader = new BlockReader(this.#sources.store, this.#recentLogs);
        return answerRead(call.request, this.#sources, this.#reader);
      },
      gasUsed: () => this.#gasUsed(),
    });
  }

  #gasUsed(): bigint {
    const { fetchedBytes, scanned } = this.#reader;
    return (
      this.#texts.used + WORK_GAS.fetched_byte * BigInt(fetchedBytes) + WORK_GAS.scanned * BigInt(scanned)
    );
  }
}
