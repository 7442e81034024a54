import type { AddressHex, CandidateHashHex } from '../ledger/hex-types.js';
import type { TransactionEnvelope, VerifiedTransaction } from '../ledger/transaction-envelope.js';
import type { AccountView } from './account-view.js';
import { REJECTION_REASONS, type RejectionReason, type TransactionError } from './errors.js';

/** What the pool may hold. All are configurable; see `config/options.ts`. */
export interface PoolLimits {
  readonly maxTransactions: number;
  /** Encoded size of all transactions together. */
  readonly maxBytes: number;
  /** Size of one borsh(SignedTransaction). */
  readonly maxTransactionBytes: number;
  /** How far a nonce may be beyond the first one missing in its lane. */
  readonly maxNonceGap: number;
  /** How long a transaction may wait behind a gap, milliseconds. */
  readonly gappedTtlMs: number;
  /** How many blocks a bundle that names no last one may wait for. */
  readonly bundleBlocks: number;
  /** In how many lanes one account may have transactions waiting. */
  readonly maxPendingLanes: number;
  /** Least max_fee that is taken. */
  readonly minFee: bigint;
  /** How many transactions that left without being included are remembered. */
  readonly maxRemovals: number;
}

/** The next block, as far as it is known when a transaction comes. */
export interface NextBlockContext {
  readonly height: bigint;
  readonly baseFee: bigint;
  readonly gasLimit: bigint;
}

/** How a transaction came to the node. */
export interface Reception {
  /** Orders what pays the same; taken in order of reception, before the signature is checked; never given twice. */
  readonly arrival: number;
  /** Milliseconds since 1970, for display only. */
  readonly receivedMs: number;
}

export type AdmitResult =
  | { readonly admitted: true; readonly pending: PendingTransaction }
  | { readonly admitted: false; readonly error: TransactionError };

export type AdmitBundleResult =
  /** `extended` where the bundle was here already and got a later last height. */
  | { readonly admitted: true; readonly extended: boolean }
  | { readonly admitted: false; readonly error: TransactionError };

/** A transaction in the pool, as it stood when it was asked for. */
export interface PendingTransaction extends Reception {
  readonly transaction: VerifiedTransaction;
  /**
   * Whether it could be in the next blocks as far as its nonce goes; otherwise it waits behind a gap, or its bundle waits
   * for nonces or balances.
   */
  readonly ready: boolean;
}

/** Why a transaction left the pool; all but `included` are remembered for a while. */
export type RemovalReason =
  | 'included'
  | 'replaced'
  | 'evicted'
  | 'bundle_failed'
  /** Executing it went wrong, twice: never again. */
  | 'execution_fault'
  | RejectionReason;

export interface Removal {
  readonly transaction: TransactionEnvelope;
  readonly reason: RemovalReason;
  /** For a person: what happened, with the numbers that decided. */
  readonly message: string;
}

const LEFT_OTHERWISE = ['replaced', 'evicted', 'bundle_failed', 'execution_fault'] as const;

/** Whether a word is the reason of a departure that was no inclusion. */
export function isRemovalReason(word: string): word is Exclude<RemovalReason, 'included'> {
  return [...LEFT_OTHERWISE, ...REJECTION_REASONS].some((reason) => reason === word);
}

/** What the pool still knows about a transaction that left without being included. */
export type RememberedRemoval = Pick<Removal, 'reason' | 'message'>;

/** A block that became the tip, and what follows from it. */
export interface AppliedBlock {
  /** The block after it. */
  readonly head: NextBlockContext;
  /** Its transactions, in block order, whether or not the pool knows them. */
  readonly included: Iterable<Pick<VerifiedTransaction, 'hashHex' | 'sender'>>;
  /** Other accounts whose balance or nonces it changed. */
  readonly changed: Iterable<AddressHex>;
}

/** Pending blocks that a block is drawn on top of, as far as they concern the pool. */
export interface DrawnBranch {
  /** The accounts that they changed. */
  readonly changed: ReadonlySet<AddressHex>;
  /** The accounts after them. */
  readonly accounts: AccountView;
}

/** What a block to be filled can take. */
export interface BlockSpace {
  readonly height: bigint;
  readonly baseFee: bigint;
  readonly gasLimit: bigint;
  /** What a transaction is expected to use; its gas_limit, if absent. */
  readonly expectedGas?: (transaction: VerifiedTransaction) => bigint;
  /** Sum of the items' encodings, a transaction's size and one byte each; left out, what a block's body may have. */
  readonly maxBytes?: number;
  readonly maxTransactions?: number;
  /** Whether a transaction, alone or in a bundle, or a bundle, by its hash, may not be drawn; nobody is held back, if absent. */
  readonly isHeldBack?: (hashHex: CandidateHashHex) => boolean;
  /** What the block is on; left out, the last committed block. */
  readonly branch?: DrawnBranch;
}

export interface PendingQuery {
  /** Only of this account. */
  readonly sender?: AddressHex;
  /** From an earlier page with the same sender. */
  readonly cursor?: string;
  /** At least 1. */
  readonly limit: number;
}

/** A page, newest first. */
export interface PendingPage {
  readonly transactions: readonly PendingTransaction[];
  /** Absent on the last page. */
  readonly nextCursor?: string;
}

/** The lanes in which an account has transactions waiting. */
export interface PendingLane {
  readonly lane: number;
  /** Transactions waiting in it. */
  readonly pending: number;
  /** The first nonce that is neither used nor waiting. */
  readonly nextNonce: bigint;
}

/** What of a pool is sealed; counted with the rest as well. */
export interface SealedStats {
  readonly size: number;
  readonly bytes: number;
  /** The lowest height at which one of them opens; undefined where none waits. */
  readonly nextOpenHeight: bigint | undefined;
}

/** The members of the interface's TxpoolStats that are this pool's. */
export interface PoolStats {
  readonly size: number;
  readonly bytes: number;
  readonly capacity: number;
  /** Lanes with at least one transaction. */
  readonly lanes: number;
  /** Transactions that wait for no earlier nonce to come, nor their bundle for balances; `ready + gapped = size`. */
  readonly ready: number;
  readonly gapped: number;
  readonly sealed: SealedStats;
  readonly bundles: number;
  /** Least max_fee that gets a transaction in now. */
  readonly minFee: bigint;
  readonly baseFee: bigint;
}
