/** A page ends once it has read this many bytes of bodies and receipts, which takes about 100 ms. */
export const MAX_FETCHED_BYTES = 32 * 1024 * 1024;

/** A page ends once it has compiled this many bytes of interface text: more would hold up others for a second. */
export const MAX_COMPILED_BYTES = 256 * 1024;
