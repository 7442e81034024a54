import { CodedError, errorMessage } from '../base/errors.js';
import { isStoreDamage } from '../storage/store-error.js';

/** Error codes of trees, mountain ranges, proofs and the proof worker. */
export type ProofErrorCode =
  /** An argument has the wrong length or shape. */
  | 'invalid_input'
  | 'out_of_range'
  /** Stored nodes or pages are missing or malformed. */
  | 'damaged'
  /** The stored state does not have the state root in the tip's header, even after a rebuild. */
  | 'root_mismatch'
  /** The tree of the height is not kept, or no longer kept; see {@link ProofError.kept}. */
  | 'state_unavailable'
  /** Too many requests are waiting. */
  | 'overloaded'
  /** Blocks were passed in the wrong order. */
  | 'out_of_order'
  /** The proof worker threw, died, or was stopped. */
  | 'worker_failed';

/** Range of heights whose trees are served; trees of some older heights may be served too. */
export interface KeptHeights {
  readonly oldest: bigint;
  readonly newest: bigint;
}

export class ProofError extends CodedError<ProofErrorCode> {
  override readonly name = 'ProofError';

  /** Set for `state_unavailable`. */
  readonly kept: KeptHeights | undefined;

  constructor(
    code: ProofErrorCode,
    message: string,
    options?: ErrorOptions & { readonly kept?: KeptHeights | undefined },
  ) {
    super(code, message, options);
    this.kept = options?.kept;
  }
}

/** The parts of a worker's error that are sent to the main thread. */
export interface ProofProblem {
  readonly code: ProofErrorCode;
  readonly message: string;
  readonly kept?: KeptHeights | undefined;
}

export function problemOf(error: unknown): ProofProblem {
  if (isStoreDamage(error)) return { code: 'damaged', message: errorMessage(error) };
  if (!(error instanceof ProofError)) return { code: 'worker_failed', message: errorMessage(error) };
  const { code, message, kept } = error;
  return { code, message, kept };
}
