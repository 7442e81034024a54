/** Why a transaction was refused, as the interface names it (`data.reason` of error -32010). */
export const REJECTION_REASONS = [
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

export type RejectionReason = (typeof REJECTION_REASONS)[number];

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
