import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { sameBytes } from '../../../src/base/same-bytes.js';
import type { TreeProof } from '../../../src/generated/node-rpc-v1.js';

const sha256 = (...parts: readonly Uint8Array[]) =>
  createHash('sha256').update(Buffer.concat(parts)).digest();

const bitOf = (bytes: Uint8Array, index: number) => ((bytes[index >> 3] ?? 0) >> (7 - (index & 7))) & 1;

/**
 * The value that a proof shows under a root, read straight off the definition of `TreeProof`; shares nothing with the
 * code under test.
 * @returns undefined for a key that is shown to be absent
 * @throws AssertionError where the proof proves nothing
 */
export function provedValue(proof: TreeProof, key: Uint8Array, root: Uint8Array): Uint8Array | undefined {
  const { depth, bitmap, siblings, neighbour, value } = proof;
  assert.deepEqual(Buffer.from(proof.key), Buffer.from(key), 'another key');
  assert.ok(Number.isInteger(depth) && depth >= 0 && depth <= 256, 'depth');
  assert.equal(bitmap.length, Math.ceil(depth / 8), 'length of the bitmap');
  let hash: Uint8Array = Buffer.alloc(32);
  if (value !== undefined) {
    assert.equal(neighbour, undefined, 'a value and a neighbour');
    hash = sha256(Buffer.of(0), key, sha256(value));
  } else if (neighbour !== undefined) {
    assert.equal(neighbour.key.length, 32);
    assert.equal(neighbour.value_hash.length, 32);
    assert.notDeepEqual(Buffer.from(neighbour.key), Buffer.from(key), 'the neighbour is the key itself');
    for (let i = 0; i < depth; i++) assert.equal(bitOf(neighbour.key, i), bitOf(key, i), 'a far neighbour');
    hash = sha256(Buffer.of(0), neighbour.key, neighbour.value_hash);
  }
  const left = [...siblings];
  for (let i = depth - 1; i >= 0; i--) {
    const isThere = (((bitmap[i >> 3] ?? 0) >> (i & 7)) & 1) === 1;
    const sibling = isThere ? (left.shift() ?? assert.fail('too few siblings')) : Buffer.alloc(32);
    assert.equal(sibling.length, 32);
    if (isThere)
      assert.ok(
        sibling.some((byte) => byte !== 0),
        'an empty sibling is listed',
      );
    hash = bitOf(key, i) === 1 ? sha256(sibling, hash) : sha256(hash, sibling);
  }
  for (let i = depth; i < bitmap.length * 8; i++) {
    assert.equal(((bitmap[i >> 3] ?? 0) >> (i & 7)) & 1, 0, 'a bit beyond the depth');
  }
  assert.equal(left.length, 0, 'siblings left over');
  assert.deepEqual(Buffer.from(hash), Buffer.from(root), 'another root');
  return value;
}

/** Whether a proof shows anything about a key under a root. */
export function isProof(proof: TreeProof, key: Uint8Array, root: Uint8Array): boolean {
  try {
    provedValue(proof, key, root);
    return true;
  } catch (error) {
    if (error instanceof assert.AssertionError) return false;
    throw error;
  }
}

/** Proofs that differ from a true one in one respect each, with a label. */
export function mutations(proof: TreeProof, seed: number): (readonly [string, TreeProof])[] {
  const { depth, bitmap, siblings, neighbour, value } = proof;
  const flip = (bytes: Uint8Array) => {
    const flipped = Uint8Array.from(bytes);
    const bit = seed % (bytes.length * 8);
    flipped[bit >> 3] = (flipped[bit >> 3] ?? 0) ^ (1 << (bit & 7));
    return flipped;
  };
  const mutated: (readonly [string, TreeProof])[] = [
    ['a bit of the key', { ...proof, key: flip(proof.key) }],
    ['one level deeper', { ...proof, depth: depth + 1 }],
    ['one level deeper with its bit', { ...proof, depth: depth + 1, bitmap: withRoomFor(bitmap, depth + 1) }],
    ['an added sibling', { ...proof, siblings: [...siblings, sha256(Buffer.of(seed & 255))] }],
    ['a sibling of zeros', { ...proof, siblings: [new Uint8Array(32), ...siblings] }],
    ['a longer bitmap', { ...proof, bitmap: Uint8Array.from([...bitmap, 0]) }],
  ];
  if (depth > 0) {
    mutated.push(
      ['a bit of the bitmap', { ...proof, bitmap: flip(bitmap) }],
      ['a shorter bitmap', { ...proof, bitmap: bitmap.slice(1) }],
      ['one level higher', { ...proof, depth: depth - 1 }],
    );
  }
  for (const [index, sibling] of siblings.entries()) {
    mutated.push(
      [`a bit of sibling ${index}`, { ...proof, siblings: siblings.with(index, flip(sibling)) }],
      [`sibling ${index} shortened`, { ...proof, siblings: siblings.with(index, sibling.slice(1)) }],
      [`without sibling ${index}`, { ...proof, siblings: siblings.toSpliced(index, 1) }],
    );
    const next = siblings[index + 1];
    if (next === undefined || sameBytes(next, sibling)) continue;
    mutated.push([
      `siblings ${index} and ${index + 1} swapped`,
      { ...proof, siblings: siblings.with(index, next).with(index + 1, sibling) },
    ]);
  }
  if (value !== undefined) {
    const { value: _, ...without } = proof;
    mutated.push(
      ['another value', { ...proof, value: Uint8Array.from([...value, 1]) }],
      ['no value', without],
      [
        'a neighbour beside the value',
        { ...proof, neighbour: { key: flip(proof.key), value_hash: proof.key } },
      ],
    );
    if (value.length > 0) mutated.push(['a bit of the value', { ...proof, value: flip(value) }]);
  } else {
    mutated.push(['a value', { ...proof, value: Uint8Array.of(seed & 255) }]);
  }
  if (neighbour !== undefined) {
    const { neighbour: _, ...without } = proof;
    mutated.push(
      ['no neighbour', without],
      ['a bit of the neighbour', { ...proof, neighbour: { ...neighbour, key: flip(neighbour.key) } }],
      [
        "a bit of its value's hash",
        { ...proof, neighbour: { ...neighbour, value_hash: flip(neighbour.value_hash) } },
      ],
      ['itself as neighbour', { ...proof, neighbour: { ...neighbour, key: proof.key } }],
    );
  }
  return mutated;
}

function withRoomFor(bitmap: Uint8Array, depth: number): Uint8Array {
  const grown = new Uint8Array(Math.ceil(depth / 8));
  grown.set(bitmap);
  return grown;
}
