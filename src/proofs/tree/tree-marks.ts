/**
 * The marked heights: those whose trees can be read from the store as they were (page-versions.ts).
 *
 * 1. Marked are the first block, every checkpoint height, and a height so many blocks or changed keys after the last mark; so
 *    the tree at any height in the window of served ones is not far from a marked one.
 * 2. A mark below the window is dropped unless it is to stay. The newest one that the store has is never dropped.
 */
import type { StoreReader } from '../../storage/store.js';
import { WriteBatch } from '../../storage/write-batch.js';
import {
  deleteMark,
  dropVersions,
  putMark,
  setCheckpointKept,
  storedCheckpoints,
  storedMarks,
} from './page-versions.js';

/** Rule 1. The blocks are at most half of those whose state is kept in any case, so that there is always a mark among them. */
const BLOCKS_A_MARK = 500n;
const KEYS_A_MARK = 500_000;
/** Versions dropped in one step: about 30 ms of the writer's time. */
const VERSIONS_A_STEP = 4_096;

export class TreeMarks {
  readonly #store: Pick<StoreReader, 'scan'>;
  readonly #interval: bigint;
  /** Those that the store has, ascending. */
  #stored: bigint[];
  /** Those in batches that the store may not have yet, ascending. */
  #coming: bigint[] = [];
  #kept: ReadonlySet<bigint>;
  /** Changed keys since the newest mark. */
  #keys = 0;
  #mayDrop = true;
  /** In the store, but of a tree that has been given up. */
  #discarded: readonly bigint[] = [];

  /** @param checkpointInterval every so many heights one is marked; 0 for none */
  constructor(store: Pick<StoreReader, 'scan'>, checkpointInterval: bigint) {
    this.#store = store;
    this.#interval = checkpointInterval;
    this.#stored = storedMarks(store);
    this.#kept = new Set(storedCheckpoints(store));
  }

  /** The marks whose trees the store has, ascending. */
  get stored(): readonly bigint[] {
    return this.#stored;
  }

  get newest(): bigint | undefined {
    return this.#coming[this.#coming.length - 1] ?? this.#stored[this.#stored.length - 1];
  }

  /** Tells of the next block; the tree is to be handed out before the one after it where this returns true. */
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

  /** Marks the height of the tree that a batch brings. */
  add(batch: WriteBatch, height: bigint): void {
    for (const mark of this.#discarded) deleteMark(batch, mark);
    this.#discarded = [];
    putMark(batch, height);
    this.#coming.push(height);
    this.#keys = 0;
  }

  /** Gives up all marks: the next batch brings another tree and has no versions. */
  discard(): void {
    this.#discarded = this.#stored;
    this.#stored = [];
  }

  /** Tells that the store has all batches with marks up to a height. */
  settle(height: bigint): void {
    this.#stored.push(...this.#coming.filter((mark) => mark <= height));
    this.#coming = this.#coming.filter((mark) => mark > height);
    this.#mayDrop = true;
  }

  /** Those that stay whatever the window is. */
  get kept(): readonly bigint[] {
    return [...this.#kept];
  }

  /**
   * Has the marks of these heights stay, and no others.
   * @returns those that are marked, or will be once a batch on its way has arrived
   */
  keep(batch: WriteBatch, heights: readonly bigint[]): bigint[] {
    const marked = heights.filter((height) => this.#stored.includes(height) || this.#coming.includes(height));
    for (const height of this.#kept) if (!marked.includes(height)) setCheckpointKept(batch, height, false);
    for (const height of marked) if (!this.#kept.has(height)) setCheckpointKept(batch, height, true);
    this.#kept = new Set(marked);
    this.#mayDrop = true;
    return marked;
  }

  /**
   * One step of dropping what is below the oldest height that is served, with the versions that nobody needs any more.
   * @returns what to write, if there is anything
   */
  drop(oldest: bigint): { readonly batch: WriteBatch; readonly marks: readonly bigint[] } | undefined {
    const last = this.#stored[this.#stored.length - 1];
    const marks = this.#stored.filter((mark) => mark < oldest && mark !== last && !this.#kept.has(mark));
    if (marks.length === 0 && !this.#mayDrop) return undefined;
    this.#stored = this.#stored.filter((mark) => !marks.includes(mark));
    const step = dropVersions(this.#store, this.#stored[0] ?? 0n, VERSIONS_A_STEP);
    // Looked for again with the next mark; a step that found something may have left some.
    this.#mayDrop = step !== undefined;
    if (step === undefined && marks.length === 0) return undefined;
    const batch = step ?? new WriteBatch();
    for (const mark of marks) deleteMark(batch, mark);
    return { batch, marks };
  }
}
