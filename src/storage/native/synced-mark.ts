import { closeSync, constants, openSync, readFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { hasCode } from '../../base/errors.js';
import { StoreError } from '../store-error.js';

/*
 * RocksDB recovers its write-ahead log up to the first invalid record and takes that for the end, so damage in the
 * middle would silently lose the acknowledged writes after it. To detect this, a small file beside the database
 * records the number of operations covered by the last acknowledged sync. The file is written after that sync and not
 * synced itself: after a power cut it may lag behind the log, but it never claims more than the log held.
 */
const FILE = 'SYNCED';
const BYTES = 8;

/** Updates the mark; used by the writer thread. */
export class SyncedMark {
  readonly #fd: number;
  readonly #bytes = Buffer.alloc(BYTES);

  constructor(directory: string) {
    // The file is neither truncated nor opened for appending, because its bytes are overwritten in place.
    this.#fd = openSync(join(directory, FILE), constants.O_RDWR | constants.O_CREAT, 0o600);
  }

  /** Records that the first `sequence` operations of the database are durable. */
  set(sequence: number): void {
    this.#bytes.writeBigUInt64LE(BigInt(sequence));
    writeSync(this.#fd, this.#bytes, 0, BYTES, 0);
  }

  close(): void {
    closeSync(this.#fd);
  }
}

/**
 * Checks a newly opened database against the mark.
 * @param sequence number of operations in the opened database.
 * @throws {StoreError} `damaged` if operations acknowledged as durable are missing.
 */
export function checkSyncedMark(directory: string, sequence: number): void {
  const path = join(directory, FILE);
  let bytes: Buffer;
  try {
    bytes = readFileSync(path);
  } catch (cause) {
    if (hasCode(cause, 'ENOENT')) return;
    throw cause;
  }
  if (bytes.length < BYTES) return;
  const promised = Number(bytes.readBigUInt64LE());
  if (sequence >= promised) return;
  throw new StoreError(
    'damaged',
    `the database in ${directory} lost its last ${promised - sequence} operations: its write-ahead log is damaged behind ` +
      `operation ${sequence}, but ${promised} were acknowledged. Restore the data directory from a backup or a snapshot; to continue ` +
      `without the lost operations, remove ${path}.`,
  );
}
