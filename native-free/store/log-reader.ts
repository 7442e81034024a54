import { readSync } from 'node:fs';
import { crc32 } from 'node:zlib';
import {
  decodeHeader,
  decodeRecordHeader,
  FILE_HEADER_BYTES,
  type LogHeader,
  RECORD_HEADER_BYTES,
  RECORD_MAGIC,
} from './log-format.js';

const CHUNK_BYTES = 1 << 20;

/** What stands at a place in the log. */
export type LogRecord =
  /** A sound record. `payload` is good until the next call; `end` is the offset behind it. */
  | { readonly type: 'record'; readonly payload: Uint8Array; readonly end: number }
  /** The limit was reached exactly. */
  | { readonly type: 'end' }
  | { readonly type: 'unsound'; readonly why: string };

/**
 * Reads and checks the records of an open log file one after the other, through one buffer.
 */
export class LogReader {
  readonly #fd: number;
  readonly #salt: Uint8Array;
  #chunk: Buffer = Buffer.alloc(0);
  #chunkAt = 0;
  #offset: number;

  /** @param offset of the first record to read. */
  constructor(fd: number, salt: Uint8Array, offset: number) {
    this.#fd = fd;
    this.#salt = salt;
    this.#offset = offset;
  }

  /** Where the next record begins. */
  get offset(): number {
    return this.#offset;
  }

  /** Reads the next record; nothing at or behind `limit` belongs to the log. */
  next(limit: number): LogRecord {
    const at = this.#offset;
    if (at === limit) return { type: 'end' };
    if (at + RECORD_HEADER_BYTES > limit) return { type: 'unsound', why: 'a record header is cut off' };
    const header = decodeRecordHeader(this.#salt, at, this.#bytes(at, RECORD_HEADER_BYTES, limit));
    if (header === undefined) return { type: 'unsound', why: 'no sound record header stands there' };
    const payloadAt = at + RECORD_HEADER_BYTES;
    const end = payloadAt + header.length;
    if (end > limit) {
      return {
        type: 'unsound',
        why: `a record of ${header.length} bytes is cut off after ${limit - payloadAt}`,
      };
    }
    const payload = this.#bytes(payloadAt, header.length, limit);
    if (payload.length < header.length || crc32(payload) !== header.crc) {
      return { type: 'unsound', why: `the checksum of a record of ${header.length} bytes does not match` };
    }
    this.#offset = end;
    return { type: 'record', payload, end };
  }

  /** The first offset above `from` where a sound record header stands, if any. */
  findRecordHeader(from: number, limit: number): number | undefined {
    const magic = Buffer.alloc(4);
    magic.writeUInt32LE(RECORD_MAGIC);
    for (let at = from + 1; at + RECORD_HEADER_BYTES <= limit; ) {
      const bytes = this.#bytes(at, Math.min(CHUNK_BYTES, limit - at), limit);
      if (bytes.length < RECORD_HEADER_BYTES) return undefined;
      const found = bytes.indexOf(magic);
      if (found < 0) {
        if (at + bytes.length >= limit) return undefined;
        at += bytes.length - magic.length + 1;
        continue;
      }
      at += found;
      if (at + RECORD_HEADER_BYTES > limit) return undefined;
      if (decodeRecordHeader(this.#salt, at, this.#bytes(at, RECORD_HEADER_BYTES, limit)) !== undefined)
        return at;
      at++;
    }
    return undefined;
  }

  #bytes(at: number, length: number, limit: number): Buffer {
    const within = at - this.#chunkAt;
    if (within < 0 || within + length > this.#chunk.length) {
      this.#chunk = readAt(this.#fd, at, Math.min(limit - at, Math.max(length, CHUNK_BYTES)));
      this.#chunkAt = at;
      return this.#chunk.subarray(0, length);
    }
    return this.#chunk.subarray(within, within + length);
  }
}

/** Reads and checks the header of an open log file of at least 64 bytes. */
export function readHeader(fd: number, path: string): LogHeader {
  return decodeHeader(readAt(fd, 0, FILE_HEADER_BYTES), path);
}

/** Up to `length` bytes at an offset; fewer only at the end of the file. */
function readAt(fd: number, offset: number, length: number): Buffer {
  const bytes = Buffer.allocUnsafeSlow(length);
  let filled = 0;
  while (filled < length) {
    const read = readSync(fd, bytes, filled, length - filled, offset + filled);
    if (read === 0) break;
    filled += read;
  }
  return bytes.subarray(0, filled);
}
