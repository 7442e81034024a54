/** Messages between the owner of a RocksDB store and its writer thread. */
import type { BatchPieces } from '../write-batch.js';

export interface WriterSetup {
  /** Handle of the database, which is open in this process. */
  readonly handle: bigint;
  readonly directory: string;
}

/** Owner to writer, in the order in which the batches apply. */
export type WriterRequest =
  | {
      readonly type: 'write';
      /** An encoded batch: unshared buffers are transferred; shared ones are read before the reply. */
      readonly batch: BatchPieces;
      readonly sync: boolean;
    }
  /** Ends the thread after all earlier requests. */
  | { readonly type: 'end' };

/** Writer to owner. */
export type WriterReply =
  /** The writer is attached to the database. */
  | { readonly type: 'ready' }
  /** The next `count` writes, in the order they were sent, are done. */
  | { readonly type: 'done'; readonly count: number }
  /** The next write failed; neither it nor any later one is applied. */
  | { readonly type: 'failed'; readonly message: string };
