/**
 * Subtrees of the state tree, without the tree: their roots from their entries, and the proofs that lead from them to the
 * state root. A place is a prefix of 32 bytes, whose bits from `depth` on are zero, and a depth.
 */
import type { Hashes } from '../../crypto/load-hashes.js';
import type { SubtreeProof } from '../../generated/node-rpc-v1.js';

/** A place in the state tree. */
export interface SubtreePosition {
  /** 32 bytes; the first `depth` bits count, the others are zero. */
  readonly prefix: Uint8Array;
  /** 0 to 256. */
  readonly depth: number;
}

/** A place and the hash of the subtree there, 32 bytes. */
export interface SubtreeRoot extends SubtreePosition {
  readonly root: Uint8Array;
}

/** A key of the state, 32 bytes, and its value. */
export interface StateEntry {
  readonly key: Uint8Array;
  readonly value: Uint8Array;
}

const HASH_BYTES = 32;
export const KEY_BITS = 256;
const EMPTY = new Uint8Array(HASH_BYTES);

/** Bit `depth` of a key, the most significant bit of its first byte being bit 0. */
export function keyBit(key: Uint8Array, depth: number): 0 | 1 {
  return (((key[depth >> 3] ?? 0) >> (7 - (depth & 7))) & 1) as 0 | 1;
}

/** How many leading bits two keys share. */
export function sharedBits(a: Uint8Array, b: Uint8Array): number {
  for (let i = 0; i < HASH_BYTES; i++) {
    const difference = (a[i] ?? 0) ^ (b[i] ?? 0);
    if (difference !== 0) return i * 8 + Math.clz32(difference) - 24;
  }
  return KEY_BITS;
}

/**
 * The hash of the subtree at a depth that holds these entries and no others; 32 zero bytes where there are none.
 * @param entries ascending by key, all with the same first `depth` bits
 */
// Hot path: once an entry of a snapshot, when it is cut and when it is taken in (bench/snapshot.bench.ts).
export function subtreeRoot(hashes: Hashes, entries: readonly StateEntry[], depth: number): Uint8Array {
  const preimage = new Uint8Array(1 + 2 * HASH_BYTES);
  const pair = new Uint8Array(2 * HASH_BYTES);
  const join = (left: Uint8Array, right: Uint8Array) => {
    pair.set(left);
    pair.set(right, HASH_BYTES);
    return hashes.sha256(pair);
  };
  // Subtrees to the left of the entry at hand that wait for their right half, deepest last: `depth` is that of the inner node
  // which joins the two.
  const waiting: { readonly depth: number; readonly hash: Uint8Array }[] = [];
  let hash: Uint8Array = EMPTY;
  for (const [index, { key, value }] of entries.entries()) {
    preimage.set(key, 1);
    preimage.set(hashes.sha256(value), 1 + HASH_BYTES);
    hash = hashes.sha256(preimage);
    const next = entries[index + 1];
    // A subtree of more than one leaf is lifted to where its parent is, past empty siblings.
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
 * The hash at depth `to` of a subtree with the hash at depth `fetch` below which there is nothing else; one leaf (`fetch` above
 * 256) stays itself at every depth.
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

/** What subtrees that cover all that is in the tree come to. */
export interface ProvedSubtrees {
  /** The state root that they lead to. */
  readonly root: Uint8Array;
  /** In the order of the subtrees. */
  readonly proofs: readonly SubtreeProof[];
}

/**
 * The proofs of subtrees that together hold every entry of the tree.
 * @param subtrees ascending, not overlapping; none for an empty tree. A subtree above depth 0 stands below inner nodes only,
 *   as it does where it comes from cutting a subtree of more than one entry.
 */
export function proveSubtrees(hashes: Hashes, subtrees: readonly SubtreeRoot[]): ProvedSubtrees {
  /** By subtree: from the root down, the sibling of its path at each depth. */
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
    return joined(hashes, left, right);
  };
  const root = build(0, subtrees.length, 0);
  const proofs = subtrees.map(({ prefix, depth }, index) => {
    // Joined from the deepest node up, so the siblings stand that way already.
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
 * The state root that a subtree's hash leads to by its proof; undefined for a proof that is not of the one form there is.
 * @param subtree 32 bytes, not zero unless the depth is 0
 */
export function rootOfSubtreeProof(
  hashes: Pick<Hashes, 'sha256'>,
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
    node = keyBit(prefix, i) === 1 ? joined(hashes, sibling, node) : joined(hashes, node, sibling);
  }
  return used === siblings.length ? node : undefined;
}

/** Whether the prefix has 32 bytes, the depth is in range, and the bits from it on are zero. */
export function isSubtreePosition({ prefix, depth }: SubtreePosition): boolean {
  if (prefix.length !== HASH_BYTES || !Number.isInteger(depth) || depth < 0 || depth > KEY_BITS) return false;
  for (let bit = depth; bit < KEY_BITS; bit++) if (keyBit(prefix, bit) === 1) return false;
  return true;
}

/** Whether a key is below a place. */
export function isInSubtree(key: Uint8Array, { prefix, depth }: SubtreePosition): boolean {
  return sharedBits(key, prefix) >= depth;
}

/** The first prefix behind all keys below a place, 32 bytes; undefined where there is none. */
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

function joined(hashes: Pick<Hashes, 'sha256'>, left: Uint8Array, right: Uint8Array): Uint8Array {
  const pair = new Uint8Array(2 * HASH_BYTES);
  pair.set(left);
  pair.set(right, HASH_BYTES);
  return hashes.sha256(pair);
}

function isZero(hash: Uint8Array): boolean {
  return hash.every((byte) => byte === 0);
}
