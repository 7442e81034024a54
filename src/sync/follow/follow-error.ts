import { CodedError } from '../../base/errors.js';

/** Reasons why following cannot continue; an operator must intervene. */
export type FollowErrorCode =
  /** A source serves a different certified chain than this node's. */
  | 'other_chain'
  /** Executing a certified block gives a result that differs from its header. */
  | 'diverged';

/** Thrown when following must end: the node stops instead of mixing chains or serving unverified data. */
export class FollowError extends CodedError<FollowErrorCode> {
  override readonly name = 'FollowError';
}
