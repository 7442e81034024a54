import { crc32 } from 'node:zlib';
import { isOpen, type TransactionEnvelope } from '../ledger/transaction-envelope.js';
import type { BundleEnvelope } from './bundle.js';

/*
 * The journal is a row of records: "HMJ1" ‖ u32le length of the body ‖ u32le crc32 of the length's four bytes and the
 * body ‖ body. A body is kind 1 ‖ hash 32, and for kind 1, "came in", borsh(SignedTransaction), for kind 4, "an envelope came
 * in", borsh(SignedEnvelope); for kind 2, "left without
 * being included", nothing more; for kind 3, "a bundle came in", the hash being the bundle's, the last height that may
 * include it as u64le, 2^64 − 1 where there is none, and then each transaction as u32le length ‖ borsh(SignedTransaction).
 * Each record starts with the same four bytes, so that a reader finds the next one after a damaged one.
 */

const MAGIC = Buffer.from('HMJ1', 'latin1');
const HEADER_BYTES = 12;
const HASH_BYTES = 32;
const CAME_IN = 1;
const LEFT = 2;
const BUNDLE_CAME_IN = 3;
const ENVELOPE_CAME_IN = 4;
const NO_HEIGHT = 2n ** 64n - 1n;

/** What a record takes besides the transaction. */
export const RECORD_OVERHEAD_BYTES = HEADER_BYTES + 1 + HASH_BYTES;

export type Recorded = Pick<TransactionEnvelope, 'hash' | 'encoded' | 'signed'>;

export function cameInRecord({ hash, encoded, signed }: Recorded): Buffer {
  return record(isOpen(signed) ? CAME_IN : ENVELOPE_CAME_IN, hash, encoded);
}

export function leftRecord({ hash }: Pick<Recorded, 'hash'>): Buffer {
  return record(LEFT, hash, new Uint8Array(0));
}

/** A transaction or an envelope as the journal keeps it. */
export interface RecordedTransaction {
  readonly isEnvelope: boolean;
  /** borsh(SignedTransaction), or borsh(SignedEnvelope). */
  readonly encoded: Uint8Array;
}

/** A bundle as the journal keeps it. */
export interface RecordedBundle {
  readonly maxHeight: bigint | undefined;
  /** borsh(SignedTransaction) each. */
  readonly transactions: readonly Uint8Array[];
}

export function bundleRecord({ hash, maxHeight, transactions }: BundleEnvelope): Buffer {
  const height = Buffer.allocUnsafe(8);
  height.writeBigUInt64LE(maxHeight ?? NO_HEIGHT);
  const parts: Uint8Array[] = [height];
  for (const { encoded } of transactions) {
    const length = Buffer.allocUnsafe(4);
    length.writeUInt32LE(encoded.length);
    parts.push(length, encoded);
  }
  return record(BUNDLE_CAME_IN, hash, Buffer.concat(parts));
}

/** The checksum of the record was good: its body is as it was written. */
function readBundle(bytes: Buffer): RecordedBundle {
  const height = bytes.readBigUInt64LE(0);
  const transactions: Uint8Array[] = [];
  for (let at = 8; at < bytes.length; ) {
    const end = at + 4 + bytes.readUInt32LE(at);
    transactions.push(new Uint8Array(bytes.subarray(at + 4, end)));
    at = end;
  }
  return { maxHeight: height === NO_HEIGHT ? undefined : height, transactions };
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
  /** What came in and did not leave, in the order in which it came in. */
  readonly transactions: readonly RecordedTransaction[];
  /** The bundles, in the same way. */
  readonly bundles: readonly RecordedBundle[];
  /** Stretches in the middle that are no records: they were damaged, and skipped. */
  readonly damaged: number;
  /** Where the last whole record ends; what follows was being written when the process ended. */
  readonly end: number;
}

export function readJournal(bytes: Buffer): JournalContents {
  const present = new Map<string, RecordedTransaction>();
  const bundles = new Map<string, RecordedBundle>();
  let damaged = 0;
  let end = 0;
  while (end < bytes.length) {
    const start = recordFrom(bytes, end);
    if (start === undefined) break;
    if (start > end) damaged++;
    const body = start + HEADER_BYTES;
    end = body + bytes.readUInt32LE(start + 4);
    const hash = bytes.toString('latin1', body + 1, body + 1 + HASH_BYTES);
    const rest = bytes.subarray(body + 1 + HASH_BYTES, end);
    // Deleted first: what came in again stands where it last did.
    present.delete(hash);
    bundles.delete(hash);
    // Copied, for a transaction that waits long must not keep the whole file in memory.
    const kind = bytes[body];
    if (kind === BUNDLE_CAME_IN) bundles.set(hash, readBundle(rest));
    else if (kind !== LEFT) {
      present.set(hash, { isEnvelope: kind === ENVELOPE_CAME_IN, encoded: new Uint8Array(rest) });
    }
  }
  return { transactions: [...present.values()], bundles: [...bundles.values()], damaged, end };
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
  if (kind === undefined || kind < CAME_IN || kind > ENVELOPE_CAME_IN) return false;
  return bytes.readUInt32LE(start + 8) === checksum(bytes, start, length);
}

function checksum(bytes: Buffer, start: number, length: number): number {
  const ofLength = crc32(bytes.subarray(start + 4, start + 8));
  return crc32(bytes.subarray(start + HEADER_BYTES, start + HEADER_BYTES + length), ofLength);
}
