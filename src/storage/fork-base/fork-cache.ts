/**
 * A fork (`--fork`) keeps the state that it has read from the forked chain in a separate store. Column `meta` has the
 * values under "v" ‖ name: 0x00 for an absent one, else 0x01 ‖ value. Column `code` has code and interface texts by their
 * sha256.
 */

import { join } from 'node:path';
import { concatBytes } from '../../base/concat-bytes.js';
import { toHex } from '../../idl/hex.js';
import type { StoreReader } from '../store.js';
import { WriteBatch } from '../write-batch.js';

export function forkCacheDirectory(dataDir: string, forkedBlock: Uint8Array): string {
  // By block: a start that failed may have left the values of another one.
  return join(dataDir, 'fork', toHex(forkedBlock).slice(0, 16));
}

const VALUE = Uint8Array.of(0x76);
const ABSENT = Uint8Array.of(0);
const PRESENT = Uint8Array.of(1);

/** What the forked chain has under a name of its state, see {@link StateBase.value}; undefined if it has not been read. */
export function cachedValue(
  cache: StoreReader,
  name: Uint8Array,
): { readonly value: Uint8Array | undefined } | undefined {
  const entry = cache.get('meta', keyOf(name));
  if (entry === undefined) return undefined;
  return { value: entry[0] === 1 ? entry.subarray(1) : undefined };
}

export function cachedBlob(cache: StoreReader, hash: Uint8Array): Uint8Array | undefined {
  return cache.get('code', hash);
}

/** A value of the forked chain, with the code and interface of its contract if it is an account with one. */
export interface ForkedValue {
  /** Undefined if the name is not in the state. */
  readonly value: Uint8Array | undefined;
  /** By sha256. */
  readonly blobs: readonly { readonly hash: Uint8Array; readonly bytes: Uint8Array }[];
}

/** The writes that add a value to the cache. */
export function cacheWrites(name: Uint8Array, { value, blobs }: ForkedValue): WriteBatch {
  const batch = new WriteBatch();
  for (const { hash, bytes } of blobs) batch.put('code', hash, bytes);
  batch.put('meta', keyOf(name), value === undefined ? ABSENT : concatBytes([PRESENT, value]));
  return batch;
}

function keyOf(name: Uint8Array): Uint8Array {
  return concatBytes([VALUE, name]);
}
