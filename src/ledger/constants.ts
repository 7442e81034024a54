export const ADDRESS_BYTES = 20;

/** Maximum balance of an account, and of all accounts together: amounts are u128. */
export const MAX_BALANCE = 2n ** 128n - 1n;

/** Heights are u64. */
export const MAX_HEIGHT = 2n ** 64n - 1n;

export const MIN_BLOCK_GAS = 1_000_000n;

/** Maximum encoded size of a block body's items, in bytes. */
export const MAX_BODY_BYTES = 4 * 1024 * 1024;

/** Maximum size of borsh(SignedTransaction), in bytes. */
export const MAX_TRANSACTION_BYTES = 512 * 1024;

/** Maximum size of a contract's interface text on chain, in bytes. */
export const MAX_IDL_BYTES = 64 * 1024;

export const MAX_SEAL_KEYS = 2;
/** Maximum number of dealings, of validator set changes, and of complaints per block. */
export const MAX_CONSENSUS_ITEMS = 100;

/** Divisor of a block's gas limit that gives the gas of one opening slot. */
export const SLOTS_PER_GAS_LIMIT = 64n;
/** Maximum number of opening slots that the envelopes of one block reserve, and of those that open at one height. */
export const MAX_SLOTS = 16;
/** Number of opening slots that a block may reserve without a rise in their price. */
export const TARGET_SLOTS = 8;
/** Maximum distance from the block that includes an envelope to its opening height. */
export const MAX_OPENS_AHEAD = 1_000n;
/** Maximum size of an envelope's payload, in bytes. */
export const MAX_SEALED_PAYLOAD = 64 * 1024;
