import { CodedError } from '../base/errors.js';

/** Rejection reasons in the interface (`data.reason` of error -32010). */
export const REASON_NAMES = [
  'bad_signature',
  'wrong_chain',
  'nonce_too_low',
  'nonce_gap_too_large',
  'insufficient_balance',
  'fee_too_low',
  'gas_limit_too_low',
  'gas_limit_too_high',
  'too_large',
  'expired',
  'already_known',
  'pool_full',
  'replacement_underpriced',
] as const;

export type ReasonName = (typeof REASON_NAMES)[number];

/**
 * Rejection reasons that depend on the node. The interface reports them as `too_large`:
 *
 * - `over_pool_limit`: it exceeds this node's configured size limit;
 * - `too_many_lanes`: its sender has used all the lanes that an account may have;
 * - `opens_too_late`: the envelope opens too far above this node's tip.
 */
const DETAILED_REASONS = ['over_pool_limit', 'too_many_lanes', 'opens_too_late'] as const;
type DetailedReason = (typeof DETAILED_REASONS)[number];
export type RejectionReason = DetailedReason | ReasonName;

export const REJECTION_REASONS: readonly RejectionReason[] = [...DETAILED_REASONS, ...REASON_NAMES];

const DETAILED: ReadonlySet<string> = new Set(DETAILED_REASONS);
/**
 * Reasons that follow from a transaction's bytes and the chain id alone. The others depend on the node: its state, its
 * configuration, or its release, which sets the gas prices.
 */
const OF_BYTES_ALONE: ReadonlySet<RejectionReason> = new Set(['bad_signature', 'wrong_chain', 'too_large']);

/** The interface name of a reason; any other word is returned unchanged. */
export function reasonName<R extends string>(reason: R): Exclude<R, DetailedReason> | ReasonName {
  return DETAILED.has(reason) ? 'too_large' : (reason as Exclude<R, DetailedReason>);
}

/** True if the transaction's bytes alone decide the rejection, so that no honest node relays it. */
export function isOfBytesAlone(reason: RejectionReason): boolean {
  return OF_BYTES_ALONE.has(reason);
}

/** Numbers that help the sender: a limit, the given value, the needed value. */
export type RejectionDetails = Readonly<Record<string, bigint | number>>;

export class TransactionError extends Error {
  override readonly name = 'TransactionError';

  constructor(
    readonly reason: RejectionReason,
    message: string,
    readonly details: RejectionDetails = {},
  ) {
    super(message);
  }

  /** True if the same bytes may be accepted later. The slots of an opening height stay taken. */
  get retryable(): boolean {
    if (this.reason === 'pool_full') return !('slots' in this.details);
    return this.reason === 'nonce_gap_too_large';
  }
}

/** Without the group key, a sealed transaction would keep every other one out of blocks. */
export const NEVER_OPENED =
  'sealed transactions could not be opened: this validator seals without the group key, or its chain is a fork';

/** Thrown for a listing cursor that is unknown or belongs to another filter. */
export class PoolCursorError extends Error {
  override readonly name = 'PoolCursorError';
}

export type JournalErrorCode = 'unreadable' | 'unwritable';

/** What clients learn of a journal that cannot be written; the log has the cause. */
export const UNWRITABLE = 'the node cannot write its pool journal and accepts no transactions until it can';

export class JournalError extends CodedError<JournalErrorCode> {
  override readonly name = 'JournalError';
}
