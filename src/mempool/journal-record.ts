import { crc32 } from 'node:zlib';
import type { VerifiedTransaction } from '../ledger/verified-transaction.js';

/*
 * The journal is a row of records: "HMJ1" ‖ u32le length of the body ‖ u32le crc32 of the length's four bytes and the
 * body ‖ body. A body is kind 1 ‖ hash 32, and for kind 1, "came in", borsh(SignedTransaction); for kind 2, "left without
 * being included", nothing more. Each record starts with the same four bytes, so that a reader finds the next one after
 * a damaged one.
 */

const MAGIC = Buffer.from('HMJ1', 'latin1');
const HEADER_BYTES = 12;
const HASH_BYTES = 32;
const CAME_IN = 1;
const LEFT = 2;

/** What a record takes besides the transaction. */
export const RECORD_OVERHEAD_BYTES = HEADER_BYTES + 1 + HASH_BYTES;

type Recorded = Pick<VerifiedTransaction, 'hash' | 'encoded'>;

export function cameInRecord({ hash, encoded }: Recorded): Buffer {
  return record(CAME_IN, hash, encoded);
}

export function leftRecord({ hash }: Pick<Recorded, 'hash'>): Buffer {
  return record(LEFT, hash, new Uint8Array(0));
}

function record(kind: number, hash: Uint8Array, rest: Uint8Array): Buffer {
  const length = 1 + HASH_BYTES + rest.length;
  const bytes = Buffer.allocUnsafe(HEADER_BYTES + length);
  bytes.set(MAGIC);
  bytes.writeUInt32LE(length, 4);
  bytes[HEADER_BYTES] = kind;
  bytes.set(hash, HEADER_BYTES + 1);
  bytes.set(rest, HEADER_BYTES + 1 + HASH_BYTES);
  bytes.writeUInt32LE(checksum(bytes, 0, length), 8);
  return bytes;
}

/** What a journal says, read from first to last. */
export interface JournalContents {
  /** borsh(SignedTransaction) of what came in and did not leave, in the order in which it came in. */
  readonly transactions: readonly Uint8Array[];
  /** Stretches in the middle that are no records: they were damaged, and skipped. */
  readonly damaged: number;
  /** Where the last whole record ends; what follows was being written when the process ended. */
  readonly end: number;
}

export function readJournal(bytes: Buffer): JournalContents {
  const present = new Map<string, Uint8Array>();
  let damaged = 0;
  let end = 0;
  while (end < bytes.length) {
    const start = recordFrom(bytes, end);
    if (start === undefined) break;
    if (start > end) damaged++;
    const body = start + HEADER_BYTES;
    end = body + bytes.readUInt32LE(start + 4);
    const hash = bytes.toString('latin1', body + 1, body + 1 + HASH_BYTES);
    // Deleted first: what came in again stands where it last did.
    present.delete(hash);
    // Copied, for a transaction that waits long must not keep the whole file in memory.
    if (bytes[body] === CAME_IN)
      present.set(hash, new Uint8Array(bytes.subarray(body + 1 + HASH_BYTES, end)));
  }
  return { transactions: [...present.values()], damaged, end };
}

/** Where the first whole record at or after `from` starts. */
function recordFrom(bytes: Buffer, from: number): number | undefined {
  let start = bytes.indexOf(MAGIC, from);
  while (start >= 0) {
    if (isRecord(bytes, start)) return start;
    start = bytes.indexOf(MAGIC, start + 1);
  }
  return undefined;
}

function isRecord(bytes: Buffer, start: number): boolean {
  if (bytes.length - start < RECORD_OVERHEAD_BYTES) return false;
  const length = bytes.readUInt32LE(start + 4);
  if (length < 1 + HASH_BYTES || length > bytes.length - start - HEADER_BYTES) return false;
  const kind = bytes[start + HEADER_BYTES];
  if (kind !== CAME_IN && kind !== LEFT) return false;
  return bytes.readUInt32LE(start + 8) === checksum(bytes, start, length);
}

function checksum(bytes: Buffer, start: number, length: number): number {
  const ofLength = crc32(bytes.subarray(start + 4, start + 8));
  return crc32(bytes.subarray(start + HEADER_BYTES, start + HEADER_BYTES + length), ofLength);
}
