// Generated from idl/ledger.idl and idl/node_rpc_v1.idl by `heddle idl generate`. Do not edit.
import {
  type BorshReader as $BorshReader,
  type BorshWriter as $BorshWriter,
  type JsonReader as $JsonReader,
  type Writable as $Writable,
  borshWriter as $borshWriter,
} from '../idl/codecs/codec.js';
import type {
  AccountRecord,
  BlockHeader,
  ContractRecord,
  Lane,
  LedgerLog,
  LedgerReceipt,
  Outcome,
  PendingUpgrade,
  Timelock,
  UpgradePolicy,
  Validator,
  ValidatorSet,
  VmType,
} from './ledger.js';
import type {
  ArchiveDescriptor,
  CheckpointDescriptor,
  FinalityCertificate,
  FinalizedHistoryProofResult,
  GetSnapshotChunkResult,
  HistoryRoot,
  InclusionProof,
  NeighbourLeaf,
  SnapshotEntry,
  SubtreeProof,
  TreeProof,
} from './node-rpc-v1.js';

const w: $BorshWriter = $borshWriter;

export function readBorshAccountRecord(r: $BorshReader, path: string): AccountRecord {
  const x0 = r.u128(path, '.balance', -1);
  const x1 = readBorshLaneList(r, path + '.lanes');
  const x2 = r.u64(path, '.deploy_index', -1);
  const x3 = r.flag(path, '.contract', -1) ? readBorshContractRecord(r, path + '.contract') : undefined;
  const result: $Writable<AccountRecord> = { balance: x0, lanes: x1, deploy_index: x2 };
  if (x3 !== undefined) result.contract = x3;
  return result;
}

export function readBorshLedgerReceipt(r: $BorshReader, path: string): LedgerReceipt {
  const x0 = r.fixed(32, path, '.tx_hash', -1);
  const x1 = readBorshOutcome(r, path + '.outcome');
  const x2 = r.u64(path, '.gas_used', -1);
  const x3 = r.u128(path, '.fee', -1);
  const x4 = r.flag(path, '.contract', -1) ? r.fixed(20, path, '.contract', -1) : undefined;
  const x5 = r.bytes(4294967295, path, '.output', -1);
  const x6 = readBorshLedgerLogList(r, path + '.logs');
  const result: $Writable<LedgerReceipt> = { tx_hash: x0, outcome: x1, gas_used: x2, fee: x3, output: x5, logs: x6 };
  if (x4 !== undefined) result.contract = x4;
  return result;
}

function readBorshLaneList(r: $BorshReader, path: string): readonly Lane[] {
  const n = r.count(12, 4294967295, path);
  const items: (Lane)[] = [];
  for (let i = 0; i < n; i++) items.push(readBorshLane(r, path + '[' + i + ']'));
  return items;
}

export function readBorshContractRecord(r: $BorshReader, path: string): ContractRecord {
  const x0 = readBorshVmType(r, path + '.vm');
  const x1 = r.fixed(32, path, '.code_hash', -1);
  const x2 = r.u32(path, '.code_size', -1);
  const x3 = r.flag(path, '.idl_hash', -1) ? r.fixed(32, path, '.idl_hash', -1) : undefined;
  const x4 = r.u32(path, '.abi_version', -1);
  const x5 = readBorshUpgradePolicy(r, path + '.upgrade_policy');
  const x6 = r.fixed(20, path, '.deployer', -1);
  const x7 = r.u64(path, '.deployed_at', -1);
  const x8 = r.flag(path, '.pending_upgrade', -1) ? readBorshPendingUpgrade(r, path + '.pending_upgrade') : undefined;
  const result: $Writable<ContractRecord> = { vm: x0, code_hash: x1, code_size: x2, abi_version: x4, upgrade_policy: x5, deployer: x6, deployed_at: x7 };
  if (x3 !== undefined) result.idl_hash = x3;
  if (x8 !== undefined) result.pending_upgrade = x8;
  return result;
}

export function readBorshOutcome(r: $BorshReader, path: string): Outcome {
  const index = r.variant(path);
  switch (index) {
    case 0: return { type: 'success' };
    case 1: return { type: 'reverted' };
    case 2: return { type: 'out_of_gas' };
    case 3: return { type: 'trapped' };
    case 4: return { type: 'invalid' };
    default: return r.unknownVariant(index, ['success', 'reverted', 'out_of_gas', 'trapped', 'invalid'], path);
  }
}

function readBorshLedgerLogList(r: $BorshReader, path: string): readonly LedgerLog[] {
  const n = r.count(28, 4294967295, path);
  const items: (LedgerLog)[] = [];
  for (let i = 0; i < n; i++) items.push(readBorshLedgerLog(r, path + '[' + i + ']'));
  return items;
}

export function readBorshLane(r: $BorshReader, path: string): Lane {
  const x0 = r.u32(path, '.lane', -1);
  const x1 = r.u64(path, '.next_nonce', -1);
  return { lane: x0, next_nonce: x1 };
}

export function readBorshVmType(r: $BorshReader, path: string): VmType {
  const index = r.variant(path);
  switch (index) {
    case 0: return { type: 'wasm' };
    case 1: return { type: 'evm' };
    default: return r.unknownVariant(index, ['wasm', 'evm'], path);
  }
}

export function readBorshUpgradePolicy(r: $BorshReader, path: string): UpgradePolicy {
  const index = r.variant(path);
  switch (index) {
    case 0: return { type: 'immutable' };
    case 1: return { type: 'admin', value: r.fixed(20, path, '.admin', -1) };
    case 2: return { type: 'timelock', value: readBorshTimelock(r, path + '.timelock') };
    default: return r.unknownVariant(index, ['immutable', 'admin', 'timelock'], path);
  }
}

export function readBorshPendingUpgrade(r: $BorshReader, path: string): PendingUpgrade {
  const x0 = r.fixed(32, path, '.code_hash', -1);
  const x1 = r.flag(path, '.idl_hash', -1) ? r.fixed(32, path, '.idl_hash', -1) : undefined;
  const x2 = r.u32(path, '.abi_version', -1);
  const x3 = r.u64(path, '.ready_at', -1);
  const result: $Writable<PendingUpgrade> = { code_hash: x0, abi_version: x2, ready_at: x3 };
  if (x1 !== undefined) result.idl_hash = x1;
  return result;
}

export function readBorshLedgerLog(r: $BorshReader, path: string): LedgerLog {
  const x0 = r.fixed(20, path, '.contract', -1);
  const x1 = readBorshHashList(r, path + '.topics');
  const x2 = r.bytes(4294967295, path, '.data', -1);
  return { contract: x0, topics: x1, data: x2 };
}

export function readBorshTimelock(r: $BorshReader, path: string): Timelock {
  const x0 = r.fixed(20, path, '.admin', -1);
  const x1 = r.u64(path, '.delay', -1);
  return { admin: x0, delay: x1 };
}

function readBorshHashList(r: $BorshReader, path: string): readonly Uint8Array[] {
  const n = r.count(32, 4294967295, path);
  const items: (Uint8Array)[] = [];
  for (let i = 0; i < n; i++) items.push(r.fixed(32, path, '', i));
  return items;
}

export function writeBorshBlockHeader(v: BlockHeader, path: string): void {
  w.object(v, 'BlockHeader', path);
  w.u64(v.chain_id, path, '.chain_id', -1);
  w.u64(v.height, path, '.height', -1);
  w.fixed(v.parent_hash, 32, path, '.parent_hash', -1);
  w.u64(v.epoch, path, '.epoch', -1);
  w.u64(v.view, path, '.view', -1);
  w.u64(v.timestamp_ms, path, '.timestamp_ms', -1);
  w.u32(v.proposer, path, '.proposer', -1);
  w.fixed(v.transactions_root, 32, path, '.transactions_root', -1);
  w.fixed(v.receipts_root, 32, path, '.receipts_root', -1);
  w.fixed(v.state_root, 32, path, '.state_root', -1);
  w.fixed(v.history_root, 32, path, '.history_root', -1);
  w.fixed(v.validators_hash, 32, path, '.validators_hash', -1);
  w.u64(v.gas_used, path, '.gas_used', -1);
  w.u64(v.gas_limit, path, '.gas_limit', -1);
  w.u128(v.base_fee, path, '.base_fee', -1);
  w.u64(v.seal_excess, path, '.seal_excess', -1);
  w.bytes(v.extra, 4294967295, path, '.extra', -1);
}

export function writeBorshValidatorSet(v: ValidatorSet, path: string): void {
  w.object(v, 'ValidatorSet', path);
  w.u64(v.epoch, path, '.epoch', -1);
  w.u32(v.quorum, path, '.quorum', -1);
  w.bytes(v.group_public_key, 4294967295, path, '.group_public_key', -1);
  writeBorshValidatorList(v.validators, path + '.validators');
}

function writeBorshValidatorList(v: readonly Validator[], path: string): void {
  w.count(v, 4294967295, path);
  for (let i = 0; i < v.length; i++) writeBorshValidator(v[i] as Validator, path + '[' + i + ']');
}

export function writeBorshValidator(v: Validator, path: string): void {
  w.object(v, 'Validator', path);
  w.u32(v.index, path, '.index', -1);
  w.fixed(v.address, 20, path, '.address', -1);
  w.fixed(v.identity_key, 32, path, '.identity_key', -1);
  w.bytes(v.share_public_key, 4294967295, path, '.share_public_key', -1);
}

export function readJsonBlockHeader(r: $JsonReader, v: unknown, path: string): BlockHeader {
  r.object(v, 'BlockHeader', path);
  if (r.refusesUnknown) {
    for (const k in v) {
      switch (k) {
        case 'chain_id': case 'height': case 'parent_hash': case 'epoch': case 'view': case 'timestamp_ms': case 'proposer': case 'transactions_root': case 'receipts_root': case 'state_root': case 'history_root': case 'validators_hash': case 'gas_used': case 'gas_limit': case 'base_fee': case 'seal_excess': case 'extra': break;
        default: r.unknownMember(k, ['chain_id', 'height', 'parent_hash', 'epoch', 'view', 'timestamp_ms', 'proposer', 'transactions_root', 'receipts_root', 'state_root', 'history_root', 'validators_hash', 'gas_used', 'gas_limit', 'base_fee', 'seal_excess', 'extra'], path);
      }
    }
  }
  const x0 = r.u64(v['chain_id'], path, '.chain_id', -1);
  const x1 = r.u64(v['height'], path, '.height', -1);
  const x2 = r.digest(v['parent_hash'], 'hash', path, '.parent_hash', -1);
  const x3 = r.u64(v['epoch'], path, '.epoch', -1);
  const x4 = r.u64(v['view'], path, '.view', -1);
  const x5 = r.u64(v['timestamp_ms'], path, '.timestamp_ms', -1);
  const x6 = r.u32(v['proposer'], path, '.proposer', -1);
  const x7 = r.digest(v['transactions_root'], 'hash', path, '.transactions_root', -1);
  const x8 = r.digest(v['receipts_root'], 'hash', path, '.receipts_root', -1);
  const x9 = r.digest(v['state_root'], 'hash', path, '.state_root', -1);
  const x10 = r.digest(v['history_root'], 'hash', path, '.history_root', -1);
  const x11 = r.digest(v['validators_hash'], 'hash', path, '.validators_hash', -1);
  const x12 = r.u64(v['gas_used'], path, '.gas_used', -1);
  const x13 = r.u64(v['gas_limit'], path, '.gas_limit', -1);
  const x14 = r.u128(v['base_fee'], path, '.base_fee', -1);
  const x15 = r.u64(v['seal_excess'], path, '.seal_excess', -1);
  const x16 = r.bytes(v['extra'], 4294967295, path, '.extra', -1);
  return { chain_id: x0, height: x1, parent_hash: x2, epoch: x3, view: x4, timestamp_ms: x5, proposer: x6, transactions_root: x7, receipts_root: x8, state_root: x9, history_root: x10, validators_hash: x11, gas_used: x12, gas_limit: x13, base_fee: x14, seal_excess: x15, extra: x16 };
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

export function readJsonValidatorSet(r: $JsonReader, v: unknown, path: string): ValidatorSet {
  r.object(v, 'ValidatorSet', path);
  if (r.refusesUnknown) {
    for (const k in v) {
      switch (k) {
        case 'epoch': case 'quorum': case 'group_public_key': case 'validators': break;
        default: r.unknownMember(k, ['epoch', 'quorum', 'group_public_key', 'validators'], path);
      }
    }
  }
  const x0 = r.u64(v['epoch'], path, '.epoch', -1);
  const x1 = r.u32(v['quorum'], path, '.quorum', -1);
  const x2 = r.bytes(v['group_public_key'], 4294967295, path, '.group_public_key', -1);
  const x3 = readJsonValidatorList(r, v['validators'], path + '.validators');
  return { epoch: x0, quorum: x1, group_public_key: x2, validators: x3 };
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

function readJsonHashList(r: $JsonReader, v: unknown, path: string): readonly Uint8Array[] {
  r.list(v, 4294967295, path);
  const items: (Uint8Array)[] = [];
  for (let i = 0; i < v.length; i++) items.push(r.digest(v[i], 'hash', path, '', i));
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

function readJsonValidatorList(r: $JsonReader, v: unknown, path: string): readonly Validator[] {
  r.list(v, 4294967295, path);
  const items: (Validator)[] = [];
  for (let i = 0; i < v.length; i++) items.push(readJsonValidator(r, v[i], path + '[' + i + ']'));
  return items;
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

export function readJsonValidator(r: $JsonReader, v: unknown, path: string): Validator {
  r.object(v, 'Validator', path);
  if (r.refusesUnknown) {
    for (const k in v) {
      switch (k) {
        case 'index': case 'address': case 'identity_key': case 'share_public_key': break;
        default: r.unknownMember(k, ['index', 'address', 'identity_key', 'share_public_key'], path);
      }
    }
  }
  const x0 = r.u32(v['index'], path, '.index', -1);
  const x1 = r.address(v['address'], path, '.address', -1);
  const x2 = r.digest(v['identity_key'], 'bytes32', path, '.identity_key', -1);
  const x3 = r.bytes(v['share_public_key'], 4294967295, path, '.share_public_key', -1);
  return { index: x0, address: x1, identity_key: x2, share_public_key: x3 };
}
