import { crc32 } from 'node:zlib';
import { isOpen, type TransactionEnvelope } from '../../ledger/transaction-envelope.js';
import type { BundleEnvelope } from '../bundles/bundle.js';

/*
 * The journal is a sequence of records: "HMJ1" ‖ u32le body length ‖ u32le crc32 of the four length bytes and the body
 * ‖ body. A body is kind 1 ‖ hash 32 ‖ content:
 *
 * 1  transaction admitted: borsh(SignedTransaction)
 * 2  transaction or bundle removed without inclusion: the reason in ASCII, or nothing
 * 3  bundle admitted (the hash is the bundle's): its last height u64le, 2^64 − 1 for none, then for each transaction
 *    u32le length ‖ borsh(SignedTransaction)
 * 4  envelope admitted: borsh(SignedEnvelope)
 * 5  last height of a bundle extended: u64le
 *
 * All records start with the same four bytes, so that a reader finds the next record after a damaged one. A reader
 * treats records of unknown kind as damaged and skips them.
 */

const MAGIC = Buffer.from('HMJ1', 'latin1');
const HEADER_BYTES = 12;
const HASH_BYTES = 32;
const CAME_IN = 1;
const LEFT = 2;
const BUNDLE_CAME_IN = 3;
const ENVELOPE_CAME_IN = 4;
const BUNDLE_EXTENDED = 5;
/** A record claiming a longer body is damaged: the longest bundle is as long as a block's body. */
const MAX_BODY_LENGTH = 64 * 1_048_576;
/** Longer than any reason. */
const MAX_REASON_BYTES = 64;
const NO_HEIGHT = 2n ** 64n - 1n;

/** Size of a record without its transaction. */
export const RECORD_OVERHEAD_BYTES = HEADER_BYTES + 1 + HASH_BYTES;

export function admittedRecord({ hash, encoded, signed }: TransactionEnvelope): Buffer {
  return record(isOpen(signed) ? CAME_IN : ENVELOPE_CAME_IN, hash, encoded);
}

/** @param reason a short word in ASCII */
export function removedRecord(hash: Uint8Array, reason: string): Buffer {
  return record(LEFT, hash, Buffer.from(reason, 'latin1'));
}

export interface RecordedTransaction {
  readonly isEnvelope: boolean;
  /** borsh(SignedTransaction) or borsh(SignedEnvelope). */
  readonly encoded: Uint8Array;
}

export interface RecordedBundle {
  readonly maxHeight: bigint | undefined;
  /** borsh(SignedTransaction) each. */
  readonly transactions: readonly Uint8Array[];
}

export function bundleRecord({ hash, maxHeight, transactions }: BundleEnvelope): Buffer {
  const parts: Uint8Array[] = [heightBytes(maxHeight)];
  for (const { encoded } of transactions) {
    const length = Buffer.allocUnsafe(4);
    length.writeUInt32LE(encoded.length);
    parts.push(length, encoded);
  }
  return record(BUNDLE_CAME_IN, hash, Buffer.concat(parts));
}

/** Refers to a bundle already in the journal: 53 bytes, independent of its transactions. */
export function extensionRecord({ hash, maxHeight }: BundleEnvelope): Buffer {
  return record(BUNDLE_EXTENDED, hash, heightBytes(maxHeight));
}

function heightBytes(height: bigint | undefined): Buffer {
  const bytes = Buffer.allocUnsafe(8);
  bytes.writeBigUInt64LE(height ?? NO_HEIGHT);
  return bytes;
}

function readHeight(bytes: Buffer): bigint | undefined {
  const height = bytes.readBigUInt64LE(0);
  return height === NO_HEIGHT ? undefined : height;
}

/** Assumes an intact body, because the record's checksum was valid. */
function readBundle(bytes: Buffer): RecordedBundle {
  const transactions: Uint8Array[] = [];
  for (let at = 8; at < bytes.length; ) {
    const end = at + 4 + bytes.readUInt32LE(at);
    transactions.push(new Uint8Array(bytes.subarray(at + 4, end)));
    at = end;
  }
  return { maxHeight: readHeight(bytes), transactions };
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

export type JournalRecord =
  | { readonly kind: 'transaction'; readonly hash: string; readonly transaction: RecordedTransaction }
  | { readonly kind: 'bundle'; readonly hash: string; readonly bundle: RecordedBundle }
  | { readonly kind: 'extension'; readonly hash: string; readonly maxHeight: bigint | undefined }
  | { readonly kind: 'left'; readonly hash: string; readonly reason: string };

/** The bounds of the next complete record in a span; only the start of one that may extend beyond it. */
export function findRecord(bytes: Buffer, from: number): { readonly start: number; readonly end?: number } {
  for (let at = from; ; at++) {
    const start = bytes.indexOf(MAGIC, at);
    // The span may end within the magic of the next record.
    if (start < 0) return { start: Math.max(from, bytes.length - MAGIC.length + 1) };
    const end = endOfRecord(bytes, start);
    if (end === 'beyond') return { start };
    if (end !== undefined) return { start, end };
    at = start;
  }
}

/** Copies the returned bytes, so that they do not keep the whole span in memory. */
export function readRecord(bytes: Buffer, start: number, end: number): JournalRecord {
  const body = start + HEADER_BYTES;
  const hash = bytes.toString('latin1', body + 1, body + 1 + HASH_BYTES);
  const rest = bytes.subarray(body + 1 + HASH_BYTES, end);
  const kind = bytes[body];
  if (kind === BUNDLE_CAME_IN) return { kind: 'bundle', hash, bundle: readBundle(rest) };
  if (kind === BUNDLE_EXTENDED) return { kind: 'extension', hash, maxHeight: readHeight(rest) };
  if (kind === LEFT) return { kind: 'left', hash, reason: rest.toString('latin1', 0, MAX_REASON_BYTES) };
  const transaction = { isEnvelope: kind === ENVELOPE_CAME_IN, encoded: new Uint8Array(rest) };
  return { kind: 'transaction', hash, transaction };
}

/** @returns undefined if no record starts here, `beyond` if the span is too short to tell */
function endOfRecord(bytes: Buffer, start: number): number | 'beyond' | undefined {
  const left = bytes.length - start;
  if (left < RECORD_OVERHEAD_BYTES) return 'beyond';
  const length = bytes.readUInt32LE(start + 4);
  if (length < 1 + HASH_BYTES || length > MAX_BODY_LENGTH) return undefined;
  const kind = bytes[start + HEADER_BYTES];
  if (kind === undefined || kind < CAME_IN || kind > BUNDLE_EXTENDED) return undefined;
  if (length > left - HEADER_BYTES) return 'beyond';
  if (bytes.readUInt32LE(start + 8) !== checksum(bytes, start, length)) return undefined;
  return start + HEADER_BYTES + length;
}

function checksum(bytes: Buffer, start: number, length: number): number {
  const ofLength = crc32(bytes.subarray(start + 4, start + 8));
  return crc32(bytes.subarray(start + HEADER_BYTES, start + HEADER_BYTES + length), ofLength);
}
