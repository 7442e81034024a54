/**
 * Tree proofs in one buffer, so that many are sent to the main thread in one piece. Consecutive proofs:
 *
 *   u8   1: has a value; 2: has a neighbour
 *   u16  depth
 *   u16  number of siblings
 *   u32  length of the value
 *        key32, bitmap, siblings, [neighbour: key32, value hash32], [value]
 *
 * Integers are little-endian.
 */
import type { TreeProof } from '../generated/node-rpc-v1.js';

const HEAD_BYTES = 9;
const HASH_BYTES = 32;
const VALUE = 1;
const NEIGHBOUR = 2;

/** Packs proofs into a new, transferable buffer. */
export function encodeTreeProofs(proofs: readonly TreeProof[]): Uint8Array<ArrayBuffer> {
  let length = 0;
  for (const { bitmap, siblings, neighbour, value } of proofs) {
    length += HEAD_BYTES + HASH_BYTES * (1 + siblings.length + (neighbour === undefined ? 0 : 2));
    length += bitmap.length + (value?.length ?? 0);
  }
  const encoded = new Uint8Array(length);
  const view = new DataView(encoded.buffer);
  let at = 0;
  const put = (bytes: Uint8Array) => {
    encoded.set(bytes, at);
    at += bytes.length;
  };
  for (const { key, depth, bitmap, siblings, neighbour, value } of proofs) {
    encoded[at] = (value === undefined ? 0 : VALUE) | (neighbour === undefined ? 0 : NEIGHBOUR);
    view.setUint16(at + 1, depth, true);
    view.setUint16(at + 3, siblings.length, true);
    view.setUint32(at + 5, value?.length ?? 0, true);
    at += HEAD_BYTES;
    put(key);
    put(bitmap);
    for (const sibling of siblings) put(sibling);
    if (neighbour !== undefined) {
      put(neighbour.key);
      put(neighbour.value_hash);
    }
    if (value !== undefined) put(value);
  }
  return encoded;
}

/** Unpacks a list of proofs, as views into it. */
export function decodeTreeProofs(encoded: Uint8Array): TreeProof[] {
  const view = new DataView(encoded.buffer, encoded.byteOffset, encoded.byteLength);
  const proofs: TreeProof[] = [];
  let at = 0;
  const take = (length: number) => {
    at += length;
    return encoded.subarray(at - length, at);
  };
  while (at < encoded.length) {
    const flags = view.getUint8(at);
    const depth = view.getUint16(at + 1, true);
    const siblingCount = view.getUint16(at + 3, true);
    const valueLength = view.getUint32(at + 5, true);
    at += HEAD_BYTES;
    const key = take(HASH_BYTES);
    const bitmap = take((depth + 7) >> 3);
    const siblings: Uint8Array[] = [];
    for (let i = 0; i < siblingCount; i++) siblings.push(take(HASH_BYTES));
    const neighbour =
      (flags & NEIGHBOUR) === 0 ? undefined : { key: take(HASH_BYTES), value_hash: take(HASH_BYTES) };
    proofs.push({
      key,
      depth,
      bitmap,
      siblings,
      ...(neighbour === undefined ? {} : { neighbour }),
      ...((flags & VALUE) === 0 ? {} : { value: take(valueLength) }),
    });
  }
  return proofs;
}
