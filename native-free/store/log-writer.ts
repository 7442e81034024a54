import type { FileHandle } from 'node:fs/promises';
import { encodeRecordHeader, type LogHeader, RECORD_HEADER_BYTES } from './log-format.js';

/** The end of an open log file, where records are added. */
export class LogWriter {
  readonly file: FileHandle;
  readonly header: LogHeader;
  #length: number;

  /** @param length of the file up to which it is sound. */
  constructor(file: FileHandle, header: LogHeader, length: number) {
    this.file = file;
    this.header = header;
    this.#length = length;
  }

  /** Bytes of the file. */
  get length(): number {
    return this.#length;
  }

  /** Adds one record for each payload with a single write, and forces it to the disk if `sync`. */
  async append(payloads: readonly Uint8Array[], sync: boolean): Promise<void> {
    const total = payloads.reduce((sum, payload) => sum + RECORD_HEADER_BYTES + payload.length, 0);
    const bytes = new Uint8Array(total);
    let at = 0;
    for (const payload of payloads) {
      bytes.set(encodeRecordHeader(this.header.salt, this.#length + at, payload), at);
      bytes.set(payload, at + RECORD_HEADER_BYTES);
      at += RECORD_HEADER_BYTES + payload.length;
    }
    await writeFully(this.file, bytes, this.#length);
    if (sync) await this.file.datasync();
    this.#length += total;
  }
}

/** Writes all of `bytes` at a place of the file. */
export async function writeFully(file: FileHandle, bytes: Uint8Array, position: number): Promise<void> {
  for (let done = 0; done < bytes.length; ) {
    const { bytesWritten } = await file.write(bytes, done, bytes.length - done, position + done);
    done += bytesWritten;
  }
}
