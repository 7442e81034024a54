import { BlockReader } from '../../ledger/block-store.js';
import { RecentReceiptLogs } from '../../ledger/receipt-logs.js';
import { answerRead, type ReadSources } from '../read-requests.js';
import type { CallResult, GroupRunner } from './run-group.js';
import { TextGas, WORK_GAS } from './work-gas.js';
import type { WorkerCall } from './worker-call.js';

/** Answers reads of the store, in a worker that runs no contracts. One per thread. */
export class ReadRunner implements GroupRunner {
  readonly #sources: ReadSources;
  readonly #recentLogs = new RecentReceiptLogs();
  readonly #texts: TextGas;
  /** Of the last read. */
  #reader: BlockReader;

  constructor(sources: ReadSources) {
    this.#sources = sources;
    this.#texts = new TextGas(sources.interfaces);
    this.#reader = new BlockReader(sources.store, this.#recentLogs);
  }

  answer(call: WorkerCall): CallResult {
    if (call.kind !== 'read') throw new Error(`a worker for reads received ${call.kind}`);
    this.#texts.begin();
    this.#reader = new BlockReader(this.#sources.store, this.#recentLogs);
    return { json: answerRead(call.request, this.#sources, this.#reader) };
  }

  gasUsed(): bigint {
    const { fetchedBytes, scanned } = this.#reader;
    return (
      this.#texts.used + WORK_GAS.fetched_byte * BigInt(fetchedBytes) + WORK_GAS.scanned * BigInt(scanned)
    );
  }
}
