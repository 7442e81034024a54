import { renameSync } from 'node:fs';
import { type FileHandle, open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import {
  encodeHeader,
  encodeRecordHeader,
  FILE_HEADER_BYTES,
  type LogHeader,
  newHeader,
  RECORD_HEADER_BYTES,
} from './log-format.js';

export const LOG_FILE = 'store.log';
/** The next log while it is being written; deleted at startup if a crash leaves it behind. */
const PREPARED_FILE = 'store.log.next';

export async function removePrepared(directory: string): Promise<void> {
  await rm(join(directory, PREPARED_FILE), { force: true });
}

export class LogWriter {
  readonly #file: FileHandle;
  #header: LogHeader;
  #length: number;

  private constructor(file: FileHandle, header: LogHeader, length: number) {
    this.#file = file;
    this.#header = header;
    this.#length = length;
  }

  /** Begins a log beside the current one, without a header until {@link putInPlace}. */
  static async prepare(directory: string, generation: number): Promise<LogWriter> {
    const file = await open(join(directory, PREPARED_FILE), 'w+', 0o600);
    return new LogWriter(file, newHeader(generation), FILE_HEADER_BYTES);
  }

  /** Continues a log at `length`, cutting off the rest of the file. */
  static async reopen(path: string, header: LogHeader, length: number): Promise<LogWriter> {
    const file = await open(path, 'r+');
    if ((await file.stat()).size > length) {
      await file.truncate(length);
      await file.datasync();
    }
    return new LogWriter(file, header, length);
  }

  get generation(): number {
    return this.#header.generation;
  }

  get length(): number {
    return this.#length;
  }

  /** Adds one record for each payload with a single write, and forces it to the disk if `sync`. */
  async append(payloads: readonly Uint8Array[], sync: boolean): Promise<void> {
    const total = payloads.reduce((sum, payload) => sum + RECORD_HEADER_BYTES + payload.length, 0);
    const bytes = new Uint8Array(total);
    let at = 0;
    for (const payload of payloads) {
      bytes.set(encodeRecordHeader(this.#header.salt, this.#length + at, payload), at);
      bytes.set(payload, at + RECORD_HEADER_BYTES);
      at += RECORD_HEADER_BYTES + payload.length;
    }
    await this.#write(bytes, this.#length);
    if (sync) await this.#file.datasync();
    this.#length += total;
  }

  /**
   * Completes a prepared log and makes it the directory's log in one step, durable once the directory is synced.
   * @param previousLength length of the log being replaced.
   */
  async putInPlace(directory: string, previousLength: number): Promise<void> {
    this.#header = { ...this.#header, previousLength, snapshotEnd: this.#length };
    await this.#write(encodeHeader(this.#header), 0);
    await this.#file.datasync();
    renameSync(join(directory, PREPARED_FILE), join(directory, LOG_FILE));
  }

  async close(): Promise<void> {
    await this.#file.close();
  }

  async #write(bytes: Uint8Array, position: number): Promise<void> {
    for (let done = 0; done < bytes.length; ) {
      const { bytesWritten } = await this.#file.write(bytes, done, bytes.length - done, position + done);
      done += bytesWritten;
    }
  }
}
