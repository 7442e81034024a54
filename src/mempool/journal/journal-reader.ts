import { findRecord, type RecordedBundle, type RecordedTransaction, readRecord } from './journal-record.js';

/** Maximum number of removals returned, as many as a pool remembers. */
const MAX_REMOVED = 32_768;

export interface RecordedRemoval {
  readonly hash: Uint8Array;
  /** Empty in journals of earlier versions. */
  readonly reason: string;
}

export interface JournalContents {
  /** Transactions that were admitted and not removed, in order. */
  readonly transactions: readonly RecordedTransaction[];
  /** Bundles that were admitted and not removed, in order, each with its latest last height. */
  readonly bundles: readonly RecordedBundle[];
  /** The most recent transactions removed without being included, in order. */
  readonly removed: readonly RecordedRemoval[];
  /** Number of damaged spans that were skipped. */
  readonly damaged: number;
  /** Offset after the last complete record; the rest was being written when the process ended. */
  readonly end: number;
  readonly size: number;
}

/** Reads a journal in pieces: the file may exceed the maximum buffer size. */
export async function readJournal(pieces: AsyncIterable<Buffer>): Promise<JournalContents> {
  const reading = new JournalParser();
  for await (const piece of pieces) reading.add(piece);
  return reading.finish();
}

class JournalParser {
  readonly #transactions = new Map<string, RecordedTransaction>();
  readonly #bundles = new Map<string, RecordedBundle>();
  readonly #removed = new Map<string, string>();
  /** Bytes from file offset `#at`; they contain no complete record so far. */
  #rest: Buffer = Buffer.alloc(0);
  #at = 0;
  #end = 0;
  #damaged = 0;

  add(piece: Buffer): void {
    this.#rest = this.#rest.length === 0 ? piece : Buffer.concat([this.#rest, piece]);
    this.#read(0);
  }

  finish(): JournalContents {
    const size = this.#at + this.#rest.length;
    // An incomplete record is skipped, and the search continues after it.
    while (this.#rest.length > 0) this.#read(1);
    const removed = Array.from(this.#removed, ([hash, reason]) => {
      return { hash: Uint8Array.from(Buffer.from(hash, 'latin1')), reason };
    });
    const [transactions, bundles] = [[...this.#transactions.values()], [...this.#bundles.values()]];
    return { transactions, bundles, removed, damaged: this.#damaged, end: this.#end, size };
  }

  /** Reads all complete records, starting at an offset. */
  #read(from: number): void {
    let next = from;
    for (;;) {
      const { start, end } = findRecord(this.#rest, next);
      if (end === undefined) {
        this.#rest = this.#rest.subarray(start);
        this.#at += start;
        return;
      }
      if (this.#at + start > this.#end) this.#damaged++;
      this.#take(start, end);
      this.#end = this.#at + end;
      next = end;
    }
  }

  #take(start: number, end: number): void {
    const record = readRecord(this.#rest, start, end);
    const { hash } = record;
    if (record.kind === 'extension') {
      const bundle = this.#bundles.get(hash);
      if (bundle !== undefined) this.#bundles.set(hash, extended(bundle, record.maxHeight));
      return;
    }
    // Deleted first, so that a re-admitted transaction moves to the end.
    this.#transactions.delete(hash);
    this.#bundles.delete(hash);
    this.#removed.delete(hash);
    if (record.kind === 'left') this.#remove(hash, record.reason);
    if (record.kind === 'bundle') this.#bundles.set(hash, record.bundle);
    else if (record.kind === 'transaction') this.#transactions.set(hash, record.transaction);
  }

  #remove(hash: string, reason: string): void {
    this.#removed.set(hash, reason);
    const [oldest] = this.#removed.keys();
    if (this.#removed.size > MAX_REMOVED && oldest !== undefined) this.#removed.delete(oldest);
  }
}

/** Keeps the later height: an extension before a bundle's removal may be written after its re-admission. */
function extended(bundle: RecordedBundle, maxHeight: bigint | undefined): RecordedBundle {
  const isLater = bundle.maxHeight !== undefined && (maxHeight === undefined || maxHeight > bundle.maxHeight);
  return isLater ? { ...bundle, maxHeight } : bundle;
}
