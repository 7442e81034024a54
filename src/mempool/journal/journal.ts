import { createReadStream, ftruncateSync } from 'node:fs';
import { type FileHandle, open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { errorMessage } from '../../base/errors.js';
import type { TransactionEnvelope } from '../../ledger/transaction-envelope.js';
import type { BundleEnvelope } from '../bundles/bundle.js';
import type { BundleRemoval } from '../bundles/bundle-book.js';
import type { Removal } from '../pool-types.js';
import { JournalError } from './journal-error.js';
import { type RecordedRemoval, readJournal } from './journal-reader.js';
import {
  admittedRecord,
  bundleRecord,
  extensionRecord,
  RECORD_OVERHEAD_BYTES,
  type Recorded,
  type RecordedBundle,
  type RecordedTransaction,
  removedRecord,
} from './journal-record.js';
import { JournalRewrite, newPath, RewriteStopped, writeFully } from './journal-rewrite.js';

/** What was waiting when the node ended. */
export interface RestoredTransactions {
  /** In the order in which they came in; to be checked and admitted like any others. */
  readonly transactions: readonly RecordedTransaction[];
  /** In the order in which they came in; to be admitted after the transactions. */
  readonly bundles: readonly RecordedBundle[];
  /** What left without being included, and why. */
  readonly removed: readonly RecordedRemoval[];
  /** Stretches of the file that were damaged and are skipped. */
  readonly damaged: number;
  /** Bytes at the end that were being written when the process ended; given up. */
  readonly tornBytes: number;
}

/** The part of the pool that the journal looks at. */
export interface JournaledPool {
  /** How many transactions, those of bundles included. */
  readonly size: number;
  /** Their encoded size. */
  readonly bytes: number;
  transactions(): Iterable<TransactionEnvelope>;
  bundles(): Iterable<BundleEnvelope>;
}

const FILE = 'mempool.journal';
const MIN_REWRITTEN_BYTES = 8 * 1_048_576;
const READ_BYTES = 4 * 1_048_576;
/** How many bytes the file may get while it is rewritten, or after it could not be. */
const MAX_SINCE_BYTES = 32 * 1_048_576;
/** After a rewrite that failed, milliseconds. */
const RETRY_MS = 10_000;
/** How many departures wait at most while the file cannot be written; what is forgotten comes back with a restart. */
const MAX_UNWRITTEN_DEPARTURES = 100_000;

/** Sizes and times of a journal; for tests. */
export interface JournalLimits {
  /** A smaller file is never worth rewriting. */
  readonly minRewriteBytes: number;
  /** How many bytes it may get while it is rewritten, or after it could not be. */
  readonly maxAppendedBytes: number;
  /** Milliseconds after a rewrite that failed. */
  readonly retryMs: number;
}

const LIMITS: JournalLimits = {
  minRewriteBytes: MIN_REWRITTEN_BYTES,
  maxAppendedBytes: MAX_SINCE_BYTES,
  retryMs: RETRY_MS,
};

/**
 * The pool's memory over a restart, `<data-dir>/mempool.journal`. What {@link appendMany} took survives the end of the
 * process, however sudden; the power going may cost the last seconds. Included transactions are not struck off: their
 * nonces are used, so they are refused when they come back.
 *
 * The file has at most twice the bytes of the pool, or 8 MiB, plus 32 MiB; see {@link rewriteIfStale}. A rewrite writes no
 * more bytes than were appended since the last one.
 */
export class PoolJournal {
  readonly #path: string;
  readonly #limits: JournalLimits;
  #file: FileHandle;
  #size: number;
  /** What left, by its hash. */
  readonly #pendingRemovals = new Map<string, Buffer>();
  #rewrite: JournalRewrite | undefined;
  #rewritten: Promise<void> | undefined;
  /** The size that the file may have, after a rewrite that failed. */
  #maxBytes = Number.POSITIVE_INFINITY;
  #retryAtMs = 0;

  private constructor(path: string, file: FileHandle, size: number, limits: JournalLimits) {
    this.#path = path;
    this.#file = file;
    this.#size = size;
    this.#limits = limits;
  }

  /**
   * Opens the journal of a data directory, which has to be there.
   * @throws JournalError
   */
  static async open(
    dataDir: string,
    limits: Partial<JournalLimits> = {},
  ): Promise<{ readonly journal: PoolJournal; readonly restored: RestoredTransactions }> {
    const path = join(dataDir, FILE);
    let file: FileHandle | undefined;
    try {
      await rm(newPath(path), { force: true });
      file = await open(path, 'a+', 0o600);
      const pieces: AsyncIterable<Buffer> = createReadStream(path, { highWaterMark: READ_BYTES });
      const { transactions, bundles, removed, damaged, end, size } = await readJournal(pieces);
      const tornBytes = size - end;
      if (tornBytes > 0) await file.truncate(end);
      return {
        journal: new PoolJournal(path, file, end, { ...LIMITS, ...limits }),
        restored: { transactions, bundles, removed, damaged, tornBytes },
      };
    } catch (error) {
      await file?.close();
      throw new JournalError('unreadable', `cannot open ${path}: ${errorMessage(error)}`, { cause: error });
    }
  }

  /** Size of the file. */
  get bytes(): number {
    return this.#size;
  }

  /** Resolves when the rewrite that is under way has ended; undefined where none is. */
  get rewriting(): Promise<void> | undefined {
    return this.#rewrite === undefined ? undefined : this.#rewritten;
  }

  /** The end of the rewrite that has to come before anything is appended; undefined where something may be. */
  get busy(): Promise<void> | undefined {
    const isBehind = (this.#rewrite?.appendedBytes ?? 0) > this.#limits.maxAppendedBytes;
    return isBehind ? this.#rewritten : undefined;
  }

  /**
   * Records transactions and bundles that are in the pool, and what left it so far, with one write.
   * @param extended bundles that the journal has, which got a later last height
   * @throws JournalError where the file cannot be written, or could not be rewritten and has reached its limit; earlier
   *   records stay readable
   */
  appendMany(
    transactions: readonly Recorded[],
    bundles: readonly BundleEnvelope[] = [],
    extended: readonly BundleEnvelope[] = [],
  ): void {
    // What comes in stands before what left for it: where the write is cut off, both are found, and not neither.
    if (this.#pendingRemovals.size > 0) {
      for (const { hash } of [...transactions, ...bundles]) this.#pendingRemovals.delete(nameOf(hash));
    }
    const records = [
      ...transactions.map(admittedRecord),
      ...bundles.map(bundleRecord),
      ...extended.map(extensionRecord),
      ...this.#pendingRemovals.values(),
    ];
    if (records.length > 0) this.#append(Buffer.concat(records));
    this.#pendingRemovals.clear();
  }

  /** Notes that a transaction left the pool; written with the next {@link appendMany} or {@link flush}. */
  recordRemoval({ transaction, reason }: Pick<Removal, 'transaction' | 'reason'>): void {
    if (reason !== 'included') this.#recordRemoved(transaction, reason);
  }

  /** As {@link recordRemoval}, for a bundle. */
  recordBundleRemoval({ bundle, reason }: Pick<BundleRemoval, 'bundle' | 'reason'>): void {
    if (reason !== 'included') this.#recordRemoved(bundle, reason);
  }

  /**
   * Writes what was noted; to be called once a block.
   * @throws JournalError
   */
  flush(): void {
    if (this.busy === undefined) this.appendMany([]);
  }

  /**
   * Rewrites the file when more than half of it is about transactions that are gone. Appending goes on meanwhile. The
   * old file stays until the new one is whole. A call costs next to nothing where the file is not stale: make one after each
   * append and each block.
   * @returns whether it was rewritten
   * @throws JournalError where the new file cannot be written; the old one stays in use
   */
  async rewriteIfStale(pool: JournaledPool): Promise<boolean> {
    if (this.#rewrite !== undefined || !this.#isStale(pool)) return false;
    if (performance.now() < this.#retryAtMs) return false;
    const rewrite = new JournalRewrite(this.#path);
    this.#rewrite = rewrite;
    const done = this.#replaceWith(rewrite, pool);
    this.#rewritten = done.then(ignore, ignore);
    try {
      await done;
      return true;
    } catch (error) {
      if (error instanceof RewriteStopped) return false;
      this.#retryAtMs = performance.now() + this.#limits.retryMs;
      this.#maxBytes = Math.min(this.#maxBytes, this.#size + this.#limits.maxAppendedBytes);
      const message = `cannot rewrite ${this.#path}: ${errorMessage(error)}`;
      throw new JournalError('unwritable', message, { cause: error });
    }
  }

  /** Writes what was noted and gives up the file. Nothing may be called after. */
  async close(): Promise<void> {
    this.#rewrite?.stop();
    await this.#rewritten;
    try {
      this.flush();
    } finally {
      await this.#file.close();
    }
  }

  #isStale({ size, bytes }: JournaledPool): boolean {
    const needed = bytes + size * RECORD_OVERHEAD_BYTES;
    return this.#size >= this.#limits.minRewriteBytes && this.#size >= 2 * needed;
  }

  async #replaceWith(rewrite: JournalRewrite, pool: JournaledPool): Promise<void> {
    const old = this.#file;
    try {
      const contents = { transactions: [...pool.transactions()], bundles: [...pool.bundles()] };
      await rewrite.run(contents, (file, size) => {
        this.#file = file;
        this.#size = size;
        this.#maxBytes = Number.POSITIVE_INFINITY;
        this.#rewrite = undefined;
      });
      await old.close();
    } finally {
      // Another one may be under way by now.
      if (this.#rewrite === rewrite) this.#rewrite = undefined;
    }
  }

  #recordRemoved(left: Pick<TransactionEnvelope, 'hash'>, reason: string): void {
    if (this.#pendingRemovals.size < MAX_UNWRITTEN_DEPARTURES)
      this.#pendingRemovals.set(nameOf(left.hash), removedRecord(left, reason));
  }

  #append(bytes: Buffer): void {
    if (this.#size + bytes.length > this.#maxBytes) {
      const message = `cannot write ${this.#path}: it has ${this.#size} bytes and could not be rewritten`;
      throw new JournalError('unwritable', message);
    }
    try {
      writeFully(this.#file.fd, bytes);
    } catch (error) {
      const problems = [error, ...this.#dropTorn()];
      const cause = problems.length === 1 ? error : new AggregateError(problems);
      const what = problems.map(errorMessage).join('; and what was written of it stays: ');
      throw new JournalError('unwritable', `cannot write ${this.#path}: ${what}`, { cause });
    }
    this.#size += bytes.length;
    this.#rewrite?.add(bytes);
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
}

function ignore(): void {
  // Told of where the rewrite was asked for.
}

function nameOf(hash: Uint8Array): string {
  return Buffer.from(hash).toString('latin1');
}
