/**
 * The marked heights: those whose trees remain readable in the store (page-versions.ts).
 *
 * 1. Marks are set at the first block, at every checkpoint height, and a number of blocks or changed keys after the
 *    last mark; so the tree at any height in the served window is close to a marked one.
 * 2. A mark below the window is dropped unless it is kept as a checkpoint. The newest stored mark is never dropped.
 */
import type { StoreReader } from '../../storage/store.js';
import { WriteBatch } from '../../storage/write-batch.js';
import { dropVersions, setCheckpointKept, setMark, storedCheckpoints, storedMarks } from './page-versions.js';

/** Rule 1. At most half of the minimum number of blocks with kept state, so that there is always a mark among them. */
const BLOCKS_A_MARK = 500n;
const KEYS_A_MARK = 500_000;
/** Versions dropped in one step: about 30 ms of the writer's time. */
const VERSIONS_A_STEP = 4_096;

export class TreeMarks {
  readonly #store: StoreReader;
  readonly #interval: bigint;
  /** Marks in the store, ascending. */
  #stored: bigint[];
  /** Marks in batches that may not have arrived in the store yet, ascending. */
  #coming: bigint[] = [];
  #kept: ReadonlySet<bigint>;
  /** Changed keys since the newest mark. */
  #keys = 0;
  #mayDrop = true;
  /** Stored marks of a tree that has been discarded. */
  #discarded: readonly bigint[] = [];

  /** @param checkpointInterval distance between checkpoints, in heights; 0 for none */
  constructor(store: StoreReader, checkpointInterval: bigint) {
    this.#store = store;
    this.#interval = checkpointInterval;
    this.#stored = storedMarks(store);
    this.#kept = new Set(storedCheckpoints(store));
  }

  get newest(): bigint | undefined {
    return this.#coming.at(-1) ?? this.#stored.at(-1);
  }

  /** Registers the next block. @returns true if its tree must be flushed before the next block */
  isDue(height: bigint, changedKeys: number): boolean {
    this.#keys += changedKeys;
    const { newest } = this;
    return (
      newest === undefined ||
      this.isCheckpoint(height) ||
      height - newest >= BLOCKS_A_MARK ||
      this.#keys >= KEYS_A_MARK
    );
  }

  isCheckpoint(height: bigint): boolean {
    return this.#interval > 0n && height % this.#interval === 0n;
  }

  /** Marks the height of the tree in a batch. */
  add(batch: WriteBatch, height: bigint): void {
    for (const mark of this.#discarded) setMark(batch, mark, false);
    this.#discarded = [];
    setMark(batch, height, true);
    this.#coming.push(height);
    this.#keys = 0;
  }

  /** Discards all marks: the next batch has a different tree and no versions. */
  discard(): void {
    this.#discarded = this.#stored;
    this.#stored = [];
  }

  /** Confirms that the store has all batches with marks up to a height. */
  settle(height: bigint): void {
    this.#stored.push(...this.#coming.filter((mark) => mark <= height));
    this.#coming = this.#coming.filter((mark) => mark > height);
    this.#mayDrop = true;
  }

  /** The marks that are kept outside the window. */
  get kept(): readonly bigint[] {
    return [...this.#kept];
  }

  /** Keeps exactly the marks of these heights. @returns those that are marked, batches in flight included */
  keep(batch: WriteBatch, heights: readonly bigint[]): bigint[] {
    const marked = heights.filter((height) => this.#stored.includes(height) || this.#coming.includes(height));
    for (const height of this.#kept) if (!marked.includes(height)) setCheckpointKept(batch, height, false);
    for (const height of marked) if (!this.#kept.has(height)) setCheckpointKept(batch, height, true);
    this.#kept = new Set(marked);
    this.#mayDrop = true;
    return marked;
  }

  /** Drops marks below the oldest served height and unneeded versions, one step per call. @returns the changes, if any */
  drop(oldest: bigint): { readonly batch: WriteBatch; readonly marks: readonly bigint[] } | undefined {
    const last = this.#stored.at(-1);
    const marks = this.#stored.filter((mark) => mark < oldest && mark !== last && !this.#kept.has(mark));
    if (marks.length === 0 && !this.#mayDrop) return undefined;
    this.#stored = this.#stored.filter((mark) => !marks.includes(mark));
    const step = dropVersions(this.#store, this.#stored[0] ?? 0n, VERSIONS_A_STEP);
    // A step that found versions may have left some. Otherwise there is nothing to drop until the next mark.
    this.#mayDrop = step !== undefined;
    if (step === undefined && marks.length === 0) return undefined;
    const batch = step ?? new WriteBatch();
    for (const mark of marks) setMark(batch, mark, false);
    return { batch, marks };
  }
}
