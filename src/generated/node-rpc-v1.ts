// Generated from idl/ledger.idl and idl/node_rpc_v1.idl by `heddle idl generate`. Do not edit.
import type { JsonValue as $JsonValue } from '../idl/json-value.js';
import type { Manifest as $Manifest } from '../idl/manifest.js';
import type {
  Transaction,
  Transfer,
  Deploy,
  Call,
  Upgrade,
  Timelock,
  SignedTransaction,
  Ed25519Signature,
  Secp256k1Signature,
  BlockHeader,
  BlockBody,
  LedgerReceipt,
  LedgerLog,
  AccountRecord,
  Lane,
  ContractRecord,
  PendingUpgrade,
  ValidatorSet,
  Validator,
  Genesis,
  Ceremony,
  CeremonyDealing,
  GenesisAccount,
  SealedHeader,
  SealedEnvelope,
  SignedEnvelope,
  PendingEnvelope,
  OpeningSchedule,
  ScheduledOpening,
  SealKey,
  Dealing,
  Ack,
  Reveal,
  NewValidator,
  ApprovedChange,
  Approval,
  ConsensusParameters,
  Action,
  VmType,
  UpgradePolicy,
  Signature,
  BlockItem,
  Outcome,
  ValidatorChange,
} from './ledger.js';

export interface Status {
  /** The node's version. */
  readonly version: string;
  readonly chain_id: bigint;
  /** The node's clock. */
  readonly now_ms: bigint;
  readonly uptime_ms: bigint;
  /** The time between blocks while there is work. */
  readonly block_time_ms: number;
  readonly tip: Tip;
  readonly finalized_height: bigint;
  readonly latest_checkpoint: CheckpointRef;
  /** Transactions in the pool. */
  readonly txpool_size: number;
  readonly epoch: bigint;
  readonly validator_set: ValidatorSet;
  /** Whether the node knows of blocks that it does not have yet. */
  readonly syncing: boolean;
}

/** The last committed block. */
export interface Tip {
  readonly height: bigint;
  readonly hash: Uint8Array;
  readonly timestamp_ms: bigint;
  readonly state_root: Uint8Array;
  readonly epoch: bigint;
  readonly view: bigint;
}

export interface CheckpointRef {
  readonly height: bigint;
  readonly state_root: Uint8Array;
}

export interface HealthResult {
  readonly status: Health;
  readonly uptime_ms: bigint;
  readonly event_loop_lag_ms: number;
}

export interface ReadinessResult {
  readonly ready: boolean;
  readonly sync: SyncStatus;
  readonly epoch_key_available: boolean;
  /** Why the node is not ready; empty when it is. */
  readonly reasons: readonly string[];
}

export interface SyncStatus {
  readonly state: SyncState;
  readonly tip_height: bigint;
  readonly finalized_height: bigint;
  readonly best_known_height: bigint;
  /** How long ago the tip was sealed. */
  readonly tip_age_ms: bigint;
}

export interface ValidatorStatus {
  readonly role: Role;
  /** The validator's index in the current set. */
  readonly index?: number;
  readonly dkg: DkgStatus;
  readonly sync: SyncStatus;
  readonly peers: readonly PeerHealth[];
  readonly consensus: ConsensusMetrics;
}

export interface DkgStatus {
  readonly state: DkgState;
  readonly epoch: bigint;
  readonly dealers_expected: number;
  readonly dealings_received: number;
  readonly complaints: number;
}

export interface PeerHealth {
  readonly index: number;
  /** Network address, host:port. */
  readonly address: string;
  readonly connected: boolean;
  readonly rtt_ms?: number;
  readonly last_seen_ms?: bigint;
  readonly behind_by?: bigint;
  /** Proposals of this validator that this node found to be invalid since its start; left out where there are none. */
  readonly invalid_proposals?: bigint;
}

export interface ConsensusMetrics {
  readonly epoch: bigint;
  readonly view: bigint;
  readonly leader: number;
  readonly proposals: bigint;
  readonly notarizations: bigint;
  readonly nullifications: bigint;
  readonly finalizations: bigint;
  readonly timeouts: bigint;
  readonly equivocations_seen: bigint;
  /** From the start of sealing a block to its synced commit. */
  readonly finality_latency_ms: Quantiles;
  readonly block_interval_ms: Quantiles;
}

export interface Quantiles {
  readonly p50: number;
  readonly p90: number;
  readonly p99: number;
}

export interface Account {
  readonly address: Uint8Array;
  /** Whether the account is in the state. */
  readonly exists: boolean;
  readonly balance: bigint;
  /** The lanes used or with transactions in the pool, ascending by lane. */
  readonly lanes: readonly NonceLane[];
  readonly deploy_index: bigint;
  readonly is_contract: boolean;
}

export interface NonceLane {
  readonly lane: number;
  /** The nonce that the chain expects next. */
  readonly next_nonce: bigint;
  /** Transactions of this lane in the pool. */
  readonly pending: number;
}

export interface AccountsResult {
  readonly height: bigint;
  readonly accounts: readonly Account[];
}

export interface PredictAddressResult {
  readonly address: Uint8Array;
  /** The deployment that makes it, counting the deployer's from 0. */
  readonly deploy_index: bigint;
}

export interface ContractMetadataResult {
  readonly address: Uint8Array;
  readonly vm: VmType;
  /** sha256 of the code. */
  readonly code_hash: Uint8Array;
  /** Bytes. */
  readonly code_size: number;
  readonly abi_version: number;
  readonly upgrade_policy: UpgradePolicy;
  /** sha256 of the interface text. */
  readonly idl_hash?: Uint8Array;
  readonly deployer: Uint8Array;
  /** The height of the block that deployed it. */
  readonly deployed_at: bigint;
  readonly pending_upgrade?: PendingUpgrade;
}

export interface ContractIdlResult {
  readonly address: Uint8Array;
  readonly idl?: string;
}

/** Either `input`, or `method` with `args`. */
export interface ViewCallArgs {
  readonly contract: Uint8Array;
  /** A function of the contract's interface; its input is encoded and its output decoded. */
  readonly method?: string;
  /** An object by name or an array by position; left out where there are none. */
  readonly args?: $JsonValue;
  /** Four selector bytes, then the Borsh encoding of the arguments. */
  readonly input?: Uint8Array;
  /** The interface to use instead of the one stored on chain. */
  readonly idl?: string;
  /** Who calls and signs, as the contract sees it; default the zero address. */
  readonly caller?: Uint8Array;
  /** Moved from the caller to the contract before the call; default 0. */
  readonly value?: bigint;
  /** Default, and at most, the limit `call_gas` of the manifest. Nothing is charged beside what the contract itself uses. */
  readonly gas_limit?: bigint;
  /** Default latest. */
  readonly at?: BlockRef;
  /** Changes to the state before the call, one entry for each address. */
  readonly overrides?: readonly StateOverride[];
  /** The block that the contract sees; default the one of the state. */
  readonly block_override?: BlockOverride;
}

/** What is left out stays as it is. */
export interface StateOverride {
  readonly address: Uint8Array;
  readonly balance?: bigint;
  /** Puts this code at the address, whether or not there is a contract already. Its init does not run. */
  readonly code?: Uint8Array;
  /** The interface text of the contract at the address. */
  readonly idl?: string;
  readonly slots?: readonly SlotValue[];
}

export interface SlotValue {
  readonly slot: Uint8Array;
  /** Left out, the slot is not there. */
  readonly value?: Uint8Array;
}

export interface BlockOverride {
  readonly height?: bigint;
  readonly timestamp_ms?: bigint;
  readonly base_fee?: bigint;
}

export interface ViewCallResult {
  readonly status: ExecStatus;
  /** The output of a success, else empty; what a revert carries is in `status`. */
  readonly output: Uint8Array;
  /** The output, decoded where the interface of the contract is known and it fits. */
  readonly decoded?: $JsonValue;
  readonly gas_used: bigint;
  /** The block whose state it ran on. */
  readonly height: bigint;
  readonly block_hash: Uint8Array;
  /** The events of a success; their `tx_hash` is zero. */
  readonly logs: readonly Log[];
}

export interface TxBuildArgs {
  readonly sender: Uint8Array;
  readonly action: ActionArgs;
  /** Default 0. */
  readonly lane?: number;
  /** Default: after the lane's last transaction, those in the pool included. */
  readonly nonce?: bigint;
  /**
   * Default: what a transfer can need at most; beside what is known of anything else, 10,000,000 for each time that it runs
   * a contract, but no more than a block has and the sender can pay. What is left over is not charged.
   */
  readonly gas_limit?: bigint;
  /** Default: twice the current base fee plus the priority fee. */
  readonly max_fee?: bigint;
  /** Default 0. */
  readonly priority_fee?: bigint;
  readonly valid_until?: bigint;
}

/** Either `input`, or `method` with `args`. */
export interface CallArgs {
  readonly contract: Uint8Array;
  /** A function of the contract's interface, by which the arguments are encoded. */
  readonly method?: string;
  /** An object by name or an array by position; left out where there are none. */
  readonly args?: $JsonValue;
  /** Four selector bytes, then the Borsh encoding of the arguments. */
  readonly input?: Uint8Array;
  /** The interface to use instead of the one stored on chain. */
  readonly idl?: string;
  /** Sent with the call; default 0. */
  readonly value?: bigint;
}

/** Sign `tx_hash`, put it together with `transaction`, and submit. */
export interface TxBuildResult {
  readonly transaction: Transaction;
  /** borsh(Transaction). */
  readonly encoded: Uint8Array;
  readonly tx_hash: Uint8Array;
}

/** Exactly one of `encoded` and `signed`. */
export interface TxSubmitArgs {
  /** borsh(SignedTransaction). */
  readonly encoded?: Uint8Array;
  readonly signed?: SignedTransaction;
  /**
   * How far to wait before answering; default none. So many callers, and so many of one client, may wait
   * at a time: with one more, the oldest is answered as at the end of its time.
   */
  readonly wait?: Wait;
  /** How long to wait at most; then the answer says how far it came. Default 10,000, at most 60,000. */
  readonly timeout_ms?: number;
}

export interface TxSubmitResult {
  readonly tx_hash: Uint8Array;
  readonly status: TxStatus;
  readonly receipt?: Receipt;
}

export interface TxByHashResult {
  readonly status: TxStatus;
  /** Left out for a sealed transaction, open or not. */
  readonly transaction?: SignedTransaction;
  /** With `not_found` on a node that started from a snapshot: the lowest height whose transactions it knows. */
  readonly oldest_height?: bigint;
}

export interface PendingTx {
  readonly lane: number;
  readonly nonce: bigint;
  /** Whether it could be in the next block as far as its nonce goes. */
  readonly ready: boolean;
  readonly received_ms: bigint;
}

/** Of a sealed transaction where its envelope is, also once it is open. */
export interface Inclusion {
  readonly height: bigint;
  readonly block_hash: Uint8Array;
  /**
   * Its receipt's place in the block: those of envelopes that the block opens come first, then those of its transactions and
   * envelopes.
   */
  readonly index: number;
  readonly finalized: boolean;
}

export interface TxReceiptArgs {
  readonly tx_hash: Uint8Array;
  /** Also answer with the proof that transaction and receipt are in the block. */
  readonly with_proof?: boolean;
}

export interface TxReceiptResult {
  /** Of a sealed transaction that of its inclusion, and once it is open that of what was sealed. */
  readonly receipt?: Receipt;
  readonly proof?: InclusionProof;
  /** Without a receipt on a node that started from a snapshot: the lowest height whose transactions it knows. */
  readonly oldest_height?: bigint;
}

/**
 * Proves item and receipt under the roots of the header. A path lists the siblings from the leaf up. Item and receipt have
 * places of their own: keys come before a block's transactions, and the receipts of what they open before theirs.
 */
export interface InclusionProof {
  readonly header: BlockHeader;
  /**
   * borsh(BlockItem), under transactions_root: the transaction, or the envelope. With the receipt of an opening it is the key of
   * the height that the envelope was sealed to.
   */
  readonly item: Uint8Array;
  readonly item_index: number;
  readonly item_path: readonly Uint8Array[];
  readonly item_count: number;
  /** borsh(LedgerReceipt), under receipts_root. */
  readonly receipt: Uint8Array;
  readonly receipt_index: number;
  readonly receipt_path: readonly Uint8Array[];
  readonly receipt_count: number;
  /**
   * borsh(SealedEnvelope), with the receipt of an opening. Its hash is that of the receipt, its `opens_at` the key's height and
   * below the block's; an envelope is included below it. So this is no receipt of its inclusion.
   */
  readonly envelope?: Uint8Array;
}

export interface Receipt {
  readonly tx_hash: Uint8Array;
  readonly height: bigint;
  readonly block_hash: Uint8Array;
  readonly index: number;
  readonly sender: Uint8Array;
  readonly lane: number;
  readonly nonce: bigint;
  readonly status: ExecStatus;
  readonly gas_used: bigint;
  readonly fee: bigint;
  /** The contract that a deployment made. */
  readonly contract?: Uint8Array;
  readonly output: Uint8Array;
  /** The output of a call, or of a batch's last one, decoded where the contract's interface is known. */
  readonly decoded?: $JsonValue;
  readonly logs: readonly Log[];
  readonly finalized: boolean;
  /**
   * Of a sealed transaction: the height whose key opens it. A receipt from below it is of the inclusion, which says nothing of
   * what is sealed; one from above it is of what was sealed.
   */
  readonly opens_at?: bigint;
}

export interface Revert {
  /** What the contract says, where it says it in text; or what the node says. */
  readonly message?: string;
  readonly data: Uint8Array;
  /** `{"name", "args"}`, decoded by the contract's own error definitions. */
  readonly error?: $JsonValue;
}

export interface Trap {
  readonly kind: string;
  readonly message: string;
  readonly backtrace: readonly string[];
}

export interface Log {
  readonly contract: Uint8Array;
  readonly topics: readonly Uint8Array[];
  readonly data: Uint8Array;
  readonly height: bigint;
  readonly block_hash: Uint8Array;
  readonly tx_hash: Uint8Array;
  readonly tx_index: number;
  /** Among the transaction's events. */
  readonly log_index: number;
  /** Decoded by the interface that the contract had at that height. */
  readonly event?: DecodedEvent;
}

export interface DecodedEvent {
  readonly name: string;
  readonly args: $JsonValue;
}

export interface ListBlocksArgs {
  readonly cursor?: string;
  readonly limit?: number;
}

export interface ListBlocksResult {
  readonly blocks: readonly BlockSummary[];
  readonly next_cursor?: string;
}

export interface BlockSummary {
  readonly height: bigint;
  readonly hash: Uint8Array;
  readonly parent_hash: Uint8Array;
  readonly timestamp_ms: bigint;
  readonly proposer: number;
  readonly epoch: bigint;
  readonly view: bigint;
  /** Transactions and envelopes that it includes, and envelopes that it opens: as many as it has receipts. */
  readonly tx_count: number;
  readonly gas_used: bigint;
  readonly gas_limit: bigint;
  readonly base_fee: bigint;
  readonly state_root: Uint8Array;
  readonly finalized: boolean;
}

export interface ListTxsArgs {
  readonly cursor?: string;
  readonly limit?: number;
}

export interface ListTxsBySenderArgs {
  readonly sender: Uint8Array;
  readonly cursor?: string;
  readonly limit?: number;
}

export interface ListTxsByContractArgs {
  readonly contract: Uint8Array;
  readonly cursor?: string;
  readonly limit?: number;
}

export interface ListTxsResult {
  readonly transactions: readonly TxSummary[];
  readonly next_cursor?: string;
}

export interface GetLogsArgs {
  readonly contract?: Uint8Array;
  /**
   * By position, at most four: the topics that the event may have there, at most 100; none of them given, it may have any
   * or none.
   */
  readonly topics?: readonly (readonly Uint8Array[])[];
  /** Default 0. */
  readonly from_height?: bigint;
  /** Default the tip. */
  readonly to_height?: bigint;
  /** Good only together with the same contract, topics and heights. */
  readonly cursor?: string;
  /** Default 50, at most 10,000. A page also ends at 16 MiB. */
  readonly limit?: number;
}

export interface GetLogsResult {
  readonly logs: readonly Log[];
  /** Absent once everything up to `to_height`, or to the tip, was looked at. */
  readonly next_cursor?: string;
}

/**
 * A sealed transaction is listed twice under its hash: where its envelope is included, with kind `sealed`, and where it was
 * opened, with what was in it; with kind `sealed` there too if it did not open.
 */
export interface TxSummary {
  readonly tx_hash: Uint8Array;
  readonly height: bigint;
  readonly block_hash: Uint8Array;
  readonly index: number;
  readonly timestamp_ms: bigint;
  readonly sender: Uint8Array;
  readonly lane: number;
  readonly nonce: bigint;
  readonly kind: ActionKind;
  readonly to?: Uint8Array;
  readonly value: bigint;
  /** The method called, where the contract's interface is known. */
  readonly method?: string;
  readonly status: ExecStatus;
  readonly gas_used: bigint;
  readonly fee: bigint;
  /** Of a sealed transaction: the height whose key opens it. */
  readonly opens_at?: bigint;
}

export interface ListPendingTxsArgs {
  readonly sender?: Uint8Array;
  readonly cursor?: string;
  readonly limit?: number;
}

export interface ListPendingTxsResult {
  readonly transactions: readonly PendingSummary[];
  readonly next_cursor?: string;
}

export interface PendingSummary {
  readonly tx_hash: Uint8Array;
  readonly sender: Uint8Array;
  readonly lane: number;
  readonly nonce: bigint;
  readonly ready: boolean;
  readonly kind: ActionKind;
  readonly max_fee: bigint;
  readonly priority_fee: bigint;
  readonly gas_limit: bigint;
  /** Size of the signed transaction's encoding. */
  readonly bytes: number;
  readonly received_ms: bigint;
  /** Of a sealed transaction: the height whose key opens it. */
  readonly opens_at?: bigint;
}

export interface TxpoolStats {
  readonly size: number;
  readonly bytes: bigint;
  /** The most transactions that the pool holds. */
  readonly capacity: number;
  /** Lanes with at least one transaction in the pool. */
  readonly lanes: number;
  /** Transactions that could be in the next blocks as far as their nonces go. */
  readonly ready: number;
  /** Transactions behind a gap in their lane, or in a bundle that waits for nonces or balances. */
  readonly gapped: number;
  readonly sealed: SealedQueueStats;
  /** How many bundles wait; their transactions count above. */
  readonly bundles: number;
  /** The least max_fee that gets a transaction into the pool now. */
  readonly min_fee: bigint;
  /** The base fee of the next block. */
  readonly base_fee: bigint;
}

/** Envelopes that wait in the pool to be included; they count above too. */
export interface SealedQueueStats {
  readonly size: number;
  readonly bytes: bigint;
  /** The lowest height that one of them opens at. */
  readonly next_open_height?: bigint;
}

/**
 * A range of heights, both ends included; at most 1,000 heights and 16 MiB an answer, then `next_height` says where to
 * go on.
 */
export interface GetBlocksArgs {
  readonly from_height: bigint;
  readonly to_height: bigint;
}

export interface GetBlocksResult {
  readonly blocks: readonly Block[];
  readonly next_height?: bigint;
}

/** Everything that the header commits to, so that anyone can check it. */
export interface Block {
  readonly hash: Uint8Array;
  readonly header: BlockHeader;
  readonly items: readonly BlockItem[];
  readonly finalized: boolean;
}

export interface GetBlockSummariesResult {
  readonly blocks: readonly BlockSummary[];
  readonly next_height?: bigint;
}

export interface GetTxsInRangeResult {
  readonly transactions: readonly RangeTx[];
  readonly next_height?: bigint;
}

/**
 * Sealed transactions are not among them, neither where they are included nor where they were opened: `get_blocks` has their
 * envelopes and keys, `list_txs` and `tx_receipt` what came of them.
 */
export interface RangeTx {
  readonly tx_hash: Uint8Array;
  readonly height: bigint;
  /** The place of its receipt, see `Inclusion`. */
  readonly index: number;
  readonly transaction: SignedTransaction;
  readonly status: ExecStatus;
  readonly gas_used: bigint;
}

/** Exactly one of `transaction`, `build` and `encoded`. */
export interface TxSimulateArgs {
  readonly transaction?: Transaction;
  /**
   * What is left out is filled in from the state that is simulated on; the gas limit is then the most that a block and the
   * limit `call_gas` of the manifest allow and the sender can pay, or all of that where it cannot pay what `tx_build` sets.
   */
  readonly build?: TxBuildArgs;
  /** borsh(Transaction), or borsh(SignedTransaction), and then the signature counts. */
  readonly encoded?: Uint8Array;
  /** Default latest. */
  readonly at?: BlockRef;
  /** Changes to the state before the transaction, one entry for each address. */
  readonly overrides?: readonly StateOverride[];
  /** The block that the transaction is in; default the one after the state's, or for `after_tx` that transaction's own. */
  readonly block_override?: BlockOverride;
  /** The interface to use for the contracts that the transaction calls, instead of those stored on chain. */
  readonly idl?: string;
}

export interface TxSimulateResult {
  readonly status: ExecStatus;
  readonly gas_used: bigint;
  /**
   * The smallest gas limit with which the transaction ends as it did here, with the same output and events, confirmed by
   * running it; where it ran out of gas, the limit that was not enough.
   */
  readonly gas_estimate: bigint;
  /** What it pays, or would have to pay where it ran without fees; 0 where max_fee is 0. */
  readonly fee: bigint;
  /** The output of a success, else empty; what a revert carries is in `status`. */
  readonly output: Uint8Array;
  /** The output, decoded where the interface of the contract is known and it fits. */
  readonly decoded?: $JsonValue;
  /** The contract that a deployment makes. */
  readonly contract?: Uint8Array;
  /** Their `height` is that of the block simulated in, their `block_hash` zero. */
  readonly logs: readonly Log[];
  /** What the transaction changes, the sender's fee included but not the proposer's, ascending by address. */
  readonly state_diff: readonly StateDiff[];
  /** The block whose state it ran on. */
  readonly height: bigint;
}

export interface StateDiff {
  readonly address: Uint8Array;
  readonly balance?: ValueChange;
  /** Ascending by slot. */
  readonly slots: readonly SlotChange[];
  /** The hash of the code that is at the address now, where it changed. */
  readonly code_hash?: Uint8Array;
}

export interface ValueChange {
  readonly before: bigint;
  readonly after: bigint;
}

/** An absent value is a slot that is not there. */
export interface SlotChange {
  readonly slot: Uint8Array;
  readonly before?: Uint8Array;
  readonly after?: Uint8Array;
}

export interface TxBuildSimulateResult {
  readonly build: TxBuildResult;
  readonly simulation: TxSimulateResult;
}

/** The members of TxSimulateArgs. */
export interface TxSimulateAccessArgs {
  readonly transaction?: Transaction;
  readonly build?: TxBuildArgs;
  readonly encoded?: Uint8Array;
  readonly at?: BlockRef;
  readonly overrides?: readonly StateOverride[];
  readonly block_override?: BlockOverride;
  readonly idl?: string;
}

export interface TxSimulateAccessResult {
  readonly simulation: TxSimulateResult;
  /** Ascending by address. */
  readonly access_list: readonly AccessEntry[];
}

export interface AccessEntry {
  readonly address: Uint8Array;
  /** Of the account's record: balance, lanes, contract. */
  readonly account: Access;
  /** Ascending by slot. */
  readonly slots: readonly SlotAccess[];
}

export interface SlotAccess {
  readonly slot: Uint8Array;
  readonly access: Access;
}

export interface TxSimulatePipelineArgs {
  /** At most the limit `pipeline_steps` of the manifest. */
  readonly steps: readonly PipelineStep[];
  /** Default latest. A step's own `at` is refused. */
  readonly at?: BlockRef;
  /** Changes to the state before the first step. */
  readonly overrides?: readonly StateOverride[];
  /** Skips what comes after a step that did not succeed; default false. */
  readonly stop_on_failure?: boolean;
}

export interface TxSimulatePipelineResult {
  readonly steps: readonly PipelineStepResult[];
  readonly gas_used: bigint;
  readonly height: bigint;
  /** Whether every step ran and succeeded. */
  readonly completed: boolean;
}

/** The members of TxSimulateArgs, and the tracers. */
export interface TxSimulateTraceArgs {
  readonly transaction?: Transaction;
  readonly build?: TxBuildArgs;
  readonly encoded?: Uint8Array;
  readonly at?: BlockRef;
  readonly overrides?: readonly StateOverride[];
  readonly block_override?: BlockOverride;
  readonly idl?: string;
  /** Default the call tree alone. */
  readonly tracers?: readonly Tracer[];
}

export interface TxSimulateTraceResult {
  readonly simulation: TxSimulateResult;
  readonly trace: Trace;
}

export interface ChainTraceTransactionArgs {
  readonly tx_hash: Uint8Array;
  /** Default the call tree alone. */
  readonly tracers?: readonly Tracer[];
}

export interface ChainTraceTransactionResult {
  readonly receipt: Receipt;
  readonly trace: Trace;
}

/** The members of ViewCallArgs, and the tracers. */
export interface ChainTraceCallArgs {
  readonly contract: Uint8Array;
  readonly method?: string;
  readonly args?: $JsonValue;
  readonly input?: Uint8Array;
  readonly idl?: string;
  readonly caller?: Uint8Array;
  readonly value?: bigint;
  readonly gas_limit?: bigint;
  readonly at?: BlockRef;
  readonly overrides?: readonly StateOverride[];
  readonly block_override?: BlockOverride;
  /** Default the call tree alone. */
  readonly tracers?: readonly Tracer[];
}

export interface ChainTraceCallResult {
  readonly result: ViewCallResult;
  readonly trace: Trace;
}

/** What was asked for; what was not is left out. */
export interface Trace {
  readonly call_tree?: CallFrame;
  readonly host_ops?: readonly HostOp[];
  readonly state_diff?: readonly StateDiff[];
  /** What the execution read, as it was before: put into `overrides`, it makes the same call come out the same. */
  readonly prestate?: readonly StateOverride[];
  readonly gas_profile?: GasProfile;
  /** Whether something was cut off at the limit `trace_bytes` of the manifest. */
  readonly truncated: boolean;
}

/**
 * A transaction's outermost frame has the gas of the transaction, what it costs by itself included. A batch is addressed to
 * its sender, a deployment to the contract that it makes.
 */
export interface CallFrame {
  /** `transfer`, `deploy`, `call`, `view`, `upgrade` or `batch`; `sealed` of an envelope that is not open, or did not open. */
  readonly kind: string;
  readonly from: Uint8Array;
  readonly to: Uint8Array;
  readonly method?: string;
  readonly input: Uint8Array;
  /** The input, decoded where the interface of the contract is known. */
  readonly args?: $JsonValue;
  readonly value: bigint;
  readonly gas_limit: bigint;
  readonly gas_used: bigint;
  readonly status: ExecStatus;
  /** The output of a success, else empty; what a revert carries is in `status`. */
  readonly output: Uint8Array;
  readonly decoded?: $JsonValue;
  /** The events of this frame itself; those of a frame that failed are shown too. */
  readonly logs: readonly Log[];
  readonly calls: readonly CallFrame[];
}

export interface HostOp {
  /** The frame that asked: frames are numbered from 0 in the order in which they were entered. */
  readonly frame: number;
  /** Of the host function, such as `storage_read`. */
  readonly name: string;
  readonly gas: bigint;
  readonly args: $JsonValue;
  readonly result?: $JsonValue;
}

export interface GasProfile {
  readonly functions: readonly FunctionGas[];
  /** A stack and its gas a line, `outer;inner 1234`, as flame graph tools read it. */
  readonly folded: readonly string[];
}

export interface FunctionGas {
  readonly contract: Uint8Array;
  /**
   * From the code's name section, else `function N`; for a host function its name after `heddle.`; `(instance)` is what
   * making the contract ready costs, `(transaction)` what the transaction costs by itself.
   */
  readonly function: string;
  readonly self_gas: bigint;
  readonly total_gas: bigint;
  readonly calls: bigint;
}

export interface BundleSimulateArgs {
  /** borsh(Transaction) or borsh(SignedTransaction) each, in order; at most the limit `bundle_transactions` of the manifest. */
  readonly transactions: readonly Uint8Array[];
  /** Default latest. */
  readonly at?: BlockRef;
  readonly overrides?: readonly StateOverride[];
}

export interface BundleSimulateResult {
  readonly results: readonly TxSimulateResult[];
  /** Whether all of them succeed in this order, and their gas limits together are at most that of a block. */
  readonly atomic_success: boolean;
  readonly gas_used: bigint;
  readonly dependencies: readonly Dependency[];
  /** Transactions, by index, that do not depend on those of other groups. */
  readonly parallel_groups: readonly (readonly number[])[];
  /** The gas of the dearest chain of dependent transactions. */
  readonly critical_path_gas: bigint;
  readonly height: bigint;
}

/**
 * `to` depends on `from`, an earlier one: the next of the same sender and lane; the last that wrote what it touches; those that
 * read since then what it writes.
 */
export interface Dependency {
  readonly from: number;
  readonly to: number;
  readonly kind: DependencyKind;
  readonly address: Uint8Array;
  /** Left out where it is the account's record. */
  readonly slot?: Uint8Array;
}

export interface GetEpochKeyArgs {
  /** Default that of the next block. */
  readonly epoch?: bigint;
}

export interface GetEpochKeyResult {
  readonly epoch: bigint;
  /** How transactions are sealed and opened: `bls12381-ibe-1`. */
  readonly scheme: string;
  /** The group key, 48 bytes in G1. It is the same in all epochs; what changes are the shares of it. */
  readonly public_key: Uint8Array;
  /** How many of the epoch's validators it takes to open a height. */
  readonly quorum: number;
  /** Of the epoch. What is sealed to a height opens after the block of that height, whatever its epoch. */
  readonly first_height: bigint;
  readonly last_height: bigint;
  /** The lowest height that a transaction which is sealed now may open at. */
  readonly next_open_height: bigint;
}

export interface TxSubmitSealedArgs {
  /** borsh(SignedEnvelope). */
  readonly envelope: Uint8Array;
}

export interface TxSubmitSealedResult {
  /** sha256("heddle/sealed/1" ‖ borsh(SealedEnvelope)). */
  readonly envelope_hash: Uint8Array;
  /** The height whose key opens it. */
  readonly opens_at: bigint;
}

export interface TxSubmitBundleArgs {
  /**
   * borsh(SignedTransaction) each, in order: at least one, at most the limit `bundle_transactions` of the manifest. Those
   * of one lane follow one another without a gap. The gas limits together come to at most half of a block's.
   */
  readonly transactions: readonly Uint8Array[];
  /**
   * The last block that may include it; by default that of the next `bundle_blocks` of the manifest's limits. The same
   * bundle may be sent again with a later one.
   */
  readonly max_height?: bigint;
}

export interface TxSubmitBundleResult {
  /** sha256("heddle/bundle/1" ‖ the transactions' hashes in order). */
  readonly bundle_hash: Uint8Array;
  /** `tx_by_hash` tells of each where it is: pending until the bundle is included, or rejected with the reason. */
  readonly tx_hashes: readonly Uint8Array[];
}

/**
 * The validators' signature under a block: one BLS12-381 signature of the group, or of the single validator. Not every block
 * has one: what is final through a later block is proved by that block's, and the headers from its child up to that block
 * (`descendants`, empty where the certificate is the block's own).
 */
export interface FinalityCertificate {
  readonly epoch: bigint;
  /** The header's; the last block of an epoch may be certified in a later view. */
  readonly view: bigint;
  readonly block_hash: Uint8Array;
  /** The view of the block's parent, 0 for the first block of an epoch. */
  readonly parent_view: bigint;
  /** 96 bytes, in G2. */
  readonly signature: Uint8Array;
  /** 48 bytes, in G1. */
  readonly group_public_key: Uint8Array;
}

export interface FinalityProofArgs {
  readonly height: bigint;
}

export interface FinalityProofResult {
  readonly header: BlockHeader;
  readonly certificate: FinalityCertificate;
  /** From height + 1 up to the certified block; each one's parent_hash is the hash of the header before it. */
  readonly descendants: readonly BlockHeader[];
}

export interface LightClientContextArgs {
  /** Default the last final block. */
  readonly height?: bigint;
}

export interface LightClientContextResult {
  readonly chain_id: bigint;
  readonly genesis_hash: Uint8Array;
  /** The header's. */
  readonly epoch: bigint;
  /** Of that epoch: the one of the header's validators_hash. */
  readonly validator_set: ValidatorSet;
  readonly header: BlockHeader;
  readonly certificate: FinalityCertificate;
  readonly descendants: readonly BlockHeader[];
  /** Below the header's block. */
  readonly history: HistoryRoot;
  /** What the message that a certificate signs begins with: `heddle/finalize/1`. */
  readonly signing_domain: string;
}

/** Any address, contract or not. */
export interface StateProofArgs {
  readonly contract: Uint8Array;
  readonly slot?: Uint8Array;
  /** Default latest. */
  readonly at?: BlockRef;
}

/** Proofs under the `state_root` of the header. */
export interface StateProofResult {
  readonly header: BlockHeader;
  readonly account: TreeProof;
  readonly slot?: TreeProof;
  readonly certificate?: FinalityCertificate;
  readonly descendants: readonly BlockHeader[];
}

/** A key's place in the state tree. Without a value it proves that the key is not there. */
export interface TreeProof {
  readonly key: Uint8Array;
  readonly value?: Uint8Array;
  /** The number of inner nodes above the place. */
  readonly depth: number;
  /** ⌈depth/8⌉ bytes; bit i, value 1 << (i & 7) of byte i >> 3, says that the sibling of the path's node at depth i + 1 is not empty. */
  readonly bitmap: Uint8Array;
  /** The siblings that are not empty, from the deepest up. */
  readonly siblings: readonly Uint8Array[];
  /** The leaf that is at the place of a key that is not there. */
  readonly neighbour?: NeighbourLeaf;
}

export interface NeighbourLeaf {
  readonly key: Uint8Array;
  /** sha256 of its value. */
  readonly value_hash: Uint8Array;
}

/** The place of a whole subtree, with the bitmap and siblings of a TreeProof. */
export interface SubtreeProof {
  /** The first `depth` bits count, the others are zero. */
  readonly prefix: Uint8Array;
  readonly depth: number;
  readonly bitmap: Uint8Array;
  readonly siblings: readonly Uint8Array[];
}

export interface FinalizedHistoryRootArgs {
  /** The block whose history root is asked for; default the last final one. */
  readonly height?: bigint;
}

export interface FinalizedHistoryRootResult {
  readonly history: HistoryRoot;
  /** The block whose history_root it is. */
  readonly header: BlockHeader;
  readonly certificate?: FinalityCertificate;
  readonly descendants: readonly BlockHeader[];
}

/** Over the blocks 0 to height − 1. */
export interface HistoryRoot {
  readonly root: Uint8Array;
  /** The number of nodes of the mountain range. */
  readonly size: bigint;
  /** Highest first. */
  readonly peaks: readonly Uint8Array[];
  readonly height: bigint;
}

export interface FinalizedHistoryProofArgs {
  /** The block to be proved. */
  readonly height: bigint;
  /** The size of the mountain range to be proved under; default that of the last final block's history_root. */
  readonly at_size?: bigint;
}

export interface FinalizedHistoryProofResult {
  readonly leaf_index: bigint;
  readonly block_hash: Uint8Array;
  /** From the leaf up to its peak. */
  readonly path: readonly Uint8Array[];
  readonly peaks: readonly Uint8Array[];
  readonly size: bigint;
  readonly root: Uint8Array;
}

export interface CheckpointDescriptor {
  readonly height: bigint;
  readonly block_hash: Uint8Array;
  readonly state_root: Uint8Array;
  readonly history_root: Uint8Array;
  /** Keys in the state. */
  readonly entries: bigint;
  /** Of the values, keys and blobs of all chunks. */
  readonly bytes: bigint;
  readonly chunk_count: number;
  /** The list root whose leaves are the chunks' hashes. */
  readonly chunks_root: Uint8Array;
  readonly created_ms: bigint;
  readonly archive?: ArchiveDescriptor;
}

export interface ArchiveDescriptor {
  /** Such as `tar+zstd`. */
  readonly format: string;
  readonly file: string;
  readonly bytes: bigint;
  readonly sha256: Uint8Array;
}

export interface GetLightSnapshotArgs {
  /** Of a checkpoint; default the newest one. */
  readonly height?: bigint;
}

export interface GetLightSnapshotResult {
  readonly checkpoint: CheckpointDescriptor;
  readonly header: BlockHeader;
  readonly certificate: FinalityCertificate;
  readonly descendants: readonly BlockHeader[];
  readonly history: HistoryRoot;
  /** Of the header's epoch. */
  readonly validator_set: ValidatorSet;
}

export interface CheckpointListResult {
  readonly checkpoints: readonly CheckpointRef[];
}

export interface GetCheckpointArgs {
  readonly height: bigint;
}

export interface GetCheckpointResult {
  readonly checkpoint: CheckpointDescriptor;
}

export interface ListCheckpointsArgs {
  readonly cursor?: string;
  readonly limit?: number;
}

/** Newest first. */
export interface ListCheckpointsResult {
  readonly checkpoints: readonly CheckpointDescriptor[];
  readonly next_cursor?: string;
}

export interface SnapshotEntry {
  readonly key: Uint8Array;
  readonly value: Uint8Array;
}

export interface GetSnapshotChunkArgs {
  /** Of a checkpoint. */
  readonly height: bigint;
  readonly index: number;
}

export interface GetSnapshotChunkResult {
  readonly height: bigint;
  readonly index: number;
  readonly proof: SubtreeProof;
  /** Ascending by key. */
  readonly entries: readonly SnapshotEntry[];
  /** Code and interface texts that records in this chunk name by hash and no earlier chunk brought. */
  readonly blobs: readonly Uint8Array[];
  /** sha256(borsh of prefix, depth, entries, blobs). */
  readonly chunk_hash: Uint8Array;
  readonly last: boolean;
}

export interface ImportSnapshotChunkArgs {
  readonly height: bigint;
  readonly index: number;
  readonly proof: SubtreeProof;
  readonly entries: readonly SnapshotEntry[];
  readonly blobs: readonly Uint8Array[];
}

export interface ImportSnapshotChunkResult {
  readonly accepted: number;
  readonly remaining_chunks: number;
  readonly complete: boolean;
}

export type Health =
  | { readonly type: 'ok'; readonly value?: null }
  /** What is wrong. */
  | { readonly type: 'degraded'; readonly value: string };

export type SyncState =
  | { readonly type: 'synced'; readonly value?: null }
  | { readonly type: 'catching_up'; readonly value?: null }
  | { readonly type: 'stalled'; readonly value?: null };

export type Role =
  | { readonly type: 'validator'; readonly value?: null }
  | { readonly type: 'follower'; readonly value?: null }
  /** One validator that seals alone. */
  | { readonly type: 'dev'; readonly value?: null };

export type DkgState =
  | { readonly type: 'idle'; readonly value?: null }
  | { readonly type: 'dealing'; readonly value?: null }
  | { readonly type: 'complaining'; readonly value?: null }
  | { readonly type: 'ready'; readonly value?: null }
  | { readonly type: 'failed'; readonly value: string };

/** Which state is meant. */
export type BlockRef =
  /** After the last committed block. */
  | { readonly type: 'latest'; readonly value?: null }
  /** After the last final block. */
  | { readonly type: 'finalized'; readonly value?: null }
  /** After the block of this height. */
  | { readonly type: 'height'; readonly value: bigint }
  /** After the block of this hash. */
  | { readonly type: 'hash'; readonly value: Uint8Array }
  /** Inside a block, right after the transaction of this hash; the proposer's fees are not credited yet. */
  | { readonly type: 'after_tx'; readonly value: Uint8Array };

/** An action, with calls as people write them. */
export type ActionArgs =
  | { readonly type: 'transfer'; readonly value: Transfer }
  | { readonly type: 'deploy'; readonly value: Deploy }
  | { readonly type: 'call'; readonly value: CallArgs }
  | { readonly type: 'upgrade'; readonly value: Upgrade }
  | { readonly type: 'batch'; readonly value: readonly CallArgs[] };

export type Wait =
  | { readonly type: 'none'; readonly value?: null }
  | { readonly type: 'included'; readonly value?: null }
  | { readonly type: 'finalized'; readonly value?: null };

export type TxStatus =
  | { readonly type: 'pending'; readonly value: PendingTx }
  | { readonly type: 'included'; readonly value: Inclusion }
  | { readonly type: 'not_found'; readonly value?: null }
  /** It was in the pool and left it without being included; why. */
  | { readonly type: 'rejected'; readonly value: string };

export type ExecStatus =
  | { readonly type: 'success'; readonly value?: null }
  | { readonly type: 'reverted'; readonly value: Revert }
  | { readonly type: 'out_of_gas'; readonly value?: null }
  | { readonly type: 'trapped'; readonly value: Trap }
  /** It ran but could never have worked; why. */
  | { readonly type: 'invalid'; readonly value: string };

export type ActionKind =
  | { readonly type: 'transfer'; readonly value?: null }
  | { readonly type: 'deploy'; readonly value?: null }
  | { readonly type: 'call'; readonly value?: null }
  | { readonly type: 'upgrade'; readonly value?: null }
  | { readonly type: 'batch'; readonly value?: null }
  /** What it does is not known. */
  | { readonly type: 'sealed'; readonly value?: null };

export type Access =
  | { readonly type: 'none'; readonly value?: null }
  | { readonly type: 'read'; readonly value?: null }
  | { readonly type: 'write'; readonly value?: null }
  | { readonly type: 'read_write'; readonly value?: null };

/**
 * Each step sees what the transactions before it wrote, and what it and the steps before it override. A view call runs in the
 * block that the transactions are in; what it writes is discarded.
 */
export type PipelineStep =
  | { readonly type: 'tx'; readonly value: TxSimulateArgs }
  | { readonly type: 'view'; readonly value: ViewCallArgs };

export type PipelineStepResult =
  | { readonly type: 'tx'; readonly value: TxSimulateResult }
  | { readonly type: 'view'; readonly value: ViewCallResult }
  /** Why. */
  | { readonly type: 'skipped'; readonly value: string };

export type Tracer =
  | { readonly type: 'call_tree'; readonly value?: null }
  | { readonly type: 'host_ops'; readonly value?: null }
  | { readonly type: 'state_diff'; readonly value?: null }
  | { readonly type: 'prestate'; readonly value?: null }
  | { readonly type: 'gas_profile'; readonly value?: null };

export type DependencyKind =
  | { readonly type: 'read_after_write'; readonly value?: null }
  | { readonly type: 'write_after_read'; readonly value?: null }
  | { readonly type: 'write_after_write'; readonly value?: null }
  | { readonly type: 'nonce_order'; readonly value?: null };

/** Every struct and enum by its name. */
export interface NodeRpcV1Types {
  readonly Transaction: Transaction;
  readonly Transfer: Transfer;
  readonly Deploy: Deploy;
  readonly Call: Call;
  readonly Upgrade: Upgrade;
  readonly Timelock: Timelock;
  readonly SignedTransaction: SignedTransaction;
  readonly Ed25519Signature: Ed25519Signature;
  readonly Secp256k1Signature: Secp256k1Signature;
  readonly BlockHeader: BlockHeader;
  readonly BlockBody: BlockBody;
  readonly LedgerReceipt: LedgerReceipt;
  readonly LedgerLog: LedgerLog;
  readonly AccountRecord: AccountRecord;
  readonly Lane: Lane;
  readonly ContractRecord: ContractRecord;
  readonly PendingUpgrade: PendingUpgrade;
  readonly ValidatorSet: ValidatorSet;
  readonly Validator: Validator;
  readonly Genesis: Genesis;
  readonly Ceremony: Ceremony;
  readonly CeremonyDealing: CeremonyDealing;
  readonly GenesisAccount: GenesisAccount;
  readonly SealedHeader: SealedHeader;
  readonly SealedEnvelope: SealedEnvelope;
  readonly SignedEnvelope: SignedEnvelope;
  readonly PendingEnvelope: PendingEnvelope;
  readonly OpeningSchedule: OpeningSchedule;
  readonly ScheduledOpening: ScheduledOpening;
  readonly SealKey: SealKey;
  readonly Dealing: Dealing;
  readonly Ack: Ack;
  readonly Reveal: Reveal;
  readonly NewValidator: NewValidator;
  readonly ApprovedChange: ApprovedChange;
  readonly Approval: Approval;
  readonly ConsensusParameters: ConsensusParameters;
  readonly Status: Status;
  readonly Tip: Tip;
  readonly CheckpointRef: CheckpointRef;
  readonly HealthResult: HealthResult;
  readonly ReadinessResult: ReadinessResult;
  readonly SyncStatus: SyncStatus;
  readonly ValidatorStatus: ValidatorStatus;
  readonly DkgStatus: DkgStatus;
  readonly PeerHealth: PeerHealth;
  readonly ConsensusMetrics: ConsensusMetrics;
  readonly Quantiles: Quantiles;
  readonly Account: Account;
  readonly NonceLane: NonceLane;
  readonly AccountsResult: AccountsResult;
  readonly PredictAddressResult: PredictAddressResult;
  readonly ContractMetadataResult: ContractMetadataResult;
  readonly ContractIdlResult: ContractIdlResult;
  readonly ViewCallArgs: ViewCallArgs;
  readonly StateOverride: StateOverride;
  readonly SlotValue: SlotValue;
  readonly BlockOverride: BlockOverride;
  readonly ViewCallResult: ViewCallResult;
  readonly TxBuildArgs: TxBuildArgs;
  readonly CallArgs: CallArgs;
  readonly TxBuildResult: TxBuildResult;
  readonly TxSubmitArgs: TxSubmitArgs;
  readonly TxSubmitResult: TxSubmitResult;
  readonly TxByHashResult: TxByHashResult;
  readonly PendingTx: PendingTx;
  readonly Inclusion: Inclusion;
  readonly TxReceiptArgs: TxReceiptArgs;
  readonly TxReceiptResult: TxReceiptResult;
  readonly InclusionProof: InclusionProof;
  readonly Receipt: Receipt;
  readonly Revert: Revert;
  readonly Trap: Trap;
  readonly Log: Log;
  readonly DecodedEvent: DecodedEvent;
  readonly ListBlocksArgs: ListBlocksArgs;
  readonly ListBlocksResult: ListBlocksResult;
  readonly BlockSummary: BlockSummary;
  readonly ListTxsArgs: ListTxsArgs;
  readonly ListTxsBySenderArgs: ListTxsBySenderArgs;
  readonly ListTxsByContractArgs: ListTxsByContractArgs;
  readonly ListTxsResult: ListTxsResult;
  readonly GetLogsArgs: GetLogsArgs;
  readonly GetLogsResult: GetLogsResult;
  readonly TxSummary: TxSummary;
  readonly ListPendingTxsArgs: ListPendingTxsArgs;
  readonly ListPendingTxsResult: ListPendingTxsResult;
  readonly PendingSummary: PendingSummary;
  readonly TxpoolStats: TxpoolStats;
  readonly SealedQueueStats: SealedQueueStats;
  readonly GetBlocksArgs: GetBlocksArgs;
  readonly GetBlocksResult: GetBlocksResult;
  readonly Block: Block;
  readonly GetBlockSummariesResult: GetBlockSummariesResult;
  readonly GetTxsInRangeResult: GetTxsInRangeResult;
  readonly RangeTx: RangeTx;
  readonly TxSimulateArgs: TxSimulateArgs;
  readonly TxSimulateResult: TxSimulateResult;
  readonly StateDiff: StateDiff;
  readonly ValueChange: ValueChange;
  readonly SlotChange: SlotChange;
  readonly TxBuildSimulateResult: TxBuildSimulateResult;
  readonly TxSimulateAccessArgs: TxSimulateAccessArgs;
  readonly TxSimulateAccessResult: TxSimulateAccessResult;
  readonly AccessEntry: AccessEntry;
  readonly SlotAccess: SlotAccess;
  readonly TxSimulatePipelineArgs: TxSimulatePipelineArgs;
  readonly TxSimulatePipelineResult: TxSimulatePipelineResult;
  readonly TxSimulateTraceArgs: TxSimulateTraceArgs;
  readonly TxSimulateTraceResult: TxSimulateTraceResult;
  readonly ChainTraceTransactionArgs: ChainTraceTransactionArgs;
  readonly ChainTraceTransactionResult: ChainTraceTransactionResult;
  readonly ChainTraceCallArgs: ChainTraceCallArgs;
  readonly ChainTraceCallResult: ChainTraceCallResult;
  readonly Trace: Trace;
  readonly CallFrame: CallFrame;
  readonly HostOp: HostOp;
  readonly GasProfile: GasProfile;
  readonly FunctionGas: FunctionGas;
  readonly BundleSimulateArgs: BundleSimulateArgs;
  readonly BundleSimulateResult: BundleSimulateResult;
  readonly Dependency: Dependency;
  readonly GetEpochKeyArgs: GetEpochKeyArgs;
  readonly GetEpochKeyResult: GetEpochKeyResult;
  readonly TxSubmitSealedArgs: TxSubmitSealedArgs;
  readonly TxSubmitSealedResult: TxSubmitSealedResult;
  readonly TxSubmitBundleArgs: TxSubmitBundleArgs;
  readonly TxSubmitBundleResult: TxSubmitBundleResult;
  readonly FinalityCertificate: FinalityCertificate;
  readonly FinalityProofArgs: FinalityProofArgs;
  readonly FinalityProofResult: FinalityProofResult;
  readonly LightClientContextArgs: LightClientContextArgs;
  readonly LightClientContextResult: LightClientContextResult;
  readonly StateProofArgs: StateProofArgs;
  readonly StateProofResult: StateProofResult;
  readonly TreeProof: TreeProof;
  readonly NeighbourLeaf: NeighbourLeaf;
  readonly SubtreeProof: SubtreeProof;
  readonly FinalizedHistoryRootArgs: FinalizedHistoryRootArgs;
  readonly FinalizedHistoryRootResult: FinalizedHistoryRootResult;
  readonly HistoryRoot: HistoryRoot;
  readonly FinalizedHistoryProofArgs: FinalizedHistoryProofArgs;
  readonly FinalizedHistoryProofResult: FinalizedHistoryProofResult;
  readonly CheckpointDescriptor: CheckpointDescriptor;
  readonly ArchiveDescriptor: ArchiveDescriptor;
  readonly GetLightSnapshotArgs: GetLightSnapshotArgs;
  readonly GetLightSnapshotResult: GetLightSnapshotResult;
  readonly CheckpointListResult: CheckpointListResult;
  readonly GetCheckpointArgs: GetCheckpointArgs;
  readonly GetCheckpointResult: GetCheckpointResult;
  readonly ListCheckpointsArgs: ListCheckpointsArgs;
  readonly ListCheckpointsResult: ListCheckpointsResult;
  readonly SnapshotEntry: SnapshotEntry;
  readonly GetSnapshotChunkArgs: GetSnapshotChunkArgs;
  readonly GetSnapshotChunkResult: GetSnapshotChunkResult;
  readonly ImportSnapshotChunkArgs: ImportSnapshotChunkArgs;
  readonly ImportSnapshotChunkResult: ImportSnapshotChunkResult;
  readonly Action: Action;
  readonly VmType: VmType;
  readonly UpgradePolicy: UpgradePolicy;
  readonly Signature: Signature;
  readonly BlockItem: BlockItem;
  readonly Outcome: Outcome;
  readonly ValidatorChange: ValidatorChange;
  readonly Health: Health;
  readonly SyncState: SyncState;
  readonly Role: Role;
  readonly DkgState: DkgState;
  readonly BlockRef: BlockRef;
  readonly ActionArgs: ActionArgs;
  readonly Wait: Wait;
  readonly TxStatus: TxStatus;
  readonly ExecStatus: ExecStatus;
  readonly ActionKind: ActionKind;
  readonly Access: Access;
  readonly PipelineStep: PipelineStep;
  readonly PipelineStepResult: PipelineStepResult;
  readonly Tracer: Tracer;
  readonly DependencyKind: DependencyKind;
}

/** Parameters and result of every method of NodeRpcV1, by its name. */
export interface NodeRpcV1Methods {
  /** Chain tip, finalized height, epoch, validator set, pool size. */
  readonly status: { readonly params: { readonly [name: string]: never }; readonly result: Status };
  /** Liveness: the process answers and its event loop keeps up. */
  readonly health: { readonly params: { readonly [name: string]: never }; readonly result: HealthResult };
  /** Readiness: whether the node is fit to take traffic, and why not. */
  readonly readiness: { readonly params: { readonly [name: string]: never }; readonly result: ReadinessResult };
  /** The node's part in consensus: role, key generation, peers, metrics. */
  readonly validator_status: { readonly params: { readonly [name: string]: never }; readonly result: ValidatorStatus };
  /** Balance and nonce lanes of an address, as of the last committed block. */
  readonly account: { readonly params: { readonly address: Uint8Array }; readonly result: Account };
  /** Many accounts at one height, in the order asked for, one answer for each address. */
  readonly accounts: { readonly params: { readonly addresses: readonly Uint8Array[] }; readonly result: AccountsResult };
  /** The address that a deployer's next deployment makes, or the one `offset` deployments later. */
  readonly predict_address: { readonly params: { readonly deployer: Uint8Array; readonly offset?: bigint }; readonly result: PredictAddressResult };
  /** Engine, code hash, ABI version and upgrade policy of a contract. */
  readonly contract_metadata: { readonly params: { readonly address: Uint8Array }; readonly result: ContractMetadataResult };
  /** The interface definition that a contract was deployed with; `idl` is left out where there was none. */
  readonly contract_idl: { readonly params: { readonly address: Uint8Array }; readonly result: ContractIdlResult };
  /**
   * Runs a contract's code against the state of any kept height, or between two transactions of a block, and reports what
   * it answers. Whatever it writes is discarded. A contract that reverts, traps or runs out of gas is a result.
   */
  readonly view_call: { readonly params: ViewCallArgs; readonly result: ViewCallResult };
  /** Fills in an unsigned transaction from the chain: nonce, gas limit, fees. */
  readonly tx_build: { readonly params: TxBuildArgs; readonly result: TxBuildResult };
  /** Builds a transaction as `tx_build` does, and simulates it on the last committed block as `tx_simulate` does. */
  readonly tx_build_simulate: { readonly params: TxBuildArgs; readonly result: TxBuildSimulateResult };
  /** Takes a signed transaction into the pool and, if asked, waits until it is in a block. */
  readonly tx_submit: { readonly params: TxSubmitArgs; readonly result: TxSubmitResult };
  /** Where a transaction is: pending, included, rejected or not found. */
  readonly tx_by_hash: { readonly params: { readonly tx_hash: Uint8Array }; readonly result: TxByHashResult };
  /** The receipt of an included transaction; `receipt` is left out while there is none. */
  readonly tx_receipt: { readonly params: TxReceiptArgs; readonly result: TxReceiptResult };
  /**
   * Runs a transaction on the state of any kept height, or between two transactions of a block, and reports what it comes to
   * and how much gas it needs. Nothing of it is kept. A signed transaction is checked as for a block: where its nonce, fees,
   * balance or valid_until keep it out, it ends `invalid` with the reason. An unsigned one asks what would be: its nonce is
   * taken for its lane's next, and where its sender cannot pay gas_limit times the price, or max_fee is 0, it runs without
   * fees; `fee` then says what they would be.
   */
  readonly tx_simulate: { readonly params: TxSimulateArgs; readonly result: TxSimulateResult };
  /** Simulates a transaction, and lists the accounts and slots that it reads and writes. */
  readonly tx_simulate_access: { readonly params: TxSimulateAccessArgs; readonly result: TxSimulateAccessResult };
  /** Runs transactions and view calls one after another, each on what the transactions before it wrote. */
  readonly tx_simulate_pipeline: { readonly params: TxSimulatePipelineArgs; readonly result: TxSimulatePipelineResult };
  /**
   * Blocks, newest first. On a node that started from a snapshot, this and the listings of transactions end with
   * `state_unavailable` and the oldest height there is, where the first block of the chain would be.
   */
  readonly list_blocks: { readonly params: ListBlocksArgs; readonly result: ListBlocksResult };
  /** Included transactions, newest first. */
  readonly list_txs: { readonly params: ListTxsArgs; readonly result: ListTxsResult };
  /** Included transactions of one sender, newest first. */
  readonly list_txs_by_sender: { readonly params: ListTxsBySenderArgs; readonly result: ListTxsResult };
  /** Included transactions that involve a contract: called at any depth, deployed or upgraded. Newest first. */
  readonly list_txs_by_contract: { readonly params: ListTxsByContractArgs; readonly result: ListTxsResult };
  /**
   * Events by contract, by topics, and by height, in the order of execution. A page looks at a bounded part of the chain: it
   * may hold fewer events than asked for, or none, and still bring a `next_cursor`. A range that reaches below the first
   * block of a node that started from a snapshot is `state_unavailable`; without `from_height` it begins with block 0.
   */
  readonly get_logs: { readonly params: GetLogsArgs; readonly result: GetLogsResult };
  /** Transactions that wait in the pool, newest first. */
  readonly list_pending_txs: { readonly params: ListPendingTxsArgs; readonly result: ListPendingTxsResult };
  /** Size and limits of the pool. */
  readonly txpool_stats: { readonly params: { readonly [name: string]: never }; readonly result: TxpoolStats };
  /** Whole blocks by height, ascending: everything that their headers commit to. */
  readonly get_blocks: { readonly params: GetBlocksArgs; readonly result: GetBlocksResult };
  /** The summaries of blocks by height, ascending. */
  readonly get_block_summaries: { readonly params: GetBlocksArgs; readonly result: GetBlockSummariesResult };
  /** Every transaction of a range of blocks, in the order of execution. */
  readonly get_txs_in_range: { readonly params: GetBlocksArgs; readonly result: GetTxsInRangeResult };
  /** Proves that a block is final: its own certificate, or that of a later block which made it final, with the headers between. */
  readonly finality_proof: { readonly params: FinalityProofArgs; readonly result: FinalityProofResult };
  /** All that a light client needs to check other answers by, itself proved under the group key alone. */
  readonly light_client_context: { readonly params: LightClientContextArgs; readonly result: LightClientContextResult };
  /** Proves what an account, and a slot if asked, hold under the state root of a block, or that they are not there. */
  readonly state_proof: { readonly params: StateProofArgs; readonly result: StateProofResult };
  /** The history that a final block's header commits to: root and peaks over the blocks before it. */
  readonly finalized_history_root: { readonly params: FinalizedHistoryRootArgs; readonly result: FinalizedHistoryRootResult };
  /** Proves that a block is in the history that a later final block's header commits to. */
  readonly finalized_history_proof: { readonly params: FinalizedHistoryProofArgs; readonly result: FinalizedHistoryProofResult };
  /** The checkpoints that a new node can start from, newest first. */
  readonly get_checkpoint_list: { readonly params: { readonly [name: string]: never }; readonly result: CheckpointListResult };
  /** What a new node needs to trust a checkpoint before it fetches its chunks: header, certificate, history, validator set. */
  readonly get_light_snapshot: { readonly params: GetLightSnapshotArgs; readonly result: GetLightSnapshotResult };
  /** The checkpoint of a height. */
  readonly get_checkpoint: { readonly params: GetCheckpointArgs; readonly result: GetCheckpointResult };
  /** Checkpoints with the archives made of them, newest first. */
  readonly list_checkpoints: { readonly params: ListCheckpointsArgs; readonly result: ListCheckpointsResult };
  /** A chunk of a checkpoint's state, proved under its state root. */
  readonly get_snapshot_chunk: { readonly params: GetSnapshotChunkArgs; readonly result: GetSnapshotChunkResult };
  /** Takes a chunk into a node that was started empty to await a snapshot; one that does not prove is refused whole. */
  readonly import_snapshot_chunk: { readonly params: ImportSnapshotChunkArgs; readonly result: ImportSnapshotChunkResult };
  /** The key that transactions are sealed under, the heights of an epoch, and the next height that one can still seal to. */
  readonly get_epoch_key: { readonly params: GetEpochKeyArgs; readonly result: GetEpochKeyResult };
  /**
   * Takes a signed envelope into the pool: a transaction whose action nobody can read before its place is fixed. It is included
   * below its height `opens_at`, opened by the first block above that height which brings the key, and executed there before
   * anything else. `tx_by_hash`, `tx_receipt` and the listings know it by its envelope's hash. Refused as a transaction is:
   * `expired` where it opens too soon, `too_large` where it opens too late or its payload is too long; `not_ready` where the
   * node's validator has no key to open it with.
   */
  readonly tx_submit_sealed: { readonly params: TxSubmitSealedArgs; readonly result: TxSubmitSealedResult };
  /**
   * Takes signed transactions into the pool that are included whole, in order and one right after the other, or not at
   * all: if one could not be included or does not succeed, none takes effect, and the bundle leaves the pool where one
   * failed. It waits for nonces that are still to come; it leaves once a nonce of it is used otherwise.
   */
  readonly tx_submit_bundle: { readonly params: TxSubmitBundleArgs; readonly result: TxSubmitBundleResult };
  /**
   * Runs transactions one after another in one block, as a bundle that includes them would, and says which depends on which.
   * What holds for signed and unsigned transactions in `tx_simulate` holds for each of them.
   */
  readonly chain_simulateBundle: { readonly params: BundleSimulateArgs; readonly result: BundleSimulateResult };
  /**
   * Executes an included transaction again where it stands in its block, and reports what it did. The execution is checked
   * against the receipt.
   */
  readonly chain_traceTransaction: { readonly params: ChainTraceTransactionArgs; readonly result: ChainTraceTransactionResult };
  /** Runs a call as view_call does, and reports what it did. */
  readonly chain_traceCall: { readonly params: ChainTraceCallArgs; readonly result: ChainTraceCallResult };
  /** Simulates a transaction as tx_simulate does, and reports what it did. */
  readonly tx_simulate_trace: { readonly params: TxSimulateTraceArgs; readonly result: TxSimulateTraceResult };
}

/** Everything that the IDL declares. */
export const nodeRpcV1Manifest: $Manifest = {
  manifest_version: 1,
  interfaces: [
    {
      name: "NodeRpcV1",
      doc: "The node answers every method by its qualified name (NodeRpcV1.status) or by its plain one (status).",
      methods: [
        { name: "status", doc: "Chain tip, finalized height, epoch, validator set, pool size.", since: "1.0", params: [], returns: "Status", tier: "public", cost: 1 },
        { name: "health", doc: "Liveness: the process answers and its event loop keeps up.", since: "1.0", params: [], returns: "HealthResult", tier: "public", cost: 1 },
        { name: "readiness", doc: "Readiness: whether the node is fit to take traffic, and why not.", since: "1.0", params: [], returns: "ReadinessResult", tier: "public", cost: 1 },
        { name: "validator_status", doc: "The node's part in consensus: role, key generation, peers, metrics.", since: "1.0", params: [], returns: "ValidatorStatus", tier: "public", cost: 1 },
        { name: "account", doc: "Balance and nonce lanes of an address, as of the last committed block.", since: "1.0", params: [{ name: "address", type: "address" }], returns: "Account", tier: "public", cost: 2 },
        { name: "accounts", doc: "Many accounts at one height, in the order asked for, one answer for each address.", since: "1.0", params: [{ name: "addresses", type: { list: "address" } }], returns: "AccountsResult", tier: "public", cost: 5 },
        { name: "predict_address", doc: "The address that a deployer's next deployment makes, or the one `offset` deployments later.", since: "1.0", params: [{ name: "deployer", type: "address" }, { name: "offset", type: "u64", optional: true }], returns: "PredictAddressResult", tier: "public", cost: 2 },
        { name: "contract_metadata", doc: "Engine, code hash, ABI version and upgrade policy of a contract.", since: "1.0", params: [{ name: "address", type: "address" }], returns: "ContractMetadataResult", tier: "public", cost: 2 },
        { name: "contract_idl", doc: "The interface definition that a contract was deployed with; `idl` is left out where there was none.", since: "1.0", params: [{ name: "address", type: "address" }], returns: "ContractIdlResult", tier: "public", cost: 2 },
        { name: "view_call", doc: "Runs a contract's code against the state of any kept height, or between two transactions of a block, and reports what\nit answers. Whatever it writes is discarded. A contract that reverts, traps or runs out of gas is a result.", since: "1.0", params: [{ name: "args", type: "ViewCallArgs" }], returns: "ViewCallResult", tier: "paid", cost: 10 },
        { name: "tx_build", doc: "Fills in an unsigned transaction from the chain: nonce, gas limit, fees.", since: "1.0", params: [{ name: "args", type: "TxBuildArgs" }], returns: "TxBuildResult", tier: "admin", cost: 10 },
        { name: "tx_build_simulate", doc: "Builds a transaction as `tx_build` does, and simulates it on the last committed block as `tx_simulate` does.", since: "1.0", params: [{ name: "args", type: "TxBuildArgs" }], returns: "TxBuildSimulateResult", tier: "admin", cost: 10 },
        { name: "tx_submit", doc: "Takes a signed transaction into the pool and, if asked, waits until it is in a block.", since: "1.0", params: [{ name: "args", type: "TxSubmitArgs" }], returns: "TxSubmitResult", tier: "public", cost: 10 },
        { name: "tx_by_hash", doc: "Where a transaction is: pending, included, rejected or not found.", since: "1.0", params: [{ name: "tx_hash", type: "hash" }], returns: "TxByHashResult", tier: "public", cost: 2 },
        { name: "tx_receipt", doc: "The receipt of an included transaction; `receipt` is left out while there is none.", since: "1.0", params: [{ name: "args", type: "TxReceiptArgs" }], returns: "TxReceiptResult", tier: "public", cost: 2 },
        { name: "tx_simulate", doc: "Runs a transaction on the state of any kept height, or between two transactions of a block, and reports what it comes to\nand how much gas it needs. Nothing of it is kept. A signed transaction is checked as for a block: where its nonce, fees,\nbalance or valid_until keep it out, it ends `invalid` with the reason. An unsigned one asks what would be: its nonce is\ntaken for its lane's next, and where its sender cannot pay gas_limit times the price, or max_fee is 0, it runs without\nfees; `fee` then says what they would be.", since: "1.0", params: [{ name: "args", type: "TxSimulateArgs" }], returns: "TxSimulateResult", tier: "paid", cost: 20 },
        { name: "tx_simulate_access", doc: "Simulates a transaction, and lists the accounts and slots that it reads and writes.", since: "1.0", params: [{ name: "args", type: "TxSimulateAccessArgs" }], returns: "TxSimulateAccessResult", tier: "paid", cost: 20 },
        { name: "tx_simulate_pipeline", doc: "Runs transactions and view calls one after another, each on what the transactions before it wrote.", since: "1.0", params: [{ name: "args", type: "TxSimulatePipelineArgs" }], returns: "TxSimulatePipelineResult", tier: "paid", cost: 50 },
        { name: "list_blocks", doc: "Blocks, newest first. On a node that started from a snapshot, this and the listings of transactions end with\n`state_unavailable` and the oldest height there is, where the first block of the chain would be.", since: "1.0", params: [{ name: "args", type: "ListBlocksArgs" }], returns: "ListBlocksResult", tier: "public", cost: 5 },
        { name: "list_txs", doc: "Included transactions, newest first.", since: "1.0", params: [{ name: "args", type: "ListTxsArgs" }], returns: "ListTxsResult", tier: "public", cost: 5 },
        { name: "list_txs_by_sender", doc: "Included transactions of one sender, newest first.", since: "1.0", params: [{ name: "args", type: "ListTxsBySenderArgs" }], returns: "ListTxsResult", tier: "public", cost: 5 },
        { name: "list_txs_by_contract", doc: "Included transactions that involve a contract: called at any depth, deployed or upgraded. Newest first.", since: "1.0", params: [{ name: "args", type: "ListTxsByContractArgs" }], returns: "ListTxsResult", tier: "public", cost: 5 },
        { name: "get_logs", doc: "Events by contract, by topics, and by height, in the order of execution. A page looks at a bounded part of the chain: it\nmay hold fewer events than asked for, or none, and still bring a `next_cursor`. A range that reaches below the first\nblock of a node that started from a snapshot is `state_unavailable`; without `from_height` it begins with block 0.", since: "1.0", params: [{ name: "args", type: "GetLogsArgs" }], returns: "GetLogsResult", tier: "public", cost: 20 },
        { name: "list_pending_txs", doc: "Transactions that wait in the pool, newest first.", since: "1.0", params: [{ name: "args", type: "ListPendingTxsArgs" }], returns: "ListPendingTxsResult", tier: "public", cost: 5 },
        { name: "txpool_stats", doc: "Size and limits of the pool.", since: "1.0", params: [], returns: "TxpoolStats", tier: "public", cost: 1 },
        { name: "get_blocks", doc: "Whole blocks by height, ascending: everything that their headers commit to.", since: "1.0", params: [{ name: "args", type: "GetBlocksArgs" }], returns: "GetBlocksResult", tier: "public", cost: 20 },
        { name: "get_block_summaries", doc: "The summaries of blocks by height, ascending.", since: "1.0", params: [{ name: "args", type: "GetBlocksArgs" }], returns: "GetBlockSummariesResult", tier: "public", cost: 5 },
        { name: "get_txs_in_range", doc: "Every transaction of a range of blocks, in the order of execution.", since: "1.0", params: [{ name: "args", type: "GetBlocksArgs" }], returns: "GetTxsInRangeResult", tier: "public", cost: 20 },
        { name: "finality_proof", doc: "Proves that a block is final: its own certificate, or that of a later block which made it final, with the headers between.", since: "1.0", params: [{ name: "args", type: "FinalityProofArgs" }], returns: "FinalityProofResult", tier: "public", cost: 2 },
        { name: "light_client_context", doc: "All that a light client needs to check other answers by, itself proved under the group key alone.", since: "1.0", params: [{ name: "args", type: "LightClientContextArgs" }], returns: "LightClientContextResult", tier: "public", cost: 1 },
        { name: "state_proof", doc: "Proves what an account, and a slot if asked, hold under the state root of a block, or that they are not there.", since: "1.0", params: [{ name: "args", type: "StateProofArgs" }], returns: "StateProofResult", tier: "public", cost: 5 },
        { name: "finalized_history_root", doc: "The history that a final block's header commits to: root and peaks over the blocks before it.", since: "1.0", params: [{ name: "args", type: "FinalizedHistoryRootArgs" }], returns: "FinalizedHistoryRootResult", tier: "public", cost: 1 },
        { name: "finalized_history_proof", doc: "Proves that a block is in the history that a later final block's header commits to.", since: "1.0", params: [{ name: "args", type: "FinalizedHistoryProofArgs" }], returns: "FinalizedHistoryProofResult", tier: "public", cost: 5 },
        { name: "get_checkpoint_list", doc: "The checkpoints that a new node can start from, newest first.", since: "1.0", params: [], returns: "CheckpointListResult", tier: "public", cost: 1 },
        { name: "get_light_snapshot", doc: "What a new node needs to trust a checkpoint before it fetches its chunks: header, certificate, history, validator set.", since: "1.0", params: [{ name: "args", type: "GetLightSnapshotArgs" }], returns: "GetLightSnapshotResult", tier: "public", cost: 5 },
        { name: "get_checkpoint", doc: "The checkpoint of a height.", since: "1.0", params: [{ name: "args", type: "GetCheckpointArgs" }], returns: "GetCheckpointResult", tier: "public", cost: 2 },
        { name: "list_checkpoints", doc: "Checkpoints with the archives made of them, newest first.", since: "1.0", params: [{ name: "args", type: "ListCheckpointsArgs" }], returns: "ListCheckpointsResult", tier: "public", cost: 5 },
        { name: "get_snapshot_chunk", doc: "A chunk of a checkpoint's state, proved under its state root.", since: "1.0", params: [{ name: "args", type: "GetSnapshotChunkArgs" }], returns: "GetSnapshotChunkResult", tier: "public", cost: 20 },
        { name: "import_snapshot_chunk", doc: "Takes a chunk into a node that was started empty to await a snapshot; one that does not prove is refused whole.", since: "1.0", params: [{ name: "args", type: "ImportSnapshotChunkArgs" }], returns: "ImportSnapshotChunkResult", tier: "admin", cost: 10 },
        { name: "get_epoch_key", doc: "The key that transactions are sealed under, the heights of an epoch, and the next height that one can still seal to.", since: "1.0", params: [{ name: "args", type: "GetEpochKeyArgs" }], returns: "GetEpochKeyResult", tier: "public", cost: 1 },
        { name: "tx_submit_sealed", doc: "Takes a signed envelope into the pool: a transaction whose action nobody can read before its place is fixed. It is included\nbelow its height `opens_at`, opened by the first block above that height which brings the key, and executed there before\nanything else. `tx_by_hash`, `tx_receipt` and the listings know it by its envelope's hash. Refused as a transaction is:\n`expired` where it opens too soon, `too_large` where it opens too late or its payload is too long; `not_ready` where the\nnode's validator has no key to open it with.", since: "1.0", params: [{ name: "args", type: "TxSubmitSealedArgs" }], returns: "TxSubmitSealedResult", tier: "public", cost: 10 },
        { name: "tx_submit_bundle", doc: "Takes signed transactions into the pool that are included whole, in order and one right after the other, or not at\nall: if one could not be included or does not succeed, none takes effect, and the bundle leaves the pool where one\nfailed. It waits for nonces that are still to come; it leaves once a nonce of it is used otherwise.", since: "1.0", params: [{ name: "args", type: "TxSubmitBundleArgs" }], returns: "TxSubmitBundleResult", tier: "public", cost: 10 },
        { name: "chain_simulateBundle", doc: "Runs transactions one after another in one block, as a bundle that includes them would, and says which depends on which.\nWhat holds for signed and unsigned transactions in `tx_simulate` holds for each of them.", since: "1.0", params: [{ name: "args", type: "BundleSimulateArgs" }], returns: "BundleSimulateResult", tier: "paid", cost: 50 },
        { name: "chain_traceTransaction", doc: "Executes an included transaction again where it stands in its block, and reports what it did. The execution is checked\nagainst the receipt.", since: "1.0", params: [{ name: "args", type: "ChainTraceTransactionArgs" }], returns: "ChainTraceTransactionResult", tier: "paid", cost: 50 },
        { name: "chain_traceCall", doc: "Runs a call as view_call does, and reports what it did.", since: "1.0", params: [{ name: "args", type: "ChainTraceCallArgs" }], returns: "ChainTraceCallResult", tier: "paid", cost: 50 },
        { name: "tx_simulate_trace", doc: "Simulates a transaction as tx_simulate does, and reports what it did.", since: "1.0", params: [{ name: "args", type: "TxSimulateTraceArgs" }], returns: "TxSimulateTraceResult", tier: "paid", cost: 50 },
      ],
    },
  ],
  contracts: [],
  structs: [
    {
      name: "Transaction",
      doc: "What a sender asks the chain to do. Its hash, sha256(\"heddle/tx/1\" ‖ borsh(Transaction)), is what the sender signs\nand what everybody calls the transaction by.",
      fields: [
        { name: "chain_id", doc: "The chain it is for; any other chain refuses it.", type: "u64" },
        { name: "sender", doc: "The account that pays and whose key signs.", type: "address" },
        { name: "lane", doc: "Which of the sender's nonce queues it stands in. Lanes are independent of each other.", type: "u32" },
        { name: "nonce", doc: "Its place in the lane; each lane counts from 0.", type: "u64" },
        { name: "gas_limit", doc: "The most gas it may use, and at most what those before it in its block left of the block's gas.", type: "u64" },
        { name: "max_fee", doc: "The most the sender pays per unit of gas, base fee included.", type: "u128" },
        { name: "priority_fee", doc: "The most that goes to the proposer per unit of gas.", type: "u128" },
        { name: "valid_until", doc: "The last height at which it may be included.", type: "u64", optional: true },
        { name: "action", type: "Action" },
      ],
    },
    {
      name: "Transfer",
      fields: [
        { name: "to", type: "address" },
        { name: "amount", type: "u128" },
      ],
    },
    {
      name: "Deploy",
      fields: [
        { name: "vm", type: "VmType" },
        { name: "code", type: "bytes" },
        { name: "idl", doc: "The contract's interface definition, stored on chain beside the code.", type: "string", optional: true },
        { name: "abi_version", type: "u32" },
        { name: "upgrade_policy", type: "UpgradePolicy" },
        { name: "input", doc: "Input of the contract's init function.", type: "bytes" },
        { name: "value", type: "u128" },
      ],
    },
    {
      name: "Call",
      fields: [
        { name: "contract", type: "address" },
        { name: "input", doc: "Four selector bytes, then the Borsh encoding of the arguments.", type: "bytes" },
        { name: "value", type: "u128" },
      ],
    },
    {
      name: "Upgrade",
      fields: [
        { name: "contract", type: "address" },
        { name: "code", type: "bytes" },
        { name: "idl", type: "string", optional: true },
        { name: "abi_version", type: "u32" },
        { name: "input", doc: "Input of the new code's migrate function.", type: "bytes" },
      ],
    },
    {
      name: "Timelock",
      fields: [
        { name: "admin", type: "address" },
        { name: "delay", doc: "Blocks between announcing and applying an upgrade.", type: "u64" },
      ],
    },
    {
      name: "SignedTransaction",
      fields: [
        { name: "transaction", type: "Transaction" },
        { name: "signature", doc: "Over the 32 bytes of the transaction's hash.", type: "Signature" },
      ],
    },
    {
      name: "Ed25519Signature",
      fields: [
        { name: "public_key", type: "bytes32" },
        { name: "signature", type: "bytes64" },
      ],
    },
    {
      name: "Secp256k1Signature",
      fields: [
        { name: "public_key", doc: "Compressed.", type: "bytes33" },
        { name: "signature", doc: "r ‖ s, low s only.", type: "bytes64" },
      ],
    },
    {
      name: "BlockHeader",
      doc: "The header commits to everything in its block. Its hash is sha256(\"heddle/block/1\" ‖ borsh(BlockHeader)).",
      fields: [
        { name: "chain_id", type: "u64" },
        { name: "height", type: "u64" },
        { name: "parent_hash", type: "hash" },
        { name: "epoch", type: "u64" },
        { name: "view", type: "u64" },
        { name: "timestamp_ms", doc: "The proposer's clock, at least the parent's plus one.", type: "u64" },
        { name: "proposer", doc: "The proposer's index in the epoch's validator set.", type: "u32" },
        { name: "transactions_root", doc: "List root of the body's items.", type: "hash" },
        { name: "receipts_root", doc: "List root of the receipts, in execution order.", type: "hash" },
        { name: "state_root", doc: "Root of the state tree after this block.", type: "hash" },
        { name: "history_root", doc: "MMR root over the hashes of the blocks 0..height−1.", type: "hash" },
        { name: "validators_hash", doc: "sha256(borsh(ValidatorSet)) of the epoch's validator set.", type: "hash" },
        { name: "gas_used", type: "u64" },
        { name: "gas_limit", type: "u64" },
        { name: "base_fee", type: "u128" },
        { name: "extra", type: "bytes" },
      ],
    },
    {
      name: "BlockBody",
      fields: [
        { name: "items", type: { list: "BlockItem" } },
      ],
    },
    {
      name: "LedgerReceipt",
      doc: "What executing a transaction came to, as far as the chain commits to it.",
      fields: [
        { name: "tx_hash", type: "hash" },
        { name: "outcome", type: "Outcome" },
        { name: "gas_used", type: "u64" },
        { name: "fee", doc: "gas_used × (base fee + the priority fee paid).", type: "u128" },
        { name: "contract", doc: "The contract that a deployment made.", type: "address", optional: true },
        { name: "output", type: "bytes" },
        { name: "logs", type: { list: "LedgerLog" } },
      ],
    },
    {
      name: "LedgerLog",
      fields: [
        { name: "contract", type: "address" },
        { name: "topics", type: { list: "hash" } },
        { name: "data", type: "bytes" },
      ],
    },
    {
      name: "AccountRecord",
      doc: "An account's value in the state tree. An account that is all zero is not in the state at all.",
      fields: [
        { name: "balance", type: "u128" },
        { name: "lanes", doc: "Ascending by lane, only those used; at most 256.", type: { list: "Lane" } },
        { name: "deploy_index", doc: "How many contracts the account has deployed.", type: "u64" },
        { name: "contract", type: "ContractRecord", optional: true },
      ],
    },
    {
      name: "Lane",
      fields: [
        { name: "lane", type: "u32" },
        { name: "next_nonce", type: "u64" },
      ],
    },
    {
      name: "ContractRecord",
      fields: [
        { name: "vm", type: "VmType" },
        { name: "code_hash", type: "hash" },
        { name: "code_size", type: "u32" },
        { name: "idl_hash", type: "hash", optional: true },
        { name: "abi_version", type: "u32" },
        { name: "upgrade_policy", type: "UpgradePolicy" },
        { name: "deployer", type: "address" },
        { name: "deployed_at", doc: "The height of the block that deployed it.", type: "u64" },
        { name: "pending_upgrade", type: "PendingUpgrade", optional: true },
      ],
    },
    {
      name: "PendingUpgrade",
      fields: [
        { name: "code_hash", type: "hash" },
        { name: "idl_hash", type: "hash", optional: true },
        { name: "abi_version", type: "u32" },
        { name: "ready_at", doc: "The first height at which it may be applied.", type: "u64" },
      ],
    },
    {
      name: "ValidatorSet",
      doc: "The validators of an epoch. The header's validators_hash is sha256 of its Borsh encoding.",
      fields: [
        { name: "epoch", type: "u64" },
        { name: "quorum", doc: "How many validators make a certificate.", type: "u32" },
        { name: "group_public_key", doc: "BLS12-381 public key of the whole set, G1, 48 bytes compressed.", type: "bytes" },
        { name: "validators", type: { list: "Validator" } },
      ],
    },
    {
      name: "Validator",
      fields: [
        { name: "index", type: "u32" },
        { name: "address", doc: "Where its priority fees go.", type: "address" },
        { name: "identity_key", doc: "ed25519.", type: "bytes32" },
        { name: "share_public_key", doc: "Its share of the group key, G1, 48 bytes compressed.", type: "bytes" },
      ],
    },
    {
      name: "Genesis",
      doc: "What block 0 is made of.",
      fields: [
        { name: "chain_id", type: "u64" },
        { name: "timestamp_ms", type: "u64" },
        { name: "gas_limit", doc: "Gas limit of every block.", type: "u64" },
        { name: "base_fee", doc: "Base fee of block 0.", type: "u128" },
        { name: "extra", type: "bytes", optional: true },
        { name: "validator_set", type: "ValidatorSet" },
        { name: "accounts", type: { list: "GenesisAccount" } },
        { name: "epoch_length", doc: "Blocks of an epoch: epoch e ends with the block of height (e + 1) × epoch_length. 10,000 where it is left out.", type: "u64", optional: true },
        { name: "ceremony", doc: "How the group key came about. Left out, one dealer made it, who knows it: such a chain admits no further validators.", type: "Ceremony", optional: true },
      ],
    },
    {
      name: "Ceremony",
      doc: "The ceremony in which the first validators made the group key; nobody knows its private key.",
      fields: [
        { name: "dealings", doc: "Of the qualified dealers, ascending by dealer.", type: { list: "CeremonyDealing" } },
        { name: "signatures", doc: "Each validator's ed25519 signature of \"heddle/ceremony/1\" ‖ the transcript's hash, by index.", type: { list: "bytes64" } },
      ],
    },
    {
      name: "CeremonyDealing",
      fields: [
        { name: "dealer", type: "u32" },
        { name: "commitments", doc: "Of the dealer's polynomial, constant first; G1, compressed.", type: { list: "bytes48" } },
        { name: "reveals", doc: "The evaluations that were complained of.", type: { list: "Reveal" } },
      ],
    },
    {
      name: "GenesisAccount",
      fields: [
        { name: "address", type: "address" },
        { name: "balance", type: "u128" },
      ],
    },
    {
      name: "SealedHeader",
      doc: "What a sealed transaction shows before it is opened.",
      fields: [
        { name: "chain_id", type: "u64" },
        { name: "sender", type: "address" },
        { name: "lane", type: "u32" },
        { name: "nonce", type: "u64" },
        { name: "gas_limit", type: "u64" },
        { name: "max_fee", type: "u128" },
        { name: "priority_fee", type: "u128" },
        { name: "opens_at", doc: "The height whose key opens it: it is included below that height.", type: "u64" },
      ],
    },
    {
      name: "SealedEnvelope",
      doc: "A transaction whose action nobody can read before the key of its height is known. Its hash,\nsha256(\"heddle/sealed/1\" ‖ borsh(SealedEnvelope)), is what it is called by and what the sender signs.",
      fields: [
        { name: "header", type: "SealedHeader" },
        { name: "u", doc: "r·G1, compressed.", type: "bytes48" },
        { name: "v", doc: "Sigma, masked with the pairing.", type: "bytes32" },
        { name: "w", doc: "The payload's key, masked with sigma.", type: "bytes32" },
        { name: "payload", doc: "XChaCha20-Poly1305 of borsh(Action), the header as associated data.", type: "bytes" },
      ],
    },
    {
      name: "SignedEnvelope",
      fields: [
        { name: "envelope", type: "SealedEnvelope" },
        { name: "signature", doc: "Over the 32 bytes of the envelope's hash.", type: "Signature" },
      ],
    },
    {
      name: "PendingEnvelope",
      doc: "A sealed transaction that is included and not open yet, as the state keeps it.",
      fields: [
        { name: "signed", type: "SignedEnvelope" },
        { name: "gas_used", doc: "Gas that its inclusion was charged for.", type: "u64" },
        { name: "base_fee", doc: "Base fee of the block that includes it.", type: "u128" },
        { name: "deposit", doc: "What its inclusion set aside of the sender's balance, for the action's gas.", type: "u128" },
      ],
    },
    {
      name: "OpeningSchedule",
      doc: "Which heights have envelopes that are not open, as the state keeps it; not in the state where there are none.",
      fields: [
        { name: "openings", doc: "Ascending by height.", type: { list: "ScheduledOpening" } },
      ],
    },
    {
      name: "ScheduledOpening",
      fields: [
        { name: "height", type: "u64" },
        { name: "count", doc: "How many envelopes it opens.", type: "u32" },
        { name: "gas", doc: "What they may use together once they are open.", type: "u64" },
      ],
    },
    {
      name: "SealKey",
      doc: "The key of a height: what was sealed to that height opens with it.",
      fields: [
        { name: "height", type: "u64" },
        { name: "signature", doc: "BLS signature of \"heddle/seal/1\" ‖ u64le chain_id ‖ u64le height under the group key.", type: "bytes96" },
      ],
    },
    {
      name: "Dealing",
      doc: "One holder's part of handing the group key on to the next epoch's validators.",
      fields: [
        { name: "epoch", doc: "The epoch in which it is made.", type: "u64" },
        { name: "dealer", type: "u32" },
        { name: "commitments", doc: "Of the dealer's polynomial, constant first; G1, compressed.", type: { list: "bytes48" } },
        { name: "acks", doc: "Ascending by player.", type: { list: "Ack" } },
        { name: "reveals", doc: "Ascending by player: the evaluations of those who did not acknowledge.", type: { list: "Reveal" } },
        { name: "signature", doc: "ed25519 of \"heddle/dealing/1\" ‖ u64le chain_id ‖ borsh of the rest.", type: "bytes64" },
      ],
    },
    {
      name: "Ack",
      fields: [
        { name: "player", type: "u32" },
        { name: "signature", doc: "ed25519 of \"heddle/ack/1\" ‖ u64le chain_id ‖ u64le epoch ‖ u32le dealer ‖ sha256(borsh(commitments)).", type: "bytes64" },
      ],
    },
    {
      name: "Reveal",
      fields: [
        { name: "player", type: "u32" },
        { name: "share", doc: "The player's evaluation, big-endian, below the group order.", type: "bytes32" },
      ],
    },
    {
      name: "NewValidator",
      fields: [
        { name: "identity_key", doc: "ed25519.", type: "bytes32" },
        { name: "endpoint", doc: "Host and port of its mesh.", type: "string" },
      ],
    },
    {
      name: "ApprovedChange",
      fields: [
        { name: "epoch", type: "u64" },
        { name: "change", type: "ValidatorChange" },
        { name: "approvals", doc: "Of a quorum, ascending by index.", type: { list: "Approval" } },
      ],
    },
    {
      name: "Approval",
      fields: [
        { name: "index", type: "u32" },
        { name: "signature", doc: "ed25519 of \"heddle/change/1\" ‖ u64le chain_id ‖ u64le epoch ‖ borsh(change).", type: "bytes64" },
      ],
    },
    {
      name: "ConsensusParameters",
      doc: "What a chain's agreement goes by. Where it is not the default, block 0 says so in its header:\nextra = \"heddle/parameters/1\" ‖ borsh(ConsensusParameters).",
      fields: [
        { name: "epoch_length", type: "u64" },
        { name: "ceremony", doc: "Whether validators made the group key in a ceremony; where not, no further ones are admitted.", type: "bool" },
      ],
    },
    {
      name: "Status",
      fields: [
        { name: "version", doc: "The node's version.", type: "string" },
        { name: "chain_id", type: "u64" },
        { name: "now_ms", doc: "The node's clock.", type: "u64" },
        { name: "uptime_ms", type: "u64" },
        { name: "block_time_ms", doc: "The time between blocks while there is work.", type: "u32" },
        { name: "tip", type: "Tip" },
        { name: "finalized_height", type: "u64" },
        { name: "latest_checkpoint", type: "CheckpointRef" },
        { name: "txpool_size", doc: "Transactions in the pool.", type: "u32" },
        { name: "epoch", type: "u64" },
        { name: "validator_set", type: "ValidatorSet" },
        { name: "syncing", doc: "Whether the node knows of blocks that it does not have yet.", type: "bool" },
      ],
    },
    {
      name: "Tip",
      doc: "The last committed block.",
      fields: [
        { name: "height", type: "u64" },
        { name: "hash", type: "hash" },
        { name: "timestamp_ms", type: "u64" },
        { name: "state_root", type: "hash" },
        { name: "epoch", type: "u64" },
        { name: "view", type: "u64" },
      ],
    },
    {
      name: "CheckpointRef",
      fields: [
        { name: "height", type: "u64" },
        { name: "state_root", type: "hash" },
      ],
    },
    {
      name: "HealthResult",
      fields: [
        { name: "status", type: "Health" },
        { name: "uptime_ms", type: "u64" },
        { name: "event_loop_lag_ms", type: "u32" },
      ],
    },
    {
      name: "ReadinessResult",
      fields: [
        { name: "ready", type: "bool" },
        { name: "sync", type: "SyncStatus" },
        { name: "epoch_key_available", type: "bool" },
        { name: "reasons", doc: "Why the node is not ready; empty when it is.", type: { list: "string" } },
      ],
    },
    {
      name: "SyncStatus",
      fields: [
        { name: "state", type: "SyncState" },
        { name: "tip_height", type: "u64" },
        { name: "finalized_height", type: "u64" },
        { name: "best_known_height", type: "u64" },
        { name: "tip_age_ms", doc: "How long ago the tip was sealed.", type: "u64" },
      ],
    },
    {
      name: "ValidatorStatus",
      fields: [
        { name: "role", type: "Role" },
        { name: "index", doc: "The validator's index in the current set.", type: "u32", optional: true },
        { name: "dkg", type: "DkgStatus" },
        { name: "sync", type: "SyncStatus" },
        { name: "peers", type: { list: "PeerHealth" } },
        { name: "consensus", type: "ConsensusMetrics" },
      ],
    },
    {
      name: "DkgStatus",
      fields: [
        { name: "state", type: "DkgState" },
        { name: "epoch", type: "u64" },
        { name: "dealers_expected", type: "u32" },
        { name: "dealings_received", type: "u32" },
        { name: "complaints", type: "u32" },
      ],
    },
    {
      name: "PeerHealth",
      fields: [
        { name: "index", type: "u32" },
        { name: "address", doc: "Network address, host:port.", type: "string" },
        { name: "connected", type: "bool" },
        { name: "rtt_ms", type: "u32", optional: true },
        { name: "last_seen_ms", type: "u64", optional: true },
        { name: "behind_by", type: "u64", optional: true },
        { name: "invalid_proposals", doc: "Proposals of this validator that this node found to be invalid since its start; left out where there are none.", type: "u64", optional: true },
      ],
    },
    {
      name: "ConsensusMetrics",
      fields: [
        { name: "epoch", type: "u64" },
        { name: "view", type: "u64" },
        { name: "leader", type: "u32" },
        { name: "proposals", type: "u64" },
        { name: "notarizations", type: "u64" },
        { name: "nullifications", type: "u64" },
        { name: "finalizations", type: "u64" },
        { name: "timeouts", type: "u64" },
        { name: "equivocations_seen", type: "u64" },
        { name: "finality_latency_ms", doc: "From the start of sealing a block to its synced commit.", type: "Quantiles" },
        { name: "block_interval_ms", type: "Quantiles" },
      ],
    },
    {
      name: "Quantiles",
      fields: [
        { name: "p50", type: "u32" },
        { name: "p90", type: "u32" },
        { name: "p99", type: "u32" },
      ],
    },
    {
      name: "Account",
      fields: [
        { name: "address", type: "address" },
        { name: "exists", doc: "Whether the account is in the state.", type: "bool" },
        { name: "balance", type: "u128" },
        { name: "lanes", doc: "The lanes used or with transactions in the pool, ascending by lane.", type: { list: "NonceLane" } },
        { name: "deploy_index", type: "u64" },
        { name: "is_contract", type: "bool" },
      ],
    },
    {
      name: "NonceLane",
      fields: [
        { name: "lane", type: "u32" },
        { name: "next_nonce", doc: "The nonce that the chain expects next.", type: "u64" },
        { name: "pending", doc: "Transactions of this lane in the pool.", type: "u32" },
      ],
    },
    {
      name: "AccountsResult",
      fields: [
        { name: "height", type: "u64" },
        { name: "accounts", type: { list: "Account" } },
      ],
    },
    {
      name: "PredictAddressResult",
      fields: [
        { name: "address", type: "address" },
        { name: "deploy_index", doc: "The deployment that makes it, counting the deployer's from 0.", type: "u64" },
      ],
    },
    {
      name: "ContractMetadataResult",
      fields: [
        { name: "address", type: "address" },
        { name: "vm", type: "VmType" },
        { name: "code_hash", doc: "sha256 of the code.", type: "hash" },
        { name: "code_size", doc: "Bytes.", type: "u32" },
        { name: "abi_version", type: "u32" },
        { name: "upgrade_policy", type: "UpgradePolicy" },
        { name: "idl_hash", doc: "sha256 of the interface text.", type: "hash", optional: true },
        { name: "deployer", type: "address" },
        { name: "deployed_at", doc: "The height of the block that deployed it.", type: "u64" },
        { name: "pending_upgrade", type: "PendingUpgrade", optional: true },
      ],
    },
    {
      name: "ContractIdlResult",
      fields: [
        { name: "address", type: "address" },
        { name: "idl", type: "string", optional: true },
      ],
    },
    {
      name: "ViewCallArgs",
      doc: "Either `input`, or `method` with `args`.",
      fields: [
        { name: "contract", type: "address" },
        { name: "method", doc: "A function of the contract's interface; its input is encoded and its output decoded.", type: "string", optional: true },
        { name: "args", doc: "An object by name or an array by position; left out where there are none.", type: "json", optional: true },
        { name: "input", doc: "Four selector bytes, then the Borsh encoding of the arguments.", type: "bytes", optional: true },
        { name: "idl", doc: "The interface to use instead of the one stored on chain.", type: "string", optional: true },
        { name: "caller", doc: "Who calls and signs, as the contract sees it; default the zero address.", type: "address", optional: true },
        { name: "value", doc: "Moved from the caller to the contract before the call; default 0.", type: "u128", optional: true },
        { name: "gas_limit", doc: "Default, and at most, the limit `call_gas` of the manifest. Nothing is charged beside what the contract itself uses.", type: "u64", optional: true },
        { name: "at", doc: "Default latest.", type: "BlockRef", optional: true },
        { name: "overrides", doc: "Changes to the state before the call, one entry for each address.", type: { list: "StateOverride" }, optional: true },
        { name: "block_override", doc: "The block that the contract sees; default the one of the state.", type: "BlockOverride", optional: true },
      ],
    },
    {
      name: "StateOverride",
      doc: "What is left out stays as it is.",
      fields: [
        { name: "address", type: "address" },
        { name: "balance", type: "u128", optional: true },
        { name: "code", doc: "Puts this code at the address, whether or not there is a contract already. Its init does not run.", type: "bytes", optional: true },
        { name: "idl", doc: "The interface text of the contract at the address.", type: "string", optional: true },
        { name: "slots", type: { list: "SlotValue" }, optional: true },
      ],
    },
    {
      name: "SlotValue",
      fields: [
        { name: "slot", type: "bytes32" },
        { name: "value", doc: "Left out, the slot is not there.", type: "bytes", optional: true },
      ],
    },
    {
      name: "BlockOverride",
      fields: [
        { name: "height", type: "u64", optional: true },
        { name: "timestamp_ms", type: "u64", optional: true },
        { name: "base_fee", type: "u128", optional: true },
      ],
    },
    {
      name: "ViewCallResult",
      fields: [
        { name: "status", type: "ExecStatus" },
        { name: "output", doc: "The output of a success, else empty; what a revert carries is in `status`.", type: "bytes" },
        { name: "decoded", doc: "The output, decoded where the interface of the contract is known and it fits.", type: "json", optional: true },
        { name: "gas_used", type: "u64" },
        { name: "height", doc: "The block whose state it ran on.", type: "u64" },
        { name: "block_hash", type: "hash" },
        { name: "logs", doc: "The events of a success; their `tx_hash` is zero.", type: { list: "Log" } },
      ],
    },
    {
      name: "TxBuildArgs",
      fields: [
        { name: "sender", type: "address" },
        { name: "action", type: "ActionArgs" },
        { name: "lane", doc: "Default 0.", type: "u32", optional: true },
        { name: "nonce", doc: "Default: after the lane's last transaction, those in the pool included.", type: "u64", optional: true },
        { name: "gas_limit", doc: "Default: what a transfer can need at most; beside what is known of anything else, 10,000,000 for each time that it runs\na contract, but no more than a block has and the sender can pay. What is left over is not charged.", type: "u64", optional: true },
        { name: "max_fee", doc: "Default: twice the current base fee plus the priority fee.", type: "u128", optional: true },
        { name: "priority_fee", doc: "Default 0.", type: "u128", optional: true },
        { name: "valid_until", type: "u64", optional: true },
      ],
    },
    {
      name: "CallArgs",
      doc: "Either `input`, or `method` with `args`.",
      fields: [
        { name: "contract", type: "address" },
        { name: "method", doc: "A function of the contract's interface, by which the arguments are encoded.", type: "string", optional: true },
        { name: "args", doc: "An object by name or an array by position; left out where there are none.", type: "json", optional: true },
        { name: "input", doc: "Four selector bytes, then the Borsh encoding of the arguments.", type: "bytes", optional: true },
        { name: "idl", doc: "The interface to use instead of the one stored on chain.", type: "string", optional: true },
        { name: "value", doc: "Sent with the call; default 0.", type: "u128", optional: true },
      ],
    },
    {
      name: "TxBuildResult",
      doc: "Sign `tx_hash`, put it together with `transaction`, and submit.",
      fields: [
        { name: "transaction", type: "Transaction" },
        { name: "encoded", doc: "borsh(Transaction).", type: "bytes" },
        { name: "tx_hash", type: "hash" },
      ],
    },
    {
      name: "TxSubmitArgs",
      doc: "Exactly one of `encoded` and `signed`.",
      fields: [
        { name: "encoded", doc: "borsh(SignedTransaction).", type: "bytes", optional: true },
        { name: "signed", type: "SignedTransaction", optional: true },
        { name: "wait", doc: "How far to wait before answering; default none. So many callers, and so many of one client, may wait\nat a time: with one more, the oldest is answered as at the end of its time.", type: "Wait", optional: true },
        { name: "timeout_ms", doc: "How long to wait at most; then the answer says how far it came. Default 10,000, at most 60,000.", type: "u32", optional: true },
      ],
    },
    {
      name: "TxSubmitResult",
      fields: [
        { name: "tx_hash", type: "hash" },
        { name: "status", type: "TxStatus" },
        { name: "receipt", type: "Receipt", optional: true },
      ],
    },
    {
      name: "TxByHashResult",
      fields: [
        { name: "status", type: "TxStatus" },
        { name: "transaction", doc: "Left out for a sealed transaction, open or not.", type: "SignedTransaction", optional: true },
        { name: "oldest_height", doc: "With `not_found` on a node that started from a snapshot: the lowest height whose transactions it knows.", type: "u64", optional: true },
      ],
    },
    {
      name: "PendingTx",
      fields: [
        { name: "lane", type: "u32" },
        { name: "nonce", type: "u64" },
        { name: "ready", doc: "Whether it could be in the next block as far as its nonce goes.", type: "bool" },
        { name: "received_ms", type: "u64" },
      ],
    },
    {
      name: "Inclusion",
      doc: "Of a sealed transaction where its envelope is, also once it is open.",
      fields: [
        { name: "height", type: "u64" },
        { name: "block_hash", type: "hash" },
        { name: "index", doc: "Its receipt's place in the block: those of envelopes that the block opens come first, then those of its transactions and\nenvelopes.", type: "u32" },
        { name: "finalized", type: "bool" },
      ],
    },
    {
      name: "TxReceiptArgs",
      fields: [
        { name: "tx_hash", type: "hash" },
        { name: "with_proof", doc: "Also answer with the proof that transaction and receipt are in the block.", type: "bool", optional: true },
      ],
    },
    {
      name: "TxReceiptResult",
      fields: [
        { name: "receipt", doc: "Of a sealed transaction that of its inclusion, and once it is open that of what was sealed.", type: "Receipt", optional: true },
        { name: "proof", type: "InclusionProof", optional: true },
        { name: "oldest_height", doc: "Without a receipt on a node that started from a snapshot: the lowest height whose transactions it knows.", type: "u64", optional: true },
      ],
    },
    {
      name: "InclusionProof",
      doc: "Proves item and receipt under the roots of the header. A path lists the siblings from the leaf up. Item and receipt have\nplaces of their own: keys come before a block's transactions, and the receipts of what they open before theirs.",
      fields: [
        { name: "header", type: "BlockHeader" },
        { name: "item", doc: "borsh(BlockItem), under transactions_root: the transaction, or the envelope. With the receipt of an opening it is the key of\nthe height that the envelope was sealed to.", type: "bytes" },
        { name: "item_index", type: "u32" },
        { name: "item_path", type: { list: "hash" } },
        { name: "item_count", type: "u32" },
        { name: "receipt", doc: "borsh(LedgerReceipt), under receipts_root.", type: "bytes" },
        { name: "receipt_index", type: "u32" },
        { name: "receipt_path", type: { list: "hash" } },
        { name: "receipt_count", type: "u32" },
        { name: "envelope", doc: "borsh(SealedEnvelope), with the receipt of an opening. Its hash is that of the receipt, its `opens_at` the key's height and\nbelow the block's; an envelope is included below it. So this is no receipt of its inclusion.", type: "bytes", optional: true },
      ],
    },
    {
      name: "Receipt",
      fields: [
        { name: "tx_hash", type: "hash" },
        { name: "height", type: "u64" },
        { name: "block_hash", type: "hash" },
        { name: "index", type: "u32" },
        { name: "sender", type: "address" },
        { name: "lane", type: "u32" },
        { name: "nonce", type: "u64" },
        { name: "status", type: "ExecStatus" },
        { name: "gas_used", type: "u64" },
        { name: "fee", type: "u128" },
        { name: "contract", doc: "The contract that a deployment made.", type: "address", optional: true },
        { name: "output", type: "bytes" },
        { name: "decoded", doc: "The output of a call, or of a batch's last one, decoded where the contract's interface is known.", type: "json", optional: true },
        { name: "logs", type: { list: "Log" } },
        { name: "finalized", type: "bool" },
        { name: "opens_at", doc: "Of a sealed transaction: the height whose key opens it. A receipt from below it is of the inclusion, which says nothing of\nwhat is sealed; one from above it is of what was sealed.", type: "u64", optional: true },
      ],
    },
    {
      name: "Revert",
      fields: [
        { name: "message", doc: "What the contract says, where it says it in text; or what the node says.", type: "string", optional: true },
        { name: "data", type: "bytes" },
        { name: "error", doc: "`{\"name\", \"args\"}`, decoded by the contract's own error definitions.", type: "json", optional: true },
      ],
    },
    {
      name: "Trap",
      fields: [
        { name: "kind", type: "string" },
        { name: "message", type: "string" },
        { name: "backtrace", type: { list: "string" } },
      ],
    },
    {
      name: "Log",
      fields: [
        { name: "contract", type: "address" },
        { name: "topics", type: { list: "hash" } },
        { name: "data", type: "bytes" },
        { name: "height", type: "u64" },
        { name: "block_hash", type: "hash" },
        { name: "tx_hash", type: "hash" },
        { name: "tx_index", type: "u32" },
        { name: "log_index", doc: "Among the transaction's events.", type: "u32" },
        { name: "event", doc: "Decoded by the interface that the contract had at that height.", type: "DecodedEvent", optional: true },
      ],
    },
    {
      name: "DecodedEvent",
      fields: [
        { name: "name", type: "string" },
        { name: "args", type: "json" },
      ],
    },
    {
      name: "ListBlocksArgs",
      fields: [
        { name: "cursor", type: "string", optional: true },
        { name: "limit", type: "u32", optional: true },
      ],
    },
    {
      name: "ListBlocksResult",
      fields: [
        { name: "blocks", type: { list: "BlockSummary" } },
        { name: "next_cursor", type: "string", optional: true },
      ],
    },
    {
      name: "BlockSummary",
      fields: [
        { name: "height", type: "u64" },
        { name: "hash", type: "hash" },
        { name: "parent_hash", type: "hash" },
        { name: "timestamp_ms", type: "u64" },
        { name: "proposer", type: "u32" },
        { name: "epoch", type: "u64" },
        { name: "view", type: "u64" },
        { name: "tx_count", doc: "Transactions and envelopes that it includes, and envelopes that it opens: as many as it has receipts.", type: "u32" },
        { name: "gas_used", type: "u64" },
        { name: "gas_limit", type: "u64" },
        { name: "base_fee", type: "u128" },
        { name: "state_root", type: "hash" },
        { name: "finalized", type: "bool" },
      ],
    },
    {
      name: "ListTxsArgs",
      fields: [
        { name: "cursor", type: "string", optional: true },
        { name: "limit", type: "u32", optional: true },
      ],
    },
    {
      name: "ListTxsBySenderArgs",
      fields: [
        { name: "sender", type: "address" },
        { name: "cursor", type: "string", optional: true },
        { name: "limit", type: "u32", optional: true },
      ],
    },
    {
      name: "ListTxsByContractArgs",
      fields: [
        { name: "contract", type: "address" },
        { name: "cursor", type: "string", optional: true },
        { name: "limit", type: "u32", optional: true },
      ],
    },
    {
      name: "ListTxsResult",
      fields: [
        { name: "transactions", type: { list: "TxSummary" } },
        { name: "next_cursor", type: "string", optional: true },
      ],
    },
    {
      name: "GetLogsArgs",
      fields: [
        { name: "contract", type: "address", optional: true },
        { name: "topics", doc: "By position, at most four: the topics that the event may have there, at most 100; none of them given, it may have any\nor none.", type: { list: { list: "hash" } }, optional: true },
        { name: "from_height", doc: "Default 0.", type: "u64", optional: true },
        { name: "to_height", doc: "Default the tip.", type: "u64", optional: true },
        { name: "cursor", doc: "Good only together with the same contract, topics and heights.", type: "string", optional: true },
        { name: "limit", doc: "Default 50, at most 10,000. A page also ends at 16 MiB.", type: "u32", optional: true },
      ],
    },
    {
      name: "GetLogsResult",
      fields: [
        { name: "logs", type: { list: "Log" } },
        { name: "next_cursor", doc: "Absent once everything up to `to_height`, or to the tip, was looked at.", type: "string", optional: true },
      ],
    },
    {
      name: "TxSummary",
      doc: "A sealed transaction is listed twice under its hash: where its envelope is included, with kind `sealed`, and where it was\nopened, with what was in it; with kind `sealed` there too if it did not open.",
      fields: [
        { name: "tx_hash", type: "hash" },
        { name: "height", type: "u64" },
        { name: "block_hash", type: "hash" },
        { name: "index", type: "u32" },
        { name: "timestamp_ms", type: "u64" },
        { name: "sender", type: "address" },
        { name: "lane", type: "u32" },
        { name: "nonce", type: "u64" },
        { name: "kind", type: "ActionKind" },
        { name: "to", type: "address", optional: true },
        { name: "value", type: "u128" },
        { name: "method", doc: "The method called, where the contract's interface is known.", type: "string", optional: true },
        { name: "status", type: "ExecStatus" },
        { name: "gas_used", type: "u64" },
        { name: "fee", type: "u128" },
        { name: "opens_at", doc: "Of a sealed transaction: the height whose key opens it.", type: "u64", optional: true },
      ],
    },
    {
      name: "ListPendingTxsArgs",
      fields: [
        { name: "sender", type: "address", optional: true },
        { name: "cursor", type: "string", optional: true },
        { name: "limit", type: "u32", optional: true },
      ],
    },
    {
      name: "ListPendingTxsResult",
      fields: [
        { name: "transactions", type: { list: "PendingSummary" } },
        { name: "next_cursor", type: "string", optional: true },
      ],
    },
    {
      name: "PendingSummary",
      fields: [
        { name: "tx_hash", type: "hash" },
        { name: "sender", type: "address" },
        { name: "lane", type: "u32" },
        { name: "nonce", type: "u64" },
        { name: "ready", type: "bool" },
        { name: "kind", type: "ActionKind" },
        { name: "max_fee", type: "u128" },
        { name: "priority_fee", type: "u128" },
        { name: "gas_limit", type: "u64" },
        { name: "bytes", doc: "Size of the signed transaction's encoding.", type: "u32" },
        { name: "received_ms", type: "u64" },
        { name: "opens_at", doc: "Of a sealed transaction: the height whose key opens it.", type: "u64", optional: true },
      ],
    },
    {
      name: "TxpoolStats",
      fields: [
        { name: "size", type: "u32" },
        { name: "bytes", type: "u64" },
        { name: "capacity", doc: "The most transactions that the pool holds.", type: "u32" },
        { name: "lanes", doc: "Lanes with at least one transaction in the pool.", type: "u32" },
        { name: "ready", doc: "Transactions that could be in the next blocks as far as their nonces go.", type: "u32" },
        { name: "gapped", doc: "Transactions behind a gap in their lane, or in a bundle that waits for nonces or balances.", type: "u32" },
        { name: "sealed", type: "SealedQueueStats" },
        { name: "bundles", doc: "How many bundles wait; their transactions count above.", type: "u32" },
        { name: "min_fee", doc: "The least max_fee that gets a transaction into the pool now.", type: "u128" },
        { name: "base_fee", doc: "The base fee of the next block.", type: "u128" },
      ],
    },
    {
      name: "SealedQueueStats",
      doc: "Envelopes that wait in the pool to be included; they count above too.",
      fields: [
        { name: "size", type: "u32" },
        { name: "bytes", type: "u64" },
        { name: "next_open_height", doc: "The lowest height that one of them opens at.", type: "u64", optional: true },
      ],
    },
    {
      name: "GetBlocksArgs",
      doc: "A range of heights, both ends included; at most 1,000 heights and 16 MiB an answer, then `next_height` says where to\ngo on.",
      fields: [
        { name: "from_height", type: "u64" },
        { name: "to_height", type: "u64" },
      ],
    },
    {
      name: "GetBlocksResult",
      fields: [
        { name: "blocks", type: { list: "Block" } },
        { name: "next_height", type: "u64", optional: true },
      ],
    },
    {
      name: "Block",
      doc: "Everything that the header commits to, so that anyone can check it.",
      fields: [
        { name: "hash", type: "hash" },
        { name: "header", type: "BlockHeader" },
        { name: "items", type: { list: "BlockItem" } },
        { name: "finalized", type: "bool" },
      ],
    },
    {
      name: "GetBlockSummariesResult",
      fields: [
        { name: "blocks", type: { list: "BlockSummary" } },
        { name: "next_height", type: "u64", optional: true },
      ],
    },
    {
      name: "GetTxsInRangeResult",
      fields: [
        { name: "transactions", type: { list: "RangeTx" } },
        { name: "next_height", type: "u64", optional: true },
      ],
    },
    {
      name: "RangeTx",
      doc: "Sealed transactions are not among them, neither where they are included nor where they were opened: `get_blocks` has their\nenvelopes and keys, `list_txs` and `tx_receipt` what came of them.",
      fields: [
        { name: "tx_hash", type: "hash" },
        { name: "height", type: "u64" },
        { name: "index", doc: "The place of its receipt, see `Inclusion`.", type: "u32" },
        { name: "transaction", type: "SignedTransaction" },
        { name: "status", type: "ExecStatus" },
        { name: "gas_used", type: "u64" },
      ],
    },
    {
      name: "TxSimulateArgs",
      doc: "Exactly one of `transaction`, `build` and `encoded`.",
      fields: [
        { name: "transaction", type: "Transaction", optional: true },
        { name: "build", doc: "What is left out is filled in from the state that is simulated on; the gas limit is then the most that a block and the\nlimit `call_gas` of the manifest allow and the sender can pay, or all of that where it cannot pay what `tx_build` sets.", type: "TxBuildArgs", optional: true },
        { name: "encoded", doc: "borsh(Transaction), or borsh(SignedTransaction), and then the signature counts.", type: "bytes", optional: true },
        { name: "at", doc: "Default latest.", type: "BlockRef", optional: true },
        { name: "overrides", doc: "Changes to the state before the transaction, one entry for each address.", type: { list: "StateOverride" }, optional: true },
        { name: "block_override", doc: "The block that the transaction is in; default the one after the state's, or for `after_tx` that transaction's own.", type: "BlockOverride", optional: true },
        { name: "idl", doc: "The interface to use for the contracts that the transaction calls, instead of those stored on chain.", type: "string", optional: true },
      ],
    },
    {
      name: "TxSimulateResult",
      fields: [
        { name: "status", type: "ExecStatus" },
        { name: "gas_used", type: "u64" },
        { name: "gas_estimate", doc: "The smallest gas limit with which the transaction ends as it did here, with the same output and events, confirmed by\nrunning it; where it ran out of gas, the limit that was not enough.", type: "u64" },
        { name: "fee", doc: "What it pays, or would have to pay where it ran without fees; 0 where max_fee is 0.", type: "u128" },
        { name: "output", doc: "The output of a success, else empty; what a revert carries is in `status`.", type: "bytes" },
        { name: "decoded", doc: "The output, decoded where the interface of the contract is known and it fits.", type: "json", optional: true },
        { name: "contract", doc: "The contract that a deployment makes.", type: "address", optional: true },
        { name: "logs", doc: "Their `height` is that of the block simulated in, their `block_hash` zero.", type: { list: "Log" } },
        { name: "state_diff", doc: "What the transaction changes, the sender's fee included but not the proposer's, ascending by address.", type: { list: "StateDiff" } },
        { name: "height", doc: "The block whose state it ran on.", type: "u64" },
      ],
    },
    {
      name: "StateDiff",
      fields: [
        { name: "address", type: "address" },
        { name: "balance", type: "ValueChange", optional: true },
        { name: "slots", doc: "Ascending by slot.", type: { list: "SlotChange" } },
        { name: "code_hash", doc: "The hash of the code that is at the address now, where it changed.", type: "hash", optional: true },
      ],
    },
    {
      name: "ValueChange",
      fields: [
        { name: "before", type: "u128" },
        { name: "after", type: "u128" },
      ],
    },
    {
      name: "SlotChange",
      doc: "An absent value is a slot that is not there.",
      fields: [
        { name: "slot", type: "bytes32" },
        { name: "before", type: "bytes", optional: true },
        { name: "after", type: "bytes", optional: true },
      ],
    },
    {
      name: "TxBuildSimulateResult",
      fields: [
        { name: "build", type: "TxBuildResult" },
        { name: "simulation", type: "TxSimulateResult" },
      ],
    },
    {
      name: "TxSimulateAccessArgs",
      doc: "The members of TxSimulateArgs.",
      fields: [
        { name: "transaction", type: "Transaction", optional: true },
        { name: "build", type: "TxBuildArgs", optional: true },
        { name: "encoded", type: "bytes", optional: true },
        { name: "at", type: "BlockRef", optional: true },
        { name: "overrides", type: { list: "StateOverride" }, optional: true },
        { name: "block_override", type: "BlockOverride", optional: true },
        { name: "idl", type: "string", optional: true },
      ],
    },
    {
      name: "TxSimulateAccessResult",
      fields: [
        { name: "simulation", type: "TxSimulateResult" },
        { name: "access_list", doc: "Ascending by address.", type: { list: "AccessEntry" } },
      ],
    },
    {
      name: "AccessEntry",
      fields: [
        { name: "address", type: "address" },
        { name: "account", doc: "Of the account's record: balance, lanes, contract.", type: "Access" },
        { name: "slots", doc: "Ascending by slot.", type: { list: "SlotAccess" } },
      ],
    },
    {
      name: "SlotAccess",
      fields: [
        { name: "slot", type: "bytes32" },
        { name: "access", type: "Access" },
      ],
    },
    {
      name: "TxSimulatePipelineArgs",
      fields: [
        { name: "steps", doc: "At most the limit `pipeline_steps` of the manifest.", type: { list: "PipelineStep" } },
        { name: "at", doc: "Default latest. A step's own `at` is refused.", type: "BlockRef", optional: true },
        { name: "overrides", doc: "Changes to the state before the first step.", type: { list: "StateOverride" }, optional: true },
        { name: "stop_on_failure", doc: "Skips what comes after a step that did not succeed; default false.", type: "bool", optional: true },
      ],
    },
    {
      name: "TxSimulatePipelineResult",
      fields: [
        { name: "steps", type: { list: "PipelineStepResult" } },
        { name: "gas_used", type: "u64" },
        { name: "height", type: "u64" },
        { name: "completed", doc: "Whether every step ran and succeeded.", type: "bool" },
      ],
    },
    {
      name: "TxSimulateTraceArgs",
      doc: "The members of TxSimulateArgs, and the tracers.",
      fields: [
        { name: "transaction", type: "Transaction", optional: true },
        { name: "build", type: "TxBuildArgs", optional: true },
        { name: "encoded", type: "bytes", optional: true },
        { name: "at", type: "BlockRef", optional: true },
        { name: "overrides", type: { list: "StateOverride" }, optional: true },
        { name: "block_override", type: "BlockOverride", optional: true },
        { name: "idl", type: "string", optional: true },
        { name: "tracers", doc: "Default the call tree alone.", type: { list: "Tracer" }, optional: true },
      ],
    },
    {
      name: "TxSimulateTraceResult",
      fields: [
        { name: "simulation", type: "TxSimulateResult" },
        { name: "trace", type: "Trace" },
      ],
    },
    {
      name: "ChainTraceTransactionArgs",
      fields: [
        { name: "tx_hash", type: "hash" },
        { name: "tracers", doc: "Default the call tree alone.", type: { list: "Tracer" }, optional: true },
      ],
    },
    {
      name: "ChainTraceTransactionResult",
      fields: [
        { name: "receipt", type: "Receipt" },
        { name: "trace", type: "Trace" },
      ],
    },
    {
      name: "ChainTraceCallArgs",
      doc: "The members of ViewCallArgs, and the tracers.",
      fields: [
        { name: "contract", type: "address" },
        { name: "method", type: "string", optional: true },
        { name: "args", type: "json", optional: true },
        { name: "input", type: "bytes", optional: true },
        { name: "idl", type: "string", optional: true },
        { name: "caller", type: "address", optional: true },
        { name: "value", type: "u128", optional: true },
        { name: "gas_limit", type: "u64", optional: true },
        { name: "at", type: "BlockRef", optional: true },
        { name: "overrides", type: { list: "StateOverride" }, optional: true },
        { name: "block_override", type: "BlockOverride", optional: true },
        { name: "tracers", doc: "Default the call tree alone.", type: { list: "Tracer" }, optional: true },
      ],
    },
    {
      name: "ChainTraceCallResult",
      fields: [
        { name: "result", type: "ViewCallResult" },
        { name: "trace", type: "Trace" },
      ],
    },
    {
      name: "Trace",
      doc: "What was asked for; what was not is left out.",
      fields: [
        { name: "call_tree", type: "CallFrame", optional: true },
        { name: "host_ops", type: { list: "HostOp" }, optional: true },
        { name: "state_diff", type: { list: "StateDiff" }, optional: true },
        { name: "prestate", doc: "What the execution read, as it was before: put into `overrides`, it makes the same call come out the same.", type: { list: "StateOverride" }, optional: true },
        { name: "gas_profile", type: "GasProfile", optional: true },
        { name: "truncated", doc: "Whether something was cut off at the limit `trace_bytes` of the manifest.", type: "bool" },
      ],
    },
    {
      name: "CallFrame",
      doc: "A transaction's outermost frame has the gas of the transaction, what it costs by itself included. A batch is addressed to\nits sender, a deployment to the contract that it makes.",
      fields: [
        { name: "kind", doc: "`transfer`, `deploy`, `call`, `view`, `upgrade` or `batch`; `sealed` of an envelope that is not open, or did not open.", type: "string" },
        { name: "from", type: "address" },
        { name: "to", type: "address" },
        { name: "method", type: "string", optional: true },
        { name: "input", type: "bytes" },
        { name: "args", doc: "The input, decoded where the interface of the contract is known.", type: "json", optional: true },
        { name: "value", type: "u128" },
        { name: "gas_limit", type: "u64" },
        { name: "gas_used", type: "u64" },
        { name: "status", type: "ExecStatus" },
        { name: "output", doc: "The output of a success, else empty; what a revert carries is in `status`.", type: "bytes" },
        { name: "decoded", type: "json", optional: true },
        { name: "logs", doc: "The events of this frame itself; those of a frame that failed are shown too.", type: { list: "Log" } },
        { name: "calls", type: { list: "CallFrame" } },
      ],
    },
    {
      name: "HostOp",
      fields: [
        { name: "frame", doc: "The frame that asked: frames are numbered from 0 in the order in which they were entered.", type: "u32" },
        { name: "name", doc: "Of the host function, such as `storage_read`.", type: "string" },
        { name: "gas", type: "u64" },
        { name: "args", type: "json" },
        { name: "result", type: "json", optional: true },
      ],
    },
    {
      name: "GasProfile",
      fields: [
        { name: "functions", type: { list: "FunctionGas" } },
        { name: "folded", doc: "A stack and its gas a line, `outer;inner 1234`, as flame graph tools read it.", type: { list: "string" } },
      ],
    },
    {
      name: "FunctionGas",
      fields: [
        { name: "contract", type: "address" },
        { name: "function", doc: "From the code's name section, else `function N`; for a host function its name after `heddle.`; `(instance)` is what\nmaking the contract ready costs, `(transaction)` what the transaction costs by itself.", type: "string" },
        { name: "self_gas", type: "u64" },
        { name: "total_gas", type: "u64" },
        { name: "calls", type: "u64" },
      ],
    },
    {
      name: "BundleSimulateArgs",
      fields: [
        { name: "transactions", doc: "borsh(Transaction) or borsh(SignedTransaction) each, in order; at most the limit `bundle_transactions` of the manifest.", type: { list: "bytes" } },
        { name: "at", doc: "Default latest.", type: "BlockRef", optional: true },
        { name: "overrides", type: { list: "StateOverride" }, optional: true },
      ],
    },
    {
      name: "BundleSimulateResult",
      fields: [
        { name: "results", type: { list: "TxSimulateResult" } },
        { name: "atomic_success", doc: "Whether all of them succeed in this order, and their gas limits together are at most that of a block.", type: "bool" },
        { name: "gas_used", type: "u64" },
        { name: "dependencies", type: { list: "Dependency" } },
        { name: "parallel_groups", doc: "Transactions, by index, that do not depend on those of other groups.", type: { list: { list: "u32" } } },
        { name: "critical_path_gas", doc: "The gas of the dearest chain of dependent transactions.", type: "u64" },
        { name: "height", type: "u64" },
      ],
    },
    {
      name: "Dependency",
      doc: "`to` depends on `from`, an earlier one: the next of the same sender and lane; the last that wrote what it touches; those that\nread since then what it writes.",
      fields: [
        { name: "from", type: "u32" },
        { name: "to", type: "u32" },
        { name: "kind", type: "DependencyKind" },
        { name: "address", type: "address" },
        { name: "slot", doc: "Left out where it is the account's record.", type: "bytes32", optional: true },
      ],
    },
    {
      name: "GetEpochKeyArgs",
      fields: [
        { name: "epoch", doc: "Default that of the next block.", type: "u64", optional: true },
      ],
    },
    {
      name: "GetEpochKeyResult",
      fields: [
        { name: "epoch", type: "u64" },
        { name: "scheme", doc: "How transactions are sealed and opened: `bls12381-ibe-1`.", type: "string" },
        { name: "public_key", doc: "The group key, 48 bytes in G1. It is the same in all epochs; what changes are the shares of it.", type: "bytes" },
        { name: "quorum", doc: "How many of the epoch's validators it takes to open a height.", type: "u32" },
        { name: "first_height", doc: "Of the epoch. What is sealed to a height opens after the block of that height, whatever its epoch.", type: "u64" },
        { name: "last_height", type: "u64" },
        { name: "next_open_height", doc: "The lowest height that a transaction which is sealed now may open at.", type: "u64" },
      ],
    },
    {
      name: "TxSubmitSealedArgs",
      fields: [
        { name: "envelope", doc: "borsh(SignedEnvelope).", type: "bytes" },
      ],
    },
    {
      name: "TxSubmitSealedResult",
      fields: [
        { name: "envelope_hash", doc: "sha256(\"heddle/sealed/1\" ‖ borsh(SealedEnvelope)).", type: "hash" },
        { name: "opens_at", doc: "The height whose key opens it.", type: "u64" },
      ],
    },
    {
      name: "TxSubmitBundleArgs",
      fields: [
        { name: "transactions", doc: "borsh(SignedTransaction) each, in order: at least one, at most the limit `bundle_transactions` of the manifest. Those\nof one lane follow one another without a gap. The gas limits together come to at most half of a block's.", type: { list: "bytes" } },
        { name: "max_height", doc: "The last block that may include it; by default that of the next `bundle_blocks` of the manifest's limits. The same\nbundle may be sent again with a later one.", type: "u64", optional: true },
      ],
    },
    {
      name: "TxSubmitBundleResult",
      fields: [
        { name: "bundle_hash", doc: "sha256(\"heddle/bundle/1\" ‖ the transactions' hashes in order).", type: "hash" },
        { name: "tx_hashes", doc: "`tx_by_hash` tells of each where it is: pending until the bundle is included, or rejected with the reason.", type: { list: "hash" } },
      ],
    },
    {
      name: "FinalityCertificate",
      doc: "The validators' signature under a block: one BLS12-381 signature of the group, or of the single validator. Not every block\nhas one: what is final through a later block is proved by that block's, and the headers from its child up to that block\n(`descendants`, empty where the certificate is the block's own).",
      fields: [
        { name: "epoch", type: "u64" },
        { name: "view", doc: "The header's; the last block of an epoch may be certified in a later view.", type: "u64" },
        { name: "block_hash", type: "hash" },
        { name: "parent_view", doc: "The view of the block's parent, 0 for the first block of an epoch.", type: "u64" },
        { name: "signature", doc: "96 bytes, in G2.", type: "bytes" },
        { name: "group_public_key", doc: "48 bytes, in G1.", type: "bytes" },
      ],
    },
    {
      name: "FinalityProofArgs",
      fields: [
        { name: "height", type: "u64" },
      ],
    },
    {
      name: "FinalityProofResult",
      fields: [
        { name: "header", type: "BlockHeader" },
        { name: "certificate", type: "FinalityCertificate" },
        { name: "descendants", doc: "From height + 1 up to the certified block; each one's parent_hash is the hash of the header before it.", type: { list: "BlockHeader" } },
      ],
    },
    {
      name: "LightClientContextArgs",
      fields: [
        { name: "height", doc: "Default the last final block.", type: "u64", optional: true },
      ],
    },
    {
      name: "LightClientContextResult",
      fields: [
        { name: "chain_id", type: "u64" },
        { name: "genesis_hash", type: "hash" },
        { name: "epoch", doc: "The header's.", type: "u64" },
        { name: "validator_set", doc: "Of that epoch: the one of the header's validators_hash.", type: "ValidatorSet" },
        { name: "header", type: "BlockHeader" },
        { name: "certificate", type: "FinalityCertificate" },
        { name: "descendants", type: { list: "BlockHeader" } },
        { name: "history", doc: "Below the header's block.", type: "HistoryRoot" },
        { name: "signing_domain", doc: "What the message that a certificate signs begins with: `heddle/finalize/1`.", type: "string" },
      ],
    },
    {
      name: "StateProofArgs",
      doc: "Any address, contract or not.",
      fields: [
        { name: "contract", type: "address" },
        { name: "slot", type: "bytes32", optional: true },
        { name: "at", doc: "Default latest.", type: "BlockRef", optional: true },
      ],
    },
    {
      name: "StateProofResult",
      doc: "Proofs under the `state_root` of the header.",
      fields: [
        { name: "header", type: "BlockHeader" },
        { name: "account", type: "TreeProof" },
        { name: "slot", type: "TreeProof", optional: true },
        { name: "certificate", type: "FinalityCertificate", optional: true },
        { name: "descendants", type: { list: "BlockHeader" } },
      ],
    },
    {
      name: "TreeProof",
      doc: "A key's place in the state tree. Without a value it proves that the key is not there.",
      fields: [
        { name: "key", type: "hash" },
        { name: "value", type: "bytes", optional: true },
        { name: "depth", doc: "The number of inner nodes above the place.", type: "u16" },
        { name: "bitmap", doc: "⌈depth/8⌉ bytes; bit i, value 1 << (i & 7) of byte i >> 3, says that the sibling of the path's node at depth i + 1 is not empty.", type: "bytes" },
        { name: "siblings", doc: "The siblings that are not empty, from the deepest up.", type: { list: "hash" } },
        { name: "neighbour", doc: "The leaf that is at the place of a key that is not there.", type: "NeighbourLeaf", optional: true },
      ],
    },
    {
      name: "NeighbourLeaf",
      fields: [
        { name: "key", type: "hash" },
        { name: "value_hash", doc: "sha256 of its value.", type: "hash" },
      ],
    },
    {
      name: "SubtreeProof",
      doc: "The place of a whole subtree, with the bitmap and siblings of a TreeProof.",
      fields: [
        { name: "prefix", doc: "The first `depth` bits count, the others are zero.", type: "hash" },
        { name: "depth", type: "u16" },
        { name: "bitmap", type: "bytes" },
        { name: "siblings", type: { list: "hash" } },
      ],
    },
    {
      name: "FinalizedHistoryRootArgs",
      fields: [
        { name: "height", doc: "The block whose history root is asked for; default the last final one.", type: "u64", optional: true },
      ],
    },
    {
      name: "FinalizedHistoryRootResult",
      fields: [
        { name: "history", type: "HistoryRoot" },
        { name: "header", doc: "The block whose history_root it is.", type: "BlockHeader" },
        { name: "certificate", type: "FinalityCertificate", optional: true },
        { name: "descendants", type: { list: "BlockHeader" } },
      ],
    },
    {
      name: "HistoryRoot",
      doc: "Over the blocks 0 to height − 1.",
      fields: [
        { name: "root", type: "hash" },
        { name: "size", doc: "The number of nodes of the mountain range.", type: "u64" },
        { name: "peaks", doc: "Highest first.", type: { list: "hash" } },
        { name: "height", type: "u64" },
      ],
    },
    {
      name: "FinalizedHistoryProofArgs",
      fields: [
        { name: "height", doc: "The block to be proved.", type: "u64" },
        { name: "at_size", doc: "The size of the mountain range to be proved under; default that of the last final block's history_root.", type: "u64", optional: true },
      ],
    },
    {
      name: "FinalizedHistoryProofResult",
      fields: [
        { name: "leaf_index", type: "u64" },
        { name: "block_hash", type: "hash" },
        { name: "path", doc: "From the leaf up to its peak.", type: { list: "hash" } },
        { name: "peaks", type: { list: "hash" } },
        { name: "size", type: "u64" },
        { name: "root", type: "hash" },
      ],
    },
    {
      name: "CheckpointDescriptor",
      fields: [
        { name: "height", type: "u64" },
        { name: "block_hash", type: "hash" },
        { name: "state_root", type: "hash" },
        { name: "history_root", type: "hash" },
        { name: "entries", doc: "Keys in the state.", type: "u64" },
        { name: "bytes", doc: "Of the values, keys and blobs of all chunks.", type: "u64" },
        { name: "chunk_count", type: "u32" },
        { name: "chunks_root", doc: "The list root whose leaves are the chunks' hashes.", type: "hash" },
        { name: "created_ms", type: "u64" },
        { name: "archive", type: "ArchiveDescriptor", optional: true },
      ],
    },
    {
      name: "ArchiveDescriptor",
      fields: [
        { name: "format", doc: "Such as `tar+zstd`.", type: "string" },
        { name: "file", type: "string" },
        { name: "bytes", type: "u64" },
        { name: "sha256", type: "hash" },
      ],
    },
    {
      name: "GetLightSnapshotArgs",
      fields: [
        { name: "height", doc: "Of a checkpoint; default the newest one.", type: "u64", optional: true },
      ],
    },
    {
      name: "GetLightSnapshotResult",
      fields: [
        { name: "checkpoint", type: "CheckpointDescriptor" },
        { name: "header", type: "BlockHeader" },
        { name: "certificate", type: "FinalityCertificate" },
        { name: "descendants", type: { list: "BlockHeader" } },
        { name: "history", type: "HistoryRoot" },
        { name: "validator_set", doc: "Of the header's epoch.", type: "ValidatorSet" },
      ],
    },
    {
      name: "CheckpointListResult",
      fields: [
        { name: "checkpoints", type: { list: "CheckpointRef" } },
      ],
    },
    {
      name: "GetCheckpointArgs",
      fields: [
        { name: "height", type: "u64" },
      ],
    },
    {
      name: "GetCheckpointResult",
      fields: [
        { name: "checkpoint", type: "CheckpointDescriptor" },
      ],
    },
    {
      name: "ListCheckpointsArgs",
      fields: [
        { name: "cursor", type: "string", optional: true },
        { name: "limit", type: "u32", optional: true },
      ],
    },
    {
      name: "ListCheckpointsResult",
      doc: "Newest first.",
      fields: [
        { name: "checkpoints", type: { list: "CheckpointDescriptor" } },
        { name: "next_cursor", type: "string", optional: true },
      ],
    },
    {
      name: "SnapshotEntry",
      fields: [
        { name: "key", type: "hash" },
        { name: "value", type: "bytes" },
      ],
    },
    {
      name: "GetSnapshotChunkArgs",
      fields: [
        { name: "height", doc: "Of a checkpoint.", type: "u64" },
        { name: "index", type: "u32" },
      ],
    },
    {
      name: "GetSnapshotChunkResult",
      fields: [
        { name: "height", type: "u64" },
        { name: "index", type: "u32" },
        { name: "proof", type: "SubtreeProof" },
        { name: "entries", doc: "Ascending by key.", type: { list: "SnapshotEntry" } },
        { name: "blobs", doc: "Code and interface texts that records in this chunk name by hash and no earlier chunk brought.", type: { list: "bytes" } },
        { name: "chunk_hash", doc: "sha256(borsh of prefix, depth, entries, blobs).", type: "hash" },
        { name: "last", type: "bool" },
      ],
    },
    {
      name: "ImportSnapshotChunkArgs",
      fields: [
        { name: "height", type: "u64" },
        { name: "index", type: "u32" },
        { name: "proof", type: "SubtreeProof" },
        { name: "entries", type: { list: "SnapshotEntry" } },
        { name: "blobs", type: { list: "bytes" } },
      ],
    },
    {
      name: "ImportSnapshotChunkResult",
      fields: [
        { name: "accepted", type: "u32" },
        { name: "remaining_chunks", type: "u32" },
        { name: "complete", type: "bool" },
      ],
    },
  ],
  enums: [
    {
      name: "Action",
      variants: [
        { name: "Transfer", tag: "transfer", doc: "Move native balance.", payload: "Transfer" },
        { name: "Deploy", tag: "deploy", doc: "Put a contract on the chain.", payload: "Deploy" },
        { name: "Call", tag: "call", doc: "Call a contract.", payload: "Call" },
        { name: "Upgrade", tag: "upgrade", doc: "Replace a contract's code under its upgrade policy.", payload: "Upgrade" },
        { name: "Batch", tag: "batch", doc: "Calls that take effect together or not at all.", payload: { list: "Call" } },
      ],
    },
    {
      name: "VmType",
      variants: [
        { name: "Wasm", tag: "wasm" },
        { name: "Evm", tag: "evm", doc: "Reserved: deploying it is refused until that engine lands." },
      ],
    },
    {
      name: "UpgradePolicy",
      variants: [
        { name: "Immutable", tag: "immutable", doc: "The code never changes." },
        { name: "Admin", tag: "admin", doc: "This account may replace the code at any time.", payload: "address" },
        { name: "Timelock", tag: "timelock", doc: "An account may replace the code after announcing it.", payload: "Timelock" },
      ],
    },
    {
      name: "Signature",
      doc: "A signature with the public key that made it, so that the sender's address can be derived from it.",
      variants: [
        { name: "Ed25519", tag: "ed25519", payload: "Ed25519Signature" },
        { name: "Secp256k1", tag: "secp256k1", payload: "Secp256k1Signature" },
      ],
    },
    {
      name: "BlockItem",
      doc: "A block's items: first the keys, then transactions and envelopes, then dealings and changes.",
      variants: [
        { name: "Transaction", tag: "transaction", payload: "SignedTransaction" },
        { name: "Sealed", tag: "sealed", doc: "A transaction whose action is not open yet.", payload: "SignedEnvelope" },
        { name: "SealKey", tag: "seal_key", doc: "Opens what was sealed to a height.", payload: "SealKey" },
        { name: "Dealing", tag: "dealing", doc: "A part of the next epoch's shares of the group key.", payload: "Dealing" },
        { name: "Change", tag: "change", doc: "Of the next epoch's validators.", payload: "ApprovedChange" },
      ],
    },
    {
      name: "Outcome",
      variants: [
        { name: "Success", tag: "success" },
        { name: "Reverted", tag: "reverted", doc: "The transaction itself gave up; it changed nothing but nonce and fee." },
        { name: "OutOfGas", tag: "out_of_gas" },
        { name: "Trapped", tag: "trapped" },
        { name: "Invalid", tag: "invalid", doc: "It ran but could never have worked." },
      ],
    },
    {
      name: "ValidatorChange",
      doc: "A change of the next epoch's validator set.",
      variants: [
        { name: "Add", tag: "add", payload: "NewValidator" },
        { name: "Remove", tag: "remove", payload: "address" },
      ],
    },
    {
      name: "Health",
      variants: [
        { name: "Ok", tag: "ok" },
        { name: "Degraded", tag: "degraded", doc: "What is wrong.", payload: "string" },
      ],
    },
    {
      name: "SyncState",
      variants: [
        { name: "Synced", tag: "synced" },
        { name: "CatchingUp", tag: "catching_up" },
        { name: "Stalled", tag: "stalled" },
      ],
    },
    {
      name: "Role",
      variants: [
        { name: "Validator", tag: "validator" },
        { name: "Follower", tag: "follower" },
        { name: "Dev", tag: "dev", doc: "One validator that seals alone." },
      ],
    },
    {
      name: "DkgState",
      variants: [
        { name: "Idle", tag: "idle" },
        { name: "Dealing", tag: "dealing" },
        { name: "Complaining", tag: "complaining" },
        { name: "Ready", tag: "ready" },
        { name: "Failed", tag: "failed", payload: "string" },
      ],
    },
    {
      name: "BlockRef",
      doc: "Which state is meant.",
      variants: [
        { name: "Latest", tag: "latest", doc: "After the last committed block." },
        { name: "Finalized", tag: "finalized", doc: "After the last final block." },
        { name: "Height", tag: "height", doc: "After the block of this height.", payload: "u64" },
        { name: "Hash", tag: "hash", doc: "After the block of this hash.", payload: "hash" },
        { name: "AfterTx", tag: "after_tx", doc: "Inside a block, right after the transaction of this hash; the proposer's fees are not credited yet.", payload: "hash" },
      ],
    },
    {
      name: "ActionArgs",
      doc: "An action, with calls as people write them.",
      variants: [
        { name: "Transfer", tag: "transfer", payload: "Transfer" },
        { name: "Deploy", tag: "deploy", payload: "Deploy" },
        { name: "Call", tag: "call", payload: "CallArgs" },
        { name: "Upgrade", tag: "upgrade", payload: "Upgrade" },
        { name: "Batch", tag: "batch", payload: { list: "CallArgs" } },
      ],
    },
    {
      name: "Wait",
      variants: [
        { name: "None", tag: "none" },
        { name: "Included", tag: "included" },
        { name: "Finalized", tag: "finalized" },
      ],
    },
    {
      name: "TxStatus",
      variants: [
        { name: "Pending", tag: "pending", payload: "PendingTx" },
        { name: "Included", tag: "included", payload: "Inclusion" },
        { name: "NotFound", tag: "not_found" },
        { name: "Rejected", tag: "rejected", doc: "It was in the pool and left it without being included; why.", payload: "string" },
      ],
    },
    {
      name: "ExecStatus",
      variants: [
        { name: "Success", tag: "success" },
        { name: "Reverted", tag: "reverted", payload: "Revert" },
        { name: "OutOfGas", tag: "out_of_gas" },
        { name: "Trapped", tag: "trapped", payload: "Trap" },
        { name: "Invalid", tag: "invalid", doc: "It ran but could never have worked; why.", payload: "string" },
      ],
    },
    {
      name: "ActionKind",
      variants: [
        { name: "Transfer", tag: "transfer" },
        { name: "Deploy", tag: "deploy" },
        { name: "Call", tag: "call" },
        { name: "Upgrade", tag: "upgrade" },
        { name: "Batch", tag: "batch" },
        { name: "Sealed", tag: "sealed", doc: "What it does is not known." },
      ],
    },
    {
      name: "Access",
      variants: [
        { name: "None", tag: "none" },
        { name: "Read", tag: "read" },
        { name: "Write", tag: "write" },
        { name: "ReadWrite", tag: "read_write" },
      ],
    },
    {
      name: "PipelineStep",
      doc: "Each step sees what the transactions before it wrote, and what it and the steps before it override. A view call runs in the\nblock that the transactions are in; what it writes is discarded.",
      variants: [
        { name: "Tx", tag: "tx", payload: "TxSimulateArgs" },
        { name: "View", tag: "view", payload: "ViewCallArgs" },
      ],
    },
    {
      name: "PipelineStepResult",
      variants: [
        { name: "Tx", tag: "tx", payload: "TxSimulateResult" },
        { name: "View", tag: "view", payload: "ViewCallResult" },
        { name: "Skipped", tag: "skipped", doc: "Why.", payload: "string" },
      ],
    },
    {
      name: "Tracer",
      variants: [
        { name: "CallTree", tag: "call_tree" },
        { name: "HostOps", tag: "host_ops" },
        { name: "StateDiff", tag: "state_diff" },
        { name: "Prestate", tag: "prestate" },
        { name: "GasProfile", tag: "gas_profile" },
      ],
    },
    {
      name: "DependencyKind",
      variants: [
        { name: "ReadAfterWrite", tag: "read_after_write" },
        { name: "WriteAfterRead", tag: "write_after_read" },
        { name: "WriteAfterWrite", tag: "write_after_write" },
        { name: "NonceOrder", tag: "nonce_order" },
      ],
    },
  ],
  aliases: [],
};
