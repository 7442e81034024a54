/**
 * Trees as they were at earlier heights.
 *
 * 1. A tree is opened at a marked height (page-versions.ts) and moved to the requested height: the keys that blocks
 *    in between changed (column `changes`) are set to their values at that height. This works in both directions.
 * 2. If the top of the height's tree is in the store (top-records.ts), only the parts with requested keys are moved.
 *    Each part has about 1/4000 of the changed keys. Otherwise the whole tree is moved, which costs 20 µs or more per
 *    changed key.
 * 3. Trees are cached for later requests. A tree of the same height is reused together with its moved parts; a tree
 *    that was moved as a whole is also moved on to nearby heights.
 * 4. The root must be the one in the block's header.
 * 5. Work is done in slices of a few milliseconds, between which messages are handled.
 */
import { sameBytes } from '../../base/same-bytes.js';
import type { Hashes } from '../../crypto/crypto.js';
import { toHex } from '../../idl/hex.js';
import { be64 } from '../../storage/big-endian.js';
import { latin1 } from '../../storage/latin1.js';
import { changedKeys, oldestHeight, readManyAt, STATE_KEY_BYTES } from '../../storage/state.js';
import type { StoreReader } from '../../storage/store.js';
import { ProofError } from '../proof-error.js';
import type { TreeAt } from '../proof-messages.js';
import type { GraftedTop } from './grafted-top.js';
import { pagesAtMark } from './page-versions.js';
import { SLOTS } from './pages.js';
import { StateTree } from './state-tree.js';
import { storedTop } from './top-records.js';

/** Rule 5: maximum number of keys set, and of blocks whose changes are collected, in one slice. */
const KEYS_A_SLICE = 256;
const BLOCKS_A_SLICE = 64;
/** Maximum size in bytes of the change lists read in one slice. */
const BYTES_A_SLICE = 2 * 1024 * 1024;
/** Maximum number of changed keys to move across; only a rebuilt tree can be further from the others. */
const MAX_MOVED_KEYS = 1_000_000;
const MAX_TREES = 4;

/** Where trees, and the state that they are over, are read. */
export interface TreeSource {
  readonly crypto: Hashes;
  readonly store: StoreReader;
}

interface OldTree {
  readonly tree: StateTree;
  /** The mark at which the tree was opened. */
  readonly base: bigint;
  /** Set for a tree that is moved in parts. */
  readonly graft?: GraftedTop;
  /** Undefined while the tree is being moved: if the move is abandoned, it matches no height. */
  height: bigint | undefined;
}

export class OldTrees {
  readonly #source: TreeSource;
  readonly #store: StoreReader;
  readonly #memoryBytes: number;
  /** Least recently used first. */
  #trees: OldTree[] = [];

  /** @param memoryBytes budget of all trees together; a single tree that exceeds it is dropped after use */
  constructor(source: TreeSource, memoryBytes: number) {
    this.#source = source;
    this.#store = source.store;
    this.#memoryBytes = memoryBytes;
  }

  get bytes(): number {
    return this.#trees.reduce((sum, { tree }) => sum + tree.cache.bytes, 0);
  }

  /** Drops the trees that were opened at marks about to be dropped. */
  dropMarks(marks: readonly bigint[]): void {
    this.#trees = this.#trees.filter(({ base }) => !marks.includes(base));
  }

  /**
   * Derives a tree, one slice at a time (rule 5). The tree is valid for proofs of these keys until the next call of
   * `next` on this or any other such generator.
   * @param keys 32 bytes each
   * @param marks returns the marks whose trees the store has, ascending
   * @param inParts true if the tree may be moved in parts
   * @throws ProofError `state_unavailable` if the changes in between are not kept, `damaged` if the derived tree does
   *   not have the root; the store's errors
   */
  *treeAt(
    at: TreeAt,
    keys: readonly Uint8Array[],
    marks: () => readonly bigint[],
    inParts = true,
  ): Generator<undefined, StateTree> {
    // Only one request runs at a time, so a half-moved tree belongs to an abandoned request.
    this.#trees = this.#trees.filter(({ height }) => height !== undefined);
    const cached = this.#trees.find(({ height }) => height === at.height);
    const grafted = inParts ? (cached ?? this.#graft(at, marks())) : undefined;
    const old = grafted ?? this.#nearest(at.height, marks());
    // The most recently used tree is the last.
    this.#trees = [...this.#trees.filter((tree) => tree !== old), old];
    try {
      if (old.graft !== undefined) yield* this.#moveParts(old, old.graft, at.height, keys);
      else if (old.height !== at.height) yield* this.#move(old, at.height);
      if (!sameBytes(old.tree.root(), at.stateRoot)) {
        throw new ProofError(
          'damaged',
          `the state tree of height ${at.height}, derived from that of ${old.base}, has root ${toHex(old.tree.root())}, the block's header says ${toHex(at.stateRoot)}`,
        );
      }
    } catch (error) {
      const dropped = !this.#trees.includes(old);
      this.#trees = this.#trees.filter((tree) => tree !== old);
      // The tree's mark was dropped meanwhile; retry with another.
      if (dropped) return yield* this.treeAt(at, keys, marks, inParts);
      // The stored top may be wrong; retry with the whole tree.
      const isDamaged = error instanceof ProofError && error.code === 'damaged';
      if (old.graft !== undefined && isDamaged) return yield* this.treeAt(at, keys, marks, false);
      throw error;
    }
    // The mark was dropped meanwhile: the moved pages are loaded, but proofs may need others.
    if (!this.#trees.includes(old)) return yield* this.treeAt(at, keys, marks, inParts);
    this.#trim(old);
    return old.tree;
  }

  /** A tree with the top of a height, opened at the nearest mark; undefined if the mark or the records are missing. */
  #graft({ height, stateRoot }: TreeAt, marks: readonly bigint[]): OldTree | undefined {
    const mark = this.#nearestOf(marks, height);
    const top = mark === undefined || mark === height ? undefined : storedTop(this.#store, height);
    if (mark === undefined || top === undefined) return undefined;
    const tree = this.#open(mark);
    const graft = tree.graft(top);
    // The stored top may be wrong.
    if (!sameBytes(tree.root(), stateRoot)) return undefined;
    return { tree, base: mark, graft, height };
  }

  /** The height nearest to `to` from which all changes to `to` are kept. */
  #nearestOf(from: readonly bigint[], to: bigint): bigint | undefined {
    const oldest = oldestHeight(this.#store);
    const distance = (height: bigint) => (height > to ? height - to : to - height);
    let nearest: bigint | undefined;
    for (const height of from) {
      if (height !== to && (height < oldest || to < oldest)) continue;
      if (nearest === undefined || distance(height) < distance(nearest)) nearest = height;
    }
    return nearest;
  }

  /** The whole tree nearest to a height: a cached one, or one opened at a mark. */
  #nearest(height: bigint, marks: readonly bigint[]): OldTree {
    const whole = this.#trees.filter((old) => old.graft === undefined);
    const moved = whole.flatMap((old) => (old.height === undefined ? [] : [old.height]));
    const from = this.#nearestOf([...moved, ...marks], height);
    if (from === undefined) {
      throw new ProofError('state_unavailable', `the state tree at height ${height} is not kept`);
    }
    const old = whole.find((tree) => tree.height === from);
    return old ?? { tree: this.#open(from), base: from, height: from };
  }

  #open(mark: bigint): StateTree {
    return StateTree.open({
      crypto: this.#source.crypto,
      store: pagesAtMark(this.#store, mark),
      cacheBytes: this.#memoryBytes / MAX_TREES,
    });
  }

  /** Moves the parts of a grafted tree that contain the keys. */
  *#moveParts(
    old: OldTree,
    graft: GraftedTop,
    to: bigint,
    keys: readonly Uint8Array[],
  ): Generator<undefined, void> {
    const places = graft.missing(keys);
    if (places.length === 0) return;
    old.height = undefined;
    const [low, high] = old.base < to ? [old.base, to] : [to, old.base];
    const changed = new Map<string, Uint8Array>();
    let bytes = 0;
    for (let height = low + 1n; height <= high; height++) {
      const list = this.#store.get('changes', be64(height)) ?? new Uint8Array(0);
      forEachKeyBelow(list, places, (key) => changed.set(latin1(key), key.slice()));
      bytes += list.length;
      if (bytes < BYTES_A_SLICE && height % BigInt(BLOCKS_A_SLICE) !== 0n) continue;
      bytes = 0;
      yield;
    }
    graft.restore(places);
    yield* this.#set(old.tree, [...changed.values()], to);
    graft.moved(places);
    old.height = to;
  }

  *#move(old: OldTree, to: bigint): Generator<undefined, void> {
    const from = old.height ?? to;
    const [low, high] = from < to ? [from, to] : [to, from];
    old.height = undefined;
    const groups: Map<string, Uint8Array>[] = Array.from({ length: 256 }, () => new Map());
    let count = 0;
    for (let height = low + 1n; height <= high; height++) {
      const keys = changedKeys(this.#store, height);
      for (const key of keys) groups[key[0] ?? 0]?.set(latin1(key), key);
      count += keys.length;
      if (count > MAX_MOVED_KEYS) {
        throw new ProofError(
          'state_unavailable',
          `the state tree at height ${to} is too far from those that are kept: over ${MAX_MOVED_KEYS} keys changed since`,
        );
      }
      if (height % BigInt(BLOCKS_A_SLICE) === 0n || count % KEYS_A_SLICE < keys.length) yield;
    }
    // Moves one part of the tree after another, so that the pages of a slice are close together.
    for (const group of groups) yield* this.#set(old.tree, [...group.values()], to);
    old.height = to;
  }

  /** Sets keys to their values at a height. */
  *#set(tree: StateTree, keys: readonly Uint8Array[], height: bigint): Generator<undefined, void> {
    for (let start = 0; start < keys.length; start += KEYS_A_SLICE) {
      const slice = keys.slice(start, start + KEYS_A_SLICE);
      const values = readManyAt(this.#store, slice, height);
      tree.apply(slice.map((key, index) => ({ key, value: values[index] })));
      yield;
    }
  }

  /** Evicts the least recently used trees, and the one in use if it alone exceeds the budget. */
  #trim(inUse: OldTree): void {
    while (this.#trees.length > MAX_TREES || (this.#trees.length > 1 && this.bytes > this.#memoryBytes)) {
      this.#trees.shift();
    }
    if (inUse.tree.cache.bytes > this.#memoryBytes) this.#trees = [];
  }
}

/** Visits the keys of a change list (ascending) below places of the top (tree-top.ts), as views into the list. */
function forEachKeyBelow(
  list: Uint8Array,
  places: readonly number[],
  visit: (key: Uint8Array) => void,
): void {
  const count = list.length / STATE_KEY_BYTES;
  for (const place of places) {
    const [from, to] = prefixesOf(place);
    for (let index = firstAtOrAfter(list, count, from); index < count; index++) {
      if (prefixAt(list, index) >= to) break;
      visit(list.subarray(index * STATE_KEY_BYTES, (index + 1) * STATE_KEY_BYTES));
    }
  }
}

/** Range of the first two bytes of the keys below a place; the end is exclusive. */
function prefixesOf(place: number): readonly [number, number] {
  if (place < SLOTS) return [place << 10, (place + 1) << 10];
  const below = place - SLOTS;
  return [below << 4, (below + 1) << 4];
}

function firstAtOrAfter(list: Uint8Array, count: number, prefix: number): number {
  let low = 0;
  let high = count;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (prefixAt(list, middle) < prefix) low = middle + 1;
    else high = middle;
  }
  return low;
}

function prefixAt(list: Uint8Array, index: number): number {
  const at = index * STATE_KEY_BYTES;
  return ((list[at] as number) << 8) | (list[at + 1] as number);
}
