import { concatBytes } from '../base/concat-bytes.js';
import { COLUMNS, type Column } from './columns.js';
import { StoreError } from './store-error.js';

/*
 * Encoding of a batch, also used as the payload of the memory store's log records. Operations follow each other without
 * padding; integers are little-endian:
 *
 *   u8   operation: 0 delete, 1 put
 *   u8   column, as an index into COLUMNS
 *   u16  key length in bytes
 *   u32  value length in bytes (0 for a delete)
 *        key, value
 */
const DELETE = 0;
const PUT = 1;
const HEADER_BYTES = 8;

const INITIAL_BYTES = 4096;

/** Up to this length, a loop copies faster than `set` (bench/store.bench.ts). */
const COPY_LOOP_BYTES = 16;

const MAX_KEY_BYTES = 0xffff;
/** Maximum encoded batch length: fits one ArrayBuffer and one log record with room to spare. */
const MAX_BATCH_BYTES = 0x4000_0000;

const COLUMN_INDEX: ReadonlyMap<Column, number> = new Map(COLUMNS.map((column, index) => [column, index]));

/** An encoded batch in consecutive pieces of whole operations, applied atomically. */
export type BatchPieces = readonly Uint8Array[];

/**
 * Collects writes to be applied atomically, in flat binary buffers that can be passed to another thread without
 * copying. Operations apply in the order they were added: a later one on the same key wins.
 */
export class WriteBatch {
  #bytes: Uint8Array;
  #length = 0;
  #count = 0;
  #finished = false;
  /** Pieces that precede the operations in `#bytes`. */
  #pieces: Uint8Array[] = [];
  #pieceBytes = 0;

  /** @param room initial buffer, overwritten from its start; the batch allocates its own buffers once it is full */
  constructor(room: Uint8Array = new Uint8Array(INITIAL_BYTES)) {
    this.#bytes = room;
  }

  get count(): number {
    return this.#count;
  }

  get byteLength(): number {
    return this.#pieceBytes + this.#length;
  }

  /** @param key 1 to 65,535 bytes @throws {StoreError} `invalid_batch` beyond the limits or after {@link finish} */
  put(column: Column, key: Uint8Array, value: Uint8Array): void {
    const keyAt = this.#begin(PUT, column, key, value.length);
    const valueAt = keyAt + key.length;
    copy(value, this.#bytes, valueAt);
    this.#length = valueAt + value.length;
  }

  /** Removes a key; removing an absent key is not an error. Limits and errors as for {@link put}. */
  delete(column: Column, key: Uint8Array): void {
    const keyAt = this.#begin(DELETE, column, key, 0);
    this.#length = keyAt + key.length;
  }

  /** Adds the operations of a finished batch. @throws {StoreError} `invalid_batch` if the bytes are not one */
  append(encoded: Uint8Array): void {
    const count = countOperations(encoded);
    this.#reserve(encoded.length);
    this.#bytes.set(encoded, this.#length);
    this.#length += encoded.length;
    this.#count += count;
  }

  /**
   * {@link append} without a copy: the bytes must not change until the batch has been written.
   * @throws {StoreError} `invalid_batch` if the bytes are not an encoded batch, or the batch becomes too long.
   */
  adopt(pieces: BatchPieces): void {
    this.#requireOpen();
    for (const piece of pieces) {
      const count = countOperations(piece);
      requireLength(this.byteLength + piece.length);
      this.#endPiece();
      this.#pieces.push(piece);
      this.#pieceBytes += piece.length;
      this.#count += count;
    }
  }

  /** Returns the encoded operations in a transferable buffer and ends the batch. `store.write` calls this itself. */
  finish(): Uint8Array<ArrayBuffer> {
    const pieces = this.finishPieces();
    const [only] = pieces;
    if (pieces.length === 1 && only !== undefined && isUnshared(only)) return only;
    return concatBytes(pieces);
  }

  /** {@link finish} without joining the adopted pieces. Only buffers without other users may be transferred. */
  finishPieces(): BatchPieces {
    this.#requireOpen();
    this.#finished = true;
    this.#endPiece();
    return this.#pieces;
  }

  #endPiece(): void {
    if (this.#length === 0) return;
    this.#pieces.push(this.#bytes.subarray(0, this.#length));
    this.#pieceBytes += this.#length;
    this.#bytes = new Uint8Array(0);
    this.#length = 0;
  }

  // Hot path: about six entries per transaction (bench/store.bench.ts).
  #begin(operation: number, column: Column, key: Uint8Array, valueLength: number): number {
    const index = COLUMN_INDEX.get(column);
    const keyLength = key.length;
    if (index === undefined || keyLength === 0 || keyLength > MAX_KEY_BYTES) {
      throw new StoreError(
        'invalid_batch',
        `expected a known column and a key of 1 to ${MAX_KEY_BYTES} bytes, got column "${column}" and ${keyLength} bytes`,
      );
    }
    this.#reserve(HEADER_BYTES + keyLength + valueLength);
    const bytes = this.#bytes;
    const at = this.#length;
    bytes[at] = operation;
    bytes[at + 1] = index;
    bytes[at + 2] = keyLength;
    bytes[at + 3] = keyLength >>> 8;
    bytes[at + 4] = valueLength;
    bytes[at + 5] = valueLength >>> 8;
    bytes[at + 6] = valueLength >>> 16;
    bytes[at + 7] = valueLength >>> 24;
    copy(key, bytes, at + HEADER_BYTES);
    this.#count++;
    return at + HEADER_BYTES;
  }

  #reserve(more: number): void {
    const needed = this.#length + more;
    if (needed <= this.#bytes.length) return;
    this.#requireOpen();
    requireLength(this.#pieceBytes + needed);
    const wanted = Math.max(needed, this.#bytes.length * 2, INITIAL_BYTES);
    const grown = new Uint8Array(Math.min(MAX_BATCH_BYTES, wanted));
    grown.set(this.#bytes.subarray(0, this.#length));
    this.#bytes = grown;
  }

  #requireOpen(): void {
    if (this.#finished) throw new StoreError('invalid_batch', 'the batch was already written or finished');
  }
}

function requireLength(bytes: number): void {
  if (bytes > MAX_BATCH_BYTES) {
    throw new StoreError('invalid_batch', `a batch holds at most ${MAX_BATCH_BYTES} bytes, got ${bytes}`);
  }
}

function copy(from: Uint8Array, to: Uint8Array, at: number): void {
  if (from.length > COPY_LOOP_BYTES) {
    to.set(from, at);
    return;
  }
  for (let i = 0; i < from.length; i++) to[at + i] = from[i] as number;
}

/** The buffers that can be transferred to another thread; the others are shared memory. */
export function unsharedBuffers(pieces: BatchPieces): ArrayBuffer[] {
  return [...new Set(pieces.filter(isUnshared).map(({ buffer }) => buffer))];
}

/** True if the buffer is not shared memory. */
export function isUnshared(bytes: Uint8Array): bytes is Uint8Array<ArrayBuffer> {
  return bytes.buffer instanceof ArrayBuffer;
}

/** Visits the operations of an encoded batch in order. Keys and values are views into the batch. */
export interface OperationVisitor {
  put(column: Column, key: Uint8Array, value: Uint8Array): void;
  delete(column: Column, key: Uint8Array): void;
}

/** Decodes a batch. @throws {StoreError} `invalid_batch` at the first unsound operation, after visiting those before */
export function forEachOperation(encoded: Uint8Array, visitor: OperationVisitor): void {
  for (let at = 0; at < encoded.length; ) {
    const end = operationEnd(encoded, at);
    const column = COLUMNS[encoded[at + 1] as number] as Column;
    const keyAt = at + HEADER_BYTES;
    const keyEnd = keyAt + keyLengthAt(encoded, at);
    if (encoded[at] === PUT) {
      visitor.put(column, encoded.subarray(keyAt, keyEnd), encoded.subarray(keyEnd, end));
    } else {
      visitor.delete(column, encoded.subarray(keyAt, keyEnd));
    }
    at = end;
  }
}

/** Checks an encoded batch and counts its operations. @throws {StoreError} `invalid_batch` with an offset */
export function countOperations(encoded: Uint8Array): number {
  let count = 0;
  for (let at = 0; at < encoded.length; at = operationEnd(encoded, at)) count++;
  return count;
}

function keyLengthAt(bytes: Uint8Array, at: number): number {
  return (bytes[at + 2] as number) | ((bytes[at + 3] as number) << 8);
}

/** Validates the operation at `at` and returns its end offset. */
function operationEnd(bytes: Uint8Array, at: number): number {
  if (at + HEADER_BYTES > bytes.length) throw invalid(at, 'it is cut off within its header');
  const operation = bytes[at] as number;
  if (operation !== PUT && operation !== DELETE)
    throw invalid(at, `expected operation 0 or 1, got ${operation}`);
  const column = bytes[at + 1] as number;
  if (column >= COLUMNS.length) throw invalid(at, `expected a column below ${COLUMNS.length}, got ${column}`);
  const keyLength = keyLengthAt(bytes, at);
  if (keyLength === 0) throw invalid(at, 'its key is empty');
  const valueLength =
    (bytes[at + 4] as number) +
    (bytes[at + 5] as number) * 0x100 +
    (bytes[at + 6] as number) * 0x1_0000 +
    (bytes[at + 7] as number) * 0x100_0000;
  if (operation === DELETE && valueLength !== 0)
    throw invalid(at, `a delete carries ${valueLength} bytes of value`);
  const end = at + HEADER_BYTES + keyLength + valueLength;
  if (end > bytes.length) throw invalid(at, `it needs ${end - at} bytes, ${bytes.length - at} are left`);
  return end;
}

function invalid(at: number, why: string): StoreError {
  return new StoreError('invalid_batch', `the operation at byte ${at} of the batch is invalid: ${why}`);
}
