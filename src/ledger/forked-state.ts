import { concatBytes } from '../base/concat-bytes.js';
import { sameBytes } from '../base/same-bytes.js';
import type { Sha256 } from '../crypto/crypto.js';
import type { Purpose } from '../storage/fork-base/state-base.js';
import { rawOf, readRawAt } from '../storage/state.js';
import type { StoreReader } from '../storage/store.js';
import { MAX_HEIGHT } from './constants.js';
import { DEV_CONTROLLER_ADDRESS, DEV_CONTROLS_ADDRESS } from './dev-controls.js';
import { slotKey } from './state-keys.js';
import { ADDRESS_NAME_BYTES } from './state-names.js';

/*
 * A fork starts with the state of another chain at one of its blocks. It copies an account or a slot into its own state by a
 * development control, before the first block that reads it, so that its blocks execute without the other chain. The control
 * marks the name as copied. A name that is neither in the fork's state nor marked has its value in the other chain.
 */

/** The value of every mark. */
export const COPIED = Uint8Array.of(1);

/** The state key of the mark of a name: slot `key` of the controls' address. */
export function copyMarkKey(crypto: Sha256, key: Uint8Array): Uint8Array {
  return slotKey(crypto, DEV_CONTROLS_ADDRESS, key);
}

/** True if a name's value is that of the other chain until it is copied; false for the controller and the marks. */
export function isForkable(name: Uint8Array): boolean {
  const address = name.subarray(0, ADDRESS_NAME_BYTES);
  return copiedKey(name) === undefined && !sameBytes(address, DEV_CONTROLLER_ADDRESS);
}

/** The state key of the name that a mark is for; undefined if the name is not that of a mark. */
export function copiedKey(name: Uint8Array): Uint8Array | undefined {
  const isMark =
    name.length > ADDRESS_NAME_BYTES && sameBytes(name.subarray(0, ADDRESS_NAME_BYTES), DEV_CONTROLS_ADDRESS);
  return isMark ? name.subarray(ADDRESS_NAME_BYTES) : undefined;
}

/** A name that is not in the fork's own state. */
export interface ForkedName {
  /** Address, or contract ‖ slot. */
  readonly name: Uint8Array;
  readonly key: Uint8Array;
}

/**
 * The raw entry of a name that is absent from the fork's own state at a height: one of height 0 with the other chain's
 * value. Undefined if that has none, and in a store that is not on another chain's state. If a block has copied the name
 * since the caller found it absent, the entry of the fork's own state.
 * @throws StateBaseError; StateUnavailableError
 */
export function forkedRawAt(
  store: StoreReader,
  crypto: Sha256,
  { name, key }: ForkedName,
  height: bigint,
  purpose: Purpose,
): Uint8Array | undefined {
  const { base } = store;
  if (base === undefined || !isForkable(name)) return undefined;
  if (readRawAt(store, copyMarkKey(crypto, key), height) !== undefined) return readRawAt(store, key, height);
  const value = base.value(name, purpose);
  return value === undefined ? undefined : rawOf(0n, value);
}

/** {@link forkedRawAt} in the state after the last committed block. */
export function forkedRaw(
  store: StoreReader,
  crypto: Sha256,
  name: ForkedName,
  purpose: Purpose,
): Uint8Array | undefined {
  return forkedRawAt(store, crypto, name, MAX_HEIGHT, purpose);
}

/** Code, or an interface text, of the store or of the other chain. */
export function storedBlob(
  store: StoreReader,
  column: 'code' | 'idl',
  hash: Uint8Array,
): Uint8Array | undefined {
  return store.get(column, hash) ?? store.base?.blob(hash);
}

/** The name of a slot: contract 20 ‖ slot 32. */
export function slotNameBytes(contract: Uint8Array, slot: Uint8Array): Uint8Array {
  return concatBytes([contract, slot]);
}
