/**
 * The memory store's append-only file. Integers are little-endian.
 *
 * 1. A header of 64 bytes: magic (8), number of columns (u32), CRC-32 of the column names joined by "," (u32),
 *    generation (u64), previous length (u64), snapshot end (u64), salt (16), zero (u32), CRC-32 of the 60 bytes
 *    before it (u32).
 * 2. Records: magic (u32), payload length (u32), CRC-32 of the payload (u32), CRC-32 of salt ‖ the record's offset
 *    (u64) ‖ the 12 bytes before (u32); then the payload, an encoded batch. The salt is random, so no payload can
 *    imitate a record.
 * 3. A rewrite makes a new file with the next generation and renames it into place. Its first `snapshot end` bytes
 *    hold the contents of the first `previous length` bytes of the previous generation; a reader that has applied
 *    those bytes continues at `snapshot end`.
 * 4. A crash leaves at most one unfinished record, the last. An unsound record is cut off if no sound record header
 *    follows it; otherwise it is damage and is reported.
 *
 * @module
 */

import { randomBytes } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { COLUMNS } from '../../src/storage/columns.js';
import { StoreError } from '../../src/storage/store-error.js';

export const FILE_HEADER_BYTES = 64;
export const RECORD_HEADER_BYTES = 16;
/** First bytes of every record. */
export const RECORD_MAGIC = Buffer.from('HDSL', 'latin1');
const FILE_MAGIC = Buffer.from('HEDDLOG1', 'latin1');
const SALT_AT = 40;
const SALT_BYTES = 16;
const CRC_AT = 60;

export interface LogHeader {
  readonly generation: number;
  /** Bytes of the previous generation whose contents the first {@link snapshotEnd} bytes of this file hold (rule 3). */
  readonly previousLength: number;
  readonly snapshotEnd: number;
  /** 16 random bytes. */
  readonly salt: Uint8Array;
}

/** The header of a file without contents. */
export function newHeader(generation: number): LogHeader {
  return { generation, previousLength: 0, snapshotEnd: FILE_HEADER_BYTES, salt: randomBytes(SALT_BYTES) };
}

export function encodeHeader(header: LogHeader): Uint8Array {
  const bytes = Buffer.alloc(FILE_HEADER_BYTES);
  FILE_MAGIC.copy(bytes);
  bytes.writeUInt32LE(COLUMNS.length, 8);
  bytes.writeUInt32LE(columnsCrc(COLUMNS.length), 12);
  bytes.writeBigUInt64LE(BigInt(header.generation), 16);
  bytes.writeBigUInt64LE(BigInt(header.previousLength), 24);
  bytes.writeBigUInt64LE(BigInt(header.snapshotEnd), 32);
  bytes.set(header.salt, SALT_AT);
  bytes.writeUInt32LE(crc32(bytes.subarray(0, CRC_AT)), CRC_AT);
  return bytes;
}

/** @param header the first 64 bytes of the file, or fewer @throws {StoreError} `damaged` or `wrong_format` */
export function decodeHeader(header: Buffer, path: string): LogHeader {
  if (header.length < FILE_HEADER_BYTES) {
    throw damaged(path, 0, `the file has ${header.length} bytes, its header alone ${FILE_HEADER_BYTES}`);
  }
  if (!header.subarray(0, FILE_MAGIC.length).equals(FILE_MAGIC)) {
    throw new StoreError(
      'wrong_format',
      `${path} is not a store log of this version: expected it to begin with "${FILE_MAGIC.toString('latin1')}"`,
    );
  }
  if (header.readUInt32LE(CRC_AT) !== crc32(header.subarray(0, CRC_AT))) {
    throw damaged(path, 0, 'the checksum of the file header does not match');
  }
  const columns = header.readUInt32LE(8);
  if (columns > COLUMNS.length || header.readUInt32LE(12) !== columnsCrc(columns)) {
    throw new StoreError(
      'wrong_format',
      `${path} has other columns than this version: expected a beginning of ${COLUMNS.join(',')}, got ${columns} columns`,
    );
  }
  return {
    generation: Number(header.readBigUInt64LE(16)),
    previousLength: Number(header.readBigUInt64LE(24)),
    snapshotEnd: Number(header.readBigUInt64LE(32)),
    salt: Uint8Array.from(header.subarray(SALT_AT, SALT_AT + SALT_BYTES)),
  };
}

/** The header of a record at `offset` of the file. */
export function encodeRecordHeader(salt: Uint8Array, offset: number, payload: Uint8Array): Uint8Array {
  const bytes = Buffer.allocUnsafe(RECORD_HEADER_BYTES);
  RECORD_MAGIC.copy(bytes);
  bytes.writeUInt32LE(payload.length, 4);
  bytes.writeUInt32LE(crc32(payload), 8);
  bytes.writeUInt32LE(recordHeaderCrc(salt, offset, bytes), 12);
  return bytes;
}

/** Length and checksum of the payload; undefined if `bytes` is not a sound record header for that offset. */
export function decodeRecordHeader(
  salt: Uint8Array,
  offset: number,
  bytes: Buffer,
): { readonly length: number; readonly crc: number } | undefined {
  if (bytes.length < RECORD_HEADER_BYTES || !bytes.subarray(0, RECORD_MAGIC.length).equals(RECORD_MAGIC))
    return undefined;
  if (bytes.readUInt32LE(12) !== recordHeaderCrc(salt, offset, bytes)) return undefined;
  return { length: bytes.readUInt32LE(4), crc: bytes.readUInt32LE(8) };
}

function recordHeaderCrc(salt: Uint8Array, offset: number, header: Buffer): number {
  const position = Buffer.allocUnsafe(8);
  position.writeBigUInt64LE(BigInt(offset));
  return crc32(header.subarray(0, 12), crc32(position, crc32(salt)));
}

/** A {@link StoreError} for damage, with the remedy. */
export function damaged(path: string, offset: number, why: string): StoreError {
  return new StoreError(
    'damaged',
    `${path} is damaged at byte ${offset}: ${why}. Nothing was changed. Restore the data directory from a backup or a snapshot; ` +
      `to give up everything written from there on instead, keep a copy and cut the file to ${offset} bytes.`,
  );
}

function columnsCrc(count: number): number {
  return crc32(COLUMNS.slice(0, count).join(','));
}
