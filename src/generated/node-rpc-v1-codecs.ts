// Generated from idl/ledger.idl and idl/node_rpc_v1.idl by `heddle idl generate`. Do not edit.
import {
  type BorshReader as $BorshReader,
  type BorshWriter as $BorshWriter,
  type BoundCodecs as $BoundCodecs,
  type JsonReader as $JsonReader,
  type JsonWriter as $JsonWriter,
  type Writable as $Writable,
  bindCodecs as $bindCodecs,
  borshWriter as $borshWriter,
} from '../idl/codecs/codec.js';
import {
  type CallFunctions as $CallFunctions,
  type MethodCodec as $MethodCodec,
  bindMethods as $bindMethods,
} from '../idl/codecs/method-codecs.js';
import type {
  Access,
  AccessEntry,
  Account,
  AccountsResult,
  ActionArgs,
  ActionKind,
  ArchiveDescriptor,
  Block,
  BlockOverride,
  BlockRef,
  BlockSummary,
  BundleSimulateArgs,
  BundleSimulateResult,
  CallArgs,
  CallFrame,
  ChainTraceCallArgs,
  ChainTraceCallResult,
  ChainTraceTransactionArgs,
  ChainTraceTransactionResult,
  ChangeApprover,
  CheckpointDescriptor,
  CheckpointListResult,
  CheckpointRef,
  ConsensusMetrics,
  ContractIdlResult,
  ContractMetadataResult,
  DecodedEvent,
  Dependency,
  DependencyKind,
  DkgState,
  DkgStatus,
  ExecStatus,
  FinalityCertificate,
  FinalityProofArgs,
  FinalityProofResult,
  FinalizedHistoryProofArgs,
  FinalizedHistoryProofResult,
  FinalizedHistoryRootArgs,
  FinalizedHistoryRootResult,
  FrameLog,
  FunctionGas,
  GasProfile,
  GetBlockSummariesResult,
  GetBlocksArgs,
  GetBlocksResult,
  GetCheckpointArgs,
  GetCheckpointResult,
  GetEpochKeyArgs,
  GetEpochKeyResult,
  GetLightSnapshotArgs,
  GetLightSnapshotResult,
  GetLogsArgs,
  GetLogsResult,
  GetSnapshotChunkArgs,
  GetSnapshotChunkResult,
  GetTxsInRangeResult,
  Health,
  HealthResult,
  HeldToken,
  HistoryRoot,
  HostOp,
  ImportSnapshotChunkArgs,
  ImportSnapshotChunkResult,
  Inclusion,
  InclusionProof,
  LightClientContextArgs,
  LightClientContextResult,
  ListBlocksArgs,
  ListBlocksResult,
  ListCheckpointsArgs,
  ListCheckpointsResult,
  ListContractsArgs,
  ListContractsResult,
  ListPendingTxsArgs,
  ListPendingTxsResult,
  ListTokensByHolderArgs,
  ListTokensResult,
  ListTxsArgs,
  ListTxsByContractArgs,
  ListTxsByRecipientArgs,
  ListTxsBySenderArgs,
  ListTxsResult,
  Log,
  NamedContract,
  NeighbourLeaf,
  NodeRpcV1Methods,
  NodeRpcV1Types,
  NonceLane,
  PeerHealth,
  PendingSummary,
  PendingTx,
  PendingValidatorChange,
  PipelineStep,
  PipelineStepResult,
  PredictAddressResult,
  Quantiles,
  RangeTx,
  ReadinessResult,
  Receipt,
  Revert,
  Role,
  SealedQueueStats,
  SlotAccess,
  SlotChange,
  SlotValue,
  SnapshotEntry,
  StateDiff,
  StateOverride,
  StateProofArgs,
  StateProofResult,
  Status,
  SubtreeProof,
  SyncState,
  SyncStatus,
  Tip,
  TokenMethodUsage,
  TokenUsageArgs,
  TokenUsageDay,
  TokenUsageResult,
  Trace,
  Tracer,
  Trap,
  TreeProof,
  TxBuildArgs,
  TxBuildResult,
  TxBuildSimulateResult,
  TxByHashResult,
  TxReceiptArgs,
  TxReceiptResult,
  TxSimulateAccessArgs,
  TxSimulateAccessResult,
  TxSimulateArgs,
  TxSimulatePipelineArgs,
  TxSimulatePipelineResult,
  TxSimulateResult,
  TxSimulateTraceArgs,
  TxSimulateTraceResult,
  TxStatus,
  TxSubmitArgs,
  TxSubmitBundleArgs,
  TxSubmitBundleResult,
  TxSubmitResult,
  TxSubmitSealedArgs,
  TxSubmitSealedResult,
  TxSummary,
  TxpoolStats,
  ValidatorStatus,
  ValueChange,
  ViewCallArgs,
  ViewCallResult,
  Wait,
} from './node-rpc-v1.js';
import type { BlockHeader, BlockItem } from './ledger.js';
import {
  readBorshBlockHeader,
  readBorshValidatorSet,
  readJsonBlockHeader,
  readJsonBlockItem,
  readJsonDeploy,
  readJsonPendingUpgrade,
  readJsonSignedTransaction,
  readJsonTransaction,
  readJsonTransfer,
  readJsonUpgrade,
  readJsonUpgradePolicy,
  readJsonValidatorChange,
  readJsonValidatorSet,
  readJsonVmType,
  writeBorshBlockHeader,
  writeBorshValidatorSet,
  writeJsonAccountRecord,
  writeJsonAck,
  writeJsonAction,
  writeJsonApproval,
  writeJsonApprovedChange,
  writeJsonBlockBody,
  writeJsonBlockHeader,
  writeJsonBlockItem,
  writeJsonCall,
  writeJsonCeremony,
  writeJsonCeremonyDealing,
  writeJsonComplaint,
  writeJsonConsensusParameters,
  writeJsonContractRecord,
  writeJsonDealing,
  writeJsonDealingOrder,
  writeJsonDeploy,
  writeJsonDevBalance,
  writeJsonDevChange,
  writeJsonDevChanges,
  writeJsonDevContract,
  writeJsonDevDeployIndex,
  writeJsonDevForkedAccount,
  writeJsonDevImpersonation,
  writeJsonDevSlot,
  writeJsonDevSlots,
  writeJsonEd25519Signature,
  writeJsonEncryptionKeys,
  writeJsonGenesis,
  writeJsonGenesisAccount,
  writeJsonLane,
  writeJsonLedgerLog,
  writeJsonLedgerReceipt,
  writeJsonNewValidator,
  writeJsonOpeningSchedule,
  writeJsonOutcome,
  writeJsonPendingEnvelope,
  writeJsonPendingUpgrade,
  writeJsonScheduledOpening,
  writeJsonSealKey,
  writeJsonSealedEnvelope,
  writeJsonSealedHeader,
  writeJsonSealedShare,
  writeJsonSecp256k1Signature,
  writeJsonSignature,
  writeJsonSignedEnvelope,
  writeJsonSignedTransaction,
  writeJsonTimelock,
  writeJsonTransaction,
  writeJsonTransfer,
  writeJsonUpgrade,
  writeJsonUpgradePolicy,
  writeJsonValidator,
  writeJsonValidatorChange,
  writeJsonValidatorSet,
  writeJsonVmType,
} from './ledger-codecs.js';

const w: $BorshWriter = $borshWriter;

export function readBorshFinalityProofResult(r: $BorshReader, path: string): FinalityProofResult {
  const x0 = readBorshBlockHeader(r, path + '.header');
  const x1 = readBorshFinalityCertificate(r, path + '.certificate');
  const x2 = readBorshBlockHeaderList(r, path + '.descendants');
  return { header: x0, certificate: x1, descendants: x2 };
}

export function readBorshGetLightSnapshotResult(r: $BorshReader, path: string): GetLightSnapshotResult {
  const x0 = readBorshCheckpointDescriptor(r, path + '.checkpoint');
  const x1 = readBorshBlockHeader(r, path + '.header');
  const x2 = readBorshFinalityCertificate(r, path + '.certificate');
  const x3 = readBorshBlockHeaderList(r, path + '.descendants');
  const x4 = readBorshHistoryRoot(r, path + '.history');
  const x5 = readBorshValidatorSet(r, path + '.validator_set');
  return { checkpoint: x0, header: x1, certificate: x2, descendants: x3, history: x4, validator_set: x5 };
}

export function readBorshImportSnapshotChunkArgs(r: $BorshReader, path: string): ImportSnapshotChunkArgs {
  const x0 = r.u64(path, '.height', -1);
  const x1 = r.u32(path, '.index', -1);
  const x2 = readBorshSubtreeProof(r, path + '.proof');
  const x3 = readBorshSnapshotEntryList(r, path + '.entries');
  const x4 = readBorshBytesList(r, path + '.blobs');
  return { height: x0, index: x1, proof: x2, entries: x3, blobs: x4 };
}

export function readBorshFinalityCertificate(r: $BorshReader, path: string): FinalityCertificate {
  const x0 = r.u64(path, '.epoch', -1);
  const x1 = r.u64(path, '.view', -1);
  const x2 = r.fixed(32, path, '.block_hash', -1);
  const x3 = r.u64(path, '.parent_view', -1);
  const x4 = r.bytes(4294967295, path, '.signature', -1);
  const x5 = r.bytes(4294967295, path, '.group_public_key', -1);
  return { epoch: x0, view: x1, block_hash: x2, parent_view: x3, signature: x4, group_public_key: x5 };
}

function readBorshBlockHeaderList(r: $BorshReader, path: string): readonly BlockHeader[] {
  const n = r.count(280, 4294967295, path);
  const items: (BlockHeader)[] = [];
  for (let i = 0; i < n; i++) items.push(readBorshBlockHeader(r, path + '[' + i + ']'));
  return items;
}

export function readBorshCheckpointDescriptor(r: $BorshReader, path: string): CheckpointDescriptor {
  const x0 = r.u64(path, '.height', -1);
  const x1 = r.fixed(32, path, '.block_hash', -1);
  const x2 = r.fixed(32, path, '.state_root', -1);
  const x3 = r.fixed(32, path, '.history_root', -1);
  const x4 = r.u64(path, '.entries', -1);
  const x5 = r.u64(path, '.bytes', -1);
  const x6 = r.u32(path, '.chunk_count', -1);
  const x7 = r.fixed(32, path, '.chunks_root', -1);
  const x8 = r.u64(path, '.created_ms', -1);
  const x9 = r.flag(path, '.archive', -1) ? readBorshArchiveDescriptor(r, path + '.archive') : undefined;
  const result: $Writable<CheckpointDescriptor> = { height: x0, block_hash: x1, state_root: x2, history_root: x3, entries: x4, bytes: x5, chunk_count: x6, chunks_root: x7, created_ms: x8 };
  if (x9 !== undefined) result.archive = x9;
  return result;
}

export function readBorshHistoryRoot(r: $BorshReader, path: string): HistoryRoot {
  const x0 = r.fixed(32, path, '.root', -1);
  const x1 = r.u64(path, '.size', -1);
  const x2 = readBorshHashList(r, path + '.peaks');
  const x3 = r.u64(path, '.height', -1);
  return { root: x0, size: x1, peaks: x2, height: x3 };
}

export function readBorshSubtreeProof(r: $BorshReader, path: string): SubtreeProof {
  const x0 = r.fixed(32, path, '.prefix', -1);
  const x1 = r.u16(path, '.depth', -1);
  const x2 = r.bytes(4294967295, path, '.bitmap', -1);
  const x3 = readBorshHashList(r, path + '.siblings');
  return { prefix: x0, depth: x1, bitmap: x2, siblings: x3 };
}

function readBorshSnapshotEntryList(r: $BorshReader, path: string): readonly SnapshotEntry[] {
  const n = r.count(36, 4294967295, path);
  const items: (SnapshotEntry)[] = [];
  for (let i = 0; i < n; i++) items.push(readBorshSnapshotEntry(r, path + '[' + i + ']'));
  return items;
}

function readBorshBytesList(r: $BorshReader, path: string): readonly Uint8Array[] {
  const n = r.count(4, 4294967295, path);
  const items: (Uint8Array)[] = [];
  for (let i = 0; i < n; i++) items.push(r.bytes(4294967295, path, '', i));
  return items;
}

export function readBorshArchiveDescriptor(r: $BorshReader, path: string): ArchiveDescriptor {
  const x0 = r.string(4294967295, path, '.format', -1);
  const x1 = r.string(4294967295, path, '.file', -1);
  const x2 = r.u64(path, '.bytes', -1);
  const x3 = r.fixed(32, path, '.sha256', -1);
  return { format: x0, file: x1, bytes: x2, sha256: x3 };
}

function readBorshHashList(r: $BorshReader, path: string): readonly Uint8Array[] {
  const n = r.count(32, 4294967295, path);
  const items: (Uint8Array)[] = [];
  for (let i = 0; i < n; i++) items.push(r.fixed(32, path, '', i));
  return items;
}

export function readBorshSnapshotEntry(r: $BorshReader, path: string): SnapshotEntry {
  const x0 = r.fixed(32, path, '.key', -1);
  const x1 = r.bytes(4294967295, path, '.value', -1);
  return { key: x0, value: x1 };
}

export function writeBorshFinalityProofResult(v: FinalityProofResult, path: string): void {
  w.object(v, 'FinalityProofResult', path);
  writeBorshBlockHeader(v.header, path + '.header');
  writeBorshFinalityCertificate(v.certificate, path + '.certificate');
  writeBorshBlockHeaderList(v.descendants, path + '.descendants');
}

export function writeBorshGetLightSnapshotResult(v: GetLightSnapshotResult, path: string): void {
  w.object(v, 'GetLightSnapshotResult', path);
  writeBorshCheckpointDescriptor(v.checkpoint, path + '.checkpoint');
  writeBorshBlockHeader(v.header, path + '.header');
  writeBorshFinalityCertificate(v.certificate, path + '.certificate');
  writeBorshBlockHeaderList(v.descendants, path + '.descendants');
  writeBorshHistoryRoot(v.history, path + '.history');
  writeBorshValidatorSet(v.validator_set, path + '.validator_set');
}

export function writeBorshImportSnapshotChunkArgs(v: ImportSnapshotChunkArgs, path: string): void {
  w.object(v, 'ImportSnapshotChunkArgs', path);
  w.u64(v.height, path, '.height', -1);
  w.u32(v.index, path, '.index', -1);
  writeBorshSubtreeProof(v.proof, path + '.proof');
  writeBorshSnapshotEntryList(v.entries, path + '.entries');
  writeBorshBytesList(v.blobs, path + '.blobs');
}

export function writeBorshFinalityCertificate(v: FinalityCertificate, path: string): void {
  w.object(v, 'FinalityCertificate', path);
  w.u64(v.epoch, path, '.epoch', -1);
  w.u64(v.view, path, '.view', -1);
  w.fixed(v.block_hash, 32, path, '.block_hash', -1);
  w.u64(v.parent_view, path, '.parent_view', -1);
  w.bytes(v.signature, 4294967295, path, '.signature', -1);
  w.bytes(v.group_public_key, 4294967295, path, '.group_public_key', -1);
}

function writeBorshBlockHeaderList(v: readonly BlockHeader[], path: string): void {
  w.count(v, 4294967295, path);
  for (let i = 0; i < v.length; i++) writeBorshBlockHeader(v[i] as BlockHeader, path + '[' + i + ']');
}

export function writeBorshCheckpointDescriptor(v: CheckpointDescriptor, path: string): void {
  w.object(v, 'CheckpointDescriptor', path);
  w.u64(v.height, path, '.height', -1);
  w.fixed(v.block_hash, 32, path, '.block_hash', -1);
  w.fixed(v.state_root, 32, path, '.state_root', -1);
  w.fixed(v.history_root, 32, path, '.history_root', -1);
  w.u64(v.entries, path, '.entries', -1);
  w.u64(v.bytes, path, '.bytes', -1);
  w.u32(v.chunk_count, path, '.chunk_count', -1);
  w.fixed(v.chunks_root, 32, path, '.chunks_root', -1);
  w.u64(v.created_ms, path, '.created_ms', -1);
  const x9 = v.archive;
  if (x9 === undefined || x9 === null) w.variant(0);
  else {
    w.variant(1);
    writeBorshArchiveDescriptor(x9, path + '.archive');
  }
}

export function writeBorshHistoryRoot(v: HistoryRoot, path: string): void {
  w.object(v, 'HistoryRoot', path);
  w.fixed(v.root, 32, path, '.root', -1);
  w.u64(v.size, path, '.size', -1);
  writeBorshHashList(v.peaks, path + '.peaks');
  w.u64(v.height, path, '.height', -1);
}

export function writeBorshSubtreeProof(v: SubtreeProof, path: string): void {
  w.object(v, 'SubtreeProof', path);
  w.fixed(v.prefix, 32, path, '.prefix', -1);
  w.u16(v.depth, path, '.depth', -1);
  w.bytes(v.bitmap, 4294967295, path, '.bitmap', -1);
  writeBorshHashList(v.siblings, path + '.siblings');
}

function writeBorshSnapshotEntryList(v: readonly SnapshotEntry[], path: string): void {
  w.count(v, 4294967295, path);
  for (let i = 0; i < v.length; i++) writeBorshSnapshotEntry(v[i] as SnapshotEntry, path + '[' + i + ']');
}

function writeBorshBytesList(v: readonly Uint8Array[], path: string): void {
  w.count(v, 4294967295, path);
  for (let i = 0; i < v.length; i++) w.bytes(v[i] as Uint8Array, 4294967295, path, '', i);
}

export function writeBorshArchiveDescriptor(v: ArchiveDescriptor, path: string): void {
  w.object(v, 'ArchiveDescriptor', path);
  w.string(v.format, 4294967295, path, '.format', -1);
  w.string(v.file, 4294967295, path, '.file', -1);
  w.u64(v.bytes, path, '.bytes', -1);
  w.fixed(v.sha256, 32, path, '.sha256', -1);
}

function writeBorshHashList(v: readonly Uint8Array[], path: string): void {
  w.count(v, 4294967295, path);
  for (let i = 0; i < v.length; i++) w.fixed(v[i] as Uint8Array, 32, path, '', i);
}

export function writeBorshSnapshotEntry(v: SnapshotEntry, path: string): void {
  w.object(v, 'SnapshotEntry', path);
  w.fixed(v.key, 32, path, '.key', -1);
  w.bytes(v.value, 4294967295, path, '.value', -1);
}

function readJsonParamsOf_status(r: $JsonReader, v: unknown, path: string): NodeRpcV1Methods['status']['params'] {
  r.object(v, 'parameters of status', path);
  if (r.refusesUnknown) {
    for (const k in v) {
      switch (k) {
        default: r.unknownMember(k, [], path);
      }
    }
  }
  return {};
}

export function readJsonStatus(r: $JsonReader, v: unknown, path: string): Status {
  r.object(v, 'Status', path);
  if (r.refusesUnknown) {
    for (const k in v) {
      switch (k) {
        case 'version': case 'chain_id': case 'now_ms': case 'uptime_ms': case 'block_time_ms': case 'tip': case 'finalized_height': case 'latest_checkpoint': case 'txpool_size': case 'epoch': case 'validator_set': case 'syncing': break;
        default: r.unknownMember(k, ['version', 'chain_id', 'now_ms', 'uptime_ms', 'block_time_ms', 'tip', 'finalized_height', 'latest_checkpoint', 'txpool_size', 'epoch', 'validator_set', 'syncing'], path);
      }
    }
  }
  const x0 = r.string(v['version'], 4294967295, path, '.version', -1);
  const x1 = r.u64(v['chain_id'], path, '.chain_id', -1);
  const x2 = r.u64(v['now_ms'], path, '.now_ms', -1);
  const x3 = r.u64(v['uptime_ms'], path, '.uptime_ms', -1);
  const x4 = r.u32(v['block_time_ms'], path, '.block_time_ms', -1);
  const x5 = readJsonTip(r, v['tip'], path + '.tip');
  const x6 = r.u64(v['finalized_height'], path, '.finalized_height', -1);
  const x7 = readJsonCheckpointRef(r, v['latest_checkpoint'], path + '.latest_checkpoint');
  const x8 = r.u32(v['txpool_size'], path, '.txpool_size', -1);
  const x9 = r.u64(v['epoch'], path, '.epoch', -1);
  const x10 = readJsonValidatorSet(r, v['validator_set'], path + '.validator_set');
  const x11 = r.bool(v['syncing'], path, '.syncing', -1);
  return { version: x0, chain_id: x1, now_ms: x2, uptime_ms: x3, block_time_ms: x4, tip: x5, finalized_height: x6, latest_checkpoint: x7, txpool_size: x8, epoch: x9, validator_set: x10, syncing: x11 };
}

function readJsonParamsOf_health(r: $JsonReader, v: unknown, path: string): NodeRpcV1Methods['health']['params'] {
  r.object(v, 'parameters of health', path);
  if (r.refusesUnknown) {
    for (const k in v) {
      switch (k) {
        default: r.unknownMember(k, [], path);
      }
    }
  }
  return {};
}

export function readJsonHealthResult(r: $JsonReader, v: unknown, path: string): HealthResult {
  r.object(v, 'HealthResult', path);
  if (r.refusesUnknown) {
    for (const k in v) {
      switch (k) {
        case 'status': case 'uptime_ms': case 'event_loop_lag_ms': break;
        default: r.unknownMember(k, ['status', 'uptime_ms', 'event_loop_lag_ms'], path);
      }
    }
  }
  const x0 = readJsonHealth(r, v['status'], path + '.status');
  const x1 = r.u64(v['uptime_ms'], path, '.uptime_ms', -1);
  const x2 = r.u32(v['event_loop_lag_ms'], path, '.event_loop_lag_ms', -1);
  return { status: x0, uptime_ms: x1, event_loop_lag_ms: x2 };
}

function readJsonParamsOf_readiness(r: $JsonReader, v: unknown, path: string): NodeRpcV1Methods['readiness']['params'] {
  r.object(v, 'parameters of readiness', path);
  if (r.refusesUnknown) {
    for (const k in v) {
      switch (k) {
        default: r.unknownMember(k, [], path);
      }
    }
  }
  return {};
}

export function readJsonReadinessResult(r: $JsonReader, v: unknown, path: string): ReadinessResult {
  r.object(v, 'ReadinessResult', path);
  if (r.refusesUnknown) {
    for (const k in v) {
      switch (k) {
        case 'ready': case 'sync': case 'epoch_key_available': case 'reasons': break;
        default: r.unknownMember(k, ['ready', 'sync', 'epoch_key_available', 'reasons'], path);
      }
    }
  }
  const x0 = r.bool(v['ready'], path, '.ready', -1);
  const x1 = readJsonSyncStatus(r, v['sync'], path + '.sync');
  const x2 = r.bool(v['epoch_key_available'], path, '.epoch_key_available', -1);
  const x3 = readJsonStringList(r, v['reasons'], path + '.reasons');
  return { ready: x0, sync: x1, epoch_key_available: x2, reasons: x3 };
}

function readJsonParamsOf_validator_status(r: $JsonReader, v: unknown, path: string): NodeRpcV1Methods['validator_status']['params'] {
  r.object(v, 'parameters of validator_status', path);
  if (r.refusesUnknown) {
    for (const k in v) {
      switch (k) {
        default: r.unknownMember(k, [], path);
      }
    }
  }
  return {};
}

export function readJsonValidatorStatus(r: $JsonReader, v: unknown, path: string): ValidatorStatus {
  r.object(v, 'ValidatorStatus', path);
  if (r.refusesUnknown) {
    for (const k in v) {
      switch (k) {
        case 'role': case 'index': case 'dkg': case 'sync': case 'peers': case 'consensus': case 'pending_changes': break;
        default: r.unknownMember(k, ['role', 'index', 'dkg', 'sync', 'peers', 'consensus', 'pending_changes'], path);
      }
    }
  }
  const x0 = readJsonRole(r, v['role'], path + '.role');
  const y1 = v['index'];
  const x1 = y1 === undefined || y1 === null ? undefined : r.u32(y1, path, '.index', -1);
  const x2 = readJsonDkgStatus(r, v['dkg'], path + '.dkg');
  const x3 = readJsonSyncStatus(r, v['sync'], path + '.sync');
  const x4 = readJsonPeerHealthList(r, v['peers'], path + '.peers');
  const x5 = readJsonConsensusMetrics(r, v['consensus'], path + '.consensus');
  const x6 = readJsonPendingValidatorChangeList(r, v['pending_changes'], path + '.pending_changes');
  const result: $Writable<ValidatorStatus> = { role: x0, dkg: x2, sync: x3, peers: x4, consensus: x5, pending_changes: x6 };
  if (x1 !== undefined) result.index = x1;
  return result;
}

function readJsonParamsOf_account(r: $JsonReader, v: unknown, path: string): NodeRpcV1Methods['account']['params'] {
  r.object(v, 'parameters of account', path);
  if (r.refusesUnknown) {
    for (const k in v) {
      switch (k) {
        case 'address': break;
        default: r.unknownMember(k, ['address'], path);
      }
    }
  }
  const x0 = r.address(v['address'], path, '.address', -1);
  return { address: x0 };
}

export function readJsonAccount(r: $JsonReader, v: unknown, path: string): Account {
  r.object(v, 'Account', path);
  if (r.refusesUnknown) {
    for (const k in v) {
      switch (k) {
        case 'address': case 'exists': case 'balance': case 'lanes': case 'deploy_index': case 'is_contract': break;
        default: r.unknownMember(k, ['address', 'exists', 'balance', 'lanes', 'deploy_index', 'is_contract'], path);
      }
    }
  }
  const x0 = r.address(v['address'], path, '.address', -1);
  const x1 = r.bool(v['exists'], path, '.exists', -1);
  const x2 = r.u128(v['balance'], path, '.balance', -1);
  const x3 = readJsonNonceLaneList(r, v['lanes'], path + '.lanes');
  const x4 = r.u64(v['deploy_index'], path, '.deploy_index', -1);
  const x5 = r.bool(v['is_contract'], path, '.is_contract', -1);
  return { address: x0, exists: x1, balance: x2, lanes: x3, deploy_index: x4, is_contract: x5 };
}

function readJsonParamsOf_accounts(r: $JsonReader, v: unknown, path: string): NodeRpcV1Methods['accounts']['params'] {
  r.object(v, 'parameters of accounts', path);
  if (r.refusesUnknown) {
    for (const k in v) {
      switch (k) {
        case 'addresses': break;
        default: r.unknownMember(k, ['addresses'], path);
      }
    }
  }
  const x0 = readJsonAddressList(r, v['addresses'], path + '.addresses');
  return { addresses: x0 };
}

export function readJsonAccountsResult(r: $JsonReader, v: unknown, path: string): AccountsResult {
  r.object(v, 'AccountsResult', path);
  if (r.refusesUnknown) {
    for (const k in v) {
      switch (k) {
        case 'height': case 'accounts': break;
        default: r.unknownMember(k, ['height', 'accounts'], path);
      }
    }
  }
  const x0 = r.u64(v['height'], path, '.height', -1);
  const x1 = readJsonAccountList(r, v['accounts'], path + '.accounts');
  return { height: x0, accounts: x1 };
}

function readJsonParamsOf_predict_address(r: $JsonReader, v: unknown, path: string): NodeRpcV1Methods['predict_address']['params'] {
  r.object(v, 'parameters of predict_address', path);
  if (r.refusesUnknown) {
    for (const k in v) {
      switch (k) {
        case 'deployer': case 'offset': break;
        default: r.unknownMember(k, ['deployer', 'offset'], path);
      }
    }
  }
  const x0 = r.address(v['deployer'], path, '.deployer', -1);
  const y1 = v['offset'];
  const x1 = y1 === undefined || y1 === null ? undefined : r.u64(y1, path, '.offset', -1);
  const result: $Writable<NodeRpcV1Methods['predict_address']['params']> = { deployer: x0 };
  if (x1 !== undefined) result.offset = x1;
  return result;
}

export function readJsonPredictAddressResult(r: $JsonReader, v: unknown, path: string): PredictAddressResult {
  r.object(v, 'PredictAddressResult', path);
  if (r.refusesUnknown) {
    for (const k in v) {
      switch (k) {
        case 'address': case 'deploy_index': break;
        default: r.unknownMember(k, ['address', 'deploy_index'], path);
      }
    }
  }
  const x0 = r.address(v['address'], path, '.address', -1);
  const x1 = r.u64(v['deploy_index'], path, '.deploy_index', -1);
  return { address: x0, deploy_index: x1 };
}

function readJsonParamsOf_contract_metadata(r: $JsonReader, v: unknown, path: string): NodeRpcV1Methods['contract_metadata']['params'] {
  r.object(v, 'parameters of contract_metadata', path);
  if (r.refusesUnknown) {
    for (const k in v) {
      switch (k) {
        case 'address': break;
        default: r.unknownMember(k, ['address'], path);
      }
    }
  }
  const x0 = r.address(v['address'], path, '.address', -1);
  return { address: x0 };
}

export function readJsonContractMetadataResult(r: $JsonReader, v: unknown, path: string): ContractMetadataResult {
  r.object(v, 'ContractMetadataResult', path);
  if (r.refusesUnknown) {
    for (const k in v) {
      switch (k) {
        case 'address': case 'vm': case 'code_hash': case 'code_size': case 'abi_version': case 'upgrade_policy': case 'idl_hash': case 'deployer': case 'deployed_at': case 'pending_upgrade': break;
        default: r.unknownMember(k, ['address', 'vm', 'code_hash', 'code_size', 'abi_version', 'upgrade_policy', 'idl_hash', 'deployer', 'deployed_at', 'pending_upgrade'], path);
      }
    }
  }
  const x0 = r.address(v['address'], path, '.address', -1);
  const x1 = readJsonVmType(r, v['vm'], path + '.vm');
  const x2 = r.digest(v['code_hash'], 'hash', path, '.code_hash', -1);
  const x3 = r.u32(v['code_size'], path, '.code_size', -1);
  const x4 = r.u32(v['abi_version'], path, '.abi_version', -1);
  const x5 = readJsonUpgradePolicy(r, v['upgrade_policy'], path + '.upgrade_policy');
  const y6 = v['idl_hash'];
  const x6 = y6 === undefined || y6 === null ? undefined : r.digest(y6, 'hash', path, '.idl_hash', -1);
  const x7 = r.address(v['deployer'], path, '.deployer', -1);
  const x8 = r.u64(v['deployed_at'], path, '.deployed_at', -1);
  const y9 = v['pending_upgrade'];
  const x9 = y9 === undefined || y9 === null ? undefined : readJsonPendingUpgrade(r, y9, path + '.pending_upgrade');
  const result: $Writable<ContractMetadataResult> = { address: x0, vm: x1, code_hash: x2, code_size: x3, abi_version: x4, upgrade_policy: x5, deployer: x7, deployed_at: x8 };
  if (x6 !== undefined) result.idl_hash = x6;
  if (x9 !== undefined) result.pending_upgrade = x9;
  return result;
}

function readJsonParamsOf_contract_idl(r: $JsonReader, v: unknown, path: string): NodeRpcV1Methods['contract_idl']['params'] {
  r.object(v, 'parameters of contract_idl', path);
  if (r.refusesUnknown) {
    for (const k in v) {
      switch (k) {
        case 'address': break;
        default: r.unknownMember(k, ['address'], path);
      }
    }
  }
  const x0 = r.address(v['address'], path, '.address', -1);
  return { address: x0 };
}

export function readJsonContractIdlResult(r: $JsonReader, v: unknown, path: string): ContractIdlResult {
  r.object(v, 'ContractIdlResult', path);
  if (r.refusesUnknown) {
    for (const k in v) {
      switch (k) {
        case 'address': case 'idl': break;
        default: r.unknownMember(k, ['address', 'idl'], path);
      }
    }
  }
  const x0 = r.address(v['address'], path, '.address', -1);
  const y1 = v['idl'];
  const x1 = y1 === undefined || y1 === null ? undefined : r.string(y1, 4294967295, path, '.idl', -1);
  const result: $Writable<ContractIdlResult> = { address: x0 };
  if (x1 !== undefined) result.idl = x1;
  return result;
}

export function readJsonViewCallArgs(r: $JsonReader, v: unknown, path: string): ViewCallArgs {
  r.object(v, 'ViewCallArgs', path);
  if (r.refusesUnknown) {
    for (const k in v) {
      switch (k) {
        case 'contract': case 'method': case 'args': case 'input': case 'idl': case 'caller': case 'value': case 'gas_limit': case 'at': case 'overrides': case 'block_override': break;
        default: r.unknownMember(k, ['contract', 'method', 'args', 'input', 'idl', 'caller', 'value', 'gas_limit', 'at', 'overrides', 'block_override'], path);
      }
    }
  }
  const x0 = r.address(v['contract'], path, '.contract', -1);
  const y1 = v['method'];
  const x1 = y1 === undefined || y1 === null ? undefined : r.string(y1, 4294967295, path, '.method', -1);
  const y2 = v['args'];
  const x2 = y2 === undefined || y2 === null ? undefined : r.json(y2, path, '.args', -1);
  const y3 = v['input'];
  const x3 = y3 === undefined || y3 === null ? undefined : r.bytes(y3, 4294967295, path, '.input', -1);
  const y4 = v['idl'];
  const x4 = y4 === undefined || y4 === null ? undefined : r.string(y4, 4294967295, path, '.idl', -1);
  const y5 = v['caller'];
  const x5 = y5 === undefined || y5 === null ? undefined : r.address(y5, path, '.caller', -1);
  const y6 = v['value'];
  const x6 = y6 === undefined || y6 === null ? undefined : r.u128(y6, path, '.value', -1);
  const y7 = v['gas_limit'];
  const x7 = y7 === undefined || y7 === null ? undefined : r.u64(y7, path, '.gas_limit', -1);
  const y8 = v['at'];
  const x8 = y8 === undefined || y8 === null ? undefined : readJsonBlockRef(r, y8, path + '.at');
  const y9 = v['overrides'];
  const x9 = y9 === undefined || y9 === null ? undefined : readJsonStateOverrideList(r, y9, path + '.overrides');
  const y10 = v['block_override'];
  const x10 = y10 === undefined || y10 === null ? undefined : readJsonBlockOverride(r, y10, path + '.block_override');
  const result: $Writable<ViewCallArgs> = { contract: x0 };
  if (x1 !== undefined) result.method = x1;
  if (x2 !== undefined) result.args = x2;
  if (x3 !== undefined) result.input = x3;
  if (x4 !== undefined) result.idl = x4;
  if (x5 !== undefined) result.caller = x5;
  if (x6 !== undefined) result.value = x6;
  if (x7 !== undefined) result.gas_limit = x7;
  if (x8 !== undefined) result.at = x8;
  if (x9 !== undefined) result.overrides = x9;
  if (x10 !== undefined) result.block_override = x10;
  return result;
}

export function readJsonViewCallResult(r: $JsonReader, v: unknown, path: string): ViewCallResult {
  r.object(v, 'ViewCallResult', path);
  if (r.refusesUnknown) {
    for (const k in v) {
      switch (k) {
        case 'status': case 'output': case 'decoded': case 'gas_used': case 'height': case 'block_hash': case 'logs': break;
        default: r.unknownMember(k, ['status', 'output', 'decoded', 'gas_used', 'height', 'block_hash', 'logs'], path);
      }
    }
  }
  const x0 = readJsonExecStatus(r, v['status'], path + '.status');
  const x1 = r.bytes(v['output'], 4294967295, path, '.output', -1);
  const y2 = v['decoded'];
  const x2 = y2 === undefined || y2 === null ? undefined : r.json(y2, path, '.decoded', -1);
  const x3 = r.u64(v['gas_used'], path, '.gas_used', -1);
  const x4 = r.u64(v['height'], path, '.height', -1);
  const x5 = r.digest(v['block_hash'], 'hash', path, '.block_hash', -1);
  const x6 = readJsonLogList(r, v['logs'], path + '.logs');
  const result: $Writable<ViewCallResult> = { status: x0, output: x1, gas_used: x3, height: x4, block_hash: x5, logs: x6 };
  if (x2 !== undefined) result.decoded = x2;
  return result;
}

export function readJsonTxBuildArgs(r: $JsonReader, v: unknown, path: string): TxBuildArgs {
  r.object(v, 'TxBuildArgs', path);
  if (r.refusesUnknown) {
    for (const k in v) {
      switch (k) {
        case 'sender': case 'action': case 'lane': case 'nonce': case 'gas_limit': case 'max_fee': case 'priority_fee': case 'valid_until': break;
        default: r.unknownMember(k, ['sender', 'action', 'lane', 'nonce', 'gas_limit', 'max_fee', 'priority_fee', 'valid_until'], path);
      }
    }
  }
  const x0 = r.address(v['sender'], path, '.sender', -1);
  const x1 = readJsonActionArgs(r, v['action'], path + '.action');
  const y2 = v['lane'];
  const x2 = y2 === undefined || y2 === null ? undefined : r.u32(y2, path, '.lane', -1);
  const y3 = v['nonce'];
  const x3 = y3 === undefined || y3 === null ? undefined : r.u64(y3, path, '.nonce', -1);
  const y4 = v['gas_limit'];
  const x4 = y4 === undefined || y4 === null ? undefined : r.u64(y4, path, '.gas_limit', -1);
  const y5 = v['max_fee'];
  const x5 = y5 === undefined || y5 === null ? undefined : r.u128(y5, path, '.max_fee', -1);
  const y6 = v['priority_fee'];
  const x6 = y6 === undefined || y6 === null ? undefined : r.u128(y6, path, '.priority_fee', -1);
  const y7 = v['valid_until'];
  const x7 = y7 === undefined || y7 === null ? undefined : r.u64(y7, path, '.valid_until', -1);
  const result: $Writable<TxBuildArgs> = { sender: x0, action: x1 };
  if (x2 !== undefined) result.lane = x2;
  if (x3 !== undefined) result.nonce = x3;
  if (x4 !== undefined) result.gas_limit = x4;
  if (x5 !== undefined) result.max_fee = x5;
  if (x6 !== undefined) result.priority_fee = x6;
  if (x7 !== undefined) result.valid_until = x7;
  return result;
}

export function readJsonTxBuildResult(r: $JsonReader, v: unknown, path: string): TxBuildResult {
  r.object(v, 'TxBuildResult', path);
  if (r.refusesUnknown) {
    for (const k in v) {
      switch (k) {
        case 'transaction': case 'encoded': case 'tx_hash': break;
        default: r.unknownMember(k, ['transaction', 'encoded', 'tx_hash'], path);
      }
    }
  }
  const x0 = readJsonTransaction(r, v['transaction'], path + '.transaction');
  const x1 = r.bytes(v['encoded'], 4294967295, path, '.encoded', -1);
  const x2 = r.digest(v['tx_hash'], 'hash', path, '.tx_hash', -1);
  return { transaction: x0, encoded: x1, tx_hash: x2 };
}

export function readJsonTxBuildSimulateResult(r: $JsonReader, v: unknown, path: string): TxBuildSimulateResult {
  r.object(v, 'TxBuildSimulateResult', path);
  if (r.refusesUnknown) {
    for (const k in v) {
      switch (k) {
        case 'build': case 'simulation': break;
        default: r.unknownMember(k, ['build', 'simulation'], path);
      }
    }
  }
  const x0 = readJsonTxBuildResult(r, v['build'], path + '.build');
  const x1 = readJsonTxSimulateResult(r, v['simulation'], path + '.simulation');
  return { build: x0, simulation: x1 };
}

export function readJsonTxSubmitArgs(r: $JsonReader, v: unknown, path: string): TxSubmitArgs {
  r.object(v, 'TxSubmitArgs', path);
  if (r.refusesUnknown) {
    for (const k in v) {
      switch (k) {
        case 'encoded': case 'signed': case 'wait': case 'timeout_ms': break;
        default: r.unknownMember(k, ['encoded', 'signed', 'wait', 'timeout_ms'], path);
      }
    }
  }
  const y0 = v['encoded'];
  const x0 = y0 === undefined || y0 === null ? undefined : r.bytes(y0, 4294967295, path, '.encoded', -1);
  const y1 = v['signed'];
  const x1 = y1 === undefined || y1 === null ? undefined : readJsonSignedTransaction(r, y1, path + '.signed');
  const y2 = v['wait'];
  const x2 = y2 === undefined || y2 === null ? undefined : readJsonWait(r, y2, path + '.wait');
  const y3 = v['timeout_ms'];
  const x3 = y3 === undefined || y3 === null ? undefined : r.u32(y3, path, '.timeout_ms', -1);
  const result: $Writable<TxSubmitArgs> = {};
  if (x0 !== undefined) result.encoded = x0;
  if (x1 !== undefined) result.signed = x1;
  if (x2 !== undefined) result.wait = x2;
  if (x3 !== undefined) result.timeout_ms = x3;
  return result;
}

export function readJsonTxSubmitResult(r: $JsonReader, v: unknown, path: string): TxSubmitResult {
  r.object(v, 'TxSubmitResult', path);
  if (r.refusesUnknown) {
    for (const k in v) {
      switch (k) {
        case 'tx_hash': case 'status': case 'receipt': break;
        default: r.unknownMember(k, ['tx_hash', 'status', 'receipt'], path);
      }
    }
  }
  const x0 = r.digest(v['tx_hash'], 'hash', path, '.tx_hash', -1);
  const x1 = readJsonTxStatus(r, v['status'], path + '.status');
  const y2 = v['receipt'];
  const x2 = y2 === undefined || y2 === null ? undefined : readJsonReceipt(r, y2, path + '.receipt');
  const result: $Writable<TxSubmitResult> = { tx_hash: x0, status: x1 };
  if (x2 !== undefined) result.receipt = x2;
  return result;
}

function readJsonParamsOf_tx_by_hash(r: $JsonReader, v: unknown, path: string): NodeRpcV1Methods['tx_by_hash']['params'] {
  r.object(v, 'parameters of tx_by_hash', path);
  if (r.refusesUnknown) {
    for (const k in v) {
      switch (k) {
        case 'tx_hash': break;
        default: r.unknownMember(k, ['tx_hash'], path);
      }
    }
  }
  const x0 = r.digest(v['tx_hash'], 'hash', path, '.tx_hash', -1);
  return { tx_hash: x0 };
}

export function readJsonTxByHashResult(r: $JsonReader, v: unknown, path: string): TxByHashResult {
  r.object(v, 'TxByHashResult', path);
  if (r.refusesUnknown) {
    for (const k in v) {
      switch (k) {
        case 'status': case 'transaction': case 'oldest_height': break;
        default: r.unknownMember(k, ['status', 'transaction', 'oldest_height'], path);
      }
    }
  }
  const x0 = readJsonTxStatus(r, v['status'], path + '.status');
  const y1 = v['transaction'];
  const x1 = y1 === undefined || y1 === null ? undefined : readJsonSignedTransaction(r, y1, path + '.transaction');
  const y2 = v['oldest_height'];
  const x2 = y2 === undefined || y2 === null ? undefined : r.u64(y2, path, '.oldest_height', -1);
  const result: $Writable<TxByHashResult> = { status: x0 };
  if (x1 !== undefined) result.transaction = x1;
  if (x2 !== undefined) result.oldest_height = x2;
  return result;
}

export function readJsonTxReceiptArgs(r: $JsonReader, v: unknown, path: string): TxReceiptArgs {
  r.object(v, 'TxReceiptArgs', path);
  if (r.refusesUnknown) {
    for (const k in v) {
      switch (k) {
        case 'tx_hash': case 'with_proof': break;
        default: r.unknownMember(k, ['tx_hash', 'with_proof'], path);
      }
    }
  }
  const x0 = r.digest(v['tx_hash'], 'hash', path, '.tx_hash', -1);
  const y1 = v['with_proof'];
  const x1 = y1 === undefined || y1 === null ? undefined : r.bool(y1, path, '.with_proof', -1);
  const result: $Writable<TxReceiptArgs> = { tx_hash: x0 };
  if (x1 !== undefined) result.with_proof = x1;
  return result;
}

export function readJsonTxReceiptResult(r: $JsonReader, v: unknown, path: string): TxReceiptResult {
  r.object(v, 'TxReceiptResult', path);
  if (r.refusesUnknown) {
    for (const k in v) {
      switch (k) {
        case 'receipt': case 'proof': case 'oldest_height': break;
        default: r.unknownMember(k, ['receipt', 'proof', 'oldest_height'], path);
      }
    }
  }
  const y0 = v['receipt'];
  const x0 = y0 === undefined || y0 === null ? undefined : readJsonReceipt(r, y0, path + '.receipt');
  const y1 = v['proof'];
  const x1 = y1 === undefined || y1 === null ? undefined : readJsonInclusionProof(r, y1, path + '.proof');
  const y2 = v['oldest_height'];
  const x2 = y2 === undefined || y2 === null ? undefined : r.u64(y2, path, '.oldest_height', -1);
  const result: $Writable<TxReceiptResult> = {};
  if (x0 !== undefined) result.receipt = x0;
  if (x1 !== undefined) result.proof = x1;
  if (x2 !== undefined) result.oldest_height = x2;
  return result;
}

export function readJsonTxSimulateArgs(r: $JsonReader, v: unknown, path: string): TxSimulateArgs {
  r.object(v, 'TxSimulateArgs', path);
  if (r.refusesUnknown) {
    for (const k in v) {
      switch (k) {
        case 'transaction': case 'build': case 'encoded': case 'at': case 'overrides': case 'block_override': case 'idl': break;
        default: r.unknownMember(k, ['transaction', 'build', 'encoded', 'at', 'overrides', 'block_override', 'idl'], path);
      }
    }
  }
  const y0 = v['transaction'];
  const x0 = y0 === undefined || y0 === null ? undefined : readJsonTransaction(r, y0, path + '.transaction');
  const y1 = v['build'];
  const x1 = y1 === undefined || y1 === null ? undefined : readJsonTxBuildArgs(r, y1, path + '.build');
  const y2 = v['encoded'];
  const x2 = y2 === undefined || y2 === null ? undefined : r.bytes(y2, 4294967295, path, '.encoded', -1);
  const y3 = v['at'];
  const x3 = y3 === undefined || y3 === null ? undefined : readJsonBlockRef(r, y3, path + '.at');
  const y4 = v['overrides'];
  const x4 = y4 === undefined || y4 === null ? undefined : readJsonStateOverrideList(r, y4, path + '.overrides');
  const y5 = v['block_override'];
  const x5 = y5 === undefined || y5 === null ? undefined : readJsonBlockOverride(r, y5, path + '.block_override');
  const y6 = v['idl'];
  const x6 = y6 === undefined || y6 === null ? undefined : r.string(y6, 4294967295, path, '.idl', -1);
  const result: $Writable<TxSimulateArgs> = {};
  if (x0 !== undefined) result.transaction = x0;
  if (x1 !== undefined) result.build = x1;
  if (x2 !== undefined) result.encoded = x2;
  if (x3 !== undefined) result.at = x3;
  if (x4 !== undefined) result.overrides = x4;
  if (x5 !== undefined) result.block_override = x5;
  if (x6 !== undefined) result.idl = x6;
  return result;
}

export function readJsonTxSimulateResult(r: $JsonReader, v: unknown, path: string): TxSimulateResult {
  r.object(v, 'TxSimulateResult', path);
  if (r.refusesUnknown) {
    for (const k in v) {
      switch (k) {
        case 'status': case 'gas_used': case 'gas_estimate': case 'fee': case 'output': case 'decoded': case 'contract': case 'logs': case 'state_diff': case 'height': break;
        default: r.unknownMember(k, ['status', 'gas_used', 'gas_estimate', 'fee', 'output', 'decoded', 'contract', 'logs', 'state_diff', 'height'], path);
      }
    }
  }
  const x0 = readJsonExecStatus(r, v['status'], path + '.status');
  const x1 = r.u64(v['gas_used'], path, '.gas_used', -1);
  const x2 = r.u64(v['gas_estimate'], path, '.gas_estimate', -1);
  const x3 = r.u128(v['fee'], path, '.fee', -1);
  const x4 = r.bytes(v['output'], 4294967295, path, '.output', -1);
  const y5 = v['decoded'];
  const x5 = y5 === undefined || y5 === null ? undefined : r.json(y5, path, '.decoded', -1);
  const y6 = v['contract'];
  const x6 = y6 === undefined || y6 === null ? undefined : r.address(y6, path, '.contract', -1);
  const x7 = readJsonLogList(r, v['logs'], path + '.logs');
  const x8 = readJsonStateDiffList(r, v['state_diff'], path + '.state_diff');
  const x9 = r.u64(v['height'], path, '.height', -1);
  const result: $Writable<TxSimulateResult> = { status: x0, gas_used: x1, gas_estimate: x2, fee: x3, output: x4, logs: x7, state_diff: x8, height: x9 };
  if (x5 !== undefined) result.decoded = x5;
  if (x6 !== undefined) result.contract = x6;
  return result;
}

export function readJsonTxSimulateAccessArgs(r: $JsonReader, v: unknown, path: string): TxSimulateAccessArgs {
  r.object(v, 'TxSimulateAccessArgs', path);
  if (r.refusesUnknown) {
    for (const k in v) {
      switch (k) {
        case 'transaction': case 'build': case 'encoded': case 'at': case 'overrides': case 'block_override': case 'idl': break;
        default: r.unknownMember(k, ['transaction', 'build', 'encoded', 'at', 'overrides', 'block_override', 'idl'], path);
      }
    }
  }
  const y0 = v['transaction'];
  const x0 = y0 === undefined || y0 === null ? undefined : readJsonTransaction(r, y0, path + '.transaction');
  const y1 = v['build'];
  const x1 = y1 === undefined || y1 === null ? undefined : readJsonTxBuildArgs(r, y1, path + '.build');
  const y2 = v['encoded'];
  const x2 = y2 === undefined || y2 === null ? undefined : r.bytes(y2, 4294967295, path, '.encoded', -1);
  const y3 = v['at'];
  const x3 = y3 === undefined || y3 === null ? undefined : readJsonBlockRef(r, y3, path + '.at');
  const y4 = v['overrides'];
  const x4 = y4 === undefined || y4 === null ? undefined : readJsonStateOverrideList(r, y4, path + '.overrides');
  const y5 = v['block_override'];
  const x5 = y5 === undefined || y5 === null ? undefined : readJsonBlockOverride(r, y5, path + '.block_override');
  const y6 = v['idl'];
  const x6 = y6 === undefined || y6 === null ? undefined : r.string(y6, 4294967295, path, '.idl', -1);
  const result: $Writable<TxSimulateAccessArgs> = {};
  if (x0 !== undefined) result.transaction = x0;
  if (x1 !== undefined) result.build = x1;
  if (x2 !== undefined) result.encoded = x2;
  if (x3 !== undefined) result.at = x3;
  if (x4 !== undefined) result.overrides = x4;
  if (x5 !== undefined) result.block_override = x5;
  if (x6 !== undefined) result.idl = x6;
  return result;
}

export function readJsonTxSimulateAccessResult(r: $JsonReader, v: unknown, path: string): TxSimulateAccessResult {
  r.object(v, 'TxSimulateAccessResult', path);
  if (r.refusesUnknown) {
    for (const k in v) {
      switch (k) {
        case 'simulation': case 'access_list': break;
        default: r.unknownMember(k, ['simulation', 'access_list'], path);
      }
    }
  }
  const x0 = readJsonTxSimulateResult(r, v['simulation'], path + '.simulation');
  const x1 = readJsonAccessEntryList(r, v['access_list'], path + '.access_list');
  return { simulation: x0, access_list: x1 };
}

export function readJsonTxSimulatePipelineArgs(r: $JsonReader, v: unknown, path: string): TxSimulatePipelineArgs {
  r.object(v, 'TxSimulatePipelineArgs', path);
  if (r.refusesUnknown) {
    for (const k in v) {
      switch (k) {
        case 'steps': case 'at': case 'overrides': case 'stop_on_failure': break;
        default: r.unknownMember(k, ['steps', 'at', 'overrides', 'stop_on_failure'], path);
      }
    }
  }
  const x0 = readJsonPipelineStepList(r, v['steps'], path + '.steps');
  const y1 = v['at'];
  const x1 = y1 === undefined || y1 === null ? undefined : readJsonBlockRef(r, y1, path + '.at');
  const y2 = v['overrides'];
  const x2 = y2 === undefined || y2 === null ? undefined : readJsonStateOverrideList(r, y2, path + '.overrides');
  const y3 = v['stop_on_failure'];
  const x3 = y3 === undefined || y3 === null ? undefined : r.bool(y3, path, '.stop_on_failure', -1);
  const result: $Writable<TxSimulatePipelineArgs> = { steps: x0 };
  if (x1 !== undefined) result.at = x1;
  if (x2 !== undefined) result.overrides = x2;
  if (x3 !== undefined) result.stop_on_failure = x3;
  return result;
}

export function readJsonTxSimulatePipelineResult(r: $JsonReader, v: unknown, path: string): TxSimulatePipelineResult {
  r.object(v, 'TxSimulatePipelineResult', path);
  if (r.refusesUnknown) {
    for (const k in v) {
      switch (k) {
        case 'steps': case 'gas_used': case 'height': case 'completed': break;
        default: r.unknownMember(k, ['steps', 'gas_used', 'height', 'completed'], path);
      }
    }
  }
  const x0 = readJsonPipelineStepResultList(r, v['steps'], path + '.steps');
  const x1 = r.u64(v['gas_used'], path, '.gas_used', -1);
  const x2 = r.u64(v['height'], path, '.height', -1);
  const x3 = r.bool(v['completed'], path, '.completed', -1);
  return { steps: x0, gas_used: x1, height: x2, completed: x3 };
}

export function readJsonListBlocksArgs(r: $JsonReader, v: unknown, path: string): ListBlocksArgs {
  r.object(v, 'ListBlocksArgs', path);
  if (r.refusesUnknown) {
    for (const k in v) {
      switch (k) {
        case 'cursor': case 'limit': break;
        default: r.unknownMember(k, ['cursor', 'limit'], path);
      }
    }
  }
  const y0 = v['cursor'];
  const x0 = y0 === undefined || y0 === null ? undefined : r.string(y0, 4294967295, path, '.cursor', -1);
  const y1 = v['limit'];
  const x1 = y1 === undefined || y1 === null ? undefined : r.u32(y1, path, '.limit', -1);
  const result: $Writable<ListBlocksArgs> = {};
  if (x0 !== undefined) result.cursor = x0;
  if (x1 !== undefined) result.limit = x1;
  return result;
}

export function readJsonListBlocksResult(r: $JsonReader, v: unknown, path: string): ListBlocksResult {
  r.object(v, 'ListBlocksResult', path);
  if (r.refusesUnknown) {
    for (const k in v) {
      switch (k) {
        case 'blocks': case 'next_cursor': break;
        default: r.unknownMember(k, ['blocks', 'next_cursor'], path);
      }
    }
  }
  const x0 = readJsonBlockSummaryList(r, v['blocks'], path + '.blocks');
  const y1 = v['next_cursor'];
  const x1 = y1 === undefined || y1 === null ? undefined : r.string(y1, 4294967295, path, '.next_cursor', -1);
  const result: $Writable<ListBlocksResult> = { blocks: x0 };
  if (x1 !== undefined) result.next_cursor = x1;
  return result;
}

export function readJsonListTxsArgs(r: $JsonReader, v: unknown, path: string): ListTxsArgs {
  r.object(v, 'ListTxsArgs', path);
  if (r.refusesUnknown) {
    for (const k in v) {
      switch (k) {
        case 'cursor': case 'limit': break;
        default: r.unknownMember(k, ['cursor', 'limit'], path);
      }
    }
  }
  const y0 = v['cursor'];
  const x0 = y0 === undefined || y0 === null ? undefined : r.string(y0, 4294967295, path, '.cursor', -1);
  const y1 = v['limit'];
  const x1 = y1 === undefined || y1 === null ? undefined : r.u32(y1, path, '.limit', -1);
  const result: $Writable<ListTxsArgs> = {};
  if (x0 !== undefined) result.cursor = x0;
  if (x1 !== undefined) result.limit = x1;
  return result;
}

export function readJsonListTxsResult(r: $JsonReader, v: unknown, path: string): ListTxsResult {
  r.object(v, 'ListTxsResult', path);
  if (r.refusesUnknown) {
    for (const k in v) {
      switch (k) {
        case 'transactions': case 'next_cursor': break;
        default: r.unknownMember(k, ['transactions', 'next_cursor'], path);
      }
    }
  }
  const x0 = readJsonTxSummaryList(r, v['transactions'], path + '.transactions');
  const y1 = v['next_cursor'];
  const x1 = y1 === undefined || y1 === null ? undefined : r.string(y1, 4294967295, path, '.next_cursor', -1);
  const result: $Writable<ListTxsResult> = { transactions: x0 };
  if (x1 !== undefined) result.next_cursor = x1;
  return result;
}

export function readJsonListTxsBySenderArgs(r: $JsonReader, v: unknown, path: string): ListTxsBySenderArgs {
  r.object(v, 'ListTxsBySenderArgs', path);
  if (r.refusesUnknown) {
    for (const k in v) {
      switch (k) {
        case 'sender': case 'cursor': case 'limit': break;
        default: r.unknownMember(k, ['sender', 'cursor', 'limit'], path);
      }
    }
  }
  const x0 = r.address(v['sender'], path, '.sender', -1);
  const y1 = v['cursor'];
  const x1 = y1 === undefined || y1 === null ? undefined : r.string(y1, 4294967295, path, '.cursor', -1);
  const y2 = v['limit'];
  const x2 = y2 === undefined || y2 === null ? undefined : r.u32(y2, path, '.limit', -1);
  const result: $Writable<ListTxsBySenderArgs> = { sender: x0 };
  if (x1 !== undefined) result.cursor = x1;
  if (x2 !== undefined) result.limit = x2;
  return result;
}

export function readJsonListTxsByContractArgs(r: $JsonReader, v: unknown, path: string): ListTxsByContractArgs {
  r.object(v, 'ListTxsByContractArgs', path);
  if (r.refusesUnknown) {
    for (const k in v) {
      switch (k) {
        case 'contract': case 'cursor': case 'limit': break;
        default: r.unknownMember(k, ['contract', 'cursor', 'limit'], path);
      }
    }
  }
  const x0 = r.address(v['contract'], path, '.contract', -1);
  const y1 = v['cursor'];
  const x1 = y1 === undefined || y1 === null ? undefined : r.string(y1, 4294967295, path, '.cursor', -1);
  const y2 = v['limit'];
  const x2 = y2 === undefined || y2 === null ? undefined : r.u32(y2, path, '.limit', -1);
  const result: $Writable<ListTxsByContractArgs> = { contract: x0 };
  if (x1 !== undefined) result.cursor = x1;
  if (x2 !== undefined) result.limit = x2;
  return result;
}

export function readJsonListTxsByRecipientArgs(r: $JsonReader, v: unknown, path: string): ListTxsByRecipientArgs {
  r.object(v, 'ListTxsByRecipientArgs', path);
  if (r.refusesUnknown) {
    for (const k in v) {
      switch (k) {
        case 'recipient': case 'cursor': case 'limit': break;
        default: r.unknownMember(k, ['recipient', 'cursor', 'limit'], path);
      }
    }
  }
  const x0 = r.address(v['recipient'], path, '.recipient', -1);
  const y1 = v['cursor'];
  const x1 = y1 === undefined || y1 === null ? undefined : r.string(y1, 4294967295, path, '.cursor', -1);
  const y2 = v['limit'];
  const x2 = y2 === undefined || y2 === null ? undefined : r.u32(y2, path, '.limit', -1);
  const result: $Writable<ListTxsByRecipientArgs> = { recipient: x0 };
  if (x1 !== undefined) result.cursor = x1;
  if (x2 !== undefined) result.limit = x2;
  return result;
}

export function readJsonListTokensByHolderArgs(r: $JsonReader, v: unknown, path: string): ListTokensByHolderArgs {
  r.object(v, 'ListTokensByHolderArgs', path);
  if (r.refusesUnknown) {
    for (const k in v) {
      switch (k) {
        case 'holder': case 'cursor': case 'limit': break;
        default: r.unknownMember(k, ['holder', 'cursor', 'limit'], path);
      }
    }
  }
  const x0 = r.address(v['holder'], path, '.holder', -1);
  const y1 = v['cursor'];
  const x1 = y1 === undefined || y1 === null ? undefined : r.string(y1, 4294967295, path, '.cursor', -1);
  const y2 = v['limit'];
  const x2 = y2 === undefined || y2 === null ? undefined : r.u32(y2, path, '.limit', -1);
  const result: $Writable<ListTokensByHolderArgs> = { holder: x0 };
  if (x1 !== undefined) result.cursor = x1;
  if (x2 !== undefined) result.limit = x2;
  return result;
}

export function readJsonListTokensResult(r: $JsonReader, v: unknown, path: string): ListTokensResult {
  r.object(v, 'ListTokensResult', path);
  if (r.refusesUnknown) {
    for (const k in v) {
      switch (k) {
        case 'tokens': case 'next_cursor': break;
        default: r.unknownMember(k, ['tokens', 'next_cursor'], path);
      }
    }
  }
  const x0 = readJsonHeldTokenList(r, v['tokens'], path + '.tokens');
  const y1 = v['next_cursor'];
  const x1 = y1 === undefined || y1 === null ? undefined : r.string(y1, 4294967295, path, '.next_cursor', -1);
  const result: $Writable<ListTokensResult> = { tokens: x0 };
  if (x1 !== undefined) result.next_cursor = x1;
  return result;
}

export function readJsonListContractsArgs(r: $JsonReader, v: unknown, path: string): ListContractsArgs {
  r.object(v, 'ListContractsArgs', path);
  if (r.refusesUnknown) {
    for (const k in v) {
      switch (k) {
        case 'name': case 'cursor': case 'limit': break;
        default: r.unknownMember(k, ['name', 'cursor', 'limit'], path);
      }
    }
  }
  const y0 = v['name'];
  const x0 = y0 === undefined || y0 === null ? undefined : r.string(y0, 4294967295, path, '.name', -1);
  const y1 = v['cursor'];
  const x1 = y1 === undefined || y1 === null ? undefined : r.string(y1, 4294967295, path, '.cursor', -1);
  const y2 = v['limit'];
  const x2 = y2 === undefined || y2 === null ? undefined : r.u32(y2, path, '.limit', -1);
  const result: $Writable<ListContractsArgs> = {};
  if (x0 !== undefined) result.name = x0;
  if (x1 !== undefined) result.cursor = x1;
  if (x2 !== undefined) result.limit = x2;
  return result;
}

export function readJsonListContractsResult(r: $JsonReader, v: unknown, path: string): ListContractsResult {
  r.object(v, 'ListContractsResult', path);
  if (r.refusesUnknown) {
    for (const k in v) {
      switch (k) {
        case 'contracts': case 'next_cursor': break;
        default: r.unknownMember(k, ['contracts', 'next_cursor'], path);
      }
    }
  }
  const x0 = readJsonNamedContractList(r, v['contracts'], path + '.contracts');
  const y1 = v['next_cursor'];
  const x1 = y1 === undefined || y1 === null ? undefined : r.string(y1, 4294967295, path, '.next_cursor', -1);
  const result: $Writable<ListContractsResult> = { contracts: x0 };
  if (x1 !== undefined) result.next_cursor = x1;
  return result;
}

export function readJsonGetLogsArgs(r: $JsonReader, v: unknown, path: string): GetLogsArgs {
  r.object(v, 'GetLogsArgs', path);
  if (r.refusesUnknown) {
    for (const k in v) {
      switch (k) {
        case 'contract': case 'contracts': case 'topics': case 'from_height': case 'to_height': case 'cursor': case 'limit': break;
        default: r.unknownMember(k, ['contract', 'contracts', 'topics', 'from_height', 'to_height', 'cursor', 'limit'], path);
      }
    }
  }
  const y0 = v['contract'];
  const x0 = y0 === undefined || y0 === null ? undefined : r.address(y0, path, '.contract', -1);
  const y1 = v['contracts'];
  const x1 = y1 === undefined || y1 === null ? undefined : readJsonAddressList(r, y1, path + '.contracts');
  const y2 = v['topics'];
  const x2 = y2 === undefined || y2 === null ? undefined : readJsonHashListList(r, y2, path + '.topics');
  const y3 = v['from_height'];
  const x3 = y3 === undefined || y3 === null ? undefined : r.u64(y3, path, '.from_height', -1);
  const y4 = v['to_height'];
  const x4 = y4 === undefined || y4 === null ? undefined : r.u64(y4, path, '.to_height', -1);
  const y5 = v['cursor'];
  const x5 = y5 === undefined || y5 === null ? undefined : r.string(y5, 4294967295, path, '.cursor', -1);
  const y6 = v['limit'];
  const x6 = y6 === undefined || y6 === null ? undefined : r.u32(y6, path, '.limit', -1);
  const result: $Writable<GetLogsArgs> = {};
  if (x0 !== undefined) result.contract = x0;
  if (x1 !== undefined) result.contracts = x1;
  if (x2 !== undefined) result.topics = x2;
  if (x3 !== undefined) result.from_height = x3;
  if (x4 !== undefined) result.to_height = x4;
  if (x5 !== undefined) result.cursor = x5;
  if (x6 !== undefined) result.limit = x6;
  return result;
}

export function readJsonGetLogsResult(r: $JsonReader, v: unknown, path: string): GetLogsResult {
  r.object(v, 'GetLogsResult', path);
  if (r.refusesUnknown) {
    for (const k in v) {
      switch (k) {
        case 'logs': case 'searched_to': case 'next_cursor': break;
        default: r.unknownMember(k, ['logs', 'searched_to', 'next_cursor'], path);
      }
    }
  }
  const x0 = readJsonLogList(r, v['logs'], path + '.logs');
  const y1 = v['searched_to'];
  const x1 = y1 === undefined || y1 === null ? undefined : r.u64(y1, path, '.searched_to', -1);
  const y2 = v['next_cursor'];
  const x2 = y2 === undefined || y2 === null ? undefined : r.string(y2, 4294967295, path, '.next_cursor', -1);
  const result: $Writable<GetLogsResult> = { logs: x0 };
  if (x1 !== undefined) result.searched_to = x1;
  if (x2 !== undefined) result.next_cursor = x2;
  return result;
}

export function readJsonListPendingTxsArgs(r: $JsonReader, v: unknown, path: string): ListPendingTxsArgs {
  r.object(v, 'ListPendingTxsArgs', path);
  if (r.refusesUnknown) {
    for (const k in v) {
      switch (k) {
        case 'sender': case 'cursor': case 'limit': break;
        default: r.unknownMember(k, ['sender', 'cursor', 'limit'], path);
      }
    }
  }
  const y0 = v['sender'];
  const x0 = y0 === undefined || y0 === null ? undefined : r.address(y0, path, '.sender', -1);
  const y1 = v['cursor'];
  const x1 = y1 === undefined || y1 === null ? undefined : r.string(y1, 4294967295, path, '.cursor', -1);
  const y2 = v['limit'];
  const x2 = y2 === undefined || y2 === null ? undefined : r.u32(y2, path, '.limit', -1);
  const result: $Writable<ListPendingTxsArgs> = {};
  if (x0 !== undefined) result.sender = x0;
  if (x1 !== undefined) result.cursor = x1;
  if (x2 !== undefined) result.limit = x2;
  return result;
}

export function readJsonListPendingTxsResult(r: $JsonReader, v: unknown, path: string): ListPendingTxsResult {
  r.object(v, 'ListPendingTxsResult', path);
  if (r.refusesUnknown) {
    for (const k in v) {
      switch (k) {
        case 'transactions': case 'next_cursor': break;
        default: r.unknownMember(k, ['transactions', 'next_cursor'], path);
      }
    }
  }
  const x0 = readJsonPendingSummaryList(r, v['transactions'], path + '.transactions');
  const y1 = v['next_cursor'];
  const x1 = y1 === undefined || y1 === null ? undefined : r.string(y1, 4294967295, path, '.next_cursor', -1);
  const result: $Writable<ListPendingTxsResult> = { transactions: x0 };
  if (x1 !== undefined) result.next_cursor = x1;
  return result;
}

function readJsonParamsOf_txpool_stats(r: $JsonReader, v: unknown, path: string): NodeRpcV1Methods['txpool_stats']['params'] {
  r.object(v, 'parameters of txpool_stats', path);
  if (r.refusesUnknown) {
    for (const k in v) {
      switch (k) {
        default: r.unknownMember(k, [], path);
      }
    }
  }
  return {};
}

export function readJsonTxpoolStats(r: $JsonReader, v: unknown, path: string): TxpoolStats {
  r.object(v, 'TxpoolStats', path);
  if (r.refusesUnknown) {
    for (const k in v) {
      switch (k) {
        case 'size': case 'bytes': case 'capacity': case 'lanes': case 'ready': case 'gapped': case 'sealed': case 'bundles': case 'min_fee': case 'base_fee': break;
        default: r.unknownMember(k, ['size', 'bytes', 'capacity', 'lanes', 'ready', 'gapped', 'sealed', 'bundles', 'min_fee', 'base_fee'], path);
      }
    }
  }
  const x0 = r.u32(v['size'], path, '.size', -1);
  const x1 = r.u64(v['bytes'], path, '.bytes', -1);
  const x2 = r.u32(v['capacity'], path, '.capacity', -1);
  const x3 = r.u32(v['lanes'], path, '.lanes', -1);
  const x4 = r.u32(v['ready'], path, '.ready', -1);
  const x5 = r.u32(v['gapped'], path, '.gapped', -1);
  const x6 = readJsonSealedQueueStats(r, v['sealed'], path + '.sealed');
  const x7 = r.u32(v['bundles'], path, '.bundles', -1);
  const x8 = r.u128(v['min_fee'], path, '.min_fee', -1);
  const x9 = r.u128(v['base_fee'], path, '.base_fee', -1);
  return { size: x0, bytes: x1, capacity: x2, lanes: x3, ready: x4, gapped: x5, sealed: x6, bundles: x7, min_fee: x8, base_fee: x9 };
}

export function readJsonGetBlocksArgs(r: $JsonReader, v: unknown, path: string): GetBlocksArgs {
  r.object(v, 'GetBlocksArgs', path);
  if (r.refusesUnknown) {
    for (const k in v) {
      switch (k) {
        case 'from_height': case 'to_height': break;
        default: r.unknownMember(k, ['from_height', 'to_height'], path);
      }
    }
  }
  const x0 = r.u64(v['from_height'], path, '.from_height', -1);
  const x1 = r.u64(v['to_height'], path, '.to_height', -1);
  return { from_height: x0, to_height: x1 };
}

export function readJsonGetBlocksResult(r: $JsonReader, v: unknown, path: string): GetBlocksResult {
  r.object(v, 'GetBlocksResult', path);
  if (r.refusesUnknown) {
    for (const k in v) {
      switch (k) {
        case 'blocks': case 'next_height': break;
        default: r.unknownMember(k, ['blocks', 'next_height'], path);
      }
    }
  }
  const x0 = readJsonBlockList(r, v['blocks'], path + '.blocks');
  const y1 = v['next_height'];
  const x1 = y1 === undefined || y1 === null ? undefined : r.u64(y1, path, '.next_height', -1);
  const result: $Writable<GetBlocksResult> = { blocks: x0 };
  if (x1 !== undefined) result.next_height = x1;
  return result;
}

export function readJsonGetBlockSummariesResult(r: $JsonReader, v: unknown, path: string): GetBlockSummariesResult {
  r.object(v, 'GetBlockSummariesResult', path);
  if (r.refusesUnknown) {
    for (const k in v) {
      switch (k) {
        case 'blocks': case 'next_height': break;
        default: r.unknownMember(k, ['blocks', 'next_height'], path);
      }
    }
  }
  const x0 = readJsonBlockSummaryList(r, v['blocks'], path + '.blocks');
  const y1 = v['next_height'];
  const x1 = y1 === undefined || y1 === null ? undefined : r.u64(y1, path, '.next_height', -1);
  const result: $Writable<GetBlockSummariesResult> = { blocks: x0 };
  if (x1 !== undefined) result.next_height = x1;
  return result;
}

export function readJsonGetTxsInRangeResult(r: $JsonReader, v: unknown, path: string): GetTxsInRangeResult {
  r.object(v, 'GetTxsInRangeResult', path);
  if (r.refusesUnknown) {
    for (const k in v) {
      switch (k) {
        case 'transactions': case 'next_height': break;
        default: r.unknownMember(k, ['transactions', 'next_height'], path);
      }
    }
  }
  const x0 = readJsonRangeTxList(r, v['transactions'], path + '.transactions');
  const y1 = v['next_height'];
  const x1 = y1 === undefined || y1 === null ? undefined : r.u64(y1, path, '.next_height', -1);
  const result: $Writable<GetTxsInRangeResult> = { transactions: x0 };
  if (x1 !== undefined) result.next_height = x1;
  return result;
}

export function readJsonFinalityProofArgs(r: $JsonReader, v: unknown, path: string): FinalityProofArgs {
  r.object(v, 'FinalityProofArgs', path);
  if (r.refusesUnknown) {
    for (const k in v) {
      switch (k) {
        case 'height': break;
        default: r.unknownMember(k, ['height'], path);
      }
    }
  }
  const x0 = r.u64(v['height'], path, '.height', -1);
  return { height: x0 };
}

export function readJsonFinalityProofResult(r: $JsonReader, v: unknown, path: string): FinalityProofResult {
  r.object(v, 'FinalityProofResult', path);
  if (r.refusesUnknown) {
    for (const k in v) {
      switch (k) {
        case 'header': case 'certificate': case 'descendants': break;
        default: r.unknownMember(k, ['header', 'certificate', 'descendants'], path);
      }
    }
  }
  const x0 = readJsonBlockHeader(r, v['header'], path + '.header');
  const x1 = readJsonFinalityCertificate(r, v['certificate'], path + '.certificate');
  const x2 = readJsonBlockHeaderList(r, v['descendants'], path + '.descendants');
  return { header: x0, certificate: x1, descendants: x2 };
}

export function readJsonLightClientContextArgs(r: $JsonReader, v: unknown, path: string): LightClientContextArgs {
  r.object(v, 'LightClientContextArgs', path);
  if (r.refusesUnknown) {
    for (const k in v) {
      switch (k) {
        case 'height': break;
        default: r.unknownMember(k, ['height'], path);
      }
    }
  }
  const y0 = v['height'];
  const x0 = y0 === undefined || y0 === null ? undefined : r.u64(y0, path, '.height', -1);
  const result: $Writable<LightClientContextArgs> = {};
  if (x0 !== undefined) result.height = x0;
  return result;
}

export function readJsonLightClientContextResult(r: $JsonReader, v: unknown, path: string): LightClientContextResult {
  r.object(v, 'LightClientContextResult', path);
  if (r.refusesUnknown) {
    for (const k in v) {
      switch (k) {
        case 'chain_id': case 'genesis_hash': case 'epoch': case 'validator_set': case 'header': case 'certificate': case 'descendants': case 'history': case 'signing_domain': break;
        default: r.unknownMember(k, ['chain_id', 'genesis_hash', 'epoch', 'validator_set', 'header', 'certificate', 'descendants', 'history', 'signing_domain'], path);
      }
    }
  }
  const x0 = r.u64(v['chain_id'], path, '.chain_id', -1);
  const x1 = r.digest(v['genesis_hash'], 'hash', path, '.genesis_hash', -1);
  const x2 = r.u64(v['epoch'], path, '.epoch', -1);
  const x3 = readJsonValidatorSet(r, v['validator_set'], path + '.validator_set');
  const x4 = readJsonBlockHeader(r, v['header'], path + '.header');
  const x5 = readJsonFinalityCertificate(r, v['certificate'], path + '.certificate');
  const x6 = readJsonBlockHeaderList(r, v['descendants'], path + '.descendants');
  const x7 = readJsonHistoryRoot(r, v['history'], path + '.history');
  const x8 = r.string(v['signing_domain'], 4294967295, path, '.signing_domain', -1);
  return { chain_id: x0, genesis_hash: x1, epoch: x2, validator_set: x3, header: x4, certificate: x5, descendants: x6, history: x7, signing_domain: x8 };
}

export function readJsonStateProofArgs(r: $JsonReader, v: unknown, path: string): StateProofArgs {
  r.object(v, 'StateProofArgs', path);
  if (r.refusesUnknown) {
    for (const k in v) {
      switch (k) {
        case 'contract': case 'slot': case 'at': break;
        default: r.unknownMember(k, ['contract', 'slot', 'at'], path);
      }
    }
  }
  const x0 = r.address(v['contract'], path, '.contract', -1);
  const y1 = v['slot'];
  const x1 = y1 === undefined || y1 === null ? undefined : r.digest(y1, 'bytes32', path, '.slot', -1);
  const y2 = v['at'];
  const x2 = y2 === undefined || y2 === null ? undefined : readJsonBlockRef(r, y2, path + '.at');
  const result: $Writable<StateProofArgs> = { contract: x0 };
  if (x1 !== undefined) result.slot = x1;
  if (x2 !== undefined) result.at = x2;
  return result;
}

export function readJsonStateProofResult(r: $JsonReader, v: unknown, path: string): StateProofResult {
  r.object(v, 'StateProofResult', path);
  if (r.refusesUnknown) {
    for (const k in v) {
      switch (k) {
        case 'header': case 'account': case 'slot': case 'certificate': case 'descendants': break;
        default: r.unknownMember(k, ['header', 'account', 'slot', 'certificate', 'descendants'], path);
      }
    }
  }
  const x0 = readJsonBlockHeader(r, v['header'], path + '.header');
  const x1 = readJsonTreeProof(r, v['account'], path + '.account');
  const y2 = v['slot'];
  const x2 = y2 === undefined || y2 === null ? undefined : readJsonTreeProof(r, y2, path + '.slot');
  const y3 = v['certificate'];
  const x3 = y3 === undefined || y3 === null ? undefined : readJsonFinalityCertificate(r, y3, path + '.certificate');
  const x4 = readJsonBlockHeaderList(r, v['descendants'], path + '.descendants');
  const result: $Writable<StateProofResult> = { header: x0, account: x1, descendants: x4 };
  if (x2 !== undefined) result.slot = x2;
  if (x3 !== undefined) result.certificate = x3;
  return result;
}

export function readJsonFinalizedHistoryRootArgs(r: $JsonReader, v: unknown, path: string): FinalizedHistoryRootArgs {
  r.object(v, 'FinalizedHistoryRootArgs', path);
  if (r.refusesUnknown) {
    for (const k in v) {
      switch (k) {
        case 'height': break;
        default: r.unknownMember(k, ['height'], path);
      }
    }
  }
  const y0 = v['height'];
  const x0 = y0 === undefined || y0 === null ? undefined : r.u64(y0, path, '.height', -1);
  const result: $Writable<FinalizedHistoryRootArgs> = {};
  if (x0 !== undefined) result.height = x0;
  return result;
}

export function readJsonFinalizedHistoryRootResult(r: $JsonReader, v: unknown, path: string): FinalizedHistoryRootResult {
  r.object(v, 'FinalizedHistoryRootResult', path);
  if (r.refusesUnknown) {
    for (const k in v) {
      switch (k) {
        case 'history': case 'header': case 'certificate': case 'descendants': break;
        default: r.unknownMember(k, ['history', 'header', 'certificate', 'descendants'], path);
      }
    }
  }
  const x0 = readJsonHistoryRoot(r, v['history'], path + '.history');
  const x1 = readJsonBlockHeader(r, v['header'], path + '.header');
  const y2 = v['certificate'];
  const x2 = y2 === undefined || y2 === null ? undefined : readJsonFinalityCertificate(r, y2, path + '.certificate');
  const x3 = readJsonBlockHeaderList(r, v['descendants'], path + '.descendants');
  const result: $Writable<FinalizedHistoryRootResult> = { history: x0, header: x1, descendants: x3 };
  if (x2 !== undefined) result.certificate = x2;
  return result;
}

export function readJsonFinalizedHistoryProofArgs(r: $JsonReader, v: unknown, path: string): FinalizedHistoryProofArgs {
  r.object(v, 'FinalizedHistoryProofArgs', path);
  if (r.refusesUnknown) {
    for (const k in v) {
      switch (k) {
        case 'height': case 'at_size': break;
        default: r.unknownMember(k, ['height', 'at_size'], path);
      }
    }
  }
  const x0 = r.u64(v['height'], path, '.height', -1);
  const y1 = v['at_size'];
  const x1 = y1 === undefined || y1 === null ? undefined : r.u64(y1, path, '.at_size', -1);
  const result: $Writable<FinalizedHistoryProofArgs> = { height: x0 };
  if (x1 !== undefined) result.at_size = x1;
  return result;
}

export function readJsonFinalizedHistoryProofResult(r: $JsonReader, v: unknown, path: string): FinalizedHistoryProofResult {
  r.object(v, 'FinalizedHistoryProofResult', path);
  if (r.refusesUnknown) {
    for (const k in v) {
      switch (k) {
        case 'leaf_index': case 'block_hash': case 'path': case 'peaks': case 'size': case 'root': break;
        default: r.unknownMember(k, ['leaf_index', 'block_hash', 'path', 'peaks', 'size', 'root'], path);
      }
    }
  }
  const x0 = r.u64(v['leaf_index'], path, '.leaf_index', -1);
  const x1 = r.digest(v['block_hash'], 'hash', path, '.block_hash', -1);
  const x2 = readJsonHashList(r, v['path'], path + '.path');
  const x3 = readJsonHashList(r, v['peaks'], path + '.peaks');
  const x4 = r.u64(v['size'], path, '.size', -1);
  const x5 = r.digest(v['root'], 'hash', path, '.root', -1);
  return { leaf_index: x0, block_hash: x1, path: x2, peaks: x3, size: x4, root: x5 };
}

function readJsonParamsOf_get_checkpoint_list(r: $JsonReader, v: unknown, path: string): NodeRpcV1Methods['get_checkpoint_list']['params'] {
  r.object(v, 'parameters of get_checkpoint_list', path);
  if (r.refusesUnknown) {
    for (const k in v) {
      switch (k) {
        default: r.unknownMember(k, [], path);
      }
    }
  }
  return {};
}

export function readJsonCheckpointListResult(r: $JsonReader, v: unknown, path: string): CheckpointListResult {
  r.object(v, 'CheckpointListResult', path);
  if (r.refusesUnknown) {
    for (const k in v) {
      switch (k) {
        case 'checkpoints': break;
        default: r.unknownMember(k, ['checkpoints'], path);
      }
    }
  }
  const x0 = readJsonCheckpointRefList(r, v['checkpoints'], path + '.checkpoints');
  return { checkpoints: x0 };
}

export function readJsonGetLightSnapshotArgs(r: $JsonReader, v: unknown, path: string): GetLightSnapshotArgs {
  r.object(v, 'GetLightSnapshotArgs', path);
  if (r.refusesUnknown) {
    for (const k in v) {
      switch (k) {
        case 'height': break;
        default: r.unknownMember(k, ['height'], path);
      }
    }
  }
  const y0 = v['height'];
  const x0 = y0 === undefined || y0 === null ? undefined : r.u64(y0, path, '.height', -1);
  const result: $Writable<GetLightSnapshotArgs> = {};
  if (x0 !== undefined) result.height = x0;
  return result;
}

export function readJsonGetLightSnapshotResult(r: $JsonReader, v: unknown, path: string): GetLightSnapshotResult {
  r.object(v, 'GetLightSnapshotResult', path);
  if (r.refusesUnknown) {
    for (const k in v) {
      switch (k) {
        case 'checkpoint': case 'header': case 'certificate': case 'descendants': case 'history': case 'validator_set': break;
        default: r.unknownMember(k, ['checkpoint', 'header', 'certificate', 'descendants', 'history', 'validator_set'], path);
      }
    }
  }
  const x0 = readJsonCheckpointDescriptor(r, v['checkpoint'], path + '.checkpoint');
  const x1 = readJsonBlockHeader(r, v['header'], path + '.header');
  const x2 = readJsonFinalityCertificate(r, v['certificate'], path + '.certificate');
  const x3 = readJsonBlockHeaderList(r, v['descendants'], path + '.descendants');
  const x4 = readJsonHistoryRoot(r, v['history'], path + '.history');
  const x5 = readJsonValidatorSet(r, v['validator_set'], path + '.validator_set');
  return { checkpoint: x0, header: x1, certificate: x2, descendants: x3, history: x4, validator_set: x5 };
}

export function readJsonGetCheckpointArgs(r: $JsonReader, v: unknown, path: string): GetCheckpointArgs {
  r.object(v, 'GetCheckpointArgs', path);
  if (r.refusesUnknown) {
    for (const k in v) {
      switch (k) {
        case 'height': break;
        default: r.unknownMember(k, ['height'], path);
      }
    }
  }
  const x0 = r.u64(v['height'], path, '.height', -1);
  return { height: x0 };
}

export function readJsonGetCheckpointResult(r: $JsonReader, v: unknown, path: string): GetCheckpointResult {
  r.object(v, 'GetCheckpointResult', path);
  if (r.refusesUnknown) {
    for (const k in v) {
      switch (k) {
        case 'checkpoint': break;
        default: r.unknownMember(k, ['checkpoint'], path);
      }
    }
  }
  const x0 = readJsonCheckpointDescriptor(r, v['checkpoint'], path + '.checkpoint');
  return { checkpoint: x0 };
}

export function readJsonListCheckpointsArgs(r: $JsonReader, v: unknown, path: string): ListCheckpointsArgs {
  r.object(v, 'ListCheckpointsArgs', path);
  if (r.refusesUnknown) {
    for (const k in v) {
      switch (k) {
        case 'cursor': case 'limit': break;
        default: r.unknownMember(k, ['cursor', 'limit'], path);
      }
    }
  }
  const y0 = v['cursor'];
  const x0 = y0 === undefined || y0 === null ? undefined : r.string(y0, 4294967295, path, '.cursor', -1);
  const y1 = v['limit'];
  const x1 = y1 === undefined || y1 === null ? undefined : r.u32(y1, path, '.limit', -1);
  const result: $Writable<ListCheckpointsArgs> = {};
  if (x0 !== undefined) result.cursor = x0;
  if (x1 !== undefined) result.limit = x1;
  return result;
}

export function readJsonListCheckpointsResult(r: $JsonReader, v: unknown, path: string): ListCheckpointsResult {
  r.object(v, 'ListCheckpointsResult', path);
  if (r.refusesUnknown) {
    for (const k in v) {
      switch (k) {
        case 'checkpoints': case 'next_cursor': break;
        default: r.unknownMember(k, ['checkpoints', 'next_cursor'], path);
      }
    }
  }
  const x0 = readJsonCheckpointDescriptorList(r, v['checkpoints'], path + '.checkpoints');
  const y1 = v['next_cursor'];
  const x1 = y1 === undefined || y1 === null ? undefined : r.string(y1, 4294967295, path, '.next_cursor', -1);
  const result: $Writable<ListCheckpointsResult> = { checkpoints: x0 };
  if (x1 !== undefined) result.next_cursor = x1;
  return result;
}

export function readJsonGetSnapshotChunkArgs(r: $JsonReader, v: unknown, path: string): GetSnapshotChunkArgs {
  r.object(v, 'GetSnapshotChunkArgs', path);
  if (r.refusesUnknown) {
    for (const k in v) {
      switch (k) {
        case 'height': case 'index': break;
        default: r.unknownMember(k, ['height', 'index'], path);
      }
    }
  }
  const x0 = r.u64(v['height'], path, '.height', -1);
  const x1 = r.u32(v['index'], path, '.index', -1);
  return { height: x0, index: x1 };
}

export function readJsonGetSnapshotChunkResult(r: $JsonReader, v: unknown, path: string): GetSnapshotChunkResult {
  r.object(v, 'GetSnapshotChunkResult', path);
  if (r.refusesUnknown) {
    for (const k in v) {
      switch (k) {
        case 'height': case 'index': case 'proof': case 'entries': case 'blobs': case 'chunk_hash': case 'last': break;
        default: r.unknownMember(k, ['height', 'index', 'proof', 'entries', 'blobs', 'chunk_hash', 'last'], path);
      }
    }
  }
  const x0 = r.u64(v['height'], path, '.height', -1);
  const x1 = r.u32(v['index'], path, '.index', -1);
  const x2 = readJsonSubtreeProof(r, v['proof'], path + '.proof');
  const x3 = readJsonSnapshotEntryList(r, v['entries'], path + '.entries');
  const x4 = readJsonBytesList(r, v['blobs'], path + '.blobs');
  const x5 = r.digest(v['chunk_hash'], 'hash', path, '.chunk_hash', -1);
  const x6 = r.bool(v['last'], path, '.last', -1);
  return { height: x0, index: x1, proof: x2, entries: x3, blobs: x4, chunk_hash: x5, last: x6 };
}

export function readJsonImportSnapshotChunkArgs(r: $JsonReader, v: unknown, path: string): ImportSnapshotChunkArgs {
  r.object(v, 'ImportSnapshotChunkArgs', path);
  if (r.refusesUnknown) {
    for (const k in v) {
      switch (k) {
        case 'height': case 'index': case 'proof': case 'entries': case 'blobs': break;
        default: r.unknownMember(k, ['height', 'index', 'proof', 'entries', 'blobs'], path);
      }
    }
  }
  const x0 = r.u64(v['height'], path, '.height', -1);
  const x1 = r.u32(v['index'], path, '.index', -1);
  const x2 = readJsonSubtreeProof(r, v['proof'], path + '.proof');
  const x3 = readJsonSnapshotEntryList(r, v['entries'], path + '.entries');
  const x4 = readJsonBytesList(r, v['blobs'], path + '.blobs');
  return { height: x0, index: x1, proof: x2, entries: x3, blobs: x4 };
}

export function readJsonImportSnapshotChunkResult(r: $JsonReader, v: unknown, path: string): ImportSnapshotChunkResult {
  r.object(v, 'ImportSnapshotChunkResult', path);
  if (r.refusesUnknown) {
    for (const k in v) {
      switch (k) {
        case 'accepted': case 'remaining_chunks': case 'complete': break;
        default: r.unknownMember(k, ['accepted', 'remaining_chunks', 'complete'], path);
      }
    }
  }
  const x0 = r.u32(v['accepted'], path, '.accepted', -1);
  const x1 = r.u32(v['remaining_chunks'], path, '.remaining_chunks', -1);
  const x2 = r.bool(v['complete'], path, '.complete', -1);
  return { accepted: x0, remaining_chunks: x1, complete: x2 };
}

export function readJsonGetEpochKeyArgs(r: $JsonReader, v: unknown, path: string): GetEpochKeyArgs {
  r.object(v, 'GetEpochKeyArgs', path);
  if (r.refusesUnknown) {
    for (const k in v) {
      switch (k) {
        case 'epoch': break;
        default: r.unknownMember(k, ['epoch'], path);
      }
    }
  }
  const y0 = v['epoch'];
  const x0 = y0 === undefined || y0 === null ? undefined : r.u64(y0, path, '.epoch', -1);
  const result: $Writable<GetEpochKeyArgs> = {};
  if (x0 !== undefined) result.epoch = x0;
  return result;
}

export function readJsonGetEpochKeyResult(r: $JsonReader, v: unknown, path: string): GetEpochKeyResult {
  r.object(v, 'GetEpochKeyResult', path);
  if (r.refusesUnknown) {
    for (const k in v) {
      switch (k) {
        case 'epoch': case 'scheme': case 'public_key': case 'quorum': case 'first_height': case 'last_height': case 'next_open_height': case 'slot_price': case 'free_slots': break;
        default: r.unknownMember(k, ['epoch', 'scheme', 'public_key', 'quorum', 'first_height', 'last_height', 'next_open_height', 'slot_price', 'free_slots'], path);
      }
    }
  }
  const x0 = r.u64(v['epoch'], path, '.epoch', -1);
  const x1 = r.string(v['scheme'], 4294967295, path, '.scheme', -1);
  const x2 = r.bytes(v['public_key'], 4294967295, path, '.public_key', -1);
  const x3 = r.u32(v['quorum'], path, '.quorum', -1);
  const x4 = r.u64(v['first_height'], path, '.first_height', -1);
  const x5 = r.u64(v['last_height'], path, '.last_height', -1);
  const x6 = r.u64(v['next_open_height'], path, '.next_open_height', -1);
  const x7 = r.u128(v['slot_price'], path, '.slot_price', -1);
  const x8 = readJsonU8List(r, v['free_slots'], path + '.free_slots');
  return { epoch: x0, scheme: x1, public_key: x2, quorum: x3, first_height: x4, last_height: x5, next_open_height: x6, slot_price: x7, free_slots: x8 };
}

export function readJsonTxSubmitSealedArgs(r: $JsonReader, v: unknown, path: string): TxSubmitSealedArgs {
  r.object(v, 'TxSubmitSealedArgs', path);
  if (r.refusesUnknown) {
    for (const k in v) {
      switch (k) {
        case 'envelope': break;
        default: r.unknownMember(k, ['envelope'], path);
      }
    }
  }
  const x0 = r.bytes(v['envelope'], 4294967295, path, '.envelope', -1);
  return { envelope: x0 };
}

export function readJsonTxSubmitSealedResult(r: $JsonReader, v: unknown, path: string): TxSubmitSealedResult {
  r.object(v, 'TxSubmitSealedResult', path);
  if (r.refusesUnknown) {
    for (const k in v) {
      switch (k) {
        case 'envelope_hash': case 'opens_at': break;
        default: r.unknownMember(k, ['envelope_hash', 'opens_at'], path);
      }
    }
  }
  const x0 = r.digest(v['envelope_hash'], 'hash', path, '.envelope_hash', -1);
  const x1 = r.u64(v['opens_at'], path, '.opens_at', -1);
  return { envelope_hash: x0, opens_at: x1 };
}

export function readJsonTxSubmitBundleArgs(r: $JsonReader, v: unknown, path: string): TxSubmitBundleArgs {
  r.object(v, 'TxSubmitBundleArgs', path);
  if (r.refusesUnknown) {
    for (const k in v) {
      switch (k) {
        case 'transactions': case 'max_height': break;
        default: r.unknownMember(k, ['transactions', 'max_height'], path);
      }
    }
  }
  const x0 = readJsonBytesList(r, v['transactions'], path + '.transactions');
  const y1 = v['max_height'];
  const x1 = y1 === undefined || y1 === null ? undefined : r.u64(y1, path, '.max_height', -1);
  const result: $Writable<TxSubmitBundleArgs> = { transactions: x0 };
  if (x1 !== undefined) result.max_height = x1;
  return result;
}

export function readJsonTxSubmitBundleResult(r: $JsonReader, v: unknown, path: string): TxSubmitBundleResult {
  r.object(v, 'TxSubmitBundleResult', path);
  if (r.refusesUnknown) {
    for (const k in v) {
      switch (k) {
        case 'bundle_hash': case 'tx_hashes': break;
        default: r.unknownMember(k, ['bundle_hash', 'tx_hashes'], path);
      }
    }
  }
  const x0 = r.digest(v['bundle_hash'], 'hash', path, '.bundle_hash', -1);
  const x1 = readJsonHashList(r, v['tx_hashes'], path + '.tx_hashes');
  return { bundle_hash: x0, tx_hashes: x1 };
}

export function readJsonBundleSimulateArgs(r: $JsonReader, v: unknown, path: string): BundleSimulateArgs {
  r.object(v, 'BundleSimulateArgs', path);
  if (r.refusesUnknown) {
    for (const k in v) {
      switch (k) {
        case 'transactions': case 'at': case 'overrides': break;
        default: r.unknownMember(k, ['transactions', 'at', 'overrides'], path);
      }
    }
  }
  const x0 = readJsonBytesList(r, v['transactions'], path + '.transactions');
  const y1 = v['at'];
  const x1 = y1 === undefined || y1 === null ? undefined : readJsonBlockRef(r, y1, path + '.at');
  const y2 = v['overrides'];
  const x2 = y2 === undefined || y2 === null ? undefined : readJsonStateOverrideList(r, y2, path + '.overrides');
  const result: $Writable<BundleSimulateArgs> = { transactions: x0 };
  if (x1 !== undefined) result.at = x1;
  if (x2 !== undefined) result.overrides = x2;
  return result;
}

export function readJsonBundleSimulateResult(r: $JsonReader, v: unknown, path: string): BundleSimulateResult {
  r.object(v, 'BundleSimulateResult', path);
  if (r.refusesUnknown) {
    for (const k in v) {
      switch (k) {
        case 'results': case 'atomic_success': case 'gas_used': case 'dependencies': case 'parallel_groups': case 'critical_path_gas': case 'height': break;
        default: r.unknownMember(k, ['results', 'atomic_success', 'gas_used', 'dependencies', 'parallel_groups', 'critical_path_gas', 'height'], path);
      }
    }
  }
  const x0 = readJsonTxSimulateResultList(r, v['results'], path + '.results');
  const x1 = r.bool(v['atomic_success'], path, '.atomic_success', -1);
  const x2 = r.u64(v['gas_used'], path, '.gas_used', -1);
  const x3 = readJsonDependencyList(r, v['dependencies'], path + '.dependencies');
  const x4 = readJsonU32ListList(r, v['parallel_groups'], path + '.parallel_groups');
  const x5 = r.u64(v['critical_path_gas'], path, '.critical_path_gas', -1);
  const x6 = r.u64(v['height'], path, '.height', -1);
  return { results: x0, atomic_success: x1, gas_used: x2, dependencies: x3, parallel_groups: x4, critical_path_gas: x5, height: x6 };
}

export function readJsonChainTraceTransactionArgs(r: $JsonReader, v: unknown, path: string): ChainTraceTransactionArgs {
  r.object(v, 'ChainTraceTransactionArgs', path);
  if (r.refusesUnknown) {
    for (const k in v) {
      switch (k) {
        case 'tx_hash': case 'tracers': break;
        default: r.unknownMember(k, ['tx_hash', 'tracers'], path);
      }
    }
  }
  const x0 = r.digest(v['tx_hash'], 'hash', path, '.tx_hash', -1);
  const y1 = v['tracers'];
  const x1 = y1 === undefined || y1 === null ? undefined : readJsonTracerList(r, y1, path + '.tracers');
  const result: $Writable<ChainTraceTransactionArgs> = { tx_hash: x0 };
  if (x1 !== undefined) result.tracers = x1;
  return result;
}

export function readJsonChainTraceTransactionResult(r: $JsonReader, v: unknown, path: string): ChainTraceTransactionResult {
  r.object(v, 'ChainTraceTransactionResult', path);
  if (r.refusesUnknown) {
    for (const k in v) {
      switch (k) {
        case 'receipt': case 'trace': break;
        default: r.unknownMember(k, ['receipt', 'trace'], path);
      }
    }
  }
  const x0 = readJsonReceipt(r, v['receipt'], path + '.receipt');
  const x1 = readJsonTrace(r, v['trace'], path + '.trace');
  return { receipt: x0, trace: x1 };
}

export function readJsonChainTraceCallArgs(r: $JsonReader, v: unknown, path: string): ChainTraceCallArgs {
  r.object(v, 'ChainTraceCallArgs', path);
  if (r.refusesUnknown) {
    for (const k in v) {
      switch (k) {
        case 'contract': case 'method': case 'args': case 'input': case 'idl': case 'caller': case 'value': case 'gas_limit': case 'at': case 'overrides': case 'block_override': case 'tracers': break;
        default: r.unknownMember(k, ['contract', 'method', 'args', 'input', 'idl', 'caller', 'value', 'gas_limit', 'at', 'overrides', 'block_override', 'tracers'], path);
      }
    }
  }
  const x0 = r.address(v['contract'], path, '.contract', -1);
  const y1 = v['method'];
  const x1 = y1 === undefined || y1 === null ? undefined : r.string(y1, 4294967295, path, '.method', -1);
  const y2 = v['args'];
  const x2 = y2 === undefined || y2 === null ? undefined : r.json(y2, path, '.args', -1);
  const y3 = v['input'];
  const x3 = y3 === undefined || y3 === null ? undefined : r.bytes(y3, 4294967295, path, '.input', -1);
  const y4 = v['idl'];
  const x4 = y4 === undefined || y4 === null ? undefined : r.string(y4, 4294967295, path, '.idl', -1);
  const y5 = v['caller'];
  const x5 = y5 === undefined || y5 === null ? undefined : r.address(y5, path, '.caller', -1);
  const y6 = v['value'];
  const x6 = y6 === undefined || y6 === null ? undefined : r.u128(y6, path, '.value', -1);
  const y7 = v['gas_limit'];
  const x7 = y7 === undefined || y7 === null ? undefined : r.u64(y7, path, '.gas_limit', -1);
  const y8 = v['at'];
  const x8 = y8 === undefined || y8 === null ? undefined : readJsonBlockRef(r, y8, path + '.at');
  const y9 = v['overrides'];
  const x9 = y9 === undefined || y9 === null ? undefined : readJsonStateOverrideList(r, y9, path + '.overrides');
  const y10 = v['block_override'];
  const x10 = y10 === undefined || y10 === null ? undefined : readJsonBlockOverride(r, y10, path + '.block_override');
  const y11 = v['tracers'];
  const x11 = y11 === undefined || y11 === null ? undefined : readJsonTracerList(r, y11, path + '.tracers');
  const result: $Writable<ChainTraceCallArgs> = { contract: x0 };
  if (x1 !== undefined) result.method = x1;
  if (x2 !== undefined) result.args = x2;
  if (x3 !== undefined) result.input = x3;
  if (x4 !== undefined) result.idl = x4;
  if (x5 !== undefined) result.caller = x5;
  if (x6 !== undefined) result.value = x6;
  if (x7 !== undefined) result.gas_limit = x7;
  if (x8 !== undefined) result.at = x8;
  if (x9 !== undefined) result.overrides = x9;
  if (x10 !== undefined) result.block_override = x10;
  if (x11 !== undefined) result.tracers = x11;
  return result;
}

export function readJsonChainTraceCallResult(r: $JsonReader, v: unknown, path: string): ChainTraceCallResult {
  r.object(v, 'ChainTraceCallResult', path);
  if (r.refusesUnknown) {
    for (const k in v) {
      switch (k) {
        case 'result': case 'trace': break;
        default: r.unknownMember(k, ['result', 'trace'], path);
      }
    }
  }
  const x0 = readJsonViewCallResult(r, v['result'], path + '.result');
  const x1 = readJsonTrace(r, v['trace'], path + '.trace');
  return { result: x0, trace: x1 };
}

export function readJsonTxSimulateTraceArgs(r: $JsonReader, v: unknown, path: string): TxSimulateTraceArgs {
  r.object(v, 'TxSimulateTraceArgs', path);
  if (r.refusesUnknown) {
    for (const k in v) {
      switch (k) {
        case 'transaction': case 'build': case 'encoded': case 'at': case 'overrides': case 'block_override': case 'idl': case 'tracers': break;
        default: r.unknownMember(k, ['transaction', 'build', 'encoded', 'at', 'overrides', 'block_override', 'idl', 'tracers'], path);
      }
    }
  }
  const y0 = v['transaction'];
  const x0 = y0 === undefined || y0 === null ? undefined : readJsonTransaction(r, y0, path + '.transaction');
  const y1 = v['build'];
  const x1 = y1 === undefined || y1 === null ? undefined : readJsonTxBuildArgs(r, y1, path + '.build');
  const y2 = v['encoded'];
  const x2 = y2 === undefined || y2 === null ? undefined : r.bytes(y2, 4294967295, path, '.encoded', -1);
  const y3 = v['at'];
  const x3 = y3 === undefined || y3 === null ? undefined : readJsonBlockRef(r, y3, path + '.at');
  const y4 = v['overrides'];
  const x4 = y4 === undefined || y4 === null ? undefined : readJsonStateOverrideList(r, y4, path + '.overrides');
  const y5 = v['block_override'];
  const x5 = y5 === undefined || y5 === null ? undefined : readJsonBlockOverride(r, y5, path + '.block_override');
  const y6 = v['idl'];
  const x6 = y6 === undefined || y6 === null ? undefined : r.string(y6, 4294967295, path, '.idl', -1);
  const y7 = v['tracers'];
  const x7 = y7 === undefined || y7 === null ? undefined : readJsonTracerList(r, y7, path + '.tracers');
  const result: $Writable<TxSimulateTraceArgs> = {};
  if (x0 !== undefined) result.transaction = x0;
  if (x1 !== undefined) result.build = x1;
  if (x2 !== undefined) result.encoded = x2;
  if (x3 !== undefined) result.at = x3;
  if (x4 !== undefined) result.overrides = x4;
  if (x5 !== undefined) result.block_override = x5;
  if (x6 !== undefined) result.idl = x6;
  if (x7 !== undefined) result.tracers = x7;
  return result;
}

export function readJsonTxSimulateTraceResult(r: $JsonReader, v: unknown, path: string): TxSimulateTraceResult {
  r.object(v, 'TxSimulateTraceResult', path);
  if (r.refusesUnknown) {
    for (const k in v) {
      switch (k) {
        case 'simulation': case 'trace': break;
        default: r.unknownMember(k, ['simulation', 'trace'], path);
      }
    }
  }
  const x0 = readJsonTxSimulateResult(r, v['simulation'], path + '.simulation');
  const x1 = readJsonTrace(r, v['trace'], path + '.trace');
  return { simulation: x0, trace: x1 };
}

export function readJsonTokenUsageArgs(r: $JsonReader, v: unknown, path: string): TokenUsageArgs {
  r.object(v, 'TokenUsageArgs', path);
  if (r.refusesUnknown) {
    for (const k in v) {
      switch (k) {
        case 'token': case 'from_day': case 'to_day': case 'cursor': case 'limit': break;
        default: r.unknownMember(k, ['token', 'from_day', 'to_day', 'cursor', 'limit'], path);
      }
    }
  }
  const y0 = v['token'];
  const x0 = y0 === undefined || y0 === null ? undefined : r.string(y0, 4294967295, path, '.token', -1);
  const y1 = v['from_day'];
  const x1 = y1 === undefined || y1 === null ? undefined : r.string(y1, 4294967295, path, '.from_day', -1);
  const y2 = v['to_day'];
  const x2 = y2 === undefined || y2 === null ? undefined : r.string(y2, 4294967295, path, '.to_day', -1);
  const y3 = v['cursor'];
  const x3 = y3 === undefined || y3 === null ? undefined : r.string(y3, 4294967295, path, '.cursor', -1);
  const y4 = v['limit'];
  const x4 = y4 === undefined || y4 === null ? undefined : r.u32(y4, path, '.limit', -1);
  const result: $Writable<TokenUsageArgs> = {};
  if (x0 !== undefined) result.token = x0;
  if (x1 !== undefined) result.from_day = x1;
  if (x2 !== undefined) result.to_day = x2;
  if (x3 !== undefined) result.cursor = x3;
  if (x4 !== undefined) result.limit = x4;
  return result;
}

export function readJsonTokenUsageResult(r: $JsonReader, v: unknown, path: string): TokenUsageResult {
  r.object(v, 'TokenUsageResult', path);
  if (r.refusesUnknown) {
    for (const k in v) {
      switch (k) {
        case 'token': case 'subject': case 'days': case 'next_cursor': break;
        default: r.unknownMember(k, ['token', 'subject', 'days', 'next_cursor'], path);
      }
    }
  }
  const x0 = r.string(v['token'], 4294967295, path, '.token', -1);
  const y1 = v['subject'];
  const x1 = y1 === undefined || y1 === null ? undefined : r.string(y1, 4294967295, path, '.subject', -1);
  const x2 = readJsonTokenUsageDayList(r, v['days'], path + '.days');
  const y3 = v['next_cursor'];
  const x3 = y3 === undefined || y3 === null ? undefined : r.string(y3, 4294967295, path, '.next_cursor', -1);
  const result: $Writable<TokenUsageResult> = { token: x0, days: x2 };
  if (x1 !== undefined) result.subject = x1;
  if (x3 !== undefined) result.next_cursor = x3;
  return result;
}

export function readJsonTip(r: $JsonReader, v: unknown, path: string): Tip {
  r.object(v, 'Tip', path);
  if (r.refusesUnknown) {
    for (const k in v) {
      switch (k) {
        case 'height': case 'hash': case 'timestamp_ms': case 'state_root': case 'epoch': case 'view': break;
        default: r.unknownMember(k, ['height', 'hash', 'timestamp_ms', 'state_root', 'epoch', 'view'], path);
      }
    }
  }
  const x0 = r.u64(v['height'], path, '.height', -1);
  const x1 = r.digest(v['hash'], 'hash', path, '.hash', -1);
  const x2 = r.u64(v['timestamp_ms'], path, '.timestamp_ms', -1);
  const x3 = r.digest(v['state_root'], 'hash', path, '.state_root', -1);
  const x4 = r.u64(v['epoch'], path, '.epoch', -1);
  const x5 = r.u64(v['view'], path, '.view', -1);
  return { height: x0, hash: x1, timestamp_ms: x2, state_root: x3, epoch: x4, view: x5 };
}

export function readJsonCheckpointRef(r: $JsonReader, v: unknown, path: string): CheckpointRef {
  r.object(v, 'CheckpointRef', path);
  if (r.refusesUnknown) {
    for (const k in v) {
      switch (k) {
        case 'height': case 'state_root': break;
        default: r.unknownMember(k, ['height', 'state_root'], path);
      }
    }
  }
  const x0 = r.u64(v['height'], path, '.height', -1);
  const x1 = r.digest(v['state_root'], 'hash', path, '.state_root', -1);
  return { height: x0, state_root: x1 };
}

export function readJsonHealth(r: $JsonReader, v: unknown, path: string): Health {
  r.object(v, 'Health: {"type": …, "value": …}', path);
  if (r.refusesUnknown) {
    for (const k in v) {
      switch (k) {
        case 'type': case 'value': break;
        default: r.unknownMember(k, ['type', 'value'], path);
      }
    }
  }
  switch (v['type']) {
    case 'ok':
      r.nothing(v['value'], 'ok', path);
      return { type: 'ok' };
    case 'degraded':
      return { type: 'degraded', value: r.string(v['value'], 4294967295, path, '.degraded', -1) };
    default:
      return r.unknownVariant(v['type'], ['ok', 'degraded'], path);
  }
}

export function readJsonSyncStatus(r: $JsonReader, v: unknown, path: string): SyncStatus {
  r.object(v, 'SyncStatus', path);
  if (r.refusesUnknown) {
    for (const k in v) {
      switch (k) {
        case 'state': case 'tip_height': case 'finalized_height': case 'best_known_height': case 'tip_age_ms': break;
        default: r.unknownMember(k, ['state', 'tip_height', 'finalized_height', 'best_known_height', 'tip_age_ms'], path);
      }
    }
  }
  const x0 = readJsonSyncState(r, v['state'], path + '.state');
  const x1 = r.u64(v['tip_height'], path, '.tip_height', -1);
  const x2 = r.u64(v['finalized_height'], path, '.finalized_height', -1);
  const x3 = r.u64(v['best_known_height'], path, '.best_known_height', -1);
  const x4 = r.u64(v['tip_age_ms'], path, '.tip_age_ms', -1);
  return { state: x0, tip_height: x1, finalized_height: x2, best_known_height: x3, tip_age_ms: x4 };
}

function readJsonStringList(r: $JsonReader, v: unknown, path: string): readonly string[] {
  r.list(v, 4294967295, path);
  const items: (string)[] = [];
  for (let i = 0; i < v.length; i++) items.push(r.string(v[i], 4294967295, path, '', i));
  return items;
}

export function readJsonRole(r: $JsonReader, v: unknown, path: string): Role {
  r.object(v, 'Role: {"type": …, "value": …}', path);
  if (r.refusesUnknown) {
    for (const k in v) {
      switch (k) {
        case 'type': case 'value': break;
        default: r.unknownMember(k, ['type', 'value'], path);
      }
    }
  }
  switch (v['type']) {
    case 'validator':
      r.nothing(v['value'], 'validator', path);
      return { type: 'validator' };
    case 'follower':
      r.nothing(v['value'], 'follower', path);
      return { type: 'follower' };
    case 'dev':
      r.nothing(v['value'], 'dev', path);
      return { type: 'dev' };
    default:
      return r.unknownVariant(v['type'], ['validator', 'follower', 'dev'], path);
  }
}

export function readJsonDkgStatus(r: $JsonReader, v: unknown, path: string): DkgStatus {
  r.object(v, 'DkgStatus', path);
  if (r.refusesUnknown) {
    for (const k in v) {
      switch (k) {
        case 'state': case 'epoch': case 'dealers_expected': case 'dealings_received': case 'complaints': break;
        default: r.unknownMember(k, ['state', 'epoch', 'dealers_expected', 'dealings_received', 'complaints'], path);
      }
    }
  }
  const x0 = readJsonDkgState(r, v['state'], path + '.state');
  const x1 = r.u64(v['epoch'], path, '.epoch', -1);
  const x2 = r.u32(v['dealers_expected'], path, '.dealers_expected', -1);
  const x3 = r.u32(v['dealings_received'], path, '.dealings_received', -1);
  const x4 = r.u32(v['complaints'], path, '.complaints', -1);
  return { state: x0, epoch: x1, dealers_expected: x2, dealings_received: x3, complaints: x4 };
}

function readJsonPeerHealthList(r: $JsonReader, v: unknown, path: string): readonly PeerHealth[] {
  r.list(v, 4294967295, path);
  const items: (PeerHealth)[] = [];
  for (let i = 0; i < v.length; i++) items.push(readJsonPeerHealth(r, v[i], path + '[' + i + ']'));
  return items;
}

export function readJsonConsensusMetrics(r: $JsonReader, v: unknown, path: string): ConsensusMetrics {
  r.object(v, 'ConsensusMetrics', path);
  if (r.refusesUnknown) {
    for (const k in v) {
      switch (k) {
        case 'epoch': case 'view': case 'leader': case 'proposals': case 'notarizations': case 'nullifications': case 'finalizations': case 'timeouts': case 'equivocations_seen': case 'finality_latency_ms': case 'block_interval_ms': break;
        default: r.unknownMember(k, ['epoch', 'view', 'leader', 'proposals', 'notarizations', 'nullifications', 'finalizations', 'timeouts', 'equivocations_seen', 'finality_latency_ms', 'block_interval_ms'], path);
      }
    }
  }
  const x0 = r.u64(v['epoch'], path, '.epoch', -1);
  const x1 = r.u64(v['view'], path, '.view', -1);
  const x2 = r.u32(v['leader'], path, '.leader', -1);
  const x3 = r.u64(v['proposals'], path, '.proposals', -1);
  const x4 = r.u64(v['notarizations'], path, '.notarizations', -1);
  const x5 = r.u64(v['nullifications'], path, '.nullifications', -1);
  const x6 = r.u64(v['finalizations'], path, '.finalizations', -1);
  const x7 = r.u64(v['timeouts'], path, '.timeouts', -1);
  const x8 = r.u64(v['equivocations_seen'], path, '.equivocations_seen', -1);
  const x9 = readJsonQuantiles(r, v['finality_latency_ms'], path + '.finality_latency_ms');
  const x10 = readJsonQuantiles(r, v['block_interval_ms'], path + '.block_interval_ms');
  return { epoch: x0, view: x1, leader: x2, proposals: x3, notarizations: x4, nullifications: x5, finalizations: x6, timeouts: x7, equivocations_seen: x8, finality_latency_ms: x9, block_interval_ms: x10 };
}

function readJsonPendingValidatorChangeList(r: $JsonReader, v: unknown, path: string): readonly PendingValidatorChange[] {
  r.list(v, 4294967295, path);
  const items: (PendingValidatorChange)[] = [];
  for (let i = 0; i < v.length; i++) items.push(readJsonPendingValidatorChange(r, v[i], path + '[' + i + ']'));
  return items;
}

function readJsonNonceLaneList(r: $JsonReader, v: unknown, path: string): readonly NonceLane[] {
  r.list(v, 4294967295, path);
  const items: (NonceLane)[] = [];
  for (let i = 0; i < v.length; i++) items.push(readJsonNonceLane(r, v[i], path + '[' + i + ']'));
  return items;
}

function readJsonAddressList(r: $JsonReader, v: unknown, path: string): readonly Uint8Array[] {
  r.list(v, 4294967295, path);
  const items: (Uint8Array)[] = [];
  for (let i = 0; i < v.length; i++) items.push(r.address(v[i], path, '', i));
  return items;
}

function readJsonAccountList(r: $JsonReader, v: unknown, path: string): readonly Account[] {
  r.list(v, 4294967295, path);
  const items: (Account)[] = [];
  for (let i = 0; i < v.length; i++) items.push(readJsonAccount(r, v[i], path + '[' + i + ']'));
  return items;
}

export function readJsonBlockRef(r: $JsonReader, v: unknown, path: string): BlockRef {
  r.object(v, 'BlockRef: {"type": …, "value": …}', path);
  if (r.refusesUnknown) {
    for (const k in v) {
      switch (k) {
        case 'type': case 'value': break;
        default: r.unknownMember(k, ['type', 'value'], path);
      }
    }
  }
  switch (v['type']) {
    case 'latest':
      r.nothing(v['value'], 'latest', path);
      return { type: 'latest' };
    case 'finalized':
      r.nothing(v['value'], 'finalized', path);
      return { type: 'finalized' };
    case 'height':
      return { type: 'height', value: r.u64(v['value'], path, '.height', -1) };
    case 'hash':
      return { type: 'hash', value: r.digest(v['value'], 'hash', path, '.hash', -1) };
    case 'after_tx':
      return { type: 'after_tx', value: r.digest(v['value'], 'hash', path, '.after_tx', -1) };
    default:
      return r.unknownVariant(v['type'], ['latest', 'finalized', 'height', 'hash', 'after_tx'], path);
  }
}

function readJsonStateOverrideList(r: $JsonReader, v: unknown, path: string): readonly StateOverride[] {
  r.list(v, 4294967295, path);
  const items: (StateOverride)[] = [];
  for (let i = 0; i < v.length; i++) items.push(readJsonStateOverride(r, v[i], path + '[' + i + ']'));
  return items;
}

export function readJsonBlockOverride(r: $JsonReader, v: unknown, path: string): BlockOverride {
  r.object(v, 'BlockOverride', path);
  if (r.refusesUnknown) {
    for (const k in v) {
      switch (k) {
        case 'height': case 'timestamp_ms': case 'base_fee': break;
        default: r.unknownMember(k, ['height', 'timestamp_ms', 'base_fee'], path);
      }
    }
  }
  const y0 = v['height'];
  const x0 = y0 === undefined || y0 === null ? undefined : r.u64(y0, path, '.height', -1);
  const y1 = v['timestamp_ms'];
  const x1 = y1 === undefined || y1 === null ? undefined : r.u64(y1, path, '.timestamp_ms', -1);
  const y2 = v['base_fee'];
  const x2 = y2 === undefined || y2 === null ? undefined : r.u128(y2, path, '.base_fee', -1);
  const result: $Writable<BlockOverride> = {};
  if (x0 !== undefined) result.height = x0;
  if (x1 !== undefined) result.timestamp_ms = x1;
  if (x2 !== undefined) result.base_fee = x2;
  return result;
}

export function readJsonExecStatus(r: $JsonReader, v: unknown, path: string): ExecStatus {
  r.object(v, 'ExecStatus: {"type": …, "value": …}', path);
  if (r.refusesUnknown) {
    for (const k in v) {
      switch (k) {
        case 'type': case 'value': break;
        default: r.unknownMember(k, ['type', 'value'], path);
      }
    }
  }
  switch (v['type']) {
    case 'success':
      r.nothing(v['value'], 'success', path);
      return { type: 'success' };
    case 'reverted':
      return { type: 'reverted', value: readJsonRevert(r, v['value'], path + '.reverted') };
    case 'out_of_gas':
      r.nothing(v['value'], 'out_of_gas', path);
      return { type: 'out_of_gas' };
    case 'trapped':
      return { type: 'trapped', value: readJsonTrap(r, v['value'], path + '.trapped') };
    case 'invalid':
      return { type: 'invalid', value: r.string(v['value'], 4294967295, path, '.invalid', -1) };
    default:
      return r.unknownVariant(v['type'], ['success', 'reverted', 'out_of_gas', 'trapped', 'invalid'], path);
  }
}

function readJsonLogList(r: $JsonReader, v: unknown, path: string): readonly Log[] {
  r.list(v, 4294967295, path);
  const items: (Log)[] = [];
  for (let i = 0; i < v.length; i++) items.push(readJsonLog(r, v[i], path + '[' + i + ']'));
  return items;
}

export function readJsonActionArgs(r: $JsonReader, v: unknown, path: string): ActionArgs {
  r.object(v, 'ActionArgs: {"type": …, "value": …}', path);
  if (r.refusesUnknown) {
    for (const k in v) {
      switch (k) {
        case 'type': case 'value': break;
        default: r.unknownMember(k, ['type', 'value'], path);
      }
    }
  }
  switch (v['type']) {
    case 'transfer':
      return { type: 'transfer', value: readJsonTransfer(r, v['value'], path + '.transfer') };
    case 'deploy':
      return { type: 'deploy', value: readJsonDeploy(r, v['value'], path + '.deploy') };
    case 'call':
      return { type: 'call', value: readJsonCallArgs(r, v['value'], path + '.call') };
    case 'upgrade':
      return { type: 'upgrade', value: readJsonUpgrade(r, v['value'], path + '.upgrade') };
    case 'batch':
      return { type: 'batch', value: readJsonCallArgsList(r, v['value'], path + '.batch') };
    default:
      return r.unknownVariant(v['type'], ['transfer', 'deploy', 'call', 'upgrade', 'batch'], path);
  }
}

export function readJsonWait(r: $JsonReader, v: unknown, path: string): Wait {
  r.object(v, 'Wait: {"type": …, "value": …}', path);
  if (r.refusesUnknown) {
    for (const k in v) {
      switch (k) {
        case 'type': case 'value': break;
        default: r.unknownMember(k, ['type', 'value'], path);
      }
    }
  }
  switch (v['type']) {
    case 'none':
      r.nothing(v['value'], 'none', path);
      return { type: 'none' };
    case 'included':
      r.nothing(v['value'], 'included', path);
      return { type: 'included' };
    case 'finalized':
      r.nothing(v['value'], 'finalized', path);
      return { type: 'finalized' };
    default:
      return r.unknownVariant(v['type'], ['none', 'included', 'finalized'], path);
  }
}

export function readJsonTxStatus(r: $JsonReader, v: unknown, path: string): TxStatus {
  r.object(v, 'TxStatus: {"type": …, "value": …}', path);
  if (r.refusesUnknown) {
    for (const k in v) {
      switch (k) {
        case 'type': case 'value': break;
        default: r.unknownMember(k, ['type', 'value'], path);
      }
    }
  }
  switch (v['type']) {
    case 'pending':
      return { type: 'pending', value: readJsonPendingTx(r, v['value'], path + '.pending') };
    case 'included':
      return { type: 'included', value: readJsonInclusion(r, v['value'], path + '.included') };
    case 'not_found':
      r.nothing(v['value'], 'not_found', path);
      return { type: 'not_found' };
    case 'rejected':
      return { type: 'rejected', value: r.string(v['value'], 4294967295, path, '.rejected', -1) };
    default:
      return r.unknownVariant(v['type'], ['pending', 'included', 'not_found', 'rejected'], path);
  }
}

export function readJsonReceipt(r: $JsonReader, v: unknown, path: string): Receipt {
  r.object(v, 'Receipt', path);
  if (r.refusesUnknown) {
    for (const k in v) {
      switch (k) {
        case 'tx_hash': case 'height': case 'block_hash': case 'index': case 'sender': case 'lane': case 'nonce': case 'status': case 'gas_used': case 'fee': case 'contract': case 'output': case 'decoded': case 'logs': case 'finalized': case 'opens_at': break;
        default: r.unknownMember(k, ['tx_hash', 'height', 'block_hash', 'index', 'sender', 'lane', 'nonce', 'status', 'gas_used', 'fee', 'contract', 'output', 'decoded', 'logs', 'finalized', 'opens_at'], path);
      }
    }
  }
  const x0 = r.digest(v['tx_hash'], 'hash', path, '.tx_hash', -1);
  const x1 = r.u64(v['height'], path, '.height', -1);
  const x2 = r.digest(v['block_hash'], 'hash', path, '.block_hash', -1);
  const x3 = r.u32(v['index'], path, '.index', -1);
  const x4 = r.address(v['sender'], path, '.sender', -1);
  const x5 = r.u32(v['lane'], path, '.lane', -1);
  const x6 = r.u64(v['nonce'], path, '.nonce', -1);
  const x7 = readJsonExecStatus(r, v['status'], path + '.status');
  const x8 = r.u64(v['gas_used'], path, '.gas_used', -1);
  const x9 = r.u128(v['fee'], path, '.fee', -1);
  const y10 = v['contract'];
  const x10 = y10 === undefined || y10 === null ? undefined : r.address(y10, path, '.contract', -1);
  const x11 = r.bytes(v['output'], 4294967295, path, '.output', -1);
  const y12 = v['decoded'];
  const x12 = y12 === undefined || y12 === null ? undefined : r.json(y12, path, '.decoded', -1);
  const x13 = readJsonLogList(r, v['logs'], path + '.logs');
  const x14 = r.bool(v['finalized'], path, '.finalized', -1);
  const y15 = v['opens_at'];
  const x15 = y15 === undefined || y15 === null ? undefined : r.u64(y15, path, '.opens_at', -1);
  const result: $Writable<Receipt> = { tx_hash: x0, height: x1, block_hash: x2, index: x3, sender: x4, lane: x5, nonce: x6, status: x7, gas_used: x8, fee: x9, output: x11, logs: x13, finalized: x14 };
  if (x10 !== undefined) result.contract = x10;
  if (x12 !== undefined) result.decoded = x12;
  if (x15 !== undefined) result.opens_at = x15;
  return result;
}

export function readJsonInclusionProof(r: $JsonReader, v: unknown, path: string): InclusionProof {
  r.object(v, 'InclusionProof', path);
  if (r.refusesUnknown) {
    for (const k in v) {
      switch (k) {
        case 'header': case 'item': case 'item_index': case 'item_path': case 'item_count': case 'receipt': case 'receipt_index': case 'receipt_path': case 'receipt_count': case 'envelope': break;
        default: r.unknownMember(k, ['header', 'item', 'item_index', 'item_path', 'item_count', 'receipt', 'receipt_index', 'receipt_path', 'receipt_count', 'envelope'], path);
      }
    }
  }
  const x0 = readJsonBlockHeader(r, v['header'], path + '.header');
  const x1 = r.bytes(v['item'], 4294967295, path, '.item', -1);
  const x2 = r.u32(v['item_index'], path, '.item_index', -1);
  const x3 = readJsonHashList(r, v['item_path'], path + '.item_path');
  const x4 = r.u32(v['item_count'], path, '.item_count', -1);
  const x5 = r.bytes(v['receipt'], 4294967295, path, '.receipt', -1);
  const x6 = r.u32(v['receipt_index'], path, '.receipt_index', -1);
  const x7 = readJsonHashList(r, v['receipt_path'], path + '.receipt_path');
  const x8 = r.u32(v['receipt_count'], path, '.receipt_count', -1);
  const y9 = v['envelope'];
  const x9 = y9 === undefined || y9 === null ? undefined : r.bytes(y9, 4294967295, path, '.envelope', -1);
  const result: $Writable<InclusionProof> = { header: x0, item: x1, item_index: x2, item_path: x3, item_count: x4, receipt: x5, receipt_index: x6, receipt_path: x7, receipt_count: x8 };
  if (x9 !== undefined) result.envelope = x9;
  return result;
}

function readJsonStateDiffList(r: $JsonReader, v: unknown, path: string): readonly StateDiff[] {
  r.list(v, 4294967295, path);
  const items: (StateDiff)[] = [];
  for (let i = 0; i < v.length; i++) items.push(readJsonStateDiff(r, v[i], path + '[' + i + ']'));
  return items;
}

function readJsonAccessEntryList(r: $JsonReader, v: unknown, path: string): readonly AccessEntry[] {
  r.list(v, 4294967295, path);
  const items: (AccessEntry)[] = [];
  for (let i = 0; i < v.length; i++) items.push(readJsonAccessEntry(r, v[i], path + '[' + i + ']'));
  return items;
}

function readJsonPipelineStepList(r: $JsonReader, v: unknown, path: string): readonly PipelineStep[] {
  r.list(v, 4294967295, path);
  const items: (PipelineStep)[] = [];
  for (let i = 0; i < v.length; i++) items.push(readJsonPipelineStep(r, v[i], path + '[' + i + ']'));
  return items;
}

function readJsonPipelineStepResultList(r: $JsonReader, v: unknown, path: string): readonly PipelineStepResult[] {
  r.list(v, 4294967295, path);
  const items: (PipelineStepResult)[] = [];
  for (let i = 0; i < v.length; i++) items.push(readJsonPipelineStepResult(r, v[i], path + '[' + i + ']'));
  return items;
}

function readJsonBlockSummaryList(r: $JsonReader, v: unknown, path: string): readonly BlockSummary[] {
  r.list(v, 4294967295, path);
  const items: (BlockSummary)[] = [];
  for (let i = 0; i < v.length; i++) items.push(readJsonBlockSummary(r, v[i], path + '[' + i + ']'));
  return items;
}

function readJsonTxSummaryList(r: $JsonReader, v: unknown, path: string): readonly TxSummary[] {
  r.list(v, 4294967295, path);
  const items: (TxSummary)[] = [];
  for (let i = 0; i < v.length; i++) items.push(readJsonTxSummary(r, v[i], path + '[' + i + ']'));
  return items;
}

function readJsonHeldTokenList(r: $JsonReader, v: unknown, path: string): readonly HeldToken[] {
  r.list(v, 4294967295, path);
  const items: (HeldToken)[] = [];
  for (let i = 0; i < v.length; i++) items.push(readJsonHeldToken(r, v[i], path + '[' + i + ']'));
  return items;
}

function readJsonNamedContractList(r: $JsonReader, v: unknown, path: string): readonly NamedContract[] {
  r.list(v, 4294967295, path);
  const items: (NamedContract)[] = [];
  for (let i = 0; i < v.length; i++) items.push(readJsonNamedContract(r, v[i], path + '[' + i + ']'));
  return items;
}

function readJsonHashListList(r: $JsonReader, v: unknown, path: string): readonly (readonly Uint8Array[])[] {
  r.list(v, 4294967295, path);
  const items: (readonly Uint8Array[])[] = [];
  for (let i = 0; i < v.length; i++) items.push(readJsonHashList(r, v[i], path + '[' + i + ']'));
  return items;
}

function readJsonPendingSummaryList(r: $JsonReader, v: unknown, path: string): readonly PendingSummary[] {
  r.list(v, 4294967295, path);
  const items: (PendingSummary)[] = [];
  for (let i = 0; i < v.length; i++) items.push(readJsonPendingSummary(r, v[i], path + '[' + i + ']'));
  return items;
}

export function readJsonSealedQueueStats(r: $JsonReader, v: unknown, path: string): SealedQueueStats {
  r.object(v, 'SealedQueueStats', path);
  if (r.refusesUnknown) {
    for (const k in v) {
      switch (k) {
        case 'size': case 'bytes': case 'next_open_height': break;
        default: r.unknownMember(k, ['size', 'bytes', 'next_open_height'], path);
      }
    }
  }
  const x0 = r.u32(v['size'], path, '.size', -1);
  const x1 = r.u64(v['bytes'], path, '.bytes', -1);
  const y2 = v['next_open_height'];
  const x2 = y2 === undefined || y2 === null ? undefined : r.u64(y2, path, '.next_open_height', -1);
  const result: $Writable<SealedQueueStats> = { size: x0, bytes: x1 };
  if (x2 !== undefined) result.next_open_height = x2;
  return result;
}

function readJsonBlockList(r: $JsonReader, v: unknown, path: string): readonly Block[] {
  r.list(v, 4294967295, path);
  const items: (Block)[] = [];
  for (let i = 0; i < v.length; i++) items.push(readJsonBlock(r, v[i], path + '[' + i + ']'));
  return items;
}

function readJsonRangeTxList(r: $JsonReader, v: unknown, path: string): readonly RangeTx[] {
  r.list(v, 4294967295, path);
  const items: (RangeTx)[] = [];
  for (let i = 0; i < v.length; i++) items.push(readJsonRangeTx(r, v[i], path + '[' + i + ']'));
  return items;
}

export function readJsonFinalityCertificate(r: $JsonReader, v: unknown, path: string): FinalityCertificate {
  r.object(v, 'FinalityCertificate', path);
  if (r.refusesUnknown) {
    for (const k in v) {
      switch (k) {
        case 'epoch': case 'view': case 'block_hash': case 'parent_view': case 'signature': case 'group_public_key': break;
        default: r.unknownMember(k, ['epoch', 'view', 'block_hash', 'parent_view', 'signature', 'group_public_key'], path);
      }
    }
  }
  const x0 = r.u64(v['epoch'], path, '.epoch', -1);
  const x1 = r.u64(v['view'], path, '.view', -1);
  const x2 = r.digest(v['block_hash'], 'hash', path, '.block_hash', -1);
  const x3 = r.u64(v['parent_view'], path, '.parent_view', -1);
  const x4 = r.bytes(v['signature'], 4294967295, path, '.signature', -1);
  const x5 = r.bytes(v['group_public_key'], 4294967295, path, '.group_public_key', -1);
  return { epoch: x0, view: x1, block_hash: x2, parent_view: x3, signature: x4, group_public_key: x5 };
}

function readJsonBlockHeaderList(r: $JsonReader, v: unknown, path: string): readonly BlockHeader[] {
  r.list(v, 4294967295, path);
  const items: (BlockHeader)[] = [];
  for (let i = 0; i < v.length; i++) items.push(readJsonBlockHeader(r, v[i], path + '[' + i + ']'));
  return items;
}

export function readJsonHistoryRoot(r: $JsonReader, v: unknown, path: string): HistoryRoot {
  r.object(v, 'HistoryRoot', path);
  if (r.refusesUnknown) {
    for (const k in v) {
      switch (k) {
        case 'root': case 'size': case 'peaks': case 'height': break;
        default: r.unknownMember(k, ['root', 'size', 'peaks', 'height'], path);
      }
    }
  }
  const x0 = r.digest(v['root'], 'hash', path, '.root', -1);
  const x1 = r.u64(v['size'], path, '.size', -1);
  const x2 = readJsonHashList(r, v['peaks'], path + '.peaks');
  const x3 = r.u64(v['height'], path, '.height', -1);
  return { root: x0, size: x1, peaks: x2, height: x3 };
}

export function readJsonTreeProof(r: $JsonReader, v: unknown, path: string): TreeProof {
  r.object(v, 'TreeProof', path);
  if (r.refusesUnknown) {
    for (const k in v) {
      switch (k) {
        case 'key': case 'value': case 'depth': case 'bitmap': case 'siblings': case 'neighbour': break;
        default: r.unknownMember(k, ['key', 'value', 'depth', 'bitmap', 'siblings', 'neighbour'], path);
      }
    }
  }
  const x0 = r.digest(v['key'], 'hash', path, '.key', -1);
  const y1 = v['value'];
  const x1 = y1 === undefined || y1 === null ? undefined : r.bytes(y1, 4294967295, path, '.value', -1);
  const x2 = r.u16(v['depth'], path, '.depth', -1);
  const x3 = r.bytes(v['bitmap'], 4294967295, path, '.bitmap', -1);
  const x4 = readJsonHashList(r, v['siblings'], path + '.siblings');
  const y5 = v['neighbour'];
  const x5 = y5 === undefined || y5 === null ? undefined : readJsonNeighbourLeaf(r, y5, path + '.neighbour');
  const result: $Writable<TreeProof> = { key: x0, depth: x2, bitmap: x3, siblings: x4 };
  if (x1 !== undefined) result.value = x1;
  if (x5 !== undefined) result.neighbour = x5;
  return result;
}

function readJsonHashList(r: $JsonReader, v: unknown, path: string): readonly Uint8Array[] {
  r.list(v, 4294967295, path);
  const items: (Uint8Array)[] = [];
  for (let i = 0; i < v.length; i++) items.push(r.digest(v[i], 'hash', path, '', i));
  return items;
}

function readJsonCheckpointRefList(r: $JsonReader, v: unknown, path: string): readonly CheckpointRef[] {
  r.list(v, 4294967295, path);
  const items: (CheckpointRef)[] = [];
  for (let i = 0; i < v.length; i++) items.push(readJsonCheckpointRef(r, v[i], path + '[' + i + ']'));
  return items;
}

export function readJsonCheckpointDescriptor(r: $JsonReader, v: unknown, path: string): CheckpointDescriptor {
  r.object(v, 'CheckpointDescriptor', path);
  if (r.refusesUnknown) {
    for (const k in v) {
      switch (k) {
        case 'height': case 'block_hash': case 'state_root': case 'history_root': case 'entries': case 'bytes': case 'chunk_count': case 'chunks_root': case 'created_ms': case 'archive': break;
        default: r.unknownMember(k, ['height', 'block_hash', 'state_root', 'history_root', 'entries', 'bytes', 'chunk_count', 'chunks_root', 'created_ms', 'archive'], path);
      }
    }
  }
  const x0 = r.u64(v['height'], path, '.height', -1);
  const x1 = r.digest(v['block_hash'], 'hash', path, '.block_hash', -1);
  const x2 = r.digest(v['state_root'], 'hash', path, '.state_root', -1);
  const x3 = r.digest(v['history_root'], 'hash', path, '.history_root', -1);
  const x4 = r.u64(v['entries'], path, '.entries', -1);
  const x5 = r.u64(v['bytes'], path, '.bytes', -1);
  const x6 = r.u32(v['chunk_count'], path, '.chunk_count', -1);
  const x7 = r.digest(v['chunks_root'], 'hash', path, '.chunks_root', -1);
  const x8 = r.u64(v['created_ms'], path, '.created_ms', -1);
  const y9 = v['archive'];
  const x9 = y9 === undefined || y9 === null ? undefined : readJsonArchiveDescriptor(r, y9, path + '.archive');
  const result: $Writable<CheckpointDescriptor> = { height: x0, block_hash: x1, state_root: x2, history_root: x3, entries: x4, bytes: x5, chunk_count: x6, chunks_root: x7, created_ms: x8 };
  if (x9 !== undefined) result.archive = x9;
  return result;
}

function readJsonCheckpointDescriptorList(r: $JsonReader, v: unknown, path: string): readonly CheckpointDescriptor[] {
  r.list(v, 4294967295, path);
  const items: (CheckpointDescriptor)[] = [];
  for (let i = 0; i < v.length; i++) items.push(readJsonCheckpointDescriptor(r, v[i], path + '[' + i + ']'));
  return items;
}

export function readJsonSubtreeProof(r: $JsonReader, v: unknown, path: string): SubtreeProof {
  r.object(v, 'SubtreeProof', path);
  if (r.refusesUnknown) {
    for (const k in v) {
      switch (k) {
        case 'prefix': case 'depth': case 'bitmap': case 'siblings': break;
        default: r.unknownMember(k, ['prefix', 'depth', 'bitmap', 'siblings'], path);
      }
    }
  }
  const x0 = r.digest(v['prefix'], 'hash', path, '.prefix', -1);
  const x1 = r.u16(v['depth'], path, '.depth', -1);
  const x2 = r.bytes(v['bitmap'], 4294967295, path, '.bitmap', -1);
  const x3 = readJsonHashList(r, v['siblings'], path + '.siblings');
  return { prefix: x0, depth: x1, bitmap: x2, siblings: x3 };
}

function readJsonSnapshotEntryList(r: $JsonReader, v: unknown, path: string): readonly SnapshotEntry[] {
  r.list(v, 4294967295, path);
  const items: (SnapshotEntry)[] = [];
  for (let i = 0; i < v.length; i++) items.push(readJsonSnapshotEntry(r, v[i], path + '[' + i + ']'));
  return items;
}

function readJsonBytesList(r: $JsonReader, v: unknown, path: string): readonly Uint8Array[] {
  r.list(v, 4294967295, path);
  const items: (Uint8Array)[] = [];
  for (let i = 0; i < v.length; i++) items.push(r.bytes(v[i], 4294967295, path, '', i));
  return items;
}

function readJsonU8List(r: $JsonReader, v: unknown, path: string): readonly number[] {
  r.list(v, 4294967295, path);
  const items: (number)[] = [];
  for (let i = 0; i < v.length; i++) items.push(r.u8(v[i], path, '', i));
  return items;
}

function readJsonTxSimulateResultList(r: $JsonReader, v: unknown, path: string): readonly TxSimulateResult[] {
  r.list(v, 4294967295, path);
  const items: (TxSimulateResult)[] = [];
  for (let i = 0; i < v.length; i++) items.push(readJsonTxSimulateResult(r, v[i], path + '[' + i + ']'));
  return items;
}

function readJsonDependencyList(r: $JsonReader, v: unknown, path: string): readonly Dependency[] {
  r.list(v, 4294967295, path);
  const items: (Dependency)[] = [];
  for (let i = 0; i < v.length; i++) items.push(readJsonDependency(r, v[i], path + '[' + i + ']'));
  return items;
}

function readJsonU32ListList(r: $JsonReader, v: unknown, path: string): readonly (readonly number[])[] {
  r.list(v, 4294967295, path);
  const items: (readonly number[])[] = [];
  for (let i = 0; i < v.length; i++) items.push(readJsonU32List(r, v[i], path + '[' + i + ']'));
  return items;
}

function readJsonTracerList(r: $JsonReader, v: unknown, path: string): readonly Tracer[] {
  r.list(v, 4294967295, path);
  const items: (Tracer)[] = [];
  for (let i = 0; i < v.length; i++) items.push(readJsonTracer(r, v[i], path + '[' + i + ']'));
  return items;
}

export function readJsonTrace(r: $JsonReader, v: unknown, path: string): Trace {
  r.object(v, 'Trace', path);
  if (r.refusesUnknown) {
    for (const k in v) {
      switch (k) {
        case 'call_tree': case 'host_ops': case 'state_diff': case 'prestate': case 'gas_profile': case 'truncated': break;
        default: r.unknownMember(k, ['call_tree', 'host_ops', 'state_diff', 'prestate', 'gas_profile', 'truncated'], path);
      }
    }
  }
  const y0 = v['call_tree'];
  const x0 = y0 === undefined || y0 === null ? undefined : readJsonCallFrame(r, y0, path + '.call_tree');
  const y1 = v['host_ops'];
  const x1 = y1 === undefined || y1 === null ? undefined : readJsonHostOpList(r, y1, path + '.host_ops');
  const y2 = v['state_diff'];
  const x2 = y2 === undefined || y2 === null ? undefined : readJsonStateDiffList(r, y2, path + '.state_diff');
  const y3 = v['prestate'];
  const x3 = y3 === undefined || y3 === null ? undefined : readJsonStateOverrideList(r, y3, path + '.prestate');
  const y4 = v['gas_profile'];
  const x4 = y4 === undefined || y4 === null ? undefined : readJsonGasProfile(r, y4, path + '.gas_profile');
  const x5 = r.bool(v['truncated'], path, '.truncated', -1);
  const result: $Writable<Trace> = { truncated: x5 };
  if (x0 !== undefined) result.call_tree = x0;
  if (x1 !== undefined) result.host_ops = x1;
  if (x2 !== undefined) result.state_diff = x2;
  if (x3 !== undefined) result.prestate = x3;
  if (x4 !== undefined) result.gas_profile = x4;
  return result;
}

function readJsonTokenUsageDayList(r: $JsonReader, v: unknown, path: string): readonly TokenUsageDay[] {
  r.list(v, 4294967295, path);
  const items: (TokenUsageDay)[] = [];
  for (let i = 0; i < v.length; i++) items.push(readJsonTokenUsageDay(r, v[i], path + '[' + i + ']'));
  return items;
}

export function readJsonSyncState(r: $JsonReader, v: unknown, path: string): SyncState {
  r.object(v, 'SyncState: {"type": …, "value": …}', path);
  if (r.refusesUnknown) {
    for (const k in v) {
      switch (k) {
        case 'type': case 'value': break;
        default: r.unknownMember(k, ['type', 'value'], path);
      }
    }
  }
  switch (v['type']) {
    case 'synced':
      r.nothing(v['value'], 'synced', path);
      return { type: 'synced' };
    case 'catching_up':
      r.nothing(v['value'], 'catching_up', path);
      return { type: 'catching_up' };
    case 'stalled':
      r.nothing(v['value'], 'stalled', path);
      return { type: 'stalled' };
    default:
      return r.unknownVariant(v['type'], ['synced', 'catching_up', 'stalled'], path);
  }
}

export function readJsonDkgState(r: $JsonReader, v: unknown, path: string): DkgState {
  r.object(v, 'DkgState: {"type": …, "value": …}', path);
  if (r.refusesUnknown) {
    for (const k in v) {
      switch (k) {
        case 'type': case 'value': break;
        default: r.unknownMember(k, ['type', 'value'], path);
      }
    }
  }
  switch (v['type']) {
    case 'idle':
      r.nothing(v['value'], 'idle', path);
      return { type: 'idle' };
    case 'dealing':
      r.nothing(v['value'], 'dealing', path);
      return { type: 'dealing' };
    case 'complaining':
      r.nothing(v['value'], 'complaining', path);
      return { type: 'complaining' };
    case 'ready':
      r.nothing(v['value'], 'ready', path);
      return { type: 'ready' };
    case 'failed':
      return { type: 'failed', value: r.string(v['value'], 4294967295, path, '.failed', -1) };
    default:
      return r.unknownVariant(v['type'], ['idle', 'dealing', 'complaining', 'ready', 'failed'], path);
  }
}

export function readJsonPeerHealth(r: $JsonReader, v: unknown, path: string): PeerHealth {
  r.object(v, 'PeerHealth', path);
  if (r.refusesUnknown) {
    for (const k in v) {
      switch (k) {
        case 'index': case 'address': case 'connected': case 'rtt_ms': case 'last_seen_ms': case 'behind_by': case 'invalid_proposals': break;
        default: r.unknownMember(k, ['index', 'address', 'connected', 'rtt_ms', 'last_seen_ms', 'behind_by', 'invalid_proposals'], path);
      }
    }
  }
  const x0 = r.u32(v['index'], path, '.index', -1);
  const x1 = r.string(v['address'], 4294967295, path, '.address', -1);
  const x2 = r.bool(v['connected'], path, '.connected', -1);
  const y3 = v['rtt_ms'];
  const x3 = y3 === undefined || y3 === null ? undefined : r.u32(y3, path, '.rtt_ms', -1);
  const y4 = v['last_seen_ms'];
  const x4 = y4 === undefined || y4 === null ? undefined : r.u64(y4, path, '.last_seen_ms', -1);
  const y5 = v['behind_by'];
  const x5 = y5 === undefined || y5 === null ? undefined : r.u64(y5, path, '.behind_by', -1);
  const y6 = v['invalid_proposals'];
  const x6 = y6 === undefined || y6 === null ? undefined : r.u64(y6, path, '.invalid_proposals', -1);
  const result: $Writable<PeerHealth> = { index: x0, address: x1, connected: x2 };
  if (x3 !== undefined) result.rtt_ms = x3;
  if (x4 !== undefined) result.last_seen_ms = x4;
  if (x5 !== undefined) result.behind_by = x5;
  if (x6 !== undefined) result.invalid_proposals = x6;
  return result;
}

export function readJsonQuantiles(r: $JsonReader, v: unknown, path: string): Quantiles {
  r.object(v, 'Quantiles', path);
  if (r.refusesUnknown) {
    for (const k in v) {
      switch (k) {
        case 'p50': case 'p90': case 'p99': break;
        default: r.unknownMember(k, ['p50', 'p90', 'p99'], path);
      }
    }
  }
  const x0 = r.u32(v['p50'], path, '.p50', -1);
  const x1 = r.u32(v['p90'], path, '.p90', -1);
  const x2 = r.u32(v['p99'], path, '.p99', -1);
  return { p50: x0, p90: x1, p99: x2 };
}

export function readJsonPendingValidatorChange(r: $JsonReader, v: unknown, path: string): PendingValidatorChange {
  r.object(v, 'PendingValidatorChange', path);
  if (r.refusesUnknown) {
    for (const k in v) {
      switch (k) {
        case 'change': case 'address': case 'approvals': case 'approvals_needed': case 'included': case 'effective_height': break;
        default: r.unknownMember(k, ['change', 'address', 'approvals', 'approvals_needed', 'included', 'effective_height'], path);
      }
    }
  }
  const x0 = readJsonValidatorChange(r, v['change'], path + '.change');
  const x1 = r.address(v['address'], path, '.address', -1);
  const x2 = readJsonChangeApproverList(r, v['approvals'], path + '.approvals');
  const x3 = r.u32(v['approvals_needed'], path, '.approvals_needed', -1);
  const x4 = r.bool(v['included'], path, '.included', -1);
  const x5 = r.u64(v['effective_height'], path, '.effective_height', -1);
  return { change: x0, address: x1, approvals: x2, approvals_needed: x3, included: x4, effective_height: x5 };
}

export function readJsonNonceLane(r: $JsonReader, v: unknown, path: string): NonceLane {
  r.object(v, 'NonceLane', path);
  if (r.refusesUnknown) {
    for (const k in v) {
      switch (k) {
        case 'lane': case 'next_nonce': case 'pending': break;
        default: r.unknownMember(k, ['lane', 'next_nonce', 'pending'], path);
      }
    }
  }
  const x0 = r.u32(v['lane'], path, '.lane', -1);
  const x1 = r.u64(v['next_nonce'], path, '.next_nonce', -1);
  const x2 = r.u32(v['pending'], path, '.pending', -1);
  return { lane: x0, next_nonce: x1, pending: x2 };
}

export function readJsonStateOverride(r: $JsonReader, v: unknown, path: string): StateOverride {
  r.object(v, 'StateOverride', path);
  if (r.refusesUnknown) {
    for (const k in v) {
      switch (k) {
        case 'address': case 'balance': case 'code': case 'idl': case 'slots': break;
        default: r.unknownMember(k, ['address', 'balance', 'code', 'idl', 'slots'], path);
      }
    }
  }
  const x0 = r.address(v['address'], path, '.address', -1);
  const y1 = v['balance'];
  const x1 = y1 === undefined || y1 === null ? undefined : r.u128(y1, path, '.balance', -1);
  const y2 = v['code'];
  const x2 = y2 === undefined || y2 === null ? undefined : r.bytes(y2, 4294967295, path, '.code', -1);
  const y3 = v['idl'];
  const x3 = y3 === undefined || y3 === null ? undefined : r.string(y3, 4294967295, path, '.idl', -1);
  const y4 = v['slots'];
  const x4 = y4 === undefined || y4 === null ? undefined : readJsonSlotValueList(r, y4, path + '.slots');
  const result: $Writable<StateOverride> = { address: x0 };
  if (x1 !== undefined) result.balance = x1;
  if (x2 !== undefined) result.code = x2;
  if (x3 !== undefined) result.idl = x3;
  if (x4 !== undefined) result.slots = x4;
  return result;
}

export function readJsonRevert(r: $JsonReader, v: unknown, path: string): Revert {
  r.object(v, 'Revert', path);
  if (r.refusesUnknown) {
    for (const k in v) {
      switch (k) {
        case 'message': case 'data': case 'error': break;
        default: r.unknownMember(k, ['message', 'data', 'error'], path);
      }
    }
  }
  const y0 = v['message'];
  const x0 = y0 === undefined || y0 === null ? undefined : r.string(y0, 4294967295, path, '.message', -1);
  const x1 = r.bytes(v['data'], 4294967295, path, '.data', -1);
  const y2 = v['error'];
  const x2 = y2 === undefined || y2 === null ? undefined : r.json(y2, path, '.error', -1);
  const result: $Writable<Revert> = { data: x1 };
  if (x0 !== undefined) result.message = x0;
  if (x2 !== undefined) result.error = x2;
  return result;
}

export function readJsonTrap(r: $JsonReader, v: unknown, path: string): Trap {
  r.object(v, 'Trap', path);
  if (r.refusesUnknown) {
    for (const k in v) {
      switch (k) {
        case 'kind': case 'message': case 'backtrace': break;
        default: r.unknownMember(k, ['kind', 'message', 'backtrace'], path);
      }
    }
  }
  const x0 = r.string(v['kind'], 4294967295, path, '.kind', -1);
  const x1 = r.string(v['message'], 4294967295, path, '.message', -1);
  const x2 = readJsonStringList(r, v['backtrace'], path + '.backtrace');
  return { kind: x0, message: x1, backtrace: x2 };
}

export function readJsonLog(r: $JsonReader, v: unknown, path: string): Log {
  r.object(v, 'Log', path);
  if (r.refusesUnknown) {
    for (const k in v) {
      switch (k) {
        case 'contract': case 'topics': case 'data': case 'height': case 'block_hash': case 'tx_hash': case 'tx_index': case 'log_index': case 'event': break;
        default: r.unknownMember(k, ['contract', 'topics', 'data', 'height', 'block_hash', 'tx_hash', 'tx_index', 'log_index', 'event'], path);
      }
    }
  }
  const x0 = r.address(v['contract'], path, '.contract', -1);
  const x1 = readJsonHashList(r, v['topics'], path + '.topics');
  const x2 = r.bytes(v['data'], 4294967295, path, '.data', -1);
  const x3 = r.u64(v['height'], path, '.height', -1);
  const x4 = r.digest(v['block_hash'], 'hash', path, '.block_hash', -1);
  const x5 = r.digest(v['tx_hash'], 'hash', path, '.tx_hash', -1);
  const x6 = r.u32(v['tx_index'], path, '.tx_index', -1);
  const x7 = r.u32(v['log_index'], path, '.log_index', -1);
  const y8 = v['event'];
  const x8 = y8 === undefined || y8 === null ? undefined : readJsonDecodedEvent(r, y8, path + '.event');
  const result: $Writable<Log> = { contract: x0, topics: x1, data: x2, height: x3, block_hash: x4, tx_hash: x5, tx_index: x6, log_index: x7 };
  if (x8 !== undefined) result.event = x8;
  return result;
}

export function readJsonCallArgs(r: $JsonReader, v: unknown, path: string): CallArgs {
  r.object(v, 'CallArgs', path);
  if (r.refusesUnknown) {
    for (const k in v) {
      switch (k) {
        case 'contract': case 'method': case 'args': case 'input': case 'idl': case 'value': break;
        default: r.unknownMember(k, ['contract', 'method', 'args', 'input', 'idl', 'value'], path);
      }
    }
  }
  const x0 = r.address(v['contract'], path, '.contract', -1);
  const y1 = v['method'];
  const x1 = y1 === undefined || y1 === null ? undefined : r.string(y1, 4294967295, path, '.method', -1);
  const y2 = v['args'];
  const x2 = y2 === undefined || y2 === null ? undefined : r.json(y2, path, '.args', -1);
  const y3 = v['input'];
  const x3 = y3 === undefined || y3 === null ? undefined : r.bytes(y3, 4294967295, path, '.input', -1);
  const y4 = v['idl'];
  const x4 = y4 === undefined || y4 === null ? undefined : r.string(y4, 4294967295, path, '.idl', -1);
  const y5 = v['value'];
  const x5 = y5 === undefined || y5 === null ? undefined : r.u128(y5, path, '.value', -1);
  const result: $Writable<CallArgs> = { contract: x0 };
  if (x1 !== undefined) result.method = x1;
  if (x2 !== undefined) result.args = x2;
  if (x3 !== undefined) result.input = x3;
  if (x4 !== undefined) result.idl = x4;
  if (x5 !== undefined) result.value = x5;
  return result;
}

function readJsonCallArgsList(r: $JsonReader, v: unknown, path: string): readonly CallArgs[] {
  r.list(v, 4294967295, path);
  const items: (CallArgs)[] = [];
  for (let i = 0; i < v.length; i++) items.push(readJsonCallArgs(r, v[i], path + '[' + i + ']'));
  return items;
}

export function readJsonPendingTx(r: $JsonReader, v: unknown, path: string): PendingTx {
  r.object(v, 'PendingTx', path);
  if (r.refusesUnknown) {
    for (const k in v) {
      switch (k) {
        case 'lane': case 'nonce': case 'ready': case 'received_ms': break;
        default: r.unknownMember(k, ['lane', 'nonce', 'ready', 'received_ms'], path);
      }
    }
  }
  const x0 = r.u32(v['lane'], path, '.lane', -1);
  const x1 = r.u64(v['nonce'], path, '.nonce', -1);
  const x2 = r.bool(v['ready'], path, '.ready', -1);
  const x3 = r.u64(v['received_ms'], path, '.received_ms', -1);
  return { lane: x0, nonce: x1, ready: x2, received_ms: x3 };
}

export function readJsonInclusion(r: $JsonReader, v: unknown, path: string): Inclusion {
  r.object(v, 'Inclusion', path);
  if (r.refusesUnknown) {
    for (const k in v) {
      switch (k) {
        case 'height': case 'block_hash': case 'index': case 'finalized': break;
        default: r.unknownMember(k, ['height', 'block_hash', 'index', 'finalized'], path);
      }
    }
  }
  const x0 = r.u64(v['height'], path, '.height', -1);
  const x1 = r.digest(v['block_hash'], 'hash', path, '.block_hash', -1);
  const x2 = r.u32(v['index'], path, '.index', -1);
  const x3 = r.bool(v['finalized'], path, '.finalized', -1);
  return { height: x0, block_hash: x1, index: x2, finalized: x3 };
}

export function readJsonStateDiff(r: $JsonReader, v: unknown, path: string): StateDiff {
  r.object(v, 'StateDiff', path);
  if (r.refusesUnknown) {
    for (const k in v) {
      switch (k) {
        case 'address': case 'balance': case 'slots': case 'code_hash': break;
        default: r.unknownMember(k, ['address', 'balance', 'slots', 'code_hash'], path);
      }
    }
  }
  const x0 = r.address(v['address'], path, '.address', -1);
  const y1 = v['balance'];
  const x1 = y1 === undefined || y1 === null ? undefined : readJsonValueChange(r, y1, path + '.balance');
  const x2 = readJsonSlotChangeList(r, v['slots'], path + '.slots');
  const y3 = v['code_hash'];
  const x3 = y3 === undefined || y3 === null ? undefined : r.digest(y3, 'hash', path, '.code_hash', -1);
  const result: $Writable<StateDiff> = { address: x0, slots: x2 };
  if (x1 !== undefined) result.balance = x1;
  if (x3 !== undefined) result.code_hash = x3;
  return result;
}

export function readJsonAccessEntry(r: $JsonReader, v: unknown, path: string): AccessEntry {
  r.object(v, 'AccessEntry', path);
  if (r.refusesUnknown) {
    for (const k in v) {
      switch (k) {
        case 'address': case 'account': case 'slots': break;
        default: r.unknownMember(k, ['address', 'account', 'slots'], path);
      }
    }
  }
  const x0 = r.address(v['address'], path, '.address', -1);
  const x1 = readJsonAccess(r, v['account'], path + '.account');
  const x2 = readJsonSlotAccessList(r, v['slots'], path + '.slots');
  return { address: x0, account: x1, slots: x2 };
}

export function readJsonPipelineStep(r: $JsonReader, v: unknown, path: string): PipelineStep {
  r.object(v, 'PipelineStep: {"type": …, "value": …}', path);
  if (r.refusesUnknown) {
    for (const k in v) {
      switch (k) {
        case 'type': case 'value': break;
        default: r.unknownMember(k, ['type', 'value'], path);
      }
    }
  }
  switch (v['type']) {
    case 'tx':
      return { type: 'tx', value: readJsonTxSimulateArgs(r, v['value'], path + '.tx') };
    case 'view':
      return { type: 'view', value: readJsonViewCallArgs(r, v['value'], path + '.view') };
    default:
      return r.unknownVariant(v['type'], ['tx', 'view'], path);
  }
}

export function readJsonPipelineStepResult(r: $JsonReader, v: unknown, path: string): PipelineStepResult {
  r.object(v, 'PipelineStepResult: {"type": …, "value": …}', path);
  if (r.refusesUnknown) {
    for (const k in v) {
      switch (k) {
        case 'type': case 'value': break;
        default: r.unknownMember(k, ['type', 'value'], path);
      }
    }
  }
  switch (v['type']) {
    case 'tx':
      return { type: 'tx', value: readJsonTxSimulateResult(r, v['value'], path + '.tx') };
    case 'view':
      return { type: 'view', value: readJsonViewCallResult(r, v['value'], path + '.view') };
    case 'skipped':
      return { type: 'skipped', value: r.string(v['value'], 4294967295, path, '.skipped', -1) };
    default:
      return r.unknownVariant(v['type'], ['tx', 'view', 'skipped'], path);
  }
}

export function readJsonBlockSummary(r: $JsonReader, v: unknown, path: string): BlockSummary {
  r.object(v, 'BlockSummary', path);
  if (r.refusesUnknown) {
    for (const k in v) {
      switch (k) {
        case 'height': case 'hash': case 'parent_hash': case 'timestamp_ms': case 'proposer': case 'epoch': case 'view': case 'tx_count': case 'gas_used': case 'gas_limit': case 'base_fee': case 'state_root': case 'finalized': break;
        default: r.unknownMember(k, ['height', 'hash', 'parent_hash', 'timestamp_ms', 'proposer', 'epoch', 'view', 'tx_count', 'gas_used', 'gas_limit', 'base_fee', 'state_root', 'finalized'], path);
      }
    }
  }
  const x0 = r.u64(v['height'], path, '.height', -1);
  const x1 = r.digest(v['hash'], 'hash', path, '.hash', -1);
  const x2 = r.digest(v['parent_hash'], 'hash', path, '.parent_hash', -1);
  const x3 = r.u64(v['timestamp_ms'], path, '.timestamp_ms', -1);
  const x4 = r.u32(v['proposer'], path, '.proposer', -1);
  const x5 = r.u64(v['epoch'], path, '.epoch', -1);
  const x6 = r.u64(v['view'], path, '.view', -1);
  const x7 = r.u32(v['tx_count'], path, '.tx_count', -1);
  const x8 = r.u64(v['gas_used'], path, '.gas_used', -1);
  const x9 = r.u64(v['gas_limit'], path, '.gas_limit', -1);
  const x10 = r.u128(v['base_fee'], path, '.base_fee', -1);
  const x11 = r.digest(v['state_root'], 'hash', path, '.state_root', -1);
  const x12 = r.bool(v['finalized'], path, '.finalized', -1);
  return { height: x0, hash: x1, parent_hash: x2, timestamp_ms: x3, proposer: x4, epoch: x5, view: x6, tx_count: x7, gas_used: x8, gas_limit: x9, base_fee: x10, state_root: x11, finalized: x12 };
}

export function readJsonTxSummary(r: $JsonReader, v: unknown, path: string): TxSummary {
  r.object(v, 'TxSummary', path);
  if (r.refusesUnknown) {
    for (const k in v) {
      switch (k) {
        case 'tx_hash': case 'height': case 'block_hash': case 'index': case 'timestamp_ms': case 'sender': case 'lane': case 'nonce': case 'kind': case 'to': case 'value': case 'method': case 'status': case 'gas_used': case 'fee': case 'opens_at': case 'received': break;
        default: r.unknownMember(k, ['tx_hash', 'height', 'block_hash', 'index', 'timestamp_ms', 'sender', 'lane', 'nonce', 'kind', 'to', 'value', 'method', 'status', 'gas_used', 'fee', 'opens_at', 'received'], path);
      }
    }
  }
  const x0 = r.digest(v['tx_hash'], 'hash', path, '.tx_hash', -1);
  const x1 = r.u64(v['height'], path, '.height', -1);
  const x2 = r.digest(v['block_hash'], 'hash', path, '.block_hash', -1);
  const x3 = r.u32(v['index'], path, '.index', -1);
  const x4 = r.u64(v['timestamp_ms'], path, '.timestamp_ms', -1);
  const x5 = r.address(v['sender'], path, '.sender', -1);
  const x6 = r.u32(v['lane'], path, '.lane', -1);
  const x7 = r.u64(v['nonce'], path, '.nonce', -1);
  const x8 = readJsonActionKind(r, v['kind'], path + '.kind');
  const y9 = v['to'];
  const x9 = y9 === undefined || y9 === null ? undefined : r.address(y9, path, '.to', -1);
  const x10 = r.u128(v['value'], path, '.value', -1);
  const y11 = v['method'];
  const x11 = y11 === undefined || y11 === null ? undefined : r.string(y11, 4294967295, path, '.method', -1);
  const x12 = readJsonExecStatus(r, v['status'], path + '.status');
  const x13 = r.u64(v['gas_used'], path, '.gas_used', -1);
  const x14 = r.u128(v['fee'], path, '.fee', -1);
  const y15 = v['opens_at'];
  const x15 = y15 === undefined || y15 === null ? undefined : r.u64(y15, path, '.opens_at', -1);
  const y16 = v['received'];
  const x16 = y16 === undefined || y16 === null ? undefined : r.u128(y16, path, '.received', -1);
  const result: $Writable<TxSummary> = { tx_hash: x0, height: x1, block_hash: x2, index: x3, timestamp_ms: x4, sender: x5, lane: x6, nonce: x7, kind: x8, value: x10, status: x12, gas_used: x13, fee: x14 };
  if (x9 !== undefined) result.to = x9;
  if (x11 !== undefined) result.method = x11;
  if (x15 !== undefined) result.opens_at = x15;
  if (x16 !== undefined) result.received = x16;
  return result;
}

export function readJsonHeldToken(r: $JsonReader, v: unknown, path: string): HeldToken {
  r.object(v, 'HeldToken', path);
  if (r.refusesUnknown) {
    for (const k in v) {
      switch (k) {
        case 'contract': case 'interface_name': case 'last_height': break;
        default: r.unknownMember(k, ['contract', 'interface_name', 'last_height'], path);
      }
    }
  }
  const x0 = r.address(v['contract'], path, '.contract', -1);
  const x1 = r.string(v['interface_name'], 4294967295, path, '.interface_name', -1);
  const x2 = r.u64(v['last_height'], path, '.last_height', -1);
  return { contract: x0, interface_name: x1, last_height: x2 };
}

export function readJsonNamedContract(r: $JsonReader, v: unknown, path: string): NamedContract {
  r.object(v, 'NamedContract', path);
  if (r.refusesUnknown) {
    for (const k in v) {
      switch (k) {
        case 'contract': case 'name': case 'deployer': case 'deployed_at': break;
        default: r.unknownMember(k, ['contract', 'name', 'deployer', 'deployed_at'], path);
      }
    }
  }
  const x0 = r.address(v['contract'], path, '.contract', -1);
  const x1 = r.string(v['name'], 4294967295, path, '.name', -1);
  const x2 = r.address(v['deployer'], path, '.deployer', -1);
  const x3 = r.u64(v['deployed_at'], path, '.deployed_at', -1);
  return { contract: x0, name: x1, deployer: x2, deployed_at: x3 };
}

export function readJsonPendingSummary(r: $JsonReader, v: unknown, path: string): PendingSummary {
  r.object(v, 'PendingSummary', path);
  if (r.refusesUnknown) {
    for (const k in v) {
      switch (k) {
        case 'tx_hash': case 'sender': case 'lane': case 'nonce': case 'ready': case 'kind': case 'max_fee': case 'priority_fee': case 'gas_limit': case 'bytes': case 'received_ms': case 'opens_at': break;
        default: r.unknownMember(k, ['tx_hash', 'sender', 'lane', 'nonce', 'ready', 'kind', 'max_fee', 'priority_fee', 'gas_limit', 'bytes', 'received_ms', 'opens_at'], path);
      }
    }
  }
  const x0 = r.digest(v['tx_hash'], 'hash', path, '.tx_hash', -1);
  const x1 = r.address(v['sender'], path, '.sender', -1);
  const x2 = r.u32(v['lane'], path, '.lane', -1);
  const x3 = r.u64(v['nonce'], path, '.nonce', -1);
  const x4 = r.bool(v['ready'], path, '.ready', -1);
  const x5 = readJsonActionKind(r, v['kind'], path + '.kind');
  const x6 = r.u128(v['max_fee'], path, '.max_fee', -1);
  const x7 = r.u128(v['priority_fee'], path, '.priority_fee', -1);
  const x8 = r.u64(v['gas_limit'], path, '.gas_limit', -1);
  const x9 = r.u32(v['bytes'], path, '.bytes', -1);
  const x10 = r.u64(v['received_ms'], path, '.received_ms', -1);
  const y11 = v['opens_at'];
  const x11 = y11 === undefined || y11 === null ? undefined : r.u64(y11, path, '.opens_at', -1);
  const result: $Writable<PendingSummary> = { tx_hash: x0, sender: x1, lane: x2, nonce: x3, ready: x4, kind: x5, max_fee: x6, priority_fee: x7, gas_limit: x8, bytes: x9, received_ms: x10 };
  if (x11 !== undefined) result.opens_at = x11;
  return result;
}

export function readJsonBlock(r: $JsonReader, v: unknown, path: string): Block {
  r.object(v, 'Block', path);
  if (r.refusesUnknown) {
    for (const k in v) {
      switch (k) {
        case 'hash': case 'header': case 'items': case 'finalized': break;
        default: r.unknownMember(k, ['hash', 'header', 'items', 'finalized'], path);
      }
    }
  }
  const x0 = r.digest(v['hash'], 'hash', path, '.hash', -1);
  const x1 = readJsonBlockHeader(r, v['header'], path + '.header');
  const x2 = readJsonBlockItemList(r, v['items'], path + '.items');
  const x3 = r.bool(v['finalized'], path, '.finalized', -1);
  return { hash: x0, header: x1, items: x2, finalized: x3 };
}

export function readJsonRangeTx(r: $JsonReader, v: unknown, path: string): RangeTx {
  r.object(v, 'RangeTx', path);
  if (r.refusesUnknown) {
    for (const k in v) {
      switch (k) {
        case 'tx_hash': case 'height': case 'index': case 'transaction': case 'status': case 'gas_used': break;
        default: r.unknownMember(k, ['tx_hash', 'height', 'index', 'transaction', 'status', 'gas_used'], path);
      }
    }
  }
  const x0 = r.digest(v['tx_hash'], 'hash', path, '.tx_hash', -1);
  const x1 = r.u64(v['height'], path, '.height', -1);
  const x2 = r.u32(v['index'], path, '.index', -1);
  const x3 = readJsonSignedTransaction(r, v['transaction'], path + '.transaction');
  const x4 = readJsonExecStatus(r, v['status'], path + '.status');
  const x5 = r.u64(v['gas_used'], path, '.gas_used', -1);
  return { tx_hash: x0, height: x1, index: x2, transaction: x3, status: x4, gas_used: x5 };
}

export function readJsonNeighbourLeaf(r: $JsonReader, v: unknown, path: string): NeighbourLeaf {
  r.object(v, 'NeighbourLeaf', path);
  if (r.refusesUnknown) {
    for (const k in v) {
      switch (k) {
        case 'key': case 'value_hash': break;
        default: r.unknownMember(k, ['key', 'value_hash'], path);
      }
    }
  }
  const x0 = r.digest(v['key'], 'hash', path, '.key', -1);
  const x1 = r.digest(v['value_hash'], 'hash', path, '.value_hash', -1);
  return { key: x0, value_hash: x1 };
}

export function readJsonArchiveDescriptor(r: $JsonReader, v: unknown, path: string): ArchiveDescriptor {
  r.object(v, 'ArchiveDescriptor', path);
  if (r.refusesUnknown) {
    for (const k in v) {
      switch (k) {
        case 'format': case 'file': case 'bytes': case 'sha256': break;
        default: r.unknownMember(k, ['format', 'file', 'bytes', 'sha256'], path);
      }
    }
  }
  const x0 = r.string(v['format'], 4294967295, path, '.format', -1);
  const x1 = r.string(v['file'], 4294967295, path, '.file', -1);
  const x2 = r.u64(v['bytes'], path, '.bytes', -1);
  const x3 = r.digest(v['sha256'], 'hash', path, '.sha256', -1);
  return { format: x0, file: x1, bytes: x2, sha256: x3 };
}

export function readJsonSnapshotEntry(r: $JsonReader, v: unknown, path: string): SnapshotEntry {
  r.object(v, 'SnapshotEntry', path);
  if (r.refusesUnknown) {
    for (const k in v) {
      switch (k) {
        case 'key': case 'value': break;
        default: r.unknownMember(k, ['key', 'value'], path);
      }
    }
  }
  const x0 = r.digest(v['key'], 'hash', path, '.key', -1);
  const x1 = r.bytes(v['value'], 4294967295, path, '.value', -1);
  return { key: x0, value: x1 };
}

export function readJsonDependency(r: $JsonReader, v: unknown, path: string): Dependency {
  r.object(v, 'Dependency', path);
  if (r.refusesUnknown) {
    for (const k in v) {
      switch (k) {
        case 'from': case 'to': case 'kind': case 'address': case 'slot': break;
        default: r.unknownMember(k, ['from', 'to', 'kind', 'address', 'slot'], path);
      }
    }
  }
  const x0 = r.u32(v['from'], path, '.from', -1);
  const x1 = r.u32(v['to'], path, '.to', -1);
  const x2 = readJsonDependencyKind(r, v['kind'], path + '.kind');
  const x3 = r.address(v['address'], path, '.address', -1);
  const y4 = v['slot'];
  const x4 = y4 === undefined || y4 === null ? undefined : r.digest(y4, 'bytes32', path, '.slot', -1);
  const result: $Writable<Dependency> = { from: x0, to: x1, kind: x2, address: x3 };
  if (x4 !== undefined) result.slot = x4;
  return result;
}

function readJsonU32List(r: $JsonReader, v: unknown, path: string): readonly number[] {
  r.list(v, 4294967295, path);
  const items: (number)[] = [];
  for (let i = 0; i < v.length; i++) items.push(r.u32(v[i], path, '', i));
  return items;
}

export function readJsonTracer(r: $JsonReader, v: unknown, path: string): Tracer {
  r.object(v, 'Tracer: {"type": …, "value": …}', path);
  if (r.refusesUnknown) {
    for (const k in v) {
      switch (k) {
        case 'type': case 'value': break;
        default: r.unknownMember(k, ['type', 'value'], path);
      }
    }
  }
  switch (v['type']) {
    case 'call_tree':
      r.nothing(v['value'], 'call_tree', path);
      return { type: 'call_tree' };
    case 'host_ops':
      r.nothing(v['value'], 'host_ops', path);
      return { type: 'host_ops' };
    case 'state_diff':
      r.nothing(v['value'], 'state_diff', path);
      return { type: 'state_diff' };
    case 'prestate':
      r.nothing(v['value'], 'prestate', path);
      return { type: 'prestate' };
    case 'gas_profile':
      r.nothing(v['value'], 'gas_profile', path);
      return { type: 'gas_profile' };
    default:
      return r.unknownVariant(v['type'], ['call_tree', 'host_ops', 'state_diff', 'prestate', 'gas_profile'], path);
  }
}

export function readJsonCallFrame(r: $JsonReader, v: unknown, path: string): CallFrame {
  r.enter(path);
  try {
    r.object(v, 'CallFrame', path);
    if (r.refusesUnknown) {
      for (const k in v) {
        switch (k) {
          case 'kind': case 'from': case 'to': case 'method': case 'input': case 'args': case 'value': case 'gas_limit': case 'gas_used': case 'status': case 'output': case 'decoded': case 'logs': case 'calls': break;
          default: r.unknownMember(k, ['kind', 'from', 'to', 'method', 'input', 'args', 'value', 'gas_limit', 'gas_used', 'status', 'output', 'decoded', 'logs', 'calls'], path);
        }
      }
    }
    const x0 = r.string(v['kind'], 4294967295, path, '.kind', -1);
    const x1 = r.address(v['from'], path, '.from', -1);
    const x2 = r.address(v['to'], path, '.to', -1);
    const y3 = v['method'];
    const x3 = y3 === undefined || y3 === null ? undefined : r.string(y3, 4294967295, path, '.method', -1);
    const x4 = r.bytes(v['input'], 4294967295, path, '.input', -1);
    const y5 = v['args'];
    const x5 = y5 === undefined || y5 === null ? undefined : r.json(y5, path, '.args', -1);
    const x6 = r.u128(v['value'], path, '.value', -1);
    const x7 = r.u64(v['gas_limit'], path, '.gas_limit', -1);
    const x8 = r.u64(v['gas_used'], path, '.gas_used', -1);
    const x9 = readJsonExecStatus(r, v['status'], path + '.status');
    const x10 = r.bytes(v['output'], 4294967295, path, '.output', -1);
    const y11 = v['decoded'];
    const x11 = y11 === undefined || y11 === null ? undefined : r.json(y11, path, '.decoded', -1);
    const x12 = readJsonFrameLogList(r, v['logs'], path + '.logs');
    const x13 = readJsonCallFrameList(r, v['calls'], path + '.calls');
    const result: $Writable<CallFrame> = { kind: x0, from: x1, to: x2, input: x4, value: x6, gas_limit: x7, gas_used: x8, status: x9, output: x10, logs: x12, calls: x13 };
    if (x3 !== undefined) result.method = x3;
    if (x5 !== undefined) result.args = x5;
    if (x11 !== undefined) result.decoded = x11;
    return result;
  } finally {
    r.leave();
  }
}

function readJsonHostOpList(r: $JsonReader, v: unknown, path: string): readonly HostOp[] {
  r.list(v, 4294967295, path);
  const items: (HostOp)[] = [];
  for (let i = 0; i < v.length; i++) items.push(readJsonHostOp(r, v[i], path + '[' + i + ']'));
  return items;
}

export function readJsonGasProfile(r: $JsonReader, v: unknown, path: string): GasProfile {
  r.object(v, 'GasProfile', path);
  if (r.refusesUnknown) {
    for (const k in v) {
      switch (k) {
        case 'functions': case 'folded': break;
        default: r.unknownMember(k, ['functions', 'folded'], path);
      }
    }
  }
  const x0 = readJsonFunctionGasList(r, v['functions'], path + '.functions');
  const x1 = readJsonStringList(r, v['folded'], path + '.folded');
  return { functions: x0, folded: x1 };
}

export function readJsonTokenUsageDay(r: $JsonReader, v: unknown, path: string): TokenUsageDay {
  r.object(v, 'TokenUsageDay', path);
  if (r.refusesUnknown) {
    for (const k in v) {
      switch (k) {
        case 'day': case 'calls': case 'units': case 'methods': break;
        default: r.unknownMember(k, ['day', 'calls', 'units', 'methods'], path);
      }
    }
  }
  const x0 = r.string(v['day'], 4294967295, path, '.day', -1);
  const x1 = r.u64(v['calls'], path, '.calls', -1);
  const x2 = r.u64(v['units'], path, '.units', -1);
  const x3 = readJsonTokenMethodUsageList(r, v['methods'], path + '.methods');
  return { day: x0, calls: x1, units: x2, methods: x3 };
}

function readJsonChangeApproverList(r: $JsonReader, v: unknown, path: string): readonly ChangeApprover[] {
  r.list(v, 4294967295, path);
  const items: (ChangeApprover)[] = [];
  for (let i = 0; i < v.length; i++) items.push(readJsonChangeApprover(r, v[i], path + '[' + i + ']'));
  return items;
}

function readJsonSlotValueList(r: $JsonReader, v: unknown, path: string): readonly SlotValue[] {
  r.list(v, 4294967295, path);
  const items: (SlotValue)[] = [];
  for (let i = 0; i < v.length; i++) items.push(readJsonSlotValue(r, v[i], path + '[' + i + ']'));
  return items;
}

export function readJsonDecodedEvent(r: $JsonReader, v: unknown, path: string): DecodedEvent {
  r.object(v, 'DecodedEvent', path);
  if (r.refusesUnknown) {
    for (const k in v) {
      switch (k) {
        case 'name': case 'args': break;
        default: r.unknownMember(k, ['name', 'args'], path);
      }
    }
  }
  const x0 = r.string(v['name'], 4294967295, path, '.name', -1);
  const x1 = r.json(v['args'], path, '.args', -1);
  return { name: x0, args: x1 };
}

export function readJsonValueChange(r: $JsonReader, v: unknown, path: string): ValueChange {
  r.object(v, 'ValueChange', path);
  if (r.refusesUnknown) {
    for (const k in v) {
      switch (k) {
        case 'before': case 'after': break;
        default: r.unknownMember(k, ['before', 'after'], path);
      }
    }
  }
  const x0 = r.u128(v['before'], path, '.before', -1);
  const x1 = r.u128(v['after'], path, '.after', -1);
  return { before: x0, after: x1 };
}

function readJsonSlotChangeList(r: $JsonReader, v: unknown, path: string): readonly SlotChange[] {
  r.list(v, 4294967295, path);
  const items: (SlotChange)[] = [];
  for (let i = 0; i < v.length; i++) items.push(readJsonSlotChange(r, v[i], path + '[' + i + ']'));
  return items;
}

export function readJsonAccess(r: $JsonReader, v: unknown, path: string): Access {
  r.object(v, 'Access: {"type": …, "value": …}', path);
  if (r.refusesUnknown) {
    for (const k in v) {
      switch (k) {
        case 'type': case 'value': break;
        default: r.unknownMember(k, ['type', 'value'], path);
      }
    }
  }
  switch (v['type']) {
    case 'none':
      r.nothing(v['value'], 'none', path);
      return { type: 'none' };
    case 'read':
      r.nothing(v['value'], 'read', path);
      return { type: 'read' };
    case 'write':
      r.nothing(v['value'], 'write', path);
      return { type: 'write' };
    case 'read_write':
      r.nothing(v['value'], 'read_write', path);
      return { type: 'read_write' };
    default:
      return r.unknownVariant(v['type'], ['none', 'read', 'write', 'read_write'], path);
  }
}

function readJsonSlotAccessList(r: $JsonReader, v: unknown, path: string): readonly SlotAccess[] {
  r.list(v, 4294967295, path);
  const items: (SlotAccess)[] = [];
  for (let i = 0; i < v.length; i++) items.push(readJsonSlotAccess(r, v[i], path + '[' + i + ']'));
  return items;
}

export function readJsonActionKind(r: $JsonReader, v: unknown, path: string): ActionKind {
  r.object(v, 'ActionKind: {"type": …, "value": …}', path);
  if (r.refusesUnknown) {
    for (const k in v) {
      switch (k) {
        case 'type': case 'value': break;
        default: r.unknownMember(k, ['type', 'value'], path);
      }
    }
  }
  switch (v['type']) {
    case 'transfer':
      r.nothing(v['value'], 'transfer', path);
      return { type: 'transfer' };
    case 'deploy':
      r.nothing(v['value'], 'deploy', path);
      return { type: 'deploy' };
    case 'call':
      r.nothing(v['value'], 'call', path);
      return { type: 'call' };
    case 'upgrade':
      r.nothing(v['value'], 'upgrade', path);
      return { type: 'upgrade' };
    case 'batch':
      r.nothing(v['value'], 'batch', path);
      return { type: 'batch' };
    case 'sealed':
      r.nothing(v['value'], 'sealed', path);
      return { type: 'sealed' };
    default:
      return r.unknownVariant(v['type'], ['transfer', 'deploy', 'call', 'upgrade', 'batch', 'sealed'], path);
  }
}

function readJsonBlockItemList(r: $JsonReader, v: unknown, path: string): readonly BlockItem[] {
  r.list(v, 4294967295, path);
  const items: (BlockItem)[] = [];
  for (let i = 0; i < v.length; i++) items.push(readJsonBlockItem(r, v[i], path + '[' + i + ']'));
  return items;
}

export function readJsonDependencyKind(r: $JsonReader, v: unknown, path: string): DependencyKind {
  r.object(v, 'DependencyKind: {"type": …, "value": …}', path);
  if (r.refusesUnknown) {
    for (const k in v) {
      switch (k) {
        case 'type': case 'value': break;
        default: r.unknownMember(k, ['type', 'value'], path);
      }
    }
  }
  switch (v['type']) {
    case 'read_after_write':
      r.nothing(v['value'], 'read_after_write', path);
      return { type: 'read_after_write' };
    case 'write_after_read':
      r.nothing(v['value'], 'write_after_read', path);
      return { type: 'write_after_read' };
    case 'write_after_write':
      r.nothing(v['value'], 'write_after_write', path);
      return { type: 'write_after_write' };
    case 'nonce_order':
      r.nothing(v['value'], 'nonce_order', path);
      return { type: 'nonce_order' };
    default:
      return r.unknownVariant(v['type'], ['read_after_write', 'write_after_read', 'write_after_write', 'nonce_order'], path);
  }
}

function readJsonFrameLogList(r: $JsonReader, v: unknown, path: string): readonly FrameLog[] {
  r.list(v, 4294967295, path);
  const items: (FrameLog)[] = [];
  for (let i = 0; i < v.length; i++) items.push(readJsonFrameLog(r, v[i], path + '[' + i + ']'));
  return items;
}

function readJsonCallFrameList(r: $JsonReader, v: unknown, path: string): readonly CallFrame[] {
  r.list(v, 4294967295, path);
  const items: (CallFrame)[] = [];
  for (let i = 0; i < v.length; i++) items.push(readJsonCallFrame(r, v[i], path + '[' + i + ']'));
  return items;
}

export function readJsonHostOp(r: $JsonReader, v: unknown, path: string): HostOp {
  r.object(v, 'HostOp', path);
  if (r.refusesUnknown) {
    for (const k in v) {
      switch (k) {
        case 'frame': case 'name': case 'gas': case 'args': case 'result': break;
        default: r.unknownMember(k, ['frame', 'name', 'gas', 'args', 'result'], path);
      }
    }
  }
  const x0 = r.u32(v['frame'], path, '.frame', -1);
  const x1 = r.string(v['name'], 4294967295, path, '.name', -1);
  const x2 = r.u64(v['gas'], path, '.gas', -1);
  const x3 = r.json(v['args'], path, '.args', -1);
  const y4 = v['result'];
  const x4 = y4 === undefined || y4 === null ? undefined : r.json(y4, path, '.result', -1);
  const result: $Writable<HostOp> = { frame: x0, name: x1, gas: x2, args: x3 };
  if (x4 !== undefined) result.result = x4;
  return result;
}

function readJsonFunctionGasList(r: $JsonReader, v: unknown, path: string): readonly FunctionGas[] {
  r.list(v, 4294967295, path);
  const items: (FunctionGas)[] = [];
  for (let i = 0; i < v.length; i++) items.push(readJsonFunctionGas(r, v[i], path + '[' + i + ']'));
  return items;
}

function readJsonTokenMethodUsageList(r: $JsonReader, v: unknown, path: string): readonly TokenMethodUsage[] {
  r.list(v, 4294967295, path);
  const items: (TokenMethodUsage)[] = [];
  for (let i = 0; i < v.length; i++) items.push(readJsonTokenMethodUsage(r, v[i], path + '[' + i + ']'));
  return items;
}

export function readJsonChangeApprover(r: $JsonReader, v: unknown, path: string): ChangeApprover {
  r.object(v, 'ChangeApprover', path);
  if (r.refusesUnknown) {
    for (const k in v) {
      switch (k) {
        case 'index': case 'address': break;
        default: r.unknownMember(k, ['index', 'address'], path);
      }
    }
  }
  const x0 = r.u32(v['index'], path, '.index', -1);
  const x1 = r.address(v['address'], path, '.address', -1);
  return { index: x0, address: x1 };
}

export function readJsonSlotValue(r: $JsonReader, v: unknown, path: string): SlotValue {
  r.object(v, 'SlotValue', path);
  if (r.refusesUnknown) {
    for (const k in v) {
      switch (k) {
        case 'slot': case 'value': break;
        default: r.unknownMember(k, ['slot', 'value'], path);
      }
    }
  }
  const x0 = r.digest(v['slot'], 'bytes32', path, '.slot', -1);
  const y1 = v['value'];
  const x1 = y1 === undefined || y1 === null ? undefined : r.bytes(y1, 4294967295, path, '.value', -1);
  const result: $Writable<SlotValue> = { slot: x0 };
  if (x1 !== undefined) result.value = x1;
  return result;
}

export function readJsonSlotChange(r: $JsonReader, v: unknown, path: string): SlotChange {
  r.object(v, 'SlotChange', path);
  if (r.refusesUnknown) {
    for (const k in v) {
      switch (k) {
        case 'slot': case 'before': case 'after': break;
        default: r.unknownMember(k, ['slot', 'before', 'after'], path);
      }
    }
  }
  const x0 = r.digest(v['slot'], 'bytes32', path, '.slot', -1);
  const y1 = v['before'];
  const x1 = y1 === undefined || y1 === null ? undefined : r.bytes(y1, 4294967295, path, '.before', -1);
  const y2 = v['after'];
  const x2 = y2 === undefined || y2 === null ? undefined : r.bytes(y2, 4294967295, path, '.after', -1);
  const result: $Writable<SlotChange> = { slot: x0 };
  if (x1 !== undefined) result.before = x1;
  if (x2 !== undefined) result.after = x2;
  return result;
}

export function readJsonSlotAccess(r: $JsonReader, v: unknown, path: string): SlotAccess {
  r.object(v, 'SlotAccess', path);
  if (r.refusesUnknown) {
    for (const k in v) {
      switch (k) {
        case 'slot': case 'access': break;
        default: r.unknownMember(k, ['slot', 'access'], path);
      }
    }
  }
  const x0 = r.digest(v['slot'], 'bytes32', path, '.slot', -1);
  const x1 = readJsonAccess(r, v['access'], path + '.access');
  return { slot: x0, access: x1 };
}

export function readJsonFrameLog(r: $JsonReader, v: unknown, path: string): FrameLog {
  r.object(v, 'FrameLog', path);
  if (r.refusesUnknown) {
    for (const k in v) {
      switch (k) {
        case 'contract': case 'topics': case 'data': case 'height': case 'block_hash': case 'tx_hash': case 'tx_index': case 'log_index': case 'event': case 'position': break;
        default: r.unknownMember(k, ['contract', 'topics', 'data', 'height', 'block_hash', 'tx_hash', 'tx_index', 'log_index', 'event', 'position'], path);
      }
    }
  }
  const x0 = r.address(v['contract'], path, '.contract', -1);
  const x1 = readJsonHashList(r, v['topics'], path + '.topics');
  const x2 = r.bytes(v['data'], 4294967295, path, '.data', -1);
  const x3 = r.u64(v['height'], path, '.height', -1);
  const x4 = r.digest(v['block_hash'], 'hash', path, '.block_hash', -1);
  const x5 = r.digest(v['tx_hash'], 'hash', path, '.tx_hash', -1);
  const x6 = r.u32(v['tx_index'], path, '.tx_index', -1);
  const x7 = r.u32(v['log_index'], path, '.log_index', -1);
  const y8 = v['event'];
  const x8 = y8 === undefined || y8 === null ? undefined : readJsonDecodedEvent(r, y8, path + '.event');
  const y9 = v['position'];
  const x9 = y9 === undefined || y9 === null ? undefined : r.u32(y9, path, '.position', -1);
  const result: $Writable<FrameLog> = { contract: x0, topics: x1, data: x2, height: x3, block_hash: x4, tx_hash: x5, tx_index: x6, log_index: x7 };
  if (x8 !== undefined) result.event = x8;
  if (x9 !== undefined) result.position = x9;
  return result;
}

export function readJsonFunctionGas(r: $JsonReader, v: unknown, path: string): FunctionGas {
  r.object(v, 'FunctionGas', path);
  if (r.refusesUnknown) {
    for (const k in v) {
      switch (k) {
        case 'contract': case 'function': case 'self_gas': case 'total_gas': case 'calls': break;
        default: r.unknownMember(k, ['contract', 'function', 'self_gas', 'total_gas', 'calls'], path);
      }
    }
  }
  const x0 = r.address(v['contract'], path, '.contract', -1);
  const x1 = r.string(v['function'], 4294967295, path, '.function', -1);
  const x2 = r.u64(v['self_gas'], path, '.self_gas', -1);
  const x3 = r.u64(v['total_gas'], path, '.total_gas', -1);
  const x4 = r.u64(v['calls'], path, '.calls', -1);
  return { contract: x0, function: x1, self_gas: x2, total_gas: x3, calls: x4 };
}

export function readJsonTokenMethodUsage(r: $JsonReader, v: unknown, path: string): TokenMethodUsage {
  r.object(v, 'TokenMethodUsage', path);
  if (r.refusesUnknown) {
    for (const k in v) {
      switch (k) {
        case 'method': case 'calls': case 'units': break;
        default: r.unknownMember(k, ['method', 'calls', 'units'], path);
      }
    }
  }
  const x0 = r.string(v['method'], 4294967295, path, '.method', -1);
  const x1 = r.u64(v['calls'], path, '.calls', -1);
  const x2 = r.u64(v['units'], path, '.units', -1);
  return { method: x0, calls: x1, units: x2 };
}

export function writeJsonStatus(w: $JsonWriter, v: Status, path: string): string {
  w.object(v, 'Status', path);
  return '{"version":' + w.string(v.version, 4294967295, path, '.version', -1) + ',"chain_id":' + w.u64(v.chain_id, path, '.chain_id', -1) + ',"now_ms":' + w.u64(v.now_ms, path, '.now_ms', -1) + ',"uptime_ms":' + w.u64(v.uptime_ms, path, '.uptime_ms', -1) + ',"block_time_ms":' + w.u32(v.block_time_ms, path, '.block_time_ms', -1) + ',"tip":' + writeJsonTip(w, v.tip, path + '.tip') + ',"finalized_height":' + w.u64(v.finalized_height, path, '.finalized_height', -1) + ',"latest_checkpoint":' + writeJsonCheckpointRef(w, v.latest_checkpoint, path + '.latest_checkpoint') + ',"txpool_size":' + w.u32(v.txpool_size, path, '.txpool_size', -1) + ',"epoch":' + w.u64(v.epoch, path, '.epoch', -1) + ',"validator_set":' + writeJsonValidatorSet(w, v.validator_set, path + '.validator_set') + ',"syncing":' + w.bool(v.syncing, path, '.syncing', -1) + '}';
}

export function writeJsonTip(w: $JsonWriter, v: Tip, path: string): string {
  w.object(v, 'Tip', path);
  return '{"height":' + w.u64(v.height, path, '.height', -1) + ',"hash":' + w.digest(v.hash, path, '.hash', -1) + ',"timestamp_ms":' + w.u64(v.timestamp_ms, path, '.timestamp_ms', -1) + ',"state_root":' + w.digest(v.state_root, path, '.state_root', -1) + ',"epoch":' + w.u64(v.epoch, path, '.epoch', -1) + ',"view":' + w.u64(v.view, path, '.view', -1) + '}';
}

export function writeJsonCheckpointRef(w: $JsonWriter, v: CheckpointRef, path: string): string {
  w.object(v, 'CheckpointRef', path);
  return '{"height":' + w.u64(v.height, path, '.height', -1) + ',"state_root":' + w.digest(v.state_root, path, '.state_root', -1) + '}';
}

export function writeJsonHealthResult(w: $JsonWriter, v: HealthResult, path: string): string {
  w.object(v, 'HealthResult', path);
  return '{"status":' + writeJsonHealth(w, v.status, path + '.status') + ',"uptime_ms":' + w.u64(v.uptime_ms, path, '.uptime_ms', -1) + ',"event_loop_lag_ms":' + w.u32(v.event_loop_lag_ms, path, '.event_loop_lag_ms', -1) + '}';
}

export function writeJsonReadinessResult(w: $JsonWriter, v: ReadinessResult, path: string): string {
  w.object(v, 'ReadinessResult', path);
  return '{"ready":' + w.bool(v.ready, path, '.ready', -1) + ',"sync":' + writeJsonSyncStatus(w, v.sync, path + '.sync') + ',"epoch_key_available":' + w.bool(v.epoch_key_available, path, '.epoch_key_available', -1) + ',"reasons":' + writeJsonStringList(w, v.reasons, path + '.reasons') + '}';
}

export function writeJsonSyncStatus(w: $JsonWriter, v: SyncStatus, path: string): string {
  w.object(v, 'SyncStatus', path);
  return '{"state":' + writeJsonSyncState(w, v.state, path + '.state') + ',"tip_height":' + w.u64(v.tip_height, path, '.tip_height', -1) + ',"finalized_height":' + w.u64(v.finalized_height, path, '.finalized_height', -1) + ',"best_known_height":' + w.u64(v.best_known_height, path, '.best_known_height', -1) + ',"tip_age_ms":' + w.u64(v.tip_age_ms, path, '.tip_age_ms', -1) + '}';
}

export function writeJsonValidatorStatus(w: $JsonWriter, v: ValidatorStatus, path: string): string {
  w.object(v, 'ValidatorStatus', path);
  let s = '{"role":' + writeJsonRole(w, v.role, path + '.role');
  const x1 = v.index;
  if (x1 !== undefined && x1 !== null) s += ',"index":' + w.u32(x1, path, '.index', -1);
  return s + ',"dkg":' + writeJsonDkgStatus(w, v.dkg, path + '.dkg') + ',"sync":' + writeJsonSyncStatus(w, v.sync, path + '.sync') + ',"peers":' + writeJsonPeerHealthList(w, v.peers, path + '.peers') + ',"consensus":' + writeJsonConsensusMetrics(w, v.consensus, path + '.consensus') + ',"pending_changes":' + writeJsonPendingValidatorChangeList(w, v.pending_changes, path + '.pending_changes') + '}';
}

export function writeJsonPendingValidatorChange(w: $JsonWriter, v: PendingValidatorChange, path: string): string {
  w.object(v, 'PendingValidatorChange', path);
  return '{"change":' + writeJsonValidatorChange(w, v.change, path + '.change') + ',"address":' + w.fixed(v.address, 20, path, '.address', -1) + ',"approvals":' + writeJsonChangeApproverList(w, v.approvals, path + '.approvals') + ',"approvals_needed":' + w.u32(v.approvals_needed, path, '.approvals_needed', -1) + ',"included":' + w.bool(v.included, path, '.included', -1) + ',"effective_height":' + w.u64(v.effective_height, path, '.effective_height', -1) + '}';
}

export function writeJsonChangeApprover(w: $JsonWriter, v: ChangeApprover, path: string): string {
  w.object(v, 'ChangeApprover', path);
  return '{"index":' + w.u32(v.index, path, '.index', -1) + ',"address":' + w.fixed(v.address, 20, path, '.address', -1) + '}';
}

export function writeJsonDkgStatus(w: $JsonWriter, v: DkgStatus, path: string): string {
  w.object(v, 'DkgStatus', path);
  return '{"state":' + writeJsonDkgState(w, v.state, path + '.state') + ',"epoch":' + w.u64(v.epoch, path, '.epoch', -1) + ',"dealers_expected":' + w.u32(v.dealers_expected, path, '.dealers_expected', -1) + ',"dealings_received":' + w.u32(v.dealings_received, path, '.dealings_received', -1) + ',"complaints":' + w.u32(v.complaints, path, '.complaints', -1) + '}';
}

export function writeJsonPeerHealth(w: $JsonWriter, v: PeerHealth, path: string): string {
  w.object(v, 'PeerHealth', path);
  let s = '{"index":' + w.u32(v.index, path, '.index', -1) + ',"address":' + w.string(v.address, 4294967295, path, '.address', -1) + ',"connected":' + w.bool(v.connected, path, '.connected', -1);
  const x3 = v.rtt_ms;
  if (x3 !== undefined && x3 !== null) s += ',"rtt_ms":' + w.u32(x3, path, '.rtt_ms', -1);
  const x4 = v.last_seen_ms;
  if (x4 !== undefined && x4 !== null) s += ',"last_seen_ms":' + w.u64(x4, path, '.last_seen_ms', -1);
  const x5 = v.behind_by;
  if (x5 !== undefined && x5 !== null) s += ',"behind_by":' + w.u64(x5, path, '.behind_by', -1);
  const x6 = v.invalid_proposals;
  if (x6 !== undefined && x6 !== null) s += ',"invalid_proposals":' + w.u64(x6, path, '.invalid_proposals', -1);
  return s + '}';
}

export function writeJsonConsensusMetrics(w: $JsonWriter, v: ConsensusMetrics, path: string): string {
  w.object(v, 'ConsensusMetrics', path);
  return '{"epoch":' + w.u64(v.epoch, path, '.epoch', -1) + ',"view":' + w.u64(v.view, path, '.view', -1) + ',"leader":' + w.u32(v.leader, path, '.leader', -1) + ',"proposals":' + w.u64(v.proposals, path, '.proposals', -1) + ',"notarizations":' + w.u64(v.notarizations, path, '.notarizations', -1) + ',"nullifications":' + w.u64(v.nullifications, path, '.nullifications', -1) + ',"finalizations":' + w.u64(v.finalizations, path, '.finalizations', -1) + ',"timeouts":' + w.u64(v.timeouts, path, '.timeouts', -1) + ',"equivocations_seen":' + w.u64(v.equivocations_seen, path, '.equivocations_seen', -1) + ',"finality_latency_ms":' + writeJsonQuantiles(w, v.finality_latency_ms, path + '.finality_latency_ms') + ',"block_interval_ms":' + writeJsonQuantiles(w, v.block_interval_ms, path + '.block_interval_ms') + '}';
}

export function writeJsonQuantiles(w: $JsonWriter, v: Quantiles, path: string): string {
  w.object(v, 'Quantiles', path);
  return '{"p50":' + w.u32(v.p50, path, '.p50', -1) + ',"p90":' + w.u32(v.p90, path, '.p90', -1) + ',"p99":' + w.u32(v.p99, path, '.p99', -1) + '}';
}

export function writeJsonAccount(w: $JsonWriter, v: Account, path: string): string {
  w.object(v, 'Account', path);
  return '{"address":' + w.fixed(v.address, 20, path, '.address', -1) + ',"exists":' + w.bool(v.exists, path, '.exists', -1) + ',"balance":' + w.u128(v.balance, path, '.balance', -1) + ',"lanes":' + writeJsonNonceLaneList(w, v.lanes, path + '.lanes') + ',"deploy_index":' + w.u64(v.deploy_index, path, '.deploy_index', -1) + ',"is_contract":' + w.bool(v.is_contract, path, '.is_contract', -1) + '}';
}

export function writeJsonNonceLane(w: $JsonWriter, v: NonceLane, path: string): string {
  w.object(v, 'NonceLane', path);
  return '{"lane":' + w.u32(v.lane, path, '.lane', -1) + ',"next_nonce":' + w.u64(v.next_nonce, path, '.next_nonce', -1) + ',"pending":' + w.u32(v.pending, path, '.pending', -1) + '}';
}

export function writeJsonAccountsResult(w: $JsonWriter, v: AccountsResult, path: string): string {
  w.object(v, 'AccountsResult', path);
  return '{"height":' + w.u64(v.height, path, '.height', -1) + ',"accounts":' + writeJsonAccountList(w, v.accounts, path + '.accounts') + '}';
}

export function writeJsonPredictAddressResult(w: $JsonWriter, v: PredictAddressResult, path: string): string {
  w.object(v, 'PredictAddressResult', path);
  return '{"address":' + w.fixed(v.address, 20, path, '.address', -1) + ',"deploy_index":' + w.u64(v.deploy_index, path, '.deploy_index', -1) + '}';
}

export function writeJsonContractMetadataResult(w: $JsonWriter, v: ContractMetadataResult, path: string): string {
  w.object(v, 'ContractMetadataResult', path);
  let s = '{"address":' + w.fixed(v.address, 20, path, '.address', -1) + ',"vm":' + writeJsonVmType(w, v.vm, path + '.vm') + ',"code_hash":' + w.digest(v.code_hash, path, '.code_hash', -1) + ',"code_size":' + w.u32(v.code_size, path, '.code_size', -1) + ',"abi_version":' + w.u32(v.abi_version, path, '.abi_version', -1) + ',"upgrade_policy":' + writeJsonUpgradePolicy(w, v.upgrade_policy, path + '.upgrade_policy');
  const x6 = v.idl_hash;
  if (x6 !== undefined && x6 !== null) s += ',"idl_hash":' + w.digest(x6, path, '.idl_hash', -1);
  s += ',"deployer":' + w.fixed(v.deployer, 20, path, '.deployer', -1) + ',"deployed_at":' + w.u64(v.deployed_at, path, '.deployed_at', -1);
  const x9 = v.pending_upgrade;
  if (x9 !== undefined && x9 !== null) s += ',"pending_upgrade":' + writeJsonPendingUpgrade(w, x9, path + '.pending_upgrade');
  return s + '}';
}

export function writeJsonContractIdlResult(w: $JsonWriter, v: ContractIdlResult, path: string): string {
  w.object(v, 'ContractIdlResult', path);
  let s = '{"address":' + w.fixed(v.address, 20, path, '.address', -1);
  const x1 = v.idl;
  if (x1 !== undefined && x1 !== null) s += ',"idl":' + w.string(x1, 4294967295, path, '.idl', -1);
  return s + '}';
}

export function writeJsonViewCallArgs(w: $JsonWriter, v: ViewCallArgs, path: string): string {
  w.object(v, 'ViewCallArgs', path);
  let s = '{"contract":' + w.fixed(v.contract, 20, path, '.contract', -1);
  const x1 = v.method;
  if (x1 !== undefined && x1 !== null) s += ',"method":' + w.string(x1, 4294967295, path, '.method', -1);
  const x2 = v.args;
  if (x2 !== undefined && x2 !== null) s += ',"args":' + w.json(x2, path, '.args', -1);
  const x3 = v.input;
  if (x3 !== undefined && x3 !== null) s += ',"input":' + w.bytes(x3, 4294967295, path, '.input', -1);
  const x4 = v.idl;
  if (x4 !== undefined && x4 !== null) s += ',"idl":' + w.string(x4, 4294967295, path, '.idl', -1);
  const x5 = v.caller;
  if (x5 !== undefined && x5 !== null) s += ',"caller":' + w.fixed(x5, 20, path, '.caller', -1);
  const x6 = v.value;
  if (x6 !== undefined && x6 !== null) s += ',"value":' + w.u128(x6, path, '.value', -1);
  const x7 = v.gas_limit;
  if (x7 !== undefined && x7 !== null) s += ',"gas_limit":' + w.u64(x7, path, '.gas_limit', -1);
  const x8 = v.at;
  if (x8 !== undefined && x8 !== null) s += ',"at":' + writeJsonBlockRef(w, x8, path + '.at');
  const x9 = v.overrides;
  if (x9 !== undefined && x9 !== null) s += ',"overrides":' + writeJsonStateOverrideList(w, x9, path + '.overrides');
  const x10 = v.block_override;
  if (x10 !== undefined && x10 !== null) s += ',"block_override":' + writeJsonBlockOverride(w, x10, path + '.block_override');
  return s + '}';
}

export function writeJsonStateOverride(w: $JsonWriter, v: StateOverride, path: string): string {
  w.object(v, 'StateOverride', path);
  let s = '{"address":' + w.fixed(v.address, 20, path, '.address', -1);
  const x1 = v.balance;
  if (x1 !== undefined && x1 !== null) s += ',"balance":' + w.u128(x1, path, '.balance', -1);
  const x2 = v.code;
  if (x2 !== undefined && x2 !== null) s += ',"code":' + w.bytes(x2, 4294967295, path, '.code', -1);
  const x3 = v.idl;
  if (x3 !== undefined && x3 !== null) s += ',"idl":' + w.string(x3, 4294967295, path, '.idl', -1);
  const x4 = v.slots;
  if (x4 !== undefined && x4 !== null) s += ',"slots":' + writeJsonSlotValueList(w, x4, path + '.slots');
  return s + '}';
}

export function writeJsonSlotValue(w: $JsonWriter, v: SlotValue, path: string): string {
  w.object(v, 'SlotValue', path);
  let s = '{"slot":' + w.digest(v.slot, path, '.slot', -1);
  const x1 = v.value;
  if (x1 !== undefined && x1 !== null) s += ',"value":' + w.bytes(x1, 4294967295, path, '.value', -1);
  return s + '}';
}

export function writeJsonBlockOverride(w: $JsonWriter, v: BlockOverride, path: string): string {
  w.object(v, 'BlockOverride', path);
  let s = '{';
  const x0 = v.height;
  if (x0 !== undefined && x0 !== null) s += '"height":' + w.u64(x0, path, '.height', -1);
  const x1 = v.timestamp_ms;
  if (x1 !== undefined && x1 !== null) s += (s === '{' ? '' : ',') + '"timestamp_ms":' + w.u64(x1, path, '.timestamp_ms', -1);
  const x2 = v.base_fee;
  if (x2 !== undefined && x2 !== null) s += (s === '{' ? '' : ',') + '"base_fee":' + w.u128(x2, path, '.base_fee', -1);
  return s + '}';
}

export function writeJsonViewCallResult(w: $JsonWriter, v: ViewCallResult, path: string): string {
  w.object(v, 'ViewCallResult', path);
  let s = '{"status":' + writeJsonExecStatus(w, v.status, path + '.status') + ',"output":' + w.bytes(v.output, 4294967295, path, '.output', -1);
  const x2 = v.decoded;
  if (x2 !== undefined && x2 !== null) s += ',"decoded":' + w.json(x2, path, '.decoded', -1);
  return s + ',"gas_used":' + w.u64(v.gas_used, path, '.gas_used', -1) + ',"height":' + w.u64(v.height, path, '.height', -1) + ',"block_hash":' + w.digest(v.block_hash, path, '.block_hash', -1) + ',"logs":' + writeJsonLogList(w, v.logs, path + '.logs') + '}';
}

export function writeJsonTxBuildArgs(w: $JsonWriter, v: TxBuildArgs, path: string): string {
  w.object(v, 'TxBuildArgs', path);
  let s = '{"sender":' + w.fixed(v.sender, 20, path, '.sender', -1) + ',"action":' + writeJsonActionArgs(w, v.action, path + '.action');
  const x2 = v.lane;
  if (x2 !== undefined && x2 !== null) s += ',"lane":' + w.u32(x2, path, '.lane', -1);
  const x3 = v.nonce;
  if (x3 !== undefined && x3 !== null) s += ',"nonce":' + w.u64(x3, path, '.nonce', -1);
  const x4 = v.gas_limit;
  if (x4 !== undefined && x4 !== null) s += ',"gas_limit":' + w.u64(x4, path, '.gas_limit', -1);
  const x5 = v.max_fee;
  if (x5 !== undefined && x5 !== null) s += ',"max_fee":' + w.u128(x5, path, '.max_fee', -1);
  const x6 = v.priority_fee;
  if (x6 !== undefined && x6 !== null) s += ',"priority_fee":' + w.u128(x6, path, '.priority_fee', -1);
  const x7 = v.valid_until;
  if (x7 !== undefined && x7 !== null) s += ',"valid_until":' + w.u64(x7, path, '.valid_until', -1);
  return s + '}';
}

export function writeJsonCallArgs(w: $JsonWriter, v: CallArgs, path: string): string {
  w.object(v, 'CallArgs', path);
  let s = '{"contract":' + w.fixed(v.contract, 20, path, '.contract', -1);
  const x1 = v.method;
  if (x1 !== undefined && x1 !== null) s += ',"method":' + w.string(x1, 4294967295, path, '.method', -1);
  const x2 = v.args;
  if (x2 !== undefined && x2 !== null) s += ',"args":' + w.json(x2, path, '.args', -1);
  const x3 = v.input;
  if (x3 !== undefined && x3 !== null) s += ',"input":' + w.bytes(x3, 4294967295, path, '.input', -1);
  const x4 = v.idl;
  if (x4 !== undefined && x4 !== null) s += ',"idl":' + w.string(x4, 4294967295, path, '.idl', -1);
  const x5 = v.value;
  if (x5 !== undefined && x5 !== null) s += ',"value":' + w.u128(x5, path, '.value', -1);
  return s + '}';
}

export function writeJsonTxBuildResult(w: $JsonWriter, v: TxBuildResult, path: string): string {
  w.object(v, 'TxBuildResult', path);
  return '{"transaction":' + writeJsonTransaction(w, v.transaction, path + '.transaction') + ',"encoded":' + w.bytes(v.encoded, 4294967295, path, '.encoded', -1) + ',"tx_hash":' + w.digest(v.tx_hash, path, '.tx_hash', -1) + '}';
}

export function writeJsonTxSubmitArgs(w: $JsonWriter, v: TxSubmitArgs, path: string): string {
  w.object(v, 'TxSubmitArgs', path);
  let s = '{';
  const x0 = v.encoded;
  if (x0 !== undefined && x0 !== null) s += '"encoded":' + w.bytes(x0, 4294967295, path, '.encoded', -1);
  const x1 = v.signed;
  if (x1 !== undefined && x1 !== null) s += (s === '{' ? '' : ',') + '"signed":' + writeJsonSignedTransaction(w, x1, path + '.signed');
  const x2 = v.wait;
  if (x2 !== undefined && x2 !== null) s += (s === '{' ? '' : ',') + '"wait":' + writeJsonWait(w, x2, path + '.wait');
  const x3 = v.timeout_ms;
  if (x3 !== undefined && x3 !== null) s += (s === '{' ? '' : ',') + '"timeout_ms":' + w.u32(x3, path, '.timeout_ms', -1);
  return s + '}';
}

export function writeJsonTxSubmitResult(w: $JsonWriter, v: TxSubmitResult, path: string): string {
  w.object(v, 'TxSubmitResult', path);
  let s = '{"tx_hash":' + w.digest(v.tx_hash, path, '.tx_hash', -1) + ',"status":' + writeJsonTxStatus(w, v.status, path + '.status');
  const x2 = v.receipt;
  if (x2 !== undefined && x2 !== null) s += ',"receipt":' + writeJsonReceipt(w, x2, path + '.receipt');
  return s + '}';
}

export function writeJsonTxByHashResult(w: $JsonWriter, v: TxByHashResult, path: string): string {
  w.object(v, 'TxByHashResult', path);
  let s = '{"status":' + writeJsonTxStatus(w, v.status, path + '.status');
  const x1 = v.transaction;
  if (x1 !== undefined && x1 !== null) s += ',"transaction":' + writeJsonSignedTransaction(w, x1, path + '.transaction');
  const x2 = v.oldest_height;
  if (x2 !== undefined && x2 !== null) s += ',"oldest_height":' + w.u64(x2, path, '.oldest_height', -1);
  return s + '}';
}

export function writeJsonPendingTx(w: $JsonWriter, v: PendingTx, path: string): string {
  w.object(v, 'PendingTx', path);
  return '{"lane":' + w.u32(v.lane, path, '.lane', -1) + ',"nonce":' + w.u64(v.nonce, path, '.nonce', -1) + ',"ready":' + w.bool(v.ready, path, '.ready', -1) + ',"received_ms":' + w.u64(v.received_ms, path, '.received_ms', -1) + '}';
}

export function writeJsonInclusion(w: $JsonWriter, v: Inclusion, path: string): string {
  w.object(v, 'Inclusion', path);
  return '{"height":' + w.u64(v.height, path, '.height', -1) + ',"block_hash":' + w.digest(v.block_hash, path, '.block_hash', -1) + ',"index":' + w.u32(v.index, path, '.index', -1) + ',"finalized":' + w.bool(v.finalized, path, '.finalized', -1) + '}';
}

export function writeJsonTxReceiptArgs(w: $JsonWriter, v: TxReceiptArgs, path: string): string {
  w.object(v, 'TxReceiptArgs', path);
  let s = '{"tx_hash":' + w.digest(v.tx_hash, path, '.tx_hash', -1);
  const x1 = v.with_proof;
  if (x1 !== undefined && x1 !== null) s += ',"with_proof":' + w.bool(x1, path, '.with_proof', -1);
  return s + '}';
}

export function writeJsonTxReceiptResult(w: $JsonWriter, v: TxReceiptResult, path: string): string {
  w.object(v, 'TxReceiptResult', path);
  let s = '{';
  const x0 = v.receipt;
  if (x0 !== undefined && x0 !== null) s += '"receipt":' + writeJsonReceipt(w, x0, path + '.receipt');
  const x1 = v.proof;
  if (x1 !== undefined && x1 !== null) s += (s === '{' ? '' : ',') + '"proof":' + writeJsonInclusionProof(w, x1, path + '.proof');
  const x2 = v.oldest_height;
  if (x2 !== undefined && x2 !== null) s += (s === '{' ? '' : ',') + '"oldest_height":' + w.u64(x2, path, '.oldest_height', -1);
  return s + '}';
}

export function writeJsonInclusionProof(w: $JsonWriter, v: InclusionProof, path: string): string {
  w.object(v, 'InclusionProof', path);
  let s = '{"header":' + writeJsonBlockHeader(w, v.header, path + '.header') + ',"item":' + w.bytes(v.item, 4294967295, path, '.item', -1) + ',"item_index":' + w.u32(v.item_index, path, '.item_index', -1) + ',"item_path":' + writeJsonHashList(w, v.item_path, path + '.item_path') + ',"item_count":' + w.u32(v.item_count, path, '.item_count', -1) + ',"receipt":' + w.bytes(v.receipt, 4294967295, path, '.receipt', -1) + ',"receipt_index":' + w.u32(v.receipt_index, path, '.receipt_index', -1) + ',"receipt_path":' + writeJsonHashList(w, v.receipt_path, path + '.receipt_path') + ',"receipt_count":' + w.u32(v.receipt_count, path, '.receipt_count', -1);
  const x9 = v.envelope;
  if (x9 !== undefined && x9 !== null) s += ',"envelope":' + w.bytes(x9, 4294967295, path, '.envelope', -1);
  return s + '}';
}

export function writeJsonReceipt(w: $JsonWriter, v: Receipt, path: string): string {
  w.object(v, 'Receipt', path);
  let s = '{"tx_hash":' + w.digest(v.tx_hash, path, '.tx_hash', -1) + ',"height":' + w.u64(v.height, path, '.height', -1) + ',"block_hash":' + w.digest(v.block_hash, path, '.block_hash', -1) + ',"index":' + w.u32(v.index, path, '.index', -1) + ',"sender":' + w.fixed(v.sender, 20, path, '.sender', -1) + ',"lane":' + w.u32(v.lane, path, '.lane', -1) + ',"nonce":' + w.u64(v.nonce, path, '.nonce', -1) + ',"status":' + writeJsonExecStatus(w, v.status, path + '.status') + ',"gas_used":' + w.u64(v.gas_used, path, '.gas_used', -1) + ',"fee":' + w.u128(v.fee, path, '.fee', -1);
  const x10 = v.contract;
  if (x10 !== undefined && x10 !== null) s += ',"contract":' + w.fixed(x10, 20, path, '.contract', -1);
  s += ',"output":' + w.bytes(v.output, 4294967295, path, '.output', -1);
  const x12 = v.decoded;
  if (x12 !== undefined && x12 !== null) s += ',"decoded":' + w.json(x12, path, '.decoded', -1);
  s += ',"logs":' + writeJsonLogList(w, v.logs, path + '.logs') + ',"finalized":' + w.bool(v.finalized, path, '.finalized', -1);
  const x15 = v.opens_at;
  if (x15 !== undefined && x15 !== null) s += ',"opens_at":' + w.u64(x15, path, '.opens_at', -1);
  return s + '}';
}

export function writeJsonRevert(w: $JsonWriter, v: Revert, path: string): string {
  w.object(v, 'Revert', path);
  let s = '{';
  const x0 = v.message;
  if (x0 !== undefined && x0 !== null) s += '"message":' + w.string(x0, 4294967295, path, '.message', -1);
  s += (s === '{' ? '' : ',') + '"data":' + w.bytes(v.data, 4294967295, path, '.data', -1);
  const x2 = v.error;
  if (x2 !== undefined && x2 !== null) s += ',"error":' + w.json(x2, path, '.error', -1);
  return s + '}';
}

export function writeJsonTrap(w: $JsonWriter, v: Trap, path: string): string {
  w.object(v, 'Trap', path);
  return '{"kind":' + w.string(v.kind, 4294967295, path, '.kind', -1) + ',"message":' + w.string(v.message, 4294967295, path, '.message', -1) + ',"backtrace":' + writeJsonStringList(w, v.backtrace, path + '.backtrace') + '}';
}

export function writeJsonLog(w: $JsonWriter, v: Log, path: string): string {
  w.object(v, 'Log', path);
  let s = '{"contract":' + w.fixed(v.contract, 20, path, '.contract', -1) + ',"topics":' + writeJsonHashList(w, v.topics, path + '.topics') + ',"data":' + w.bytes(v.data, 4294967295, path, '.data', -1) + ',"height":' + w.u64(v.height, path, '.height', -1) + ',"block_hash":' + w.digest(v.block_hash, path, '.block_hash', -1) + ',"tx_hash":' + w.digest(v.tx_hash, path, '.tx_hash', -1) + ',"tx_index":' + w.u32(v.tx_index, path, '.tx_index', -1) + ',"log_index":' + w.u32(v.log_index, path, '.log_index', -1);
  const x8 = v.event;
  if (x8 !== undefined && x8 !== null) s += ',"event":' + writeJsonDecodedEvent(w, x8, path + '.event');
  return s + '}';
}

export function writeJsonDecodedEvent(w: $JsonWriter, v: DecodedEvent, path: string): string {
  w.object(v, 'DecodedEvent', path);
  return '{"name":' + w.string(v.name, 4294967295, path, '.name', -1) + ',"args":' + w.json(v.args, path, '.args', -1) + '}';
}

export function writeJsonListBlocksArgs(w: $JsonWriter, v: ListBlocksArgs, path: string): string {
  w.object(v, 'ListBlocksArgs', path);
  let s = '{';
  const x0 = v.cursor;
  if (x0 !== undefined && x0 !== null) s += '"cursor":' + w.string(x0, 4294967295, path, '.cursor', -1);
  const x1 = v.limit;
  if (x1 !== undefined && x1 !== null) s += (s === '{' ? '' : ',') + '"limit":' + w.u32(x1, path, '.limit', -1);
  return s + '}';
}

export function writeJsonListBlocksResult(w: $JsonWriter, v: ListBlocksResult, path: string): string {
  w.object(v, 'ListBlocksResult', path);
  let s = '{"blocks":' + writeJsonBlockSummaryList(w, v.blocks, path + '.blocks');
  const x1 = v.next_cursor;
  if (x1 !== undefined && x1 !== null) s += ',"next_cursor":' + w.string(x1, 4294967295, path, '.next_cursor', -1);
  return s + '}';
}

export function writeJsonBlockSummary(w: $JsonWriter, v: BlockSummary, path: string): string {
  w.object(v, 'BlockSummary', path);
  return '{"height":' + w.u64(v.height, path, '.height', -1) + ',"hash":' + w.digest(v.hash, path, '.hash', -1) + ',"parent_hash":' + w.digest(v.parent_hash, path, '.parent_hash', -1) + ',"timestamp_ms":' + w.u64(v.timestamp_ms, path, '.timestamp_ms', -1) + ',"proposer":' + w.u32(v.proposer, path, '.proposer', -1) + ',"epoch":' + w.u64(v.epoch, path, '.epoch', -1) + ',"view":' + w.u64(v.view, path, '.view', -1) + ',"tx_count":' + w.u32(v.tx_count, path, '.tx_count', -1) + ',"gas_used":' + w.u64(v.gas_used, path, '.gas_used', -1) + ',"gas_limit":' + w.u64(v.gas_limit, path, '.gas_limit', -1) + ',"base_fee":' + w.u128(v.base_fee, path, '.base_fee', -1) + ',"state_root":' + w.digest(v.state_root, path, '.state_root', -1) + ',"finalized":' + w.bool(v.finalized, path, '.finalized', -1) + '}';
}

export function writeJsonListTxsArgs(w: $JsonWriter, v: ListTxsArgs, path: string): string {
  w.object(v, 'ListTxsArgs', path);
  let s = '{';
  const x0 = v.cursor;
  if (x0 !== undefined && x0 !== null) s += '"cursor":' + w.string(x0, 4294967295, path, '.cursor', -1);
  const x1 = v.limit;
  if (x1 !== undefined && x1 !== null) s += (s === '{' ? '' : ',') + '"limit":' + w.u32(x1, path, '.limit', -1);
  return s + '}';
}

export function writeJsonListTxsBySenderArgs(w: $JsonWriter, v: ListTxsBySenderArgs, path: string): string {
  w.object(v, 'ListTxsBySenderArgs', path);
  let s = '{"sender":' + w.fixed(v.sender, 20, path, '.sender', -1);
  const x1 = v.cursor;
  if (x1 !== undefined && x1 !== null) s += ',"cursor":' + w.string(x1, 4294967295, path, '.cursor', -1);
  const x2 = v.limit;
  if (x2 !== undefined && x2 !== null) s += ',"limit":' + w.u32(x2, path, '.limit', -1);
  return s + '}';
}

export function writeJsonListTxsByContractArgs(w: $JsonWriter, v: ListTxsByContractArgs, path: string): string {
  w.object(v, 'ListTxsByContractArgs', path);
  let s = '{"contract":' + w.fixed(v.contract, 20, path, '.contract', -1);
  const x1 = v.cursor;
  if (x1 !== undefined && x1 !== null) s += ',"cursor":' + w.string(x1, 4294967295, path, '.cursor', -1);
  const x2 = v.limit;
  if (x2 !== undefined && x2 !== null) s += ',"limit":' + w.u32(x2, path, '.limit', -1);
  return s + '}';
}

export function writeJsonListTxsByRecipientArgs(w: $JsonWriter, v: ListTxsByRecipientArgs, path: string): string {
  w.object(v, 'ListTxsByRecipientArgs', path);
  let s = '{"recipient":' + w.fixed(v.recipient, 20, path, '.recipient', -1);
  const x1 = v.cursor;
  if (x1 !== undefined && x1 !== null) s += ',"cursor":' + w.string(x1, 4294967295, path, '.cursor', -1);
  const x2 = v.limit;
  if (x2 !== undefined && x2 !== null) s += ',"limit":' + w.u32(x2, path, '.limit', -1);
  return s + '}';
}

export function writeJsonListTxsResult(w: $JsonWriter, v: ListTxsResult, path: string): string {
  w.object(v, 'ListTxsResult', path);
  let s = '{"transactions":' + writeJsonTxSummaryList(w, v.transactions, path + '.transactions');
  const x1 = v.next_cursor;
  if (x1 !== undefined && x1 !== null) s += ',"next_cursor":' + w.string(x1, 4294967295, path, '.next_cursor', -1);
  return s + '}';
}

export function writeJsonListTokensByHolderArgs(w: $JsonWriter, v: ListTokensByHolderArgs, path: string): string {
  w.object(v, 'ListTokensByHolderArgs', path);
  let s = '{"holder":' + w.fixed(v.holder, 20, path, '.holder', -1);
  const x1 = v.cursor;
  if (x1 !== undefined && x1 !== null) s += ',"cursor":' + w.string(x1, 4294967295, path, '.cursor', -1);
  const x2 = v.limit;
  if (x2 !== undefined && x2 !== null) s += ',"limit":' + w.u32(x2, path, '.limit', -1);
  return s + '}';
}

export function writeJsonListTokensResult(w: $JsonWriter, v: ListTokensResult, path: string): string {
  w.object(v, 'ListTokensResult', path);
  let s = '{"tokens":' + writeJsonHeldTokenList(w, v.tokens, path + '.tokens');
  const x1 = v.next_cursor;
  if (x1 !== undefined && x1 !== null) s += ',"next_cursor":' + w.string(x1, 4294967295, path, '.next_cursor', -1);
  return s + '}';
}

export function writeJsonHeldToken(w: $JsonWriter, v: HeldToken, path: string): string {
  w.object(v, 'HeldToken', path);
  return '{"contract":' + w.fixed(v.contract, 20, path, '.contract', -1) + ',"interface_name":' + w.string(v.interface_name, 4294967295, path, '.interface_name', -1) + ',"last_height":' + w.u64(v.last_height, path, '.last_height', -1) + '}';
}

export function writeJsonListContractsArgs(w: $JsonWriter, v: ListContractsArgs, path: string): string {
  w.object(v, 'ListContractsArgs', path);
  let s = '{';
  const x0 = v.name;
  if (x0 !== undefined && x0 !== null) s += '"name":' + w.string(x0, 4294967295, path, '.name', -1);
  const x1 = v.cursor;
  if (x1 !== undefined && x1 !== null) s += (s === '{' ? '' : ',') + '"cursor":' + w.string(x1, 4294967295, path, '.cursor', -1);
  const x2 = v.limit;
  if (x2 !== undefined && x2 !== null) s += (s === '{' ? '' : ',') + '"limit":' + w.u32(x2, path, '.limit', -1);
  return s + '}';
}

export function writeJsonListContractsResult(w: $JsonWriter, v: ListContractsResult, path: string): string {
  w.object(v, 'ListContractsResult', path);
  let s = '{"contracts":' + writeJsonNamedContractList(w, v.contracts, path + '.contracts');
  const x1 = v.next_cursor;
  if (x1 !== undefined && x1 !== null) s += ',"next_cursor":' + w.string(x1, 4294967295, path, '.next_cursor', -1);
  return s + '}';
}

export function writeJsonNamedContract(w: $JsonWriter, v: NamedContract, path: string): string {
  w.object(v, 'NamedContract', path);
  return '{"contract":' + w.fixed(v.contract, 20, path, '.contract', -1) + ',"name":' + w.string(v.name, 4294967295, path, '.name', -1) + ',"deployer":' + w.fixed(v.deployer, 20, path, '.deployer', -1) + ',"deployed_at":' + w.u64(v.deployed_at, path, '.deployed_at', -1) + '}';
}

export function writeJsonGetLogsArgs(w: $JsonWriter, v: GetLogsArgs, path: string): string {
  w.object(v, 'GetLogsArgs', path);
  let s = '{';
  const x0 = v.contract;
  if (x0 !== undefined && x0 !== null) s += '"contract":' + w.fixed(x0, 20, path, '.contract', -1);
  const x1 = v.contracts;
  if (x1 !== undefined && x1 !== null) s += (s === '{' ? '' : ',') + '"contracts":' + writeJsonAddressList(w, x1, path + '.contracts');
  const x2 = v.topics;
  if (x2 !== undefined && x2 !== null) s += (s === '{' ? '' : ',') + '"topics":' + writeJsonHashListList(w, x2, path + '.topics');
  const x3 = v.from_height;
  if (x3 !== undefined && x3 !== null) s += (s === '{' ? '' : ',') + '"from_height":' + w.u64(x3, path, '.from_height', -1);
  const x4 = v.to_height;
  if (x4 !== undefined && x4 !== null) s += (s === '{' ? '' : ',') + '"to_height":' + w.u64(x4, path, '.to_height', -1);
  const x5 = v.cursor;
  if (x5 !== undefined && x5 !== null) s += (s === '{' ? '' : ',') + '"cursor":' + w.string(x5, 4294967295, path, '.cursor', -1);
  const x6 = v.limit;
  if (x6 !== undefined && x6 !== null) s += (s === '{' ? '' : ',') + '"limit":' + w.u32(x6, path, '.limit', -1);
  return s + '}';
}

export function writeJsonGetLogsResult(w: $JsonWriter, v: GetLogsResult, path: string): string {
  w.object(v, 'GetLogsResult', path);
  let s = '{"logs":' + writeJsonLogList(w, v.logs, path + '.logs');
  const x1 = v.searched_to;
  if (x1 !== undefined && x1 !== null) s += ',"searched_to":' + w.u64(x1, path, '.searched_to', -1);
  const x2 = v.next_cursor;
  if (x2 !== undefined && x2 !== null) s += ',"next_cursor":' + w.string(x2, 4294967295, path, '.next_cursor', -1);
  return s + '}';
}

export function writeJsonTxSummary(w: $JsonWriter, v: TxSummary, path: string): string {
  w.object(v, 'TxSummary', path);
  let s = '{"tx_hash":' + w.digest(v.tx_hash, path, '.tx_hash', -1) + ',"height":' + w.u64(v.height, path, '.height', -1) + ',"block_hash":' + w.digest(v.block_hash, path, '.block_hash', -1) + ',"index":' + w.u32(v.index, path, '.index', -1) + ',"timestamp_ms":' + w.u64(v.timestamp_ms, path, '.timestamp_ms', -1) + ',"sender":' + w.fixed(v.sender, 20, path, '.sender', -1) + ',"lane":' + w.u32(v.lane, path, '.lane', -1) + ',"nonce":' + w.u64(v.nonce, path, '.nonce', -1) + ',"kind":' + writeJsonActionKind(w, v.kind, path + '.kind');
  const x9 = v.to;
  if (x9 !== undefined && x9 !== null) s += ',"to":' + w.fixed(x9, 20, path, '.to', -1);
  s += ',"value":' + w.u128(v.value, path, '.value', -1);
  const x11 = v.method;
  if (x11 !== undefined && x11 !== null) s += ',"method":' + w.string(x11, 4294967295, path, '.method', -1);
  s += ',"status":' + writeJsonExecStatus(w, v.status, path + '.status') + ',"gas_used":' + w.u64(v.gas_used, path, '.gas_used', -1) + ',"fee":' + w.u128(v.fee, path, '.fee', -1);
  const x15 = v.opens_at;
  if (x15 !== undefined && x15 !== null) s += ',"opens_at":' + w.u64(x15, path, '.opens_at', -1);
  const x16 = v.received;
  if (x16 !== undefined && x16 !== null) s += ',"received":' + w.u128(x16, path, '.received', -1);
  return s + '}';
}

export function writeJsonListPendingTxsArgs(w: $JsonWriter, v: ListPendingTxsArgs, path: string): string {
  w.object(v, 'ListPendingTxsArgs', path);
  let s = '{';
  const x0 = v.sender;
  if (x0 !== undefined && x0 !== null) s += '"sender":' + w.fixed(x0, 20, path, '.sender', -1);
  const x1 = v.cursor;
  if (x1 !== undefined && x1 !== null) s += (s === '{' ? '' : ',') + '"cursor":' + w.string(x1, 4294967295, path, '.cursor', -1);
  const x2 = v.limit;
  if (x2 !== undefined && x2 !== null) s += (s === '{' ? '' : ',') + '"limit":' + w.u32(x2, path, '.limit', -1);
  return s + '}';
}

export function writeJsonListPendingTxsResult(w: $JsonWriter, v: ListPendingTxsResult, path: string): string {
  w.object(v, 'ListPendingTxsResult', path);
  let s = '{"transactions":' + writeJsonPendingSummaryList(w, v.transactions, path + '.transactions');
  const x1 = v.next_cursor;
  if (x1 !== undefined && x1 !== null) s += ',"next_cursor":' + w.string(x1, 4294967295, path, '.next_cursor', -1);
  return s + '}';
}

export function writeJsonPendingSummary(w: $JsonWriter, v: PendingSummary, path: string): string {
  w.object(v, 'PendingSummary', path);
  let s = '{"tx_hash":' + w.digest(v.tx_hash, path, '.tx_hash', -1) + ',"sender":' + w.fixed(v.sender, 20, path, '.sender', -1) + ',"lane":' + w.u32(v.lane, path, '.lane', -1) + ',"nonce":' + w.u64(v.nonce, path, '.nonce', -1) + ',"ready":' + w.bool(v.ready, path, '.ready', -1) + ',"kind":' + writeJsonActionKind(w, v.kind, path + '.kind') + ',"max_fee":' + w.u128(v.max_fee, path, '.max_fee', -1) + ',"priority_fee":' + w.u128(v.priority_fee, path, '.priority_fee', -1) + ',"gas_limit":' + w.u64(v.gas_limit, path, '.gas_limit', -1) + ',"bytes":' + w.u32(v.bytes, path, '.bytes', -1) + ',"received_ms":' + w.u64(v.received_ms, path, '.received_ms', -1);
  const x11 = v.opens_at;
  if (x11 !== undefined && x11 !== null) s += ',"opens_at":' + w.u64(x11, path, '.opens_at', -1);
  return s + '}';
}

export function writeJsonTxpoolStats(w: $JsonWriter, v: TxpoolStats, path: string): string {
  w.object(v, 'TxpoolStats', path);
  return '{"size":' + w.u32(v.size, path, '.size', -1) + ',"bytes":' + w.u64(v.bytes, path, '.bytes', -1) + ',"capacity":' + w.u32(v.capacity, path, '.capacity', -1) + ',"lanes":' + w.u32(v.lanes, path, '.lanes', -1) + ',"ready":' + w.u32(v.ready, path, '.ready', -1) + ',"gapped":' + w.u32(v.gapped, path, '.gapped', -1) + ',"sealed":' + writeJsonSealedQueueStats(w, v.sealed, path + '.sealed') + ',"bundles":' + w.u32(v.bundles, path, '.bundles', -1) + ',"min_fee":' + w.u128(v.min_fee, path, '.min_fee', -1) + ',"base_fee":' + w.u128(v.base_fee, path, '.base_fee', -1) + '}';
}

export function writeJsonSealedQueueStats(w: $JsonWriter, v: SealedQueueStats, path: string): string {
  w.object(v, 'SealedQueueStats', path);
  let s = '{"size":' + w.u32(v.size, path, '.size', -1) + ',"bytes":' + w.u64(v.bytes, path, '.bytes', -1);
  const x2 = v.next_open_height;
  if (x2 !== undefined && x2 !== null) s += ',"next_open_height":' + w.u64(x2, path, '.next_open_height', -1);
  return s + '}';
}

export function writeJsonGetBlocksArgs(w: $JsonWriter, v: GetBlocksArgs, path: string): string {
  w.object(v, 'GetBlocksArgs', path);
  return '{"from_height":' + w.u64(v.from_height, path, '.from_height', -1) + ',"to_height":' + w.u64(v.to_height, path, '.to_height', -1) + '}';
}

export function writeJsonGetBlocksResult(w: $JsonWriter, v: GetBlocksResult, path: string): string {
  w.object(v, 'GetBlocksResult', path);
  let s = '{"blocks":' + writeJsonBlockList(w, v.blocks, path + '.blocks');
  const x1 = v.next_height;
  if (x1 !== undefined && x1 !== null) s += ',"next_height":' + w.u64(x1, path, '.next_height', -1);
  return s + '}';
}

export function writeJsonBlock(w: $JsonWriter, v: Block, path: string): string {
  w.object(v, 'Block', path);
  return '{"hash":' + w.digest(v.hash, path, '.hash', -1) + ',"header":' + writeJsonBlockHeader(w, v.header, path + '.header') + ',"items":' + writeJsonBlockItemList(w, v.items, path + '.items') + ',"finalized":' + w.bool(v.finalized, path, '.finalized', -1) + '}';
}

export function writeJsonGetBlockSummariesResult(w: $JsonWriter, v: GetBlockSummariesResult, path: string): string {
  w.object(v, 'GetBlockSummariesResult', path);
  let s = '{"blocks":' + writeJsonBlockSummaryList(w, v.blocks, path + '.blocks');
  const x1 = v.next_height;
  if (x1 !== undefined && x1 !== null) s += ',"next_height":' + w.u64(x1, path, '.next_height', -1);
  return s + '}';
}

export function writeJsonGetTxsInRangeResult(w: $JsonWriter, v: GetTxsInRangeResult, path: string): string {
  w.object(v, 'GetTxsInRangeResult', path);
  let s = '{"transactions":' + writeJsonRangeTxList(w, v.transactions, path + '.transactions');
  const x1 = v.next_height;
  if (x1 !== undefined && x1 !== null) s += ',"next_height":' + w.u64(x1, path, '.next_height', -1);
  return s + '}';
}

export function writeJsonRangeTx(w: $JsonWriter, v: RangeTx, path: string): string {
  w.object(v, 'RangeTx', path);
  return '{"tx_hash":' + w.digest(v.tx_hash, path, '.tx_hash', -1) + ',"height":' + w.u64(v.height, path, '.height', -1) + ',"index":' + w.u32(v.index, path, '.index', -1) + ',"transaction":' + writeJsonSignedTransaction(w, v.transaction, path + '.transaction') + ',"status":' + writeJsonExecStatus(w, v.status, path + '.status') + ',"gas_used":' + w.u64(v.gas_used, path, '.gas_used', -1) + '}';
}

export function writeJsonTxSimulateArgs(w: $JsonWriter, v: TxSimulateArgs, path: string): string {
  w.object(v, 'TxSimulateArgs', path);
  let s = '{';
  const x0 = v.transaction;
  if (x0 !== undefined && x0 !== null) s += '"transaction":' + writeJsonTransaction(w, x0, path + '.transaction');
  const x1 = v.build;
  if (x1 !== undefined && x1 !== null) s += (s === '{' ? '' : ',') + '"build":' + writeJsonTxBuildArgs(w, x1, path + '.build');
  const x2 = v.encoded;
  if (x2 !== undefined && x2 !== null) s += (s === '{' ? '' : ',') + '"encoded":' + w.bytes(x2, 4294967295, path, '.encoded', -1);
  const x3 = v.at;
  if (x3 !== undefined && x3 !== null) s += (s === '{' ? '' : ',') + '"at":' + writeJsonBlockRef(w, x3, path + '.at');
  const x4 = v.overrides;
  if (x4 !== undefined && x4 !== null) s += (s === '{' ? '' : ',') + '"overrides":' + writeJsonStateOverrideList(w, x4, path + '.overrides');
  const x5 = v.block_override;
  if (x5 !== undefined && x5 !== null) s += (s === '{' ? '' : ',') + '"block_override":' + writeJsonBlockOverride(w, x5, path + '.block_override');
  const x6 = v.idl;
  if (x6 !== undefined && x6 !== null) s += (s === '{' ? '' : ',') + '"idl":' + w.string(x6, 4294967295, path, '.idl', -1);
  return s + '}';
}

export function writeJsonTxSimulateResult(w: $JsonWriter, v: TxSimulateResult, path: string): string {
  w.object(v, 'TxSimulateResult', path);
  let s = '{"status":' + writeJsonExecStatus(w, v.status, path + '.status') + ',"gas_used":' + w.u64(v.gas_used, path, '.gas_used', -1) + ',"gas_estimate":' + w.u64(v.gas_estimate, path, '.gas_estimate', -1) + ',"fee":' + w.u128(v.fee, path, '.fee', -1) + ',"output":' + w.bytes(v.output, 4294967295, path, '.output', -1);
  const x5 = v.decoded;
  if (x5 !== undefined && x5 !== null) s += ',"decoded":' + w.json(x5, path, '.decoded', -1);
  const x6 = v.contract;
  if (x6 !== undefined && x6 !== null) s += ',"contract":' + w.fixed(x6, 20, path, '.contract', -1);
  return s + ',"logs":' + writeJsonLogList(w, v.logs, path + '.logs') + ',"state_diff":' + writeJsonStateDiffList(w, v.state_diff, path + '.state_diff') + ',"height":' + w.u64(v.height, path, '.height', -1) + '}';
}

export function writeJsonStateDiff(w: $JsonWriter, v: StateDiff, path: string): string {
  w.object(v, 'StateDiff', path);
  let s = '{"address":' + w.fixed(v.address, 20, path, '.address', -1);
  const x1 = v.balance;
  if (x1 !== undefined && x1 !== null) s += ',"balance":' + writeJsonValueChange(w, x1, path + '.balance');
  s += ',"slots":' + writeJsonSlotChangeList(w, v.slots, path + '.slots');
  const x3 = v.code_hash;
  if (x3 !== undefined && x3 !== null) s += ',"code_hash":' + w.digest(x3, path, '.code_hash', -1);
  return s + '}';
}

export function writeJsonValueChange(w: $JsonWriter, v: ValueChange, path: string): string {
  w.object(v, 'ValueChange', path);
  return '{"before":' + w.u128(v.before, path, '.before', -1) + ',"after":' + w.u128(v.after, path, '.after', -1) + '}';
}

export function writeJsonSlotChange(w: $JsonWriter, v: SlotChange, path: string): string {
  w.object(v, 'SlotChange', path);
  let s = '{"slot":' + w.digest(v.slot, path, '.slot', -1);
  const x1 = v.before;
  if (x1 !== undefined && x1 !== null) s += ',"before":' + w.bytes(x1, 4294967295, path, '.before', -1);
  const x2 = v.after;
  if (x2 !== undefined && x2 !== null) s += ',"after":' + w.bytes(x2, 4294967295, path, '.after', -1);
  return s + '}';
}

export function writeJsonTxBuildSimulateResult(w: $JsonWriter, v: TxBuildSimulateResult, path: string): string {
  w.object(v, 'TxBuildSimulateResult', path);
  return '{"build":' + writeJsonTxBuildResult(w, v.build, path + '.build') + ',"simulation":' + writeJsonTxSimulateResult(w, v.simulation, path + '.simulation') + '}';
}

export function writeJsonTxSimulateAccessArgs(w: $JsonWriter, v: TxSimulateAccessArgs, path: string): string {
  w.object(v, 'TxSimulateAccessArgs', path);
  let s = '{';
  const x0 = v.transaction;
  if (x0 !== undefined && x0 !== null) s += '"transaction":' + writeJsonTransaction(w, x0, path + '.transaction');
  const x1 = v.build;
  if (x1 !== undefined && x1 !== null) s += (s === '{' ? '' : ',') + '"build":' + writeJsonTxBuildArgs(w, x1, path + '.build');
  const x2 = v.encoded;
  if (x2 !== undefined && x2 !== null) s += (s === '{' ? '' : ',') + '"encoded":' + w.bytes(x2, 4294967295, path, '.encoded', -1);
  const x3 = v.at;
  if (x3 !== undefined && x3 !== null) s += (s === '{' ? '' : ',') + '"at":' + writeJsonBlockRef(w, x3, path + '.at');
  const x4 = v.overrides;
  if (x4 !== undefined && x4 !== null) s += (s === '{' ? '' : ',') + '"overrides":' + writeJsonStateOverrideList(w, x4, path + '.overrides');
  const x5 = v.block_override;
  if (x5 !== undefined && x5 !== null) s += (s === '{' ? '' : ',') + '"block_override":' + writeJsonBlockOverride(w, x5, path + '.block_override');
  const x6 = v.idl;
  if (x6 !== undefined && x6 !== null) s += (s === '{' ? '' : ',') + '"idl":' + w.string(x6, 4294967295, path, '.idl', -1);
  return s + '}';
}

export function writeJsonTxSimulateAccessResult(w: $JsonWriter, v: TxSimulateAccessResult, path: string): string {
  w.object(v, 'TxSimulateAccessResult', path);
  return '{"simulation":' + writeJsonTxSimulateResult(w, v.simulation, path + '.simulation') + ',"access_list":' + writeJsonAccessEntryList(w, v.access_list, path + '.access_list') + '}';
}

export function writeJsonAccessEntry(w: $JsonWriter, v: AccessEntry, path: string): string {
  w.object(v, 'AccessEntry', path);
  return '{"address":' + w.fixed(v.address, 20, path, '.address', -1) + ',"account":' + writeJsonAccess(w, v.account, path + '.account') + ',"slots":' + writeJsonSlotAccessList(w, v.slots, path + '.slots') + '}';
}

export function writeJsonSlotAccess(w: $JsonWriter, v: SlotAccess, path: string): string {
  w.object(v, 'SlotAccess', path);
  return '{"slot":' + w.digest(v.slot, path, '.slot', -1) + ',"access":' + writeJsonAccess(w, v.access, path + '.access') + '}';
}

export function writeJsonTxSimulatePipelineArgs(w: $JsonWriter, v: TxSimulatePipelineArgs, path: string): string {
  w.object(v, 'TxSimulatePipelineArgs', path);
  let s = '{"steps":' + writeJsonPipelineStepList(w, v.steps, path + '.steps');
  const x1 = v.at;
  if (x1 !== undefined && x1 !== null) s += ',"at":' + writeJsonBlockRef(w, x1, path + '.at');
  const x2 = v.overrides;
  if (x2 !== undefined && x2 !== null) s += ',"overrides":' + writeJsonStateOverrideList(w, x2, path + '.overrides');
  const x3 = v.stop_on_failure;
  if (x3 !== undefined && x3 !== null) s += ',"stop_on_failure":' + w.bool(x3, path, '.stop_on_failure', -1);
  return s + '}';
}

export function writeJsonTxSimulatePipelineResult(w: $JsonWriter, v: TxSimulatePipelineResult, path: string): string {
  w.object(v, 'TxSimulatePipelineResult', path);
  return '{"steps":' + writeJsonPipelineStepResultList(w, v.steps, path + '.steps') + ',"gas_used":' + w.u64(v.gas_used, path, '.gas_used', -1) + ',"height":' + w.u64(v.height, path, '.height', -1) + ',"completed":' + w.bool(v.completed, path, '.completed', -1) + '}';
}

export function writeJsonTxSimulateTraceArgs(w: $JsonWriter, v: TxSimulateTraceArgs, path: string): string {
  w.object(v, 'TxSimulateTraceArgs', path);
  let s = '{';
  const x0 = v.transaction;
  if (x0 !== undefined && x0 !== null) s += '"transaction":' + writeJsonTransaction(w, x0, path + '.transaction');
  const x1 = v.build;
  if (x1 !== undefined && x1 !== null) s += (s === '{' ? '' : ',') + '"build":' + writeJsonTxBuildArgs(w, x1, path + '.build');
  const x2 = v.encoded;
  if (x2 !== undefined && x2 !== null) s += (s === '{' ? '' : ',') + '"encoded":' + w.bytes(x2, 4294967295, path, '.encoded', -1);
  const x3 = v.at;
  if (x3 !== undefined && x3 !== null) s += (s === '{' ? '' : ',') + '"at":' + writeJsonBlockRef(w, x3, path + '.at');
  const x4 = v.overrides;
  if (x4 !== undefined && x4 !== null) s += (s === '{' ? '' : ',') + '"overrides":' + writeJsonStateOverrideList(w, x4, path + '.overrides');
  const x5 = v.block_override;
  if (x5 !== undefined && x5 !== null) s += (s === '{' ? '' : ',') + '"block_override":' + writeJsonBlockOverride(w, x5, path + '.block_override');
  const x6 = v.idl;
  if (x6 !== undefined && x6 !== null) s += (s === '{' ? '' : ',') + '"idl":' + w.string(x6, 4294967295, path, '.idl', -1);
  const x7 = v.tracers;
  if (x7 !== undefined && x7 !== null) s += (s === '{' ? '' : ',') + '"tracers":' + writeJsonTracerList(w, x7, path + '.tracers');
  return s + '}';
}

export function writeJsonTxSimulateTraceResult(w: $JsonWriter, v: TxSimulateTraceResult, path: string): string {
  w.object(v, 'TxSimulateTraceResult', path);
  return '{"simulation":' + writeJsonTxSimulateResult(w, v.simulation, path + '.simulation') + ',"trace":' + writeJsonTrace(w, v.trace, path + '.trace') + '}';
}

export function writeJsonChainTraceTransactionArgs(w: $JsonWriter, v: ChainTraceTransactionArgs, path: string): string {
  w.object(v, 'ChainTraceTransactionArgs', path);
  let s = '{"tx_hash":' + w.digest(v.tx_hash, path, '.tx_hash', -1);
  const x1 = v.tracers;
  if (x1 !== undefined && x1 !== null) s += ',"tracers":' + writeJsonTracerList(w, x1, path + '.tracers');
  return s + '}';
}

export function writeJsonChainTraceTransactionResult(w: $JsonWriter, v: ChainTraceTransactionResult, path: string): string {
  w.object(v, 'ChainTraceTransactionResult', path);
  return '{"receipt":' + writeJsonReceipt(w, v.receipt, path + '.receipt') + ',"trace":' + writeJsonTrace(w, v.trace, path + '.trace') + '}';
}

export function writeJsonChainTraceCallArgs(w: $JsonWriter, v: ChainTraceCallArgs, path: string): string {
  w.object(v, 'ChainTraceCallArgs', path);
  let s = '{"contract":' + w.fixed(v.contract, 20, path, '.contract', -1);
  const x1 = v.method;
  if (x1 !== undefined && x1 !== null) s += ',"method":' + w.string(x1, 4294967295, path, '.method', -1);
  const x2 = v.args;
  if (x2 !== undefined && x2 !== null) s += ',"args":' + w.json(x2, path, '.args', -1);
  const x3 = v.input;
  if (x3 !== undefined && x3 !== null) s += ',"input":' + w.bytes(x3, 4294967295, path, '.input', -1);
  const x4 = v.idl;
  if (x4 !== undefined && x4 !== null) s += ',"idl":' + w.string(x4, 4294967295, path, '.idl', -1);
  const x5 = v.caller;
  if (x5 !== undefined && x5 !== null) s += ',"caller":' + w.fixed(x5, 20, path, '.caller', -1);
  const x6 = v.value;
  if (x6 !== undefined && x6 !== null) s += ',"value":' + w.u128(x6, path, '.value', -1);
  const x7 = v.gas_limit;
  if (x7 !== undefined && x7 !== null) s += ',"gas_limit":' + w.u64(x7, path, '.gas_limit', -1);
  const x8 = v.at;
  if (x8 !== undefined && x8 !== null) s += ',"at":' + writeJsonBlockRef(w, x8, path + '.at');
  const x9 = v.overrides;
  if (x9 !== undefined && x9 !== null) s += ',"overrides":' + writeJsonStateOverrideList(w, x9, path + '.overrides');
  const x10 = v.block_override;
  if (x10 !== undefined && x10 !== null) s += ',"block_override":' + writeJsonBlockOverride(w, x10, path + '.block_override');
  const x11 = v.tracers;
  if (x11 !== undefined && x11 !== null) s += ',"tracers":' + writeJsonTracerList(w, x11, path + '.tracers');
  return s + '}';
}

export function writeJsonChainTraceCallResult(w: $JsonWriter, v: ChainTraceCallResult, path: string): string {
  w.object(v, 'ChainTraceCallResult', path);
  return '{"result":' + writeJsonViewCallResult(w, v.result, path + '.result') + ',"trace":' + writeJsonTrace(w, v.trace, path + '.trace') + '}';
}

export function writeJsonTrace(w: $JsonWriter, v: Trace, path: string): string {
  w.object(v, 'Trace', path);
  let s = '{';
  const x0 = v.call_tree;
  if (x0 !== undefined && x0 !== null) s += '"call_tree":' + writeJsonCallFrame(w, x0, path + '.call_tree');
  const x1 = v.host_ops;
  if (x1 !== undefined && x1 !== null) s += (s === '{' ? '' : ',') + '"host_ops":' + writeJsonHostOpList(w, x1, path + '.host_ops');
  const x2 = v.state_diff;
  if (x2 !== undefined && x2 !== null) s += (s === '{' ? '' : ',') + '"state_diff":' + writeJsonStateDiffList(w, x2, path + '.state_diff');
  const x3 = v.prestate;
  if (x3 !== undefined && x3 !== null) s += (s === '{' ? '' : ',') + '"prestate":' + writeJsonStateOverrideList(w, x3, path + '.prestate');
  const x4 = v.gas_profile;
  if (x4 !== undefined && x4 !== null) s += (s === '{' ? '' : ',') + '"gas_profile":' + writeJsonGasProfile(w, x4, path + '.gas_profile');
  return s + (s === '{' ? '' : ',') + '"truncated":' + w.bool(v.truncated, path, '.truncated', -1) + '}';
}

export function writeJsonCallFrame(w: $JsonWriter, v: CallFrame, path: string): string {
  w.enter(path);
  try {
    w.object(v, 'CallFrame', path);
    let s = '{"kind":' + w.string(v.kind, 4294967295, path, '.kind', -1) + ',"from":' + w.fixed(v.from, 20, path, '.from', -1) + ',"to":' + w.fixed(v.to, 20, path, '.to', -1);
    const x3 = v.method;
    if (x3 !== undefined && x3 !== null) s += ',"method":' + w.string(x3, 4294967295, path, '.method', -1);
    s += ',"input":' + w.bytes(v.input, 4294967295, path, '.input', -1);
    const x5 = v.args;
    if (x5 !== undefined && x5 !== null) s += ',"args":' + w.json(x5, path, '.args', -1);
    s += ',"value":' + w.u128(v.value, path, '.value', -1) + ',"gas_limit":' + w.u64(v.gas_limit, path, '.gas_limit', -1) + ',"gas_used":' + w.u64(v.gas_used, path, '.gas_used', -1) + ',"status":' + writeJsonExecStatus(w, v.status, path + '.status') + ',"output":' + w.bytes(v.output, 4294967295, path, '.output', -1);
    const x11 = v.decoded;
    if (x11 !== undefined && x11 !== null) s += ',"decoded":' + w.json(x11, path, '.decoded', -1);
    return s + ',"logs":' + writeJsonFrameLogList(w, v.logs, path + '.logs') + ',"calls":' + writeJsonCallFrameList(w, v.calls, path + '.calls') + '}';
  } finally {
    w.leave();
  }
}

export function writeJsonFrameLog(w: $JsonWriter, v: FrameLog, path: string): string {
  w.object(v, 'FrameLog', path);
  let s = '{"contract":' + w.fixed(v.contract, 20, path, '.contract', -1) + ',"topics":' + writeJsonHashList(w, v.topics, path + '.topics') + ',"data":' + w.bytes(v.data, 4294967295, path, '.data', -1) + ',"height":' + w.u64(v.height, path, '.height', -1) + ',"block_hash":' + w.digest(v.block_hash, path, '.block_hash', -1) + ',"tx_hash":' + w.digest(v.tx_hash, path, '.tx_hash', -1) + ',"tx_index":' + w.u32(v.tx_index, path, '.tx_index', -1) + ',"log_index":' + w.u32(v.log_index, path, '.log_index', -1);
  const x8 = v.event;
  if (x8 !== undefined && x8 !== null) s += ',"event":' + writeJsonDecodedEvent(w, x8, path + '.event');
  const x9 = v.position;
  if (x9 !== undefined && x9 !== null) s += ',"position":' + w.u32(x9, path, '.position', -1);
  return s + '}';
}

export function writeJsonHostOp(w: $JsonWriter, v: HostOp, path: string): string {
  w.object(v, 'HostOp', path);
  let s = '{"frame":' + w.u32(v.frame, path, '.frame', -1) + ',"name":' + w.string(v.name, 4294967295, path, '.name', -1) + ',"gas":' + w.u64(v.gas, path, '.gas', -1) + ',"args":' + w.json(v.args, path, '.args', -1);
  const x4 = v.result;
  if (x4 !== undefined && x4 !== null) s += ',"result":' + w.json(x4, path, '.result', -1);
  return s + '}';
}

export function writeJsonGasProfile(w: $JsonWriter, v: GasProfile, path: string): string {
  w.object(v, 'GasProfile', path);
  return '{"functions":' + writeJsonFunctionGasList(w, v.functions, path + '.functions') + ',"folded":' + writeJsonStringList(w, v.folded, path + '.folded') + '}';
}

export function writeJsonFunctionGas(w: $JsonWriter, v: FunctionGas, path: string): string {
  w.object(v, 'FunctionGas', path);
  return '{"contract":' + w.fixed(v.contract, 20, path, '.contract', -1) + ',"function":' + w.string(v.function, 4294967295, path, '.function', -1) + ',"self_gas":' + w.u64(v.self_gas, path, '.self_gas', -1) + ',"total_gas":' + w.u64(v.total_gas, path, '.total_gas', -1) + ',"calls":' + w.u64(v.calls, path, '.calls', -1) + '}';
}

export function writeJsonBundleSimulateArgs(w: $JsonWriter, v: BundleSimulateArgs, path: string): string {
  w.object(v, 'BundleSimulateArgs', path);
  let s = '{"transactions":' + writeJsonBytesList(w, v.transactions, path + '.transactions');
  const x1 = v.at;
  if (x1 !== undefined && x1 !== null) s += ',"at":' + writeJsonBlockRef(w, x1, path + '.at');
  const x2 = v.overrides;
  if (x2 !== undefined && x2 !== null) s += ',"overrides":' + writeJsonStateOverrideList(w, x2, path + '.overrides');
  return s + '}';
}

export function writeJsonBundleSimulateResult(w: $JsonWriter, v: BundleSimulateResult, path: string): string {
  w.object(v, 'BundleSimulateResult', path);
  return '{"results":' + writeJsonTxSimulateResultList(w, v.results, path + '.results') + ',"atomic_success":' + w.bool(v.atomic_success, path, '.atomic_success', -1) + ',"gas_used":' + w.u64(v.gas_used, path, '.gas_used', -1) + ',"dependencies":' + writeJsonDependencyList(w, v.dependencies, path + '.dependencies') + ',"parallel_groups":' + writeJsonU32ListList(w, v.parallel_groups, path + '.parallel_groups') + ',"critical_path_gas":' + w.u64(v.critical_path_gas, path, '.critical_path_gas', -1) + ',"height":' + w.u64(v.height, path, '.height', -1) + '}';
}

export function writeJsonDependency(w: $JsonWriter, v: Dependency, path: string): string {
  w.object(v, 'Dependency', path);
  let s = '{"from":' + w.u32(v.from, path, '.from', -1) + ',"to":' + w.u32(v.to, path, '.to', -1) + ',"kind":' + writeJsonDependencyKind(w, v.kind, path + '.kind') + ',"address":' + w.fixed(v.address, 20, path, '.address', -1);
  const x4 = v.slot;
  if (x4 !== undefined && x4 !== null) s += ',"slot":' + w.digest(x4, path, '.slot', -1);
  return s + '}';
}

export function writeJsonGetEpochKeyArgs(w: $JsonWriter, v: GetEpochKeyArgs, path: string): string {
  w.object(v, 'GetEpochKeyArgs', path);
  let s = '{';
  const x0 = v.epoch;
  if (x0 !== undefined && x0 !== null) s += '"epoch":' + w.u64(x0, path, '.epoch', -1);
  return s + '}';
}

export function writeJsonGetEpochKeyResult(w: $JsonWriter, v: GetEpochKeyResult, path: string): string {
  w.object(v, 'GetEpochKeyResult', path);
  return '{"epoch":' + w.u64(v.epoch, path, '.epoch', -1) + ',"scheme":' + w.string(v.scheme, 4294967295, path, '.scheme', -1) + ',"public_key":' + w.bytes(v.public_key, 4294967295, path, '.public_key', -1) + ',"quorum":' + w.u32(v.quorum, path, '.quorum', -1) + ',"first_height":' + w.u64(v.first_height, path, '.first_height', -1) + ',"last_height":' + w.u64(v.last_height, path, '.last_height', -1) + ',"next_open_height":' + w.u64(v.next_open_height, path, '.next_open_height', -1) + ',"slot_price":' + w.u128(v.slot_price, path, '.slot_price', -1) + ',"free_slots":' + writeJsonU8List(w, v.free_slots, path + '.free_slots') + '}';
}

export function writeJsonTxSubmitSealedArgs(w: $JsonWriter, v: TxSubmitSealedArgs, path: string): string {
  w.object(v, 'TxSubmitSealedArgs', path);
  return '{"envelope":' + w.bytes(v.envelope, 4294967295, path, '.envelope', -1) + '}';
}

export function writeJsonTxSubmitSealedResult(w: $JsonWriter, v: TxSubmitSealedResult, path: string): string {
  w.object(v, 'TxSubmitSealedResult', path);
  return '{"envelope_hash":' + w.digest(v.envelope_hash, path, '.envelope_hash', -1) + ',"opens_at":' + w.u64(v.opens_at, path, '.opens_at', -1) + '}';
}

export function writeJsonTxSubmitBundleArgs(w: $JsonWriter, v: TxSubmitBundleArgs, path: string): string {
  w.object(v, 'TxSubmitBundleArgs', path);
  let s = '{"transactions":' + writeJsonBytesList(w, v.transactions, path + '.transactions');
  const x1 = v.max_height;
  if (x1 !== undefined && x1 !== null) s += ',"max_height":' + w.u64(x1, path, '.max_height', -1);
  return s + '}';
}

export function writeJsonTxSubmitBundleResult(w: $JsonWriter, v: TxSubmitBundleResult, path: string): string {
  w.object(v, 'TxSubmitBundleResult', path);
  return '{"bundle_hash":' + w.digest(v.bundle_hash, path, '.bundle_hash', -1) + ',"tx_hashes":' + writeJsonHashList(w, v.tx_hashes, path + '.tx_hashes') + '}';
}

export function writeJsonFinalityCertificate(w: $JsonWriter, v: FinalityCertificate, path: string): string {
  w.object(v, 'FinalityCertificate', path);
  return '{"epoch":' + w.u64(v.epoch, path, '.epoch', -1) + ',"view":' + w.u64(v.view, path, '.view', -1) + ',"block_hash":' + w.digest(v.block_hash, path, '.block_hash', -1) + ',"parent_view":' + w.u64(v.parent_view, path, '.parent_view', -1) + ',"signature":' + w.bytes(v.signature, 4294967295, path, '.signature', -1) + ',"group_public_key":' + w.bytes(v.group_public_key, 4294967295, path, '.group_public_key', -1) + '}';
}

export function writeJsonFinalityProofArgs(w: $JsonWriter, v: FinalityProofArgs, path: string): string {
  w.object(v, 'FinalityProofArgs', path);
  return '{"height":' + w.u64(v.height, path, '.height', -1) + '}';
}

export function writeJsonFinalityProofResult(w: $JsonWriter, v: FinalityProofResult, path: string): string {
  w.object(v, 'FinalityProofResult', path);
  return '{"header":' + writeJsonBlockHeader(w, v.header, path + '.header') + ',"certificate":' + writeJsonFinalityCertificate(w, v.certificate, path + '.certificate') + ',"descendants":' + writeJsonBlockHeaderList(w, v.descendants, path + '.descendants') + '}';
}

export function writeJsonLightClientContextArgs(w: $JsonWriter, v: LightClientContextArgs, path: string): string {
  w.object(v, 'LightClientContextArgs', path);
  let s = '{';
  const x0 = v.height;
  if (x0 !== undefined && x0 !== null) s += '"height":' + w.u64(x0, path, '.height', -1);
  return s + '}';
}

export function writeJsonLightClientContextResult(w: $JsonWriter, v: LightClientContextResult, path: string): string {
  w.object(v, 'LightClientContextResult', path);
  return '{"chain_id":' + w.u64(v.chain_id, path, '.chain_id', -1) + ',"genesis_hash":' + w.digest(v.genesis_hash, path, '.genesis_hash', -1) + ',"epoch":' + w.u64(v.epoch, path, '.epoch', -1) + ',"validator_set":' + writeJsonValidatorSet(w, v.validator_set, path + '.validator_set') + ',"header":' + writeJsonBlockHeader(w, v.header, path + '.header') + ',"certificate":' + writeJsonFinalityCertificate(w, v.certificate, path + '.certificate') + ',"descendants":' + writeJsonBlockHeaderList(w, v.descendants, path + '.descendants') + ',"history":' + writeJsonHistoryRoot(w, v.history, path + '.history') + ',"signing_domain":' + w.string(v.signing_domain, 4294967295, path, '.signing_domain', -1) + '}';
}

export function writeJsonStateProofArgs(w: $JsonWriter, v: StateProofArgs, path: string): string {
  w.object(v, 'StateProofArgs', path);
  let s = '{"contract":' + w.fixed(v.contract, 20, path, '.contract', -1);
  const x1 = v.slot;
  if (x1 !== undefined && x1 !== null) s += ',"slot":' + w.digest(x1, path, '.slot', -1);
  const x2 = v.at;
  if (x2 !== undefined && x2 !== null) s += ',"at":' + writeJsonBlockRef(w, x2, path + '.at');
  return s + '}';
}

export function writeJsonStateProofResult(w: $JsonWriter, v: StateProofResult, path: string): string {
  w.object(v, 'StateProofResult', path);
  let s = '{"header":' + writeJsonBlockHeader(w, v.header, path + '.header') + ',"account":' + writeJsonTreeProof(w, v.account, path + '.account');
  const x2 = v.slot;
  if (x2 !== undefined && x2 !== null) s += ',"slot":' + writeJsonTreeProof(w, x2, path + '.slot');
  const x3 = v.certificate;
  if (x3 !== undefined && x3 !== null) s += ',"certificate":' + writeJsonFinalityCertificate(w, x3, path + '.certificate');
  return s + ',"descendants":' + writeJsonBlockHeaderList(w, v.descendants, path + '.descendants') + '}';
}

export function writeJsonTreeProof(w: $JsonWriter, v: TreeProof, path: string): string {
  w.object(v, 'TreeProof', path);
  let s = '{"key":' + w.digest(v.key, path, '.key', -1);
  const x1 = v.value;
  if (x1 !== undefined && x1 !== null) s += ',"value":' + w.bytes(x1, 4294967295, path, '.value', -1);
  s += ',"depth":' + w.u16(v.depth, path, '.depth', -1) + ',"bitmap":' + w.bytes(v.bitmap, 4294967295, path, '.bitmap', -1) + ',"siblings":' + writeJsonHashList(w, v.siblings, path + '.siblings');
  const x5 = v.neighbour;
  if (x5 !== undefined && x5 !== null) s += ',"neighbour":' + writeJsonNeighbourLeaf(w, x5, path + '.neighbour');
  return s + '}';
}

export function writeJsonNeighbourLeaf(w: $JsonWriter, v: NeighbourLeaf, path: string): string {
  w.object(v, 'NeighbourLeaf', path);
  return '{"key":' + w.digest(v.key, path, '.key', -1) + ',"value_hash":' + w.digest(v.value_hash, path, '.value_hash', -1) + '}';
}

export function writeJsonSubtreeProof(w: $JsonWriter, v: SubtreeProof, path: string): string {
  w.object(v, 'SubtreeProof', path);
  return '{"prefix":' + w.digest(v.prefix, path, '.prefix', -1) + ',"depth":' + w.u16(v.depth, path, '.depth', -1) + ',"bitmap":' + w.bytes(v.bitmap, 4294967295, path, '.bitmap', -1) + ',"siblings":' + writeJsonHashList(w, v.siblings, path + '.siblings') + '}';
}

export function writeJsonFinalizedHistoryRootArgs(w: $JsonWriter, v: FinalizedHistoryRootArgs, path: string): string {
  w.object(v, 'FinalizedHistoryRootArgs', path);
  let s = '{';
  const x0 = v.height;
  if (x0 !== undefined && x0 !== null) s += '"height":' + w.u64(x0, path, '.height', -1);
  return s + '}';
}

export function writeJsonFinalizedHistoryRootResult(w: $JsonWriter, v: FinalizedHistoryRootResult, path: string): string {
  w.object(v, 'FinalizedHistoryRootResult', path);
  let s = '{"history":' + writeJsonHistoryRoot(w, v.history, path + '.history') + ',"header":' + writeJsonBlockHeader(w, v.header, path + '.header');
  const x2 = v.certificate;
  if (x2 !== undefined && x2 !== null) s += ',"certificate":' + writeJsonFinalityCertificate(w, x2, path + '.certificate');
  return s + ',"descendants":' + writeJsonBlockHeaderList(w, v.descendants, path + '.descendants') + '}';
}

export function writeJsonHistoryRoot(w: $JsonWriter, v: HistoryRoot, path: string): string {
  w.object(v, 'HistoryRoot', path);
  return '{"root":' + w.digest(v.root, path, '.root', -1) + ',"size":' + w.u64(v.size, path, '.size', -1) + ',"peaks":' + writeJsonHashList(w, v.peaks, path + '.peaks') + ',"height":' + w.u64(v.height, path, '.height', -1) + '}';
}

export function writeJsonFinalizedHistoryProofArgs(w: $JsonWriter, v: FinalizedHistoryProofArgs, path: string): string {
  w.object(v, 'FinalizedHistoryProofArgs', path);
  let s = '{"height":' + w.u64(v.height, path, '.height', -1);
  const x1 = v.at_size;
  if (x1 !== undefined && x1 !== null) s += ',"at_size":' + w.u64(x1, path, '.at_size', -1);
  return s + '}';
}

export function writeJsonFinalizedHistoryProofResult(w: $JsonWriter, v: FinalizedHistoryProofResult, path: string): string {
  w.object(v, 'FinalizedHistoryProofResult', path);
  return '{"leaf_index":' + w.u64(v.leaf_index, path, '.leaf_index', -1) + ',"block_hash":' + w.digest(v.block_hash, path, '.block_hash', -1) + ',"path":' + writeJsonHashList(w, v.path, path + '.path') + ',"peaks":' + writeJsonHashList(w, v.peaks, path + '.peaks') + ',"size":' + w.u64(v.size, path, '.size', -1) + ',"root":' + w.digest(v.root, path, '.root', -1) + '}';
}

export function writeJsonCheckpointDescriptor(w: $JsonWriter, v: CheckpointDescriptor, path: string): string {
  w.object(v, 'CheckpointDescriptor', path);
  let s = '{"height":' + w.u64(v.height, path, '.height', -1) + ',"block_hash":' + w.digest(v.block_hash, path, '.block_hash', -1) + ',"state_root":' + w.digest(v.state_root, path, '.state_root', -1) + ',"history_root":' + w.digest(v.history_root, path, '.history_root', -1) + ',"entries":' + w.u64(v.entries, path, '.entries', -1) + ',"bytes":' + w.u64(v.bytes, path, '.bytes', -1) + ',"chunk_count":' + w.u32(v.chunk_count, path, '.chunk_count', -1) + ',"chunks_root":' + w.digest(v.chunks_root, path, '.chunks_root', -1) + ',"created_ms":' + w.u64(v.created_ms, path, '.created_ms', -1);
  const x9 = v.archive;
  if (x9 !== undefined && x9 !== null) s += ',"archive":' + writeJsonArchiveDescriptor(w, x9, path + '.archive');
  return s + '}';
}

export function writeJsonArchiveDescriptor(w: $JsonWriter, v: ArchiveDescriptor, path: string): string {
  w.object(v, 'ArchiveDescriptor', path);
  return '{"format":' + w.string(v.format, 4294967295, path, '.format', -1) + ',"file":' + w.string(v.file, 4294967295, path, '.file', -1) + ',"bytes":' + w.u64(v.bytes, path, '.bytes', -1) + ',"sha256":' + w.digest(v.sha256, path, '.sha256', -1) + '}';
}

export function writeJsonGetLightSnapshotArgs(w: $JsonWriter, v: GetLightSnapshotArgs, path: string): string {
  w.object(v, 'GetLightSnapshotArgs', path);
  let s = '{';
  const x0 = v.height;
  if (x0 !== undefined && x0 !== null) s += '"height":' + w.u64(x0, path, '.height', -1);
  return s + '}';
}

export function writeJsonGetLightSnapshotResult(w: $JsonWriter, v: GetLightSnapshotResult, path: string): string {
  w.object(v, 'GetLightSnapshotResult', path);
  return '{"checkpoint":' + writeJsonCheckpointDescriptor(w, v.checkpoint, path + '.checkpoint') + ',"header":' + writeJsonBlockHeader(w, v.header, path + '.header') + ',"certificate":' + writeJsonFinalityCertificate(w, v.certificate, path + '.certificate') + ',"descendants":' + writeJsonBlockHeaderList(w, v.descendants, path + '.descendants') + ',"history":' + writeJsonHistoryRoot(w, v.history, path + '.history') + ',"validator_set":' + writeJsonValidatorSet(w, v.validator_set, path + '.validator_set') + '}';
}

export function writeJsonCheckpointListResult(w: $JsonWriter, v: CheckpointListResult, path: string): string {
  w.object(v, 'CheckpointListResult', path);
  return '{"checkpoints":' + writeJsonCheckpointRefList(w, v.checkpoints, path + '.checkpoints') + '}';
}

export function writeJsonGetCheckpointArgs(w: $JsonWriter, v: GetCheckpointArgs, path: string): string {
  w.object(v, 'GetCheckpointArgs', path);
  return '{"height":' + w.u64(v.height, path, '.height', -1) + '}';
}

export function writeJsonGetCheckpointResult(w: $JsonWriter, v: GetCheckpointResult, path: string): string {
  w.object(v, 'GetCheckpointResult', path);
  return '{"checkpoint":' + writeJsonCheckpointDescriptor(w, v.checkpoint, path + '.checkpoint') + '}';
}

export function writeJsonListCheckpointsArgs(w: $JsonWriter, v: ListCheckpointsArgs, path: string): string {
  w.object(v, 'ListCheckpointsArgs', path);
  let s = '{';
  const x0 = v.cursor;
  if (x0 !== undefined && x0 !== null) s += '"cursor":' + w.string(x0, 4294967295, path, '.cursor', -1);
  const x1 = v.limit;
  if (x1 !== undefined && x1 !== null) s += (s === '{' ? '' : ',') + '"limit":' + w.u32(x1, path, '.limit', -1);
  return s + '}';
}

export function writeJsonListCheckpointsResult(w: $JsonWriter, v: ListCheckpointsResult, path: string): string {
  w.object(v, 'ListCheckpointsResult', path);
  let s = '{"checkpoints":' + writeJsonCheckpointDescriptorList(w, v.checkpoints, path + '.checkpoints');
  const x1 = v.next_cursor;
  if (x1 !== undefined && x1 !== null) s += ',"next_cursor":' + w.string(x1, 4294967295, path, '.next_cursor', -1);
  return s + '}';
}

export function writeJsonSnapshotEntry(w: $JsonWriter, v: SnapshotEntry, path: string): string {
  w.object(v, 'SnapshotEntry', path);
  return '{"key":' + w.digest(v.key, path, '.key', -1) + ',"value":' + w.bytes(v.value, 4294967295, path, '.value', -1) + '}';
}

export function writeJsonGetSnapshotChunkArgs(w: $JsonWriter, v: GetSnapshotChunkArgs, path: string): string {
  w.object(v, 'GetSnapshotChunkArgs', path);
  return '{"height":' + w.u64(v.height, path, '.height', -1) + ',"index":' + w.u32(v.index, path, '.index', -1) + '}';
}

export function writeJsonGetSnapshotChunkResult(w: $JsonWriter, v: GetSnapshotChunkResult, path: string): string {
  w.object(v, 'GetSnapshotChunkResult', path);
  return '{"height":' + w.u64(v.height, path, '.height', -1) + ',"index":' + w.u32(v.index, path, '.index', -1) + ',"proof":' + writeJsonSubtreeProof(w, v.proof, path + '.proof') + ',"entries":' + writeJsonSnapshotEntryList(w, v.entries, path + '.entries') + ',"blobs":' + writeJsonBytesList(w, v.blobs, path + '.blobs') + ',"chunk_hash":' + w.digest(v.chunk_hash, path, '.chunk_hash', -1) + ',"last":' + w.bool(v.last, path, '.last', -1) + '}';
}

export function writeJsonImportSnapshotChunkArgs(w: $JsonWriter, v: ImportSnapshotChunkArgs, path: string): string {
  w.object(v, 'ImportSnapshotChunkArgs', path);
  return '{"height":' + w.u64(v.height, path, '.height', -1) + ',"index":' + w.u32(v.index, path, '.index', -1) + ',"proof":' + writeJsonSubtreeProof(w, v.proof, path + '.proof') + ',"entries":' + writeJsonSnapshotEntryList(w, v.entries, path + '.entries') + ',"blobs":' + writeJsonBytesList(w, v.blobs, path + '.blobs') + '}';
}

export function writeJsonImportSnapshotChunkResult(w: $JsonWriter, v: ImportSnapshotChunkResult, path: string): string {
  w.object(v, 'ImportSnapshotChunkResult', path);
  return '{"accepted":' + w.u32(v.accepted, path, '.accepted', -1) + ',"remaining_chunks":' + w.u32(v.remaining_chunks, path, '.remaining_chunks', -1) + ',"complete":' + w.bool(v.complete, path, '.complete', -1) + '}';
}

export function writeJsonTokenUsageArgs(w: $JsonWriter, v: TokenUsageArgs, path: string): string {
  w.object(v, 'TokenUsageArgs', path);
  let s = '{';
  const x0 = v.token;
  if (x0 !== undefined && x0 !== null) s += '"token":' + w.string(x0, 4294967295, path, '.token', -1);
  const x1 = v.from_day;
  if (x1 !== undefined && x1 !== null) s += (s === '{' ? '' : ',') + '"from_day":' + w.string(x1, 4294967295, path, '.from_day', -1);
  const x2 = v.to_day;
  if (x2 !== undefined && x2 !== null) s += (s === '{' ? '' : ',') + '"to_day":' + w.string(x2, 4294967295, path, '.to_day', -1);
  const x3 = v.cursor;
  if (x3 !== undefined && x3 !== null) s += (s === '{' ? '' : ',') + '"cursor":' + w.string(x3, 4294967295, path, '.cursor', -1);
  const x4 = v.limit;
  if (x4 !== undefined && x4 !== null) s += (s === '{' ? '' : ',') + '"limit":' + w.u32(x4, path, '.limit', -1);
  return s + '}';
}

export function writeJsonTokenUsageResult(w: $JsonWriter, v: TokenUsageResult, path: string): string {
  w.object(v, 'TokenUsageResult', path);
  let s = '{"token":' + w.string(v.token, 4294967295, path, '.token', -1);
  const x1 = v.subject;
  if (x1 !== undefined && x1 !== null) s += ',"subject":' + w.string(x1, 4294967295, path, '.subject', -1);
  s += ',"days":' + writeJsonTokenUsageDayList(w, v.days, path + '.days');
  const x3 = v.next_cursor;
  if (x3 !== undefined && x3 !== null) s += ',"next_cursor":' + w.string(x3, 4294967295, path, '.next_cursor', -1);
  return s + '}';
}

export function writeJsonTokenUsageDay(w: $JsonWriter, v: TokenUsageDay, path: string): string {
  w.object(v, 'TokenUsageDay', path);
  return '{"day":' + w.string(v.day, 4294967295, path, '.day', -1) + ',"calls":' + w.u64(v.calls, path, '.calls', -1) + ',"units":' + w.u64(v.units, path, '.units', -1) + ',"methods":' + writeJsonTokenMethodUsageList(w, v.methods, path + '.methods') + '}';
}

export function writeJsonTokenMethodUsage(w: $JsonWriter, v: TokenMethodUsage, path: string): string {
  w.object(v, 'TokenMethodUsage', path);
  return '{"method":' + w.string(v.method, 4294967295, path, '.method', -1) + ',"calls":' + w.u64(v.calls, path, '.calls', -1) + ',"units":' + w.u64(v.units, path, '.units', -1) + '}';
}

export function writeJsonHealth(w: $JsonWriter, v: Health, path: string): string {
  w.object(v, 'Health', path);
  switch (v.type) {
    case 'ok':
      w.nothing(v.value, path);
      return '{"type":"ok","value":null}';
    case 'degraded':
      return '{"type":"degraded","value":' + w.string(v.value, 4294967295, path, '.degraded', -1) + '}';
    default:
      return w.unknownVariant((v as { readonly type: unknown }).type, ['ok', 'degraded'], path);
  }
}

export function writeJsonSyncState(w: $JsonWriter, v: SyncState, path: string): string {
  w.object(v, 'SyncState', path);
  switch (v.type) {
    case 'synced':
      w.nothing(v.value, path);
      return '{"type":"synced","value":null}';
    case 'catching_up':
      w.nothing(v.value, path);
      return '{"type":"catching_up","value":null}';
    case 'stalled':
      w.nothing(v.value, path);
      return '{"type":"stalled","value":null}';
    default:
      return w.unknownVariant((v as { readonly type: unknown }).type, ['synced', 'catching_up', 'stalled'], path);
  }
}

export function writeJsonRole(w: $JsonWriter, v: Role, path: string): string {
  w.object(v, 'Role', path);
  switch (v.type) {
    case 'validator':
      w.nothing(v.value, path);
      return '{"type":"validator","value":null}';
    case 'follower':
      w.nothing(v.value, path);
      return '{"type":"follower","value":null}';
    case 'dev':
      w.nothing(v.value, path);
      return '{"type":"dev","value":null}';
    default:
      return w.unknownVariant((v as { readonly type: unknown }).type, ['validator', 'follower', 'dev'], path);
  }
}

export function writeJsonDkgState(w: $JsonWriter, v: DkgState, path: string): string {
  w.object(v, 'DkgState', path);
  switch (v.type) {
    case 'idle':
      w.nothing(v.value, path);
      return '{"type":"idle","value":null}';
    case 'dealing':
      w.nothing(v.value, path);
      return '{"type":"dealing","value":null}';
    case 'complaining':
      w.nothing(v.value, path);
      return '{"type":"complaining","value":null}';
    case 'ready':
      w.nothing(v.value, path);
      return '{"type":"ready","value":null}';
    case 'failed':
      return '{"type":"failed","value":' + w.string(v.value, 4294967295, path, '.failed', -1) + '}';
    default:
      return w.unknownVariant((v as { readonly type: unknown }).type, ['idle', 'dealing', 'complaining', 'ready', 'failed'], path);
  }
}

export function writeJsonBlockRef(w: $JsonWriter, v: BlockRef, path: string): string {
  w.object(v, 'BlockRef', path);
  switch (v.type) {
    case 'latest':
      w.nothing(v.value, path);
      return '{"type":"latest","value":null}';
    case 'finalized':
      w.nothing(v.value, path);
      return '{"type":"finalized","value":null}';
    case 'height':
      return '{"type":"height","value":' + w.u64(v.value, path, '.height', -1) + '}';
    case 'hash':
      return '{"type":"hash","value":' + w.digest(v.value, path, '.hash', -1) + '}';
    case 'after_tx':
      return '{"type":"after_tx","value":' + w.digest(v.value, path, '.after_tx', -1) + '}';
    default:
      return w.unknownVariant((v as { readonly type: unknown }).type, ['latest', 'finalized', 'height', 'hash', 'after_tx'], path);
  }
}

export function writeJsonActionArgs(w: $JsonWriter, v: ActionArgs, path: string): string {
  w.object(v, 'ActionArgs', path);
  switch (v.type) {
    case 'transfer':
      return '{"type":"transfer","value":' + writeJsonTransfer(w, v.value, path + '.transfer') + '}';
    case 'deploy':
      return '{"type":"deploy","value":' + writeJsonDeploy(w, v.value, path + '.deploy') + '}';
    case 'call':
      return '{"type":"call","value":' + writeJsonCallArgs(w, v.value, path + '.call') + '}';
    case 'upgrade':
      return '{"type":"upgrade","value":' + writeJsonUpgrade(w, v.value, path + '.upgrade') + '}';
    case 'batch':
      return '{"type":"batch","value":' + writeJsonCallArgsList(w, v.value, path + '.batch') + '}';
    default:
      return w.unknownVariant((v as { readonly type: unknown }).type, ['transfer', 'deploy', 'call', 'upgrade', 'batch'], path);
  }
}

export function writeJsonWait(w: $JsonWriter, v: Wait, path: string): string {
  w.object(v, 'Wait', path);
  switch (v.type) {
    case 'none':
      w.nothing(v.value, path);
      return '{"type":"none","value":null}';
    case 'included':
      w.nothing(v.value, path);
      return '{"type":"included","value":null}';
    case 'finalized':
      w.nothing(v.value, path);
      return '{"type":"finalized","value":null}';
    default:
      return w.unknownVariant((v as { readonly type: unknown }).type, ['none', 'included', 'finalized'], path);
  }
}

export function writeJsonTxStatus(w: $JsonWriter, v: TxStatus, path: string): string {
  w.object(v, 'TxStatus', path);
  switch (v.type) {
    case 'pending':
      return '{"type":"pending","value":' + writeJsonPendingTx(w, v.value, path + '.pending') + '}';
    case 'included':
      return '{"type":"included","value":' + writeJsonInclusion(w, v.value, path + '.included') + '}';
    case 'not_found':
      w.nothing(v.value, path);
      return '{"type":"not_found","value":null}';
    case 'rejected':
      return '{"type":"rejected","value":' + w.string(v.value, 4294967295, path, '.rejected', -1) + '}';
    default:
      return w.unknownVariant((v as { readonly type: unknown }).type, ['pending', 'included', 'not_found', 'rejected'], path);
  }
}

export function writeJsonExecStatus(w: $JsonWriter, v: ExecStatus, path: string): string {
  w.object(v, 'ExecStatus', path);
  switch (v.type) {
    case 'success':
      w.nothing(v.value, path);
      return '{"type":"success","value":null}';
    case 'reverted':
      return '{"type":"reverted","value":' + writeJsonRevert(w, v.value, path + '.reverted') + '}';
    case 'out_of_gas':
      w.nothing(v.value, path);
      return '{"type":"out_of_gas","value":null}';
    case 'trapped':
      return '{"type":"trapped","value":' + writeJsonTrap(w, v.value, path + '.trapped') + '}';
    case 'invalid':
      return '{"type":"invalid","value":' + w.string(v.value, 4294967295, path, '.invalid', -1) + '}';
    default:
      return w.unknownVariant((v as { readonly type: unknown }).type, ['success', 'reverted', 'out_of_gas', 'trapped', 'invalid'], path);
  }
}

export function writeJsonActionKind(w: $JsonWriter, v: ActionKind, path: string): string {
  w.object(v, 'ActionKind', path);
  switch (v.type) {
    case 'transfer':
      w.nothing(v.value, path);
      return '{"type":"transfer","value":null}';
    case 'deploy':
      w.nothing(v.value, path);
      return '{"type":"deploy","value":null}';
    case 'call':
      w.nothing(v.value, path);
      return '{"type":"call","value":null}';
    case 'upgrade':
      w.nothing(v.value, path);
      return '{"type":"upgrade","value":null}';
    case 'batch':
      w.nothing(v.value, path);
      return '{"type":"batch","value":null}';
    case 'sealed':
      w.nothing(v.value, path);
      return '{"type":"sealed","value":null}';
    default:
      return w.unknownVariant((v as { readonly type: unknown }).type, ['transfer', 'deploy', 'call', 'upgrade', 'batch', 'sealed'], path);
  }
}

export function writeJsonAccess(w: $JsonWriter, v: Access, path: string): string {
  w.object(v, 'Access', path);
  switch (v.type) {
    case 'none':
      w.nothing(v.value, path);
      return '{"type":"none","value":null}';
    case 'read':
      w.nothing(v.value, path);
      return '{"type":"read","value":null}';
    case 'write':
      w.nothing(v.value, path);
      return '{"type":"write","value":null}';
    case 'read_write':
      w.nothing(v.value, path);
      return '{"type":"read_write","value":null}';
    default:
      return w.unknownVariant((v as { readonly type: unknown }).type, ['none', 'read', 'write', 'read_write'], path);
  }
}

export function writeJsonPipelineStep(w: $JsonWriter, v: PipelineStep, path: string): string {
  w.object(v, 'PipelineStep', path);
  switch (v.type) {
    case 'tx':
      return '{"type":"tx","value":' + writeJsonTxSimulateArgs(w, v.value, path + '.tx') + '}';
    case 'view':
      return '{"type":"view","value":' + writeJsonViewCallArgs(w, v.value, path + '.view') + '}';
    default:
      return w.unknownVariant((v as { readonly type: unknown }).type, ['tx', 'view'], path);
  }
}

export function writeJsonPipelineStepResult(w: $JsonWriter, v: PipelineStepResult, path: string): string {
  w.object(v, 'PipelineStepResult', path);
  switch (v.type) {
    case 'tx':
      return '{"type":"tx","value":' + writeJsonTxSimulateResult(w, v.value, path + '.tx') + '}';
    case 'view':
      return '{"type":"view","value":' + writeJsonViewCallResult(w, v.value, path + '.view') + '}';
    case 'skipped':
      return '{"type":"skipped","value":' + w.string(v.value, 4294967295, path, '.skipped', -1) + '}';
    default:
      return w.unknownVariant((v as { readonly type: unknown }).type, ['tx', 'view', 'skipped'], path);
  }
}

export function writeJsonTracer(w: $JsonWriter, v: Tracer, path: string): string {
  w.object(v, 'Tracer', path);
  switch (v.type) {
    case 'call_tree':
      w.nothing(v.value, path);
      return '{"type":"call_tree","value":null}';
    case 'host_ops':
      w.nothing(v.value, path);
      return '{"type":"host_ops","value":null}';
    case 'state_diff':
      w.nothing(v.value, path);
      return '{"type":"state_diff","value":null}';
    case 'prestate':
      w.nothing(v.value, path);
      return '{"type":"prestate","value":null}';
    case 'gas_profile':
      w.nothing(v.value, path);
      return '{"type":"gas_profile","value":null}';
    default:
      return w.unknownVariant((v as { readonly type: unknown }).type, ['call_tree', 'host_ops', 'state_diff', 'prestate', 'gas_profile'], path);
  }
}

export function writeJsonDependencyKind(w: $JsonWriter, v: DependencyKind, path: string): string {
  w.object(v, 'DependencyKind', path);
  switch (v.type) {
    case 'read_after_write':
      w.nothing(v.value, path);
      return '{"type":"read_after_write","value":null}';
    case 'write_after_read':
      w.nothing(v.value, path);
      return '{"type":"write_after_read","value":null}';
    case 'write_after_write':
      w.nothing(v.value, path);
      return '{"type":"write_after_write","value":null}';
    case 'nonce_order':
      w.nothing(v.value, path);
      return '{"type":"nonce_order","value":null}';
    default:
      return w.unknownVariant((v as { readonly type: unknown }).type, ['read_after_write', 'write_after_read', 'write_after_write', 'nonce_order'], path);
  }
}

function writeJsonParamsOf_status(w: $JsonWriter, v: NodeRpcV1Methods['status']['params'], path: string): string {
  w.object(v, 'parameters of status', path);
  return '{' + '}';
}

function writeJsonParamsOf_health(w: $JsonWriter, v: NodeRpcV1Methods['health']['params'], path: string): string {
  w.object(v, 'parameters of health', path);
  return '{' + '}';
}

function writeJsonParamsOf_readiness(w: $JsonWriter, v: NodeRpcV1Methods['readiness']['params'], path: string): string {
  w.object(v, 'parameters of readiness', path);
  return '{' + '}';
}

function writeJsonParamsOf_validator_status(w: $JsonWriter, v: NodeRpcV1Methods['validator_status']['params'], path: string): string {
  w.object(v, 'parameters of validator_status', path);
  return '{' + '}';
}

function writeJsonParamsOf_account(w: $JsonWriter, v: NodeRpcV1Methods['account']['params'], path: string): string {
  w.object(v, 'parameters of account', path);
  return '{"address":' + w.fixed(v.address, 20, path, '.address', -1) + '}';
}

function writeJsonParamsOf_accounts(w: $JsonWriter, v: NodeRpcV1Methods['accounts']['params'], path: string): string {
  w.object(v, 'parameters of accounts', path);
  return '{"addresses":' + writeJsonAddressList(w, v.addresses, path + '.addresses') + '}';
}

function writeJsonParamsOf_predict_address(w: $JsonWriter, v: NodeRpcV1Methods['predict_address']['params'], path: string): string {
  w.object(v, 'parameters of predict_address', path);
  let s = '{"deployer":' + w.fixed(v.deployer, 20, path, '.deployer', -1);
  const x1 = v.offset;
  if (x1 !== undefined && x1 !== null) s += ',"offset":' + w.u64(x1, path, '.offset', -1);
  return s + '}';
}

function writeJsonParamsOf_contract_metadata(w: $JsonWriter, v: NodeRpcV1Methods['contract_metadata']['params'], path: string): string {
  w.object(v, 'parameters of contract_metadata', path);
  return '{"address":' + w.fixed(v.address, 20, path, '.address', -1) + '}';
}

function writeJsonParamsOf_contract_idl(w: $JsonWriter, v: NodeRpcV1Methods['contract_idl']['params'], path: string): string {
  w.object(v, 'parameters of contract_idl', path);
  return '{"address":' + w.fixed(v.address, 20, path, '.address', -1) + '}';
}

function writeJsonParamsOf_tx_by_hash(w: $JsonWriter, v: NodeRpcV1Methods['tx_by_hash']['params'], path: string): string {
  w.object(v, 'parameters of tx_by_hash', path);
  return '{"tx_hash":' + w.digest(v.tx_hash, path, '.tx_hash', -1) + '}';
}

function writeJsonParamsOf_txpool_stats(w: $JsonWriter, v: NodeRpcV1Methods['txpool_stats']['params'], path: string): string {
  w.object(v, 'parameters of txpool_stats', path);
  return '{' + '}';
}

function writeJsonParamsOf_get_checkpoint_list(w: $JsonWriter, v: NodeRpcV1Methods['get_checkpoint_list']['params'], path: string): string {
  w.object(v, 'parameters of get_checkpoint_list', path);
  return '{' + '}';
}

function writeJsonStringList(w: $JsonWriter, v: readonly string[], path: string): string {
  w.list(v, 4294967295, path);
  if (v.length === 0) return '[]';
  let s = '[';
  for (let i = 0; i < v.length; i++) {
    if (i !== 0) s += ',';
    s += w.string(v[i] as string, 4294967295, path, '', i);
  }
  return s + ']';
}

function writeJsonPeerHealthList(w: $JsonWriter, v: readonly PeerHealth[], path: string): string {
  w.list(v, 4294967295, path);
  if (v.length === 0) return '[]';
  let s = '[';
  for (let i = 0; i < v.length; i++) {
    if (i !== 0) s += ',';
    s += writeJsonPeerHealth(w, v[i] as PeerHealth, path + '[' + i + ']');
  }
  return s + ']';
}

function writeJsonPendingValidatorChangeList(w: $JsonWriter, v: readonly PendingValidatorChange[], path: string): string {
  w.list(v, 4294967295, path);
  if (v.length === 0) return '[]';
  let s = '[';
  for (let i = 0; i < v.length; i++) {
    if (i !== 0) s += ',';
    s += writeJsonPendingValidatorChange(w, v[i] as PendingValidatorChange, path + '[' + i + ']');
  }
  return s + ']';
}

function writeJsonChangeApproverList(w: $JsonWriter, v: readonly ChangeApprover[], path: string): string {
  w.list(v, 4294967295, path);
  if (v.length === 0) return '[]';
  let s = '[';
  for (let i = 0; i < v.length; i++) {
    if (i !== 0) s += ',';
    s += writeJsonChangeApprover(w, v[i] as ChangeApprover, path + '[' + i + ']');
  }
  return s + ']';
}

function writeJsonNonceLaneList(w: $JsonWriter, v: readonly NonceLane[], path: string): string {
  w.list(v, 4294967295, path);
  if (v.length === 0) return '[]';
  let s = '[';
  for (let i = 0; i < v.length; i++) {
    if (i !== 0) s += ',';
    s += writeJsonNonceLane(w, v[i] as NonceLane, path + '[' + i + ']');
  }
  return s + ']';
}

function writeJsonAccountList(w: $JsonWriter, v: readonly Account[], path: string): string {
  w.list(v, 4294967295, path);
  if (v.length === 0) return '[]';
  let s = '[';
  for (let i = 0; i < v.length; i++) {
    if (i !== 0) s += ',';
    s += writeJsonAccount(w, v[i] as Account, path + '[' + i + ']');
  }
  return s + ']';
}

function writeJsonStateOverrideList(w: $JsonWriter, v: readonly StateOverride[], path: string): string {
  w.list(v, 4294967295, path);
  if (v.length === 0) return '[]';
  let s = '[';
  for (let i = 0; i < v.length; i++) {
    if (i !== 0) s += ',';
    s += writeJsonStateOverride(w, v[i] as StateOverride, path + '[' + i + ']');
  }
  return s + ']';
}

function writeJsonSlotValueList(w: $JsonWriter, v: readonly SlotValue[], path: string): string {
  w.list(v, 4294967295, path);
  if (v.length === 0) return '[]';
  let s = '[';
  for (let i = 0; i < v.length; i++) {
    if (i !== 0) s += ',';
    s += writeJsonSlotValue(w, v[i] as SlotValue, path + '[' + i + ']');
  }
  return s + ']';
}

function writeJsonLogList(w: $JsonWriter, v: readonly Log[], path: string): string {
  w.list(v, 4294967295, path);
  if (v.length === 0) return '[]';
  let s = '[';
  for (let i = 0; i < v.length; i++) {
    if (i !== 0) s += ',';
    s += writeJsonLog(w, v[i] as Log, path + '[' + i + ']');
  }
  return s + ']';
}

function writeJsonHashList(w: $JsonWriter, v: readonly Uint8Array[], path: string): string {
  w.list(v, 4294967295, path);
  if (v.length === 0) return '[]';
  let s = '[';
  for (let i = 0; i < v.length; i++) {
    if (i !== 0) s += ',';
    s += w.digest(v[i] as Uint8Array, path, '', i);
  }
  return s + ']';
}

function writeJsonBlockSummaryList(w: $JsonWriter, v: readonly BlockSummary[], path: string): string {
  w.list(v, 4294967295, path);
  if (v.length === 0) return '[]';
  let s = '[';
  for (let i = 0; i < v.length; i++) {
    if (i !== 0) s += ',';
    s += writeJsonBlockSummary(w, v[i] as BlockSummary, path + '[' + i + ']');
  }
  return s + ']';
}

function writeJsonTxSummaryList(w: $JsonWriter, v: readonly TxSummary[], path: string): string {
  w.list(v, 4294967295, path);
  if (v.length === 0) return '[]';
  let s = '[';
  for (let i = 0; i < v.length; i++) {
    if (i !== 0) s += ',';
    s += writeJsonTxSummary(w, v[i] as TxSummary, path + '[' + i + ']');
  }
  return s + ']';
}

function writeJsonHeldTokenList(w: $JsonWriter, v: readonly HeldToken[], path: string): string {
  w.list(v, 4294967295, path);
  if (v.length === 0) return '[]';
  let s = '[';
  for (let i = 0; i < v.length; i++) {
    if (i !== 0) s += ',';
    s += writeJsonHeldToken(w, v[i] as HeldToken, path + '[' + i + ']');
  }
  return s + ']';
}

function writeJsonNamedContractList(w: $JsonWriter, v: readonly NamedContract[], path: string): string {
  w.list(v, 4294967295, path);
  if (v.length === 0) return '[]';
  let s = '[';
  for (let i = 0; i < v.length; i++) {
    if (i !== 0) s += ',';
    s += writeJsonNamedContract(w, v[i] as NamedContract, path + '[' + i + ']');
  }
  return s + ']';
}

function writeJsonAddressList(w: $JsonWriter, v: readonly Uint8Array[], path: string): string {
  w.list(v, 4294967295, path);
  if (v.length === 0) return '[]';
  let s = '[';
  for (let i = 0; i < v.length; i++) {
    if (i !== 0) s += ',';
    s += w.fixed(v[i] as Uint8Array, 20, path, '', i);
  }
  return s + ']';
}

function writeJsonHashListList(w: $JsonWriter, v: readonly (readonly Uint8Array[])[], path: string): string {
  w.list(v, 4294967295, path);
  if (v.length === 0) return '[]';
  let s = '[';
  for (let i = 0; i < v.length; i++) {
    if (i !== 0) s += ',';
    s += writeJsonHashList(w, v[i] as readonly Uint8Array[], path + '[' + i + ']');
  }
  return s + ']';
}

function writeJsonPendingSummaryList(w: $JsonWriter, v: readonly PendingSummary[], path: string): string {
  w.list(v, 4294967295, path);
  if (v.length === 0) return '[]';
  let s = '[';
  for (let i = 0; i < v.length; i++) {
    if (i !== 0) s += ',';
    s += writeJsonPendingSummary(w, v[i] as PendingSummary, path + '[' + i + ']');
  }
  return s + ']';
}

function writeJsonBlockList(w: $JsonWriter, v: readonly Block[], path: string): string {
  w.list(v, 4294967295, path);
  if (v.length === 0) return '[]';
  let s = '[';
  for (let i = 0; i < v.length; i++) {
    if (i !== 0) s += ',';
    s += writeJsonBlock(w, v[i] as Block, path + '[' + i + ']');
  }
  return s + ']';
}

function writeJsonBlockItemList(w: $JsonWriter, v: readonly BlockItem[], path: string): string {
  w.list(v, 4294967295, path);
  if (v.length === 0) return '[]';
  let s = '[';
  for (let i = 0; i < v.length; i++) {
    if (i !== 0) s += ',';
    s += writeJsonBlockItem(w, v[i] as BlockItem, path + '[' + i + ']');
  }
  return s + ']';
}

function writeJsonRangeTxList(w: $JsonWriter, v: readonly RangeTx[], path: string): string {
  w.list(v, 4294967295, path);
  if (v.length === 0) return '[]';
  let s = '[';
  for (let i = 0; i < v.length; i++) {
    if (i !== 0) s += ',';
    s += writeJsonRangeTx(w, v[i] as RangeTx, path + '[' + i + ']');
  }
  return s + ']';
}

function writeJsonStateDiffList(w: $JsonWriter, v: readonly StateDiff[], path: string): string {
  w.list(v, 4294967295, path);
  if (v.length === 0) return '[]';
  let s = '[';
  for (let i = 0; i < v.length; i++) {
    if (i !== 0) s += ',';
    s += writeJsonStateDiff(w, v[i] as StateDiff, path + '[' + i + ']');
  }
  return s + ']';
}

function writeJsonSlotChangeList(w: $JsonWriter, v: readonly SlotChange[], path: string): string {
  w.list(v, 4294967295, path);
  if (v.length === 0) return '[]';
  let s = '[';
  for (let i = 0; i < v.length; i++) {
    if (i !== 0) s += ',';
    s += writeJsonSlotChange(w, v[i] as SlotChange, path + '[' + i + ']');
  }
  return s + ']';
}

function writeJsonAccessEntryList(w: $JsonWriter, v: readonly AccessEntry[], path: string): string {
  w.list(v, 4294967295, path);
  if (v.length === 0) return '[]';
  let s = '[';
  for (let i = 0; i < v.length; i++) {
    if (i !== 0) s += ',';
    s += writeJsonAccessEntry(w, v[i] as AccessEntry, path + '[' + i + ']');
  }
  return s + ']';
}

function writeJsonSlotAccessList(w: $JsonWriter, v: readonly SlotAccess[], path: string): string {
  w.list(v, 4294967295, path);
  if (v.length === 0) return '[]';
  let s = '[';
  for (let i = 0; i < v.length; i++) {
    if (i !== 0) s += ',';
    s += writeJsonSlotAccess(w, v[i] as SlotAccess, path + '[' + i + ']');
  }
  return s + ']';
}

function writeJsonPipelineStepList(w: $JsonWriter, v: readonly PipelineStep[], path: string): string {
  w.list(v, 4294967295, path);
  if (v.length === 0) return '[]';
  let s = '[';
  for (let i = 0; i < v.length; i++) {
    if (i !== 0) s += ',';
    s += writeJsonPipelineStep(w, v[i] as PipelineStep, path + '[' + i + ']');
  }
  return s + ']';
}

function writeJsonPipelineStepResultList(w: $JsonWriter, v: readonly PipelineStepResult[], path: string): string {
  w.list(v, 4294967295, path);
  if (v.length === 0) return '[]';
  let s = '[';
  for (let i = 0; i < v.length; i++) {
    if (i !== 0) s += ',';
    s += writeJsonPipelineStepResult(w, v[i] as PipelineStepResult, path + '[' + i + ']');
  }
  return s + ']';
}

function writeJsonTracerList(w: $JsonWriter, v: readonly Tracer[], path: string): string {
  w.list(v, 4294967295, path);
  if (v.length === 0) return '[]';
  let s = '[';
  for (let i = 0; i < v.length; i++) {
    if (i !== 0) s += ',';
    s += writeJsonTracer(w, v[i] as Tracer, path + '[' + i + ']');
  }
  return s + ']';
}

function writeJsonHostOpList(w: $JsonWriter, v: readonly HostOp[], path: string): string {
  w.list(v, 4294967295, path);
  if (v.length === 0) return '[]';
  let s = '[';
  for (let i = 0; i < v.length; i++) {
    if (i !== 0) s += ',';
    s += writeJsonHostOp(w, v[i] as HostOp, path + '[' + i + ']');
  }
  return s + ']';
}

function writeJsonFrameLogList(w: $JsonWriter, v: readonly FrameLog[], path: string): string {
  w.list(v, 4294967295, path);
  if (v.length === 0) return '[]';
  let s = '[';
  for (let i = 0; i < v.length; i++) {
    if (i !== 0) s += ',';
    s += writeJsonFrameLog(w, v[i] as FrameLog, path + '[' + i + ']');
  }
  return s + ']';
}

function writeJsonCallFrameList(w: $JsonWriter, v: readonly CallFrame[], path: string): string {
  w.list(v, 4294967295, path);
  if (v.length === 0) return '[]';
  let s = '[';
  for (let i = 0; i < v.length; i++) {
    if (i !== 0) s += ',';
    s += writeJsonCallFrame(w, v[i] as CallFrame, path + '[' + i + ']');
  }
  return s + ']';
}

function writeJsonFunctionGasList(w: $JsonWriter, v: readonly FunctionGas[], path: string): string {
  w.list(v, 4294967295, path);
  if (v.length === 0) return '[]';
  let s = '[';
  for (let i = 0; i < v.length; i++) {
    if (i !== 0) s += ',';
    s += writeJsonFunctionGas(w, v[i] as FunctionGas, path + '[' + i + ']');
  }
  return s + ']';
}

function writeJsonBytesList(w: $JsonWriter, v: readonly Uint8Array[], path: string): string {
  w.list(v, 4294967295, path);
  if (v.length === 0) return '[]';
  let s = '[';
  for (let i = 0; i < v.length; i++) {
    if (i !== 0) s += ',';
    s += w.bytes(v[i] as Uint8Array, 4294967295, path, '', i);
  }
  return s + ']';
}

function writeJsonTxSimulateResultList(w: $JsonWriter, v: readonly TxSimulateResult[], path: string): string {
  w.list(v, 4294967295, path);
  if (v.length === 0) return '[]';
  let s = '[';
  for (let i = 0; i < v.length; i++) {
    if (i !== 0) s += ',';
    s += writeJsonTxSimulateResult(w, v[i] as TxSimulateResult, path + '[' + i + ']');
  }
  return s + ']';
}

function writeJsonDependencyList(w: $JsonWriter, v: readonly Dependency[], path: string): string {
  w.list(v, 4294967295, path);
  if (v.length === 0) return '[]';
  let s = '[';
  for (let i = 0; i < v.length; i++) {
    if (i !== 0) s += ',';
    s += writeJsonDependency(w, v[i] as Dependency, path + '[' + i + ']');
  }
  return s + ']';
}

function writeJsonU32ListList(w: $JsonWriter, v: readonly (readonly number[])[], path: string): string {
  w.list(v, 4294967295, path);
  if (v.length === 0) return '[]';
  let s = '[';
  for (let i = 0; i < v.length; i++) {
    if (i !== 0) s += ',';
    s += writeJsonU32List(w, v[i] as readonly number[], path + '[' + i + ']');
  }
  return s + ']';
}

function writeJsonU8List(w: $JsonWriter, v: readonly number[], path: string): string {
  w.list(v, 4294967295, path);
  if (v.length === 0) return '[]';
  let s = '[';
  for (let i = 0; i < v.length; i++) {
    if (i !== 0) s += ',';
    s += w.u8(v[i] as number, path, '', i);
  }
  return s + ']';
}

function writeJsonBlockHeaderList(w: $JsonWriter, v: readonly BlockHeader[], path: string): string {
  w.list(v, 4294967295, path);
  if (v.length === 0) return '[]';
  let s = '[';
  for (let i = 0; i < v.length; i++) {
    if (i !== 0) s += ',';
    s += writeJsonBlockHeader(w, v[i] as BlockHeader, path + '[' + i + ']');
  }
  return s + ']';
}

function writeJsonCheckpointRefList(w: $JsonWriter, v: readonly CheckpointRef[], path: string): string {
  w.list(v, 4294967295, path);
  if (v.length === 0) return '[]';
  let s = '[';
  for (let i = 0; i < v.length; i++) {
    if (i !== 0) s += ',';
    s += writeJsonCheckpointRef(w, v[i] as CheckpointRef, path + '[' + i + ']');
  }
  return s + ']';
}

function writeJsonCheckpointDescriptorList(w: $JsonWriter, v: readonly CheckpointDescriptor[], path: string): string {
  w.list(v, 4294967295, path);
  if (v.length === 0) return '[]';
  let s = '[';
  for (let i = 0; i < v.length; i++) {
    if (i !== 0) s += ',';
    s += writeJsonCheckpointDescriptor(w, v[i] as CheckpointDescriptor, path + '[' + i + ']');
  }
  return s + ']';
}

function writeJsonSnapshotEntryList(w: $JsonWriter, v: readonly SnapshotEntry[], path: string): string {
  w.list(v, 4294967295, path);
  if (v.length === 0) return '[]';
  let s = '[';
  for (let i = 0; i < v.length; i++) {
    if (i !== 0) s += ',';
    s += writeJsonSnapshotEntry(w, v[i] as SnapshotEntry, path + '[' + i + ']');
  }
  return s + ']';
}

function writeJsonTokenUsageDayList(w: $JsonWriter, v: readonly TokenUsageDay[], path: string): string {
  w.list(v, 4294967295, path);
  if (v.length === 0) return '[]';
  let s = '[';
  for (let i = 0; i < v.length; i++) {
    if (i !== 0) s += ',';
    s += writeJsonTokenUsageDay(w, v[i] as TokenUsageDay, path + '[' + i + ']');
  }
  return s + ']';
}

function writeJsonTokenMethodUsageList(w: $JsonWriter, v: readonly TokenMethodUsage[], path: string): string {
  w.list(v, 4294967295, path);
  if (v.length === 0) return '[]';
  let s = '[';
  for (let i = 0; i < v.length; i++) {
    if (i !== 0) s += ',';
    s += writeJsonTokenMethodUsage(w, v[i] as TokenMethodUsage, path + '[' + i + ']');
  }
  return s + ']';
}

function writeJsonCallArgsList(w: $JsonWriter, v: readonly CallArgs[], path: string): string {
  w.list(v, 4294967295, path);
  if (v.length === 0) return '[]';
  let s = '[';
  for (let i = 0; i < v.length; i++) {
    if (i !== 0) s += ',';
    s += writeJsonCallArgs(w, v[i] as CallArgs, path + '[' + i + ']');
  }
  return s + ']';
}

function writeJsonU32List(w: $JsonWriter, v: readonly number[], path: string): string {
  w.list(v, 4294967295, path);
  if (v.length === 0) return '[]';
  let s = '[';
  for (let i = 0; i < v.length; i++) {
    if (i !== 0) s += ',';
    s += w.u32(v[i] as number, path, '', i);
  }
  return s + ']';
}

/** Functions of structs and enums, by name; the input of `bindCodecs`. */
export const nodeRpcV1Functions = {
  Transaction: { writeJson: writeJsonTransaction, readJson: readJsonTransaction },
  Transfer: { writeJson: writeJsonTransfer, readJson: readJsonTransfer },
  Deploy: { writeJson: writeJsonDeploy, readJson: readJsonDeploy },
  Call: { writeJson: writeJsonCall },
  Upgrade: { writeJson: writeJsonUpgrade, readJson: readJsonUpgrade },
  Timelock: { writeJson: writeJsonTimelock },
  SignedTransaction: { writeJson: writeJsonSignedTransaction, readJson: readJsonSignedTransaction },
  Ed25519Signature: { writeJson: writeJsonEd25519Signature },
  Secp256k1Signature: { writeJson: writeJsonSecp256k1Signature },
  BlockHeader: { writeBorsh: writeBorshBlockHeader, readBorsh: readBorshBlockHeader, writeJson: writeJsonBlockHeader, readJson: readJsonBlockHeader },
  BlockBody: { writeJson: writeJsonBlockBody },
  LedgerReceipt: { writeJson: writeJsonLedgerReceipt },
  LedgerLog: { writeJson: writeJsonLedgerLog },
  AccountRecord: { writeJson: writeJsonAccountRecord },
  Lane: { writeJson: writeJsonLane },
  ContractRecord: { writeJson: writeJsonContractRecord },
  PendingUpgrade: { writeJson: writeJsonPendingUpgrade, readJson: readJsonPendingUpgrade },
  ValidatorSet: { writeBorsh: writeBorshValidatorSet, readBorsh: readBorshValidatorSet, writeJson: writeJsonValidatorSet, readJson: readJsonValidatorSet },
  Validator: { writeJson: writeJsonValidator },
  Genesis: { writeJson: writeJsonGenesis },
  Ceremony: { writeJson: writeJsonCeremony },
  CeremonyDealing: { writeJson: writeJsonCeremonyDealing },
  EncryptionKeys: { writeJson: writeJsonEncryptionKeys },
  GenesisAccount: { writeJson: writeJsonGenesisAccount },
  SealedHeader: { writeJson: writeJsonSealedHeader },
  SealedEnvelope: { writeJson: writeJsonSealedEnvelope },
  SignedEnvelope: { writeJson: writeJsonSignedEnvelope },
  PendingEnvelope: { writeJson: writeJsonPendingEnvelope },
  OpeningSchedule: { writeJson: writeJsonOpeningSchedule },
  ScheduledOpening: { writeJson: writeJsonScheduledOpening },
  SealKey: { writeJson: writeJsonSealKey },
  Dealing: { writeJson: writeJsonDealing },
  Ack: { writeJson: writeJsonAck },
  SealedShare: { writeJson: writeJsonSealedShare },
  Complaint: { writeJson: writeJsonComplaint },
  DealingOrder: { writeJson: writeJsonDealingOrder },
  NewValidator: { writeJson: writeJsonNewValidator },
  ApprovedChange: { writeJson: writeJsonApprovedChange },
  Approval: { writeJson: writeJsonApproval },
  ConsensusParameters: { writeJson: writeJsonConsensusParameters },
  DevChanges: { writeJson: writeJsonDevChanges },
  DevForkedAccount: { writeJson: writeJsonDevForkedAccount },
  DevBalance: { writeJson: writeJsonDevBalance },
  DevSlots: { writeJson: writeJsonDevSlots },
  DevSlot: { writeJson: writeJsonDevSlot },
  DevContract: { writeJson: writeJsonDevContract },
  DevDeployIndex: { writeJson: writeJsonDevDeployIndex },
  DevImpersonation: { writeJson: writeJsonDevImpersonation },
  Status: { writeJson: writeJsonStatus, readJson: readJsonStatus },
  Tip: { writeJson: writeJsonTip, readJson: readJsonTip },
  CheckpointRef: { writeJson: writeJsonCheckpointRef, readJson: readJsonCheckpointRef },
  HealthResult: { writeJson: writeJsonHealthResult, readJson: readJsonHealthResult },
  ReadinessResult: { writeJson: writeJsonReadinessResult, readJson: readJsonReadinessResult },
  SyncStatus: { writeJson: writeJsonSyncStatus, readJson: readJsonSyncStatus },
  ValidatorStatus: { writeJson: writeJsonValidatorStatus, readJson: readJsonValidatorStatus },
  PendingValidatorChange: { writeJson: writeJsonPendingValidatorChange, readJson: readJsonPendingValidatorChange },
  ChangeApprover: { writeJson: writeJsonChangeApprover, readJson: readJsonChangeApprover },
  DkgStatus: { writeJson: writeJsonDkgStatus, readJson: readJsonDkgStatus },
  PeerHealth: { writeJson: writeJsonPeerHealth, readJson: readJsonPeerHealth },
  ConsensusMetrics: { writeJson: writeJsonConsensusMetrics, readJson: readJsonConsensusMetrics },
  Quantiles: { writeJson: writeJsonQuantiles, readJson: readJsonQuantiles },
  Account: { writeJson: writeJsonAccount, readJson: readJsonAccount },
  NonceLane: { writeJson: writeJsonNonceLane, readJson: readJsonNonceLane },
  AccountsResult: { writeJson: writeJsonAccountsResult, readJson: readJsonAccountsResult },
  PredictAddressResult: { writeJson: writeJsonPredictAddressResult, readJson: readJsonPredictAddressResult },
  ContractMetadataResult: { writeJson: writeJsonContractMetadataResult, readJson: readJsonContractMetadataResult },
  ContractIdlResult: { writeJson: writeJsonContractIdlResult, readJson: readJsonContractIdlResult },
  ViewCallArgs: { writeJson: writeJsonViewCallArgs, readJson: readJsonViewCallArgs },
  StateOverride: { writeJson: writeJsonStateOverride, readJson: readJsonStateOverride },
  SlotValue: { writeJson: writeJsonSlotValue, readJson: readJsonSlotValue },
  BlockOverride: { writeJson: writeJsonBlockOverride, readJson: readJsonBlockOverride },
  ViewCallResult: { writeJson: writeJsonViewCallResult, readJson: readJsonViewCallResult },
  TxBuildArgs: { writeJson: writeJsonTxBuildArgs, readJson: readJsonTxBuildArgs },
  CallArgs: { writeJson: writeJsonCallArgs, readJson: readJsonCallArgs },
  TxBuildResult: { writeJson: writeJsonTxBuildResult, readJson: readJsonTxBuildResult },
  TxSubmitArgs: { writeJson: writeJsonTxSubmitArgs, readJson: readJsonTxSubmitArgs },
  TxSubmitResult: { writeJson: writeJsonTxSubmitResult, readJson: readJsonTxSubmitResult },
  TxByHashResult: { writeJson: writeJsonTxByHashResult, readJson: readJsonTxByHashResult },
  PendingTx: { writeJson: writeJsonPendingTx, readJson: readJsonPendingTx },
  Inclusion: { writeJson: writeJsonInclusion, readJson: readJsonInclusion },
  TxReceiptArgs: { writeJson: writeJsonTxReceiptArgs, readJson: readJsonTxReceiptArgs },
  TxReceiptResult: { writeJson: writeJsonTxReceiptResult, readJson: readJsonTxReceiptResult },
  InclusionProof: { writeJson: writeJsonInclusionProof, readJson: readJsonInclusionProof },
  Receipt: { writeJson: writeJsonReceipt, readJson: readJsonReceipt },
  Revert: { writeJson: writeJsonRevert, readJson: readJsonRevert },
  Trap: { writeJson: writeJsonTrap, readJson: readJsonTrap },
  Log: { writeJson: writeJsonLog, readJson: readJsonLog },
  DecodedEvent: { writeJson: writeJsonDecodedEvent, readJson: readJsonDecodedEvent },
  ListBlocksArgs: { writeJson: writeJsonListBlocksArgs, readJson: readJsonListBlocksArgs },
  ListBlocksResult: { writeJson: writeJsonListBlocksResult, readJson: readJsonListBlocksResult },
  BlockSummary: { writeJson: writeJsonBlockSummary, readJson: readJsonBlockSummary },
  ListTxsArgs: { writeJson: writeJsonListTxsArgs, readJson: readJsonListTxsArgs },
  ListTxsBySenderArgs: { writeJson: writeJsonListTxsBySenderArgs, readJson: readJsonListTxsBySenderArgs },
  ListTxsByContractArgs: { writeJson: writeJsonListTxsByContractArgs, readJson: readJsonListTxsByContractArgs },
  ListTxsByRecipientArgs: { writeJson: writeJsonListTxsByRecipientArgs, readJson: readJsonListTxsByRecipientArgs },
  ListTxsResult: { writeJson: writeJsonListTxsResult, readJson: readJsonListTxsResult },
  ListTokensByHolderArgs: { writeJson: writeJsonListTokensByHolderArgs, readJson: readJsonListTokensByHolderArgs },
  ListTokensResult: { writeJson: writeJsonListTokensResult, readJson: readJsonListTokensResult },
  HeldToken: { writeJson: writeJsonHeldToken, readJson: readJsonHeldToken },
  ListContractsArgs: { writeJson: writeJsonListContractsArgs, readJson: readJsonListContractsArgs },
  ListContractsResult: { writeJson: writeJsonListContractsResult, readJson: readJsonListContractsResult },
  NamedContract: { writeJson: writeJsonNamedContract, readJson: readJsonNamedContract },
  GetLogsArgs: { writeJson: writeJsonGetLogsArgs, readJson: readJsonGetLogsArgs },
  GetLogsResult: { writeJson: writeJsonGetLogsResult, readJson: readJsonGetLogsResult },
  TxSummary: { writeJson: writeJsonTxSummary, readJson: readJsonTxSummary },
  ListPendingTxsArgs: { writeJson: writeJsonListPendingTxsArgs, readJson: readJsonListPendingTxsArgs },
  ListPendingTxsResult: { writeJson: writeJsonListPendingTxsResult, readJson: readJsonListPendingTxsResult },
  PendingSummary: { writeJson: writeJsonPendingSummary, readJson: readJsonPendingSummary },
  TxpoolStats: { writeJson: writeJsonTxpoolStats, readJson: readJsonTxpoolStats },
  SealedQueueStats: { writeJson: writeJsonSealedQueueStats, readJson: readJsonSealedQueueStats },
  GetBlocksArgs: { writeJson: writeJsonGetBlocksArgs, readJson: readJsonGetBlocksArgs },
  GetBlocksResult: { writeJson: writeJsonGetBlocksResult, readJson: readJsonGetBlocksResult },
  Block: { writeJson: writeJsonBlock, readJson: readJsonBlock },
  GetBlockSummariesResult: { writeJson: writeJsonGetBlockSummariesResult, readJson: readJsonGetBlockSummariesResult },
  GetTxsInRangeResult: { writeJson: writeJsonGetTxsInRangeResult, readJson: readJsonGetTxsInRangeResult },
  RangeTx: { writeJson: writeJsonRangeTx, readJson: readJsonRangeTx },
  TxSimulateArgs: { writeJson: writeJsonTxSimulateArgs, readJson: readJsonTxSimulateArgs },
  TxSimulateResult: { writeJson: writeJsonTxSimulateResult, readJson: readJsonTxSimulateResult },
  StateDiff: { writeJson: writeJsonStateDiff, readJson: readJsonStateDiff },
  ValueChange: { writeJson: writeJsonValueChange, readJson: readJsonValueChange },
  SlotChange: { writeJson: writeJsonSlotChange, readJson: readJsonSlotChange },
  TxBuildSimulateResult: { writeJson: writeJsonTxBuildSimulateResult, readJson: readJsonTxBuildSimulateResult },
  TxSimulateAccessArgs: { writeJson: writeJsonTxSimulateAccessArgs, readJson: readJsonTxSimulateAccessArgs },
  TxSimulateAccessResult: { writeJson: writeJsonTxSimulateAccessResult, readJson: readJsonTxSimulateAccessResult },
  AccessEntry: { writeJson: writeJsonAccessEntry, readJson: readJsonAccessEntry },
  SlotAccess: { writeJson: writeJsonSlotAccess, readJson: readJsonSlotAccess },
  TxSimulatePipelineArgs: { writeJson: writeJsonTxSimulatePipelineArgs, readJson: readJsonTxSimulatePipelineArgs },
  TxSimulatePipelineResult: { writeJson: writeJsonTxSimulatePipelineResult, readJson: readJsonTxSimulatePipelineResult },
  TxSimulateTraceArgs: { writeJson: writeJsonTxSimulateTraceArgs, readJson: readJsonTxSimulateTraceArgs },
  TxSimulateTraceResult: { writeJson: writeJsonTxSimulateTraceResult, readJson: readJsonTxSimulateTraceResult },
  ChainTraceTransactionArgs: { writeJson: writeJsonChainTraceTransactionArgs, readJson: readJsonChainTraceTransactionArgs },
  ChainTraceTransactionResult: { writeJson: writeJsonChainTraceTransactionResult, readJson: readJsonChainTraceTransactionResult },
  ChainTraceCallArgs: { writeJson: writeJsonChainTraceCallArgs, readJson: readJsonChainTraceCallArgs },
  ChainTraceCallResult: { writeJson: writeJsonChainTraceCallResult, readJson: readJsonChainTraceCallResult },
  Trace: { writeJson: writeJsonTrace, readJson: readJsonTrace },
  CallFrame: { writeJson: writeJsonCallFrame, readJson: readJsonCallFrame },
  FrameLog: { writeJson: writeJsonFrameLog, readJson: readJsonFrameLog },
  HostOp: { writeJson: writeJsonHostOp, readJson: readJsonHostOp },
  GasProfile: { writeJson: writeJsonGasProfile, readJson: readJsonGasProfile },
  FunctionGas: { writeJson: writeJsonFunctionGas, readJson: readJsonFunctionGas },
  BundleSimulateArgs: { writeJson: writeJsonBundleSimulateArgs, readJson: readJsonBundleSimulateArgs },
  BundleSimulateResult: { writeJson: writeJsonBundleSimulateResult, readJson: readJsonBundleSimulateResult },
  Dependency: { writeJson: writeJsonDependency, readJson: readJsonDependency },
  GetEpochKeyArgs: { writeJson: writeJsonGetEpochKeyArgs, readJson: readJsonGetEpochKeyArgs },
  GetEpochKeyResult: { writeJson: writeJsonGetEpochKeyResult, readJson: readJsonGetEpochKeyResult },
  TxSubmitSealedArgs: { writeJson: writeJsonTxSubmitSealedArgs, readJson: readJsonTxSubmitSealedArgs },
  TxSubmitSealedResult: { writeJson: writeJsonTxSubmitSealedResult, readJson: readJsonTxSubmitSealedResult },
  TxSubmitBundleArgs: { writeJson: writeJsonTxSubmitBundleArgs, readJson: readJsonTxSubmitBundleArgs },
  TxSubmitBundleResult: { writeJson: writeJsonTxSubmitBundleResult, readJson: readJsonTxSubmitBundleResult },
  FinalityCertificate: { writeBorsh: writeBorshFinalityCertificate, readBorsh: readBorshFinalityCertificate, writeJson: writeJsonFinalityCertificate, readJson: readJsonFinalityCertificate },
  FinalityProofArgs: { writeJson: writeJsonFinalityProofArgs, readJson: readJsonFinalityProofArgs },
  FinalityProofResult: { writeBorsh: writeBorshFinalityProofResult, readBorsh: readBorshFinalityProofResult, writeJson: writeJsonFinalityProofResult, readJson: readJsonFinalityProofResult },
  LightClientContextArgs: { writeJson: writeJsonLightClientContextArgs, readJson: readJsonLightClientContextArgs },
  LightClientContextResult: { writeJson: writeJsonLightClientContextResult, readJson: readJsonLightClientContextResult },
  StateProofArgs: { writeJson: writeJsonStateProofArgs, readJson: readJsonStateProofArgs },
  StateProofResult: { writeJson: writeJsonStateProofResult, readJson: readJsonStateProofResult },
  TreeProof: { writeJson: writeJsonTreeProof, readJson: readJsonTreeProof },
  NeighbourLeaf: { writeJson: writeJsonNeighbourLeaf, readJson: readJsonNeighbourLeaf },
  SubtreeProof: { writeBorsh: writeBorshSubtreeProof, readBorsh: readBorshSubtreeProof, writeJson: writeJsonSubtreeProof, readJson: readJsonSubtreeProof },
  FinalizedHistoryRootArgs: { writeJson: writeJsonFinalizedHistoryRootArgs, readJson: readJsonFinalizedHistoryRootArgs },
  FinalizedHistoryRootResult: { writeJson: writeJsonFinalizedHistoryRootResult, readJson: readJsonFinalizedHistoryRootResult },
  HistoryRoot: { writeBorsh: writeBorshHistoryRoot, readBorsh: readBorshHistoryRoot, writeJson: writeJsonHistoryRoot, readJson: readJsonHistoryRoot },
  FinalizedHistoryProofArgs: { writeJson: writeJsonFinalizedHistoryProofArgs, readJson: readJsonFinalizedHistoryProofArgs },
  FinalizedHistoryProofResult: { writeJson: writeJsonFinalizedHistoryProofResult, readJson: readJsonFinalizedHistoryProofResult },
  CheckpointDescriptor: { writeBorsh: writeBorshCheckpointDescriptor, readBorsh: readBorshCheckpointDescriptor, writeJson: writeJsonCheckpointDescriptor, readJson: readJsonCheckpointDescriptor },
  ArchiveDescriptor: { writeBorsh: writeBorshArchiveDescriptor, readBorsh: readBorshArchiveDescriptor, writeJson: writeJsonArchiveDescriptor, readJson: readJsonArchiveDescriptor },
  GetLightSnapshotArgs: { writeJson: writeJsonGetLightSnapshotArgs, readJson: readJsonGetLightSnapshotArgs },
  GetLightSnapshotResult: { writeBorsh: writeBorshGetLightSnapshotResult, readBorsh: readBorshGetLightSnapshotResult, writeJson: writeJsonGetLightSnapshotResult, readJson: readJsonGetLightSnapshotResult },
  CheckpointListResult: { writeJson: writeJsonCheckpointListResult, readJson: readJsonCheckpointListResult },
  GetCheckpointArgs: { writeJson: writeJsonGetCheckpointArgs, readJson: readJsonGetCheckpointArgs },
  GetCheckpointResult: { writeJson: writeJsonGetCheckpointResult, readJson: readJsonGetCheckpointResult },
  ListCheckpointsArgs: { writeJson: writeJsonListCheckpointsArgs, readJson: readJsonListCheckpointsArgs },
  ListCheckpointsResult: { writeJson: writeJsonListCheckpointsResult, readJson: readJsonListCheckpointsResult },
  SnapshotEntry: { writeBorsh: writeBorshSnapshotEntry, readBorsh: readBorshSnapshotEntry, writeJson: writeJsonSnapshotEntry, readJson: readJsonSnapshotEntry },
  GetSnapshotChunkArgs: { writeJson: writeJsonGetSnapshotChunkArgs, readJson: readJsonGetSnapshotChunkArgs },
  GetSnapshotChunkResult: { writeJson: writeJsonGetSnapshotChunkResult, readJson: readJsonGetSnapshotChunkResult },
  ImportSnapshotChunkArgs: { writeBorsh: writeBorshImportSnapshotChunkArgs, readBorsh: readBorshImportSnapshotChunkArgs, writeJson: writeJsonImportSnapshotChunkArgs, readJson: readJsonImportSnapshotChunkArgs },
  ImportSnapshotChunkResult: { writeJson: writeJsonImportSnapshotChunkResult, readJson: readJsonImportSnapshotChunkResult },
  TokenUsageArgs: { writeJson: writeJsonTokenUsageArgs, readJson: readJsonTokenUsageArgs },
  TokenUsageResult: { writeJson: writeJsonTokenUsageResult, readJson: readJsonTokenUsageResult },
  TokenUsageDay: { writeJson: writeJsonTokenUsageDay, readJson: readJsonTokenUsageDay },
  TokenMethodUsage: { writeJson: writeJsonTokenMethodUsage, readJson: readJsonTokenMethodUsage },
  Action: { writeJson: writeJsonAction },
  VmType: { writeJson: writeJsonVmType, readJson: readJsonVmType },
  UpgradePolicy: { writeJson: writeJsonUpgradePolicy, readJson: readJsonUpgradePolicy },
  Signature: { writeJson: writeJsonSignature },
  BlockItem: { writeJson: writeJsonBlockItem, readJson: readJsonBlockItem },
  Outcome: { writeJson: writeJsonOutcome },
  ValidatorChange: { writeJson: writeJsonValidatorChange, readJson: readJsonValidatorChange },
  DevChange: { writeJson: writeJsonDevChange },
  Health: { writeJson: writeJsonHealth, readJson: readJsonHealth },
  SyncState: { writeJson: writeJsonSyncState, readJson: readJsonSyncState },
  Role: { writeJson: writeJsonRole, readJson: readJsonRole },
  DkgState: { writeJson: writeJsonDkgState, readJson: readJsonDkgState },
  BlockRef: { writeJson: writeJsonBlockRef, readJson: readJsonBlockRef },
  ActionArgs: { writeJson: writeJsonActionArgs, readJson: readJsonActionArgs },
  Wait: { writeJson: writeJsonWait, readJson: readJsonWait },
  TxStatus: { writeJson: writeJsonTxStatus, readJson: readJsonTxStatus },
  ExecStatus: { writeJson: writeJsonExecStatus, readJson: readJsonExecStatus },
  ActionKind: { writeJson: writeJsonActionKind, readJson: readJsonActionKind },
  Access: { writeJson: writeJsonAccess, readJson: readJsonAccess },
  PipelineStep: { writeJson: writeJsonPipelineStep, readJson: readJsonPipelineStep },
  PipelineStepResult: { writeJson: writeJsonPipelineStepResult, readJson: readJsonPipelineStepResult },
  Tracer: { writeJson: writeJsonTracer, readJson: readJsonTracer },
  DependencyKind: { writeJson: writeJsonDependencyKind, readJson: readJsonDependencyKind },
};

/** JSON and Borsh codecs by type name. */
export const nodeRpcV1Codecs: $BoundCodecs<NodeRpcV1Types, typeof nodeRpcV1Functions> = /* @__PURE__ */ $bindCodecs<NodeRpcV1Types, typeof nodeRpcV1Functions>(nodeRpcV1Functions);

/** The client functions of every method of NodeRpcV1, by plain name. */
export const nodeRpcV1Calls: {
  readonly [M in keyof NodeRpcV1Methods]: $CallFunctions<NodeRpcV1Methods[M]['params'], NodeRpcV1Methods[M]['result']>;
} = {
  status: { isRepeatable: true, writeParams: writeJsonParamsOf_status, readResult: readJsonStatus },
  health: { isRepeatable: true, writeParams: writeJsonParamsOf_health, readResult: readJsonHealthResult },
  readiness: { isRepeatable: true, writeParams: writeJsonParamsOf_readiness, readResult: readJsonReadinessResult },
  validator_status: { isRepeatable: true, writeParams: writeJsonParamsOf_validator_status, readResult: readJsonValidatorStatus },
  account: { isRepeatable: true, writeParams: writeJsonParamsOf_account, readResult: readJsonAccount },
  accounts: { isRepeatable: true, writeParams: writeJsonParamsOf_accounts, readResult: readJsonAccountsResult },
  predict_address: { isRepeatable: true, writeParams: writeJsonParamsOf_predict_address, readResult: readJsonPredictAddressResult },
  contract_metadata: { isRepeatable: true, writeParams: writeJsonParamsOf_contract_metadata, readResult: readJsonContractMetadataResult },
  contract_idl: { isRepeatable: true, writeParams: writeJsonParamsOf_contract_idl, readResult: readJsonContractIdlResult },
  view_call: { isRepeatable: true, writeParams: writeJsonViewCallArgs, readResult: readJsonViewCallResult },
  tx_build: { isRepeatable: true, writeParams: writeJsonTxBuildArgs, readResult: readJsonTxBuildResult },
  tx_build_simulate: { isRepeatable: true, writeParams: writeJsonTxBuildArgs, readResult: readJsonTxBuildSimulateResult },
  tx_submit: { isRepeatable: true, writeParams: writeJsonTxSubmitArgs, readResult: readJsonTxSubmitResult },
  tx_by_hash: { isRepeatable: true, writeParams: writeJsonParamsOf_tx_by_hash, readResult: readJsonTxByHashResult },
  tx_receipt: { isRepeatable: true, writeParams: writeJsonTxReceiptArgs, readResult: readJsonTxReceiptResult },
  tx_simulate: { isRepeatable: true, writeParams: writeJsonTxSimulateArgs, readResult: readJsonTxSimulateResult },
  tx_simulate_access: { isRepeatable: true, writeParams: writeJsonTxSimulateAccessArgs, readResult: readJsonTxSimulateAccessResult },
  tx_simulate_pipeline: { isRepeatable: true, writeParams: writeJsonTxSimulatePipelineArgs, readResult: readJsonTxSimulatePipelineResult },
  list_blocks: { isRepeatable: true, writeParams: writeJsonListBlocksArgs, readResult: readJsonListBlocksResult },
  list_txs: { isRepeatable: true, writeParams: writeJsonListTxsArgs, readResult: readJsonListTxsResult },
  list_txs_by_sender: { isRepeatable: true, writeParams: writeJsonListTxsBySenderArgs, readResult: readJsonListTxsResult },
  list_txs_by_contract: { isRepeatable: true, writeParams: writeJsonListTxsByContractArgs, readResult: readJsonListTxsResult },
  list_txs_by_recipient: { isRepeatable: true, writeParams: writeJsonListTxsByRecipientArgs, readResult: readJsonListTxsResult },
  list_tokens_by_holder: { isRepeatable: true, writeParams: writeJsonListTokensByHolderArgs, readResult: readJsonListTokensResult },
  list_contracts: { isRepeatable: true, writeParams: writeJsonListContractsArgs, readResult: readJsonListContractsResult },
  get_logs: { isRepeatable: true, writeParams: writeJsonGetLogsArgs, readResult: readJsonGetLogsResult },
  list_pending_txs: { isRepeatable: true, writeParams: writeJsonListPendingTxsArgs, readResult: readJsonListPendingTxsResult },
  txpool_stats: { isRepeatable: true, writeParams: writeJsonParamsOf_txpool_stats, readResult: readJsonTxpoolStats },
  get_blocks: { isRepeatable: true, writeParams: writeJsonGetBlocksArgs, readResult: readJsonGetBlocksResult },
  get_block_summaries: { isRepeatable: true, writeParams: writeJsonGetBlocksArgs, readResult: readJsonGetBlockSummariesResult },
  get_txs_in_range: { isRepeatable: true, writeParams: writeJsonGetBlocksArgs, readResult: readJsonGetTxsInRangeResult },
  finality_proof: { isRepeatable: true, writeParams: writeJsonFinalityProofArgs, readResult: readJsonFinalityProofResult },
  light_client_context: { isRepeatable: true, writeParams: writeJsonLightClientContextArgs, readResult: readJsonLightClientContextResult },
  state_proof: { isRepeatable: true, writeParams: writeJsonStateProofArgs, readResult: readJsonStateProofResult },
  finalized_history_root: { isRepeatable: true, writeParams: writeJsonFinalizedHistoryRootArgs, readResult: readJsonFinalizedHistoryRootResult },
  finalized_history_proof: { isRepeatable: true, writeParams: writeJsonFinalizedHistoryProofArgs, readResult: readJsonFinalizedHistoryProofResult },
  get_checkpoint_list: { isRepeatable: true, writeParams: writeJsonParamsOf_get_checkpoint_list, readResult: readJsonCheckpointListResult },
  get_light_snapshot: { isRepeatable: true, writeParams: writeJsonGetLightSnapshotArgs, readResult: readJsonGetLightSnapshotResult },
  get_checkpoint: { isRepeatable: true, writeParams: writeJsonGetCheckpointArgs, readResult: readJsonGetCheckpointResult },
  list_checkpoints: { isRepeatable: true, writeParams: writeJsonListCheckpointsArgs, readResult: readJsonListCheckpointsResult },
  get_snapshot_chunk: { isRepeatable: true, writeParams: writeJsonGetSnapshotChunkArgs, readResult: readJsonGetSnapshotChunkResult },
  import_snapshot_chunk: { isRepeatable: true, writeParams: writeJsonImportSnapshotChunkArgs, readResult: readJsonImportSnapshotChunkResult },
  get_epoch_key: { isRepeatable: true, writeParams: writeJsonGetEpochKeyArgs, readResult: readJsonGetEpochKeyResult },
  tx_submit_sealed: { isRepeatable: true, writeParams: writeJsonTxSubmitSealedArgs, readResult: readJsonTxSubmitSealedResult },
  tx_submit_bundle: { isRepeatable: true, writeParams: writeJsonTxSubmitBundleArgs, readResult: readJsonTxSubmitBundleResult },
  chain_simulateBundle: { isRepeatable: true, writeParams: writeJsonBundleSimulateArgs, readResult: readJsonBundleSimulateResult },
  chain_traceTransaction: { isRepeatable: true, writeParams: writeJsonChainTraceTransactionArgs, readResult: readJsonChainTraceTransactionResult },
  chain_traceCall: { isRepeatable: true, writeParams: writeJsonChainTraceCallArgs, readResult: readJsonChainTraceCallResult },
  tx_simulate_trace: { isRepeatable: true, writeParams: writeJsonTxSimulateTraceArgs, readResult: readJsonTxSimulateTraceResult },
  token_usage: { isRepeatable: true, writeParams: writeJsonTokenUsageArgs, readResult: readJsonTokenUsageResult },
};

/** Codecs of every method of NodeRpcV1, by plain name. */
export const nodeRpcV1MethodCodecs: ReadonlyMap<string, $MethodCodec> = /* @__PURE__ */ $bindMethods('NodeRpcV1', [
  { name: 'status', tier: 'public', cost: 1, members: [], readParams: readJsonParamsOf_status, writeResult: writeJsonStatus, isRepeatable: true, writeParams: writeJsonParamsOf_status, readResult: readJsonStatus },
  { name: 'health', tier: 'public', cost: 1, members: [], readParams: readJsonParamsOf_health, writeResult: writeJsonHealthResult, isRepeatable: true, writeParams: writeJsonParamsOf_health, readResult: readJsonHealthResult },
  { name: 'readiness', tier: 'public', cost: 1, members: [], readParams: readJsonParamsOf_readiness, writeResult: writeJsonReadinessResult, isRepeatable: true, writeParams: writeJsonParamsOf_readiness, readResult: readJsonReadinessResult },
  { name: 'validator_status', tier: 'public', cost: 1, members: [], readParams: readJsonParamsOf_validator_status, writeResult: writeJsonValidatorStatus, isRepeatable: true, writeParams: writeJsonParamsOf_validator_status, readResult: readJsonValidatorStatus },
  { name: 'account', tier: 'public', cost: 2, members: ['address'], readParams: readJsonParamsOf_account, writeResult: writeJsonAccount, isRepeatable: true, writeParams: writeJsonParamsOf_account, readResult: readJsonAccount },
  { name: 'accounts', tier: 'public', cost: 5, members: ['addresses'], readParams: readJsonParamsOf_accounts, writeResult: writeJsonAccountsResult, isRepeatable: true, writeParams: writeJsonParamsOf_accounts, readResult: readJsonAccountsResult },
  { name: 'predict_address', tier: 'public', cost: 2, members: ['deployer', 'offset'], readParams: readJsonParamsOf_predict_address, writeResult: writeJsonPredictAddressResult, isRepeatable: true, writeParams: writeJsonParamsOf_predict_address, readResult: readJsonPredictAddressResult },
  { name: 'contract_metadata', tier: 'public', cost: 2, members: ['address'], readParams: readJsonParamsOf_contract_metadata, writeResult: writeJsonContractMetadataResult, isRepeatable: true, writeParams: writeJsonParamsOf_contract_metadata, readResult: readJsonContractMetadataResult },
  { name: 'contract_idl', tier: 'public', cost: 2, members: ['address'], readParams: readJsonParamsOf_contract_idl, writeResult: writeJsonContractIdlResult, isRepeatable: true, writeParams: writeJsonParamsOf_contract_idl, readResult: readJsonContractIdlResult },
  { name: 'view_call', tier: 'paid', cost: 10, isImmutable: true, members: ['contract', 'method', 'args', 'input', 'idl', 'caller', 'value', 'gas_limit', 'at', 'overrides', 'block_override'], wrapper: 'args', readParams: readJsonViewCallArgs, writeResult: writeJsonViewCallResult, isRepeatable: true, writeParams: writeJsonViewCallArgs, readResult: readJsonViewCallResult },
  { name: 'tx_build', tier: 'admin', cost: 10, members: ['sender', 'action', 'lane', 'nonce', 'gas_limit', 'max_fee', 'priority_fee', 'valid_until'], wrapper: 'args', readParams: readJsonTxBuildArgs, writeResult: writeJsonTxBuildResult, isRepeatable: true, writeParams: writeJsonTxBuildArgs, readResult: readJsonTxBuildResult },
  { name: 'tx_build_simulate', tier: 'admin', cost: 10, members: ['sender', 'action', 'lane', 'nonce', 'gas_limit', 'max_fee', 'priority_fee', 'valid_until'], wrapper: 'args', readParams: readJsonTxBuildArgs, writeResult: writeJsonTxBuildSimulateResult, isRepeatable: true, writeParams: writeJsonTxBuildArgs, readResult: readJsonTxBuildSimulateResult },
  { name: 'tx_submit', tier: 'public', cost: 10, members: ['encoded', 'signed', 'wait', 'timeout_ms'], wrapper: 'args', readParams: readJsonTxSubmitArgs, writeResult: writeJsonTxSubmitResult, isRepeatable: true, writeParams: writeJsonTxSubmitArgs, readResult: readJsonTxSubmitResult },
  { name: 'tx_by_hash', tier: 'public', cost: 2, isImmutable: true, members: ['tx_hash'], readParams: readJsonParamsOf_tx_by_hash, writeResult: writeJsonTxByHashResult, isRepeatable: true, writeParams: writeJsonParamsOf_tx_by_hash, readResult: readJsonTxByHashResult },
  { name: 'tx_receipt', tier: 'public', cost: 2, isImmutable: true, members: ['tx_hash', 'with_proof'], wrapper: 'args', readParams: readJsonTxReceiptArgs, writeResult: writeJsonTxReceiptResult, isRepeatable: true, writeParams: writeJsonTxReceiptArgs, readResult: readJsonTxReceiptResult },
  { name: 'tx_simulate', tier: 'paid', cost: 20, members: ['transaction', 'build', 'encoded', 'at', 'overrides', 'block_override', 'idl'], wrapper: 'args', readParams: readJsonTxSimulateArgs, writeResult: writeJsonTxSimulateResult, isRepeatable: true, writeParams: writeJsonTxSimulateArgs, readResult: readJsonTxSimulateResult },
  { name: 'tx_simulate_access', tier: 'paid', cost: 20, members: ['transaction', 'build', 'encoded', 'at', 'overrides', 'block_override', 'idl'], wrapper: 'args', readParams: readJsonTxSimulateAccessArgs, writeResult: writeJsonTxSimulateAccessResult, isRepeatable: true, writeParams: writeJsonTxSimulateAccessArgs, readResult: readJsonTxSimulateAccessResult },
  { name: 'tx_simulate_pipeline', tier: 'paid', cost: 50, members: ['steps', 'at', 'overrides', 'stop_on_failure'], wrapper: 'args', readParams: readJsonTxSimulatePipelineArgs, writeResult: writeJsonTxSimulatePipelineResult, isRepeatable: true, writeParams: writeJsonTxSimulatePipelineArgs, readResult: readJsonTxSimulatePipelineResult },
  { name: 'list_blocks', tier: 'public', cost: 5, members: ['cursor', 'limit'], wrapper: 'args', readParams: readJsonListBlocksArgs, writeResult: writeJsonListBlocksResult, isRepeatable: true, writeParams: writeJsonListBlocksArgs, readResult: readJsonListBlocksResult },
  { name: 'list_txs', tier: 'public', cost: 5, members: ['cursor', 'limit'], wrapper: 'args', readParams: readJsonListTxsArgs, writeResult: writeJsonListTxsResult, isRepeatable: true, writeParams: writeJsonListTxsArgs, readResult: readJsonListTxsResult },
  { name: 'list_txs_by_sender', tier: 'public', cost: 5, members: ['sender', 'cursor', 'limit'], wrapper: 'args', readParams: readJsonListTxsBySenderArgs, writeResult: writeJsonListTxsResult, isRepeatable: true, writeParams: writeJsonListTxsBySenderArgs, readResult: readJsonListTxsResult },
  { name: 'list_txs_by_contract', tier: 'public', cost: 5, members: ['contract', 'cursor', 'limit'], wrapper: 'args', readParams: readJsonListTxsByContractArgs, writeResult: writeJsonListTxsResult, isRepeatable: true, writeParams: writeJsonListTxsByContractArgs, readResult: readJsonListTxsResult },
  { name: 'list_txs_by_recipient', tier: 'public', cost: 5, members: ['recipient', 'cursor', 'limit'], wrapper: 'args', readParams: readJsonListTxsByRecipientArgs, writeResult: writeJsonListTxsResult, isRepeatable: true, writeParams: writeJsonListTxsByRecipientArgs, readResult: readJsonListTxsResult },
  { name: 'list_tokens_by_holder', tier: 'public', cost: 5, members: ['holder', 'cursor', 'limit'], wrapper: 'args', readParams: readJsonListTokensByHolderArgs, writeResult: writeJsonListTokensResult, isRepeatable: true, writeParams: writeJsonListTokensByHolderArgs, readResult: readJsonListTokensResult },
  { name: 'list_contracts', tier: 'public', cost: 5, members: ['name', 'cursor', 'limit'], wrapper: 'args', readParams: readJsonListContractsArgs, writeResult: writeJsonListContractsResult, isRepeatable: true, writeParams: writeJsonListContractsArgs, readResult: readJsonListContractsResult },
  { name: 'get_logs', tier: 'public', cost: 20, isImmutable: true, members: ['contract', 'contracts', 'topics', 'from_height', 'to_height', 'cursor', 'limit'], wrapper: 'args', readParams: readJsonGetLogsArgs, writeResult: writeJsonGetLogsResult, isRepeatable: true, writeParams: writeJsonGetLogsArgs, readResult: readJsonGetLogsResult },
  { name: 'list_pending_txs', tier: 'public', cost: 5, members: ['sender', 'cursor', 'limit'], wrapper: 'args', readParams: readJsonListPendingTxsArgs, writeResult: writeJsonListPendingTxsResult, isRepeatable: true, writeParams: writeJsonListPendingTxsArgs, readResult: readJsonListPendingTxsResult },
  { name: 'txpool_stats', tier: 'public', cost: 1, members: [], readParams: readJsonParamsOf_txpool_stats, writeResult: writeJsonTxpoolStats, isRepeatable: true, writeParams: writeJsonParamsOf_txpool_stats, readResult: readJsonTxpoolStats },
  { name: 'get_blocks', tier: 'public', cost: 20, isImmutable: true, members: ['from_height', 'to_height'], wrapper: 'args', readParams: readJsonGetBlocksArgs, writeResult: writeJsonGetBlocksResult, isRepeatable: true, writeParams: writeJsonGetBlocksArgs, readResult: readJsonGetBlocksResult },
  { name: 'get_block_summaries', tier: 'public', cost: 5, isImmutable: true, members: ['from_height', 'to_height'], wrapper: 'args', readParams: readJsonGetBlocksArgs, writeResult: writeJsonGetBlockSummariesResult, isRepeatable: true, writeParams: writeJsonGetBlocksArgs, readResult: readJsonGetBlockSummariesResult },
  { name: 'get_txs_in_range', tier: 'public', cost: 20, isImmutable: true, members: ['from_height', 'to_height'], wrapper: 'args', readParams: readJsonGetBlocksArgs, writeResult: writeJsonGetTxsInRangeResult, isRepeatable: true, writeParams: writeJsonGetBlocksArgs, readResult: readJsonGetTxsInRangeResult },
  { name: 'finality_proof', tier: 'public', cost: 2, members: ['height'], wrapper: 'args', readParams: readJsonFinalityProofArgs, writeResult: writeJsonFinalityProofResult, isRepeatable: true, writeParams: writeJsonFinalityProofArgs, readResult: readJsonFinalityProofResult },
  { name: 'light_client_context', tier: 'public', cost: 1, members: ['height'], wrapper: 'args', readParams: readJsonLightClientContextArgs, writeResult: writeJsonLightClientContextResult, isRepeatable: true, writeParams: writeJsonLightClientContextArgs, readResult: readJsonLightClientContextResult },
  { name: 'state_proof', tier: 'public', cost: 5, members: ['contract', 'slot', 'at'], wrapper: 'args', readParams: readJsonStateProofArgs, writeResult: writeJsonStateProofResult, isRepeatable: true, writeParams: writeJsonStateProofArgs, readResult: readJsonStateProofResult },
  { name: 'finalized_history_root', tier: 'public', cost: 1, members: ['height'], wrapper: 'args', readParams: readJsonFinalizedHistoryRootArgs, writeResult: writeJsonFinalizedHistoryRootResult, isRepeatable: true, writeParams: writeJsonFinalizedHistoryRootArgs, readResult: readJsonFinalizedHistoryRootResult },
  { name: 'finalized_history_proof', tier: 'public', cost: 5, isImmutable: true, members: ['height', 'at_size'], wrapper: 'args', readParams: readJsonFinalizedHistoryProofArgs, writeResult: writeJsonFinalizedHistoryProofResult, isRepeatable: true, writeParams: writeJsonFinalizedHistoryProofArgs, readResult: readJsonFinalizedHistoryProofResult },
  { name: 'get_checkpoint_list', tier: 'public', cost: 1, members: [], readParams: readJsonParamsOf_get_checkpoint_list, writeResult: writeJsonCheckpointListResult, isRepeatable: true, writeParams: writeJsonParamsOf_get_checkpoint_list, readResult: readJsonCheckpointListResult },
  { name: 'get_light_snapshot', tier: 'public', cost: 5, members: ['height'], wrapper: 'args', readParams: readJsonGetLightSnapshotArgs, writeResult: writeJsonGetLightSnapshotResult, isRepeatable: true, writeParams: writeJsonGetLightSnapshotArgs, readResult: readJsonGetLightSnapshotResult },
  { name: 'get_checkpoint', tier: 'public', cost: 2, members: ['height'], wrapper: 'args', readParams: readJsonGetCheckpointArgs, writeResult: writeJsonGetCheckpointResult, isRepeatable: true, writeParams: writeJsonGetCheckpointArgs, readResult: readJsonGetCheckpointResult },
  { name: 'list_checkpoints', tier: 'public', cost: 5, members: ['cursor', 'limit'], wrapper: 'args', readParams: readJsonListCheckpointsArgs, writeResult: writeJsonListCheckpointsResult, isRepeatable: true, writeParams: writeJsonListCheckpointsArgs, readResult: readJsonListCheckpointsResult },
  { name: 'get_snapshot_chunk', tier: 'public', cost: 20, members: ['height', 'index'], wrapper: 'args', readParams: readJsonGetSnapshotChunkArgs, writeResult: writeJsonGetSnapshotChunkResult, isRepeatable: true, writeParams: writeJsonGetSnapshotChunkArgs, readResult: readJsonGetSnapshotChunkResult },
  { name: 'import_snapshot_chunk', tier: 'admin', cost: 10, members: ['height', 'index', 'proof', 'entries', 'blobs'], wrapper: 'args', readParams: readJsonImportSnapshotChunkArgs, writeResult: writeJsonImportSnapshotChunkResult, isRepeatable: true, writeParams: writeJsonImportSnapshotChunkArgs, readResult: readJsonImportSnapshotChunkResult },
  { name: 'get_epoch_key', tier: 'public', cost: 1, members: ['epoch'], wrapper: 'args', readParams: readJsonGetEpochKeyArgs, writeResult: writeJsonGetEpochKeyResult, isRepeatable: true, writeParams: writeJsonGetEpochKeyArgs, readResult: readJsonGetEpochKeyResult },
  { name: 'tx_submit_sealed', tier: 'public', cost: 10, members: ['envelope'], wrapper: 'args', readParams: readJsonTxSubmitSealedArgs, writeResult: writeJsonTxSubmitSealedResult, isRepeatable: true, writeParams: writeJsonTxSubmitSealedArgs, readResult: readJsonTxSubmitSealedResult },
  { name: 'tx_submit_bundle', tier: 'public', cost: 10, members: ['transactions', 'max_height'], wrapper: 'args', readParams: readJsonTxSubmitBundleArgs, writeResult: writeJsonTxSubmitBundleResult, isRepeatable: true, writeParams: writeJsonTxSubmitBundleArgs, readResult: readJsonTxSubmitBundleResult },
  { name: 'chain_simulateBundle', tier: 'paid', cost: 50, members: ['transactions', 'at', 'overrides'], wrapper: 'args', readParams: readJsonBundleSimulateArgs, writeResult: writeJsonBundleSimulateResult, isRepeatable: true, writeParams: writeJsonBundleSimulateArgs, readResult: readJsonBundleSimulateResult },
  { name: 'chain_traceTransaction', tier: 'paid', cost: 50, isImmutable: true, members: ['tx_hash', 'tracers'], wrapper: 'args', readParams: readJsonChainTraceTransactionArgs, writeResult: writeJsonChainTraceTransactionResult, isRepeatable: true, writeParams: writeJsonChainTraceTransactionArgs, readResult: readJsonChainTraceTransactionResult },
  { name: 'chain_traceCall', tier: 'paid', cost: 50, isImmutable: true, members: ['contract', 'method', 'args', 'input', 'idl', 'caller', 'value', 'gas_limit', 'at', 'overrides', 'block_override', 'tracers'], wrapper: 'args', readParams: readJsonChainTraceCallArgs, writeResult: writeJsonChainTraceCallResult, isRepeatable: true, writeParams: writeJsonChainTraceCallArgs, readResult: readJsonChainTraceCallResult },
  { name: 'tx_simulate_trace', tier: 'paid', cost: 50, members: ['transaction', 'build', 'encoded', 'at', 'overrides', 'block_override', 'idl', 'tracers'], wrapper: 'args', readParams: readJsonTxSimulateTraceArgs, writeResult: writeJsonTxSimulateTraceResult, isRepeatable: true, writeParams: writeJsonTxSimulateTraceArgs, readResult: readJsonTxSimulateTraceResult },
  { name: 'token_usage', tier: 'public', cost: 5, members: ['token', 'from_day', 'to_day', 'cursor', 'limit'], wrapper: 'args', readParams: readJsonTokenUsageArgs, writeResult: writeJsonTokenUsageResult, isRepeatable: true, writeParams: writeJsonTokenUsageArgs, readResult: readJsonTokenUsageResult },
]);
