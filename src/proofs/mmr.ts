/**
 * The history's Merkle Mountain Range, as defined by the IETF draft draft-bryce-cose-receipts-mmr-profile.
 *
 * 1. Nodes are numbered from 0 in order of creation; a parent immediately follows its right child.
 * 2. The value of a leaf is given (here: the hash of the block at that height); an inner node at position p is
 *    sha256(be64(p + 1) ‖ left ‖ right).
 * 3. The range over n leaves has 2n − popcount(n) nodes. Its peaks are the roots of its perfect trees, highest first.
 * 4. The root is sha256(be64(size) ‖ peaks), where size is the number of nodes. The root of the empty range is
 *    sha256(be64(0)).
 * 5. An inclusion path holds the siblings from the leaf up to its peak.
 */
import { sameBytes } from '../base/same-bytes.js';
import type { Sha256 } from '../crypto/crypto.js';
import { writeBe64 } from '../storage/big-endian.js';
import { ProofError } from './proof-error.js';

/** Reads the 32-byte nodes at positions, in their order. @throws ProofError `damaged` if one is missing */
export type MmrNodes = (positions: readonly bigint[]) => readonly Uint8Array[];

export interface MmrNode {
  readonly position: bigint;
  /** 32 bytes. */
  readonly hash: Uint8Array;
}

/** The number of nodes of the range over `leaves` leaves: 2n − popcount(n). */
export function mmrSize(leaves: bigint): bigint {
  let ones = 0n;
  for (let rest = leaves; rest > 0n; rest >>= 1n) ones += rest & 1n;
  return 2n * leaves - ones;
}

/** The number of leaves of the range with `size` nodes; undefined if there is no such range. */
export function mmrLeaves(size: bigint): bigint | undefined {
  let leaves = 0n;
  let rest = size;
  for (let height = size.toString(2).length - 1; height >= 0; height--) {
    const nodes = (2n << BigInt(height)) - 1n;
    if (rest < nodes) continue;
    rest -= nodes;
    leaves += 1n << BigInt(height);
  }
  return rest === 0n ? leaves : undefined;
}

/** The position of the leaf at an index (both counted from 0); it equals the number of nodes before the leaf. */
export function leafPosition(leafIndex: bigint): bigint {
  return mmrSize(leafIndex);
}

/** The height of a node above the leaves; 0 for leaves. */
export function positionHeight(position: bigint): number {
  let place = position + 1n;
  let length = place.toString(2).length;
  while (place !== (1n << BigInt(length)) - 1n) {
    // Moves to the corresponding node in the tree to the left.
    place -= (1n << BigInt(length - 1)) - 1n;
    length = place.toString(2).length;
  }
  return length - 1;
}

/** Positions of the peaks of the range over `leaves` leaves, highest first. */
export function peakPositions(leaves: bigint): bigint[] {
  const peaks: bigint[] = [];
  let position = -1n;
  for (let height = leaves.toString(2).length - 1; height >= 0; height--) {
    if (((leaves >> BigInt(height)) & 1n) === 0n) continue;
    position += (2n << BigInt(height)) - 1n;
    peaks.push(position);
  }
  return peaks;
}

/** The root of a range (rule 4). @param peaks the peaks' hashes, highest first */
export function mmrRoot(crypto: Sha256, size: bigint, peaks: readonly Uint8Array[]): Uint8Array {
  const preimage = new Uint8Array(8 + peaks.length * 32);
  writeBe64(preimage, 0, size);
  for (const [index, peak] of peaks.entries()) preimage.set(peak, 8 + index * 32);
  return crypto.sha256(preimage);
}

/** A growing range. Keeps only its peaks; the caller stores the nodes that {@link append} returns. */
export class Mmr {
  readonly #crypto: Sha256;
  #leaves: bigint;
  /** Highest first. */
  readonly #peaks: Uint8Array[];

  private constructor(crypto: Sha256, leaves: bigint, peaks: Uint8Array[]) {
    this.#crypto = crypto;
    this.#leaves = leaves;
    this.#peaks = peaks;
  }

  static empty(crypto: Sha256): Mmr {
    return new Mmr(crypto, 0n, []);
  }

  /** Opens the range over the first `leaves` leaves, whose nodes are stored. */
  static open(crypto: Sha256, leaves: bigint, nodes: MmrNodes): Mmr {
    return new Mmr(crypto, leaves, [...nodes(peakPositions(leaves))]);
  }

  get leaves(): bigint {
    return this.#leaves;
  }

  get size(): bigint {
    return mmrSize(this.#leaves);
  }

  clone(): Mmr {
    return new Mmr(this.#crypto, this.#leaves, [...this.#peaks]);
  }

  /** Adds a leaf. @returns the new nodes, the leaf first, in ascending position */
  append(leaf: Uint8Array): MmrNode[] {
    if (leaf.length !== 32) {
      throw new ProofError('invalid_input', `MMR leaf: expected 32 bytes, got ${leaf.length}`);
    }
    let node: MmrNode = { position: this.size, hash: leaf };
    const added = [node];
    // Each trailing one bit of the leaf count is a perfect tree to merge with.
    for (let rest = this.#leaves; (rest & 1n) === 1n; rest >>= 1n) {
      const left = this.#peaks.pop();
      if (left === undefined)
        throw new ProofError('damaged', 'the MMR has fewer peaks than its leaf count requires');
      const position = node.position + 1n;
      node = { position, hash: innerNode(this.#crypto, position, left, node.hash) };
      added.push(node);
    }
    this.#peaks.push(node.hash);
    this.#leaves += 1n;
    return added;
  }

  peaks(): readonly Uint8Array[] {
    return [...this.#peaks];
  }

  root(): Uint8Array {
    return mmrRoot(this.#crypto, this.size, this.#peaks);
  }
}

export interface MmrLeaf {
  readonly leafIndex: bigint;
  readonly leaves: bigint;
}

export interface MmrInclusionProof extends MmrLeaf {
  /** Siblings from the leaf up to its peak, 32 bytes each. */
  readonly path: readonly Uint8Array[];
  /** Highest first, 32 bytes each. */
  readonly peaks: readonly Uint8Array[];
}

/** Proves a leaf in a range whose nodes are all stored. @throws ProofError `out_of_range` unless leafIndex < leaves */
export function proveMmrInclusion(nodes: MmrNodes, leaf: MmrLeaf): MmrInclusionProof {
  const { leafIndex, leaves } = leaf;
  if (leafIndex < 0n || leafIndex >= leaves) {
    throw new ProofError('out_of_range', `MMR proof: expected a leaf below ${leaves}, got ${leafIndex}`);
  }
  const siblings = pathPositions(leaf);
  const read = nodes([...siblings, ...peakPositions(leaves)]);
  return { leafIndex, leaves, path: read.slice(0, siblings.length), peaks: read.slice(siblings.length) };
}

/** Positions of the siblings from a leaf up to its peak. */
export function pathPositions({ leafIndex, leaves }: MmrLeaf): bigint[] {
  const size = mmrSize(leaves);
  const path: bigint[] = [];
  let position = leafPosition(leafIndex);
  for (let height = 0; ; height++) {
    const step = 2n << BigInt(height);
    const isRight = positionHeight(position + 1n) > height;
    const sibling = isRight ? position - step + 1n : position + step - 1n;
    if (sibling >= size) return path;
    path.push(sibling);
    position = isRight ? position + 1n : position + step;
  }
}

/**
 * Verifies that `leaf` is in the range under `root`. Returns false, and never throws, for malformed proofs.
 * @param leaf 32 bytes
 * @param root 32 bytes
 */
export function verifyMmrInclusion(
  crypto: Sha256,
  proof: MmrInclusionProof,
  leaf: Uint8Array,
  root: Uint8Array,
): boolean {
  const { leafIndex, leaves, path, peaks } = proof;
  if (leafIndex < 0n || leafIndex >= leaves || leaves >= 1n << 63n) return false;
  if ([leaf, root, ...path, ...peaks].some((hash) => hash.length !== 32)) return false;
  const expectedPeaks = peakPositions(leaves);
  if (peaks.length !== expectedPeaks.length || path.length !== pathPositions(proof).length) {
    return false;
  }
  let position = leafPosition(leafIndex);
  let node = leaf;
  for (const [height, sibling] of path.entries()) {
    if (positionHeight(position + 1n) > height) {
      position += 1n;
      node = innerNode(crypto, position, sibling, node);
    } else {
      position += 2n << BigInt(height);
      node = innerNode(crypto, position, node, sibling);
    }
  }
  const peak = peaks[expectedPeaks.indexOf(position)];
  return sameBytes(peak, node) && sameBytes(mmrRoot(crypto, mmrSize(leaves), peaks), root);
}

function innerNode(crypto: Sha256, position: bigint, left: Uint8Array, right: Uint8Array): Uint8Array {
  const preimage = new Uint8Array(72);
  writeBe64(preimage, 0, position + 1n);
  preimage.set(left, 8);
  preimage.set(right, 40);
  return crypto.sha256(preimage);
}
