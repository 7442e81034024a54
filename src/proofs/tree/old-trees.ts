/**
 * Trees as they were at earlier heights.
 *
 * 1. A tree is opened at a marked height (page-versions.ts) and moved to the height asked for: the keys that blocks in between
 *    changed (column `changes`) are set to their values at that height. That works in both directions.
 * 2. Where the top of the height's tree is in the store (top-records.ts), only the parts are moved that the asked keys are in:
 *    a four-thousandth of the changed keys for each. Otherwise the whole tree is, which costs 20 µs and more for each of them.
 * 3. Trees are kept for the next requests: one of the same height takes up where the last one stopped; a whole one is also moved
 *    on to heights nearby.
 * 4. The root must be the one that the block's header says.
 * 5. Work goes in slices of some milliseconds, between which messages are taken.
 */
import type { Hashes } from '../../crypto/load-hashes.js';
import { toHex } from '../../idl/hex.js';
import { be64 } from '../../storage/big-endian.js';
import { latin1 } from '../../storage/latin1.js';
import { oldestHeight, readManyAt, splitKeys } from '../../storage/state.js';
import type { StoreReader } from '../../storage/store.js';
import { ProofError } from '../proof-error.js';
import { forEachKeyBelow } from './changed-keys.js';
import type { GraftedTop } from './grafted-top.js';
import { PagesAtMark } from './page-versions.js';
import { StateTree } from './state-tree.js';
import { storedTop } from './top-records.js';

/** Rule 5: keys set in one slice, and blocks whose changes are gathered in one. */
const KEYS_A_SLICE = 256;
const BLOCKS_A_SLICE = 64;
/** The same in bytes of their change lists. */
const BYTES_A_SLICE = 2 * 1024 * 1024;
/** More changed keys than these are not moved over: only the tree of a rebuild is so far from others. */
const MAX_MOVED_KEYS = 1_000_000;
/** Trees kept at most. */
const MAX_TREES = 4;

/** A height and what its header says of the state. */
export interface TreeAt {
  readonly height: bigint;
  /** 32 bytes. */
  readonly stateRoot: Uint8Array;
}

interface OldTree {
  readonly tree: StateTree;
  /** The mark at which it was opened. */
  readonly base: bigint;
  /** Of a tree that is moved in parts. */
  readonly graft?: GraftedTop;
  /** Undefined while it is being moved: it is neither here nor there if that is not gone on with. */
  height: bigint | undefined;
}

export class OldTrees {
  readonly #crypto: Hashes;
  readonly #store: StoreReader;
  readonly #memoryBytes: number;
  /** Least recently used first. */
  #trees: OldTree[] = [];

  /** @param memoryBytes that all trees together may take; a tree that alone takes more is given up after its use */
  constructor(crypto: Hashes, store: StoreReader, memoryBytes: number) {
    this.#crypto = crypto;
    this.#store = store;
    this.#memoryBytes = memoryBytes;
  }

  /** Bytes of all their pages. */
  get bytes(): number {
    return this.#trees.reduce((sum, { tree }) => sum + tree.bytes, 0);
  }

  /** Gives up the trees that were opened at marks which are dropped. */
  dropMarks(marks: readonly bigint[]): void {
    this.#trees = this.#trees.filter(({ base }) => !marks.includes(base));
  }

  /**
   * Works out a tree, a slice at a time (rule 5). It is good for proofs of these keys until the next call of this generator's
   * `next` or another's.
   * @param keys 32 bytes each
   * @param marks whose trees the store has, ascending
   * @param inParts whether the tree may be moved in parts
   * @throws ProofError `state_unavailable` where the changes in between are not kept, `damaged` where the tree does not get
   *   the root; the store's errors
   */
  *treeAt(
    at: TreeAt,
    keys: readonly Uint8Array[],
    marks: () => readonly bigint[],
    inParts = true,
  ): Generator<undefined, StateTree> {
    // Requests are one at a time: a tree that is half moved now has been abandoned.
    this.#trees = this.#trees.filter(({ height }) => height !== undefined);
    const grafted = inParts ? (this.#at(at.height) ?? this.#graft(at, marks())) : undefined;
    const old = this.#use(grafted ?? this.#nearest(at.height, marks()));
    try {
      if (old.graft !== undefined) yield* this.#moveParts(old, old.graft, at.height, keys);
      else if (old.height !== at.height) yield* this.#move(old, at.height);
      if (Buffer.compare(old.tree.root(), at.stateRoot) !== 0) {
        throw new ProofError(
          'damaged',
          `the state tree of height ${at.height}, worked out from that of ${old.base}, has root ${toHex(old.tree.root())}, the block's header says ${toHex(at.stateRoot)}`,
        );
      }
    } catch (error) {
      const dropped = !this.#trees.includes(old);
      this.#trees = this.#trees.filter((tree) => tree !== old);
      // Its mark was dropped under it: there are others.
      if (dropped) return yield* this.treeAt(at, keys, marks, inParts);
      // Records of tops are not relied on.
      const isDamaged = error instanceof ProofError && error.code === 'damaged';
      if (old.graft !== undefined && isDamaged) return yield* this.treeAt(at, keys, marks, false);
      throw error;
    }
    // Dropped under it, though what was moved had been loaded by then: proofs may need other pages.
    if (!this.#trees.includes(old)) return yield* this.treeAt(at, keys, marks, inParts);
    this.#trim(old);
    return old.tree;
  }

  /** Makes a tree the most recently used one. */
  #use(old: OldTree): OldTree {
    this.#trees = [...this.#trees.filter((tree) => tree !== old), old];
    return old;
  }

  #at(height: bigint): OldTree | undefined {
    return this.#trees.find((old) => old.height === height);
  }

  /** A tree with the top of a height, opened at the nearest mark; undefined where the store does not have what it takes. */
  #graft({ height, stateRoot }: TreeAt, marks: readonly bigint[]): OldTree | undefined {
    const mark = this.#nearestOf(marks, height);
    const top = mark === undefined || mark === height ? undefined : storedTop(this.#store, height);
    if (mark === undefined || top === undefined) return undefined;
    const tree = this.#open(mark);
    const graft = tree.graft(top);
    // Records are not relied on.
    if (Buffer.compare(tree.root(), stateRoot) !== 0) return undefined;
    return { tree, base: mark, graft, height };
  }

  /** The height from which another one is reached best. */
  #nearestOf(from: readonly bigint[], to: bigint): bigint | undefined {
    const oldest = oldestHeight(this.#store);
    const distance = (height: bigint) => (height > to ? height - to : to - height);
    let nearest: bigint | undefined;
    for (const height of from) {
      if (!isBetween(oldest, height, to)) continue;
      if (nearest === undefined || distance(height) < distance(nearest)) nearest = height;
    }
    return nearest;
  }

  /** The whole tree to start from. */
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
      crypto: this.#crypto,
      store: new PagesAtMark(this.#store, mark),
      cacheBytes: this.#memoryBytes / MAX_TREES,
    });
  }

  /** Moves the parts of a grafted tree that keys are in. */
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
      const keys = splitKeys(this.#store.get('changes', be64(height)) ?? new Uint8Array(0));
      for (const key of keys) groups[key[0] ?? 0]?.set(Buffer.from(key).toString('latin1'), key);
      count += keys.length;
      if (count > MAX_MOVED_KEYS) {
        throw new ProofError(
          'state_unavailable',
          `the state tree at height ${to} is too far from those that are kept: over ${MAX_MOVED_KEYS} keys changed since`,
        );
      }
      if (height % BigInt(BLOCKS_A_SLICE) === 0n || count % KEYS_A_SLICE < keys.length) yield;
    }
    // One part of the tree after another: what a slice loads and hashes lies close together.
    for (const group of groups) {
      yield* this.#set(old.tree, [...group.values()], to);
    }
    old.height = to;
  }

  /** Sets keys to what they are at a height. */
  *#set(tree: StateTree, keys: readonly Uint8Array[], height: bigint): Generator<undefined, void> {
    for (let start = 0; start < keys.length; start += KEYS_A_SLICE) {
      const slice = keys.slice(start, start + KEYS_A_SLICE);
      const values = readManyAt(this.#store, slice, height);
      tree.apply(slice.map((key, index) => ({ key, value: values[index] })));
      yield;
    }
  }

  /** Gives up the least recently used trees, and the one in use where it alone takes too much. */
  #trim(inUse: OldTree): void {
    while (this.#trees.length > MAX_TREES || (this.#trees.length > 1 && this.bytes > this.#memoryBytes)) {
      this.#trees.shift();
    }
    if (inUse.tree.bytes > this.#memoryBytes) this.#trees = [];
  }
}

/** Whether what changed between two heights, and the values at the second, are still kept. */
function isBetween(oldest: bigint, from: bigint, to: bigint): boolean {
  return from === to || (from >= oldest && to >= oldest);
}
