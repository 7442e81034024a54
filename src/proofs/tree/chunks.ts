/**
 * Batches of pages to be written, in chunks. Chunks are shared with the writing threads, so nothing is copied, and are
 * reused for later pages: garbage in three threads would otherwise be several times the size of the written data.
 */
import { type BatchPieces, WriteBatch } from '../../storage/write-batch.js';

/** A chunk ends with the entry that takes it to this size or beyond. */
const CHUNK_BYTES = 1024 * 1024;
/** Chunk size plus room for the last entry; a page is smaller than 64 KiB. */
const ROOM_BYTES = CHUNK_BYTES + 64 * 1024;
/**
 * Maximum number of unused chunks to keep: more than blocks of 10,000 changes have in flight. Memory of discarded chunks
 * stays in use until a full garbage collection in every thread that has seen them, which the writing threads seldom do.
 */
const MAX_KEPT = 160;

export class ChunkPool {
  readonly #free: Uint8Array<SharedArrayBuffer>[] = [];

  /** Takes a buffer with arbitrary content. */
  take(): Uint8Array<SharedArrayBuffer> {
    return this.#free.pop() ?? new Uint8Array(new SharedArrayBuffer(ROOM_BYTES));
  }

  /** Returns chunks that are no longer read to the pool; ignores other buffers. */
  giveBack(chunks: BatchPieces): void {
    for (const { buffer } of chunks) {
      const isOwn = buffer instanceof SharedArrayBuffer && buffer.byteLength === ROOM_BYTES;
      if (isOwn && this.#free.length < MAX_KEPT) this.#free.push(new Uint8Array(buffer));
    }
  }
}

export class ChunkedBatch {
  readonly #pool: ChunkPool;
  readonly #chunks: Uint8Array[] = [];
  #last: WriteBatch;
  /** Encoded bytes of all chunks but the last. */
  #bytes = 0;

  constructor(pool: ChunkPool) {
    this.#pool = pool;
    this.#last = new WriteBatch(pool.take());
  }

  get bytes(): number {
    return this.#bytes + this.#last.byteLength;
  }

  /** The write batch for the next entry. Read this property again for each large entry. */
  get batch(): WriteBatch {
    if (this.#last.byteLength >= CHUNK_BYTES) {
      this.#bytes += this.#last.byteLength;
      this.#chunks.push(...this.#last.finishPieces());
      this.#last = new WriteBatch(this.#pool.take());
    }
    return this.#last;
  }

  /** Returns all chunks; the caller gives them back to the pool once they are no longer read. */
  finish(): BatchPieces {
    this.#chunks.push(...this.#last.finishPieces());
    return this.#chunks;
  }
}
