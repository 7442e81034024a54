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
  EncryptionKeys,
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
  SealedShare,
  Complaint,
  DealingOrder,
  NewValidator,
  ApprovedChange,
  Approval,
  ConsensusParameters,
  DevChanges,
  DevForkedAccount,
  DevBalance,
  DevSlots,
  DevSlot,
  DevContract,
  DevDeployIndex,
  DevImpersonation,
  Action,
  VmType,
  UpgradePolicy,
  Signature,
  BlockItem,
  Outcome,
  ValidatorChange,
  DevChange,
} from './ledger.js';

export interface Status {
  /** The node's version. */
  readonly version: string;
  readonly chain_id: bigint;
  /** The node's clock; on a development chain the chain's clock, which `dev_setTime` and `dev_increaseTime` advance. */
  readonly now_ms: bigint;
  readonly uptime_ms: bigint;
  /** The time between blocks while transactions are pending. */
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
  /** Why the node is not ready; empty if it is. */
  readonly reasons: readonly string[];
}

export interface SyncStatus {
  readonly state: SyncState;
  readonly tip_height: bigint;
  readonly finalized_height: bigint;
  readonly best_known_height: bigint;
  /** Time since the tip was sealed, by the clock of `status`. */
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
  /**
   * Changes of the validator set that have not taken effect: those in blocks in their order, then the others, the most
   * approved first. Only validators know of the others, and list at most 64.
   */
  readonly pending_changes: readonly PendingValidatorChange[];
}

export interface PendingValidatorChange {
  readonly change: ValidatorChange;
  /** The validator that joins or leaves. */
  readonly address: Uint8Array;
  /** The validators of the present epoch that approve it, ascending by index. */
  readonly approvals: readonly ChangeApprover[];
  readonly approvals_needed: number;
  /** Whether it is in a block. A change that is in none needs further approvals, or waits for the next epoch's first third. */
  readonly included: boolean;
  /**
   * The first height with the changed set at the earliest: later if too few validators deal, or if the change enters no
   * block in time.
   */
  readonly effective_height: bigint;
}

export interface ChangeApprover {
  readonly index: number;
  readonly address: Uint8Array;
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
  /** Invalid proposals of this validator seen by this node since its start; absent if none. */
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
  /** Time from the start of a block to its synced commit. */
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
  /** Lanes that were used or have pending transactions, ascending. */
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
  /** Index of this deployment among the deployer's, from 0. */
  readonly deploy_index: bigint;
}

export interface ContractMetadataResult {
  readonly address: Uint8Array;
  readonly vm: VmType;
  /** sha256 of the code. */
  readonly code_hash: Uint8Array;
  /** Size of the code in bytes. */
  readonly code_size: number;
  readonly abi_version: number;
  readonly upgrade_policy: UpgradePolicy;
  /** sha256 of the interface text. */
  readonly idl_hash?: Uint8Array;
  readonly deployer: Uint8Array;
  /** The height of the block that deployed the contract. */
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
  /** Arguments as an object by name or an array by position; absent if there are none. */
  readonly args?: $JsonValue;
  /** Four selector bytes, then the Borsh encoding of the arguments. */
  readonly input?: Uint8Array;
  /** The interface to use instead of the one stored on chain. */
  readonly idl?: string;
  /** The caller and signer, as seen by the contract; default the zero address. */
  readonly caller?: Uint8Array;
  /** Amount moved from the caller to the contract before the call; default 0. */
  readonly value?: bigint;
  /** Default and maximum: the limit `call_gas` of the manifest. Only the contract's own execution is charged. */
  readonly gas_limit?: bigint;
  /** Default latest. */
  readonly at?: BlockRef;
  /** Changes to the state before the call, one entry per address. */
  readonly overrides?: readonly StateOverride[];
  /**
   * The block seen by the contract; default the next block on the latest state, and otherwise the block of the selected
   * state.
   */
  readonly block_override?: BlockOverride;
}

/** Members that are absent leave the state unchanged. */
export interface StateOverride {
  readonly address: Uint8Array;
  /** A call that then takes an account above 2^128 − 1 is refused as `invalid_params`. */
  readonly balance?: bigint;
  /** Puts this code at the address, with or without an existing contract. Its init does not run. */
  readonly code?: Uint8Array;
  /** The interface text of the contract at the address. */
  readonly idl?: string;
  readonly slots?: readonly SlotValue[];
}

export interface SlotValue {
  readonly slot: Uint8Array;
  /** If absent, the slot does not exist. */
  readonly value?: Uint8Array;
}

export interface BlockOverride {
  readonly height?: bigint;
  readonly timestamp_ms?: bigint;
  readonly base_fee?: bigint;
}

export interface ViewCallResult {
  readonly status: ExecStatus;
  /** The output of a successful call, otherwise empty; `status` has the revert data. */
  readonly output: Uint8Array;
  /** The output, decoded if the contract's interface is known and matches. */
  readonly decoded?: $JsonValue;
  readonly gas_used: bigint;
  /** Height of the block whose state the call ran on. */
  readonly height: bigint;
  readonly block_hash: Uint8Array;
  /** The events of a successful call; their `tx_hash` is zero. */
  readonly logs: readonly Log[];
}

export interface TxBuildArgs {
  readonly sender: Uint8Array;
  readonly action: ActionArgs;
  /** Default 0. */
  readonly lane?: number;
  /** Default: after the lane's last transaction, including pending ones. */
  readonly nonce?: bigint;
  /**
   * Default: the most that a transfer can use; for other actions 10,000,000 per contract run plus the known costs,
   * capped by a block's gas and the sender's balance. Unused gas is not charged.
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
  /** A function of the contract's interface, for encoding the arguments. */
  readonly method?: string;
  /** Arguments as an object by name or an array by position; absent if there are none. */
  readonly args?: $JsonValue;
  /** Four selector bytes, then the Borsh encoding of the arguments. */
  readonly input?: Uint8Array;
  /** The interface to use instead of the one stored on chain. */
  readonly idl?: string;
  /** Amount sent with the call; default 0. */
  readonly value?: bigint;
}

/** Sign `tx_hash`, combine the signature with `transaction`, and submit. */
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
   * The state to wait for; default none. The number of waiting callers is limited, in total and per client: beyond
   * the limit, the oldest is answered as if its timeout had passed.
   */
  readonly wait?: Wait;
  /** Maximum waiting time, after which the answer gives the current state. Default 10,000, at most 60,000. */
  readonly timeout_ms?: number;
}

export interface TxSubmitResult {
  readonly tx_hash: Uint8Array;
  readonly status: TxStatus;
  readonly receipt?: Receipt;
}

export interface TxByHashResult {
  readonly status: TxStatus;
  /** Absent for a sealed transaction, open or not. */
  readonly transaction?: SignedTransaction;
  /** With `not_found` on a node that started from a snapshot: the lowest height with known transactions. */
  readonly oldest_height?: bigint;
}

export interface PendingTx {
  readonly lane: number;
  readonly nonce: bigint;
  /** Whether the transaction's nonce allows inclusion in the next block. */
  readonly ready: boolean;
  readonly received_ms: bigint;
}

/** For a sealed transaction, the position of its envelope, even after the envelope was opened. */
export interface Inclusion {
  readonly height: bigint;
  readonly block_hash: Uint8Array;
  /**
   * Position of the transaction's receipt in the block: receipts of opened envelopes precede those of transactions
   * and included envelopes.
   */
  readonly index: number;
  readonly finalized: boolean;
}

export interface TxReceiptArgs {
  readonly tx_hash: Uint8Array;
  /** Include the proof that transaction and receipt are in the block. */
  readonly with_proof?: boolean;
}

export interface TxReceiptResult {
  /** For a sealed transaction, the receipt of its inclusion; once it is opened, the receipt of its action. */
  readonly receipt?: Receipt;
  readonly proof?: InclusionProof;
  /** Without a receipt on a node that started from a snapshot: the lowest height with known transactions. */
  readonly oldest_height?: bigint;
}

/**
 * Proves item and receipt under the roots of the header. A path lists the siblings from the leaf up. Item and
 * receipt have separate positions: keys precede a block's transactions, and receipts of opened envelopes precede
 * those of transactions.
 */
export interface InclusionProof {
  readonly header: BlockHeader;
  /**
   * borsh(BlockItem), under transactions_root: the transaction or the envelope; for the receipt of an opening, the key of the
   * envelope's height.
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
   * borsh(SealedEnvelope), for the receipt of an opening. The envelope's hash is that of the receipt; its `opens_at`
   * is the key's height, below the block's. An envelope is included below `opens_at`, so this is not the receipt of
   * its inclusion.
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
  /** The deployed contract. */
  readonly contract?: Uint8Array;
  readonly output: Uint8Array;
  /** The output of a call, or of a batch's last call, decoded if the contract's interface is known. */
  readonly decoded?: $JsonValue;
  readonly logs: readonly Log[];
  readonly finalized: boolean;
  /**
   * For a sealed transaction: the height whose key opens it. A receipt below that height is for the inclusion and
   * says nothing about the action; a receipt above that height is for the action.
   */
  readonly opens_at?: bigint;
}

export interface Revert {
  /** The contract's message, if any; otherwise the node's. */
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
  /** Index among the transaction's events. */
  readonly log_index: number;
  /** The event, decoded with the interface that the contract had at that height. */
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
  /** Number of receipts: included transactions and envelopes, and opened envelopes. */
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

export interface ListTxsByRecipientArgs {
  readonly recipient: Uint8Array;
  readonly cursor?: string;
  readonly limit?: number;
}

export interface ListTxsResult {
  readonly transactions: readonly TxSummary[];
  readonly next_cursor?: string;
}

export interface ListTokensByHolderArgs {
  readonly holder: Uint8Array;
  readonly cursor?: string;
  readonly limit?: number;
}

export interface ListTokensResult {
  readonly tokens: readonly HeldToken[];
  readonly next_cursor?: string;
}

export interface HeldToken {
  readonly contract: Uint8Array;
  /**
   * The contract's name in its interface, which the signatures of its views begin with; not the token's name. At most 128
   * letters, digits and underscores.
   */
  readonly interface_name: string;
  /** Height of the last block with such an event. */
  readonly last_height: bigint;
}

export interface ListContractsArgs {
  /** First letters of the name, of any case; at most 128. Without them, all contracts that have a name are listed. */
  readonly name?: string;
  readonly cursor?: string;
  readonly limit?: number;
}

export interface ListContractsResult {
  readonly contracts: readonly NamedContract[];
  readonly next_cursor?: string;
}

export interface NamedContract {
  readonly contract: Uint8Array;
  readonly name: string;
  readonly deployer: Uint8Array;
  /** The height of the block that deployed the contract. */
  readonly deployed_at: bigint;
}

export interface GetLogsArgs {
  readonly contract?: Uint8Array;
  /** The contracts whose events are accepted, 1 to 100; not together with `contract`. */
  readonly contracts?: readonly Uint8Array[];
  /**
   * Accepted topics by position: at most four positions with at most 100 topics each; an empty list accepts any
   * topic or none.
   */
  readonly topics?: readonly (readonly Uint8Array[])[];
  /** Default 0. */
  readonly from_height?: bigint;
  /** Default: the tip. */
  readonly to_height?: bigint;
  /** Valid only with the same contracts, topics and heights. */
  readonly cursor?: string;
  /** Default 50, at most 10,000. A page also ends at 16 MiB. */
  readonly limit?: number;
}

export interface GetLogsResult {
  readonly logs: readonly Log[];
  /**
   * This page and those before it hold all events up to this height; absent while they end in the first block. Behind
   * a load balancer it may be below the tip that another node reported.
   */
  readonly searched_to?: bigint;
  /**
   * Absent once everything up to `to_height`, or to the tip without one, has been searched. If `to_height` is above the
   * tip, the cursor continues once there are more blocks.
   */
  readonly next_cursor?: string;
}

/**
 * A sealed transaction is listed twice under its hash: at the inclusion of its envelope, with kind `sealed`, and at
 * its opening, with its action. If it could not be opened, the second entry has kind `sealed` too.
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
  /** The called method, if the contract's interface is known. */
  readonly method?: string;
  readonly status: ExecStatus;
  readonly gas_used: bigint;
  readonly fee: bigint;
  /** For a sealed transaction: the height whose key opens it. */
  readonly opens_at?: bigint;
  /** Only in `list_txs_by_recipient`: the sum that the recipient received in the transaction, at most 2^128 − 1. */
  readonly received?: bigint;
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
  /** For a sealed transaction: the height whose key opens it. */
  readonly opens_at?: bigint;
}

export interface TxpoolStats {
  readonly size: number;
  readonly bytes: bigint;
  /** The pool's capacity in transactions. */
  readonly capacity: number;
  /** Lanes with at least one transaction in the pool. */
  readonly lanes: number;
  /** Transactions whose nonces allow inclusion in the next blocks. */
  readonly ready: number;
  /** Transactions behind a nonce gap, or in a bundle that waits for nonces or balances. */
  readonly gapped: number;
  readonly sealed: SealedQueueStats;
  /** Waiting bundles; their transactions are included in the counts above. */
  readonly bundles: number;
  /** The lowest max_fee that the pool currently accepts. */
  readonly min_fee: bigint;
  /** The base fee of the next block. */
  readonly base_fee: bigint;
}

/** Pending envelopes; included in the counts above. */
export interface SealedQueueStats {
  readonly size: number;
  readonly bytes: bigint;
  /** The lowest opening height of the pending envelopes. */
  readonly next_open_height?: bigint;
}

/**
 * A range of heights, both ends included; at most 1,000 heights and 16 MiB per answer. An answer covers the heights
 * below its `next_height`, which continues the range, or all of them without one. `next_height` is above the tip if
 * the range ends above it. A range that begins above the tip fails with a `not_found` that is `retryable`.
 */
export interface GetBlocksArgs {
  readonly from_height: bigint;
  readonly to_height: bigint;
}

export interface GetBlocksResult {
  readonly blocks: readonly Block[];
  readonly next_height?: bigint;
}

/** Everything that the header commits to, for independent checks. */
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
 * Sealed transactions are excluded, both at inclusion and at opening: `get_blocks` has their envelopes and keys, `list_txs`
 * and `tx_receipt` their results.
 */
export interface RangeTx {
  readonly tx_hash: Uint8Array;
  readonly height: bigint;
  /** The position of the transaction's receipt, see `Inclusion`. */
  readonly index: number;
  readonly transaction: SignedTransaction;
  readonly status: ExecStatus;
  readonly gas_used: bigint;
}

/** Exactly one of `transaction`, `build` and `encoded`. */
export interface TxSimulateArgs {
  readonly transaction?: Transaction;
  /**
   * Absent members are filled in from the simulated state. The gas limit is then the highest that a block, the limit
   * `call_gas` of the manifest and the sender's balance allow; the balance is ignored if it does not cover the gas
   * limit that `tx_build` would set.
   */
  readonly build?: TxBuildArgs;
  /** borsh(Transaction), or borsh(SignedTransaction) with a checked signature. */
  readonly encoded?: Uint8Array;
  /** Default latest. */
  readonly at?: BlockRef;
  /** Changes to the state before the transaction, one entry per address. */
  readonly overrides?: readonly StateOverride[];
  /**
   * The block that the transaction runs in; default the block after the state's, or for `after_tx` the block of that
   * transaction.
   */
  readonly block_override?: BlockOverride;
  /** Interfaces for the called contracts, instead of those stored on chain. */
  readonly idl?: string;
}

export interface TxSimulateResult {
  readonly status: ExecStatus;
  readonly gas_used: bigint;
  /**
   * A gas limit that gives the same outcome, output, events and changes, confirmed by a run; one gas less does not. It
   * is the lowest such limit, unless the contract reads its remaining gas: some lower limits may then do too. If every
   * limit gives such a contract another result, this is the lowest limit, within a 64th, at which the transaction and as
   * many of its calls and payments end the same way, with as many events and written values. If the transaction ran out
   * of gas, this is the limit that was insufficient.
   */
  readonly gas_estimate: bigint;
  /** The fee, or the hypothetical fee of a run without fees; 0 if max_fee is 0. */
  readonly fee: bigint;
  /** The output of a successful transaction, otherwise empty; `status` has the revert data. */
  readonly output: Uint8Array;
  /** The output, decoded if the contract's interface is known and matches. */
  readonly decoded?: $JsonValue;
  /** The contract of a deployment. */
  readonly contract?: Uint8Array;
  /** Events with the `height` of the simulated block and a zero `block_hash`. */
  readonly logs: readonly Log[];
  /** Changes by the transaction, including the sender's fee but not the proposer's, ascending by address. */
  readonly state_diff: readonly StateDiff[];
  /** Height of the block whose state the transaction ran on. */
  readonly height: bigint;
}

export interface StateDiff {
  readonly address: Uint8Array;
  readonly balance?: ValueChange;
  /** Ascending by slot. */
  readonly slots: readonly SlotChange[];
  /** The new code hash at the address, if it changed. */
  readonly code_hash?: Uint8Array;
}

export interface ValueChange {
  readonly before: bigint;
  readonly after: bigint;
}

/** An absent value means that the slot does not exist. */
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
  /** Access to the account's record: balance, lanes, contract. */
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
  /** Default latest. A step cannot have its own `at`. */
  readonly at?: BlockRef;
  /** Changes to the state before the first step. */
  readonly overrides?: readonly StateOverride[];
  /** Skips the steps after the first that does not succeed; default false. */
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

/** The requested traces; others are absent. */
export interface Trace {
  readonly call_tree?: CallFrame;
  readonly host_ops?: readonly HostOp[];
  readonly state_diff?: readonly StateDiff[];
  /**
   * The original values that the execution read, with the code of the contracts among them; passed as `overrides`, they
   * reproduce the call.
   */
  readonly prestate?: readonly StateOverride[];
  readonly gas_profile?: GasProfile;
  /**
   * Whether the limit `trace_bytes` of the manifest cut something off. The requested traces share it: the shorter ones are
   * whole, and the longest are cut.
   */
  readonly truncated: boolean;
}

/**
 * A transaction's outermost frame has the gas of the transaction, including its fixed costs. A batch is addressed to its
 * sender, a deployment to the new contract.
 */
export interface CallFrame {
  /** `transfer`, `deploy`, `call`, `view`, `upgrade` or `batch`; `sealed` for an unopened envelope. */
  readonly kind: string;
  readonly from: Uint8Array;
  readonly to: Uint8Array;
  readonly method?: string;
  readonly input: Uint8Array;
  /** The input, decoded if the contract's interface is known. */
  readonly args?: $JsonValue;
  readonly value: bigint;
  readonly gas_limit: bigint;
  readonly gas_used: bigint;
  readonly status: ExecStatus;
  /** The output of a successful call, otherwise empty; `status` has the revert data. */
  readonly output: Uint8Array;
  readonly decoded?: $JsonValue;
  /** The events of this frame alone, even if the frame failed. */
  readonly logs: readonly FrameLog[];
  readonly calls: readonly CallFrame[];
}

/** The members of Log, and the place of the event in its frame. */
export interface FrameLog {
  readonly contract: Uint8Array;
  readonly topics: readonly Uint8Array[];
  readonly data: Uint8Array;
  readonly height: bigint;
  readonly block_hash: Uint8Array;
  readonly tx_hash: Uint8Array;
  readonly tx_index: number;
  readonly log_index: number;
  readonly event?: DecodedEvent;
  /** Number of the frame's `calls` that came before the event; absent from nodes of earlier versions. */
  readonly position?: number;
}

export interface HostOp {
  /** The calling frame; frames are numbered from 0 in order of entry. */
  readonly frame: number;
  /** Name of the host function, such as `storage_read`. */
  readonly name: string;
  readonly gas: bigint;
  readonly args: $JsonValue;
  readonly result?: $JsonValue;
}

export interface GasProfile {
  readonly functions: readonly FunctionGas[];
  /**
   * One stack with its gas per line, `outer;inner 1234`, the format of flame graph tools. A function more than 256 calls deep
   * counts as a part of the one at that depth.
   */
  readonly folded: readonly string[];
}

export interface FunctionGas {
  readonly contract: Uint8Array;
  /**
   * Name from the code's name section, otherwise `function N`; a host function's name after `heddle.`; `(instance)`
   * is the cost of instantiating the contract, `(transaction)` the fixed cost of the transaction.
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
  /** Whether all transactions succeed in this order and their total gas limit fits in a block. */
  readonly atomic_success: boolean;
  readonly gas_used: bigint;
  readonly dependencies: readonly Dependency[];
  /** Groups of transaction indices; no transaction depends on one of another group. */
  readonly parallel_groups: readonly (readonly number[])[];
  /** The highest total gas of a chain of dependent transactions. */
  readonly critical_path_gas: bigint;
  readonly height: bigint;
}

/**
 * Transaction `to` depends on the earlier transaction `from`. `from` is the previous transaction of the same sender
 * and lane, the last writer of data that `to` accesses, or, for data that `to` writes, a reader since the last
 * write.
 */
export interface Dependency {
  readonly from: number;
  readonly to: number;
  readonly kind: DependencyKind;
  readonly address: Uint8Array;
  /** Absent for the account's record. */
  readonly slot?: Uint8Array;
}

export interface GetEpochKeyArgs {
  /** Default: the epoch of the next block. */
  readonly epoch?: bigint;
}

export interface GetEpochKeyResult {
  readonly epoch: bigint;
  /** The encryption scheme: `bls12381-ibe-1`. */
  readonly scheme: string;
  /** The group key, 48 bytes in G1. It is the same in all epochs; only its shares change. */
  readonly public_key: Uint8Array;
  /** Number of the epoch's validators needed to open a height. */
  readonly quorum: number;
  /** First block of the epoch. Envelopes of a height open after the block of that height, in any epoch. */
  readonly first_height: bigint;
  readonly last_height: bigint;
  /** The lowest possible opening height of a new sealed transaction. */
  readonly next_open_height: bigint;
  /** Price of one opening slot in the next block, burned at inclusion; see `BlockHeader.seal_excess`. */
  readonly slot_price: bigint;
  /**
   * Opening slots, of 16, that are free at `next_open_height` and the 63 heights after it, after the last committed block.
   * Sealed transactions that wait in the pool are not counted.
   */
  readonly free_slots: readonly number[];
}

export interface TxSubmitSealedArgs {
  /** borsh(SignedEnvelope). */
  readonly envelope: Uint8Array;
}

export interface TxSubmitSealedResult {
  /** sha256("heddle/sealed/1" ‖ borsh(SealedEnvelope)). */
  readonly envelope_hash: Uint8Array;
  /** The height whose key opens the envelope. */
  readonly opens_at: bigint;
}

export interface TxSubmitBundleArgs {
  /**
   * borsh(SignedTransaction) each, in order: at least one, at most the limit `bundle_transactions` of the manifest.
   * Transactions of one lane have consecutive nonces. The total gas limit is at most half of a block's.
   */
  readonly transactions: readonly Uint8Array[];
  /**
   * The last height at which the bundle may be included; default: the last of the next `bundle_blocks` blocks, see
   * the manifest's limits. Resubmission with a later height extends the bundle.
   */
  readonly max_height?: bigint;
}

export interface TxSubmitBundleResult {
  /** sha256("heddle/bundle/1" ‖ the transactions' hashes in order). */
  readonly bundle_hash: Uint8Array;
  /** `tx_by_hash` reports each transaction: pending until the bundle is included, or rejected with the reason. */
  readonly tx_hashes: readonly Uint8Array[];
}

/**
 * The validators' signature of a block: one BLS12-381 signature of the group, or of the single validator. Not every block has
 * one: a block that became final through a later block is proved by that block's certificate and the headers up to it
 * (`descendants`, empty for the block's own certificate).
 */
export interface FinalityCertificate {
  readonly epoch: bigint;
  /** The header's view; leaders may certify the last block of an epoch in a later view. */
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
  /** From height + 1 up to the certified block; the parent_hash of each is the hash of the header before it. */
  readonly descendants: readonly BlockHeader[];
}

export interface LightClientContextArgs {
  /** Default the last final block. */
  readonly height?: bigint;
}

export interface LightClientContextResult {
  readonly chain_id: bigint;
  readonly genesis_hash: Uint8Array;
  /** The header's epoch. */
  readonly epoch: bigint;
  /** The epoch's set, matching the header's validators_hash. */
  readonly validator_set: ValidatorSet;
  readonly header: BlockHeader;
  readonly certificate: FinalityCertificate;
  readonly descendants: readonly BlockHeader[];
  /** The history of the blocks below the header's block. */
  readonly history: HistoryRoot;
  /** Prefix of the message that a certificate signs: `heddle/finalize/1`. */
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

/** A key's position in the state tree. A proof without a value proves the key's absence. */
export interface TreeProof {
  readonly key: Uint8Array;
  readonly value?: Uint8Array;
  /** Number of inner nodes above the position. */
  readonly depth: number;
  /**
   * ⌈depth/8⌉ bytes; bit i, value 1 << (i & 7) of byte i >> 3, tells whether the sibling of the path's node at depth i + 1 is
   * non-empty.
   */
  readonly bitmap: Uint8Array;
  /** The non-empty siblings, from the deepest up. */
  readonly siblings: readonly Uint8Array[];
  /** The leaf at the position of an absent key. */
  readonly neighbour?: NeighbourLeaf;
}

export interface NeighbourLeaf {
  readonly key: Uint8Array;
  /** sha256 of the leaf's value. */
  readonly value_hash: Uint8Array;
}

/** The position of a whole subtree, with the bitmap and siblings of a TreeProof. */
export interface SubtreeProof {
  /** The first `depth` bits; the rest are zero. */
  readonly prefix: Uint8Array;
  readonly depth: number;
  readonly bitmap: Uint8Array;
  readonly siblings: readonly Uint8Array[];
}

export interface FinalizedHistoryRootArgs {
  /** The block of the history root; default the last final one. */
  readonly height?: bigint;
}

export interface FinalizedHistoryRootResult {
  readonly history: HistoryRoot;
  /** Header of the block that commits to this history root. */
  readonly header: BlockHeader;
  readonly certificate?: FinalityCertificate;
  readonly descendants: readonly BlockHeader[];
}

/** History root over the blocks 0 to height − 1. */
export interface HistoryRoot {
  readonly root: Uint8Array;
  /** Number of nodes of the mountain range. */
  readonly size: bigint;
  /** Peaks of the mountain range, highest first. */
  readonly peaks: readonly Uint8Array[];
  readonly height: bigint;
}

export interface FinalizedHistoryProofArgs {
  /** The block to prove. */
  readonly height: bigint;
  /** Size of the mountain range of the proof; default that of the last final block's history_root. */
  readonly at_size?: bigint;
}

export interface FinalizedHistoryProofResult {
  readonly leaf_index: bigint;
  readonly block_hash: Uint8Array;
  /** The siblings from the leaf up to its peak. */
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
  /** Number of keys in the state. */
  readonly entries: bigint;
  /** Bytes of the values, keys and blobs of all chunks. */
  readonly bytes: bigint;
  readonly chunk_count: number;
  /** The list root whose leaves are the chunks' hashes. */
  readonly chunks_root: Uint8Array;
  readonly created_ms: bigint;
  readonly archive?: ArchiveDescriptor;
}

export interface ArchiveDescriptor {
  /** Archive format, such as `tar+zstd`. */
  readonly format: string;
  readonly file: string;
  readonly bytes: bigint;
  readonly sha256: Uint8Array;
}

export interface GetLightSnapshotArgs {
  /** Height of a checkpoint; default the newest one. */
  readonly height?: bigint;
}

export interface GetLightSnapshotResult {
  readonly checkpoint: CheckpointDescriptor;
  readonly header: BlockHeader;
  readonly certificate: FinalityCertificate;
  readonly descendants: readonly BlockHeader[];
  readonly history: HistoryRoot;
  /** Validator set of the header's epoch. */
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
  /** Height of a checkpoint. */
  readonly height: bigint;
  readonly index: number;
}

export interface GetSnapshotChunkResult {
  readonly height: bigint;
  readonly index: number;
  readonly proof: SubtreeProof;
  /** Ascending by key. */
  readonly entries: readonly SnapshotEntry[];
  /** Code and interface texts referenced by records of this chunk and absent from earlier chunks. */
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

export interface TokenUsageArgs {
  /** Id of the token, its `jti`. The token of another caller needs a token of tier admin. */
  readonly token?: string;
  /** First day, YYYY-MM-DD; default 29 days before `to_day`. */
  readonly from_day?: string;
  /** Last day, at most 399 days after `from_day`; default today. */
  readonly to_day?: string;
  readonly cursor?: string;
  readonly limit?: number;
}

/** Ascending; days without use are left out. */
export interface TokenUsageResult {
  readonly token: string;
  /** The owner of the token, its `sub`; absent without days. */
  readonly subject?: string;
  readonly days: readonly TokenUsageDay[];
  readonly next_cursor?: string;
}

export interface TokenUsageDay {
  /** YYYY-MM-DD, UTC. */
  readonly day: string;
  /** Calls and compute units of all methods. */
  readonly calls: bigint;
  readonly units: bigint;
  /** Ascending by name. */
  readonly methods: readonly TokenMethodUsage[];
}

export interface TokenMethodUsage {
  readonly method: string;
  /** Charged calls, without those whose price was taken back. */
  readonly calls: bigint;
  /** Prices of the calls and of their work. */
  readonly units: bigint;
}

export type Health =
  | { readonly type: 'ok'; readonly value?: null }
  /** Description of the problem. */
  | { readonly type: 'degraded'; readonly value: string };

export type SyncState =
  | { readonly type: 'synced'; readonly value?: null }
  | { readonly type: 'catching_up'; readonly value?: null }
  | { readonly type: 'stalled'; readonly value?: null };

export type Role =
  | { readonly type: 'validator'; readonly value?: null }
  | { readonly type: 'follower'; readonly value?: null }
  /** A single validator. */
  | { readonly type: 'dev'; readonly value?: null };

export type DkgState =
  | { readonly type: 'idle'; readonly value?: null }
  | { readonly type: 'dealing'; readonly value?: null }
  | { readonly type: 'complaining'; readonly value?: null }
  | { readonly type: 'ready'; readonly value?: null }
  | { readonly type: 'failed'; readonly value: string };

/** Selects a state. */
export type BlockRef =
  /** After the last committed block. */
  | { readonly type: 'latest'; readonly value?: null }
  /** After the last final block. */
  | { readonly type: 'finalized'; readonly value?: null }
  /** After the block of this height. */
  | { readonly type: 'height'; readonly value: bigint }
  /** After the block of this hash. */
  | { readonly type: 'hash'; readonly value: Uint8Array }
  /** Inside a block, after the transaction with this hash; the proposer's fees are not credited yet. */
  | { readonly type: 'after_tx'; readonly value: Uint8Array };

/** An action whose calls are given by method name and arguments. */
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
  /** The transaction left the pool without being included, for this reason. */
  | { readonly type: 'rejected'; readonly value: string };

export type ExecStatus =
  | { readonly type: 'success'; readonly value?: null }
  | { readonly type: 'reverted'; readonly value: Revert }
  | { readonly type: 'out_of_gas'; readonly value?: null }
  | { readonly type: 'trapped'; readonly value: Trap }
  /** The transaction was executed, but its action could not succeed, for this reason. */
  | { readonly type: 'invalid'; readonly value: string };

export type ActionKind =
  | { readonly type: 'transfer'; readonly value?: null }
  | { readonly type: 'deploy'; readonly value?: null }
  | { readonly type: 'call'; readonly value?: null }
  | { readonly type: 'upgrade'; readonly value?: null }
  | { readonly type: 'batch'; readonly value?: null }
  /** The action is unknown. */
  | { readonly type: 'sealed'; readonly value?: null };

export type Access =
  | { readonly type: 'none'; readonly value?: null }
  | { readonly type: 'read'; readonly value?: null }
  | { readonly type: 'write'; readonly value?: null }
  | { readonly type: 'read_write'; readonly value?: null };

/**
 * Each step sees the writes of earlier transactions, its own overrides and those of earlier steps. A view call runs
 * in the block of the transactions; its writes are discarded.
 */
export type PipelineStep =
  | { readonly type: 'tx'; readonly value: TxSimulateArgs }
  | { readonly type: 'view'; readonly value: ViewCallArgs };

export type PipelineStepResult =
  | { readonly type: 'tx'; readonly value: TxSimulateResult }
  | { readonly type: 'view'; readonly value: ViewCallResult }
  /** The reason. */
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
  readonly EncryptionKeys: EncryptionKeys;
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
  readonly SealedShare: SealedShare;
  readonly Complaint: Complaint;
  readonly DealingOrder: DealingOrder;
  readonly NewValidator: NewValidator;
  readonly ApprovedChange: ApprovedChange;
  readonly Approval: Approval;
  readonly ConsensusParameters: ConsensusParameters;
  readonly DevChanges: DevChanges;
  readonly DevForkedAccount: DevForkedAccount;
  readonly DevBalance: DevBalance;
  readonly DevSlots: DevSlots;
  readonly DevSlot: DevSlot;
  readonly DevContract: DevContract;
  readonly DevDeployIndex: DevDeployIndex;
  readonly DevImpersonation: DevImpersonation;
  readonly Status: Status;
  readonly Tip: Tip;
  readonly CheckpointRef: CheckpointRef;
  readonly HealthResult: HealthResult;
  readonly ReadinessResult: ReadinessResult;
  readonly SyncStatus: SyncStatus;
  readonly ValidatorStatus: ValidatorStatus;
  readonly PendingValidatorChange: PendingValidatorChange;
  readonly ChangeApprover: ChangeApprover;
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
  readonly ListTxsByRecipientArgs: ListTxsByRecipientArgs;
  readonly ListTxsResult: ListTxsResult;
  readonly ListTokensByHolderArgs: ListTokensByHolderArgs;
  readonly ListTokensResult: ListTokensResult;
  readonly HeldToken: HeldToken;
  readonly ListContractsArgs: ListContractsArgs;
  readonly ListContractsResult: ListContractsResult;
  readonly NamedContract: NamedContract;
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
  readonly FrameLog: FrameLog;
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
  readonly TokenUsageArgs: TokenUsageArgs;
  readonly TokenUsageResult: TokenUsageResult;
  readonly TokenUsageDay: TokenUsageDay;
  readonly TokenMethodUsage: TokenMethodUsage;
  readonly Action: Action;
  readonly VmType: VmType;
  readonly UpgradePolicy: UpgradePolicy;
  readonly Signature: Signature;
  readonly BlockItem: BlockItem;
  readonly Outcome: Outcome;
  readonly ValidatorChange: ValidatorChange;
  readonly DevChange: DevChange;
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
  /** Liveness: whether the process answers and its event loop keeps up. */
  readonly health: { readonly params: { readonly [name: string]: never }; readonly result: HealthResult };
  /** Readiness: whether the node can take traffic, and if not, why. */
  readonly readiness: { readonly params: { readonly [name: string]: never }; readonly result: ReadinessResult };
  /** The node's part in consensus: role, key generation, peers, metrics. */
  readonly validator_status: { readonly params: { readonly [name: string]: never }; readonly result: ValidatorStatus };
  /** Balance and nonce lanes of an address after the last committed block. */
  readonly account: { readonly params: { readonly address: Uint8Array }; readonly result: Account };
  /** Many accounts at one height, one entry per address in the order of the request. */
  readonly accounts: { readonly params: { readonly addresses: readonly Uint8Array[] }; readonly result: AccountsResult };
  /** The address of a deployer's next deployment, or of the one `offset` deployments later. */
  readonly predict_address: { readonly params: { readonly deployer: Uint8Array; readonly offset?: bigint }; readonly result: PredictAddressResult };
  /** Engine, code hash, ABI version and upgrade policy of a contract. */
  readonly contract_metadata: { readonly params: { readonly address: Uint8Array }; readonly result: ContractMetadataResult };
  /** The interface definition that a contract was deployed with; `idl` is absent if there is none. */
  readonly contract_idl: { readonly params: { readonly address: Uint8Array }; readonly result: ContractIdlResult };
  /**
   * Runs contract code on the state of any retained height, or between two transactions of a block, and returns the
   * result. Writes are discarded. Reverting, trapping or running out of gas is a result, not an error.
   */
  readonly view_call: { readonly params: ViewCallArgs; readonly result: ViewCallResult };
  /** Fills in an unsigned transaction from the chain: nonce, gas limit, fees. */
  readonly tx_build: { readonly params: TxBuildArgs; readonly result: TxBuildResult };
  /** Builds a transaction like `tx_build` and simulates it on the last committed block like `tx_simulate`. */
  readonly tx_build_simulate: { readonly params: TxBuildArgs; readonly result: TxBuildSimulateResult };
  /** Submits a signed transaction to the pool and optionally waits until it is in a block. */
  readonly tx_submit: { readonly params: TxSubmitArgs; readonly result: TxSubmitResult };
  /** The state of a transaction: pending, included, rejected or not found. */
  readonly tx_by_hash: { readonly params: { readonly tx_hash: Uint8Array }; readonly result: TxByHashResult };
  /** The receipt of an included transaction; `receipt` is absent until there is one. */
  readonly tx_receipt: { readonly params: TxReceiptArgs; readonly result: TxReceiptResult };
  /**
   * Runs a transaction on the state of any retained height, or between two transactions of a block, and returns its
   * outcome and the gas it needs. Writes are discarded. A signed transaction is checked as for a block: if its
   * nonce, fees, balance or valid_until exclude it, the outcome is `invalid` with the reason. An unsigned one is
   * hypothetical: its nonce is taken to be the lane's next, and if its sender cannot pay gas_limit times the price,
   * or max_fee is 0, it runs without fees; `fee` is then the fee that it would pay.
   */
  readonly tx_simulate: { readonly params: TxSimulateArgs; readonly result: TxSimulateResult };
  /** Simulates a transaction and lists the accounts and slots it reads and writes. */
  readonly tx_simulate_access: { readonly params: TxSimulateAccessArgs; readonly result: TxSimulateAccessResult };
  /** Runs transactions and view calls in sequence, each on top of the writes of the transactions before it. */
  readonly tx_simulate_pipeline: { readonly params: TxSimulatePipelineArgs; readonly result: TxSimulatePipelineResult };
  /**
   * Blocks, newest first. On a node that started from a snapshot, this method and the transaction listings end with
   * `state_unavailable` and the oldest available height.
   */
  readonly list_blocks: { readonly params: ListBlocksArgs; readonly result: ListBlocksResult };
  /** Included transactions, newest first. */
  readonly list_txs: { readonly params: ListTxsArgs; readonly result: ListTxsResult };
  /** Included transactions of one sender, newest first. */
  readonly list_txs_by_sender: { readonly params: ListTxsBySenderArgs; readonly result: ListTxsResult };
  /** Included transactions that call a contract at any depth, deploy it or upgrade it; newest first. */
  readonly list_txs_by_contract: { readonly params: ListTxsByContractArgs; readonly result: ListTxsResult };
  /**
   * Included transactions that paid native balance to an address, newest first: by a transfer, as the value of a call or
   * deployment, or by a contract. Failed transactions paid nothing. Fees, and payments of an address to itself, are left
   * out.
   */
  readonly list_txs_by_recipient: { readonly params: ListTxsByRecipientArgs; readonly result: ListTxsResult };
  /**
   * Tokens that an address has sent or received, ascending by contract: the contracts that emitted the event `Transfer`
   * of their interface from or to it. The contract may have any name; its present interface on chain declares `Transfer`
   * as `contracts/token/token.idl` does: an indexed address, an indexed address and a u128. Any contract can emit this
   * event for any address: the balance is the result of a `view_call` of `balance_of`. A page examines a bounded number of
   * contracts: it may hold fewer tokens than requested, or none, and still have a `next_cursor`.
   */
  readonly list_tokens_by_holder: { readonly params: ListTokensByHolderArgs; readonly result: ListTokensResult };
  /**
   * Contracts by the name in their interface, ascending by name, then by the height of their deployment. Any number of
   * contracts can have the same name, and none is vouched for. A node that started from a snapshot knows the names of
   * contracts that later blocks deployed or upgraded. A page may hold fewer contracts than requested, or none, and still
   * have a `next_cursor`.
   */
  readonly list_contracts: { readonly params: ListContractsArgs; readonly result: ListContractsResult };
  /**
   * Events by contract, topics and height, in order of execution. A page covers a bounded part of the chain: it may
   * hold fewer events than requested, or none, and still have a `next_cursor`. On a node that started from a
   * snapshot, a range that begins below its first block fails with `state_unavailable`; without `from_height` the
   * range begins with block 0. A range or page that begins above the tip fails with a `not_found` that is `retryable`.
   */
  readonly get_logs: { readonly params: GetLogsArgs; readonly result: GetLogsResult };
  /** Pending transactions of the pool, newest first. */
  readonly list_pending_txs: { readonly params: ListPendingTxsArgs; readonly result: ListPendingTxsResult };
  /** Size and limits of the pool. */
  readonly txpool_stats: { readonly params: { readonly [name: string]: never }; readonly result: TxpoolStats };
  /** Whole blocks by height, ascending, with everything that their headers commit to. */
  readonly get_blocks: { readonly params: GetBlocksArgs; readonly result: GetBlocksResult };
  /** Summaries of blocks by height, ascending. */
  readonly get_block_summaries: { readonly params: GetBlocksArgs; readonly result: GetBlockSummariesResult };
  /** All transactions of a range of blocks, in order of execution. */
  readonly get_txs_in_range: { readonly params: GetBlocksArgs; readonly result: GetTxsInRangeResult };
  /** Proves that a block is final: its own certificate, or that of a later block with the headers in between. */
  readonly finality_proof: { readonly params: FinalityProofArgs; readonly result: FinalityProofResult };
  /** The data a light client needs to check other answers, proved under the group key alone. */
  readonly light_client_context: { readonly params: LightClientContextArgs; readonly result: LightClientContextResult };
  /** Proves the value or absence of an account, and optionally of a slot, under the state root of a block. */
  readonly state_proof: { readonly params: StateProofArgs; readonly result: StateProofResult };
  /** The history root and peaks over the blocks before a final block, as committed to by its header. */
  readonly finalized_history_root: { readonly params: FinalizedHistoryRootArgs; readonly result: FinalizedHistoryRootResult };
  /** Proves that a block is in the history of a later final block. */
  readonly finalized_history_proof: { readonly params: FinalizedHistoryProofArgs; readonly result: FinalizedHistoryProofResult };
  /** Checkpoints that a new node can start from, newest first. */
  readonly get_checkpoint_list: { readonly params: { readonly [name: string]: never }; readonly result: CheckpointListResult };
  /** The data to verify a checkpoint before fetching its chunks: header, certificate, history, validator set. */
  readonly get_light_snapshot: { readonly params: GetLightSnapshotArgs; readonly result: GetLightSnapshotResult };
  /** The checkpoint of a height. */
  readonly get_checkpoint: { readonly params: GetCheckpointArgs; readonly result: GetCheckpointResult };
  /** Checkpoints with their archives, newest first. */
  readonly list_checkpoints: { readonly params: ListCheckpointsArgs; readonly result: ListCheckpointsResult };
  /** A chunk of a checkpoint's state, proved under its state root. */
  readonly get_snapshot_chunk: { readonly params: GetSnapshotChunkArgs; readonly result: GetSnapshotChunkResult };
  /** Imports a chunk into an empty node that awaits a snapshot; an unproved chunk is refused as a whole. */
  readonly import_snapshot_chunk: { readonly params: ImportSnapshotChunkArgs; readonly result: ImportSnapshotChunkResult };
  /** The key for sealing transactions, the heights of an epoch, and the next height to seal to. */
  readonly get_epoch_key: { readonly params: GetEpochKeyArgs; readonly result: GetEpochKeyResult };
  /**
   * Submits a signed envelope to the pool: a transaction whose action is unreadable until its position is fixed. The
   * envelope is included below its height `opens_at`. The first block above that height with the key opens it and
   * executes it before other transactions. `tx_by_hash`, `tx_receipt` and the listings identify it by its envelope's
   * hash. Refused like a transaction: `expired` if it opens too soon, `too_large` if it opens too late or its
   * payload is too long; `not_ready` if the node's validator has no key to open it with.
   */
  readonly tx_submit_sealed: { readonly params: TxSubmitSealedArgs; readonly result: TxSubmitSealedResult };
  /**
   * Submits signed transactions that are included as a whole, in order and consecutively, or not at all: if one
   * fails, none takes effect and the bundle leaves the pool. The bundle waits for missing nonces, and leaves the
   * pool when another transaction uses one of its nonces.
   */
  readonly tx_submit_bundle: { readonly params: TxSubmitBundleArgs; readonly result: TxSubmitBundleResult };
  /**
   * Runs transactions in sequence in one block, like a bundle that includes them, and reports their dependencies. The rules of
   * `tx_simulate` for signed and unsigned transactions apply to each.
   */
  readonly chain_simulateBundle: { readonly params: BundleSimulateArgs; readonly result: BundleSimulateResult };
  /**
   * Executes an included transaction again at its position in the block, reports its execution, and checks it against the
   * receipt.
   */
  readonly chain_traceTransaction: { readonly params: ChainTraceTransactionArgs; readonly result: ChainTraceTransactionResult };
  /** Runs a call like `view_call` and reports its execution. */
  readonly chain_traceCall: { readonly params: ChainTraceCallArgs; readonly result: ChainTraceCallResult };
  /** Simulates a transaction like `tx_simulate` and reports its execution. */
  readonly tx_simulate_trace: { readonly params: TxSimulateTraceArgs; readonly result: TxSimulateTraceResult };
  /**
   * The calls and compute units of a token by day and method, ascending by day. Days are in UTC and kept for 400 days;
   * the last few seconds may be missing. Without `token`, the usage of the caller's own token; a caller without one gets
   * `unauthorized`.
   */
  readonly token_usage: { readonly params: TokenUsageArgs; readonly result: TokenUsageResult };
}

/** Everything that the IDL declares. */
export const nodeRpcV1Manifest: $Manifest = {
  manifest_version: 1,
  interfaces: [
    {
      name: "NodeRpcV1",
      doc: "The node accepts methods by qualified name (NodeRpcV1.status) and by plain name (status). The cost of a method is the\nbase price of a call: its gas costs one unit more for each `unit_gas` of the manifest's limits, and its parameters and\nresult for each `unit_bytes`.",
      methods: [
        { name: "status", doc: "Chain tip, finalized height, epoch, validator set, pool size.", since: "1.0", params: [], returns: "Status", tier: "public", cost: 1 },
        { name: "health", doc: "Liveness: whether the process answers and its event loop keeps up.", since: "1.0", params: [], returns: "HealthResult", tier: "public", cost: 1 },
        { name: "readiness", doc: "Readiness: whether the node can take traffic, and if not, why.", since: "1.0", params: [], returns: "ReadinessResult", tier: "public", cost: 1 },
        { name: "validator_status", doc: "The node's part in consensus: role, key generation, peers, metrics.", since: "1.0", params: [], returns: "ValidatorStatus", tier: "public", cost: 1 },
        { name: "account", doc: "Balance and nonce lanes of an address after the last committed block.", since: "1.0", params: [{ name: "address", type: "address" }], returns: "Account", tier: "public", cost: 2 },
        { name: "accounts", doc: "Many accounts at one height, one entry per address in the order of the request.", since: "1.0", params: [{ name: "addresses", type: { list: "address" } }], returns: "AccountsResult", tier: "public", cost: 5 },
        { name: "predict_address", doc: "The address of a deployer's next deployment, or of the one `offset` deployments later.", since: "1.0", params: [{ name: "deployer", type: "address" }, { name: "offset", type: "u64", optional: true }], returns: "PredictAddressResult", tier: "public", cost: 2 },
        { name: "contract_metadata", doc: "Engine, code hash, ABI version and upgrade policy of a contract.", since: "1.0", params: [{ name: "address", type: "address" }], returns: "ContractMetadataResult", tier: "public", cost: 2 },
        { name: "contract_idl", doc: "The interface definition that a contract was deployed with; `idl` is absent if there is none.", since: "1.0", params: [{ name: "address", type: "address" }], returns: "ContractIdlResult", tier: "public", cost: 2 },
        { name: "view_call", doc: "Runs contract code on the state of any retained height, or between two transactions of a block, and returns the\nresult. Writes are discarded. Reverting, trapping or running out of gas is a result, not an error.", since: "1.0", params: [{ name: "args", type: "ViewCallArgs" }], returns: "ViewCallResult", tier: "paid", cost: 10, immutable: true },
        { name: "tx_build", doc: "Fills in an unsigned transaction from the chain: nonce, gas limit, fees.", since: "1.0", params: [{ name: "args", type: "TxBuildArgs" }], returns: "TxBuildResult", tier: "admin", cost: 10 },
        { name: "tx_build_simulate", doc: "Builds a transaction like `tx_build` and simulates it on the last committed block like `tx_simulate`.", since: "1.0", params: [{ name: "args", type: "TxBuildArgs" }], returns: "TxBuildSimulateResult", tier: "admin", cost: 10 },
        { name: "tx_submit", doc: "Submits a signed transaction to the pool and optionally waits until it is in a block.", since: "1.0", params: [{ name: "args", type: "TxSubmitArgs" }], returns: "TxSubmitResult", tier: "public", cost: 10 },
        { name: "tx_by_hash", doc: "The state of a transaction: pending, included, rejected or not found.", since: "1.0", params: [{ name: "tx_hash", type: "hash" }], returns: "TxByHashResult", tier: "public", cost: 2, immutable: true },
        { name: "tx_receipt", doc: "The receipt of an included transaction; `receipt` is absent until there is one.", since: "1.0", params: [{ name: "args", type: "TxReceiptArgs" }], returns: "TxReceiptResult", tier: "public", cost: 2, immutable: true },
        { name: "tx_simulate", doc: "Runs a transaction on the state of any retained height, or between two transactions of a block, and returns its\noutcome and the gas it needs. Writes are discarded. A signed transaction is checked as for a block: if its\nnonce, fees, balance or valid_until exclude it, the outcome is `invalid` with the reason. An unsigned one is\nhypothetical: its nonce is taken to be the lane's next, and if its sender cannot pay gas_limit times the price,\nor max_fee is 0, it runs without fees; `fee` is then the fee that it would pay.", since: "1.0", params: [{ name: "args", type: "TxSimulateArgs" }], returns: "TxSimulateResult", tier: "paid", cost: 20 },
        { name: "tx_simulate_access", doc: "Simulates a transaction and lists the accounts and slots it reads and writes.", since: "1.0", params: [{ name: "args", type: "TxSimulateAccessArgs" }], returns: "TxSimulateAccessResult", tier: "paid", cost: 20 },
        { name: "tx_simulate_pipeline", doc: "Runs transactions and view calls in sequence, each on top of the writes of the transactions before it.", since: "1.0", params: [{ name: "args", type: "TxSimulatePipelineArgs" }], returns: "TxSimulatePipelineResult", tier: "paid", cost: 50 },
        { name: "list_blocks", doc: "Blocks, newest first. On a node that started from a snapshot, this method and the transaction listings end with\n`state_unavailable` and the oldest available height.", since: "1.0", params: [{ name: "args", type: "ListBlocksArgs" }], returns: "ListBlocksResult", tier: "public", cost: 5 },
        { name: "list_txs", doc: "Included transactions, newest first.", since: "1.0", params: [{ name: "args", type: "ListTxsArgs" }], returns: "ListTxsResult", tier: "public", cost: 5 },
        { name: "list_txs_by_sender", doc: "Included transactions of one sender, newest first.", since: "1.0", params: [{ name: "args", type: "ListTxsBySenderArgs" }], returns: "ListTxsResult", tier: "public", cost: 5 },
        { name: "list_txs_by_contract", doc: "Included transactions that call a contract at any depth, deploy it or upgrade it; newest first.", since: "1.0", params: [{ name: "args", type: "ListTxsByContractArgs" }], returns: "ListTxsResult", tier: "public", cost: 5 },
        { name: "list_txs_by_recipient", doc: "Included transactions that paid native balance to an address, newest first: by a transfer, as the value of a call or\ndeployment, or by a contract. Failed transactions paid nothing. Fees, and payments of an address to itself, are left\nout.", since: "1.0", params: [{ name: "args", type: "ListTxsByRecipientArgs" }], returns: "ListTxsResult", tier: "public", cost: 5 },
        { name: "list_tokens_by_holder", doc: "Tokens that an address has sent or received, ascending by contract: the contracts that emitted the event `Transfer`\nof their interface from or to it. The contract may have any name; its present interface on chain declares `Transfer`\nas `contracts/token/token.idl` does: an indexed address, an indexed address and a u128. Any contract can emit this\nevent for any address: the balance is the result of a `view_call` of `balance_of`. A page examines a bounded number of\ncontracts: it may hold fewer tokens than requested, or none, and still have a `next_cursor`.", since: "1.0", params: [{ name: "args", type: "ListTokensByHolderArgs" }], returns: "ListTokensResult", tier: "public", cost: 5 },
        { name: "list_contracts", doc: "Contracts by the name in their interface, ascending by name, then by the height of their deployment. Any number of\ncontracts can have the same name, and none is vouched for. A node that started from a snapshot knows the names of\ncontracts that later blocks deployed or upgraded. A page may hold fewer contracts than requested, or none, and still\nhave a `next_cursor`.", since: "1.0", params: [{ name: "args", type: "ListContractsArgs" }], returns: "ListContractsResult", tier: "public", cost: 5 },
        { name: "get_logs", doc: "Events by contract, topics and height, in order of execution. A page covers a bounded part of the chain: it may\nhold fewer events than requested, or none, and still have a `next_cursor`. On a node that started from a\nsnapshot, a range that begins below its first block fails with `state_unavailable`; without `from_height` the\nrange begins with block 0. A range or page that begins above the tip fails with a `not_found` that is `retryable`.", since: "1.0", params: [{ name: "args", type: "GetLogsArgs" }], returns: "GetLogsResult", tier: "public", cost: 20, immutable: true },
        { name: "list_pending_txs", doc: "Pending transactions of the pool, newest first.", since: "1.0", params: [{ name: "args", type: "ListPendingTxsArgs" }], returns: "ListPendingTxsResult", tier: "public", cost: 5 },
        { name: "txpool_stats", doc: "Size and limits of the pool.", since: "1.0", params: [], returns: "TxpoolStats", tier: "public", cost: 1 },
        { name: "get_blocks", doc: "Whole blocks by height, ascending, with everything that their headers commit to.", since: "1.0", params: [{ name: "args", type: "GetBlocksArgs" }], returns: "GetBlocksResult", tier: "public", cost: 20, immutable: true },
        { name: "get_block_summaries", doc: "Summaries of blocks by height, ascending.", since: "1.0", params: [{ name: "args", type: "GetBlocksArgs" }], returns: "GetBlockSummariesResult", tier: "public", cost: 5, immutable: true },
        { name: "get_txs_in_range", doc: "All transactions of a range of blocks, in order of execution.", since: "1.0", params: [{ name: "args", type: "GetBlocksArgs" }], returns: "GetTxsInRangeResult", tier: "public", cost: 20, immutable: true },
        { name: "finality_proof", doc: "Proves that a block is final: its own certificate, or that of a later block with the headers in between.", since: "1.0", params: [{ name: "args", type: "FinalityProofArgs" }], returns: "FinalityProofResult", tier: "public", cost: 2 },
        { name: "light_client_context", doc: "The data a light client needs to check other answers, proved under the group key alone.", since: "1.0", params: [{ name: "args", type: "LightClientContextArgs" }], returns: "LightClientContextResult", tier: "public", cost: 1 },
        { name: "state_proof", doc: "Proves the value or absence of an account, and optionally of a slot, under the state root of a block.", since: "1.0", params: [{ name: "args", type: "StateProofArgs" }], returns: "StateProofResult", tier: "public", cost: 5 },
        { name: "finalized_history_root", doc: "The history root and peaks over the blocks before a final block, as committed to by its header.", since: "1.0", params: [{ name: "args", type: "FinalizedHistoryRootArgs" }], returns: "FinalizedHistoryRootResult", tier: "public", cost: 1 },
        { name: "finalized_history_proof", doc: "Proves that a block is in the history of a later final block.", since: "1.0", params: [{ name: "args", type: "FinalizedHistoryProofArgs" }], returns: "FinalizedHistoryProofResult", tier: "public", cost: 5, immutable: true },
        { name: "get_checkpoint_list", doc: "Checkpoints that a new node can start from, newest first.", since: "1.0", params: [], returns: "CheckpointListResult", tier: "public", cost: 1 },
        { name: "get_light_snapshot", doc: "The data to verify a checkpoint before fetching its chunks: header, certificate, history, validator set.", since: "1.0", params: [{ name: "args", type: "GetLightSnapshotArgs" }], returns: "GetLightSnapshotResult", tier: "public", cost: 5 },
        { name: "get_checkpoint", doc: "The checkpoint of a height.", since: "1.0", params: [{ name: "args", type: "GetCheckpointArgs" }], returns: "GetCheckpointResult", tier: "public", cost: 2 },
        { name: "list_checkpoints", doc: "Checkpoints with their archives, newest first.", since: "1.0", params: [{ name: "args", type: "ListCheckpointsArgs" }], returns: "ListCheckpointsResult", tier: "public", cost: 5 },
        { name: "get_snapshot_chunk", doc: "A chunk of a checkpoint's state, proved under its state root.", since: "1.0", params: [{ name: "args", type: "GetSnapshotChunkArgs" }], returns: "GetSnapshotChunkResult", tier: "public", cost: 20 },
        { name: "import_snapshot_chunk", doc: "Imports a chunk into an empty node that awaits a snapshot; an unproved chunk is refused as a whole.", since: "1.0", params: [{ name: "args", type: "ImportSnapshotChunkArgs" }], returns: "ImportSnapshotChunkResult", tier: "admin", cost: 10 },
        { name: "get_epoch_key", doc: "The key for sealing transactions, the heights of an epoch, and the next height to seal to.", since: "1.0", params: [{ name: "args", type: "GetEpochKeyArgs" }], returns: "GetEpochKeyResult", tier: "public", cost: 1 },
        { name: "tx_submit_sealed", doc: "Submits a signed envelope to the pool: a transaction whose action is unreadable until its position is fixed. The\nenvelope is included below its height `opens_at`. The first block above that height with the key opens it and\nexecutes it before other transactions. `tx_by_hash`, `tx_receipt` and the listings identify it by its envelope's\nhash. Refused like a transaction: `expired` if it opens too soon, `too_large` if it opens too late or its\npayload is too long; `not_ready` if the node's validator has no key to open it with.", since: "1.0", params: [{ name: "args", type: "TxSubmitSealedArgs" }], returns: "TxSubmitSealedResult", tier: "public", cost: 10 },
        { name: "tx_submit_bundle", doc: "Submits signed transactions that are included as a whole, in order and consecutively, or not at all: if one\nfails, none takes effect and the bundle leaves the pool. The bundle waits for missing nonces, and leaves the\npool when another transaction uses one of its nonces.", since: "1.0", params: [{ name: "args", type: "TxSubmitBundleArgs" }], returns: "TxSubmitBundleResult", tier: "public", cost: 10 },
        { name: "chain_simulateBundle", doc: "Runs transactions in sequence in one block, like a bundle that includes them, and reports their dependencies. The rules of\n`tx_simulate` for signed and unsigned transactions apply to each.", since: "1.0", params: [{ name: "args", type: "BundleSimulateArgs" }], returns: "BundleSimulateResult", tier: "paid", cost: 50 },
        { name: "chain_traceTransaction", doc: "Executes an included transaction again at its position in the block, reports its execution, and checks it against the\nreceipt.", since: "1.0", params: [{ name: "args", type: "ChainTraceTransactionArgs" }], returns: "ChainTraceTransactionResult", tier: "paid", cost: 50, immutable: true },
        { name: "chain_traceCall", doc: "Runs a call like `view_call` and reports its execution.", since: "1.0", params: [{ name: "args", type: "ChainTraceCallArgs" }], returns: "ChainTraceCallResult", tier: "paid", cost: 50, immutable: true },
        { name: "tx_simulate_trace", doc: "Simulates a transaction like `tx_simulate` and reports its execution.", since: "1.0", params: [{ name: "args", type: "TxSimulateTraceArgs" }], returns: "TxSimulateTraceResult", tier: "paid", cost: 50 },
        { name: "token_usage", doc: "The calls and compute units of a token by day and method, ascending by day. Days are in UTC and kept for 400 days;\nthe last few seconds may be missing. Without `token`, the usage of the caller's own token; a caller without one gets\n`unauthorized`.", since: "1.0", params: [{ name: "args", type: "TokenUsageArgs" }], returns: "TokenUsageResult", tier: "public", cost: 5 },
      ],
    },
  ],
  contracts: [],
  structs: [
    {
      name: "Transaction",
      doc: "A sender's request to the chain. Its hash, sha256(\"heddle/tx/1\" ‖ borsh(Transaction)), is signed by the sender and\nidentifies the transaction.",
      fields: [
        { name: "chain_id", doc: "Chain id; other chains refuse the transaction.", type: "u64" },
        { name: "sender", doc: "The account that pays and signs.", type: "address" },
        { name: "lane", doc: "Nonce lane of the sender. Lanes are independent of each other.", type: "u32" },
        { name: "nonce", doc: "Position in the lane; each lane counts from 0.", type: "u64" },
        { name: "gas_limit", doc: "Upper bound of the gas used; at most the gas left by earlier transactions of the block.", type: "u64" },
        { name: "max_fee", doc: "Upper bound of the price per unit of gas, base fee included.", type: "u128" },
        { name: "priority_fee", doc: "Upper bound of the proposer's share per unit of gas.", type: "u128" },
        { name: "valid_until", doc: "The last height at which the transaction may be included.", type: "u64", optional: true },
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
        { name: "delay", doc: "Blocks between announcement and upgrade.", type: "u64" },
      ],
    },
    {
      name: "SignedTransaction",
      fields: [
        { name: "transaction", type: "Transaction" },
        { name: "signature", doc: "Signature of the 32-byte transaction hash.", type: "Signature" },
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
        { name: "public_key", doc: "secp256k1, compressed.", type: "bytes33" },
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
        { name: "timestamp_ms", doc: "The proposer's clock; at least the parent's timestamp plus one.", type: "u64" },
        { name: "proposer", doc: "The proposer's index in the epoch's validator set.", type: "u32" },
        { name: "transactions_root", doc: "List root of the body's items.", type: "hash" },
        { name: "receipts_root", doc: "List root of the receipts, in execution order.", type: "hash" },
        { name: "state_root", doc: "Root of the state tree after this block.", type: "hash" },
        { name: "history_root", doc: "MMR root over the hashes of the blocks 0..height−1.", type: "hash" },
        { name: "validators_hash", doc: "sha256(borsh(ValidatorSet)) of the epoch's validator set.", type: "hash" },
        { name: "gas_used", type: "u64" },
        { name: "gas_limit", type: "u64" },
        { name: "base_fee", type: "u128" },
        { name: "seal_excess", doc: "Opening slots reserved above the target: max(0, the parent's seal_excess + the slots that the parent reserved − 8). It\nsets the price of a slot in this block: base_fee × 2,000,000 × fake_exponential(1, seal_excess, 68), the integer formula\nof EIP-4844, and at most 2^128 − 1.", type: "u64" },
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
      doc: "The committed outcome of a transaction.",
      fields: [
        { name: "tx_hash", type: "hash" },
        { name: "outcome", type: "Outcome" },
        { name: "gas_used", type: "u64" },
        { name: "fee", doc: "gas_used × (base fee + the priority fee paid). The inclusion of an envelope adds its opening slots × the price of a\nslot, which is burned.", type: "u128" },
        { name: "contract", doc: "The deployed contract.", type: "address", optional: true },
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
      doc: "An account's value in the state tree. All-zero accounts are not in the state.",
      fields: [
        { name: "balance", type: "u128" },
        { name: "lanes", doc: "Used lanes in ascending order; at most 256.", type: { list: "Lane" } },
        { name: "deploy_index", doc: "Number of contracts deployed by the account.", type: "u64" },
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
        { name: "deployed_at", doc: "The height of the block that deployed the contract.", type: "u64" },
        { name: "pending_upgrade", type: "PendingUpgrade", optional: true },
      ],
    },
    {
      name: "PendingUpgrade",
      fields: [
        { name: "code_hash", type: "hash" },
        { name: "idl_hash", type: "hash", optional: true },
        { name: "abi_version", type: "u32" },
        { name: "ready_at", doc: "First height at which the upgrade may be applied.", type: "u64" },
      ],
    },
    {
      name: "ValidatorSet",
      doc: "The validators of an epoch. The header's validators_hash is sha256 of its Borsh encoding.",
      fields: [
        { name: "epoch", type: "u64" },
        { name: "quorum", doc: "Number of validators that a certificate needs.", type: "u32" },
        { name: "group_public_key", doc: "BLS12-381 public key of the whole set, G1, 48 bytes compressed.", type: "bytes" },
        { name: "validators", type: { list: "Validator" } },
      ],
    },
    {
      name: "Validator",
      fields: [
        { name: "index", type: "u32" },
        { name: "address", doc: "Address that receives the priority fees.", type: "address" },
        { name: "identity_key", doc: "ed25519 public key.", type: "bytes32" },
        { name: "share_public_key", doc: "Public key of the validator's share of the group key, G1, 48 bytes compressed.", type: "bytes" },
      ],
    },
    {
      name: "Genesis",
      doc: "Content of block 0.",
      fields: [
        { name: "chain_id", type: "u64" },
        { name: "timestamp_ms", type: "u64" },
        { name: "gas_limit", doc: "Gas limit of every block.", type: "u64" },
        { name: "base_fee", doc: "Base fee of block 0.", type: "u128" },
        { name: "extra", type: "bytes", optional: true },
        { name: "validator_set", type: "ValidatorSet" },
        { name: "encryption_keys", doc: "The validators' encryption keys, by index; G1, compressed. Required unless there is a single validator.", type: { list: "bytes48" }, optional: true },
        { name: "accounts", type: { list: "GenesisAccount" } },
        { name: "epoch_length", doc: "Length of an epoch in blocks: epoch e ends with the block of height (e + 1) × epoch_length. Default 10,000.", type: "u64", optional: true },
        { name: "ceremony", doc: "Origin of the group key. If absent, a single dealer created the group key and knows it; such a chain admits no\nfurther validators.", type: "Ceremony", optional: true },
      ],
    },
    {
      name: "Ceremony",
      doc: "The ceremony in which the first validators generated the group key; nobody knows its private key.",
      fields: [
        { name: "dealings", doc: "One dealing of each validator, by index; the key is their sum.", type: { list: "CeremonyDealing" } },
        { name: "signatures", doc: "Each validator's ed25519 signature of \"heddle/ceremony/1\" ‖ the transcript's hash, by index.", type: { list: "bytes64" } },
      ],
    },
    {
      name: "CeremonyDealing",
      fields: [
        { name: "dealer", type: "u32" },
        { name: "commitments", doc: "Commitments to the dealer's polynomial, constant first; G1, compressed.", type: { list: "bytes48" } },
      ],
    },
    {
      name: "EncryptionKeys",
      doc: "State record: the encryption keys of the present validator set.",
      fields: [
        { name: "keys", doc: "By index; G1, compressed. Empty only with a single validator.", type: { list: "bytes48" } },
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
      doc: "Public part of a sealed transaction.",
      fields: [
        { name: "chain_id", type: "u64" },
        { name: "sender", type: "address" },
        { name: "lane", type: "u32" },
        { name: "nonce", type: "u64" },
        { name: "gas_limit", type: "u64" },
        { name: "max_fee", type: "u128" },
        { name: "priority_fee", type: "u128" },
        { name: "max_seal_fee", doc: "Upper bound of the price of all its opening slots together. An opening slot is 1/64 of a block's gas limit; the envelope\nreserves max(1, ⌈gas for its action / slot⌉) of them, where the gas for its action is gas_limit minus the gas of the\ninclusion without the opening of a lane. Unused slots are not paid back.", type: "u128" },
        { name: "opens_at", doc: "Height whose key opens the envelope; the envelope is included below that height.", type: "u64" },
      ],
    },
    {
      name: "SealedEnvelope",
      doc: "A transaction whose action is unreadable until the key of its height is known. Its hash, sha256(\"heddle/sealed/1\"\n‖ borsh(SealedEnvelope)), identifies it and is signed by the sender.",
      fields: [
        { name: "header", type: "SealedHeader" },
        { name: "u", doc: "r·G1, compressed.", type: "bytes48" },
        { name: "v", doc: "Sigma, masked with the pairing.", type: "bytes32" },
        { name: "w", doc: "The payload's key, masked with sigma.", type: "bytes32" },
        { name: "payload", doc: "XChaCha20-Poly1305 of borsh(Action), with the header as associated data.", type: "bytes" },
      ],
    },
    {
      name: "SignedEnvelope",
      fields: [
        { name: "envelope", type: "SealedEnvelope" },
        { name: "signature", doc: "Signature of the 32-byte envelope hash.", type: "Signature" },
      ],
    },
    {
      name: "PendingEnvelope",
      doc: "State entry of an included sealed transaction that has not been opened yet.",
      fields: [
        { name: "signed", type: "SignedEnvelope" },
        { name: "gas_used", doc: "Gas charged for the inclusion.", type: "u64" },
        { name: "base_fee", doc: "Base fee of the including block.", type: "u128" },
        { name: "deposit", doc: "Balance reserved for the action's gas.", type: "u128" },
      ],
    },
    {
      name: "OpeningSchedule",
      doc: "State entry of the heights with unopened envelopes; absent if there are none.",
      fields: [
        { name: "openings", doc: "Ascending by height.", type: { list: "ScheduledOpening" } },
        { name: "reserved_at", doc: "Height of the last block that included an envelope.", type: "u64" },
        { name: "reserved", doc: "Opening slots that this block reserved, for any heights; at most 16.", type: "u32" },
      ],
    },
    {
      name: "ScheduledOpening",
      fields: [
        { name: "height", type: "u64" },
        { name: "count", doc: "Number of envelopes.", type: "u32" },
        { name: "slots", doc: "Opening slots that the envelopes reserve; at most 16.", type: "u32" },
      ],
    },
    {
      name: "SealKey",
      doc: "The key of a height; it opens everything sealed to that height.",
      fields: [
        { name: "height", type: "u64" },
        { name: "signature", doc: "BLS signature of \"heddle/seal/1\" ‖ u64le chain_id ‖ u64le height under the group key.", type: "bytes96" },
      ],
    },
    {
      name: "Dealing",
      doc: "One share holder's contribution to resharing the group key to the next epoch's validators.",
      fields: [
        { name: "epoch", doc: "Epoch of the dealing.", type: "u64" },
        { name: "dealer", type: "u32" },
        { name: "commitments", doc: "Commitments to the dealer's polynomial, constant first; G1, compressed.", type: { list: "bytes48" } },
        { name: "encryption_key", doc: "The dealer's encryption key from the next epoch on; G1, compressed.", type: "bytes48" },
        { name: "acks", doc: "Ascending by player.", type: { list: "Ack" } },
        { name: "sealed", doc: "Ascending by player: the evaluations of players that did not acknowledge.", type: { list: "SealedShare" } },
        { name: "signature", doc: "ed25519 of \"heddle/dealing/3\" ‖ u64le chain_id ‖ borsh of the rest.", type: "bytes64" },
      ],
    },
    {
      name: "Ack",
      fields: [
        { name: "player", type: "u32" },
        { name: "signature", doc: "ed25519 of \"heddle/ack/2\" ‖ u64le chain_id ‖ u64le epoch ‖ u32le dealer ‖ u32le player ‖\nsha256(borsh(commitments)).", type: "bytes64" },
      ],
    },
    {
      name: "SealedShare",
      doc: "A player's evaluation, encrypted to the player's encryption key X. E = r·G1 and D = r·X for a random scalar r; context =\nu64le chain_id ‖ u64le epoch ‖ u32le dealer ‖ u32le player.",
      fields: [
        { name: "player", type: "u32" },
        { name: "ephemeral", doc: "E; G1, compressed.", type: "bytes48" },
        { name: "share", doc: "evaluation (32 bytes, big-endian) ⊕ sha256(\"heddle/share/1\" ‖ context ‖ E ‖ D).", type: "bytes32" },
        { name: "challenge", doc: "With `response` proves that the dealer knows r (Schnorr): sha256(\"heddle/sealed-share/1\" ‖ context ‖ X ‖ E ‖ share ‖ A)\nas a big-endian integer modulo the group order, A = k·G1 for a random scalar k.", type: "bytes32" },
        { name: "response", doc: "k + challenge × r modulo the group order.", type: "bytes32" },
      ],
    },
    {
      name: "Complaint",
      doc: "A player's public proof that a dealer sealed garbage to it: the decryption key D, with a Chaum–Pedersen proof that\nlog_G1 X = log_E D. The proof's commitments are A = k·G1 and B = k·E for a random scalar k.",
      fields: [
        { name: "epoch", type: "u64" },
        { name: "dealer", type: "u32" },
        { name: "player", type: "u32" },
        { name: "shared", doc: "D; G1, compressed.", type: "bytes48" },
        { name: "challenge", doc: "sha256(\"heddle/complaint/1\" ‖ context ‖ X ‖ E ‖ D ‖ A ‖ B) as a big-endian integer modulo the group order.", type: "bytes32" },
        { name: "response", doc: "k + challenge × x modulo the group order, x the private encryption key.", type: "bytes32" },
      ],
    },
    {
      name: "DealingOrder",
      doc: "State record: the dealers of an epoch whose dealings are in blocks.",
      fields: [
        { name: "dealers", doc: "In block order.", type: { list: "u32" } },
      ],
    },
    {
      name: "NewValidator",
      fields: [
        { name: "identity_key", doc: "ed25519 public key.", type: "bytes32" },
        { name: "encryption_key", doc: "Evaluations that the validator did not acknowledge are encrypted to this key; G1, compressed. Its dealings renew it.", type: "bytes48" },
        { name: "endpoint", doc: "Host and port of the validator in the mesh.", type: "string" },
      ],
    },
    {
      name: "ApprovedChange",
      fields: [
        { name: "epoch", type: "u64" },
        { name: "change", type: "ValidatorChange" },
        { name: "approvals", doc: "Signatures of a quorum, ascending by index.", type: { list: "Approval" } },
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
      doc: "Consensus parameters of a chain. If they differ from the default, block 0's header contains them: extra =\n\"heddle/parameters/1\" ‖ borsh(ConsensusParameters).",
      fields: [
        { name: "epoch_length", type: "u64" },
        { name: "ceremony", doc: "Whether validators generated the group key in a ceremony; otherwise no further validators are admitted.", type: "bool" },
      ],
    },
    {
      name: "DevChanges",
      doc: "Input of a development control: a call by the development controller to the controls' address. It takes effect on\ndevelopment chains only; elsewhere it is a call to an address without a contract.",
      fields: [
        { name: "changes", doc: "In this order; all take effect or none. At most 4,096, slots counted one by one.", type: { list: "DevChange" } },
      ],
    },
    {
      name: "DevForkedAccount",
      doc: "The account replaces the one at the address, nonces included.",
      fields: [
        { name: "address", type: "address" },
        { name: "account", type: "AccountRecord" },
        { name: "code", doc: "The code of its contract.", type: "bytes", optional: true },
        { name: "idl", doc: "The contract's interface text; without it the copied contract has no interface.", type: "string", optional: true },
      ],
    },
    {
      name: "DevBalance",
      fields: [
        { name: "address", type: "address" },
        { name: "amount", doc: "At most 2^96.", type: "u128" },
      ],
    },
    {
      name: "DevSlots",
      fields: [
        { name: "contract", type: "address" },
        { name: "slots", type: { list: "DevSlot" } },
      ],
    },
    {
      name: "DevSlot",
      fields: [
        { name: "slot", type: "bytes32" },
        { name: "value", doc: "At most 16 KiB. If absent, the slot is removed.", type: "bytes", optional: true },
      ],
    },
    {
      name: "DevContract",
      fields: [
        { name: "address", type: "address" },
        { name: "vm", type: "VmType" },
        { name: "code", type: "bytes" },
        { name: "idl", type: "string", optional: true },
        { name: "abi_version", type: "u32" },
        { name: "upgrade_policy", type: "UpgradePolicy" },
        { name: "deployer", type: "address" },
        { name: "deployed_at", type: "u64" },
        { name: "pending_upgrade", type: "PendingUpgrade", optional: true },
      ],
    },
    {
      name: "DevDeployIndex",
      doc: "Sets the number of contracts deployed by an account, which determines the address of its next contract.",
      fields: [
        { name: "address", type: "address" },
        { name: "deploy_index", type: "u64" },
      ],
    },
    {
      name: "DevImpersonation",
      fields: [
        { name: "sender", doc: "The account that acts and pays the amounts; its nonces stay the same.", type: "address" },
        { name: "action", type: "Action" },
      ],
    },
    {
      name: "Status",
      fields: [
        { name: "version", doc: "The node's version.", type: "string" },
        { name: "chain_id", type: "u64" },
        { name: "now_ms", doc: "The node's clock; on a development chain the chain's clock, which `dev_setTime` and `dev_increaseTime` advance.", type: "u64" },
        { name: "uptime_ms", type: "u64" },
        { name: "block_time_ms", doc: "The time between blocks while transactions are pending.", type: "u32" },
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
        { name: "reasons", doc: "Why the node is not ready; empty if it is.", type: { list: "string" } },
      ],
    },
    {
      name: "SyncStatus",
      fields: [
        { name: "state", type: "SyncState" },
        { name: "tip_height", type: "u64" },
        { name: "finalized_height", type: "u64" },
        { name: "best_known_height", type: "u64" },
        { name: "tip_age_ms", doc: "Time since the tip was sealed, by the clock of `status`.", type: "u64" },
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
        { name: "pending_changes", doc: "Changes of the validator set that have not taken effect: those in blocks in their order, then the others, the most\napproved first. Only validators know of the others, and list at most 64.", type: { list: "PendingValidatorChange" } },
      ],
    },
    {
      name: "PendingValidatorChange",
      fields: [
        { name: "change", type: "ValidatorChange" },
        { name: "address", doc: "The validator that joins or leaves.", type: "address" },
        { name: "approvals", doc: "The validators of the present epoch that approve it, ascending by index.", type: { list: "ChangeApprover" } },
        { name: "approvals_needed", type: "u32" },
        { name: "included", doc: "Whether it is in a block. A change that is in none needs further approvals, or waits for the next epoch's first third.", type: "bool" },
        { name: "effective_height", doc: "The first height with the changed set at the earliest: later if too few validators deal, or if the change enters no\nblock in time.", type: "u64" },
      ],
    },
    {
      name: "ChangeApprover",
      fields: [
        { name: "index", type: "u32" },
        { name: "address", type: "address" },
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
        { name: "invalid_proposals", doc: "Invalid proposals of this validator seen by this node since its start; absent if none.", type: "u64", optional: true },
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
        { name: "finality_latency_ms", doc: "Time from the start of a block to its synced commit.", type: "Quantiles" },
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
        { name: "lanes", doc: "Lanes that were used or have pending transactions, ascending.", type: { list: "NonceLane" } },
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
        { name: "deploy_index", doc: "Index of this deployment among the deployer's, from 0.", type: "u64" },
      ],
    },
    {
      name: "ContractMetadataResult",
      fields: [
        { name: "address", type: "address" },
        { name: "vm", type: "VmType" },
        { name: "code_hash", doc: "sha256 of the code.", type: "hash" },
        { name: "code_size", doc: "Size of the code in bytes.", type: "u32" },
        { name: "abi_version", type: "u32" },
        { name: "upgrade_policy", type: "UpgradePolicy" },
        { name: "idl_hash", doc: "sha256 of the interface text.", type: "hash", optional: true },
        { name: "deployer", type: "address" },
        { name: "deployed_at", doc: "The height of the block that deployed the contract.", type: "u64" },
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
        { name: "args", doc: "Arguments as an object by name or an array by position; absent if there are none.", type: "json", optional: true },
        { name: "input", doc: "Four selector bytes, then the Borsh encoding of the arguments.", type: "bytes", optional: true },
        { name: "idl", doc: "The interface to use instead of the one stored on chain.", type: "string", optional: true },
        { name: "caller", doc: "The caller and signer, as seen by the contract; default the zero address.", type: "address", optional: true },
        { name: "value", doc: "Amount moved from the caller to the contract before the call; default 0.", type: "u128", optional: true },
        { name: "gas_limit", doc: "Default and maximum: the limit `call_gas` of the manifest. Only the contract's own execution is charged.", type: "u64", optional: true },
        { name: "at", doc: "Default latest.", type: "BlockRef", optional: true },
        { name: "overrides", doc: "Changes to the state before the call, one entry per address.", type: { list: "StateOverride" }, optional: true },
        { name: "block_override", doc: "The block seen by the contract; default the next block on the latest state, and otherwise the block of the selected\nstate.", type: "BlockOverride", optional: true },
      ],
    },
    {
      name: "StateOverride",
      doc: "Members that are absent leave the state unchanged.",
      fields: [
        { name: "address", type: "address" },
        { name: "balance", doc: "A call that then takes an account above 2^128 − 1 is refused as `invalid_params`.", type: "u128", optional: true },
        { name: "code", doc: "Puts this code at the address, with or without an existing contract. Its init does not run.", type: "bytes", optional: true },
        { name: "idl", doc: "The interface text of the contract at the address.", type: "string", optional: true },
        { name: "slots", type: { list: "SlotValue" }, optional: true },
      ],
    },
    {
      name: "SlotValue",
      fields: [
        { name: "slot", type: "bytes32" },
        { name: "value", doc: "If absent, the slot does not exist.", type: "bytes", optional: true },
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
        { name: "output", doc: "The output of a successful call, otherwise empty; `status` has the revert data.", type: "bytes" },
        { name: "decoded", doc: "The output, decoded if the contract's interface is known and matches.", type: "json", optional: true },
        { name: "gas_used", type: "u64" },
        { name: "height", doc: "Height of the block whose state the call ran on.", type: "u64" },
        { name: "block_hash", type: "hash" },
        { name: "logs", doc: "The events of a successful call; their `tx_hash` is zero.", type: { list: "Log" } },
      ],
    },
    {
      name: "TxBuildArgs",
      fields: [
        { name: "sender", type: "address" },
        { name: "action", type: "ActionArgs" },
        { name: "lane", doc: "Default 0.", type: "u32", optional: true },
        { name: "nonce", doc: "Default: after the lane's last transaction, including pending ones.", type: "u64", optional: true },
        { name: "gas_limit", doc: "Default: the most that a transfer can use; for other actions 10,000,000 per contract run plus the known costs,\ncapped by a block's gas and the sender's balance. Unused gas is not charged.", type: "u64", optional: true },
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
        { name: "method", doc: "A function of the contract's interface, for encoding the arguments.", type: "string", optional: true },
        { name: "args", doc: "Arguments as an object by name or an array by position; absent if there are none.", type: "json", optional: true },
        { name: "input", doc: "Four selector bytes, then the Borsh encoding of the arguments.", type: "bytes", optional: true },
        { name: "idl", doc: "The interface to use instead of the one stored on chain.", type: "string", optional: true },
        { name: "value", doc: "Amount sent with the call; default 0.", type: "u128", optional: true },
      ],
    },
    {
      name: "TxBuildResult",
      doc: "Sign `tx_hash`, combine the signature with `transaction`, and submit.",
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
        { name: "wait", doc: "The state to wait for; default none. The number of waiting callers is limited, in total and per client: beyond\nthe limit, the oldest is answered as if its timeout had passed.", type: "Wait", optional: true },
        { name: "timeout_ms", doc: "Maximum waiting time, after which the answer gives the current state. Default 10,000, at most 60,000.", type: "u32", optional: true },
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
        { name: "transaction", doc: "Absent for a sealed transaction, open or not.", type: "SignedTransaction", optional: true },
        { name: "oldest_height", doc: "With `not_found` on a node that started from a snapshot: the lowest height with known transactions.", type: "u64", optional: true },
      ],
    },
    {
      name: "PendingTx",
      fields: [
        { name: "lane", type: "u32" },
        { name: "nonce", type: "u64" },
        { name: "ready", doc: "Whether the transaction's nonce allows inclusion in the next block.", type: "bool" },
        { name: "received_ms", type: "u64" },
      ],
    },
    {
      name: "Inclusion",
      doc: "For a sealed transaction, the position of its envelope, even after the envelope was opened.",
      fields: [
        { name: "height", type: "u64" },
        { name: "block_hash", type: "hash" },
        { name: "index", doc: "Position of the transaction's receipt in the block: receipts of opened envelopes precede those of transactions\nand included envelopes.", type: "u32" },
        { name: "finalized", type: "bool" },
      ],
    },
    {
      name: "TxReceiptArgs",
      fields: [
        { name: "tx_hash", type: "hash" },
        { name: "with_proof", doc: "Include the proof that transaction and receipt are in the block.", type: "bool", optional: true },
      ],
    },
    {
      name: "TxReceiptResult",
      fields: [
        { name: "receipt", doc: "For a sealed transaction, the receipt of its inclusion; once it is opened, the receipt of its action.", type: "Receipt", optional: true },
        { name: "proof", type: "InclusionProof", optional: true },
        { name: "oldest_height", doc: "Without a receipt on a node that started from a snapshot: the lowest height with known transactions.", type: "u64", optional: true },
      ],
    },
    {
      name: "InclusionProof",
      doc: "Proves item and receipt under the roots of the header. A path lists the siblings from the leaf up. Item and\nreceipt have separate positions: keys precede a block's transactions, and receipts of opened envelopes precede\nthose of transactions.",
      fields: [
        { name: "header", type: "BlockHeader" },
        { name: "item", doc: "borsh(BlockItem), under transactions_root: the transaction or the envelope; for the receipt of an opening, the key of the\nenvelope's height.", type: "bytes" },
        { name: "item_index", type: "u32" },
        { name: "item_path", type: { list: "hash" } },
        { name: "item_count", type: "u32" },
        { name: "receipt", doc: "borsh(LedgerReceipt), under receipts_root.", type: "bytes" },
        { name: "receipt_index", type: "u32" },
        { name: "receipt_path", type: { list: "hash" } },
        { name: "receipt_count", type: "u32" },
        { name: "envelope", doc: "borsh(SealedEnvelope), for the receipt of an opening. The envelope's hash is that of the receipt; its `opens_at`\nis the key's height, below the block's. An envelope is included below `opens_at`, so this is not the receipt of\nits inclusion.", type: "bytes", optional: true },
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
        { name: "contract", doc: "The deployed contract.", type: "address", optional: true },
        { name: "output", type: "bytes" },
        { name: "decoded", doc: "The output of a call, or of a batch's last call, decoded if the contract's interface is known.", type: "json", optional: true },
        { name: "logs", type: { list: "Log" } },
        { name: "finalized", type: "bool" },
        { name: "opens_at", doc: "For a sealed transaction: the height whose key opens it. A receipt below that height is for the inclusion and\nsays nothing about the action; a receipt above that height is for the action.", type: "u64", optional: true },
      ],
    },
    {
      name: "Revert",
      fields: [
        { name: "message", doc: "The contract's message, if any; otherwise the node's.", type: "string", optional: true },
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
        { name: "log_index", doc: "Index among the transaction's events.", type: "u32" },
        { name: "event", doc: "The event, decoded with the interface that the contract had at that height.", type: "DecodedEvent", optional: true },
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
        { name: "tx_count", doc: "Number of receipts: included transactions and envelopes, and opened envelopes.", type: "u32" },
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
      name: "ListTxsByRecipientArgs",
      fields: [
        { name: "recipient", type: "address" },
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
      name: "ListTokensByHolderArgs",
      fields: [
        { name: "holder", type: "address" },
        { name: "cursor", type: "string", optional: true },
        { name: "limit", type: "u32", optional: true },
      ],
    },
    {
      name: "ListTokensResult",
      fields: [
        { name: "tokens", type: { list: "HeldToken" } },
        { name: "next_cursor", type: "string", optional: true },
      ],
    },
    {
      name: "HeldToken",
      fields: [
        { name: "contract", type: "address" },
        { name: "interface_name", doc: "The contract's name in its interface, which the signatures of its views begin with; not the token's name. At most 128\nletters, digits and underscores.", type: "string" },
        { name: "last_height", doc: "Height of the last block with such an event.", type: "u64" },
      ],
    },
    {
      name: "ListContractsArgs",
      fields: [
        { name: "name", doc: "First letters of the name, of any case; at most 128. Without them, all contracts that have a name are listed.", type: "string", optional: true },
        { name: "cursor", type: "string", optional: true },
        { name: "limit", type: "u32", optional: true },
      ],
    },
    {
      name: "ListContractsResult",
      fields: [
        { name: "contracts", type: { list: "NamedContract" } },
        { name: "next_cursor", type: "string", optional: true },
      ],
    },
    {
      name: "NamedContract",
      fields: [
        { name: "contract", type: "address" },
        { name: "name", type: "string" },
        { name: "deployer", type: "address" },
        { name: "deployed_at", doc: "The height of the block that deployed the contract.", type: "u64" },
      ],
    },
    {
      name: "GetLogsArgs",
      fields: [
        { name: "contract", type: "address", optional: true },
        { name: "contracts", doc: "The contracts whose events are accepted, 1 to 100; not together with `contract`.", type: { list: "address" }, optional: true },
        { name: "topics", doc: "Accepted topics by position: at most four positions with at most 100 topics each; an empty list accepts any\ntopic or none.", type: { list: { list: "hash" } }, optional: true },
        { name: "from_height", doc: "Default 0.", type: "u64", optional: true },
        { name: "to_height", doc: "Default: the tip.", type: "u64", optional: true },
        { name: "cursor", doc: "Valid only with the same contracts, topics and heights.", type: "string", optional: true },
        { name: "limit", doc: "Default 50, at most 10,000. A page also ends at 16 MiB.", type: "u32", optional: true },
      ],
    },
    {
      name: "GetLogsResult",
      fields: [
        { name: "logs", type: { list: "Log" } },
        { name: "searched_to", doc: "This page and those before it hold all events up to this height; absent while they end in the first block. Behind\na load balancer it may be below the tip that another node reported.", type: "u64", optional: true },
        { name: "next_cursor", doc: "Absent once everything up to `to_height`, or to the tip without one, has been searched. If `to_height` is above the\ntip, the cursor continues once there are more blocks.", type: "string", optional: true },
      ],
    },
    {
      name: "TxSummary",
      doc: "A sealed transaction is listed twice under its hash: at the inclusion of its envelope, with kind `sealed`, and at\nits opening, with its action. If it could not be opened, the second entry has kind `sealed` too.",
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
        { name: "method", doc: "The called method, if the contract's interface is known.", type: "string", optional: true },
        { name: "status", type: "ExecStatus" },
        { name: "gas_used", type: "u64" },
        { name: "fee", type: "u128" },
        { name: "opens_at", doc: "For a sealed transaction: the height whose key opens it.", type: "u64", optional: true },
        { name: "received", doc: "Only in `list_txs_by_recipient`: the sum that the recipient received in the transaction, at most 2^128 − 1.", type: "u128", optional: true },
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
        { name: "opens_at", doc: "For a sealed transaction: the height whose key opens it.", type: "u64", optional: true },
      ],
    },
    {
      name: "TxpoolStats",
      fields: [
        { name: "size", type: "u32" },
        { name: "bytes", type: "u64" },
        { name: "capacity", doc: "The pool's capacity in transactions.", type: "u32" },
        { name: "lanes", doc: "Lanes with at least one transaction in the pool.", type: "u32" },
        { name: "ready", doc: "Transactions whose nonces allow inclusion in the next blocks.", type: "u32" },
        { name: "gapped", doc: "Transactions behind a nonce gap, or in a bundle that waits for nonces or balances.", type: "u32" },
        { name: "sealed", type: "SealedQueueStats" },
        { name: "bundles", doc: "Waiting bundles; their transactions are included in the counts above.", type: "u32" },
        { name: "min_fee", doc: "The lowest max_fee that the pool currently accepts.", type: "u128" },
        { name: "base_fee", doc: "The base fee of the next block.", type: "u128" },
      ],
    },
    {
      name: "SealedQueueStats",
      doc: "Pending envelopes; included in the counts above.",
      fields: [
        { name: "size", type: "u32" },
        { name: "bytes", type: "u64" },
        { name: "next_open_height", doc: "The lowest opening height of the pending envelopes.", type: "u64", optional: true },
      ],
    },
    {
      name: "GetBlocksArgs",
      doc: "A range of heights, both ends included; at most 1,000 heights and 16 MiB per answer. An answer covers the heights\nbelow its `next_height`, which continues the range, or all of them without one. `next_height` is above the tip if\nthe range ends above it. A range that begins above the tip fails with a `not_found` that is `retryable`.",
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
      doc: "Everything that the header commits to, for independent checks.",
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
      doc: "Sealed transactions are excluded, both at inclusion and at opening: `get_blocks` has their envelopes and keys, `list_txs`\nand `tx_receipt` their results.",
      fields: [
        { name: "tx_hash", type: "hash" },
        { name: "height", type: "u64" },
        { name: "index", doc: "The position of the transaction's receipt, see `Inclusion`.", type: "u32" },
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
        { name: "build", doc: "Absent members are filled in from the simulated state. The gas limit is then the highest that a block, the limit\n`call_gas` of the manifest and the sender's balance allow; the balance is ignored if it does not cover the gas\nlimit that `tx_build` would set.", type: "TxBuildArgs", optional: true },
        { name: "encoded", doc: "borsh(Transaction), or borsh(SignedTransaction) with a checked signature.", type: "bytes", optional: true },
        { name: "at", doc: "Default latest.", type: "BlockRef", optional: true },
        { name: "overrides", doc: "Changes to the state before the transaction, one entry per address.", type: { list: "StateOverride" }, optional: true },
        { name: "block_override", doc: "The block that the transaction runs in; default the block after the state's, or for `after_tx` the block of that\ntransaction.", type: "BlockOverride", optional: true },
        { name: "idl", doc: "Interfaces for the called contracts, instead of those stored on chain.", type: "string", optional: true },
      ],
    },
    {
      name: "TxSimulateResult",
      fields: [
        { name: "status", type: "ExecStatus" },
        { name: "gas_used", type: "u64" },
        { name: "gas_estimate", doc: "A gas limit that gives the same outcome, output, events and changes, confirmed by a run; one gas less does not. It\nis the lowest such limit, unless the contract reads its remaining gas: some lower limits may then do too. If every\nlimit gives such a contract another result, this is the lowest limit, within a 64th, at which the transaction and as\nmany of its calls and payments end the same way, with as many events and written values. If the transaction ran out\nof gas, this is the limit that was insufficient.", type: "u64" },
        { name: "fee", doc: "The fee, or the hypothetical fee of a run without fees; 0 if max_fee is 0.", type: "u128" },
        { name: "output", doc: "The output of a successful transaction, otherwise empty; `status` has the revert data.", type: "bytes" },
        { name: "decoded", doc: "The output, decoded if the contract's interface is known and matches.", type: "json", optional: true },
        { name: "contract", doc: "The contract of a deployment.", type: "address", optional: true },
        { name: "logs", doc: "Events with the `height` of the simulated block and a zero `block_hash`.", type: { list: "Log" } },
        { name: "state_diff", doc: "Changes by the transaction, including the sender's fee but not the proposer's, ascending by address.", type: { list: "StateDiff" } },
        { name: "height", doc: "Height of the block whose state the transaction ran on.", type: "u64" },
      ],
    },
    {
      name: "StateDiff",
      fields: [
        { name: "address", type: "address" },
        { name: "balance", type: "ValueChange", optional: true },
        { name: "slots", doc: "Ascending by slot.", type: { list: "SlotChange" } },
        { name: "code_hash", doc: "The new code hash at the address, if it changed.", type: "hash", optional: true },
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
      doc: "An absent value means that the slot does not exist.",
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
        { name: "account", doc: "Access to the account's record: balance, lanes, contract.", type: "Access" },
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
        { name: "at", doc: "Default latest. A step cannot have its own `at`.", type: "BlockRef", optional: true },
        { name: "overrides", doc: "Changes to the state before the first step.", type: { list: "StateOverride" }, optional: true },
        { name: "stop_on_failure", doc: "Skips the steps after the first that does not succeed; default false.", type: "bool", optional: true },
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
      doc: "The requested traces; others are absent.",
      fields: [
        { name: "call_tree", type: "CallFrame", optional: true },
        { name: "host_ops", type: { list: "HostOp" }, optional: true },
        { name: "state_diff", type: { list: "StateDiff" }, optional: true },
        { name: "prestate", doc: "The original values that the execution read, with the code of the contracts among them; passed as `overrides`, they\nreproduce the call.", type: { list: "StateOverride" }, optional: true },
        { name: "gas_profile", type: "GasProfile", optional: true },
        { name: "truncated", doc: "Whether the limit `trace_bytes` of the manifest cut something off. The requested traces share it: the shorter ones are\nwhole, and the longest are cut.", type: "bool" },
      ],
    },
    {
      name: "CallFrame",
      doc: "A transaction's outermost frame has the gas of the transaction, including its fixed costs. A batch is addressed to its\nsender, a deployment to the new contract.",
      fields: [
        { name: "kind", doc: "`transfer`, `deploy`, `call`, `view`, `upgrade` or `batch`; `sealed` for an unopened envelope.", type: "string" },
        { name: "from", type: "address" },
        { name: "to", type: "address" },
        { name: "method", type: "string", optional: true },
        { name: "input", type: "bytes" },
        { name: "args", doc: "The input, decoded if the contract's interface is known.", type: "json", optional: true },
        { name: "value", type: "u128" },
        { name: "gas_limit", type: "u64" },
        { name: "gas_used", type: "u64" },
        { name: "status", type: "ExecStatus" },
        { name: "output", doc: "The output of a successful call, otherwise empty; `status` has the revert data.", type: "bytes" },
        { name: "decoded", type: "json", optional: true },
        { name: "logs", doc: "The events of this frame alone, even if the frame failed.", type: { list: "FrameLog" } },
        { name: "calls", type: { list: "CallFrame" } },
      ],
    },
    {
      name: "FrameLog",
      doc: "The members of Log, and the place of the event in its frame.",
      fields: [
        { name: "contract", type: "address" },
        { name: "topics", type: { list: "hash" } },
        { name: "data", type: "bytes" },
        { name: "height", type: "u64" },
        { name: "block_hash", type: "hash" },
        { name: "tx_hash", type: "hash" },
        { name: "tx_index", type: "u32" },
        { name: "log_index", type: "u32" },
        { name: "event", type: "DecodedEvent", optional: true },
        { name: "position", doc: "Number of the frame's `calls` that came before the event; absent from nodes of earlier versions.", type: "u32", optional: true },
      ],
    },
    {
      name: "HostOp",
      fields: [
        { name: "frame", doc: "The calling frame; frames are numbered from 0 in order of entry.", type: "u32" },
        { name: "name", doc: "Name of the host function, such as `storage_read`.", type: "string" },
        { name: "gas", type: "u64" },
        { name: "args", type: "json" },
        { name: "result", type: "json", optional: true },
      ],
    },
    {
      name: "GasProfile",
      fields: [
        { name: "functions", type: { list: "FunctionGas" } },
        { name: "folded", doc: "One stack with its gas per line, `outer;inner 1234`, the format of flame graph tools. A function more than 256 calls deep\ncounts as a part of the one at that depth.", type: { list: "string" } },
      ],
    },
    {
      name: "FunctionGas",
      fields: [
        { name: "contract", type: "address" },
        { name: "function", doc: "Name from the code's name section, otherwise `function N`; a host function's name after `heddle.`; `(instance)`\nis the cost of instantiating the contract, `(transaction)` the fixed cost of the transaction.", type: "string" },
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
        { name: "atomic_success", doc: "Whether all transactions succeed in this order and their total gas limit fits in a block.", type: "bool" },
        { name: "gas_used", type: "u64" },
        { name: "dependencies", type: { list: "Dependency" } },
        { name: "parallel_groups", doc: "Groups of transaction indices; no transaction depends on one of another group.", type: { list: { list: "u32" } } },
        { name: "critical_path_gas", doc: "The highest total gas of a chain of dependent transactions.", type: "u64" },
        { name: "height", type: "u64" },
      ],
    },
    {
      name: "Dependency",
      doc: "Transaction `to` depends on the earlier transaction `from`. `from` is the previous transaction of the same sender\nand lane, the last writer of data that `to` accesses, or, for data that `to` writes, a reader since the last\nwrite.",
      fields: [
        { name: "from", type: "u32" },
        { name: "to", type: "u32" },
        { name: "kind", type: "DependencyKind" },
        { name: "address", type: "address" },
        { name: "slot", doc: "Absent for the account's record.", type: "bytes32", optional: true },
      ],
    },
    {
      name: "GetEpochKeyArgs",
      fields: [
        { name: "epoch", doc: "Default: the epoch of the next block.", type: "u64", optional: true },
      ],
    },
    {
      name: "GetEpochKeyResult",
      fields: [
        { name: "epoch", type: "u64" },
        { name: "scheme", doc: "The encryption scheme: `bls12381-ibe-1`.", type: "string" },
        { name: "public_key", doc: "The group key, 48 bytes in G1. It is the same in all epochs; only its shares change.", type: "bytes" },
        { name: "quorum", doc: "Number of the epoch's validators needed to open a height.", type: "u32" },
        { name: "first_height", doc: "First block of the epoch. Envelopes of a height open after the block of that height, in any epoch.", type: "u64" },
        { name: "last_height", type: "u64" },
        { name: "next_open_height", doc: "The lowest possible opening height of a new sealed transaction.", type: "u64" },
        { name: "slot_price", doc: "Price of one opening slot in the next block, burned at inclusion; see `BlockHeader.seal_excess`.", type: "u128" },
        { name: "free_slots", doc: "Opening slots, of 16, that are free at `next_open_height` and the 63 heights after it, after the last committed block.\nSealed transactions that wait in the pool are not counted.", type: { list: "u8" } },
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
        { name: "opens_at", doc: "The height whose key opens the envelope.", type: "u64" },
      ],
    },
    {
      name: "TxSubmitBundleArgs",
      fields: [
        { name: "transactions", doc: "borsh(SignedTransaction) each, in order: at least one, at most the limit `bundle_transactions` of the manifest.\nTransactions of one lane have consecutive nonces. The total gas limit is at most half of a block's.", type: { list: "bytes" } },
        { name: "max_height", doc: "The last height at which the bundle may be included; default: the last of the next `bundle_blocks` blocks, see\nthe manifest's limits. Resubmission with a later height extends the bundle.", type: "u64", optional: true },
      ],
    },
    {
      name: "TxSubmitBundleResult",
      fields: [
        { name: "bundle_hash", doc: "sha256(\"heddle/bundle/1\" ‖ the transactions' hashes in order).", type: "hash" },
        { name: "tx_hashes", doc: "`tx_by_hash` reports each transaction: pending until the bundle is included, or rejected with the reason.", type: { list: "hash" } },
      ],
    },
    {
      name: "FinalityCertificate",
      doc: "The validators' signature of a block: one BLS12-381 signature of the group, or of the single validator. Not every block has\none: a block that became final through a later block is proved by that block's certificate and the headers up to it\n(`descendants`, empty for the block's own certificate).",
      fields: [
        { name: "epoch", type: "u64" },
        { name: "view", doc: "The header's view; leaders may certify the last block of an epoch in a later view.", type: "u64" },
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
        { name: "descendants", doc: "From height + 1 up to the certified block; the parent_hash of each is the hash of the header before it.", type: { list: "BlockHeader" } },
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
        { name: "epoch", doc: "The header's epoch.", type: "u64" },
        { name: "validator_set", doc: "The epoch's set, matching the header's validators_hash.", type: "ValidatorSet" },
        { name: "header", type: "BlockHeader" },
        { name: "certificate", type: "FinalityCertificate" },
        { name: "descendants", type: { list: "BlockHeader" } },
        { name: "history", doc: "The history of the blocks below the header's block.", type: "HistoryRoot" },
        { name: "signing_domain", doc: "Prefix of the message that a certificate signs: `heddle/finalize/1`.", type: "string" },
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
      doc: "A key's position in the state tree. A proof without a value proves the key's absence.",
      fields: [
        { name: "key", type: "hash" },
        { name: "value", type: "bytes", optional: true },
        { name: "depth", doc: "Number of inner nodes above the position.", type: "u16" },
        { name: "bitmap", doc: "⌈depth/8⌉ bytes; bit i, value 1 << (i & 7) of byte i >> 3, tells whether the sibling of the path's node at depth i + 1 is\nnon-empty.", type: "bytes" },
        { name: "siblings", doc: "The non-empty siblings, from the deepest up.", type: { list: "hash" } },
        { name: "neighbour", doc: "The leaf at the position of an absent key.", type: "NeighbourLeaf", optional: true },
      ],
    },
    {
      name: "NeighbourLeaf",
      fields: [
        { name: "key", type: "hash" },
        { name: "value_hash", doc: "sha256 of the leaf's value.", type: "hash" },
      ],
    },
    {
      name: "SubtreeProof",
      doc: "The position of a whole subtree, with the bitmap and siblings of a TreeProof.",
      fields: [
        { name: "prefix", doc: "The first `depth` bits; the rest are zero.", type: "hash" },
        { name: "depth", type: "u16" },
        { name: "bitmap", type: "bytes" },
        { name: "siblings", type: { list: "hash" } },
      ],
    },
    {
      name: "FinalizedHistoryRootArgs",
      fields: [
        { name: "height", doc: "The block of the history root; default the last final one.", type: "u64", optional: true },
      ],
    },
    {
      name: "FinalizedHistoryRootResult",
      fields: [
        { name: "history", type: "HistoryRoot" },
        { name: "header", doc: "Header of the block that commits to this history root.", type: "BlockHeader" },
        { name: "certificate", type: "FinalityCertificate", optional: true },
        { name: "descendants", type: { list: "BlockHeader" } },
      ],
    },
    {
      name: "HistoryRoot",
      doc: "History root over the blocks 0 to height − 1.",
      fields: [
        { name: "root", type: "hash" },
        { name: "size", doc: "Number of nodes of the mountain range.", type: "u64" },
        { name: "peaks", doc: "Peaks of the mountain range, highest first.", type: { list: "hash" } },
        { name: "height", type: "u64" },
      ],
    },
    {
      name: "FinalizedHistoryProofArgs",
      fields: [
        { name: "height", doc: "The block to prove.", type: "u64" },
        { name: "at_size", doc: "Size of the mountain range of the proof; default that of the last final block's history_root.", type: "u64", optional: true },
      ],
    },
    {
      name: "FinalizedHistoryProofResult",
      fields: [
        { name: "leaf_index", type: "u64" },
        { name: "block_hash", type: "hash" },
        { name: "path", doc: "The siblings from the leaf up to its peak.", type: { list: "hash" } },
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
        { name: "entries", doc: "Number of keys in the state.", type: "u64" },
        { name: "bytes", doc: "Bytes of the values, keys and blobs of all chunks.", type: "u64" },
        { name: "chunk_count", type: "u32" },
        { name: "chunks_root", doc: "The list root whose leaves are the chunks' hashes.", type: "hash" },
        { name: "created_ms", type: "u64" },
        { name: "archive", type: "ArchiveDescriptor", optional: true },
      ],
    },
    {
      name: "ArchiveDescriptor",
      fields: [
        { name: "format", doc: "Archive format, such as `tar+zstd`.", type: "string" },
        { name: "file", type: "string" },
        { name: "bytes", type: "u64" },
        { name: "sha256", type: "hash" },
      ],
    },
    {
      name: "GetLightSnapshotArgs",
      fields: [
        { name: "height", doc: "Height of a checkpoint; default the newest one.", type: "u64", optional: true },
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
        { name: "validator_set", doc: "Validator set of the header's epoch.", type: "ValidatorSet" },
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
        { name: "height", doc: "Height of a checkpoint.", type: "u64" },
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
        { name: "blobs", doc: "Code and interface texts referenced by records of this chunk and absent from earlier chunks.", type: { list: "bytes" } },
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
    {
      name: "TokenUsageArgs",
      fields: [
        { name: "token", doc: "Id of the token, its `jti`. The token of another caller needs a token of tier admin.", type: "string", optional: true },
        { name: "from_day", doc: "First day, YYYY-MM-DD; default 29 days before `to_day`.", type: "string", optional: true },
        { name: "to_day", doc: "Last day, at most 399 days after `from_day`; default today.", type: "string", optional: true },
        { name: "cursor", type: "string", optional: true },
        { name: "limit", type: "u32", optional: true },
      ],
    },
    {
      name: "TokenUsageResult",
      doc: "Ascending; days without use are left out.",
      fields: [
        { name: "token", type: "string" },
        { name: "subject", doc: "The owner of the token, its `sub`; absent without days.", type: "string", optional: true },
        { name: "days", type: { list: "TokenUsageDay" } },
        { name: "next_cursor", type: "string", optional: true },
      ],
    },
    {
      name: "TokenUsageDay",
      fields: [
        { name: "day", doc: "YYYY-MM-DD, UTC.", type: "string" },
        { name: "calls", doc: "Calls and compute units of all methods.", type: "u64" },
        { name: "units", type: "u64" },
        { name: "methods", doc: "Ascending by name.", type: { list: "TokenMethodUsage" } },
      ],
    },
    {
      name: "TokenMethodUsage",
      fields: [
        { name: "method", type: "string" },
        { name: "calls", doc: "Charged calls, without those whose price was taken back.", type: "u64" },
        { name: "units", doc: "Prices of the calls and of their work.", type: "u64" },
      ],
    },
  ],
  enums: [
    {
      name: "Action",
      variants: [
        { name: "Transfer", tag: "transfer", doc: "Transfer of native balance.", payload: "Transfer" },
        { name: "Deploy", tag: "deploy", doc: "Deployment of a contract.", payload: "Deploy" },
        { name: "Call", tag: "call", doc: "Contract call.", payload: "Call" },
        { name: "Upgrade", tag: "upgrade", doc: "Replacement of a contract's code under its upgrade policy.", payload: "Upgrade" },
        { name: "Batch", tag: "batch", doc: "Calls that take effect together or not at all.", payload: { list: "Call" } },
      ],
    },
    {
      name: "VmType",
      variants: [
        { name: "Wasm", tag: "wasm" },
        { name: "Evm", tag: "evm", doc: "Reserved: deployments are refused until the engine exists." },
      ],
    },
    {
      name: "UpgradePolicy",
      variants: [
        { name: "Immutable", tag: "immutable", doc: "The code never changes." },
        { name: "Admin", tag: "admin", doc: "This account may replace the code at any time.", payload: "address" },
        { name: "Timelock", tag: "timelock", doc: "An account may replace the code after an announcement.", payload: "Timelock" },
      ],
    },
    {
      name: "Signature",
      doc: "A signature with its public key, from which the sender's address is derived.",
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
        { name: "Sealed", tag: "sealed", doc: "A transaction with a sealed action.", payload: "SignedEnvelope" },
        { name: "SealKey", tag: "seal_key", doc: "Opens the envelopes of a height.", payload: "SealKey" },
        { name: "Dealing", tag: "dealing", doc: "One dealer's shares of the group key for the next epoch.", payload: "Dealing" },
        { name: "Change", tag: "change", doc: "A change of the next epoch's validators.", payload: "ApprovedChange" },
        { name: "Complaint", tag: "complaint", doc: "Proves that a dealer sealed garbage, so that its dealing does not count.", payload: "Complaint" },
      ],
    },
    {
      name: "Outcome",
      variants: [
        { name: "Success", tag: "success" },
        { name: "Reverted", tag: "reverted", doc: "The transaction reverted; only nonce and fee changed." },
        { name: "OutOfGas", tag: "out_of_gas" },
        { name: "Trapped", tag: "trapped" },
        { name: "Invalid", tag: "invalid", doc: "The transaction was executed, but its action could not succeed." },
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
      name: "DevChange",
      variants: [
        { name: "Balance", tag: "balance", payload: "DevBalance" },
        { name: "Slots", tag: "slots", payload: "DevSlots" },
        { name: "Contract", tag: "contract", doc: "Puts a contract at an address, or replaces the one there, without running its code. Its slots remain.", payload: "DevContract" },
        { name: "NoContract", tag: "no_contract", doc: "Removes the contract at this address. Its slots remain.", payload: "address" },
        { name: "DeployIndex", tag: "deploy_index", payload: "DevDeployIndex" },
        { name: "Impersonate", tag: "impersonate", doc: "Performs an action as another account. The transaction's output, events, deployed contract and failure are those of\nthe action. At most one, as the last change.", payload: "DevImpersonation" },
        { name: "ForkedAccount", tag: "forked_account", doc: "Copies an account of the chain that this one was forked from.", payload: "DevForkedAccount" },
        { name: "ForkedSlots", tag: "forked_slots", doc: "Copies slots of the chain that this one was forked from, present or not.", payload: "DevSlots" },
      ],
    },
    {
      name: "Health",
      variants: [
        { name: "Ok", tag: "ok" },
        { name: "Degraded", tag: "degraded", doc: "Description of the problem.", payload: "string" },
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
        { name: "Dev", tag: "dev", doc: "A single validator." },
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
      doc: "Selects a state.",
      variants: [
        { name: "Latest", tag: "latest", doc: "After the last committed block." },
        { name: "Finalized", tag: "finalized", doc: "After the last final block." },
        { name: "Height", tag: "height", doc: "After the block of this height.", payload: "u64" },
        { name: "Hash", tag: "hash", doc: "After the block of this hash.", payload: "hash" },
        { name: "AfterTx", tag: "after_tx", doc: "Inside a block, after the transaction with this hash; the proposer's fees are not credited yet.", payload: "hash" },
      ],
    },
    {
      name: "ActionArgs",
      doc: "An action whose calls are given by method name and arguments.",
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
        { name: "Rejected", tag: "rejected", doc: "The transaction left the pool without being included, for this reason.", payload: "string" },
      ],
    },
    {
      name: "ExecStatus",
      variants: [
        { name: "Success", tag: "success" },
        { name: "Reverted", tag: "reverted", payload: "Revert" },
        { name: "OutOfGas", tag: "out_of_gas" },
        { name: "Trapped", tag: "trapped", payload: "Trap" },
        { name: "Invalid", tag: "invalid", doc: "The transaction was executed, but its action could not succeed, for this reason.", payload: "string" },
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
        { name: "Sealed", tag: "sealed", doc: "The action is unknown." },
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
      doc: "Each step sees the writes of earlier transactions, its own overrides and those of earlier steps. A view call runs\nin the block of the transactions; its writes are discarded.",
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
        { name: "Skipped", tag: "skipped", doc: "The reason.", payload: "string" },
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
