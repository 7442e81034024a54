import { DEFAULT_LIMITS, type Limits } from '../config/limits.js';
import { MAX_TRANSACTION_BYTES } from '../ledger/constants.js';
import type { AddressHex, CandidateHashHex, TransactionHashHex } from '../ledger/hex-types.js';
import type { TransactionEnvelope, VerifiedTransaction } from '../ledger/transaction-envelope.js';
import { REJECTION_REASONS, type RejectionReason, type TransactionError } from './errors.js';
import type { Prices } from './prices.js';

/** The accounts after a block. */
export interface AccountView {
  /** Next nonce of a lane; 0 for a lane never used. */
  nextNonce(address: AddressHex, lane: number): bigint;
  balance(address: AddressHex): bigint;
  /** Upper bound of the sum of all balances, and therefore of each balance. */
  readonly supply: bigint;
  /** Number of lanes the account has used; the ledger allows 256. */
  lanesUsed(address: AddressHex): number;
}

/** Limits of a pool; those that are configurable or published come from `config/limits.ts`. */
export interface PoolLimits {
  readonly maxTransactions: number;
  readonly maxBytes: number;
  /** Maximum size of one borsh(SignedTransaction). */
  readonly maxTransactionBytes: number;
  /** Maximum distance of a nonce from the first one missing in its lane. */
  readonly maxNonceGap: number;
  /** Time that a transaction may wait behind a gap, in milliseconds. */
  readonly gappedTtlMs: number;
  /** Lifetime of a bundle without a last height, in blocks. */
  readonly bundleBlocks: number;
  /** Maximum number of lanes in which an account may have pending transactions. */
  readonly maxPendingLanes: number;
  readonly minFee: bigint;
  readonly maxRemovals: number;
}

export function poolLimits(limits: Limits): PoolLimits {
  const { poolSize, poolBytes, maxNonceGap, gappedTtlMs, bundleBlocks, maxPendingLanes } = limits;
  return Object.freeze({
    maxTransactions: poolSize,
    maxBytes: poolBytes,
    maxTransactionBytes: MAX_TRANSACTION_BYTES,
    maxNonceGap,
    gappedTtlMs,
    bundleBlocks,
    maxPendingLanes,
    minFee: 1n,
    maxRemovals: 32_768,
  });
}

export const DEFAULT_POOL_LIMITS: PoolLimits = poolLimits(DEFAULT_LIMITS);

/** The next block, as far as known when a transaction arrives. */
export interface NextBlockContext extends Prices {
  readonly height: bigint;
  readonly gasLimit: bigint;
  /** Whether it is a development chain, whose controller may submit nothing; see `ledger/dev-controls.ts`. */
  readonly isDevelopment?: boolean;
}

/** What decides whether a transaction or bundle may enter the pool. */
export interface AdmissionContext {
  readonly chainId: bigint;
  readonly head: NextBlockContext;
  readonly accounts: AccountView;
  readonly limits: PoolLimits;
}

/** The arrival of a transaction: its number and time. */
export interface Reception {
  /** Unique, in order of arrival, assigned before the signature is verified; orders those of equal price. */
  readonly arrival: number;
  /** Milliseconds since 1970, for display only. */
  readonly receivedMs: number;
}

export type AdmitResult =
  | { readonly admitted: true; readonly pending: PendingTransaction }
  | { readonly admitted: false; readonly error: TransactionError };

export type AdmitBundleResult =
  /** `extended` is true if the bundle was already pooled and its last height was extended. */
  | { readonly admitted: true; readonly extended: boolean }
  | { readonly admitted: false; readonly error: TransactionError };

/** A pooled transaction at the time of asking. */
export interface PendingTransaction extends Reception {
  readonly transaction: VerifiedTransaction;
  /** False if it waits behind a gap, or its bundle for nonces or balances. */
  readonly ready: boolean;
}

/** Why a transaction left the pool; all but `included` are remembered for a while. */
export type RemovalReason =
  | 'included'
  | 'replaced'
  | 'evicted'
  | 'bundle_failed'
  /** Execution failed three times, so the transaction is banned for a day. */
  | 'execution_fault'
  | RejectionReason;

export interface RememberedRemoval {
  readonly reason: RemovalReason;
  /** Human-readable, with the decisive numbers. */
  readonly message: string;
}

export interface Removal extends RememberedRemoval {
  readonly transaction: TransactionEnvelope;
}

const LEFT_OTHERWISE = ['replaced', 'evicted', 'bundle_failed', 'execution_fault'] as const;

/** True if a word is a removal reason other than `included`. */
export function isRemovalReason(word: string): word is Exclude<RemovalReason, 'included'> {
  return [...LEFT_OTHERWISE, ...REJECTION_REASONS].some((reason) => reason === word);
}

export interface IncludedTransaction {
  readonly hashHex: TransactionHashHex;
  readonly sender: AddressHex;
}

export interface AppliedBlock {
  readonly head: NextBlockContext;
  /** The block's transactions in order, whether or not they were pooled. */
  readonly included: Iterable<IncludedTransaction>;
  /** Other accounts whose balance or nonces the block changed. */
  readonly changed: Iterable<AddressHex>;
}

/** Pending blocks below the block being drawn, as far as the pool needs them. */
export interface DrawnBranch {
  readonly changed: ReadonlySet<AddressHex>;
  readonly accounts: AccountView;
}

export interface BlockSpace extends Omit<NextBlockContext, 'isDevelopment'> {
  /** Number of opening slots reserved at an opening height by the blocks below this one; default none. */
  readonly reservedAt?: (opensAt: bigint) => number;
  /** Estimated gas use of a transaction; default its gas_limit. */
  readonly expectedGas?: (transaction: VerifiedTransaction) => bigint;
  /** Limit for the total size of the items, a transaction's size plus one byte each; default the maximum body size. */
  readonly maxBytes?: number;
  readonly maxTransactions?: number;
  /** True if the transaction (alone or in a bundle) or bundle with this hash must not be drawn. */
  readonly isHeldBack?: (hashHex: CandidateHashHex) => boolean;
  /** The branch on which the block is built; default the last committed block. */
  readonly branch?: DrawnBranch;
}

export interface PendingQuery {
  /** Lists only this account's transactions. */
  readonly sender?: AddressHex;
  /** From an earlier page with the same sender. */
  readonly cursor?: string;
  /** At least 1. */
  readonly limit: number;
}

export interface PendingPage {
  readonly transactions: readonly PendingTransaction[];
  /** Absent on the last page. */
  readonly nextCursor?: string;
}

export interface PendingLane {
  readonly lane: number;
  readonly pending: number;
  /** The first nonce that is neither used nor pending. */
  readonly nextNonce: bigint;
}

/** Statistics of the sealed transactions, which the other statistics also include. */
export interface SealedStats {
  readonly size: number;
  readonly bytes: number;
  /** The lowest opening height of the sealed transactions; undefined if there are none. */
  readonly nextOpenHeight: bigint | undefined;
}

/** The pool's part of the interface's TxpoolStats. */
export interface PoolStats {
  readonly size: number;
  readonly bytes: number;
  readonly capacity: number;
  readonly lanes: number;
  /** Those that wait for no earlier nonce and, in a bundle, for no balance; `ready + gapped = size`. */
  readonly ready: number;
  readonly gapped: number;
  readonly sealed: SealedStats;
  readonly bundles: number;
  /** The current minimum max_fee for admission. */
  readonly minFee: bigint;
  readonly baseFee: bigint;
}
