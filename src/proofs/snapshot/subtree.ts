/**
 * Subtrees of the state tree, computed without the tree: their roots from their entries, and the proofs that lead from
 * them to the state root. A subtree's position is a 32-byte prefix, whose bits from `depth` on are zero, and a depth.
 */
import { concatBytes } from '../../base/concat-bytes.js';
import type { Hashes, Sha256 } from '../../crypto/crypto.js';
import type { SubtreeProof } from '../../generated/node-rpc-v1.js';

export interface SubtreePosition {
  /** 32 bytes; only the first `depth` bits are significant, the others are zero. */
  readonly prefix: Uint8Array;
  /** 0 to 256. */
  readonly depth: number;
}

/** Position and hash (32 bytes) of a subtree. */
export interface SubtreeRoot extends SubtreePosition {
  readonly root: Uint8Array;
}

/** A state key (32 bytes) and its value. */
export interface StateEntry {
  readonly key: Uint8Array;
  readonly value: Uint8Array;
}

const HASH_BYTES = 32;
export const KEY_BITS = 256;
const LEAF = Uint8Array.of(0);
const EMPTY = new Uint8Array(HASH_BYTES);

/** Bit `depth` of a key; bit 0 is the most significant bit of its first byte. */
export function keyBit(key: Uint8Array, depth: number): 0 | 1 {
  return (((key[depth >> 3] ?? 0) >> (7 - (depth & 7))) & 1) as 0 | 1;
}

/** Number of leading bits that two keys share. */
export function sharedBits(a: Uint8Array, b: Uint8Array): number {
  for (let i = 0; i < HASH_BYTES; i++) {
    const difference = (a[i] ?? 0) ^ (b[i] ?? 0);
    if (difference !== 0) return i * 8 + Math.clz32(difference) - 24;
  }
  return KEY_BITS;
}

/**
 * The hash of the subtree at a depth with exactly these entries; 32 zero bytes if there are none.
 * @param entries ascending by key, all with the same first `depth` bits
 */
// Hot path: runs per entry of a snapshot, for both cutting and import (bench/snapshot.bench.ts).
export function subtreeRoot(hashes: Hashes, entries: readonly StateEntry[], depth: number): Uint8Array {
  const preimage = new Uint8Array(1 + 2 * HASH_BYTES);
  const pair = new Uint8Array(2 * HASH_BYTES);
  const join = (left: Uint8Array, right: Uint8Array) => {
    pair.set(left);
    pair.set(right, HASH_BYTES);
    return hashes.sha256(pair);
  };
  // Subtrees to the left of the current entry that await their right half, deepest last; `depth` is that of the inner
  // node that joins the two.
  const waiting: { readonly depth: number; readonly hash: Uint8Array }[] = [];
  let hash: Uint8Array = EMPTY;
  for (const [index, { key, value }] of entries.entries()) {
    preimage.set(key, 1);
    preimage.set(hashes.sha256(value), 1 + HASH_BYTES);
    hash = hashes.sha256(preimage);
    const next = entries[index + 1];
    // Lifts a subtree of more than one leaf to just below its parent, past empty siblings.
    let at = KEY_BITS + 1;
    const fork = next === undefined ? depth - 1 : sharedBits(key, next.key);
    for (let last = waiting.at(-1); last !== undefined && last.depth > fork; last = waiting.at(-1)) {
      waiting.pop();
      hash = join(last.hash, lifted(hash, key, at, last.depth + 1, join));
      at = last.depth;
    }
    if (fork >= depth) waiting.push({ depth: fork, hash: lifted(hash, key, at, fork + 1, join) });
    else hash = lifted(hash, key, at, depth, join);
  }
  return hash;
}

/**
 * Lifts the hash of a subtree from depth `from` to depth `to`, past empty siblings. A single leaf (`from` above 256)
 * has the same hash at every depth.
 */
function lifted(
  hash: Uint8Array,
  key: Uint8Array,
  from: number,
  to: number,
  join: (left: Uint8Array, right: Uint8Array) => Uint8Array,
): Uint8Array {
  if (from > KEY_BITS) return hash;
  let node = hash;
  for (let depth = from - 1; depth >= to; depth--) {
    node = keyBit(key, depth) === 1 ? join(EMPTY, node) : join(node, EMPTY);
  }
  return node;
}

/** Root and proofs of subtrees that cover the whole tree. */
export interface ProvedSubtrees {
  readonly root: Uint8Array;
  readonly proofs: readonly SubtreeProof[];
}

/**
 * Proves subtrees that together hold every entry of the tree.
 * @param subtrees ascending, not overlapping; empty for an empty tree. A subtree below the root must have only inner
 *   nodes above it, as it does after a subtree of more than one entry is cut.
 */
export function proveSubtrees(hashes: Hashes, subtrees: readonly SubtreeRoot[]): ProvedSubtrees {
  /** Siblings on the path of each subtree, from the subtree up to the root. */
  const paths: Uint8Array[][] = subtrees.map(() => []);
  const build = (from: number, to: number, depth: number): Uint8Array => {
    const first = subtrees[from];
    if (first === undefined || from === to) return EMPTY;
    if (first.depth === depth) return first.root;
    let middle = from;
    while (middle < to && keyBit(subtrees[middle]?.prefix ?? EMPTY, depth) === 0) middle++;
    const left = build(from, middle, depth + 1);
    const right = build(middle, to, depth + 1);
    for (let i = from; i < to; i++) paths[i]?.push(i < middle ? right : left);
    return hashes.sha256(concatBytes([left, right]));
  };
  const root = build(0, subtrees.length, 0);
  const proofs = subtrees.map(({ prefix, depth }, index) => {
    // `build` joins subtrees from the deepest node up, so the siblings are already in that order.
    const path = paths[index] ?? [];
    const bitmap = new Uint8Array(Math.ceil(depth / 8));
    const siblings: Uint8Array[] = [];
    path.forEach((sibling, fromBelow) => {
      if (isZero(sibling)) return;
      const bit = depth - 1 - fromBelow;
      bitmap[bit >> 3] = (bitmap[bit >> 3] ?? 0) | (1 << (bit & 7));
      siblings.push(sibling);
    });
    return { prefix, depth, bitmap, siblings };
  });
  return { root, proofs };
}

/**
 * The state root that a subtree's hash and proof lead to; undefined if the proof is not in canonical form.
 * @param subtree 32 bytes, not zero unless the depth is 0
 */
export function rootOfSubtreeProof(
  hashes: Sha256,
  { prefix, depth, bitmap, siblings }: SubtreeProof,
  subtree: Uint8Array,
): Uint8Array | undefined {
  if (!isSubtreePosition({ prefix, depth }) || bitmap.length !== Math.ceil(depth / 8)) return undefined;
  if (siblings.some((sibling) => sibling.length !== HASH_BYTES || isZero(sibling))) return undefined;
  for (let bit = depth; bit < bitmap.length * 8; bit++) {
    if ((((bitmap[bit >> 3] ?? 0) >> (bit & 7)) & 1) === 1) return undefined;
  }
  let node = subtree;
  let used = 0;
  for (let i = depth - 1; i >= 0; i--) {
    let sibling: Uint8Array | undefined = EMPTY;
    if ((((bitmap[i >> 3] ?? 0) >> (i & 7)) & 1) === 1) sibling = siblings[used++];
    if (sibling === undefined) return undefined;
    node = hashes.sha256(concatBytes(keyBit(prefix, i) === 1 ? [sibling, node] : [node, sibling]));
  }
  return used === siblings.length ? node : undefined;
}

/** True if the prefix has 32 bytes, the depth is in range, and all bits from `depth` on are zero. */
export function isSubtreePosition({ prefix, depth }: SubtreePosition): boolean {
  if (prefix.length !== HASH_BYTES || !Number.isInteger(depth) || depth < 0 || depth > KEY_BITS) return false;
  for (let bit = depth; bit < KEY_BITS; bit++) if (keyBit(prefix, bit) === 1) return false;
  return true;
}

export function isInSubtree(key: Uint8Array, { prefix, depth }: SubtreePosition): boolean {
  return sharedBits(key, prefix) >= depth;
}

/** The first prefix after all keys of a subtree, 32 bytes; undefined if there is none. */
export function subtreeEnd({ prefix, depth }: SubtreePosition): Uint8Array | undefined {
  const end = prefix.slice();
  let bit = depth - 1;
  while (bit >= 0 && keyBit(end, bit) === 1) {
    end[bit >> 3] = (end[bit >> 3] ?? 0) & ~(0x80 >> (bit & 7));
    bit--;
  }
  if (bit < 0) return undefined;
  end[bit >> 3] = (end[bit >> 3] ?? 0) | (0x80 >> (bit & 7));
  return end;
}

function isZero(hash: Uint8Array): boolean {
  return hash.every((byte) => byte === 0);
}

/** The hash of a leaf: sha256(0x00 ‖ key ‖ sha256(value)). */
export function leafHash(hashes: Sha256, key: Uint8Array, valueHash: Uint8Array): Uint8Array {
  return hashes.sha256(concatBytes([LEAF, key, valueHash]));
}
