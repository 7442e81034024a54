import { createReadStream } from 'node:fs';
import { type FileHandle, open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { errorMessage } from '../../base/errors.js';
import type { TransactionEnvelope } from '../../ledger/transaction-envelope.js';
import { latin1 } from '../../storage/latin1.js';
import type { BundleEnvelope } from '../bundles/bundle.js';
import { JournalError } from '../errors.js';
import type { RemovalReason } from '../pool-types.js';
import { appendUnlessDiskFull, isDiskFull } from './append-unless-full.js';
import { type JournalContents, readJournal } from './journal-reader.js';
import {
  admittedRecord,
  bundleRecord,
  extensionRecord,
  RECORD_OVERHEAD_BYTES,
  removedRecord,
} from './journal-record.js';
import { JournalRewrite, newPath, RewriteStopped } from './journal-rewrite.js';

/** The pool's contents when the node ended, to be verified and admitted like new ones, bundles last. */
export interface RestoredTransactions extends Omit<JournalContents, 'end' | 'size'> {
  /** Number of bytes at the end of the file that were being written when the process ended; they are dropped. */
  readonly tornBytes: number;
}

export interface JournaledPool {
  /** Number of transactions, including those in bundles. */
  readonly size: number;
  /** Encoded size of all transactions, including those in bundles. */
  readonly bytes: number;
  transactions(): Iterable<TransactionEnvelope>;
  bundles(): Iterable<BundleEnvelope>;
}

const FILE = 'mempool.journal';
const READ_BYTES = 4 * 1_048_576;
/** Removals kept while the file cannot be written; beyond it, transactions reappear after a restart. */
const MAX_UNWRITTEN_REMOVALS = 100_000;

/** Maximum length of the bytes that are written to see whether the file can be written again. */
const MAX_TRIED_BYTES = 65_536;

/** Sizes and times of a journal, configurable for tests. */
export interface JournalLimits {
  readonly minRewriteBytes: number;
  /** Maximum growth of the file, in bytes, during a rewrite or after a failed one. */
  readonly maxAppendedBytes: number;
  /** Time until a failed rewrite is retried, in milliseconds. */
  readonly retryMs: number;
}

const LIMITS: JournalLimits = {
  // A start decodes every record and looks up each transaction that blocks have included (bench/load/soak.ts).
  minRewriteBytes: 2 * 1_048_576,
  maxAppendedBytes: 32 * 1_048_576,
  retryMs: 10_000,
};

/**
 * Keeps the pool's contents across restarts, in `<data-dir>/mempool.journal`. Records written by {@link appendMany}
 * survive a crash of the process; a power failure may lose the last seconds. Inclusion is not recorded: a restart
 * rejects included transactions because their nonces are used.
 *
 * The file size is at most twice the pool's bytes (or 2 MiB) plus 32 MiB; see {@link rewriteIfStale}. A rewrite
 * writes at most as many bytes as were appended since the last one.
 */
export class PoolJournal {
  readonly #path: string;
  readonly #limits: JournalLimits;
  #file: FileHandle;
  #size: number;
  readonly #pendingRemovals = new Map<string, Buffer>();
  #rewrite: JournalRewrite | undefined;
  #rewritten: Promise<void> | undefined;
  /** Maximum file size after a failed rewrite. */
  #maxBytes = Number.POSITIVE_INFINITY;
  #retryAtMs = 0;
  /** Length of the write that failed last, until as much can be written; 0 without a failure. */
  #failedBytes = 0;

  private constructor(path: string, file: FileHandle, size: number, limits: JournalLimits) {
    this.#path = path;
    this.#file = file;
    this.#size = size;
    this.#limits = limits;
  }

  /** Opens the journal of an existing data directory. @throws JournalError */
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

  get bytes(): number {
    return this.#size;
  }

  /** Resolves when the running rewrite has ended; undefined if none is running. */
  get rewriting(): Promise<void> | undefined {
    return this.#rewrite === undefined ? undefined : this.#rewritten;
  }

  /** Settles when appending is possible again; undefined if it is possible now. */
  get busy(): Promise<void> | undefined {
    const isBehind = (this.#rewrite?.appendedBytes ?? 0) > this.#limits.maxAppendedBytes;
    return isBehind ? this.#rewritten : undefined;
  }

  /** False from a failed {@link appendMany} on, until the file can be written again. */
  get isWritable(): boolean {
    return this.#failedBytes === 0;
  }

  /**
   * Records pooled transactions and bundles, and all removals so far, in a single write.
   * @param extended bundles already in the journal whose last height was extended
   * @throws JournalError if the file cannot be written, or could not be rewritten and has reached its limit; earlier
   * records stay readable
   */
  appendMany(
    transactions: readonly TransactionEnvelope[],
    bundles: readonly BundleEnvelope[] = [],
    extended: readonly BundleEnvelope[] = [],
  ): void {
    // Admissions precede the removals they caused: if the write is cut off, the reader finds both transactions instead
    // of neither.
    if (this.#pendingRemovals.size > 0) {
      for (const { hash } of [...transactions, ...bundles]) this.#pendingRemovals.delete(latin1(hash));
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

  /** Records the removal of a transaction or bundle; written with the next {@link appendMany} or {@link flush}. */
  recordRemoval({ hash }: TransactionEnvelope | BundleEnvelope, reason: RemovalReason): void {
    if (reason === 'included' || this.#pendingRemovals.size >= MAX_UNWRITTEN_REMOVALS) return;
    this.#pendingRemovals.set(latin1(hash), removedRecord(hash, reason));
  }

  /** Writes the recorded removals; call it once per block. @throws JournalError */
  flush(): void {
    if (this.busy === undefined) this.appendMany([]);
  }

  /**
   * Tries whether the file can be written again after a failure. Call it from time to time: once nobody submits
   * transactions to a node that refuses them, nothing else does.
   * @throws JournalError of a rewrite, as {@link rewriteIfStale}
   */
  async tryAgain(pool: JournaledPool): Promise<void> {
    if (this.isWritable) return;
    await this.rewriteIfStale(pool);
    if (this.busy !== undefined || this.#size + this.#failedBytes > this.#maxBytes) return;
    const bytes = Math.min(this.#failedBytes, MAX_TRIED_BYTES);
    if (!isDiskFull(this.#file.fd, this.#size, bytes)) this.#failedBytes = 0;
  }

  /**
   * Rewrites the file if more than half of it concerns transactions that have left the pool. Appending continues in the
   * meantime, and the old file stays until the new one is complete. Cheap if the file is not stale: call it after each
   * append and each block.
   * @returns whether the file was rewritten
   * @throws JournalError if the new file cannot be written; the old one stays in use
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

  /** Writes the recorded removals and closes the file. The journal must not be used afterwards. */
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
      // Another rewrite may be running by now.
      if (this.#rewrite === rewrite) this.#rewrite = undefined;
    }
  }

  #append(bytes: Buffer): void {
    if (this.#size + bytes.length > this.#maxBytes) {
      this.#failedBytes = bytes.length;
      const message = `cannot write ${this.#path}: it has ${this.#size} bytes and could not be rewritten`;
      throw new JournalError('unwritable', message);
    }
    const problems = appendUnlessDiskFull(this.#file.fd, this.#size, bytes);
    if (problems.length > 0) {
      this.#failedBytes = bytes.length;
      const cause = problems.length === 1 ? problems[0] : new AggregateError(problems);
      const what = problems.map(errorMessage).join('; and the partial record stays: ');
      throw new JournalError('unwritable', `cannot write ${this.#path}: ${what}`, { cause });
    }
    this.#size += bytes.length;
    // A shorter record may fit into the last block of a full disk.
    if (bytes.length >= this.#failedBytes) this.#failedBytes = 0;
    this.#rewrite?.add(bytes);
  }
}

function ignore(): void {
  // The caller that started the rewrite handles the error.
}
