import type { Column } from './columns.js';
import type { WriteBatch } from './write-batch.js';

/** A range of keys in byte order. */
export interface ScanRange {
  /** First key of the range, included. */
  readonly gte?: Uint8Array;
  /** End of the range, not included. */
  readonly lt?: Uint8Array;
  /** From the greatest key down. */
  readonly reverse?: boolean;
  /** At most so many entries. */
  readonly limit?: number;
}

export type Entry = readonly [key: Uint8Array, value: Uint8Array];

/**
 * Synchronous reads, from any thread. What a write acknowledged is seen by every read that starts after, in every
 * thread. Returned bytes belong to the caller.
 */
export interface StoreReader {
  get(column: Column, key: Uint8Array): Uint8Array | undefined;
  /** One answer a key, in the order asked. */
  getMany(column: Column, keys: readonly Uint8Array[]): (Uint8Array | undefined)[];
  /** Entries in key order (or reverse), fetched in bounded portions; may be abandoned at any point. */
  scan(column: Column, range: ScanRange): IterableIterator<Entry>;
  /** Gives up what this thread holds. In a worker it never closes the database for others. */
  close(): Promise<void>;
}

/** The owner's side: one per process, on the main thread. */
export interface Store extends StoreReader {
  /** What to hand to a worker's {@link StoreReader}; survives structured clone. */
  readonly handle: StoreHandle;
  /** Which implementation serves, for the log. */
  readonly implementation: string;
  /**
   * Applies a batch as a whole or not at all, in the order of the calls, off the main thread where the implementation can.
   * @param options.sync resolve only once the batch survives a power cut; otherwise once it survives the process.
   */
  write(batch: WriteBatch, options: { readonly sync: boolean }): Promise<void>;
  /** Size of its files as they are now, for metrics. */
  sizeBytes(): Promise<number>;
}

/** Names an open store to another thread of this process. */
export type StoreHandle =
  | { readonly kind: 'rocksdb'; readonly handle: bigint }
  | { readonly kind: 'memory'; readonly path: string; readonly committed: SharedArrayBuffer };
