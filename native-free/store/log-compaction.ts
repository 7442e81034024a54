import { type FileHandle, open, rm } from 'node:fs/promises';
import { COLUMNS } from '../../src/storage/columns.js';
import { StoreError } from '../../src/storage/store-error.js';
import { WriteBatch } from '../../src/storage/write-batch.js';
import { encodeHeader, FILE_HEADER_BYTES, type LogHeader, nextHeader } from './log-format.js';
import { LogReader } from './log-reader.js';
import { LogWriter, writeFully } from './log-writer.js';
import type { MemoryColumns } from './memory-columns.js';

/** Bytes written, and entries visited, between two turns of the event loop: about 2 ms of work. */
const PORTION_BYTES = 256 * 1024;
const PORTION_ENTRIES = 2048;

/**
 * The next generation of a log while it is prepared beside the present one: first the contents at one moment, then every
 * record that was added since.
 */
export class SuccessorLog {
  readonly #path: string;
  readonly #file: FileHandle;
  readonly #header: LogHeader;
  readonly #writer: LogWriter;
  readonly #tail: LogReader;

  private constructor(path: string, file: FileHandle, header: LogHeader, tail: LogReader) {
    this.#path = path;
    this.#file = file;
    this.#header = header;
    this.#writer = new LogWriter(file, header, FILE_HEADER_BYTES);
    this.#tail = tail;
  }

  /**
   * @param path of the new file; an earlier one there is overwritten.
   * @param present the log to succeed; what it gains from its present length on is copied by {@link copyTail}.
   */
  static async create(path: string, present: LogWriter): Promise<SuccessorLog> {
    const tail = new LogReader(present.file.fd, present.header.salt, present.length);
    return new SuccessorLog(path, await open(path, 'w+', 0o600), nextHeader(present.header), tail);
  }

  /** Bytes of the present log, up to `length`, that are not copied yet. */
  behind(length: number): number {
    return length - this.#tail.offset;
  }

  /** Writes what the store held when the copying of the tail begins, leaving the event loop free in between. */
  async writeContents(contents: MemoryColumns, signal: AbortSignal): Promise<void> {
    let batch = new WriteBatch();
    for (const column of COLUMNS) {
      for (const [key, value] of contents.column(column).scan({})) {
        batch.put(column, key, value);
        if (batch.byteLength < PORTION_BYTES && batch.count < PORTION_ENTRIES) continue;
        await this.#writer.append([batch.finish()], false);
        signal.throwIfAborted();
        batch = new WriteBatch();
      }
    }
    if (batch.count > 0) await this.#writer.append([batch.finish()], false);
  }

  /** Copies records of the present log up to `length`, one portion at a time. */
  async copyTail(length: number): Promise<void> {
    while (this.behind(length) > 0) {
      const payloads: Uint8Array[] = [];
      for (let bytes = 0; bytes < PORTION_BYTES && this.behind(length) > 0; ) {
        const record = this.#tail.next(length);
        if (record.type !== 'record') {
          const why = record.type === 'unsound' ? record.why : 'it ended early';
          throw new StoreError(
            'read_failed',
            `the store log changed under compaction at byte ${this.#tail.offset}: ${why}`,
          );
        }
        payloads.push(record.payload.slice());
        bytes += record.payload.length;
      }
      await this.#writer.append(payloads, false);
    }
  }

  /** Completes the file, durably: it now holds what the present log's first `previousLength` bytes held. */
  async seal(previousLength: number): Promise<LogWriter> {
    const { length } = this.#writer;
    const header: LogHeader = { ...this.#header, previousLength, snapshotEnd: length };
    await writeFully(this.#file, encodeHeader(header), 0);
    await this.#file.datasync();
    return new LogWriter(this.#file, header, length);
  }

  /** Gives the file up. */
  async discard(): Promise<void> {
    await this.#file.close();
    await rm(this.#path, { force: true });
  }
}
