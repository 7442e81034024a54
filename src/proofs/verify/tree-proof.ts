import { sameBytes } from '../../base/same-bytes.js';
import type { TreeProof } from '../../generated/node-rpc-v1.js';
import { KEY_BITS, keyBit, leafHash, rootOfSubtreeProof, sharedBits } from '../snapshot/subtree.js';
import { portableHashes } from './header-hash.js';
import { VerifyError } from './verify-error.js';

const EMPTY = new Uint8Array(32);

/**
 * Verifies a proof in the state tree; the documentation of `TreeProof` describes the tree and its proofs.
 * 1. The proof is for the requested key.
 * 2. The node at the proof's position is leaf(key, sha256(value)) if there is a value; else leaf(neighbour), where
 *    the neighbour has another key with the same first `depth` bits; else 32 zero bytes.
 * 3. All siblings together lead from that node to the root.
 * @param key the requested key, 32 bytes
 * @param stateRoot 32 bytes
 * @returns the value, or undefined if the proof shows that the key is not in the state
 * @throws VerifyError `wrong_subject`, `malformed`, `not_proved`
 */
export function verifyTreeProof(
  proof: TreeProof,
  key: Uint8Array,
  stateRoot: Uint8Array,
): Uint8Array | undefined {
  if (!sameBytes(proof.key, key)) {
    throw new VerifyError('wrong_subject', 'tree proof: it is not for the requested key');
  }
  if (key.length !== 32 || proof.depth > KEY_BITS) {
    throw new VerifyError(
      'malformed',
      `tree proof: expected a key of 32 bytes and a depth up to ${KEY_BITS}`,
    );
  }
  const place = { ...proof, prefix: prefixOf(key, proof.depth) };
  const root = rootOfSubtreeProof(portableHashes, place, nodeAtPlace(proof));
  if (root === undefined) {
    throw new VerifyError(
      'malformed',
      `tree proof: expected a bitmap for depth ${proof.depth} and, for each bit set, a non-empty sibling of 32 bytes`,
    );
  }
  if (!sameBytes(root, stateRoot)) {
    throw new VerifyError('not_proved', 'tree proof: it does not lead to the state root of the header');
  }
  return proof.value;
}

function nodeAtPlace({ key, value, neighbour, depth }: TreeProof): Uint8Array {
  if (value !== undefined && neighbour !== undefined) {
    throw new VerifyError('malformed', 'tree proof: expected a value or a neighbour, got both');
  }
  if (value !== undefined) return leafHash(portableHashes, key, portableHashes.sha256(value));
  if (neighbour === undefined) return EMPTY;
  if (neighbour.key.length !== 32 || neighbour.value_hash.length !== 32) {
    throw new VerifyError('malformed', 'tree proof: expected a neighbour of two hashes of 32 bytes');
  }
  const shared = sharedBits(neighbour.key, key);
  if (shared < depth || shared === KEY_BITS) {
    throw new VerifyError(
      'not_proved',
      `tree proof: the neighbour is not at the key's place: expected another key with the same first ${depth} bits`,
    );
  }
  return leafHash(portableHashes, neighbour.key, neighbour.value_hash);
}

/** The first `depth` bits of a key, followed by zero bits. */
function prefixOf(key: Uint8Array, depth: number): Uint8Array {
  const prefix = new Uint8Array(32);
  for (let bit = 0; bit < depth; bit++) {
    if (keyBit(key, bit) === 1) prefix[bit >> 3] = (prefix[bit >> 3] ?? 0) | (0x80 >> (bit & 7));
  }
  return prefix;
}
