import { sameBytes } from '../base/same-bytes.js';
import type { Hashes } from '../crypto/crypto.js';
import { toHex } from '../idl/hex.js';
import type { StoreReader } from '../storage/store.js';
import { ProofError } from './proof-error.js';
import { encodeTreeProofs } from './proof-wire.js';
import { proveKeys } from './tree/key-proofs.js';
import type { TreeAt } from './tree/old-trees.js';
import type { StateTree } from './tree/state-tree.js';

/**
 * Proves keys in the tree of a height.
 * @returns an encoded list (proof-wire.ts)
 * @throws ProofError `damaged` if the tree does not have the height's root, `invalid_input`
 */
export function proveTree(
  { crypto, store }: { readonly crypto: Hashes; readonly store: StoreReader },
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

/** Splits packed 32-byte hashes, as views into `packed`. */
export function splitHashes(packed: Uint8Array): Uint8Array[] {
  const hashes: Uint8Array[] = [];
  for (let at = 0; at < packed.length; at += 32) hashes.push(packed.subarray(at, at + 32));
  return hashes;
}
