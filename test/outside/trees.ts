// List roots, the history MMR and the state tree in their simplest form: everything is recomputed from the leaves.
import { be64, concat, le256, sha256 } from './bytes.js';

const ZERO = new Uint8Array(32);

/** Root of a list's leaf hashes: padded with zeros to a power of two, hashed in pairs, mixed with the length. */
export function listRoot(leaves: readonly Uint8Array[]): Uint8Array {
  return sha256(paddedRoot(leaves), le256(BigInt(leaves.length)));
}

function paddedRoot(leaves: readonly Uint8Array[]): Uint8Array {
  if (leaves.length === 0) return ZERO;
  let layer = [...leaves];
  while ((layer.length & (layer.length - 1)) !== 0) layer.push(ZERO);
  while (layer.length > 1) {
    layer = Array.from({ length: layer.length / 2 }, (_, i) =>
      sha256(layer[2 * i] ?? ZERO, layer[2 * i + 1] ?? ZERO),
    );
  }
  return layer[0] ?? ZERO;
}

/** The list root computed from `leaf` at `index` of `count` and its siblings, bottom-up. */
export function listRootFromPath(
  leaf: Uint8Array,
  index: number,
  count: number,
  path: readonly Uint8Array[],
): Uint8Array {
  if (index >= count) throw new Error(`index ${index} in a list of ${count}`);
  const depth = Math.ceil(Math.log2(count));
  if (path.length !== depth) throw new Error(`a path of ${path.length} in a tree ${depth} deep`);
  const root = path.reduce(
    (node, sibling, level) => ((index >> level) & 1 ? sha256(sibling, node) : sha256(node, sibling)),
    leaf,
  );
  return sha256(root, le256(BigInt(count)));
}

/** The Merkle Mountain Range of the IETF draft, grown leaf by leaf. */
export class HistoryMmr {
  /** Peaks from the highest down, with the number of leaves under each. */
  #peaks: { readonly value: Uint8Array; readonly leaves: number }[] = [];
  #size = 0n;

  /** Number of nodes. */
  get size(): bigint {
    return this.#size;
  }

  get peaks(): readonly Uint8Array[] {
    return this.#peaks.map((peak) => peak.value);
  }

  append(leaf: Uint8Array): void {
    this.#size += 1n;
    let node = { value: leaf, leaves: 1 };
    for (let left = this.#peaks.at(-1); left?.leaves === node.leaves; left = this.#peaks.at(-1)) {
      this.#peaks.pop();
      // The parent takes the next free position; the formula counts positions from one.
      node = { value: sha256(be64(this.#size + 1n), left.value, node.value), leaves: node.leaves * 2 };
      this.#size += 1n;
    }
    this.#peaks.push(node);
  }

  root(): Uint8Array {
    return sha256(be64(this.#size), ...this.peaks);
  }
}

export interface StateLeaf {
  readonly key: Uint8Array;
  readonly value: Uint8Array;
}

/** Root of the compressed binary tree over 32-byte keys. */
export function stateRoot(entries: readonly StateLeaf[]): Uint8Array {
  const leaves = entries.map(({ key, value }) => ({
    key,
    hash: sha256(Uint8Array.of(0), key, sha256(value)),
  }));
  return subtreeRoot(leaves, 0);
}

interface HashedLeaf {
  readonly key: Uint8Array;
  readonly hash: Uint8Array;
}

function subtreeRoot(leaves: readonly HashedLeaf[], depth: number): Uint8Array {
  const [first] = leaves;
  if (first === undefined) return ZERO;
  if (leaves.length === 1) return first.hash;
  const goesRight = (leaf: HashedLeaf): boolean =>
    (((leaf.key[depth >> 3] ?? 0) >> (7 - (depth & 7))) & 1) === 1;
  const left = leaves.filter((leaf) => !goesRight(leaf));
  const right = leaves.filter(goesRight);
  return sha256(subtreeRoot(left, depth + 1), subtreeRoot(right, depth + 1));
}

/** Key of an account in the state tree. */
export function accountKey(address: Uint8Array): Uint8Array {
  return sha256(concat(Uint8Array.of(0), address));
}

/** sha256(0x01 ‖ contract ‖ slot). */
export function slotKey(contract: Uint8Array, slot: Uint8Array): Uint8Array {
  return sha256(Uint8Array.of(1), contract, slot);
}

/** Result of `state_proof` for a key. */
export interface KeyProof {
  readonly key: Uint8Array;
  readonly value: Uint8Array | undefined;
  readonly depth: number;
  readonly bitmap: Uint8Array;
  readonly siblings: readonly Uint8Array[];
  readonly neighbour: { readonly key: Uint8Array; readonly value_hash: Uint8Array } | undefined;
}

/** The root computed from a key's proof. @throws if the proof deviates from the design */
export function rootFromKeyProof(proof: KeyProof): Uint8Array {
  const { key, value, depth, bitmap, neighbour } = proof;
  const bitOf = (bits: Uint8Array, i: number): number => ((bits[i >> 3] ?? 0) >> (7 - (i & 7))) & 1;
  if (bitmap.length !== Math.ceil(depth / 8))
    throw new Error(`a bitmap of ${bitmap.length} for ${depth} levels`);
  let node: Uint8Array = ZERO;
  if (value !== undefined) {
    if (neighbour !== undefined) throw new Error('a neighbour beside a value');
    node = sha256(Uint8Array.of(0), key, sha256(value));
  } else if (neighbour !== undefined) {
    let shared = 0;
    while (shared < 256 && bitOf(neighbour.key, shared) === bitOf(key, shared)) shared++;
    if (shared < depth || shared === 256) throw new Error(`a neighbour that shares ${shared} bits`);
    node = sha256(Uint8Array.of(0), neighbour.key, neighbour.value_hash);
  }
  const siblings = [...proof.siblings];
  for (let level = depth - 1; level >= 0; level--) {
    const isThere = ((bitmap[level >> 3] ?? 0) >> (level & 7)) % 2 === 1;
    const sibling = isThere ? siblings.shift() : ZERO;
    if (sibling === undefined) throw new Error('too few siblings');
    node = bitOf(key, level) === 1 ? sha256(sibling, node) : sha256(node, sibling);
  }
  if (siblings.length > 0) throw new Error(`${siblings.length} siblings left over`);
  return node;
}

/** Result of `finalized_history_proof`. */
export interface HistoryProof {
  readonly leaf_index: bigint;
  readonly block_hash: Uint8Array;
  readonly path: readonly Uint8Array[];
  readonly peaks: readonly Uint8Array[];
  readonly size: bigint;
}

/** The peak computed from a leaf's path through its perfect tree, counting the draft's positions on the way. */
export function peakFromHistoryProof({ leaf_index: leaf, block_hash, path }: HistoryProof): Uint8Array {
  // Nodes before the leaf's perfect tree: two per leaf, minus one for each tree they form.
  const first = (leaf >> BigInt(path.length)) << BigInt(path.length);
  let ones = 0n;
  for (let rest = first; rest > 0n; rest >>= 1n) ones += rest & 1n;
  const before = 2n * first - ones;
  let node = block_hash;
  for (const [level, sibling] of path.entries()) {
    const height = BigInt(level + 1);
    // Index of the perfect subtree of this height that holds the leaf; its root comes after all its other nodes.
    const subtree = (leaf - first) >> height;
    let trees = 0n;
    for (let rest = subtree; rest > 0n; rest >>= 1n) trees += rest & 1n;
    const position = before + (subtree << height) * 2n - trees + (2n << height) - 2n;
    const parent = be64(position + 1n);
    node =
      ((leaf >> BigInt(level)) & 1n) === 1n ? sha256(parent, sibling, node) : sha256(parent, node, sibling);
  }
  return node;
}
