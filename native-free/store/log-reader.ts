import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { crc32 } from 'node:zlib';
import { errorMessage } from '../../src/base/errors.js';
import { storeErrorOf } from '../../src/storage/store-error.js';
import {
  damaged,
  decodeHeader,
  decodeRecordHeader,
  FILE_HEADER_BYTES,
  type LogHeader,
  RECORD_HEADER_BYTES,
  RECORD_MAGIC,
} from './log-format.js';
import type { MemoryColumns } from './memory-columns.js';

const CHUNK_BYTES = 1 << 20;

/** Reads a log file one chunk at a time, from its start or from where the last read ended. */
export class LogReader {
  readonly header: LogHeader;
  readonly #path: string;
  readonly #fd: number;
  #chunk: Buffer = Buffer.alloc(0);
  #chunkAt = 0;
  #offset = FILE_HEADER_BYTES;

  /** @throws {StoreError} `open_failed`, `damaged` or `wrong_format`. */
  constructor(path: string) {
    this.#path = path;
    try {
      this.#fd = openSync(path, 'r');
    } catch (cause) {
      throw storeErrorOf('open_failed', `cannot read the store log ${path}`, cause);
    }
    try {
      this.header = decodeHeader(this.#bytes(0, FILE_HEADER_BYTES, this.fileLength), path);
    } catch (error) {
      this.close();
      throw error;
    }
  }

  /** Offset of the next record. */
  get offset(): number {
    return this.#offset;
  }

  get fileLength(): number {
    return fstatSync(this.#fd).size;
  }

  /** Skips the snapshot, for a reader that already has its contents from the previous generation. */
  skipSnapshot(): void {
    this.#offset = this.header.snapshotEnd;
  }

  /**
   * Applies the records up to `limit`. Returns undefined on success, else why the record at {@link offset} is
   * unsound.
   * @throws {StoreError} `damaged` for a sound record that holds no batch.
   */
  replay(columns: MemoryColumns, limit: number): string | undefined {
    while (this.#offset < limit) {
      const payloadAt = this.#offset + RECORD_HEADER_BYTES;
      const header = this.#recordHeader(this.#offset, limit);
      if (header === undefined) return 'no sound record header stands there';
      const payload = this.#bytes(payloadAt, header.length, limit);
      if (payload.length < header.length) {
        return `a record of ${header.length} bytes is cut off after ${payload.length}`;
      }
      if (crc32(payload) !== header.crc) {
        return `the checksum of a record of ${header.length} bytes does not match`;
      }
      try {
        columns.apply(payload);
      } catch (cause) {
        const why = `a record with a sound checksum holds an unsound batch: ${errorMessage(cause)}`;
        throw damaged(this.#path, this.#offset, why);
      }
      this.#offset = payloadAt + header.length;
    }
    return undefined;
  }

  /** The first offset above {@link offset} with a sound record header; undefined if there is none up to `limit`. */
  findRecordHeader(limit: number): number | undefined {
    for (let from = this.#offset + 1; from + RECORD_HEADER_BYTES <= limit; ) {
      const bytes = this.#bytes(from, CHUNK_BYTES, limit);
      const found = bytes.indexOf(RECORD_MAGIC);
      const at = from + found;
      if (found >= 0 && this.#recordHeader(at, limit) !== undefined) return at;
      // Without a match, the chunk may still end with the magic's first bytes.
      from = found >= 0 ? at + 1 : from + bytes.length - RECORD_MAGIC.length + 1;
    }
    return undefined;
  }

  close(): void {
    closeSync(this.#fd);
  }

  #recordHeader(at: number, limit: number): ReturnType<typeof decodeRecordHeader> {
    return decodeRecordHeader(this.header.salt, at, this.#bytes(at, RECORD_HEADER_BYTES, limit));
  }

  /** The bytes at an offset, cut off at `limit` and at the end of the file; valid until the next call. */
  #bytes(at: number, wanted: number, limit: number): Buffer {
    const length = Math.min(wanted, limit - at);
    const within = at - this.#chunkAt;
    if (within >= 0 && within + length <= this.#chunk.length) {
      return this.#chunk.subarray(within, within + length);
    }
    const chunk = Buffer.allocUnsafeSlow(Math.min(limit - at, Math.max(length, CHUNK_BYTES)));
    let filled = 0;
    for (let read = -1; read !== 0 && filled < chunk.length; filled += read) {
      read = readSync(this.#fd, chunk, filled, chunk.length - filled, at + filled);
    }
    this.#chunk = chunk.subarray(0, filled);
    this.#chunkAt = at;
    return this.#chunk.subarray(0, length);
  }
}
