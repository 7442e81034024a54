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
