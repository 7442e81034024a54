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
