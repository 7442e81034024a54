import { describeCause, isStoreDamage } from '../storage/store-error.js';

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
  /** The tree of a height is not kept, or not any more; see {@link ProofError.kept}. */
  | 'state_unavailable'
  /** More is asked for than is taken on at a time. */
  | 'overloaded'
  /** Blocks were handed over in the wrong order. */
  | 'out_of_order'
  /** The proof worker threw, died, or was stopped. */
  | 'worker_failed';

/** The heights whose trees are served; some older ones may be too. */
export interface KeptHeights {
  readonly oldest: bigint;
  readonly newest: bigint;
}

/** Thrown by the proofs domain. */
export class ProofError extends Error {
  readonly code: ProofErrorCode;

  /** With `state_unavailable`. */
  readonly kept: KeptHeights | undefined;

  constructor(
    code: ProofErrorCode,
    message: string,
    options?: ErrorOptions & { readonly kept?: KeptHeights | undefined },
  ) {
    super(message, options);
    this.name = 'ProofError';
    this.code = code;
    this.kept = options?.kept;
  }
}

/** What crosses to the main thread of an error in the worker. */
export function problemOf(error: unknown): {
  readonly code: ProofErrorCode;
  readonly message: string;
  readonly kept?: KeptHeights;
} {
  if (isStoreDamage(error)) return { code: 'damaged', message: describeCause(error) };
  if (!(error instanceof ProofError)) {
    return { code: 'worker_failed', message: error instanceof Error ? error.message : String(error) };
  }
  const { code, message, kept } = error;
  return { code, message, ...(kept === undefined ? {} : { kept }) };
}
