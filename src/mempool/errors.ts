/** Why a transaction was refused, as the interface names it (`data.reason` of error -32010). */
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
 * Why a transaction was refused. The interface calls the first three `too_large` as well, but they depend on the node:
 *
 * - `over_pool_limit`: it is longer than this node's configuration allows;
 * - `too_many_lanes`: its sender has used all the lanes that an account may have;
 * - `opens_too_late`: the envelope opens too far above this node's tip.
 */
type DetailedReason = 'over_pool_limit' | 'too_many_lanes' | 'opens_too_late';
export type RejectionReason = DetailedReason | ReasonName;

interface ReasonFacts {
  readonly name: ReasonName;
  /**
   * Whether the bytes alone decide it, together with the chain's id, which both ends of a connection share: then no honest node
   * passes such a transaction on, however its state and its configuration differ from this node's.
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
  // The least fee is configured, and higher while the pool is full.
  fee_too_low: ofThisNode('fee_too_low'),
  // Prices may differ between releases.
  gas_limit_too_low: ofThisNode('gas_limit_too_low'),
  gas_limit_too_high: ofThisNode('gas_limit_too_high'),
  expired: ofThisNode('expired'),
  already_known: ofThisNode('already_known'),
  pool_full: ofThisNode('pool_full'),
  replacement_underpriced: ofThisNode('replacement_underpriced'),
};

/** Every reason. */
export const REJECTION_REASONS = Object.keys(REASONS) as readonly RejectionReason[];

/** What the interface calls a reason; any other word is its own name. */
export function reasonName<R extends string>(reason: R): Exclude<R, DetailedReason> | ReasonName {
  return factsOf(reason)?.name ?? (reason as Exclude<R, DetailedReason>);
}

/** Whether nothing but the transaction's bytes decides that it is refused. */
export function isOfBytesAlone(reason: RejectionReason): boolean {
  return factsOf(reason)?.isOfBytesAlone ?? false;
}

function factsOf(reason: string): ReasonFacts | undefined {
  return Object.hasOwn(REASONS, reason) ? REASONS[reason as RejectionReason] : undefined;
}

/** A number that helps the sender to do better: a limit, what was given, what is needed. */
export type RejectionDetails = Readonly<Record<string, bigint | number>>;

/** A transaction that may not enter the pool. */
export class TransactionError extends Error {
  override readonly name = 'TransactionError';

  constructor(
    readonly reason: RejectionReason,
    message: string,
    readonly details: RejectionDetails = {},
  ) {
    super(message);
  }

  /** Whether the same bytes may be accepted later without the sender changing anything. */
  get retryable(): boolean {
    return this.reason === 'pool_full' || this.reason === 'nonce_gap_too_large';
  }
}

/** A cursor of the pool's listing that it never gave, or gave for another filter. */
export class PoolCursorError extends Error {
  override readonly name = 'PoolCursorError';
}
