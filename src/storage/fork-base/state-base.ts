import { concatBytes } from '../../base/concat-bytes.js';

/**
 * The state of a forked chain at one of its blocks. The fork reads accounts and slots here before it copies them to its own
 * store. Reads block the thread until the other chain's node has answered.
 */
export interface StateBase {
  /**
   * The value of an account or a slot.
   * @param name address (20 bytes), or contract (20 bytes) ‖ slot (32 bytes)
   * @param purpose `execute`: the reader executes a block, so the value must be copied before; a value that the block
   *   itself copies is absent
   * @returns borsh(AccountRecord) or the slot's bytes; undefined if the name is not in the state
   * @throws StateBaseError
   */
  value(name: Uint8Array, purpose: Purpose): Uint8Array | undefined;
  /** Code or an interface text of a contract whose account has been read. @param hash its sha256, 32 bytes */
  blob(hash: Uint8Array): Uint8Array | undefined;
}

export type Purpose = 'show' | 'execute';

/** Thrown when the other chain's state cannot be read. */
export class StateBaseError extends Error {
  override readonly name = 'StateBaseError';
}

const VALUE = Uint8Array.of(0x76);
const ABSENT = Uint8Array.of(0);
const PRESENT = Uint8Array.of(1);

/** The key of a value in column `meta` of the cache: "v" ‖ name. */
export function cacheKey(name: Uint8Array): Uint8Array {
  return concatBytes([VALUE, name]);
}

/** A value in the cache: 0x00 for none, else 0x01 ‖ value. */
export function cacheEntry(value: Uint8Array | undefined): Uint8Array {
  return value === undefined ? ABSENT : concatBytes([PRESENT, value]);
}

/** Decodes {@link cacheEntry}. */
export function valueOfEntry(entry: Uint8Array): Uint8Array | undefined {
  return entry[0] === 1 ? entry.subarray(1) : undefined;
}
