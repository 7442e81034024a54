/** How long an account's address is. */
export const ADDRESS_BYTES = 20;

/** The most lanes an account may have used: they live in its state record. */
export const MAX_LANES = 256;

/** The most that all accounts of a chain can have together, and so the most that one can: an amount is a u128. */
export const MAX_BALANCE = 2n ** 128n - 1n;

/** The most bytes that the items of one block's body may encode to. */
export const MAX_BODY_BYTES = 4 * 1024 * 1024;

/** The most bytes that borsh(SignedTransaction) may have. */
export const MAX_TRANSACTION_BYTES = 512 * 1024;

/** The most bytes of interface text that a contract may store on chain. */
export const MAX_IDL_BYTES = 64 * 1024;

/** The keys of heights that a block may begin with. */
export const MAX_SEAL_KEYS = 2;
/** The dealings, and the changes of the validator set, that a block may have. */
export const MAX_CONSENSUS_ITEMS = 100;

/** The envelopes that may open at one height. */
export const MAX_OPENINGS = 16;
/** What they may use together is a block's gas limit divided by this. */
export const OPENING_GAS_SHARE = 4n;
/** How far above the block that includes it an envelope may open. */
export const MAX_OPENS_AHEAD = 1_000n;
/** The most bytes that the payload of an envelope may have. */
export const MAX_SEALED_PAYLOAD = 64 * 1024;
