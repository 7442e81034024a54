import { sameBytes } from '../base/same-bytes.js';
import type { AccountRecord } from '../generated/ledger.js';
import { valueOfRaw } from '../storage/state.js';
import type { StateEntry } from './state-source.js';

/** One key's change, as the store and the state tree take it. */
export interface StateWrite {
  /** 32 bytes. */
  readonly key: Uint8Array;
  /** The entry in column `state` before. */
  readonly previous: Uint8Array | undefined;
  /** The new value, without height; undefined where the key is no longer in the state. */
  readonly value: Uint8Array | undefined;
  /** The account whose record it is; undefined for a slot. */
  readonly account?: { readonly address: string; readonly record: AccountRecord };
}

/** Code made ready to run, kept in the store so that the first call after a restart need not prepare it again. */
export interface PreparedCode {
  /** Its key in column `prepared`. */
  readonly key: Uint8Array;
  readonly bytes: Uint8Array;
}

/** A contract's code or interface text, stored beside the state by its hash. */
export interface CodeBlob {
  /** sha256 of the bytes. */
  readonly hash: Uint8Array;
  readonly bytes: Uint8Array;
  /** Code as the engine made it ready, where it just did. */
  readonly prepared?: PreparedCode;
}

/**
 * Adds a key's change, unless the key is as before.
 * @param entry as it is before
 * @param value as it is from now on, without height; undefined where the key is no longer in the state
 */
export function addWrite(
  writes: StateWrite[],
  { key, raw }: StateEntry,
  value: Uint8Array | undefined,
  account?: StateWrite['account'],
): void {
  if (sameValue(raw, value)) return;
  writes.push({ key, previous: raw, value, ...(account === undefined ? {} : { account }) });
}

/** Ascending by key. Sorts by the keys' first 48 bits as numbers, and by the rest only where those are the same: four times as fast. */
export function inKeyOrder(writes: StateWrite[]): StateWrite[] {
  return writes
    .map((write) => ({ write, order: firstBits(write.key) }))
    .sort((a, b) => a.order - b.order || Buffer.compare(a.write.key, b.write.key))
    .map(({ write }) => write);
}

function firstBits(key: Uint8Array): number {
  let bits = 0;
  for (let place = 0; place < 6; place++) bits = bits * 256 + (key[place] ?? 0);
  return bits;
}

function sameValue(raw: Uint8Array | undefined, value: Uint8Array | undefined): boolean {
  if (raw === undefined || value === undefined) return raw === value;
  return sameBytes(valueOfRaw(raw), value);
}
