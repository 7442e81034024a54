import { sameBytes } from '../../base/same-bytes.js';
import type { Sha256 } from '../../crypto/crypto.js';
import type { TreeProof } from '../../generated/node-rpc-v1.js';
import { toHex } from '../../idl/hex.js';
import { readManyAt } from '../../storage/state.js';
import type { StoreReader } from '../../storage/store.js';
import { ProofError } from '../proof-error.js';
import type { TreeAt } from '../proof-messages.js';
import { encodeTreeProofs } from '../proof-wire.js';
import { leafHash } from '../snapshot/subtree.js';
import type { TreeSource } from './old-trees.js';
import type { StateTree } from './state-tree.js';

/**
 * Proves the values of keys, or their absence. Never returns a value that differs from the one in the tree.
 *
 * Hot path: guarded by bench/tree.bench.ts.
 * @param height height of the tree, at which the state is read
 * @throws ProofError `damaged`, StateUnavailableError
 */
export function proveKeys(
  crypto: Sha256,
  store: StoreReader,
  tree: StateTree,
  height: bigint,
  keys: readonly Uint8Array[],
): TreeProof[] {
  const paths = tree.pathsToKeys(keys);
  // A key's path may end at another key's leaf; hashing that leaf requires its value.
  const leafKeys = paths.map(({ leaf }, index) => leaf?.key ?? keys[index] ?? new Uint8Array(0));
  const values = readManyAt(store, leafKeys, height);
  return paths.map(({ depth, bitmap, siblings, leaf }, index) => {
    const key = keys[index] ?? new Uint8Array(0);
    const path = { key, depth, bitmap, siblings };
    const value = values[index];
    if (leaf === undefined && value === undefined) return path;
    const valueHash = value === undefined ? undefined : crypto.sha256(value);
    if (
      leaf === undefined ||
      valueHash === undefined ||
      !sameBytes(leafHash(crypto, leaf.key, valueHash), leaf.hash)
    ) {
      throw new ProofError(
        'damaged',
        `state key ${toHex(leaf?.key ?? key)}: its value at height ${height} is not the one in the state tree; the data directory is damaged`,
      );
    }
    if (sameBytes(leaf.key, key) && value !== undefined) return { ...path, value };
    return { ...path, neighbour: { key: leaf.key, value_hash: valueHash } };
  });
}

/** Proves keys in a height's tree, as an encoded list (proof-wire.ts). @throws ProofError `damaged`, `invalid_input` */
export function proveTree(
  { crypto, store }: TreeSource,
  tree: StateTree,
  { height, stateRoot }: TreeAt,
  keys: readonly Uint8Array[],
): Uint8Array<ArrayBuffer> {
  if (!sameBytes(tree.root(), stateRoot)) {
    throw new ProofError(
      'damaged',
      `the state tree of height ${height} has root ${toHex(tree.root())}, the block's header says ${toHex(stateRoot)}`,
    );
  }
  return encodeTreeProofs(proveKeys(crypto, store, tree, height, keys));
}
