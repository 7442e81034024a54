import type { BatchPieces, WriteBatch } from '../../storage/write-batch.js';
import { ChunkedBatch, type ChunkPool } from './chunks.js';
import { encodePage, pageKey } from './page-codec.js';
import type { StoredPage } from './page-versions.js';
import type { Page } from './pages.js';

/**
 * All that changed in the tree up to a block, on its way to the store. It is encoded in steps while blocks go on; a page that
 * is to change before its turn is encoded before it does, so all of it is of one height.
 *
 * Hot path: guarded by bench/tree.bench.ts.
 */
export class PageFlush {
  /** To be confirmed to the tree once the store has it all. */
  readonly number: number;
  readonly height: bigint;
  readonly #pages: readonly Page[];
  readonly #overwritten: ((page: StoredPage) => void) | undefined;
  readonly #encoded: ChunkedBatch;
  #next = 0;

  /**
   * @param pages changed ones, which are pending from now on
   * @param removed stored ones that are no more
   * @param chunks for what is encoded
   * @param overwritten told of the stored pages that this overwrites or deletes
   */
  constructor(
    number: number,
    height: bigint,
    pages: readonly Page[],
    removed: readonly StoredPage[],
    chunks: ChunkPool,
    overwritten: ((page: StoredPage) => void) | undefined,
  ) {
    this.number = number;
    this.height = height;
    this.#pages = pages;
    this.#encoded = new ChunkedBatch(chunks);
    this.#overwritten = overwritten;
    for (const page of pages) {
      page.dirty = false;
      page.pending = true;
      page.flushNumber = number;
    }
    for (const page of removed) {
      overwritten?.(page);
      this.batch.delete('tree', page.key);
    }
  }

  /** Encoded bytes so far. */
  get bytes(): number {
    return this.#encoded.bytes;
  }

  /** Where more that belongs to it can be added. */
  get batch(): WriteBatch {
    return this.#encoded.batch;
  }

  /** Encodes up to so many pages. @returns whether none are left */
  step(pages: number): boolean {
    for (let left = pages; left > 0 && this.#next < this.#pages.length; this.#next++) {
      const page = this.#pages[this.#next] as Page;
      if (!page.pending) continue;
      this.encode(page);
      left--;
    }
    return this.#next === this.#pages.length;
  }

  /** Encodes a pending page. */
  encode(page: Page): void {
    const key = pageKey(page.parent, page.slot);
    if (page.stored) this.#overwritten?.({ key, writtenAt: page.writtenAt });
    this.batch.put('tree', key, encodePage(page, this.height));
    page.pending = false;
    page.stored = true;
    page.writtenAt = Number(this.height);
  }

  /** The encoded batch, once all is encoded; to be recycled (`StateTree.recycle`) when nobody reads it any more. */
  finish(): BatchPieces {
    return this.#encoded.finish();
  }
}
