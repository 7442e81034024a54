import { WriteBatch } from '../../storage/write-batch.js';
import { encodePage, pageKey } from './page-codec.js';
import type { StoredPage } from './page-versions.js';
import type { Page } from './pages.js';

/** An encoded chunk ends with the page that brings it beyond this. */
const CHUNK_BYTES = 1024 * 1024;

/**
 * All that changed in the tree up to a block, on its way to the store. It is encoded in steps while blocks go on; a page that
 * is to change before its turn is encoded before it does, so all of it is of one height.
 *
 * Hot path: guarded by bench/tree.bench.ts.
 */
export class HandOut {
  /** To be confirmed to the tree once the store has it all. */
  readonly number: number;
  readonly height: bigint;
  readonly #pages: readonly Page[];
  readonly #overwritten: ((page: StoredPage) => void) | undefined;
  #next = 0;
  readonly #chunks: Uint8Array<ArrayBuffer>[] = [];
  #chunk = new WriteBatch();
  #bytes = 0;

  /**
   * @param pages changed ones, which are pending from now on
   * @param removed stored ones that are no more
   * @param overwritten told of the stored pages that this overwrites or deletes
   */
  constructor(
    number: number,
    height: bigint,
    pages: readonly Page[],
    removed: readonly StoredPage[],
    overwritten: ((page: StoredPage) => void) | undefined,
  ) {
    this.number = number;
    this.height = height;
    this.#pages = pages;
    this.#overwritten = overwritten;
    for (const page of pages) {
      page.dirty = false;
      page.pending = true;
      page.handedOut = number;
    }
    for (const page of removed) {
      overwritten?.(page);
      this.#chunk.delete('tree', page.key);
    }
  }

  /** Encoded bytes so far. */
  get bytes(): number {
    return this.#bytes + this.#chunk.byteLength;
  }

  /** Where more that belongs to it can be added. */
  get batch(): WriteBatch {
    if (this.#chunk.byteLength >= CHUNK_BYTES) {
      this.#bytes += this.#chunk.byteLength;
      this.#chunks.push(this.#chunk.finish());
      this.#chunk = new WriteBatch();
    }
    return this.#chunk;
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

  /** The encoded pieces in their order, once all is encoded. */
  finish(): readonly Uint8Array<ArrayBuffer>[] {
    this.#chunks.push(this.#chunk.finish());
    return this.#chunks;
  }
}
