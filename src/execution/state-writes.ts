import { sameBytes } from '../base/same-bytes.js';
import type { AccountRecord } from '../generated/ledger.js';
import { valueOfRaw } from '../storage/state.js';
import type { StateEntry } from './state-source.js';

/** A change of one key, for the store and the state tree. */
export interface StateWrite {
  /** 32 bytes. */
  readonly key: Uint8Array;
  /** The previous entry in column `state`. */
  readonly previous: Uint8Array | undefined;
  /** The new value, without height; undefined if the key is removed from the state. */
  readonly value: Uint8Array | undefined;
  /** The account, if the value is its record; undefined for a slot or a consensus record. */
  readonly account?: { readonly address: string; readonly record: AccountRecord };
  /** Contract 20 ‖ slot 32 of a slot that is new to the state; only on development chains. */
  readonly name?: Uint8Array;
}

/** Prepared code, stored so that the first call after a restart need not prepare it again. */
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
  /** The prepared code, if the engine has just prepared it. */
  readonly prepared?: PreparedCode;
}

/**
 * Adds a key's change, unless the value, without height, stays the same. @param of what the key belongs to
 */
export function addWrite(
  writes: StateWrite[],
  { key, raw }: StateEntry,
  value: Uint8Array | undefined,
  of?: Pick<StateWrite, 'account' | 'name'>,
): void {
  if (sameValue(raw, value)) return;
  writes.push({ key, previous: raw, value, ...of });
}

/** Sorts ascending by key. Compares the first 48 bits as numbers, and the rest only on a tie: four times as fast. */
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

/** Whether an entry has a value. @param raw the entry, with its height */
export function sameValue(raw: Uint8Array | undefined, value: Uint8Array | undefined): boolean {
  if (raw === undefined || value === undefined) return raw === value;
  return sameBytes(valueOfRaw(raw), value);
}
