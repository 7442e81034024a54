/**
 * Trees as they were at earlier heights.
 *
 * 1. A tree is opened at a marked height (page-versions.ts) and moved to the height asked for: the keys that blocks in between
 *    changed (column `changes`) are set to their values at that height. That works in both directions.
 * 2. Moved trees are kept for the next request, which moves the nearest one on: a run over neighbouring heights costs what their
 *    blocks changed.
 * 3. The root must be the one that the block's header says.
 * 4. Work goes in slices of some milliseconds, between which blocks come first.
 */
import type { Hashes } from '../../crypto/load-hashes.js';
import { toHex } from '../../idl/hex.js';
import { be64 } from '../../storage/big-endian.js';
import { oldestHeight, readManyAt, splitKeys } from '../../storage/state.js';
import type { StoreReader } from '../../storage/store.js';
import { ProofError } from '../proof-error.js';
import { PagesAtMark } from './page-versions.js';
import { StateTree } from './state-tree.js';

/** Rule 4: keys set in one slice, and blocks whose changes are gathered in one. */
const KEYS_A_SLICE = 256;
const BLOCKS_A_SLICE = 64;
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
  readonly base: bigint;
  /** Undefined while it is being moved. */
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
   * Works out a tree, a slice at a time (rule 4). It is good until the next call of this generator's `next` or another's.
   * @param marks whose trees the store has, ascending
   * @throws ProofError `state_unavailable` where the changes in between are not kept, `damaged` where the tree does not get
   *   the root; the store's errors
   */
  *reach(at: TreeAt, marks: () => readonly bigint[]): Generator<undefined, StateTree> {
    const old = this.#nearest(at.height, marks());
    try {
      if (old.height !== at.height) yield* this.#move(old, at.height);
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
      if (dropped) return yield* this.reach(at, marks);
      throw error;
    }
    // Dropped under it, though what was moved had been loaded by then: proofs may need other pages.
    if (!this.#trees.includes(old)) return yield* this.reach(at, marks);
    this.#trim(old);
    return old.tree;
  }

  /** The tree to start from, which becomes the most recently used one. */
  #nearest(height: bigint, marks: readonly bigint[]): OldTree {
    const oldest = oldestHeight(this.#store);
    const distance = (from: bigint) => (from > height ? from - height : height - from);
    let nearest: OldTree | bigint | undefined;
    let best: bigint | undefined;
    const consider = (candidate: OldTree | bigint, from: bigint) => {
      if (!isBetween(oldest, from, height) || (best !== undefined && distance(from) >= best)) return;
      nearest = candidate;
      best = distance(from);
    };
    for (const old of this.#trees) if (old.height !== undefined) consider(old, old.height);
    for (const mark of marks) consider(mark, mark);
    if (nearest === undefined) {
      throw new ProofError('state_unavailable', `the state tree at height ${height} is not kept`);
    }
    const old = typeof nearest === 'bigint' ? this.#open(nearest) : nearest;
    this.#trees = [...this.#trees.filter((tree) => tree !== old), old];
    return old;
  }

  #open(mark: bigint): OldTree {
    const tree = StateTree.open({
      crypto: this.#crypto,
      store: new PagesAtMark(this.#store, mark),
      cacheBytes: this.#memoryBytes / MAX_TREES,
    });
    return { tree, base: mark, height: mark };
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
      const keys = [...group.values()];
      for (let start = 0; start < keys.length; start += KEYS_A_SLICE) {
        const slice = keys.slice(start, start + KEYS_A_SLICE);
        const values = readManyAt(this.#store, slice, to);
        old.tree.apply(slice.map((key, index) => ({ key, value: values[index] })));
        yield;
      }
    }
    old.height = to;
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
