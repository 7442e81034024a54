import { closeSync, existsSync, openSync } from 'node:fs';
import { type FileHandle, open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Column } from '../../src/storage/columns.js';
import { syncDirectory } from '../../src/storage/replace-file.js';
import type { Entry, ScanRange, Store, StoreHandle } from '../../src/storage/store.js';
import { describeCause, StoreError } from '../../src/storage/store-error.js';
import type { WriteBatch } from '../../src/storage/write-batch.js';
import { CommittedWord } from './committed.js';
import { SuccessorLog } from './log-compaction.js';
import { createLog, LOG_FILE, PREPARED_FILE, putInPlace } from './log-files.js';
import { recoverLog } from './log-recovery.js';
import { LogWriter } from './log-writer.js';
import { MemoryColumns } from './memory-columns.js';

const COMPACT_ABOVE_BYTES = 64 * 1024 * 1024;
/** Writes that wait for the disk together are joined up to this size. */
const GROUP_BYTES = 16 * 1024 * 1024;
/** Compaction stops the writes only to copy the last so many bytes. */
const SWITCH_BELOW_BYTES = 256 * 1024;

export interface MemoryStoreOptions {
  /** Where the log lies; exists already. */
  readonly directory: string;
  /** Told what an operator should know: a cut-off tail, a compaction that failed. */
  readonly log?: (message: string) => void;
  /** The log is rewritten once it is longer than this and more than half of it is superseded. Default 64 MiB. */
  readonly compactAboveBytes?: number;
}

interface PendingWrite {
  readonly payload: Uint8Array;
  readonly sync: boolean;
  readonly resolve: () => void;
  readonly reject: (error: StoreError) => void;
}

/**
 * The store without native parts: everything in memory, every batch a record of an append-only file, which is also how
 * other threads follow (see memory-reader.ts). File format and recovery: log-format.ts.
 */
export class MemoryStore implements Store {
  readonly implementation = 'memory with append-only log';
  readonly #options: MemoryStoreOptions;
  readonly #compactAboveBytes: number;
  readonly #committed = new CommittedWord();
  readonly #columns: MemoryColumns;
  readonly #closing = new AbortController();
  #writer: LogWriter;
  #queue: PendingWrite[] = [];
  #lastExclusive: Promise<void> = Promise.resolve();
  #compaction: Promise<void> | undefined;
  #compactAbove: number;
  #failure: StoreError | undefined;

  private constructor(options: MemoryStoreOptions, columns: MemoryColumns, writer: LogWriter) {
    this.#options = options;
    this.#columns = columns;
    this.#writer = writer;
    this.#compactAboveBytes = options.compactAboveBytes ?? COMPACT_ABOVE_BYTES;
    this.#compactAbove = this.#compactAboveBytes;
    this.#publish();
  }

  /**
   * Opens the store of a directory, or makes an empty one where there is none.
   * @throws {StoreError} `damaged`, `wrong_format` or `open_failed`.
   */
  static async open(options: MemoryStoreOptions): Promise<MemoryStore> {
    const path = join(options.directory, LOG_FILE);
    const columns = new MemoryColumns();
    try {
      await rm(join(options.directory, PREPARED_FILE), { force: true });
      const writer = existsSync(path)
        ? await reopenLog(path, columns, options.log)
        : await createLog(options.directory);
      return new MemoryStore(options, columns, writer);
    } catch (cause) {
      if (cause instanceof StoreError) throw cause;
      throw new StoreError('open_failed', `cannot open the store log ${path}: ${describeCause(cause)}`, {
        cause,
      });
    }
  }

  get handle(): StoreHandle {
    return {
      kind: 'memory',
      path: join(this.#options.directory, LOG_FILE),
      committed: this.#committed.buffer,
    };
  }

  get(column: Column, key: Uint8Array): Uint8Array | undefined {
    this.#requireOpen();
    return this.#columns.column(column).get(key);
  }

  getMany(column: Column, keys: readonly Uint8Array[]): (Uint8Array | undefined)[] {
    this.#requireOpen();
    const contents = this.#columns.column(column);
    return keys.map((key) => contents.get(key));
  }

  *scan(column: Column, range: ScanRange): IterableIterator<Entry> {
    this.#requireOpen();
    for (const entry of this.#columns.column(column).scan(range)) {
      this.#requireOpen();
      yield entry;
    }
  }

  async write(batch: WriteBatch, { sync }: { readonly sync: boolean }): Promise<void> {
    this.#requireOpen();
    if (this.#failure !== undefined) throw this.#failure;
    const payload = batch.finish();
    return new Promise((resolve, reject) => {
      this.#queue.push({ payload, sync, resolve, reject });
      this.#exclusively(() => this.#commitQueued());
    });
  }

  sizeBytes(): Promise<number> {
    return Promise.resolve(this.#writer.length);
  }

  async close(): Promise<void> {
    if (this.#closing.signal.aborted) return;
    this.#closing.abort();
    await this.#compaction;
    await this.#lastExclusive;
    await this.#writer.file.close();
  }

  /** Runs `work`, which must not reject, when everything that was handed in before has ended. */
  #exclusively(work: () => Promise<void>): Promise<void> {
    this.#lastExclusive = this.#lastExclusive.then(work);
    return this.#lastExclusive;
  }

  /** Makes one record of each waiting batch, with one write and at most one sync for all. Never rejects. */
  async #commitQueued(): Promise<void> {
    const group = this.#takeGroup();
    if (group.length === 0) return;
    try {
      if (this.#failure !== undefined) throw this.#failure;
      await this.#writer.append(
        group.map((write) => write.payload),
        group.some((write) => write.sync),
      );
      for (const { payload } of group) this.#columns.apply(payload);
    } catch (cause) {
      const failure = this.#fail(cause);
      for (const { reject } of group) reject(failure);
      return;
    }
    this.#publish();
    for (const { resolve } of group) resolve();
    this.#considerCompaction();
  }

  /** Refuses all further writes: something below may be missing. */
  #fail(cause: unknown): StoreError {
    this.#failure ??= new StoreError(
      'write_failed',
      `cannot add to the store log in ${this.#options.directory}: ${describeCause(cause)}. No further writes are taken; ` +
        'restart once the cause is removed, everything acknowledged is kept',
      { cause },
    );
    return this.#failure;
  }

  #takeGroup(): PendingWrite[] {
    let bytes = 0;
    let count = 0;
    for (const { payload } of this.#queue) {
      if (count > 0 && bytes + payload.length > GROUP_BYTES) break;
      bytes += payload.length;
      count++;
    }
    const group = this.#queue.slice(0, count);
    this.#queue = this.#queue.slice(count);
    return group;
  }

  #publish(): void {
    this.#committed.publish(this.#writer.header.generation, this.#writer.length);
  }

  #considerCompaction(): void {
    const { length } = this.#writer;
    if (this.#compaction !== undefined || this.#closing.signal.aborted) return;
    if (length <= this.#compactAbove || this.#columns.garbageBytes * 2 <= length) return;
    this.#compaction = this.#compact().finally(() => {
      this.#compaction = undefined;
    });
  }

  /** Rewrites the log without what is superseded. Never rejects: the present log stays good whatever happens. */
  async #compact(): Promise<void> {
    const garbageBefore = this.#columns.garbageBytes;
    const contents = this.#columns.snapshot();
    let successor: SuccessorLog | undefined;
    try {
      successor = await SuccessorLog.create(join(this.#options.directory, PREPARED_FILE), this.#writer);
      await successor.writeContents(contents, this.#closing.signal);
      while (successor.behind(this.#writer.length) > SWITCH_BELOW_BYTES) {
        await successor.copyTail(this.#writer.length);
        this.#closing.signal.throwIfAborted();
      }
      await this.#replaceWith(successor);
      this.#columns.garbageBytes -= garbageBefore;
      this.#compactAbove = this.#compactAboveBytes;
    } catch (cause) {
      await successor?.discard();
      if (this.#closing.signal.aborted) return;
      this.#compactAbove = this.#writer.length * 1.25;
      this.#options.log?.(
        `compaction of the store log was given up and will be tried again: ${describeCause(cause)}`,
      );
    }
  }

  async #replaceWith(successor: SuccessorLog): Promise<void> {
    let problem: unknown;
    await this.#exclusively(async () => {
      const present = this.#writer;
      try {
        await successor.copyTail(present.length);
        const next = await successor.seal(present.length);
        putInPlace(this.#options.directory);
        this.#writer = next;
      } catch (cause) {
        problem = cause;
        return;
      }
      this.#publish();
      try {
        await syncDirectory(this.#options.directory);
        await present.file.close();
      } catch (cause) {
        // A power cut might bring the old file back, without what is written from here on.
        this.#options.log?.(this.#fail(cause).message);
      }
    });
    if (problem !== undefined) throw problem;
  }

  #requireOpen(): void {
    if (this.#closing.signal.aborted) throw new StoreError('closed', 'the store was closed');
  }
}

/** Replays an existing log and opens it for more, cutting off an unfinished last record. */
async function reopenLog(
  path: string,
  columns: MemoryColumns,
  log: ((message: string) => void) | undefined,
): Promise<LogWriter> {
  const fd = openSync(path, 'r');
  let recovered: ReturnType<typeof recoverLog>;
  try {
    recovered = recoverLog(fd, path, columns);
  } finally {
    closeSync(fd);
  }
  const { header, length, fileLength } = recovered;
  const file: FileHandle = await open(path, 'r+');
  if (length < fileLength) {
    await file.truncate(length);
    await file.datasync();
    log?.(
      `the last record of ${path} was unfinished: cut off ${fileLength - length} bytes at ${length}, as after a crash`,
    );
  }
  return new LogWriter(file, header, length);
}
