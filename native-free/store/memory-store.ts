import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { errorMessage } from '../../src/base/errors.js';
import type { Column } from '../../src/storage/columns.js';
import { writeFailure } from '../../src/storage/disk-full.js';
import { syncDirectory } from '../../src/storage/replace-file.js';
import type { Entry, ScanRange, Store, StoreHandle } from '../../src/storage/store.js';
import { StoreError, storeErrorOf } from '../../src/storage/store-error.js';
import type { WriteBatch } from '../../src/storage/write-batch.js';
import { CommittedWord } from './committed.js';
import { damaged } from './log-format.js';
import { LogReader } from './log-reader.js';
import { LOG_FILE, LogWriter, removePrepared } from './log-writer.js';
import { MemoryColumns } from './memory-columns.js';

const REWRITE_ABOVE_BYTES = 64 * 1024 * 1024;

export interface MemoryStoreOptions {
  /** An existing directory for the log. */
  readonly directory: string;
  /** Receives messages for the operator: about a torn tail or a failed rewrite. */
  readonly log?: (message: string) => void;
  /** Length above which the log is rewritten once more than half of it is superseded. Default 64 MiB. */
  readonly compactAboveBytes?: number;
}

interface PendingWrite {
  readonly payload: Uint8Array;
  readonly sync: boolean;
  readonly resolve: () => void;
  readonly reject: (error: StoreError) => void;
}

/**
 * The store without native parts: all contents in memory, and each batch a record of an append-only file, which readers
 * in other threads follow (memory-reader.ts). File format and recovery: log-format.ts.
 */
export class MemoryStore implements Store {
  readonly implementation = 'memory with append-only log';
  readonly #options: MemoryStoreOptions;
  readonly #rewriteAboveBytes: number;
  readonly #committed = new CommittedWord();
  readonly #columns: MemoryColumns;
  readonly #closing = new AbortController();
  #writer: LogWriter;
  #queue: PendingWrite[] = [];
  #lastExclusive: Promise<void> = Promise.resolve();
  #rewrite: Promise<void> | undefined;
  #rewriteAbove: number;
  /** Batches committed since the running rewrite took its snapshot. */
  #sinceSnapshot: Uint8Array[] | undefined;
  #failure: StoreError | undefined;

  private constructor(options: MemoryStoreOptions, columns: MemoryColumns, writer: LogWriter) {
    this.#options = options;
    this.#columns = columns;
    this.#writer = writer;
    this.#rewriteAboveBytes = options.compactAboveBytes ?? REWRITE_ABOVE_BYTES;
    this.#rewriteAbove = this.#rewriteAboveBytes;
    this.#publish();
  }

  /** Opens a store, or creates an empty one. @throws {StoreError} `damaged`, `wrong_format` or `open_failed` */
  static async open(options: MemoryStoreOptions): Promise<MemoryStore> {
    const { directory } = options;
    const columns = new MemoryColumns();
    try {
      await removePrepared(directory);
      const writer = existsSync(join(directory, LOG_FILE))
        ? await recoverLog(options, columns)
        : await createLog(directory);
      return new MemoryStore(options, columns, writer);
    } catch (cause) {
      if (cause instanceof StoreError) throw cause;
      throw storeErrorOf('open_failed', `cannot open the store log in ${directory}`, cause);
    }
  }

  get handle(): StoreHandle {
    const path = join(this.#options.directory, LOG_FILE);
    return { kind: 'memory', path, committed: this.#committed.buffer };
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
    await this.#rewrite;
    await this.#lastExclusive;
    await this.#writer.close();
  }

  /** Runs `work` once all earlier work has ended. */
  #exclusively(work: () => Promise<void>): Promise<void> {
    const done = this.#lastExclusive.then(work);
    this.#lastExclusive = done.catch(() => undefined);
    return done;
  }

  /** Writes each waiting batch as one record, with a single write and at most one sync for all. Never rejects. */
  async #commitQueued(): Promise<void> {
    const group = this.#queue;
    this.#queue = [];
    if (group.length === 0) return;
    try {
      if (this.#failure !== undefined) throw this.#failure;
      await this.#writer.append(
        group.map((write) => write.payload),
        group.some((write) => write.sync),
      );
      for (const { payload } of group) {
        this.#columns.apply(payload);
        // The caller may reuse the buffer after the write.
        this.#sinceSnapshot?.push(payload.slice());
      }
    } catch (cause) {
      const failure = this.#fail(cause);
      for (const { reject } of group) reject(failure);
      return;
    }
    this.#publish();
    for (const { resolve } of group) resolve();
    this.#considerRewrite();
  }

  /** Refuses all further writes, since an earlier one may be missing. */
  #fail(cause: unknown): StoreError {
    this.#failure ??= writeFailure(`the store log in ${this.#options.directory}`, cause);
    return this.#failure;
  }

  #publish(): void {
    this.#committed.publish(this.#writer.generation, this.#writer.length);
  }

  #considerRewrite(): void {
    const { length } = this.#writer;
    if (this.#rewrite !== undefined || this.#closing.signal.aborted) return;
    if (length <= this.#rewriteAbove || this.#columns.garbageBytes * 2 <= length) return;
    this.#rewrite = this.#rewriteLog().finally(() => {
      this.#rewrite = undefined;
    });
  }

  /** Writes the contents to a new log while writes continue. Never rejects: on failure the current log remains. */
  async #rewriteLog(): Promise<void> {
    const garbageBefore = this.#columns.garbageBytes;
    const contents = this.#columns.snapshot();
    const since: Uint8Array[] = [];
    this.#sinceSnapshot = since;
    let next: LogWriter | undefined;
    try {
      next = await LogWriter.prepare(this.#options.directory, this.#writer.generation + 1);
      for (const batch of contents.batches()) {
        await next.append([batch.finish()], false);
        this.#closing.signal.throwIfAborted();
      }
      const complete = next;
      await this.#exclusively(() => this.#switchTo(complete, since));
      this.#columns.garbageBytes -= garbageBefore;
      this.#rewriteAbove = this.#rewriteAboveBytes;
    } catch (cause) {
      await next?.close();
      await removePrepared(this.#options.directory);
      if (this.#closing.signal.aborted) return;
      this.#rewriteAbove = this.#writer.length * 1.25;
      this.#options.log?.(`the store log could not be rewritten and will be retried: ${errorMessage(cause)}`);
    } finally {
      this.#sinceSnapshot = undefined;
    }
  }

  /** Rejects only while the current log is still in place. */
  async #switchTo(next: LogWriter, since: readonly Uint8Array[]): Promise<void> {
    const present = this.#writer;
    await next.append(since, false);
    await next.putInPlace(this.#options.directory, present.length);
    this.#writer = next;
    this.#publish();
    try {
      await syncDirectory(this.#options.directory);
      await present.close();
    } catch (cause) {
      // After a power failure the old file might reappear, without later writes.
      this.#options.log?.(this.#fail(cause).message);
    }
  }

  #requireOpen(): void {
    if (this.#closing.signal.aborted) throw new StoreError('closed', 'the store was closed');
  }
}

/** Creates an empty log, whole or not at all. */
async function createLog(directory: string): Promise<LogWriter> {
  const writer = await LogWriter.prepare(directory, 1);
  await writer.putInPlace(directory, 0);
  await syncDirectory(directory);
  return writer;
}

/** Replays a log into `columns` and cuts off an unfinished last record (rule 4 of log-format.ts). */
async function recoverLog(options: MemoryStoreOptions, columns: MemoryColumns): Promise<LogWriter> {
  const path = join(options.directory, LOG_FILE);
  const reader = new LogReader(path);
  try {
    const { fileLength } = reader;
    const why = reader.replay(columns, fileLength);
    const { offset, header } = reader;
    if (why !== undefined) {
      const next = reader.findRecordHeader(fileLength);
      if (next !== undefined) throw damaged(path, offset, `${why}, but the log continues at byte ${next}`);
      options.log?.(
        `the last record of ${path} was unfinished: cut off ${fileLength - offset} bytes at ${offset}, as after a crash`,
      );
    }
    return await LogWriter.reopen(path, header, offset);
  } finally {
    reader.close();
  }
}
