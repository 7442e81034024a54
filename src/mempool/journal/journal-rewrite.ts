import { renameSync, writeSync } from 'node:fs';
import { type FileHandle, open, rm } from 'node:fs/promises';
import type { TransactionEnvelope } from '../../ledger/transaction-envelope.js';
import type { BundleEnvelope } from '../bundles/bundle.js';
import { admittedRecord, bundleRecord } from './journal-record.js';

/** Encoding this many bytes of short records takes about a millisecond. */
const PART_BYTES = 262_144;
/** Number of bytes written between two syncs; limits the duration of each sync. */
const SYNC_BYTES = 16 * 1_048_576;

export interface RewrittenContents {
  readonly transactions: readonly TransactionEnvelope[];
  readonly bundles: readonly BundleEnvelope[];
}

type OnReplaced = (file: FileHandle, size: number) => void;

/** Thrown when the journal is closed during a rewrite. */
export class RewriteStopped extends Error {
  override readonly name = 'RewriteStopped';
}

/**
 * Writes a new journal next to the current one, in parts with pauses. {@link JournalRewrite.add} takes the records that
 * are appended to the old one in the meantime.
 */
export class JournalRewrite {
  readonly #path: string;
  readonly #newPath: string;
  #appended: Buffer[] = [];
  #appendedBytes = 0;
  #size = 0;
  #unsynced = 0;
  #stopped = false;

  constructor(path: string) {
    this.#path = path;
    this.#newPath = newPath(path);
  }

  /** Number of bytes appended to the old journal since the rewrite started. */
  get appendedBytes(): number {
    return this.#appendedBytes;
  }

  add(bytes: Buffer): void {
    this.#appended.push(bytes);
    this.#appendedBytes += bytes.length;
  }

  /** Makes {@link run} stop soon. */
  stop(): void {
    this.#stopped = true;
  }

  /**
   * Writes the new journal and replaces the old one.
   * @param onReplaced called with the new file and its size in the same event loop tick as the rename; all later
   * appends must go to the new file
   * @throws RewriteStopped, or a file system error; the old file then keeps its name
   */
  async run(contents: RewrittenContents, onReplaced: OnReplaced): Promise<void> {
    const file = await open(this.#newPath, 'w', 0o600);
    try {
      for (const part of partsOf(contents)) await this.#write(file, part);
      await this.#catchUp(file);
      await file.datasync();
      await this.#catchUp(file);
      // Synchronous from here on: nothing may be appended to the old file once the new one has caught up.
      this.#size += writeFully(file.fd, Buffer.concat(this.#appended));
      renameSync(this.#newPath, this.#path);
      onReplaced(file, this.#size);
    } catch (error) {
      await file.close();
      await rm(this.#newPath, { force: true });
      throw error;
    }
  }

  /** Writes the records appended in the meantime until few are left. */
  async #catchUp(file: FileHandle): Promise<void> {
    while (this.#appended.reduce((bytes, { length }) => bytes + length, 0) > PART_BYTES) {
      const since = this.#appended;
      this.#appended = [];
      await this.#write(file, Buffer.concat(since));
    }
  }

  async #write(file: FileHandle, part: Buffer): Promise<void> {
    if (this.#stopped) throw new RewriteStopped('the journal is being closed');
    await file.appendFile(part);
    this.#size += part.length;
    this.#unsynced += part.length;
    if (this.#unsynced < SYNC_BYTES) return;
    await file.datasync();
    this.#unsynced = 0;
  }
}

export function newPath(path: string): string {
  return `${path}.new`;
}

/** Writes all bytes. @returns their number */
export function writeFully(fd: number, bytes: Buffer): number {
  for (let at = 0; at < bytes.length; ) at += writeSync(fd, bytes, at);
  return bytes.length;
}

function* partsOf(contents: RewrittenContents): IterableIterator<Buffer> {
  let part: Buffer[] = [];
  let bytes = 0;
  for (const record of recordsOf(contents)) {
    part.push(record);
    bytes += record.length;
    if (bytes < PART_BYTES) continue;
    yield Buffer.concat(part);
    part = [];
    bytes = 0;
  }
  yield Buffer.concat(part);
}

function* recordsOf({ transactions, bundles }: RewrittenContents): IterableIterator<Buffer> {
  for (const transaction of transactions) yield admittedRecord(transaction);
  for (const bundle of bundles) yield bundleRecord(bundle);
}
