import { findRecord, type RecordedBundle, type RecordedTransaction, readRecord } from './journal-record.js';

/** Departures that are given back; as many as a pool remembers. */
const MAX_DEPARTED = 32_768;

/** A transaction that left the pool, as the journal keeps it. */
export interface RecordedRemoval {
  readonly hash: Uint8Array;
  /** Empty in journals of earlier versions. */
  readonly reason: string;
}

/** What a journal says, read from first to last. */
export interface JournalContents {
  /** The transactions that came in and did not leave, in order. */
  readonly transactions: readonly RecordedTransaction[];
  /** The bundles in the same way, each with its latest last height. */
  readonly bundles: readonly RecordedBundle[];
  /** Those that left without being included, the last of them, in order. */
  readonly removed: readonly RecordedRemoval[];
  /** Stretches in the middle that are no records: they were damaged, and skipped. */
  readonly damaged: number;
  /** Where the last whole record ends; what follows was being written when the process ended. */
  readonly end: number;
  /** Size of the file. */
  readonly size: number;
}

/**
 * Reads a journal piece by piece: the file may be longer than a buffer can be.
 * @param pieces its bytes in order
 */
export async function readJournal(pieces: AsyncIterable<Buffer>): Promise<JournalContents> {
  const reading = new JournalParser();
  for await (const piece of pieces) reading.add(piece);
  return reading.finish();
}

class JournalParser {
  readonly #transactions = new Map<string, RecordedTransaction>();
  readonly #bundles = new Map<string, RecordedBundle>();
  readonly #removed = new Map<string, string>();
  /** Bytes from `#at` of the file on in which no whole record was found yet. */
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
    // The beginning of a record without its end is none: look behind it.
    while (this.#rest.length > 0) this.#read(1);
    const [transactions, bundles] = [[...this.#transactions.values()], [...this.#bundles.values()]];
    const removed = Array.from(this.#removed, ([hash, reason]) => {
      return { hash: Uint8Array.from(Buffer.from(hash, 'latin1')), reason };
    });
    return { transactions, bundles, removed, damaged: this.#damaged, end: this.#end, size };
  }

  /** Reads all whole records from there on. */
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
    // Deleted first: a transaction that came again stands at the end.
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
    if (this.#removed.size > MAX_DEPARTED && oldest !== undefined) this.#removed.delete(oldest);
  }
}

/** Keeps the later height: a bundle that left and came again may have an extension of its first stay behind it. */
function extended(bundle: RecordedBundle, maxHeight: bigint | undefined): RecordedBundle {
  const isLater = bundle.maxHeight !== undefined && (maxHeight === undefined || maxHeight > bundle.maxHeight);
  return isLater ? { ...bundle, maxHeight } : bundle;
}
