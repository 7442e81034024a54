import type { BatchPieces, WriteBatch } from '../../storage/write-batch.js';
import { ChunkedBatch, type ChunkPool } from './chunks.js';
import { encodePage, pageKey } from './page-codec.js';
import type { StoredPage } from './page-versions.js';
import type { Page } from './pages.js';

/**
 * All changes of the tree up to a block, to be written to the store. Pages are encoded in steps while blocks
 * continue; a page that is about to change is encoded first, so all pages belong to the same height.
 *
 * Hot path: guarded by bench/tree.bench.ts.
 */
export class PageFlush {
  readonly #pages: readonly Page[];
  readonly #overwritten: ((page: StoredPage) => void) | undefined;
  readonly #encoded: ChunkedBatch;
  #next = 0;

  /**
   * @param pages changed pages; the constructor marks them pending
   * @param removed stored pages that have been removed from the tree
   * @param chunks buffers for the encoded pages
   * @param overwritten called for each stored page that the flush overwrites or deletes
   */
  constructor(
    /** Number of the flush, which is confirmed to the tree once the store has all its changes. */
    readonly number: number,
    readonly height: bigint,
    pages: readonly Page[],
    removed: readonly StoredPage[],
    chunks: ChunkPool,
    overwritten: ((page: StoredPage) => void) | undefined,
  ) {
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

  get bytes(): number {
    return this.#encoded.bytes;
  }

  /** The write batch; callers may add related entries. */
  get batch(): WriteBatch {
    return this.#encoded.batch;
  }

  /** Encodes up to `pages` pages. @returns true if none are left */
  step(pages: number): boolean {
    for (let left = pages; left > 0 && this.#next < this.#pages.length; this.#next++) {
      const page = this.#pages[this.#next] as Page;
      if (!page.pending) continue;
      this.encode(page);
      left--;
    }
    return this.#next === this.#pages.length;
  }

  encode(page: Page): void {
    const key = pageKey(page.parent, page.slot);
    if (page.stored) this.#overwritten?.({ key, writtenAt: page.writtenAt });
    this.batch.put('tree', key, encodePage(page, this.height));
    page.pending = false;
    page.stored = true;
    page.writtenAt = Number(this.height);
  }

  /** Returns the encoded batch once all pages are encoded; give it back to the pool once it is no longer read. */
  finish(): BatchPieces {
    return this.#encoded.finish();
  }
}
