import { ftruncateSync, renameSync, writeSync } from 'node:fs';
import { type FileHandle, open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { TransactionEnvelope } from '../ledger/transaction-envelope.js';
import type { BundleEnvelope } from './bundle.js';
import type { BundleDeparture } from './bundle-book.js';
import {
  bundleRecord,
  cameInRecord,
  leftRecord,
  RECORD_OVERHEAD_BYTES,
  type Recorded,
  type RecordedBundle,
  type RecordedTransaction,
  readJournal,
} from './journal-record.js';
import type { Departure, PoolStats } from './pool-types.js';

/** What went wrong with the journal's file. */
export type JournalErrorCode = 'unreadable' | 'unwritable';

export class JournalError extends Error {
  override readonly name = 'JournalError';

  constructor(
    readonly code: JournalErrorCode,
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

/** What was waiting when the node ended. */
export interface RestoredTransactions {
  /** In the order in which they came in; to be checked and admitted like any others. */
  readonly transactions: readonly RecordedTransaction[];
  /** In the order in which they came in; to be admitted after the transactions. */
  readonly bundles: readonly RecordedBundle[];
  /** Stretches of the file that were damaged and are skipped. */
  readonly damaged: number;
  /** Bytes at the end that were being written when the process ended; given up. */
  readonly tornBytes: number;
}

/** The part of the pool that the journal looks at. */
export interface JournaledPool {
  stats(): Pick<PoolStats, 'size' | 'bytes'>;
  transactions(): Iterable<TransactionEnvelope>;
  bundles(): Iterable<BundleEnvelope>;
}

const FILE = 'mempool.journal';
const LEAST_REWRITTEN_BYTES = 8 * 1_048_576;
const REWRITE_PART_BYTES = 1_048_576;
/** How many departures wait at most while the file cannot be written; what is forgotten comes back with a restart. */
const MAX_UNWRITTEN_DEPARTURES = 100_000;

/**
 * The pool's memory over a restart, `<data-dir>/mempool.journal`. What {@link appendMany} took survives the end of the
 * process, however sudden; the power going may cost the last seconds. Included transactions are not struck off: their
 * nonces are used, so they are refused when they come back.
 */
export class PoolJournal {
  readonly #path: string;
  #file: FileHandle;
  #size: number;
  /** What left, by its hash. */
  readonly #left = new Map<string, Buffer>();
  readonly #leastRewrittenBytes: number;
  /** What was appended since a rewrite began; undefined while none is under way. */
  #sinceRewrite: Buffer[] | undefined;
  #rewrite: Promise<void> | undefined;

  private constructor(path: string, file: FileHandle, size: number, leastRewrittenBytes: number) {
    this.#path = path;
    this.#file = file;
    this.#size = size;
    this.#leastRewrittenBytes = leastRewrittenBytes;
  }

  /**
   * Opens the journal of a data directory, which has to be there.
   * @param leastRewrittenBytes a smaller file is never worth rewriting
   * @throws JournalError
   */
  static async open(
    dataDir: string,
    leastRewrittenBytes = LEAST_REWRITTEN_BYTES,
  ): Promise<{ readonly journal: PoolJournal; readonly restored: RestoredTransactions }> {
    const path = join(dataDir, FILE);
    let file: FileHandle | undefined;
    try {
      await rm(newPath(path), { force: true });
      file = await open(path, 'a+', 0o600);
      const bytes = await file.readFile();
      const { transactions, bundles, damaged, end } = readJournal(bytes);
      const tornBytes = bytes.length - end;
      if (tornBytes > 0) await file.truncate(end);
      return {
        journal: new PoolJournal(path, file, end, leastRewrittenBytes),
        restored: { transactions, bundles, damaged, tornBytes },
      };
    } catch (error) {
      await file?.close();
      throw new JournalError('unreadable', `cannot open ${path}: ${messageOf(error)}`, { cause: error });
    }
  }

  /** Size of the file. */
  get bytes(): number {
    return this.#size;
  }

  /**
   * Records transactions and bundles that are in the pool, and what left it so far, with one write.
   * @throws JournalError where the file cannot be written; what it holds so far stays readable
   */
  appendMany(transactions: readonly Recorded[], bundles: readonly BundleEnvelope[] = []): void {
    // What comes in stands before what left for it: where the write is cut off, both are found, and not neither.
    if (this.#left.size > 0) {
      for (const { hash } of [...transactions, ...bundles]) this.#left.delete(nameOf(hash));
    }
    const records = [...transactions.map(cameInRecord), ...bundles.map(bundleRecord), ...this.#left.values()];
    if (records.length > 0) this.#append(Buffer.concat(records));
    this.#left.clear();
  }

  /** Notes that a transaction left the pool; written with the next {@link appendMany} or {@link flush}. */
  noteDeparture({ transaction, reason }: Pick<Departure, 'transaction' | 'reason'>): void {
    if (reason !== 'included') this.#noteLeft(transaction);
  }

  /** As {@link noteDeparture}, for a bundle. */
  noteBundleDeparture({ bundle, reason }: Pick<BundleDeparture, 'bundle' | 'reason'>): void {
    if (reason !== 'included') this.#noteLeft(bundle);
  }

  /**
   * Writes what was noted; to be called once a block.
   * @throws JournalError
   */
  flush(): void {
    this.appendMany([]);
  }

  /**
   * Rewrites the file when more than half of it is about transactions that are gone. Appending goes on meanwhile. The
   * old file stays until the new one is whole.
   * @returns whether it was rewritten
   * @throws JournalError where the new file cannot be written; the old one stays in use
   */
  async rewriteIfStale(pool: JournaledPool): Promise<boolean> {
    const { size, bytes } = pool.stats();
    const needed = bytes + size * RECORD_OVERHEAD_BYTES;
    if (this.#rewrite !== undefined) return false;
    if (this.#size < this.#leastRewrittenBytes || this.#size < 2 * needed) return false;
    this.#rewrite = this.#rewriteWith([...pool.transactions()], [...pool.bundles()]);
    try {
      await this.#rewrite;
    } finally {
      this.#rewrite = undefined;
    }
    return true;
  }

  /** Writes what was noted and gives up the file. Nothing may be called after. */
  async close(): Promise<void> {
    await this.#rewrite?.catch(() => undefined);
    try {
      this.flush();
    } finally {
      await this.#file.close();
    }
  }

  #noteLeft(left: Pick<TransactionEnvelope, 'hash'>): void {
    if (this.#left.size < MAX_UNWRITTEN_DEPARTURES) this.#left.set(nameOf(left.hash), leftRecord(left));
  }

  #append(bytes: Buffer): void {
    try {
      writeWhole(this.#file.fd, bytes);
    } catch (error) {
      const problems = [error, ...this.#dropTorn()];
      const cause = problems.length === 1 ? error : new AggregateError(problems);
      const what = problems.map(messageOf).join('; and what was written of it stays: ');
      throw new JournalError('unwritable', `cannot write ${this.#path}: ${what}`, { cause });
    }
    this.#size += bytes.length;
    this.#sinceRewrite?.push(bytes);
  }

  /**
   * Takes back a part of a record that a full disk let through; a reader would skip it, and count it as damage.
   * @returns why it could not; the next record is found behind whatever stands here all the same
   */
  #dropTorn(): unknown[] {
    try {
      ftruncateSync(this.#file.fd, this.#size);
      return [];
    } catch (error) {
      return [error];
    }
  }

  async #rewriteWith(
    transactions: readonly TransactionEnvelope[],
    bundles: readonly BundleEnvelope[],
  ): Promise<void> {
    const path = newPath(this.#path);
    this.#sinceRewrite = [];
    let file: FileHandle | undefined;
    try {
      file = await open(path, 'w', 0o600);
      let size = await writeRecords(file, transactions, bundles);
      await file.datasync();
      // Without a pause from here on: nothing may be appended to the old file once the new one has caught up.
      const since = Buffer.concat(this.#sinceRewrite);
      writeWhole(file.fd, since);
      size += since.length;
      renameSync(path, this.#path);
      const old = this.#file;
      this.#file = file;
      this.#size = size;
      this.#sinceRewrite = undefined;
      await old.close();
    } catch (error) {
      this.#sinceRewrite = undefined;
      if (file !== undefined && file !== this.#file) await file.close();
      await rm(path, { force: true });
      throw new JournalError('unwritable', `cannot rewrite ${this.#path}: ${messageOf(error)}`, {
        cause: error,
      });
    }
  }
}

function newPath(path: string): string {
  return `${path}.new`;
}

/** Writes in parts, so that a large pool does not hold up the main thread. */
async function writeRecords(
  file: FileHandle,
  transactions: readonly TransactionEnvelope[],
  bundles: readonly BundleEnvelope[],
): Promise<number> {
  let size = 0;
  let part: Buffer[] = [];
  let partBytes = 0;
  const writePart = async () => {
    await file.appendFile(Buffer.concat(part));
    size += partBytes;
    part = [];
    partBytes = 0;
  };
  const write = async (record: Buffer) => {
    part.push(record);
    partBytes += record.length;
    if (partBytes >= REWRITE_PART_BYTES) await writePart();
  };
  for (const transaction of transactions) await write(cameInRecord(transaction));
  for (const bundle of bundles) await write(bundleRecord(bundle));
  await writePart();
  return size;
}

function writeWhole(fd: number, bytes: Buffer): void {
  for (let at = 0; at < bytes.length; ) at += writeSync(fd, bytes, at);
}

function nameOf(hash: Uint8Array): string {
  return Buffer.from(hash).toString('latin1');
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
