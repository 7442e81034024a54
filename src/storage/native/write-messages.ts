/** What crosses between the owner of a RocksDB store and its writer thread. */
import type { BatchPieces } from '../write-batch.js';

/** The writer's `workerData`. */
export interface WriterSetup {
  /** The database, open in this process. */
  readonly handle: bigint;
  /** Where the database lies. */
  readonly directory: string;
}

/** Owner to writer, in the order in which the batches are to apply. */
export type WriterRequest =
  | {
      readonly type: 'write';
      /** An encoded batch: buffers that are not shared are transferred, shared ones are read before the write is answered. */
      readonly batch: BatchPieces;
      readonly sync: boolean;
    }
  /** Everything before is done, then the thread ends. */
  | { readonly type: 'end' };

/** Writer to owner. */
export type WriterReply =
  /** The writer is attached to the database. */
  | { readonly type: 'ready' }
  /** The next `count` writes, in the order they were sent, are done. */
  | { readonly type: 'done'; readonly count: number }
  /** The next write failed; it and all later ones are not applied. */
  | { readonly type: 'failed'; readonly message: string };
