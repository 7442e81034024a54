/**
 * Batches of pages on their way to the store, in chunks. Those are shared with the threads that write them, so nothing is copied,
 * and are used again for later pages: what waits for a garbage collection in three threads would be several times what is written.
 */
import { type BatchPieces, WriteBatch } from '../../storage/write-batch.js';

/** A chunk ends with the entry that brings it beyond this. */
const CHUNK_BYTES = 1024 * 1024;
/** Room for that entry: a page is smaller. */
const ROOM_BYTES = CHUNK_BYTES + 64 * 1024;
/** Kept while they are not in use; a batch of more takes new ones. */
const MAX_KEPT = 64;

/** Buffers for chunks. */
export class ChunkPool {
  readonly #free: Uint8Array<SharedArrayBuffer>[] = [];

  /** A buffer to write to, with anything in it. */
  take(): Uint8Array<SharedArrayBuffer> {
    return this.#free.pop() ?? new Uint8Array(new SharedArrayBuffer(ROOM_BYTES));
  }

  /** Takes back chunks that nobody reads any more; buffers that are not its own are left alone. */
  giveBack(chunks: BatchPieces): void {
    for (const { buffer } of chunks) {
      const isOwn = buffer instanceof SharedArrayBuffer && buffer.byteLength === ROOM_BYTES;
      if (isOwn && this.#free.length < MAX_KEPT) this.#free.push(new Uint8Array(buffer));
    }
  }
}

/** A batch that grows by chunks. */
export class ChunkedBatch {
  readonly #pool: ChunkPool;
  readonly #chunks: Uint8Array[] = [];
  #last: WriteBatch;
  /** Of all chunks but the last. */
  #bytes = 0;

  constructor(pool: ChunkPool) {
    this.#pool = pool;
    this.#last = new WriteBatch(pool.take());
  }

  /** Encoded bytes so far. */
  get bytes(): number {
    return this.#bytes + this.#last.byteLength;
  }

  /** Where the next entry goes: to be asked for anew with every one that is large. */
  get batch(): WriteBatch {
    if (this.#last.byteLength >= CHUNK_BYTES) {
      this.#bytes += this.#last.byteLength;
      this.#chunks.push(...this.#last.finishPieces());
      this.#last = new WriteBatch(this.#pool.take());
    }
    return this.#last;
  }

  /** All of it; the chunks go back to the pool when nobody reads them any more. */
  finish(): BatchPieces {
    this.#chunks.push(...this.#last.finishPieces());
    return this.#chunks;
  }
}
