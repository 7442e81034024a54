/**
 * List roots: a header's commitment to its transactions and receipts.
 *
 * - A leaf is sha256 of an item's bytes; an inner node is sha256(left ‖ right).
 * - Leaves are padded with 32 zero bytes to a power of two.
 * - The root is sha256(tree root ‖ u256le(length)). The tree root of an empty list is 32 zero bytes; the tree root of
 *   a list of one item is that item's leaf.
 */
import { concatBytes } from '../base/concat-bytes.js';
import { sameBytes } from '../base/same-bytes.js';
import type { Hashes, Sha256 } from '../crypto/crypto.js';
import { ProofError } from './proof-error.js';

/** The list root over encoded items: 32 bytes. */
export function listRoot(crypto: Hashes, items: readonly Uint8Array[]): Uint8Array {
  return listRootOfLeaves(crypto, listLeaves(crypto, items), items.length);
}

/** The concatenated leaves of a list: items × 32 bytes. */
export function listLeaves(crypto: Sha256, items: readonly Uint8Array[]): Uint8Array {
  const leaves = new Uint8Array(items.length * 32);
  for (const [index, item] of items.entries()) leaves.set(crypto.sha256(item), index * 32);
  return leaves;
}

/** The list root over `length` leaves of 32 bytes each. */
export function listRootOfLeaves(crypto: Hashes, leaves: Uint8Array, length: number): Uint8Array {
  expectLeaves(leaves, length);
  let layer = padded(leaves, length);
  while (layer.length > 32) layer = crypto.sha256Pairs(layer);
  return mixLength(crypto, layer, length);
}

/** The siblings from a leaf up to the tree root, 32 bytes each. @throws ProofError `out_of_range` for a bad index */
export function listPath(crypto: Hashes, leaves: Uint8Array, length: number, index: number): Uint8Array[] {
  expectLeaves(leaves, length);
  if (!Number.isInteger(index) || index < 0 || index >= length) {
    throw new ProofError('out_of_range', `list path: expected an index below ${length}, got ${index}`);
  }
  const path: Uint8Array[] = [];
  let layer = padded(leaves, length);
  for (let at = index; layer.length > 32; at >>= 1) {
    const sibling = (at ^ 1) * 32;
    path.push(layer.slice(sibling, sibling + 32));
    layer = crypto.sha256Pairs(layer);
  }
  return path;
}

/**
 * Verifies that `leaf` is at `index` in the list of `length` items under `root`. Returns false, and never throws, for
 * malformed proofs.
 * @param leaf sha256 of the item, 32 bytes
 */
export function verifyListPath(
  crypto: Sha256,
  proof: {
    readonly root: Uint8Array;
    readonly length: number;
    readonly index: number;
    readonly leaf: Uint8Array;
    readonly path: readonly Uint8Array[];
  },
): boolean {
  const { root, length, index, leaf, path } = proof;
  if (!Number.isSafeInteger(length) || !Number.isInteger(index) || index < 0 || index >= length) return false;
  if (path.length !== depthOf(length) || [root, leaf, ...path].some((hash) => hash.length !== 32))
    return false;
  let node = leaf;
  let at = index;
  for (const sibling of path) {
    node = crypto.sha256(concatBytes(at % 2 === 1 ? [sibling, node] : [node, sibling]));
    at = Math.floor(at / 2);
  }
  return sameBytes(mixLength(crypto, node, length), root);
}

/** Number of layers above the leaves: the smallest depth with 2^depth ≥ length. */
function depthOf(length: number): number {
  let depth = 0;
  while (2 ** depth < length) depth++;
  return depth;
}

function padded(leaves: Uint8Array, length: number): Uint8Array {
  const width = length === 0 ? 1 : 2 ** depthOf(length);
  if (width === length) return leaves;
  const layer = new Uint8Array(width * 32);
  layer.set(leaves);
  return layer;
}

function mixLength(crypto: Sha256, treeRoot: Uint8Array, length: number): Uint8Array {
  const preimage = new Uint8Array(64);
  preimage.set(treeRoot);
  new DataView(preimage.buffer).setBigUint64(32, BigInt(length), true);
  return crypto.sha256(preimage);
}

function expectLeaves(leaves: Uint8Array, length: number): void {
  if (leaves.length === length * 32) return;
  const got = `for ${length} items, got ${leaves.length}`;
  throw new ProofError('invalid_input', `list leaves: expected ${length} × 32 bytes ${got}`);
}
