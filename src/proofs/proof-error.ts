/** What can go wrong with trees, ranges, proofs and the worker that keeps them. */
export type ProofErrorCode =
  /** An argument of the wrong length or shape. */
  | 'invalid_input'
  /** An index or height beyond what there is. */
  | 'out_of_range'
  /** Stored nodes or pages that are missing or malformed. */
  | 'damaged'
  /** The stored state does not have the root that the tip's header commits to, not even after a rebuild. */
  | 'root_mismatch'
  /** Blocks were handed over in the wrong order. */
  | 'out_of_order'
  /** The proof worker threw, died, or was stopped. */
  | 'worker_failed';

/** Thrown by the proofs domain. */
export class ProofError extends Error {
  readonly code: ProofErrorCode;

  constructor(code: ProofErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'ProofError';
    this.code = code;
  }
}
