// The RPC's records, copied by hand from the design page on interface types.
import { BlockHeader, BlockItem, SignedTransaction, Transaction, ValidatorSet } from './ledger-shapes.js';
import {
  address,
  bool,
  bytes,
  bytes32,
  bytes48,
  hash,
  json,
  list,
  none,
  optional,
  string,
  struct,
  u32,
  u64,
  u128,
  type ValueOf,
  variants,
} from './shapes.js';

export const CheckpointRef = struct({ height: u64, state_root: hash });
export const Tip = struct({ height: u64, hash, timestamp_ms: u64, state_root: hash, epoch: u64, view: u64 });
export const Status = struct({
  version: string,
  chain_id: u64,
  now_ms: u64,
  uptime_ms: u64,
  block_time_ms: u32,
  tip: Tip,
  finalized_height: u64,
  latest_checkpoint: CheckpointRef,
  txpool_size: u32,
  epoch: u64,
  validator_set: ValidatorSet,
  syncing: bool,
});
export const HealthResult = struct({
  status: variants({ ok: none, degraded: string }),
  uptime_ms: u64,
  event_loop_lag_ms: u32,
});
export const SyncStatus = struct({
  state: variants({ synced: none, catching_up: none, stalled: none }),
  tip_height: u64,
  finalized_height: u64,
  best_known_height: u64,
  tip_age_ms: u64,
});
export const ReadinessResult = struct({
  ready: bool,
  sync: SyncStatus,
  epoch_key_available: bool,
  reasons: list(string),
});
const Quantiles = struct({ p50: u32, p90: u32, p99: u32 });
export const ValidatorStatus = struct({
  role: variants({ validator: none, follower: none, dev: none }),
  index: optional(u32),
  dkg: struct({
    state: variants({ idle: none, dealing: none, complaining: none, ready: none, failed: string }),
    epoch: u64,
    dealers_expected: u32,
    dealings_received: u32,
    complaints: u32,
  }),
  sync: SyncStatus,
  peers: list(
    struct({
      index: u32,
      address: string,
      connected: bool,
      rtt_ms: optional(u32),
      last_seen_ms: optional(u64),
      behind_by: optional(u64),
      invalid_proposals: optional(u64),
    }),
  ),
  consensus: struct({
    epoch: u64,
    view: u64,
    leader: u32,
    proposals: u64,
    notarizations: u64,
    nullifications: u64,
    finalizations: u64,
    timeouts: u64,
    equivocations_seen: u64,
    finality_latency_ms: Quantiles,
    block_interval_ms: Quantiles,
  }),
  pending_changes: list(
    struct({
      change: variants({
        add: struct({ identity_key: bytes32, encryption_key: bytes48, endpoint: string }),
        remove: address,
      }),
      address,
      approvals: list(struct({ index: u32, address })),
      approvals_needed: u32,
      included: bool,
      effective_height: u64,
    }),
  ),
});

export const Account = struct({
  address,
  exists: bool,
  balance: u128,
  lanes: list(struct({ lane: u32, next_nonce: u64, pending: u32 })),
  deploy_index: u64,
  is_contract: bool,
});
export const AccountsResult = struct({ height: u64, accounts: list(Account) });

export const ExecStatus = variants({
  success: none,
  reverted: struct({ message: optional(string), data: bytes, error: optional(json) }),
  out_of_gas: none,
  trapped: struct({ kind: string, message: string, backtrace: list(string) }),
  invalid: string,
});
export const Log = struct({
  contract: address,
  topics: list(hash),
  data: bytes,
  height: u64,
  block_hash: hash,
  tx_hash: hash,
  tx_index: u32,
  log_index: u32,
  event: optional(struct({ name: string, args: json })),
});
export const Receipt = struct({
  tx_hash: hash,
  height: u64,
  block_hash: hash,
  index: u32,
  sender: address,
  lane: u32,
  nonce: u64,
  status: ExecStatus,
  gas_used: u64,
  fee: u128,
  contract: optional(address),
  output: bytes,
  decoded: optional(json),
  logs: list(Log),
  finalized: bool,
});
export const InclusionProof = struct({
  header: BlockHeader,
  item: bytes,
  item_index: u32,
  item_path: list(hash),
  item_count: u32,
  receipt: bytes,
  receipt_index: u32,
  receipt_path: list(hash),
  receipt_count: u32,
});
export const TxReceiptResult = struct({ receipt: optional(Receipt), proof: optional(InclusionProof) });
export const TxStatus = variants({
  pending: struct({ lane: u32, nonce: u64, ready: bool, received_ms: u64 }),
  included: struct({ height: u64, block_hash: hash, index: u32, finalized: bool }),
  not_found: none,
  rejected: string,
});
export const TxSubmitResult = struct({ tx_hash: hash, status: TxStatus, receipt: optional(Receipt) });
export const TxByHashResult = struct({ status: TxStatus, transaction: optional(SignedTransaction) });
export const TxBuildResult = struct({ transaction: Transaction, encoded: bytes, tx_hash: hash });

export const BlockSummary = struct({
  height: u64,
  hash,
  parent_hash: hash,
  timestamp_ms: u64,
  proposer: u32,
  epoch: u64,
  view: u64,
  tx_count: u32,
  gas_used: u64,
  gas_limit: u64,
  base_fee: u128,
  state_root: hash,
  finalized: bool,
});
const ActionKind = variants({
  transfer: none,
  deploy: none,
  call: none,
  upgrade: none,
  batch: none,
  sealed: none,
});
export const TxSummary = struct({
  tx_hash: hash,
  height: u64,
  block_hash: hash,
  index: u32,
  timestamp_ms: u64,
  sender: address,
  lane: u32,
  nonce: u64,
  kind: ActionKind,
  to: optional(address),
  value: u128,
  method: optional(string),
  status: ExecStatus,
  gas_used: u64,
  fee: u128,
});
export const PendingSummary = struct({
  tx_hash: hash,
  sender: address,
  lane: u32,
  nonce: u64,
  ready: bool,
  kind: ActionKind,
  max_fee: u128,
  priority_fee: u128,
  gas_limit: u64,
  bytes: u32,
  received_ms: u64,
});
export const ListBlocksResult = struct({ blocks: list(BlockSummary), next_cursor: optional(string) });
export const ListTxsResult = struct({ transactions: list(TxSummary), next_cursor: optional(string) });
export const ListPendingTxsResult = struct({
  transactions: list(PendingSummary),
  next_cursor: optional(string),
});
export const TxpoolStats = struct({
  size: u32,
  bytes: u64,
  capacity: u32,
  lanes: u32,
  ready: u32,
  gapped: u32,
  sealed: struct({ size: u32, bytes: u64, next_open_height: optional(u64) }),
  bundles: u32,
  min_fee: u128,
  base_fee: u128,
});
export const Block = struct({ hash, header: BlockHeader, items: list(BlockItem), finalized: bool });
export const GetBlocksResult = struct({ blocks: list(Block), next_height: optional(u64) });
export const GetBlockSummariesResult = struct({ blocks: list(BlockSummary), next_height: optional(u64) });
export const RangeTx = struct({
  tx_hash: hash,
  height: u64,
  index: u32,
  transaction: SignedTransaction,
  status: ExecStatus,
  gas_used: u64,
});
export const GetTxsInRangeResult = struct({ transactions: list(RangeTx), next_height: optional(u64) });

export type Status = ValueOf<typeof Status>;
export type Account = ValueOf<typeof Account>;
export type Receipt = ValueOf<typeof Receipt>;
export type InclusionProof = ValueOf<typeof InclusionProof>;
export type Block = ValueOf<typeof Block>;
export type BlockSummary = ValueOf<typeof BlockSummary>;
export type TxSummary = ValueOf<typeof TxSummary>;
export type RangeTx = ValueOf<typeof RangeTx>;
export type ExecStatus = ValueOf<typeof ExecStatus>;
