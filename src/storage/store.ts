import type { Column } from './columns.js';
import type { StateBase } from './fork-base/state-base.js';
import type { WriteBatch } from './write-batch.js';

/** A range of keys in byte order. A scan takes time for the deleted entries of its range too, so short scans need both bounds. */
export interface ScanRange {
  /** First key of the range, inclusive. */
  readonly gte?: Uint8Array | undefined;
  /** End of the range, exclusive. */
  readonly lt?: Uint8Array | undefined;
  /** Iterates from the greatest key down. */
  readonly reverse?: boolean;
  readonly limit?: number;
}

export type Entry = readonly [key: Uint8Array, value: Uint8Array];

/** Reads from any thread see every write acknowledged before, on any thread. Returned bytes belong to the caller. */
export interface StoreReader {
  /** The forked chain's state; undefined unless the store is a fork's. */
  readonly base?: StateBase | undefined;
  get(column: Column, key: Uint8Array): Uint8Array | undefined;
  /** One result per key, in the order of `keys`. */
  getMany(column: Column, keys: readonly Uint8Array[]): (Uint8Array | undefined)[];
  /** Entries in key order (or reverse), fetched in bounded portions; may be abandoned at any point. */
  scan(column: Column, range: ScanRange): IterableIterator<Entry>;
  /** Releases this thread's resources. In a worker, never closes the database for other threads. */
  close(): Promise<void>;
}

/** The owner's interface: one per process, on the main thread. */
export interface Store extends StoreReader {
  /** Handle for a worker's {@link StoreReader}; survives structured clone. */
  readonly handle: StoreHandle;
  /** Name of the implementation, for the log. */
  readonly implementation: string;
  /**
   * Applies a batch atomically, in call order, off the main thread if the implementation can.
   * @param options.sync resolve only once the batch survives a power cut; otherwise once it survives a crash of the
   *   process.
   */
  write(batch: WriteBatch, options: { readonly sync: boolean }): Promise<void>;
  /** Current size of the store's files, for metrics. */
  sizeBytes(): Promise<number>;
  /** Figures of the implementation, for metrics; absent if it has none. */
  figures?(): StoreFigures;
}

/** Figures of RocksDB. */
export interface StoreFigures {
  /** Number of compactions and of flushes that are running. */
  readonly compactions: number;
  readonly flushes: number;
  /** Current limit of the write rate in bytes per second; 0 if writes are not slowed down. */
  readonly writeLimit: number;
  /** 1 while no writes are accepted, else 0. */
  readonly stopped: number;
  /** Errors of compactions and flushes since the start. */
  readonly errors: number;
  readonly snapshots: number;
}

/** Identifies an open store to other threads of this process. */
export type StoreHandle = (
  | { readonly kind: 'rocksdb'; readonly handle: bigint }
  | { readonly kind: 'memory'; readonly path: string; readonly committed: SharedArrayBuffer }
) & { readonly base?: StateBaseHandle };

/** Identifies the open state beneath a fork's to other threads of this process. */
export interface StateBaseHandle {
  /** The store of the values read so far. */
  readonly cache: StoreHandle;
  /** See `base/mailboxes.ts`. */
  readonly mailboxes: SharedArrayBuffer;
}
