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
type DetailedReason = 'over_pool_limit' | 'too_many_lanes' | 'opens_too_late';
export type RejectionReason = DetailedReason | ReasonName;

interface ReasonFacts {
  readonly name: ReasonName;
  /**
   * True if the reason follows from the transaction's bytes and the chain id alone. No honest node relays such a
   * transaction, even if its state and configuration differ from this node's.
   */
  readonly isOfBytesAlone: boolean;
}

const ofBytesAlone = (name: ReasonName): ReasonFacts => ({ name, isOfBytesAlone: true });
const ofThisNode = (name: ReasonName): ReasonFacts => ({ name, isOfBytesAlone: false });

const REASONS: Readonly<Record<RejectionReason, ReasonFacts>> = {
  over_pool_limit: ofThisNode('too_large'),
  too_many_lanes: ofThisNode('too_large'),
  opens_too_late: ofThisNode('too_large'),
  bad_signature: ofBytesAlone('bad_signature'),
  wrong_chain: ofBytesAlone('wrong_chain'),
  too_large: ofBytesAlone('too_large'),
  nonce_too_low: ofThisNode('nonce_too_low'),
  nonce_gap_too_large: ofThisNode('nonce_gap_too_large'),
  insufficient_balance: ofThisNode('insufficient_balance'),
  // The minimum fee is configurable, and higher while the pool is full.
  fee_too_low: ofThisNode('fee_too_low'),
  // Gas prices may differ between releases.
  gas_limit_too_low: ofThisNode('gas_limit_too_low'),
  gas_limit_too_high: ofThisNode('gas_limit_too_high'),
  expired: ofThisNode('expired'),
  already_known: ofThisNode('already_known'),
  pool_full: ofThisNode('pool_full'),
  replacement_underpriced: ofThisNode('replacement_underpriced'),
};

export const REJECTION_REASONS = Object.keys(REASONS) as readonly RejectionReason[];

/** The interface name of a reason; any other word is returned unchanged. */
export function reasonName<R extends string>(reason: R): Exclude<R, DetailedReason> | ReasonName {
  return factsOf(reason)?.name ?? (reason as Exclude<R, DetailedReason>);
}

/** True if the transaction's bytes alone decide the rejection. */
export function isOfBytesAlone(reason: RejectionReason): boolean {
  return factsOf(reason)?.isOfBytesAlone ?? false;
}

function factsOf(reason: string): ReasonFacts | undefined {
  return Object.hasOwn(REASONS, reason) ? REASONS[reason as RejectionReason] : undefined;
}

/** Numbers that help the sender: a limit, the given value, the needed value. */
export type RejectionDetails = Readonly<Record<string, bigint | number>>;

/** Thrown when a transaction may not enter the pool. */
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

/**
 * Why a validator without the group key refuses sealed transactions: until it was opened, an envelope would keep every
 * other transaction out of blocks.
 */
export const NEVER_OPENED =
  'sealed transactions could not be opened: this validator seals without the group key, or its chain is a fork';

/** Thrown for a listing cursor that is unknown or belongs to another filter. */
export class PoolCursorError extends Error {
  override readonly name = 'PoolCursorError';
}
