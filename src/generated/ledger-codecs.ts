// Generated from idl/ledger.idl by `heddle idl generate`. Do not edit.
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
import type {
  AccountRecord,
  Ack,
  Action,
  Approval,
  ApprovedChange,
  BlockBody,
  BlockHeader,
  BlockItem,
  Call,
  Ceremony,
  CeremonyDealing,
  Complaint,
  ConsensusParameters,
  ContractRecord,
  Dealing,
  DealingOrder,
  Deploy,
  DevBalance,
  DevChange,
  DevChanges,
  DevContract,
  DevDeployIndex,
  DevForkedAccount,
  DevImpersonation,
  DevSlot,
  DevSlots,
  Ed25519Signature,
  EncryptionKeys,
  Genesis,
  GenesisAccount,
  Lane,
  LedgerLog,
  LedgerReceipt,
  LedgerTypes,
  NewValidator,
  OpeningSchedule,
  Outcome,
  PendingEnvelope,
  PendingUpgrade,
  ScheduledOpening,
  SealKey,
  SealedEnvelope,
  SealedHeader,
  SealedShare,
  Secp256k1Signature,
  Signature,
  SignedEnvelope,
  SignedTransaction,
  Timelock,
  Transaction,
  Transfer,
  Upgrade,
  UpgradePolicy,
  Validator,
  ValidatorChange,
  ValidatorSet,
  VmType,
} from './ledger.js';

const w: $BorshWriter = $borshWriter;

export function readBorshBlockBody(r: $BorshReader, path: string): BlockBody {
  const x0 = readBorshBlockItemList(r, path + '.items');
  return { items: x0 };
}

export function readBorshBlockHeader(r: $BorshReader, path: string): BlockHeader {
  const x0 = r.u64(path, '.chain_id', -1);
  const x1 = r.u64(path, '.height', -1);
  const x2 = r.fixed(32, path, '.parent_hash', -1);
  const x3 = r.u64(path, '.epoch', -1);
  const x4 = r.u64(path, '.view', -1);
  const x5 = r.u64(path, '.timestamp_ms', -1);
  const x6 = r.u32(path, '.proposer', -1);
  const x7 = r.fixed(32, path, '.transactions_root', -1);
  const x8 = r.fixed(32, path, '.receipts_root', -1);
  const x9 = r.fixed(32, path, '.state_root', -1);
  const x10 = r.fixed(32, path, '.history_root', -1);
  const x11 = r.fixed(32, path, '.validators_hash', -1);
  const x12 = r.u64(path, '.gas_used', -1);
  const x13 = r.u64(path, '.gas_limit', -1);
  const x14 = r.u128(path, '.base_fee', -1);
  const x15 = r.u64(path, '.seal_excess', -1);
  const x16 = r.bytes(4294967295, path, '.extra', -1);
  return { chain_id: x0, height: x1, parent_hash: x2, epoch: x3, view: x4, timestamp_ms: x5, proposer: x6, transactions_root: x7, receipts_root: x8, state_root: x9, history_root: x10, validators_hash: x11, gas_used: x12, gas_limit: x13, base_fee: x14, seal_excess: x15, extra: x16 };
}

export function readBorshConsensusParameters(r: $BorshReader, path: string): ConsensusParameters {
  const x0 = r.u64(path, '.epoch_length', -1);
  const x1 = r.bool(path, '.ceremony', -1);
  return { epoch_length: x0, ceremony: x1 };
}

export function readBorshDealingOrder(r: $BorshReader, path: string): DealingOrder {
  const x0 = readBorshU32List(r, path + '.dealers');
  return { dealers: x0 };
}

export function readBorshDevChanges(r: $BorshReader, path: string): DevChanges {
  const x0 = readBorshDevChangeList(r, path + '.changes');
  return { changes: x0 };
}

export function readBorshEncryptionKeys(r: $BorshReader, path: string): EncryptionKeys {
  const x0 = readBorshBytes48List(r, path + '.keys');
  return { keys: x0 };
}

export function readBorshGenesis(r: $BorshReader, path: string): Genesis {
  const x0 = r.u64(path, '.chain_id', -1);
  const x1 = r.u64(path, '.timestamp_ms', -1);
  const x2 = r.u64(path, '.gas_limit', -1);
  const x3 = r.u128(path, '.base_fee', -1);
  const x4 = r.flag(path, '.extra', -1) ? r.bytes(4294967295, path, '.extra', -1) : undefined;
  const x5 = readBorshValidatorSet(r, path + '.validator_set');
  const x6 = r.flag(path, '.encryption_keys', -1) ? readBorshBytes48List(r, path + '.encryption_keys') : undefined;
  const x7 = readBorshGenesisAccountList(r, path + '.accounts');
  const x8 = r.flag(path, '.epoch_length', -1) ? r.u64(path, '.epoch_length', -1) : undefined;
  const x9 = r.flag(path, '.ceremony', -1) ? readBorshCeremony(r, path + '.ceremony') : undefined;
  const result: $Writable<Genesis> = { chain_id: x0, timestamp_ms: x1, gas_limit: x2, base_fee: x3, validator_set: x5, accounts: x7 };
  if (x4 !== undefined) result.extra = x4;
  if (x6 !== undefined) result.encryption_keys = x6;
  if (x8 !== undefined) result.epoch_length = x8;
  if (x9 !== undefined) result.ceremony = x9;
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

export function readBorshOpeningSchedule(r: $BorshReader, path: string): OpeningSchedule {
  const x0 = readBorshScheduledOpeningList(r, path + '.openings');
  const x1 = r.u64(path, '.reserved_at', -1);
  const x2 = r.u32(path, '.reserved', -1);
  return { openings: x0, reserved_at: x1, reserved: x2 };
}

export function readBorshPendingEnvelope(r: $BorshReader, path: string): PendingEnvelope {
  const x0 = readBorshSignedEnvelope(r, path + '.signed');
  const x1 = r.u64(path, '.gas_used', -1);
  const x2 = r.u128(path, '.base_fee', -1);
  const x3 = r.u128(path, '.deposit', -1);
  return { signed: x0, gas_used: x1, base_fee: x2, deposit: x3 };
}

export function readBorshValidatorSet(r: $BorshReader, path: string): ValidatorSet {
  const x0 = r.u64(path, '.epoch', -1);
  const x1 = r.u32(path, '.quorum', -1);
  const x2 = r.bytes(4294967295, path, '.group_public_key', -1);
  const x3 = readBorshValidatorList(r, path + '.validators');
  return { epoch: x0, quorum: x1, group_public_key: x2, validators: x3 };
}

export function readBorshDealing(r: $BorshReader, path: string): Dealing {
  const x0 = r.u64(path, '.epoch', -1);
  const x1 = r.u32(path, '.dealer', -1);
  const x2 = readBorshBytes48List(r, path + '.commitments');
  const x3 = r.fixed(48, path, '.encryption_key', -1);
  const x4 = readBorshAckList(r, path + '.acks');
  const x5 = readBorshSealedShareList(r, path + '.sealed');
  const x6 = r.fixed(64, path, '.signature', -1);
  return { epoch: x0, dealer: x1, commitments: x2, encryption_key: x3, acks: x4, sealed: x5, signature: x6 };
}

export function readBorshValidatorChange(r: $BorshReader, path: string): ValidatorChange {
  const index = r.variant(path);
  switch (index) {
    case 0: return { type: 'add', value: readBorshNewValidator(r, path + '.add') };
    case 1: return { type: 'remove', value: r.fixed(20, path, '.remove', -1) };
    default: return r.unknownVariant(index, ['add', 'remove'], path);
  }
}

export function readBorshApproval(r: $BorshReader, path: string): Approval {
  const x0 = r.u32(path, '.index', -1);
  const x1 = r.fixed(64, path, '.signature', -1);
  return { index: x0, signature: x1 };
}

export function readBorshAck(r: $BorshReader, path: string): Ack {
  const x0 = r.u32(path, '.player', -1);
  const x1 = r.fixed(64, path, '.signature', -1);
  return { player: x0, signature: x1 };
}

export function readBorshComplaint(r: $BorshReader, path: string): Complaint {
  const x0 = r.u64(path, '.epoch', -1);
  const x1 = r.u32(path, '.dealer', -1);
  const x2 = r.u32(path, '.player', -1);
  const x3 = r.fixed(48, path, '.shared', -1);
  const x4 = r.fixed(32, path, '.challenge', -1);
  const x5 = r.fixed(32, path, '.response', -1);
  return { epoch: x0, dealer: x1, player: x2, shared: x3, challenge: x4, response: x5 };
}

export function readBorshSealedShare(r: $BorshReader, path: string): SealedShare {
  const x0 = r.u32(path, '.player', -1);
  const x1 = r.fixed(48, path, '.ephemeral', -1);
  const x2 = r.fixed(32, path, '.share', -1);
  const x3 = r.fixed(32, path, '.challenge', -1);
  const x4 = r.fixed(32, path, '.response', -1);
  return { player: x0, ephemeral: x1, share: x2, challenge: x3, response: x4 };
}

function readBorshBlockItemList(r: $BorshReader, path: string): readonly BlockItem[] {
  const n = r.count(34, 4294967295, path);
  const items: (BlockItem)[] = [];
  for (let i = 0; i < n; i++) items.push(readBorshBlockItem(r, path + '[' + i + ']'));
  return items;
}

function readBorshU32List(r: $BorshReader, path: string): readonly number[] {
  const n = r.count(4, 4294967295, path);
  const items: (number)[] = [];
  for (let i = 0; i < n; i++) items.push(r.u32(path, '', i));
  return items;
}

function readBorshDevChangeList(r: $BorshReader, path: string): readonly DevChange[] {
  const n = r.count(21, 4294967295, path);
  const items: (DevChange)[] = [];
  for (let i = 0; i < n; i++) items.push(readBorshDevChange(r, path + '[' + i + ']'));
  return items;
}

function readBorshBytes48List(r: $BorshReader, path: string): readonly Uint8Array[] {
  const n = r.count(48, 4294967295, path);
  const items: (Uint8Array)[] = [];
  for (let i = 0; i < n; i++) items.push(r.fixed(48, path, '', i));
  return items;
}

function readBorshGenesisAccountList(r: $BorshReader, path: string): readonly GenesisAccount[] {
  const n = r.count(36, 4294967295, path);
  const items: (GenesisAccount)[] = [];
  for (let i = 0; i < n; i++) items.push(readBorshGenesisAccount(r, path + '[' + i + ']'));
  return items;
}

export function readBorshCeremony(r: $BorshReader, path: string): Ceremony {
  const x0 = readBorshCeremonyDealingList(r, path + '.dealings');
  const x1 = readBorshBytes64List(r, path + '.signatures');
  return { dealings: x0, signatures: x1 };
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

function readBorshScheduledOpeningList(r: $BorshReader, path: string): readonly ScheduledOpening[] {
  const n = r.count(16, 4294967295, path);
  const items: (ScheduledOpening)[] = [];
  for (let i = 0; i < n; i++) items.push(readBorshScheduledOpening(r, path + '[' + i + ']'));
  return items;
}

export function readBorshSignedEnvelope(r: $BorshReader, path: string): SignedEnvelope {
  const x0 = readBorshSealedEnvelope(r, path + '.envelope');
  const x1 = readBorshSignature(r, path + '.signature');
  return { envelope: x0, signature: x1 };
}

function readBorshValidatorList(r: $BorshReader, path: string): readonly Validator[] {
  const n = r.count(60, 4294967295, path);
  const items: (Validator)[] = [];
  for (let i = 0; i < n; i++) items.push(readBorshValidator(r, path + '[' + i + ']'));
  return items;
}

function readBorshAckList(r: $BorshReader, path: string): readonly Ack[] {
  const n = r.count(68, 4294967295, path);
  const items: (Ack)[] = [];
  for (let i = 0; i < n; i++) items.push(readBorshAck(r, path + '[' + i + ']'));
  return items;
}

function readBorshSealedShareList(r: $BorshReader, path: string): readonly SealedShare[] {
  const n = r.count(148, 4294967295, path);
  const items: (SealedShare)[] = [];
  for (let i = 0; i < n; i++) items.push(readBorshSealedShare(r, path + '[' + i + ']'));
  return items;
}

export function readBorshNewValidator(r: $BorshReader, path: string): NewValidator {
  const x0 = r.fixed(32, path, '.identity_key', -1);
  const x1 = r.fixed(48, path, '.encryption_key', -1);
  const x2 = r.string(4294967295, path, '.endpoint', -1);
  return { identity_key: x0, encryption_key: x1, endpoint: x2 };
}

export function readBorshBlockItem(r: $BorshReader, path: string): BlockItem {
  const index = r.variant(path);
  switch (index) {
    case 0: return { type: 'transaction', value: readBorshSignedTransaction(r, path + '.transaction') };
    case 1: return { type: 'sealed', value: readBorshSignedEnvelope(r, path + '.sealed') };
    case 2: return { type: 'seal_key', value: readBorshSealKey(r, path + '.seal_key') };
    case 3: return { type: 'dealing', value: readBorshDealing(r, path + '.dealing') };
    case 4: return { type: 'change', value: readBorshApprovedChange(r, path + '.change') };
    case 5: return { type: 'complaint', value: readBorshComplaint(r, path + '.complaint') };
    default: return r.unknownVariant(index, ['transaction', 'sealed', 'seal_key', 'dealing', 'change', 'complaint'], path);
  }
}

export function readBorshDevChange(r: $BorshReader, path: string): DevChange {
  const index = r.variant(path);
  switch (index) {
    case 0: return { type: 'balance', value: readBorshDevBalance(r, path + '.balance') };
    case 1: return { type: 'slots', value: readBorshDevSlots(r, path + '.slots') };
    case 2: return { type: 'contract', value: readBorshDevContract(r, path + '.contract') };
    case 3: return { type: 'no_contract', value: r.fixed(20, path, '.no_contract', -1) };
    case 4: return { type: 'deploy_index', value: readBorshDevDeployIndex(r, path + '.deploy_index') };
    case 5: return { type: 'impersonate', value: readBorshDevImpersonation(r, path + '.impersonate') };
    case 6: return { type: 'forked_account', value: readBorshDevForkedAccount(r, path + '.forked_account') };
    case 7: return { type: 'forked_slots', value: readBorshDevSlots(r, path + '.forked_slots') };
    default: return r.unknownVariant(index, ['balance', 'slots', 'contract', 'no_contract', 'deploy_index', 'impersonate', 'forked_account', 'forked_slots'], path);
  }
}

export function readBorshGenesisAccount(r: $BorshReader, path: string): GenesisAccount {
  const x0 = r.fixed(20, path, '.address', -1);
  const x1 = r.u128(path, '.balance', -1);
  return { address: x0, balance: x1 };
}

function readBorshCeremonyDealingList(r: $BorshReader, path: string): readonly CeremonyDealing[] {
  const n = r.count(8, 4294967295, path);
  const items: (CeremonyDealing)[] = [];
  for (let i = 0; i < n; i++) items.push(readBorshCeremonyDealing(r, path + '[' + i + ']'));
  return items;
}

function readBorshBytes64List(r: $BorshReader, path: string): readonly Uint8Array[] {
  const n = r.count(64, 4294967295, path);
  const items: (Uint8Array)[] = [];
  for (let i = 0; i < n; i++) items.push(r.fixed(64, path, '', i));
  return items;
}

export function readBorshLedgerLog(r: $BorshReader, path: string): LedgerLog {
  const x0 = r.fixed(20, path, '.contract', -1);
  const x1 = readBorshHashList(r, path + '.topics');
  const x2 = r.bytes(4294967295, path, '.data', -1);
  return { contract: x0, topics: x1, data: x2 };
}

export function readBorshScheduledOpening(r: $BorshReader, path: string): ScheduledOpening {
  const x0 = r.u64(path, '.height', -1);
  const x1 = r.u32(path, '.count', -1);
  const x2 = r.u32(path, '.slots', -1);
  return { height: x0, count: x1, slots: x2 };
}

export function readBorshSealedEnvelope(r: $BorshReader, path: string): SealedEnvelope {
  const x0 = readBorshSealedHeader(r, path + '.header');
  const x1 = r.fixed(48, path, '.u', -1);
  const x2 = r.fixed(32, path, '.v', -1);
  const x3 = r.fixed(32, path, '.w', -1);
  const x4 = r.bytes(4294967295, path, '.payload', -1);
  return { header: x0, u: x1, v: x2, w: x3, payload: x4 };
}

export function readBorshSignature(r: $BorshReader, path: string): Signature {
  const index = r.variant(path);
  switch (index) {
    case 0: return { type: 'ed25519', value: readBorshEd25519Signature(r, path + '.ed25519') };
    case 1: return { type: 'secp256k1', value: readBorshSecp256k1Signature(r, path + '.secp256k1') };
    default: return r.unknownVariant(index, ['ed25519', 'secp256k1'], path);
  }
}

export function readBorshValidator(r: $BorshReader, path: string): Validator {
  const x0 = r.u32(path, '.index', -1);
  const x1 = r.fixed(20, path, '.address', -1);
  const x2 = r.fixed(32, path, '.identity_key', -1);
  const x3 = r.bytes(4294967295, path, '.share_public_key', -1);
  return { index: x0, address: x1, identity_key: x2, share_public_key: x3 };
}

export function readBorshSignedTransaction(r: $BorshReader, path: string): SignedTransaction {
  const x0 = readBorshTransaction(r, path + '.transaction');
  const x1 = readBorshSignature(r, path + '.signature');
  return { transaction: x0, signature: x1 };
}

export function readBorshSealKey(r: $BorshReader, path: string): SealKey {
  const x0 = r.u64(path, '.height', -1);
  const x1 = r.fixed(96, path, '.signature', -1);
  return { height: x0, signature: x1 };
}

export function readBorshApprovedChange(r: $BorshReader, path: string): ApprovedChange {
  const x0 = r.u64(path, '.epoch', -1);
  const x1 = readBorshValidatorChange(r, path + '.change');
  const x2 = readBorshApprovalList(r, path + '.approvals');
  return { epoch: x0, change: x1, approvals: x2 };
}

export function readBorshDevBalance(r: $BorshReader, path: string): DevBalance {
  const x0 = r.fixed(20, path, '.address', -1);
  const x1 = r.u128(path, '.amount', -1);
  return { address: x0, amount: x1 };
}

export function readBorshDevSlots(r: $BorshReader, path: string): DevSlots {
  const x0 = r.fixed(20, path, '.contract', -1);
  const x1 = readBorshDevSlotList(r, path + '.slots');
  return { contract: x0, slots: x1 };
}

export function readBorshDevContract(r: $BorshReader, path: string): DevContract {
  const x0 = r.fixed(20, path, '.address', -1);
  const x1 = readBorshVmType(r, path + '.vm');
  const x2 = r.bytes(4294967295, path, '.code', -1);
  const x3 = r.flag(path, '.idl', -1) ? r.string(4294967295, path, '.idl', -1) : undefined;
  const x4 = r.u32(path, '.abi_version', -1);
  const x5 = readBorshUpgradePolicy(r, path + '.upgrade_policy');
  const x6 = r.fixed(20, path, '.deployer', -1);
  const x7 = r.u64(path, '.deployed_at', -1);
  const x8 = r.flag(path, '.pending_upgrade', -1) ? readBorshPendingUpgrade(r, path + '.pending_upgrade') : undefined;
  const result: $Writable<DevContract> = { address: x0, vm: x1, code: x2, abi_version: x4, upgrade_policy: x5, deployer: x6, deployed_at: x7 };
  if (x3 !== undefined) result.idl = x3;
  if (x8 !== undefined) result.pending_upgrade = x8;
  return result;
}

export function readBorshDevDeployIndex(r: $BorshReader, path: string): DevDeployIndex {
  const x0 = r.fixed(20, path, '.address', -1);
  const x1 = r.u64(path, '.deploy_index', -1);
  return { address: x0, deploy_index: x1 };
}

export function readBorshDevImpersonation(r: $BorshReader, path: string): DevImpersonation {
  const x0 = r.fixed(20, path, '.sender', -1);
  const x1 = readBorshAction(r, path + '.action');
  return { sender: x0, action: x1 };
}

export function readBorshDevForkedAccount(r: $BorshReader, path: string): DevForkedAccount {
  const x0 = r.fixed(20, path, '.address', -1);
  const x1 = readBorshAccountRecord(r, path + '.account');
  const x2 = r.flag(path, '.code', -1) ? r.bytes(4294967295, path, '.code', -1) : undefined;
  const x3 = r.flag(path, '.idl', -1) ? r.string(4294967295, path, '.idl', -1) : undefined;
  const result: $Writable<DevForkedAccount> = { address: x0, account: x1 };
  if (x2 !== undefined) result.code = x2;
  if (x3 !== undefined) result.idl = x3;
  return result;
}

export function readBorshCeremonyDealing(r: $BorshReader, path: string): CeremonyDealing {
  const x0 = r.u32(path, '.dealer', -1);
  const x1 = readBorshBytes48List(r, path + '.commitments');
  return { dealer: x0, commitments: x1 };
}

function readBorshHashList(r: $BorshReader, path: string): readonly Uint8Array[] {
  const n = r.count(32, 4294967295, path);
  const items: (Uint8Array)[] = [];
  for (let i = 0; i < n; i++) items.push(r.fixed(32, path, '', i));
  return items;
}

export function readBorshSealedHeader(r: $BorshReader, path: string): SealedHeader {
  const x0 = r.u64(path, '.chain_id', -1);
  const x1 = r.fixed(20, path, '.sender', -1);
  const x2 = r.u32(path, '.lane', -1);
  const x3 = r.u64(path, '.nonce', -1);
  const x4 = r.u64(path, '.gas_limit', -1);
  const x5 = r.u128(path, '.max_fee', -1);
  const x6 = r.u128(path, '.priority_fee', -1);
  const x7 = r.u128(path, '.max_seal_fee', -1);
  const x8 = r.u64(path, '.opens_at', -1);
  return { chain_id: x0, sender: x1, lane: x2, nonce: x3, gas_limit: x4, max_fee: x5, priority_fee: x6, max_seal_fee: x7, opens_at: x8 };
}

export function readBorshEd25519Signature(r: $BorshReader, path: string): Ed25519Signature {
  const x0 = r.fixed(32, path, '.public_key', -1);
  const x1 = r.fixed(64, path, '.signature', -1);
  return { public_key: x0, signature: x1 };
}

export function readBorshSecp256k1Signature(r: $BorshReader, path: string): Secp256k1Signature {
  const x0 = r.fixed(33, path, '.public_key', -1);
  const x1 = r.fixed(64, path, '.signature', -1);
  return { public_key: x0, signature: x1 };
}

export function readBorshTransaction(r: $BorshReader, path: string): Transaction {
  const x0 = r.u64(path, '.chain_id', -1);
  const x1 = r.fixed(20, path, '.sender', -1);
  const x2 = r.u32(path, '.lane', -1);
  const x3 = r.u64(path, '.nonce', -1);
  const x4 = r.u64(path, '.gas_limit', -1);
  const x5 = r.u128(path, '.max_fee', -1);
  const x6 = r.u128(path, '.priority_fee', -1);
  const x7 = r.flag(path, '.valid_until', -1) ? r.u64(path, '.valid_until', -1) : undefined;
  const x8 = readBorshAction(r, path + '.action');
  const result: $Writable<Transaction> = { chain_id: x0, sender: x1, lane: x2, nonce: x3, gas_limit: x4, max_fee: x5, priority_fee: x6, action: x8 };
  if (x7 !== undefined) result.valid_until = x7;
  return result;
}

function readBorshApprovalList(r: $BorshReader, path: string): readonly Approval[] {
  const n = r.count(68, 4294967295, path);
  const items: (Approval)[] = [];
  for (let i = 0; i < n; i++) items.push(readBorshApproval(r, path + '[' + i + ']'));
  return items;
}

function readBorshDevSlotList(r: $BorshReader, path: string): readonly DevSlot[] {
  const n = r.count(33, 4294967295, path);
  const items: (DevSlot)[] = [];
  for (let i = 0; i < n; i++) items.push(readBorshDevSlot(r, path + '[' + i + ']'));
  return items;
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

export function readBorshAction(r: $BorshReader, path: string): Action {
  const index = r.variant(path);
  switch (index) {
    case 0: return { type: 'transfer', value: readBorshTransfer(r, path + '.transfer') };
    case 1: return { type: 'deploy', value: readBorshDeploy(r, path + '.deploy') };
    case 2: return { type: 'call', value: readBorshCall(r, path + '.call') };
    case 3: return { type: 'upgrade', value: readBorshUpgrade(r, path + '.upgrade') };
    case 4: return { type: 'batch', value: readBorshCallList(r, path + '.batch') };
    default: return r.unknownVariant(index, ['transfer', 'deploy', 'call', 'upgrade', 'batch'], path);
  }
}

export function readBorshAccountRecord(r: $BorshReader, path: string): AccountRecord {
  const x0 = r.u128(path, '.balance', -1);
  const x1 = readBorshLaneList(r, path + '.lanes');
  const x2 = r.u64(path, '.deploy_index', -1);
  const x3 = r.flag(path, '.contract', -1) ? readBorshContractRecord(r, path + '.contract') : undefined;
  const result: $Writable<AccountRecord> = { balance: x0, lanes: x1, deploy_index: x2 };
  if (x3 !== undefined) result.contract = x3;
  return result;
}

export function readBorshDevSlot(r: $BorshReader, path: string): DevSlot {
  const x0 = r.fixed(32, path, '.slot', -1);
  const x1 = r.flag(path, '.value', -1) ? r.bytes(4294967295, path, '.value', -1) : undefined;
  const result: $Writable<DevSlot> = { slot: x0 };
  if (x1 !== undefined) result.value = x1;
  return result;
}

export function readBorshTimelock(r: $BorshReader, path: string): Timelock {
  const x0 = r.fixed(20, path, '.admin', -1);
  const x1 = r.u64(path, '.delay', -1);
  return { admin: x0, delay: x1 };
}

export function readBorshTransfer(r: $BorshReader, path: string): Transfer {
  const x0 = r.fixed(20, path, '.to', -1);
  const x1 = r.u128(path, '.amount', -1);
  return { to: x0, amount: x1 };
}

export function readBorshDeploy(r: $BorshReader, path: string): Deploy {
  const x0 = readBorshVmType(r, path + '.vm');
  const x1 = r.bytes(4294967295, path, '.code', -1);
  const x2 = r.flag(path, '.idl', -1) ? r.string(4294967295, path, '.idl', -1) : undefined;
  const x3 = r.u32(path, '.abi_version', -1);
  const x4 = readBorshUpgradePolicy(r, path + '.upgrade_policy');
  const x5 = r.bytes(4294967295, path, '.input', -1);
  const x6 = r.u128(path, '.value', -1);
  const result: $Writable<Deploy> = { vm: x0, code: x1, abi_version: x3, upgrade_policy: x4, input: x5, value: x6 };
  if (x2 !== undefined) result.idl = x2;
  return result;
}

export function readBorshCall(r: $BorshReader, path: string): Call {
  const x0 = r.fixed(20, path, '.contract', -1);
  const x1 = r.bytes(4294967295, path, '.input', -1);
  const x2 = r.u128(path, '.value', -1);
  return { contract: x0, input: x1, value: x2 };
}

export function readBorshUpgrade(r: $BorshReader, path: string): Upgrade {
  const x0 = r.fixed(20, path, '.contract', -1);
  const x1 = r.bytes(4294967295, path, '.code', -1);
  const x2 = r.flag(path, '.idl', -1) ? r.string(4294967295, path, '.idl', -1) : undefined;
  const x3 = r.u32(path, '.abi_version', -1);
  const x4 = r.bytes(4294967295, path, '.input', -1);
  const result: $Writable<Upgrade> = { contract: x0, code: x1, abi_version: x3, input: x4 };
  if (x2 !== undefined) result.idl = x2;
  return result;
}

function readBorshCallList(r: $BorshReader, path: string): readonly Call[] {
  const n = r.count(40, 4294967295, path);
  const items: (Call)[] = [];
  for (let i = 0; i < n; i++) items.push(readBorshCall(r, path + '[' + i + ']'));
  return items;
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

export function readBorshLane(r: $BorshReader, path: string): Lane {
  const x0 = r.u32(path, '.lane', -1);
  const x1 = r.u64(path, '.next_nonce', -1);
  return { lane: x0, next_nonce: x1 };
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

export function writeBorshBlockItem(v: BlockItem, path: string): void {
  w.object(v, 'BlockItem', path);
  switch (v.type) {
    case 'transaction':
      w.variant(0);
      writeBorshSignedTransaction(v.value, path + '.transaction');
      break;
    case 'sealed':
      w.variant(1);
      writeBorshSignedEnvelope(v.value, path + '.sealed');
      break;
    case 'seal_key':
      w.variant(2);
      writeBorshSealKey(v.value, path + '.seal_key');
      break;
    case 'dealing':
      w.variant(3);
      writeBorshDealing(v.value, path + '.dealing');
      break;
    case 'change':
      w.variant(4);
      writeBorshApprovedChange(v.value, path + '.change');
      break;
    case 'complaint':
      w.variant(5);
      writeBorshComplaint(v.value, path + '.complaint');
      break;
    default:
      w.unknownVariant((v as { readonly type: unknown }).type, ['transaction', 'sealed', 'seal_key', 'dealing', 'change', 'complaint'], path);
  }
}

export function writeBorshConsensusParameters(v: ConsensusParameters, path: string): void {
  w.object(v, 'ConsensusParameters', path);
  w.u64(v.epoch_length, path, '.epoch_length', -1);
  w.bool(v.ceremony, path, '.ceremony', -1);
}

export function writeBorshDealingOrder(v: DealingOrder, path: string): void {
  w.object(v, 'DealingOrder', path);
  writeBorshU32List(v.dealers, path + '.dealers');
}

export function writeBorshDevChanges(v: DevChanges, path: string): void {
  w.object(v, 'DevChanges', path);
  writeBorshDevChangeList(v.changes, path + '.changes');
}

export function writeBorshEncryptionKeys(v: EncryptionKeys, path: string): void {
  w.object(v, 'EncryptionKeys', path);
  writeBorshBytes48List(v.keys, path + '.keys');
}

export function writeBorshGenesis(v: Genesis, path: string): void {
  w.object(v, 'Genesis', path);
  w.u64(v.chain_id, path, '.chain_id', -1);
  w.u64(v.timestamp_ms, path, '.timestamp_ms', -1);
  w.u64(v.gas_limit, path, '.gas_limit', -1);
  w.u128(v.base_fee, path, '.base_fee', -1);
  const x4 = v.extra;
  if (x4 === undefined || x4 === null) w.variant(0);
  else {
    w.variant(1);
    w.bytes(x4, 4294967295, path, '.extra', -1);
  }
  writeBorshValidatorSet(v.validator_set, path + '.validator_set');
  const x6 = v.encryption_keys;
  if (x6 === undefined || x6 === null) w.variant(0);
  else {
    w.variant(1);
    writeBorshBytes48List(x6, path + '.encryption_keys');
  }
  writeBorshGenesisAccountList(v.accounts, path + '.accounts');
  const x8 = v.epoch_length;
  if (x8 === undefined || x8 === null) w.variant(0);
  else {
    w.variant(1);
    w.u64(x8, path, '.epoch_length', -1);
  }
  const x9 = v.ceremony;
  if (x9 === undefined || x9 === null) w.variant(0);
  else {
    w.variant(1);
    writeBorshCeremony(x9, path + '.ceremony');
  }
}

export function writeBorshLedgerReceipt(v: LedgerReceipt, path: string): void {
  w.object(v, 'LedgerReceipt', path);
  w.fixed(v.tx_hash, 32, path, '.tx_hash', -1);
  writeBorshOutcome(v.outcome, path + '.outcome');
  w.u64(v.gas_used, path, '.gas_used', -1);
  w.u128(v.fee, path, '.fee', -1);
  const x4 = v.contract;
  if (x4 === undefined || x4 === null) w.variant(0);
  else {
    w.variant(1);
    w.fixed(x4, 20, path, '.contract', -1);
  }
  w.bytes(v.output, 4294967295, path, '.output', -1);
  writeBorshLedgerLogList(v.logs, path + '.logs');
}

export function writeBorshOpeningSchedule(v: OpeningSchedule, path: string): void {
  w.object(v, 'OpeningSchedule', path);
  writeBorshScheduledOpeningList(v.openings, path + '.openings');
  w.u64(v.reserved_at, path, '.reserved_at', -1);
  w.u32(v.reserved, path, '.reserved', -1);
}

export function writeBorshPendingEnvelope(v: PendingEnvelope, path: string): void {
  w.object(v, 'PendingEnvelope', path);
  writeBorshSignedEnvelope(v.signed, path + '.signed');
  w.u64(v.gas_used, path, '.gas_used', -1);
  w.u128(v.base_fee, path, '.base_fee', -1);
  w.u128(v.deposit, path, '.deposit', -1);
}

export function writeBorshValidatorSet(v: ValidatorSet, path: string): void {
  w.object(v, 'ValidatorSet', path);
  w.u64(v.epoch, path, '.epoch', -1);
  w.u32(v.quorum, path, '.quorum', -1);
  w.bytes(v.group_public_key, 4294967295, path, '.group_public_key', -1);
  writeBorshValidatorList(v.validators, path + '.validators');
}

export function writeBorshDealing(v: Dealing, path: string): void {
  w.object(v, 'Dealing', path);
  w.u64(v.epoch, path, '.epoch', -1);
  w.u32(v.dealer, path, '.dealer', -1);
  writeBorshBytes48List(v.commitments, path + '.commitments');
  w.fixed(v.encryption_key, 48, path, '.encryption_key', -1);
  writeBorshAckList(v.acks, path + '.acks');
  writeBorshSealedShareList(v.sealed, path + '.sealed');
  w.fixed(v.signature, 64, path, '.signature', -1);
}

export function writeBorshValidatorChange(v: ValidatorChange, path: string): void {
  w.object(v, 'ValidatorChange', path);
  switch (v.type) {
    case 'add':
      w.variant(0);
      writeBorshNewValidator(v.value, path + '.add');
      break;
    case 'remove':
      w.variant(1);
      w.fixed(v.value, 20, path, '.remove', -1);
      break;
    default:
      w.unknownVariant((v as { readonly type: unknown }).type, ['add', 'remove'], path);
  }
}

export function writeBorshApproval(v: Approval, path: string): void {
  w.object(v, 'Approval', path);
  w.u32(v.index, path, '.index', -1);
  w.fixed(v.signature, 64, path, '.signature', -1);
}

export function writeBorshAck(v: Ack, path: string): void {
  w.object(v, 'Ack', path);
  w.u32(v.player, path, '.player', -1);
  w.fixed(v.signature, 64, path, '.signature', -1);
}

export function writeBorshComplaint(v: Complaint, path: string): void {
  w.object(v, 'Complaint', path);
  w.u64(v.epoch, path, '.epoch', -1);
  w.u32(v.dealer, path, '.dealer', -1);
  w.u32(v.player, path, '.player', -1);
  w.fixed(v.shared, 48, path, '.shared', -1);
  w.fixed(v.challenge, 32, path, '.challenge', -1);
  w.fixed(v.response, 32, path, '.response', -1);
}

export function writeBorshGenesisAccount(v: GenesisAccount, path: string): void {
  w.object(v, 'GenesisAccount', path);
  w.fixed(v.address, 20, path, '.address', -1);
  w.u128(v.balance, path, '.balance', -1);
}

export function writeBorshNewValidator(v: NewValidator, path: string): void {
  w.object(v, 'NewValidator', path);
  w.fixed(v.identity_key, 32, path, '.identity_key', -1);
  w.fixed(v.encryption_key, 48, path, '.encryption_key', -1);
  w.string(v.endpoint, 4294967295, path, '.endpoint', -1);
}

export function writeBorshSealedShare(v: SealedShare, path: string): void {
  w.object(v, 'SealedShare', path);
  w.u32(v.player, path, '.player', -1);
  w.fixed(v.ephemeral, 48, path, '.ephemeral', -1);
  w.fixed(v.share, 32, path, '.share', -1);
  w.fixed(v.challenge, 32, path, '.challenge', -1);
  w.fixed(v.response, 32, path, '.response', -1);
}

export function writeBorshSignedTransaction(v: SignedTransaction, path: string): void {
  w.object(v, 'SignedTransaction', path);
  writeBorshTransaction(v.transaction, path + '.transaction');
  writeBorshSignature(v.signature, path + '.signature');
}

export function writeBorshSignedEnvelope(v: SignedEnvelope, path: string): void {
  w.object(v, 'SignedEnvelope', path);
  writeBorshSealedEnvelope(v.envelope, path + '.envelope');
  writeBorshSignature(v.signature, path + '.signature');
}

export function writeBorshSealKey(v: SealKey, path: string): void {
  w.object(v, 'SealKey', path);
  w.u64(v.height, path, '.height', -1);
  w.fixed(v.signature, 96, path, '.signature', -1);
}

export function writeBorshApprovedChange(v: ApprovedChange, path: string): void {
  w.object(v, 'ApprovedChange', path);
  w.u64(v.epoch, path, '.epoch', -1);
  writeBorshValidatorChange(v.change, path + '.change');
  writeBorshApprovalList(v.approvals, path + '.approvals');
}

function writeBorshU32List(v: readonly number[], path: string): void {
  w.count(v, 4294967295, path);
  for (let i = 0; i < v.length; i++) w.u32(v[i] as number, path, '', i);
}

function writeBorshDevChangeList(v: readonly DevChange[], path: string): void {
  w.count(v, 4294967295, path);
  for (let i = 0; i < v.length; i++) writeBorshDevChange(v[i] as DevChange, path + '[' + i + ']');
}

function writeBorshBytes48List(v: readonly Uint8Array[], path: string): void {
  w.count(v, 4294967295, path);
  for (let i = 0; i < v.length; i++) w.fixed(v[i] as Uint8Array, 48, path, '', i);
}

function writeBorshGenesisAccountList(v: readonly GenesisAccount[], path: string): void {
  w.count(v, 4294967295, path);
  for (let i = 0; i < v.length; i++) writeBorshGenesisAccount(v[i] as GenesisAccount, path + '[' + i + ']');
}

export function writeBorshCeremony(v: Ceremony, path: string): void {
  w.object(v, 'Ceremony', path);
  writeBorshCeremonyDealingList(v.dealings, path + '.dealings');
  writeBorshBytes64List(v.signatures, path + '.signatures');
}

export function writeBorshOutcome(v: Outcome, path: string): void {
  w.object(v, 'Outcome', path);
  switch (v.type) {
    case 'success':
      w.variant(0);
      w.nothing(v.value, path);
      break;
    case 'reverted':
      w.variant(1);
      w.nothing(v.value, path);
      break;
    case 'out_of_gas':
      w.variant(2);
      w.nothing(v.value, path);
      break;
    case 'trapped':
      w.variant(3);
      w.nothing(v.value, path);
      break;
    case 'invalid':
      w.variant(4);
      w.nothing(v.value, path);
      break;
    default:
      w.unknownVariant((v as { readonly type: unknown }).type, ['success', 'reverted', 'out_of_gas', 'trapped', 'invalid'], path);
  }
}

function writeBorshLedgerLogList(v: readonly LedgerLog[], path: string): void {
  w.count(v, 4294967295, path);
  for (let i = 0; i < v.length; i++) writeBorshLedgerLog(v[i] as LedgerLog, path + '[' + i + ']');
}

function writeBorshScheduledOpeningList(v: readonly ScheduledOpening[], path: string): void {
  w.count(v, 4294967295, path);
  for (let i = 0; i < v.length; i++) writeBorshScheduledOpening(v[i] as ScheduledOpening, path + '[' + i + ']');
}

function writeBorshValidatorList(v: readonly Validator[], path: string): void {
  w.count(v, 4294967295, path);
  for (let i = 0; i < v.length; i++) writeBorshValidator(v[i] as Validator, path + '[' + i + ']');
}

function writeBorshAckList(v: readonly Ack[], path: string): void {
  w.count(v, 4294967295, path);
  for (let i = 0; i < v.length; i++) writeBorshAck(v[i] as Ack, path + '[' + i + ']');
}

function writeBorshSealedShareList(v: readonly SealedShare[], path: string): void {
  w.count(v, 4294967295, path);
  for (let i = 0; i < v.length; i++) writeBorshSealedShare(v[i] as SealedShare, path + '[' + i + ']');
}

export function writeBorshTransaction(v: Transaction, path: string): void {
  w.object(v, 'Transaction', path);
  w.u64(v.chain_id, path, '.chain_id', -1);
  w.fixed(v.sender, 20, path, '.sender', -1);
  w.u32(v.lane, path, '.lane', -1);
  w.u64(v.nonce, path, '.nonce', -1);
  w.u64(v.gas_limit, path, '.gas_limit', -1);
  w.u128(v.max_fee, path, '.max_fee', -1);
  w.u128(v.priority_fee, path, '.priority_fee', -1);
  const x7 = v.valid_until;
  if (x7 === undefined || x7 === null) w.variant(0);
  else {
    w.variant(1);
    w.u64(x7, path, '.valid_until', -1);
  }
  writeBorshAction(v.action, path + '.action');
}

export function writeBorshSignature(v: Signature, path: string): void {
  w.object(v, 'Signature', path);
  switch (v.type) {
    case 'ed25519':
      w.variant(0);
      writeBorshEd25519Signature(v.value, path + '.ed25519');
      break;
    case 'secp256k1':
      w.variant(1);
      writeBorshSecp256k1Signature(v.value, path + '.secp256k1');
      break;
    default:
      w.unknownVariant((v as { readonly type: unknown }).type, ['ed25519', 'secp256k1'], path);
  }
}

export function writeBorshSealedEnvelope(v: SealedEnvelope, path: string): void {
  w.object(v, 'SealedEnvelope', path);
  writeBorshSealedHeader(v.header, path + '.header');
  w.fixed(v.u, 48, path, '.u', -1);
  w.fixed(v.v, 32, path, '.v', -1);
  w.fixed(v.w, 32, path, '.w', -1);
  w.bytes(v.payload, 4294967295, path, '.payload', -1);
}

function writeBorshApprovalList(v: readonly Approval[], path: string): void {
  w.count(v, 4294967295, path);
  for (let i = 0; i < v.length; i++) writeBorshApproval(v[i] as Approval, path + '[' + i + ']');
}

export function writeBorshDevChange(v: DevChange, path: string): void {
  w.object(v, 'DevChange', path);
  switch (v.type) {
    case 'balance':
      w.variant(0);
      writeBorshDevBalance(v.value, path + '.balance');
      break;
    case 'slots':
      w.variant(1);
      writeBorshDevSlots(v.value, path + '.slots');
      break;
    case 'contract':
      w.variant(2);
      writeBorshDevContract(v.value, path + '.contract');
      break;
    case 'no_contract':
      w.variant(3);
      w.fixed(v.value, 20, path, '.no_contract', -1);
      break;
    case 'deploy_index':
      w.variant(4);
      writeBorshDevDeployIndex(v.value, path + '.deploy_index');
      break;
    case 'impersonate':
      w.variant(5);
      writeBorshDevImpersonation(v.value, path + '.impersonate');
      break;
    case 'forked_account':
      w.variant(6);
      writeBorshDevForkedAccount(v.value, path + '.forked_account');
      break;
    case 'forked_slots':
      w.variant(7);
      writeBorshDevSlots(v.value, path + '.forked_slots');
      break;
    default:
      w.unknownVariant((v as { readonly type: unknown }).type, ['balance', 'slots', 'contract', 'no_contract', 'deploy_index', 'impersonate', 'forked_account', 'forked_slots'], path);
  }
}

function writeBorshCeremonyDealingList(v: readonly CeremonyDealing[], path: string): void {
  w.count(v, 4294967295, path);
  for (let i = 0; i < v.length; i++) writeBorshCeremonyDealing(v[i] as CeremonyDealing, path + '[' + i + ']');
}

function writeBorshBytes64List(v: readonly Uint8Array[], path: string): void {
  w.count(v, 4294967295, path);
  for (let i = 0; i < v.length; i++) w.fixed(v[i] as Uint8Array, 64, path, '', i);
}

export function writeBorshLedgerLog(v: LedgerLog, path: string): void {
  w.object(v, 'LedgerLog', path);
  w.fixed(v.contract, 20, path, '.contract', -1);
  writeBorshHashList(v.topics, path + '.topics');
  w.bytes(v.data, 4294967295, path, '.data', -1);
}

export function writeBorshScheduledOpening(v: ScheduledOpening, path: string): void {
  w.object(v, 'ScheduledOpening', path);
  w.u64(v.height, path, '.height', -1);
  w.u32(v.count, path, '.count', -1);
  w.u32(v.slots, path, '.slots', -1);
}

export function writeBorshValidator(v: Validator, path: string): void {
  w.object(v, 'Validator', path);
  w.u32(v.index, path, '.index', -1);
  w.fixed(v.address, 20, path, '.address', -1);
  w.fixed(v.identity_key, 32, path, '.identity_key', -1);
  w.bytes(v.share_public_key, 4294967295, path, '.share_public_key', -1);
}

export function writeBorshAction(v: Action, path: string): void {
  w.object(v, 'Action', path);
  switch (v.type) {
    case 'transfer':
      w.variant(0);
      writeBorshTransfer(v.value, path + '.transfer');
      break;
    case 'deploy':
      w.variant(1);
      writeBorshDeploy(v.value, path + '.deploy');
      break;
    case 'call':
      w.variant(2);
      writeBorshCall(v.value, path + '.call');
      break;
    case 'upgrade':
      w.variant(3);
      writeBorshUpgrade(v.value, path + '.upgrade');
      break;
    case 'batch':
      w.variant(4);
      writeBorshCallList(v.value, path + '.batch');
      break;
    default:
      w.unknownVariant((v as { readonly type: unknown }).type, ['transfer', 'deploy', 'call', 'upgrade', 'batch'], path);
  }
}

export function writeBorshEd25519Signature(v: Ed25519Signature, path: string): void {
  w.object(v, 'Ed25519Signature', path);
  w.fixed(v.public_key, 32, path, '.public_key', -1);
  w.fixed(v.signature, 64, path, '.signature', -1);
}

export function writeBorshSecp256k1Signature(v: Secp256k1Signature, path: string): void {
  w.object(v, 'Secp256k1Signature', path);
  w.fixed(v.public_key, 33, path, '.public_key', -1);
  w.fixed(v.signature, 64, path, '.signature', -1);
}

export function writeBorshSealedHeader(v: SealedHeader, path: string): void {
  w.object(v, 'SealedHeader', path);
  w.u64(v.chain_id, path, '.chain_id', -1);
  w.fixed(v.sender, 20, path, '.sender', -1);
  w.u32(v.lane, path, '.lane', -1);
  w.u64(v.nonce, path, '.nonce', -1);
  w.u64(v.gas_limit, path, '.gas_limit', -1);
  w.u128(v.max_fee, path, '.max_fee', -1);
  w.u128(v.priority_fee, path, '.priority_fee', -1);
  w.u128(v.max_seal_fee, path, '.max_seal_fee', -1);
  w.u64(v.opens_at, path, '.opens_at', -1);
}

export function writeBorshDevBalance(v: DevBalance, path: string): void {
  w.object(v, 'DevBalance', path);
  w.fixed(v.address, 20, path, '.address', -1);
  w.u128(v.amount, path, '.amount', -1);
}

export function writeBorshDevSlots(v: DevSlots, path: string): void {
  w.object(v, 'DevSlots', path);
  w.fixed(v.contract, 20, path, '.contract', -1);
  writeBorshDevSlotList(v.slots, path + '.slots');
}

export function writeBorshDevContract(v: DevContract, path: string): void {
  w.object(v, 'DevContract', path);
  w.fixed(v.address, 20, path, '.address', -1);
  writeBorshVmType(v.vm, path + '.vm');
  w.bytes(v.code, 4294967295, path, '.code', -1);
  const x3 = v.idl;
  if (x3 === undefined || x3 === null) w.variant(0);
  else {
    w.variant(1);
    w.string(x3, 4294967295, path, '.idl', -1);
  }
  w.u32(v.abi_version, path, '.abi_version', -1);
  writeBorshUpgradePolicy(v.upgrade_policy, path + '.upgrade_policy');
  w.fixed(v.deployer, 20, path, '.deployer', -1);
  w.u64(v.deployed_at, path, '.deployed_at', -1);
  const x8 = v.pending_upgrade;
  if (x8 === undefined || x8 === null) w.variant(0);
  else {
    w.variant(1);
    writeBorshPendingUpgrade(x8, path + '.pending_upgrade');
  }
}

export function writeBorshDevDeployIndex(v: DevDeployIndex, path: string): void {
  w.object(v, 'DevDeployIndex', path);
  w.fixed(v.address, 20, path, '.address', -1);
  w.u64(v.deploy_index, path, '.deploy_index', -1);
}

export function writeBorshDevImpersonation(v: DevImpersonation, path: string): void {
  w.object(v, 'DevImpersonation', path);
  w.fixed(v.sender, 20, path, '.sender', -1);
  writeBorshAction(v.action, path + '.action');
}

export function writeBorshDevForkedAccount(v: DevForkedAccount, path: string): void {
  w.object(v, 'DevForkedAccount', path);
  w.fixed(v.address, 20, path, '.address', -1);
  writeBorshAccountRecord(v.account, path + '.account');
  const x2 = v.code;
  if (x2 === undefined || x2 === null) w.variant(0);
  else {
    w.variant(1);
    w.bytes(x2, 4294967295, path, '.code', -1);
  }
  const x3 = v.idl;
  if (x3 === undefined || x3 === null) w.variant(0);
  else {
    w.variant(1);
    w.string(x3, 4294967295, path, '.idl', -1);
  }
}

export function writeBorshCeremonyDealing(v: CeremonyDealing, path: string): void {
  w.object(v, 'CeremonyDealing', path);
  w.u32(v.dealer, path, '.dealer', -1);
  writeBorshBytes48List(v.commitments, path + '.commitments');
}

function writeBorshHashList(v: readonly Uint8Array[], path: string): void {
  w.count(v, 4294967295, path);
  for (let i = 0; i < v.length; i++) w.fixed(v[i] as Uint8Array, 32, path, '', i);
}

export function writeBorshTransfer(v: Transfer, path: string): void {
  w.object(v, 'Transfer', path);
  w.fixed(v.to, 20, path, '.to', -1);
  w.u128(v.amount, path, '.amount', -1);
}

export function writeBorshDeploy(v: Deploy, path: string): void {
  w.object(v, 'Deploy', path);
  writeBorshVmType(v.vm, path + '.vm');
  w.bytes(v.code, 4294967295, path, '.code', -1);
  const x2 = v.idl;
  if (x2 === undefined || x2 === null) w.variant(0);
  else {
    w.variant(1);
    w.string(x2, 4294967295, path, '.idl', -1);
  }
  w.u32(v.abi_version, path, '.abi_version', -1);
  writeBorshUpgradePolicy(v.upgrade_policy, path + '.upgrade_policy');
  w.bytes(v.input, 4294967295, path, '.input', -1);
  w.u128(v.value, path, '.value', -1);
}

export function writeBorshCall(v: Call, path: string): void {
  w.object(v, 'Call', path);
  w.fixed(v.contract, 20, path, '.contract', -1);
  w.bytes(v.input, 4294967295, path, '.input', -1);
  w.u128(v.value, path, '.value', -1);
}

export function writeBorshUpgrade(v: Upgrade, path: string): void {
  w.object(v, 'Upgrade', path);
  w.fixed(v.contract, 20, path, '.contract', -1);
  w.bytes(v.code, 4294967295, path, '.code', -1);
  const x2 = v.idl;
  if (x2 === undefined || x2 === null) w.variant(0);
  else {
    w.variant(1);
    w.string(x2, 4294967295, path, '.idl', -1);
  }
  w.u32(v.abi_version, path, '.abi_version', -1);
  w.bytes(v.input, 4294967295, path, '.input', -1);
}

function writeBorshCallList(v: readonly Call[], path: string): void {
  w.count(v, 4294967295, path);
  for (let i = 0; i < v.length; i++) writeBorshCall(v[i] as Call, path + '[' + i + ']');
}

function writeBorshDevSlotList(v: readonly DevSlot[], path: string): void {
  w.count(v, 4294967295, path);
  for (let i = 0; i < v.length; i++) writeBorshDevSlot(v[i] as DevSlot, path + '[' + i + ']');
}

export function writeBorshVmType(v: VmType, path: string): void {
  w.object(v, 'VmType', path);
  switch (v.type) {
    case 'wasm':
      w.variant(0);
      w.nothing(v.value, path);
      break;
    case 'evm':
      w.variant(1);
      w.nothing(v.value, path);
      break;
    default:
      w.unknownVariant((v as { readonly type: unknown }).type, ['wasm', 'evm'], path);
  }
}

export function writeBorshUpgradePolicy(v: UpgradePolicy, path: string): void {
  w.object(v, 'UpgradePolicy', path);
  switch (v.type) {
    case 'immutable':
      w.variant(0);
      w.nothing(v.value, path);
      break;
    case 'admin':
      w.variant(1);
      w.fixed(v.value, 20, path, '.admin', -1);
      break;
    case 'timelock':
      w.variant(2);
      writeBorshTimelock(v.value, path + '.timelock');
      break;
    default:
      w.unknownVariant((v as { readonly type: unknown }).type, ['immutable', 'admin', 'timelock'], path);
  }
}

export function writeBorshPendingUpgrade(v: PendingUpgrade, path: string): void {
  w.object(v, 'PendingUpgrade', path);
  w.fixed(v.code_hash, 32, path, '.code_hash', -1);
  const x1 = v.idl_hash;
  if (x1 === undefined || x1 === null) w.variant(0);
  else {
    w.variant(1);
    w.fixed(x1, 32, path, '.idl_hash', -1);
  }
  w.u32(v.abi_version, path, '.abi_version', -1);
  w.u64(v.ready_at, path, '.ready_at', -1);
}

export function writeBorshAccountRecord(v: AccountRecord, path: string): void {
  w.object(v, 'AccountRecord', path);
  w.u128(v.balance, path, '.balance', -1);
  writeBorshLaneList(v.lanes, path + '.lanes');
  w.u64(v.deploy_index, path, '.deploy_index', -1);
  const x3 = v.contract;
  if (x3 === undefined || x3 === null) w.variant(0);
  else {
    w.variant(1);
    writeBorshContractRecord(x3, path + '.contract');
  }
}

export function writeBorshDevSlot(v: DevSlot, path: string): void {
  w.object(v, 'DevSlot', path);
  w.fixed(v.slot, 32, path, '.slot', -1);
  const x1 = v.value;
  if (x1 === undefined || x1 === null) w.variant(0);
  else {
    w.variant(1);
    w.bytes(x1, 4294967295, path, '.value', -1);
  }
}

export function writeBorshTimelock(v: Timelock, path: string): void {
  w.object(v, 'Timelock', path);
  w.fixed(v.admin, 20, path, '.admin', -1);
  w.u64(v.delay, path, '.delay', -1);
}

function writeBorshLaneList(v: readonly Lane[], path: string): void {
  w.count(v, 4294967295, path);
  for (let i = 0; i < v.length; i++) writeBorshLane(v[i] as Lane, path + '[' + i + ']');
}

export function writeBorshContractRecord(v: ContractRecord, path: string): void {
  w.object(v, 'ContractRecord', path);
  writeBorshVmType(v.vm, path + '.vm');
  w.fixed(v.code_hash, 32, path, '.code_hash', -1);
  w.u32(v.code_size, path, '.code_size', -1);
  const x3 = v.idl_hash;
  if (x3 === undefined || x3 === null) w.variant(0);
  else {
    w.variant(1);
    w.fixed(x3, 32, path, '.idl_hash', -1);
  }
  w.u32(v.abi_version, path, '.abi_version', -1);
  writeBorshUpgradePolicy(v.upgrade_policy, path + '.upgrade_policy');
  w.fixed(v.deployer, 20, path, '.deployer', -1);
  w.u64(v.deployed_at, path, '.deployed_at', -1);
  const x8 = v.pending_upgrade;
  if (x8 === undefined || x8 === null) w.variant(0);
  else {
    w.variant(1);
    writeBorshPendingUpgrade(x8, path + '.pending_upgrade');
  }
}

export function writeBorshLane(v: Lane, path: string): void {
  w.object(v, 'Lane', path);
  w.u32(v.lane, path, '.lane', -1);
  w.u64(v.next_nonce, path, '.next_nonce', -1);
}

export function readJsonGenesis(r: $JsonReader, v: unknown, path: string): Genesis {
  r.object(v, 'Genesis', path);
  if (r.refusesUnknown) {
    for (const k in v) {
      switch (k) {
        case 'chain_id': case 'timestamp_ms': case 'gas_limit': case 'base_fee': case 'extra': case 'validator_set': case 'encryption_keys': case 'accounts': case 'epoch_length': case 'ceremony': break;
        default: r.unknownMember(k, ['chain_id', 'timestamp_ms', 'gas_limit', 'base_fee', 'extra', 'validator_set', 'encryption_keys', 'accounts', 'epoch_length', 'ceremony'], path);
      }
    }
  }
  const x0 = r.u64(v['chain_id'], path, '.chain_id', -1);
  const x1 = r.u64(v['timestamp_ms'], path, '.timestamp_ms', -1);
  const x2 = r.u64(v['gas_limit'], path, '.gas_limit', -1);
  const x3 = r.u128(v['base_fee'], path, '.base_fee', -1);
  const y4 = v['extra'];
  const x4 = y4 === undefined || y4 === null ? undefined : r.bytes(y4, 4294967295, path, '.extra', -1);
  const x5 = readJsonValidatorSet(r, v['validator_set'], path + '.validator_set');
  const y6 = v['encryption_keys'];
  const x6 = y6 === undefined || y6 === null ? undefined : readJsonBytes48List(r, y6, path + '.encryption_keys');
  const x7 = readJsonGenesisAccountList(r, v['accounts'], path + '.accounts');
  const y8 = v['epoch_length'];
  const x8 = y8 === undefined || y8 === null ? undefined : r.u64(y8, path, '.epoch_length', -1);
  const y9 = v['ceremony'];
  const x9 = y9 === undefined || y9 === null ? undefined : readJsonCeremony(r, y9, path + '.ceremony');
  const result: $Writable<Genesis> = { chain_id: x0, timestamp_ms: x1, gas_limit: x2, base_fee: x3, validator_set: x5, accounts: x7 };
  if (x4 !== undefined) result.extra = x4;
  if (x6 !== undefined) result.encryption_keys = x6;
  if (x8 !== undefined) result.epoch_length = x8;
  if (x9 !== undefined) result.ceremony = x9;
  return result;
}

export function readJsonValidatorChange(r: $JsonReader, v: unknown, path: string): ValidatorChange {
  r.object(v, 'ValidatorChange: {"type": …, "value": …}', path);
  if (r.refusesUnknown) {
    for (const k in v) {
      switch (k) {
        case 'type': case 'value': break;
        default: r.unknownMember(k, ['type', 'value'], path);
      }
    }
  }
  switch (v['type']) {
    case 'add':
      return { type: 'add', value: readJsonNewValidator(r, v['value'], path + '.add') };
    case 'remove':
      return { type: 'remove', value: r.address(v['value'], path, '.remove', -1) };
    default:
      return r.unknownVariant(v['type'], ['add', 'remove'], path);
  }
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

export function readJsonVmType(r: $JsonReader, v: unknown, path: string): VmType {
  r.object(v, 'VmType: {"type": …, "value": …}', path);
  if (r.refusesUnknown) {
    for (const k in v) {
      switch (k) {
        case 'type': case 'value': break;
        default: r.unknownMember(k, ['type', 'value'], path);
      }
    }
  }
  switch (v['type']) {
    case 'wasm':
      r.nothing(v['value'], 'wasm', path);
      return { type: 'wasm' };
    case 'evm':
      r.nothing(v['value'], 'evm', path);
      return { type: 'evm' };
    default:
      return r.unknownVariant(v['type'], ['wasm', 'evm'], path);
  }
}

export function readJsonUpgradePolicy(r: $JsonReader, v: unknown, path: string): UpgradePolicy {
  r.object(v, 'UpgradePolicy: {"type": …, "value": …}', path);
  if (r.refusesUnknown) {
    for (const k in v) {
      switch (k) {
        case 'type': case 'value': break;
        default: r.unknownMember(k, ['type', 'value'], path);
      }
    }
  }
  switch (v['type']) {
    case 'immutable':
      r.nothing(v['value'], 'immutable', path);
      return { type: 'immutable' };
    case 'admin':
      return { type: 'admin', value: r.address(v['value'], path, '.admin', -1) };
    case 'timelock':
      return { type: 'timelock', value: readJsonTimelock(r, v['value'], path + '.timelock') };
    default:
      return r.unknownVariant(v['type'], ['immutable', 'admin', 'timelock'], path);
  }
}

export function readJsonPendingUpgrade(r: $JsonReader, v: unknown, path: string): PendingUpgrade {
  r.object(v, 'PendingUpgrade', path);
  if (r.refusesUnknown) {
    for (const k in v) {
      switch (k) {
        case 'code_hash': case 'idl_hash': case 'abi_version': case 'ready_at': break;
        default: r.unknownMember(k, ['code_hash', 'idl_hash', 'abi_version', 'ready_at'], path);
      }
    }
  }
  const x0 = r.digest(v['code_hash'], 'hash', path, '.code_hash', -1);
  const y1 = v['idl_hash'];
  const x1 = y1 === undefined || y1 === null ? undefined : r.digest(y1, 'hash', path, '.idl_hash', -1);
  const x2 = r.u32(v['abi_version'], path, '.abi_version', -1);
  const x3 = r.u64(v['ready_at'], path, '.ready_at', -1);
  const result: $Writable<PendingUpgrade> = { code_hash: x0, abi_version: x2, ready_at: x3 };
  if (x1 !== undefined) result.idl_hash = x1;
  return result;
}

export function readJsonTransaction(r: $JsonReader, v: unknown, path: string): Transaction {
  r.object(v, 'Transaction', path);
  if (r.refusesUnknown) {
    for (const k in v) {
      switch (k) {
        case 'chain_id': case 'sender': case 'lane': case 'nonce': case 'gas_limit': case 'max_fee': case 'priority_fee': case 'valid_until': case 'action': break;
        default: r.unknownMember(k, ['chain_id', 'sender', 'lane', 'nonce', 'gas_limit', 'max_fee', 'priority_fee', 'valid_until', 'action'], path);
      }
    }
  }
  const x0 = r.u64(v['chain_id'], path, '.chain_id', -1);
  const x1 = r.address(v['sender'], path, '.sender', -1);
  const x2 = r.u32(v['lane'], path, '.lane', -1);
  const x3 = r.u64(v['nonce'], path, '.nonce', -1);
  const x4 = r.u64(v['gas_limit'], path, '.gas_limit', -1);
  const x5 = r.u128(v['max_fee'], path, '.max_fee', -1);
  const x6 = r.u128(v['priority_fee'], path, '.priority_fee', -1);
  const y7 = v['valid_until'];
  const x7 = y7 === undefined || y7 === null ? undefined : r.u64(y7, path, '.valid_until', -1);
  const x8 = readJsonAction(r, v['action'], path + '.action');
  const result: $Writable<Transaction> = { chain_id: x0, sender: x1, lane: x2, nonce: x3, gas_limit: x4, max_fee: x5, priority_fee: x6, action: x8 };
  if (x7 !== undefined) result.valid_until = x7;
  return result;
}

export function readJsonSignedTransaction(r: $JsonReader, v: unknown, path: string): SignedTransaction {
  r.object(v, 'SignedTransaction', path);
  if (r.refusesUnknown) {
    for (const k in v) {
      switch (k) {
        case 'transaction': case 'signature': break;
        default: r.unknownMember(k, ['transaction', 'signature'], path);
      }
    }
  }
  const x0 = readJsonTransaction(r, v['transaction'], path + '.transaction');
  const x1 = readJsonSignature(r, v['signature'], path + '.signature');
  return { transaction: x0, signature: x1 };
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

export function readJsonTransfer(r: $JsonReader, v: unknown, path: string): Transfer {
  r.object(v, 'Transfer', path);
  if (r.refusesUnknown) {
    for (const k in v) {
      switch (k) {
        case 'to': case 'amount': break;
        default: r.unknownMember(k, ['to', 'amount'], path);
      }
    }
  }
  const x0 = r.address(v['to'], path, '.to', -1);
  const x1 = r.u128(v['amount'], path, '.amount', -1);
  return { to: x0, amount: x1 };
}

export function readJsonDeploy(r: $JsonReader, v: unknown, path: string): Deploy {
  r.object(v, 'Deploy', path);
  if (r.refusesUnknown) {
    for (const k in v) {
      switch (k) {
        case 'vm': case 'code': case 'idl': case 'abi_version': case 'upgrade_policy': case 'input': case 'value': break;
        default: r.unknownMember(k, ['vm', 'code', 'idl', 'abi_version', 'upgrade_policy', 'input', 'value'], path);
      }
    }
  }
  const x0 = readJsonVmType(r, v['vm'], path + '.vm');
  const x1 = r.bytes(v['code'], 4294967295, path, '.code', -1);
  const y2 = v['idl'];
  const x2 = y2 === undefined || y2 === null ? undefined : r.string(y2, 4294967295, path, '.idl', -1);
  const x3 = r.u32(v['abi_version'], path, '.abi_version', -1);
  const x4 = readJsonUpgradePolicy(r, v['upgrade_policy'], path + '.upgrade_policy');
  const x5 = r.bytes(v['input'], 4294967295, path, '.input', -1);
  const x6 = r.u128(v['value'], path, '.value', -1);
  const result: $Writable<Deploy> = { vm: x0, code: x1, abi_version: x3, upgrade_policy: x4, input: x5, value: x6 };
  if (x2 !== undefined) result.idl = x2;
  return result;
}

export function readJsonUpgrade(r: $JsonReader, v: unknown, path: string): Upgrade {
  r.object(v, 'Upgrade', path);
  if (r.refusesUnknown) {
    for (const k in v) {
      switch (k) {
        case 'contract': case 'code': case 'idl': case 'abi_version': case 'input': break;
        default: r.unknownMember(k, ['contract', 'code', 'idl', 'abi_version', 'input'], path);
      }
    }
  }
  const x0 = r.address(v['contract'], path, '.contract', -1);
  const x1 = r.bytes(v['code'], 4294967295, path, '.code', -1);
  const y2 = v['idl'];
  const x2 = y2 === undefined || y2 === null ? undefined : r.string(y2, 4294967295, path, '.idl', -1);
  const x3 = r.u32(v['abi_version'], path, '.abi_version', -1);
  const x4 = r.bytes(v['input'], 4294967295, path, '.input', -1);
  const result: $Writable<Upgrade> = { contract: x0, code: x1, abi_version: x3, input: x4 };
  if (x2 !== undefined) result.idl = x2;
  return result;
}

export function readJsonBlockItem(r: $JsonReader, v: unknown, path: string): BlockItem {
  r.object(v, 'BlockItem: {"type": …, "value": …}', path);
  if (r.refusesUnknown) {
    for (const k in v) {
      switch (k) {
        case 'type': case 'value': break;
        default: r.unknownMember(k, ['type', 'value'], path);
      }
    }
  }
  switch (v['type']) {
    case 'transaction':
      return { type: 'transaction', value: readJsonSignedTransaction(r, v['value'], path + '.transaction') };
    case 'sealed':
      return { type: 'sealed', value: readJsonSignedEnvelope(r, v['value'], path + '.sealed') };
    case 'seal_key':
      return { type: 'seal_key', value: readJsonSealKey(r, v['value'], path + '.seal_key') };
    case 'dealing':
      return { type: 'dealing', value: readJsonDealing(r, v['value'], path + '.dealing') };
    case 'change':
      return { type: 'change', value: readJsonApprovedChange(r, v['value'], path + '.change') };
    case 'complaint':
      return { type: 'complaint', value: readJsonComplaint(r, v['value'], path + '.complaint') };
    default:
      return r.unknownVariant(v['type'], ['transaction', 'sealed', 'seal_key', 'dealing', 'change', 'complaint'], path);
  }
}

export function readJsonGenesisAccount(r: $JsonReader, v: unknown, path: string): GenesisAccount {
  r.object(v, 'GenesisAccount', path);
  if (r.refusesUnknown) {
    for (const k in v) {
      switch (k) {
        case 'address': case 'balance': break;
        default: r.unknownMember(k, ['address', 'balance'], path);
      }
    }
  }
  const x0 = r.address(v['address'], path, '.address', -1);
  const x1 = r.u128(v['balance'], path, '.balance', -1);
  return { address: x0, balance: x1 };
}

export function readJsonNewValidator(r: $JsonReader, v: unknown, path: string): NewValidator {
  r.object(v, 'NewValidator', path);
  if (r.refusesUnknown) {
    for (const k in v) {
      switch (k) {
        case 'identity_key': case 'encryption_key': case 'endpoint': break;
        default: r.unknownMember(k, ['identity_key', 'encryption_key', 'endpoint'], path);
      }
    }
  }
  const x0 = r.digest(v['identity_key'], 'bytes32', path, '.identity_key', -1);
  const x1 = r.fixed(v['encryption_key'], 48, path, '.encryption_key', -1);
  const x2 = r.string(v['endpoint'], 4294967295, path, '.endpoint', -1);
  return { identity_key: x0, encryption_key: x1, endpoint: x2 };
}

export function readJsonAction(r: $JsonReader, v: unknown, path: string): Action {
  r.object(v, 'Action: {"type": …, "value": …}', path);
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
      return { type: 'call', value: readJsonCall(r, v['value'], path + '.call') };
    case 'upgrade':
      return { type: 'upgrade', value: readJsonUpgrade(r, v['value'], path + '.upgrade') };
    case 'batch':
      return { type: 'batch', value: readJsonCallList(r, v['value'], path + '.batch') };
    default:
      return r.unknownVariant(v['type'], ['transfer', 'deploy', 'call', 'upgrade', 'batch'], path);
  }
}

export function readJsonOutcome(r: $JsonReader, v: unknown, path: string): Outcome {
  r.object(v, 'Outcome: {"type": …, "value": …}', path);
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
      r.nothing(v['value'], 'reverted', path);
      return { type: 'reverted' };
    case 'out_of_gas':
      r.nothing(v['value'], 'out_of_gas', path);
      return { type: 'out_of_gas' };
    case 'trapped':
      r.nothing(v['value'], 'trapped', path);
      return { type: 'trapped' };
    case 'invalid':
      r.nothing(v['value'], 'invalid', path);
      return { type: 'invalid' };
    default:
      return r.unknownVariant(v['type'], ['success', 'reverted', 'out_of_gas', 'trapped', 'invalid'], path);
  }
}

export function readJsonDevSlot(r: $JsonReader, v: unknown, path: string): DevSlot {
  r.object(v, 'DevSlot', path);
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
  const result: $Writable<DevSlot> = { slot: x0 };
  if (x1 !== undefined) result.value = x1;
  return result;
}

function readJsonBytes48List(r: $JsonReader, v: unknown, path: string): readonly Uint8Array[] {
  r.list(v, 4294967295, path);
  const items: (Uint8Array)[] = [];
  for (let i = 0; i < v.length; i++) items.push(r.fixed(v[i], 48, path, '', i));
  return items;
}

function readJsonGenesisAccountList(r: $JsonReader, v: unknown, path: string): readonly GenesisAccount[] {
  r.list(v, 4294967295, path);
  const items: (GenesisAccount)[] = [];
  for (let i = 0; i < v.length; i++) items.push(readJsonGenesisAccount(r, v[i], path + '[' + i + ']'));
  return items;
}

export function readJsonCeremony(r: $JsonReader, v: unknown, path: string): Ceremony {
  r.object(v, 'Ceremony', path);
  if (r.refusesUnknown) {
    for (const k in v) {
      switch (k) {
        case 'dealings': case 'signatures': break;
        default: r.unknownMember(k, ['dealings', 'signatures'], path);
      }
    }
  }
  const x0 = readJsonCeremonyDealingList(r, v['dealings'], path + '.dealings');
  const x1 = readJsonBytes64List(r, v['signatures'], path + '.signatures');
  return { dealings: x0, signatures: x1 };
}

function readJsonValidatorList(r: $JsonReader, v: unknown, path: string): readonly Validator[] {
  r.list(v, 4294967295, path);
  const items: (Validator)[] = [];
  for (let i = 0; i < v.length; i++) items.push(readJsonValidator(r, v[i], path + '[' + i + ']'));
  return items;
}

export function readJsonTimelock(r: $JsonReader, v: unknown, path: string): Timelock {
  r.object(v, 'Timelock', path);
  if (r.refusesUnknown) {
    for (const k in v) {
      switch (k) {
        case 'admin': case 'delay': break;
        default: r.unknownMember(k, ['admin', 'delay'], path);
      }
    }
  }
  const x0 = r.address(v['admin'], path, '.admin', -1);
  const x1 = r.u64(v['delay'], path, '.delay', -1);
  return { admin: x0, delay: x1 };
}

export function readJsonSignature(r: $JsonReader, v: unknown, path: string): Signature {
  r.object(v, 'Signature: {"type": …, "value": …}', path);
  if (r.refusesUnknown) {
    for (const k in v) {
      switch (k) {
        case 'type': case 'value': break;
        default: r.unknownMember(k, ['type', 'value'], path);
      }
    }
  }
  switch (v['type']) {
    case 'ed25519':
      return { type: 'ed25519', value: readJsonEd25519Signature(r, v['value'], path + '.ed25519') };
    case 'secp256k1':
      return { type: 'secp256k1', value: readJsonSecp256k1Signature(r, v['value'], path + '.secp256k1') };
    default:
      return r.unknownVariant(v['type'], ['ed25519', 'secp256k1'], path);
  }
}

export function readJsonSignedEnvelope(r: $JsonReader, v: unknown, path: string): SignedEnvelope {
  r.object(v, 'SignedEnvelope', path);
  if (r.refusesUnknown) {
    for (const k in v) {
      switch (k) {
        case 'envelope': case 'signature': break;
        default: r.unknownMember(k, ['envelope', 'signature'], path);
      }
    }
  }
  const x0 = readJsonSealedEnvelope(r, v['envelope'], path + '.envelope');
  const x1 = readJsonSignature(r, v['signature'], path + '.signature');
  return { envelope: x0, signature: x1 };
}

export function readJsonSealKey(r: $JsonReader, v: unknown, path: string): SealKey {
  r.object(v, 'SealKey', path);
  if (r.refusesUnknown) {
    for (const k in v) {
      switch (k) {
        case 'height': case 'signature': break;
        default: r.unknownMember(k, ['height', 'signature'], path);
      }
    }
  }
  const x0 = r.u64(v['height'], path, '.height', -1);
  const x1 = r.fixed(v['signature'], 96, path, '.signature', -1);
  return { height: x0, signature: x1 };
}

export function readJsonDealing(r: $JsonReader, v: unknown, path: string): Dealing {
  r.object(v, 'Dealing', path);
  if (r.refusesUnknown) {
    for (const k in v) {
      switch (k) {
        case 'epoch': case 'dealer': case 'commitments': case 'encryption_key': case 'acks': case 'sealed': case 'signature': break;
        default: r.unknownMember(k, ['epoch', 'dealer', 'commitments', 'encryption_key', 'acks', 'sealed', 'signature'], path);
      }
    }
  }
  const x0 = r.u64(v['epoch'], path, '.epoch', -1);
  const x1 = r.u32(v['dealer'], path, '.dealer', -1);
  const x2 = readJsonBytes48List(r, v['commitments'], path + '.commitments');
  const x3 = r.fixed(v['encryption_key'], 48, path, '.encryption_key', -1);
  const x4 = readJsonAckList(r, v['acks'], path + '.acks');
  const x5 = readJsonSealedShareList(r, v['sealed'], path + '.sealed');
  const x6 = r.fixed(v['signature'], 64, path, '.signature', -1);
  return { epoch: x0, dealer: x1, commitments: x2, encryption_key: x3, acks: x4, sealed: x5, signature: x6 };
}

export function readJsonApprovedChange(r: $JsonReader, v: unknown, path: string): ApprovedChange {
  r.object(v, 'ApprovedChange', path);
  if (r.refusesUnknown) {
    for (const k in v) {
      switch (k) {
        case 'epoch': case 'change': case 'approvals': break;
        default: r.unknownMember(k, ['epoch', 'change', 'approvals'], path);
      }
    }
  }
  const x0 = r.u64(v['epoch'], path, '.epoch', -1);
  const x1 = readJsonValidatorChange(r, v['change'], path + '.change');
  const x2 = readJsonApprovalList(r, v['approvals'], path + '.approvals');
  return { epoch: x0, change: x1, approvals: x2 };
}

export function readJsonComplaint(r: $JsonReader, v: unknown, path: string): Complaint {
  r.object(v, 'Complaint', path);
  if (r.refusesUnknown) {
    for (const k in v) {
      switch (k) {
        case 'epoch': case 'dealer': case 'player': case 'shared': case 'challenge': case 'response': break;
        default: r.unknownMember(k, ['epoch', 'dealer', 'player', 'shared', 'challenge', 'response'], path);
      }
    }
  }
  const x0 = r.u64(v['epoch'], path, '.epoch', -1);
  const x1 = r.u32(v['dealer'], path, '.dealer', -1);
  const x2 = r.u32(v['player'], path, '.player', -1);
  const x3 = r.fixed(v['shared'], 48, path, '.shared', -1);
  const x4 = r.digest(v['challenge'], 'bytes32', path, '.challenge', -1);
  const x5 = r.digest(v['response'], 'bytes32', path, '.response', -1);
  return { epoch: x0, dealer: x1, player: x2, shared: x3, challenge: x4, response: x5 };
}

export function readJsonCall(r: $JsonReader, v: unknown, path: string): Call {
  r.object(v, 'Call', path);
  if (r.refusesUnknown) {
    for (const k in v) {
      switch (k) {
        case 'contract': case 'input': case 'value': break;
        default: r.unknownMember(k, ['contract', 'input', 'value'], path);
      }
    }
  }
  const x0 = r.address(v['contract'], path, '.contract', -1);
  const x1 = r.bytes(v['input'], 4294967295, path, '.input', -1);
  const x2 = r.u128(v['value'], path, '.value', -1);
  return { contract: x0, input: x1, value: x2 };
}

function readJsonCallList(r: $JsonReader, v: unknown, path: string): readonly Call[] {
  r.list(v, 4294967295, path);
  const items: (Call)[] = [];
  for (let i = 0; i < v.length; i++) items.push(readJsonCall(r, v[i], path + '[' + i + ']'));
  return items;
}

function readJsonCeremonyDealingList(r: $JsonReader, v: unknown, path: string): readonly CeremonyDealing[] {
  r.list(v, 4294967295, path);
  const items: (CeremonyDealing)[] = [];
  for (let i = 0; i < v.length; i++) items.push(readJsonCeremonyDealing(r, v[i], path + '[' + i + ']'));
  return items;
}

function readJsonBytes64List(r: $JsonReader, v: unknown, path: string): readonly Uint8Array[] {
  r.list(v, 4294967295, path);
  const items: (Uint8Array)[] = [];
  for (let i = 0; i < v.length; i++) items.push(r.fixed(v[i], 64, path, '', i));
  return items;
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

export function readJsonEd25519Signature(r: $JsonReader, v: unknown, path: string): Ed25519Signature {
  r.object(v, 'Ed25519Signature', path);
  if (r.refusesUnknown) {
    for (const k in v) {
      switch (k) {
        case 'public_key': case 'signature': break;
        default: r.unknownMember(k, ['public_key', 'signature'], path);
      }
    }
  }
  const x0 = r.digest(v['public_key'], 'bytes32', path, '.public_key', -1);
  const x1 = r.fixed(v['signature'], 64, path, '.signature', -1);
  return { public_key: x0, signature: x1 };
}

export function readJsonSecp256k1Signature(r: $JsonReader, v: unknown, path: string): Secp256k1Signature {
  r.object(v, 'Secp256k1Signature', path);
  if (r.refusesUnknown) {
    for (const k in v) {
      switch (k) {
        case 'public_key': case 'signature': break;
        default: r.unknownMember(k, ['public_key', 'signature'], path);
      }
    }
  }
  const x0 = r.fixed(v['public_key'], 33, path, '.public_key', -1);
  const x1 = r.fixed(v['signature'], 64, path, '.signature', -1);
  return { public_key: x0, signature: x1 };
}

export function readJsonSealedEnvelope(r: $JsonReader, v: unknown, path: string): SealedEnvelope {
  r.object(v, 'SealedEnvelope', path);
  if (r.refusesUnknown) {
    for (const k in v) {
      switch (k) {
        case 'header': case 'u': case 'v': case 'w': case 'payload': break;
        default: r.unknownMember(k, ['header', 'u', 'v', 'w', 'payload'], path);
      }
    }
  }
  const x0 = readJsonSealedHeader(r, v['header'], path + '.header');
  const x1 = r.fixed(v['u'], 48, path, '.u', -1);
  const x2 = r.digest(v['v'], 'bytes32', path, '.v', -1);
  const x3 = r.digest(v['w'], 'bytes32', path, '.w', -1);
  const x4 = r.bytes(v['payload'], 4294967295, path, '.payload', -1);
  return { header: x0, u: x1, v: x2, w: x3, payload: x4 };
}

function readJsonAckList(r: $JsonReader, v: unknown, path: string): readonly Ack[] {
  r.list(v, 4294967295, path);
  const items: (Ack)[] = [];
  for (let i = 0; i < v.length; i++) items.push(readJsonAck(r, v[i], path + '[' + i + ']'));
  return items;
}

function readJsonSealedShareList(r: $JsonReader, v: unknown, path: string): readonly SealedShare[] {
  r.list(v, 4294967295, path);
  const items: (SealedShare)[] = [];
  for (let i = 0; i < v.length; i++) items.push(readJsonSealedShare(r, v[i], path + '[' + i + ']'));
  return items;
}

function readJsonApprovalList(r: $JsonReader, v: unknown, path: string): readonly Approval[] {
  r.list(v, 4294967295, path);
  const items: (Approval)[] = [];
  for (let i = 0; i < v.length; i++) items.push(readJsonApproval(r, v[i], path + '[' + i + ']'));
  return items;
}

export function readJsonCeremonyDealing(r: $JsonReader, v: unknown, path: string): CeremonyDealing {
  r.object(v, 'CeremonyDealing', path);
  if (r.refusesUnknown) {
    for (const k in v) {
      switch (k) {
        case 'dealer': case 'commitments': break;
        default: r.unknownMember(k, ['dealer', 'commitments'], path);
      }
    }
  }
  const x0 = r.u32(v['dealer'], path, '.dealer', -1);
  const x1 = readJsonBytes48List(r, v['commitments'], path + '.commitments');
  return { dealer: x0, commitments: x1 };
}

export function readJsonSealedHeader(r: $JsonReader, v: unknown, path: string): SealedHeader {
  r.object(v, 'SealedHeader', path);
  if (r.refusesUnknown) {
    for (const k in v) {
      switch (k) {
        case 'chain_id': case 'sender': case 'lane': case 'nonce': case 'gas_limit': case 'max_fee': case 'priority_fee': case 'max_seal_fee': case 'opens_at': break;
        default: r.unknownMember(k, ['chain_id', 'sender', 'lane', 'nonce', 'gas_limit', 'max_fee', 'priority_fee', 'max_seal_fee', 'opens_at'], path);
      }
    }
  }
  const x0 = r.u64(v['chain_id'], path, '.chain_id', -1);
  const x1 = r.address(v['sender'], path, '.sender', -1);
  const x2 = r.u32(v['lane'], path, '.lane', -1);
  const x3 = r.u64(v['nonce'], path, '.nonce', -1);
  const x4 = r.u64(v['gas_limit'], path, '.gas_limit', -1);
  const x5 = r.u128(v['max_fee'], path, '.max_fee', -1);
  const x6 = r.u128(v['priority_fee'], path, '.priority_fee', -1);
  const x7 = r.u128(v['max_seal_fee'], path, '.max_seal_fee', -1);
  const x8 = r.u64(v['opens_at'], path, '.opens_at', -1);
  return { chain_id: x0, sender: x1, lane: x2, nonce: x3, gas_limit: x4, max_fee: x5, priority_fee: x6, max_seal_fee: x7, opens_at: x8 };
}

export function readJsonAck(r: $JsonReader, v: unknown, path: string): Ack {
  r.object(v, 'Ack', path);
  if (r.refusesUnknown) {
    for (const k in v) {
      switch (k) {
        case 'player': case 'signature': break;
        default: r.unknownMember(k, ['player', 'signature'], path);
      }
    }
  }
  const x0 = r.u32(v['player'], path, '.player', -1);
  const x1 = r.fixed(v['signature'], 64, path, '.signature', -1);
  return { player: x0, signature: x1 };
}

export function readJsonSealedShare(r: $JsonReader, v: unknown, path: string): SealedShare {
  r.object(v, 'SealedShare', path);
  if (r.refusesUnknown) {
    for (const k in v) {
      switch (k) {
        case 'player': case 'ephemeral': case 'share': case 'challenge': case 'response': break;
        default: r.unknownMember(k, ['player', 'ephemeral', 'share', 'challenge', 'response'], path);
      }
    }
  }
  const x0 = r.u32(v['player'], path, '.player', -1);
  const x1 = r.fixed(v['ephemeral'], 48, path, '.ephemeral', -1);
  const x2 = r.digest(v['share'], 'bytes32', path, '.share', -1);
  const x3 = r.digest(v['challenge'], 'bytes32', path, '.challenge', -1);
  const x4 = r.digest(v['response'], 'bytes32', path, '.response', -1);
  return { player: x0, ephemeral: x1, share: x2, challenge: x3, response: x4 };
}

export function readJsonApproval(r: $JsonReader, v: unknown, path: string): Approval {
  r.object(v, 'Approval', path);
  if (r.refusesUnknown) {
    for (const k in v) {
      switch (k) {
        case 'index': case 'signature': break;
        default: r.unknownMember(k, ['index', 'signature'], path);
      }
    }
  }
  const x0 = r.u32(v['index'], path, '.index', -1);
  const x1 = r.fixed(v['signature'], 64, path, '.signature', -1);
  return { index: x0, signature: x1 };
}

export function writeJsonTransaction(w: $JsonWriter, v: Transaction, path: string): string {
  w.object(v, 'Transaction', path);
  let s = '{"chain_id":' + w.u64(v.chain_id, path, '.chain_id', -1) + ',"sender":' + w.fixed(v.sender, 20, path, '.sender', -1) + ',"lane":' + w.u32(v.lane, path, '.lane', -1) + ',"nonce":' + w.u64(v.nonce, path, '.nonce', -1) + ',"gas_limit":' + w.u64(v.gas_limit, path, '.gas_limit', -1) + ',"max_fee":' + w.u128(v.max_fee, path, '.max_fee', -1) + ',"priority_fee":' + w.u128(v.priority_fee, path, '.priority_fee', -1);
  const x7 = v.valid_until;
  if (x7 !== undefined && x7 !== null) s += ',"valid_until":' + w.u64(x7, path, '.valid_until', -1);
  return s + ',"action":' + writeJsonAction(w, v.action, path + '.action') + '}';
}

export function writeJsonTransfer(w: $JsonWriter, v: Transfer, path: string): string {
  w.object(v, 'Transfer', path);
  return '{"to":' + w.fixed(v.to, 20, path, '.to', -1) + ',"amount":' + w.u128(v.amount, path, '.amount', -1) + '}';
}

export function writeJsonDeploy(w: $JsonWriter, v: Deploy, path: string): string {
  w.object(v, 'Deploy', path);
  let s = '{"vm":' + writeJsonVmType(w, v.vm, path + '.vm') + ',"code":' + w.bytes(v.code, 4294967295, path, '.code', -1);
  const x2 = v.idl;
  if (x2 !== undefined && x2 !== null) s += ',"idl":' + w.string(x2, 4294967295, path, '.idl', -1);
  return s + ',"abi_version":' + w.u32(v.abi_version, path, '.abi_version', -1) + ',"upgrade_policy":' + writeJsonUpgradePolicy(w, v.upgrade_policy, path + '.upgrade_policy') + ',"input":' + w.bytes(v.input, 4294967295, path, '.input', -1) + ',"value":' + w.u128(v.value, path, '.value', -1) + '}';
}

export function writeJsonCall(w: $JsonWriter, v: Call, path: string): string {
  w.object(v, 'Call', path);
  return '{"contract":' + w.fixed(v.contract, 20, path, '.contract', -1) + ',"input":' + w.bytes(v.input, 4294967295, path, '.input', -1) + ',"value":' + w.u128(v.value, path, '.value', -1) + '}';
}

export function writeJsonUpgrade(w: $JsonWriter, v: Upgrade, path: string): string {
  w.object(v, 'Upgrade', path);
  let s = '{"contract":' + w.fixed(v.contract, 20, path, '.contract', -1) + ',"code":' + w.bytes(v.code, 4294967295, path, '.code', -1);
  const x2 = v.idl;
  if (x2 !== undefined && x2 !== null) s += ',"idl":' + w.string(x2, 4294967295, path, '.idl', -1);
  return s + ',"abi_version":' + w.u32(v.abi_version, path, '.abi_version', -1) + ',"input":' + w.bytes(v.input, 4294967295, path, '.input', -1) + '}';
}

export function writeJsonTimelock(w: $JsonWriter, v: Timelock, path: string): string {
  w.object(v, 'Timelock', path);
  return '{"admin":' + w.fixed(v.admin, 20, path, '.admin', -1) + ',"delay":' + w.u64(v.delay, path, '.delay', -1) + '}';
}

export function writeJsonSignedTransaction(w: $JsonWriter, v: SignedTransaction, path: string): string {
  w.object(v, 'SignedTransaction', path);
  return '{"transaction":' + writeJsonTransaction(w, v.transaction, path + '.transaction') + ',"signature":' + writeJsonSignature(w, v.signature, path + '.signature') + '}';
}

export function writeJsonEd25519Signature(w: $JsonWriter, v: Ed25519Signature, path: string): string {
  w.object(v, 'Ed25519Signature', path);
  return '{"public_key":' + w.digest(v.public_key, path, '.public_key', -1) + ',"signature":' + w.fixed(v.signature, 64, path, '.signature', -1) + '}';
}

export function writeJsonSecp256k1Signature(w: $JsonWriter, v: Secp256k1Signature, path: string): string {
  w.object(v, 'Secp256k1Signature', path);
  return '{"public_key":' + w.fixed(v.public_key, 33, path, '.public_key', -1) + ',"signature":' + w.fixed(v.signature, 64, path, '.signature', -1) + '}';
}

export function writeJsonBlockHeader(w: $JsonWriter, v: BlockHeader, path: string): string {
  w.object(v, 'BlockHeader', path);
  return '{"chain_id":' + w.u64(v.chain_id, path, '.chain_id', -1) + ',"height":' + w.u64(v.height, path, '.height', -1) + ',"parent_hash":' + w.digest(v.parent_hash, path, '.parent_hash', -1) + ',"epoch":' + w.u64(v.epoch, path, '.epoch', -1) + ',"view":' + w.u64(v.view, path, '.view', -1) + ',"timestamp_ms":' + w.u64(v.timestamp_ms, path, '.timestamp_ms', -1) + ',"proposer":' + w.u32(v.proposer, path, '.proposer', -1) + ',"transactions_root":' + w.digest(v.transactions_root, path, '.transactions_root', -1) + ',"receipts_root":' + w.digest(v.receipts_root, path, '.receipts_root', -1) + ',"state_root":' + w.digest(v.state_root, path, '.state_root', -1) + ',"history_root":' + w.digest(v.history_root, path, '.history_root', -1) + ',"validators_hash":' + w.digest(v.validators_hash, path, '.validators_hash', -1) + ',"gas_used":' + w.u64(v.gas_used, path, '.gas_used', -1) + ',"gas_limit":' + w.u64(v.gas_limit, path, '.gas_limit', -1) + ',"base_fee":' + w.u128(v.base_fee, path, '.base_fee', -1) + ',"seal_excess":' + w.u64(v.seal_excess, path, '.seal_excess', -1) + ',"extra":' + w.bytes(v.extra, 4294967295, path, '.extra', -1) + '}';
}

export function writeJsonBlockBody(w: $JsonWriter, v: BlockBody, path: string): string {
  w.object(v, 'BlockBody', path);
  return '{"items":' + writeJsonBlockItemList(w, v.items, path + '.items') + '}';
}

export function writeJsonLedgerReceipt(w: $JsonWriter, v: LedgerReceipt, path: string): string {
  w.object(v, 'LedgerReceipt', path);
  let s = '{"tx_hash":' + w.digest(v.tx_hash, path, '.tx_hash', -1) + ',"outcome":' + writeJsonOutcome(w, v.outcome, path + '.outcome') + ',"gas_used":' + w.u64(v.gas_used, path, '.gas_used', -1) + ',"fee":' + w.u128(v.fee, path, '.fee', -1);
  const x4 = v.contract;
  if (x4 !== undefined && x4 !== null) s += ',"contract":' + w.fixed(x4, 20, path, '.contract', -1);
  return s + ',"output":' + w.bytes(v.output, 4294967295, path, '.output', -1) + ',"logs":' + writeJsonLedgerLogList(w, v.logs, path + '.logs') + '}';
}

export function writeJsonLedgerLog(w: $JsonWriter, v: LedgerLog, path: string): string {
  w.object(v, 'LedgerLog', path);
  return '{"contract":' + w.fixed(v.contract, 20, path, '.contract', -1) + ',"topics":' + writeJsonHashList(w, v.topics, path + '.topics') + ',"data":' + w.bytes(v.data, 4294967295, path, '.data', -1) + '}';
}

export function writeJsonAccountRecord(w: $JsonWriter, v: AccountRecord, path: string): string {
  w.object(v, 'AccountRecord', path);
  let s = '{"balance":' + w.u128(v.balance, path, '.balance', -1) + ',"lanes":' + writeJsonLaneList(w, v.lanes, path + '.lanes') + ',"deploy_index":' + w.u64(v.deploy_index, path, '.deploy_index', -1);
  const x3 = v.contract;
  if (x3 !== undefined && x3 !== null) s += ',"contract":' + writeJsonContractRecord(w, x3, path + '.contract');
  return s + '}';
}

export function writeJsonLane(w: $JsonWriter, v: Lane, path: string): string {
  w.object(v, 'Lane', path);
  return '{"lane":' + w.u32(v.lane, path, '.lane', -1) + ',"next_nonce":' + w.u64(v.next_nonce, path, '.next_nonce', -1) + '}';
}

export function writeJsonContractRecord(w: $JsonWriter, v: ContractRecord, path: string): string {
  w.object(v, 'ContractRecord', path);
  let s = '{"vm":' + writeJsonVmType(w, v.vm, path + '.vm') + ',"code_hash":' + w.digest(v.code_hash, path, '.code_hash', -1) + ',"code_size":' + w.u32(v.code_size, path, '.code_size', -1);
  const x3 = v.idl_hash;
  if (x3 !== undefined && x3 !== null) s += ',"idl_hash":' + w.digest(x3, path, '.idl_hash', -1);
  s += ',"abi_version":' + w.u32(v.abi_version, path, '.abi_version', -1) + ',"upgrade_policy":' + writeJsonUpgradePolicy(w, v.upgrade_policy, path + '.upgrade_policy') + ',"deployer":' + w.fixed(v.deployer, 20, path, '.deployer', -1) + ',"deployed_at":' + w.u64(v.deployed_at, path, '.deployed_at', -1);
  const x8 = v.pending_upgrade;
  if (x8 !== undefined && x8 !== null) s += ',"pending_upgrade":' + writeJsonPendingUpgrade(w, x8, path + '.pending_upgrade');
  return s + '}';
}

export function writeJsonPendingUpgrade(w: $JsonWriter, v: PendingUpgrade, path: string): string {
  w.object(v, 'PendingUpgrade', path);
  let s = '{"code_hash":' + w.digest(v.code_hash, path, '.code_hash', -1);
  const x1 = v.idl_hash;
  if (x1 !== undefined && x1 !== null) s += ',"idl_hash":' + w.digest(x1, path, '.idl_hash', -1);
  return s + ',"abi_version":' + w.u32(v.abi_version, path, '.abi_version', -1) + ',"ready_at":' + w.u64(v.ready_at, path, '.ready_at', -1) + '}';
}

export function writeJsonValidatorSet(w: $JsonWriter, v: ValidatorSet, path: string): string {
  w.object(v, 'ValidatorSet', path);
  return '{"epoch":' + w.u64(v.epoch, path, '.epoch', -1) + ',"quorum":' + w.u32(v.quorum, path, '.quorum', -1) + ',"group_public_key":' + w.bytes(v.group_public_key, 4294967295, path, '.group_public_key', -1) + ',"validators":' + writeJsonValidatorList(w, v.validators, path + '.validators') + '}';
}

export function writeJsonValidator(w: $JsonWriter, v: Validator, path: string): string {
  w.object(v, 'Validator', path);
  return '{"index":' + w.u32(v.index, path, '.index', -1) + ',"address":' + w.fixed(v.address, 20, path, '.address', -1) + ',"identity_key":' + w.digest(v.identity_key, path, '.identity_key', -1) + ',"share_public_key":' + w.bytes(v.share_public_key, 4294967295, path, '.share_public_key', -1) + '}';
}

export function writeJsonGenesis(w: $JsonWriter, v: Genesis, path: string): string {
  w.object(v, 'Genesis', path);
  let s = '{"chain_id":' + w.u64(v.chain_id, path, '.chain_id', -1) + ',"timestamp_ms":' + w.u64(v.timestamp_ms, path, '.timestamp_ms', -1) + ',"gas_limit":' + w.u64(v.gas_limit, path, '.gas_limit', -1) + ',"base_fee":' + w.u128(v.base_fee, path, '.base_fee', -1);
  const x4 = v.extra;
  if (x4 !== undefined && x4 !== null) s += ',"extra":' + w.bytes(x4, 4294967295, path, '.extra', -1);
  s += ',"validator_set":' + writeJsonValidatorSet(w, v.validator_set, path + '.validator_set');
  const x6 = v.encryption_keys;
  if (x6 !== undefined && x6 !== null) s += ',"encryption_keys":' + writeJsonBytes48List(w, x6, path + '.encryption_keys');
  s += ',"accounts":' + writeJsonGenesisAccountList(w, v.accounts, path + '.accounts');
  const x8 = v.epoch_length;
  if (x8 !== undefined && x8 !== null) s += ',"epoch_length":' + w.u64(x8, path, '.epoch_length', -1);
  const x9 = v.ceremony;
  if (x9 !== undefined && x9 !== null) s += ',"ceremony":' + writeJsonCeremony(w, x9, path + '.ceremony');
  return s + '}';
}

export function writeJsonCeremony(w: $JsonWriter, v: Ceremony, path: string): string {
  w.object(v, 'Ceremony', path);
  return '{"dealings":' + writeJsonCeremonyDealingList(w, v.dealings, path + '.dealings') + ',"signatures":' + writeJsonBytes64List(w, v.signatures, path + '.signatures') + '}';
}

export function writeJsonCeremonyDealing(w: $JsonWriter, v: CeremonyDealing, path: string): string {
  w.object(v, 'CeremonyDealing', path);
  return '{"dealer":' + w.u32(v.dealer, path, '.dealer', -1) + ',"commitments":' + writeJsonBytes48List(w, v.commitments, path + '.commitments') + '}';
}

export function writeJsonEncryptionKeys(w: $JsonWriter, v: EncryptionKeys, path: string): string {
  w.object(v, 'EncryptionKeys', path);
  return '{"keys":' + writeJsonBytes48List(w, v.keys, path + '.keys') + '}';
}

export function writeJsonGenesisAccount(w: $JsonWriter, v: GenesisAccount, path: string): string {
  w.object(v, 'GenesisAccount', path);
  return '{"address":' + w.fixed(v.address, 20, path, '.address', -1) + ',"balance":' + w.u128(v.balance, path, '.balance', -1) + '}';
}

export function writeJsonSealedHeader(w: $JsonWriter, v: SealedHeader, path: string): string {
  w.object(v, 'SealedHeader', path);
  return '{"chain_id":' + w.u64(v.chain_id, path, '.chain_id', -1) + ',"sender":' + w.fixed(v.sender, 20, path, '.sender', -1) + ',"lane":' + w.u32(v.lane, path, '.lane', -1) + ',"nonce":' + w.u64(v.nonce, path, '.nonce', -1) + ',"gas_limit":' + w.u64(v.gas_limit, path, '.gas_limit', -1) + ',"max_fee":' + w.u128(v.max_fee, path, '.max_fee', -1) + ',"priority_fee":' + w.u128(v.priority_fee, path, '.priority_fee', -1) + ',"max_seal_fee":' + w.u128(v.max_seal_fee, path, '.max_seal_fee', -1) + ',"opens_at":' + w.u64(v.opens_at, path, '.opens_at', -1) + '}';
}

export function writeJsonSealedEnvelope(w: $JsonWriter, v: SealedEnvelope, path: string): string {
  w.object(v, 'SealedEnvelope', path);
  return '{"header":' + writeJsonSealedHeader(w, v.header, path + '.header') + ',"u":' + w.fixed(v.u, 48, path, '.u', -1) + ',"v":' + w.digest(v.v, path, '.v', -1) + ',"w":' + w.digest(v.w, path, '.w', -1) + ',"payload":' + w.bytes(v.payload, 4294967295, path, '.payload', -1) + '}';
}

export function writeJsonSignedEnvelope(w: $JsonWriter, v: SignedEnvelope, path: string): string {
  w.object(v, 'SignedEnvelope', path);
  return '{"envelope":' + writeJsonSealedEnvelope(w, v.envelope, path + '.envelope') + ',"signature":' + writeJsonSignature(w, v.signature, path + '.signature') + '}';
}

export function writeJsonPendingEnvelope(w: $JsonWriter, v: PendingEnvelope, path: string): string {
  w.object(v, 'PendingEnvelope', path);
  return '{"signed":' + writeJsonSignedEnvelope(w, v.signed, path + '.signed') + ',"gas_used":' + w.u64(v.gas_used, path, '.gas_used', -1) + ',"base_fee":' + w.u128(v.base_fee, path, '.base_fee', -1) + ',"deposit":' + w.u128(v.deposit, path, '.deposit', -1) + '}';
}

export function writeJsonOpeningSchedule(w: $JsonWriter, v: OpeningSchedule, path: string): string {
  w.object(v, 'OpeningSchedule', path);
  return '{"openings":' + writeJsonScheduledOpeningList(w, v.openings, path + '.openings') + ',"reserved_at":' + w.u64(v.reserved_at, path, '.reserved_at', -1) + ',"reserved":' + w.u32(v.reserved, path, '.reserved', -1) + '}';
}

export function writeJsonScheduledOpening(w: $JsonWriter, v: ScheduledOpening, path: string): string {
  w.object(v, 'ScheduledOpening', path);
  return '{"height":' + w.u64(v.height, path, '.height', -1) + ',"count":' + w.u32(v.count, path, '.count', -1) + ',"slots":' + w.u32(v.slots, path, '.slots', -1) + '}';
}

export function writeJsonSealKey(w: $JsonWriter, v: SealKey, path: string): string {
  w.object(v, 'SealKey', path);
  return '{"height":' + w.u64(v.height, path, '.height', -1) + ',"signature":' + w.fixed(v.signature, 96, path, '.signature', -1) + '}';
}

export function writeJsonDealing(w: $JsonWriter, v: Dealing, path: string): string {
  w.object(v, 'Dealing', path);
  return '{"epoch":' + w.u64(v.epoch, path, '.epoch', -1) + ',"dealer":' + w.u32(v.dealer, path, '.dealer', -1) + ',"commitments":' + writeJsonBytes48List(w, v.commitments, path + '.commitments') + ',"encryption_key":' + w.fixed(v.encryption_key, 48, path, '.encryption_key', -1) + ',"acks":' + writeJsonAckList(w, v.acks, path + '.acks') + ',"sealed":' + writeJsonSealedShareList(w, v.sealed, path + '.sealed') + ',"signature":' + w.fixed(v.signature, 64, path, '.signature', -1) + '}';
}

export function writeJsonAck(w: $JsonWriter, v: Ack, path: string): string {
  w.object(v, 'Ack', path);
  return '{"player":' + w.u32(v.player, path, '.player', -1) + ',"signature":' + w.fixed(v.signature, 64, path, '.signature', -1) + '}';
}

export function writeJsonSealedShare(w: $JsonWriter, v: SealedShare, path: string): string {
  w.object(v, 'SealedShare', path);
  return '{"player":' + w.u32(v.player, path, '.player', -1) + ',"ephemeral":' + w.fixed(v.ephemeral, 48, path, '.ephemeral', -1) + ',"share":' + w.digest(v.share, path, '.share', -1) + ',"challenge":' + w.digest(v.challenge, path, '.challenge', -1) + ',"response":' + w.digest(v.response, path, '.response', -1) + '}';
}

export function writeJsonComplaint(w: $JsonWriter, v: Complaint, path: string): string {
  w.object(v, 'Complaint', path);
  return '{"epoch":' + w.u64(v.epoch, path, '.epoch', -1) + ',"dealer":' + w.u32(v.dealer, path, '.dealer', -1) + ',"player":' + w.u32(v.player, path, '.player', -1) + ',"shared":' + w.fixed(v.shared, 48, path, '.shared', -1) + ',"challenge":' + w.digest(v.challenge, path, '.challenge', -1) + ',"response":' + w.digest(v.response, path, '.response', -1) + '}';
}

export function writeJsonDealingOrder(w: $JsonWriter, v: DealingOrder, path: string): string {
  w.object(v, 'DealingOrder', path);
  return '{"dealers":' + writeJsonU32List(w, v.dealers, path + '.dealers') + '}';
}

export function writeJsonNewValidator(w: $JsonWriter, v: NewValidator, path: string): string {
  w.object(v, 'NewValidator', path);
  return '{"identity_key":' + w.digest(v.identity_key, path, '.identity_key', -1) + ',"encryption_key":' + w.fixed(v.encryption_key, 48, path, '.encryption_key', -1) + ',"endpoint":' + w.string(v.endpoint, 4294967295, path, '.endpoint', -1) + '}';
}

export function writeJsonApprovedChange(w: $JsonWriter, v: ApprovedChange, path: string): string {
  w.object(v, 'ApprovedChange', path);
  return '{"epoch":' + w.u64(v.epoch, path, '.epoch', -1) + ',"change":' + writeJsonValidatorChange(w, v.change, path + '.change') + ',"approvals":' + writeJsonApprovalList(w, v.approvals, path + '.approvals') + '}';
}

export function writeJsonApproval(w: $JsonWriter, v: Approval, path: string): string {
  w.object(v, 'Approval', path);
  return '{"index":' + w.u32(v.index, path, '.index', -1) + ',"signature":' + w.fixed(v.signature, 64, path, '.signature', -1) + '}';
}

export function writeJsonConsensusParameters(w: $JsonWriter, v: ConsensusParameters, path: string): string {
  w.object(v, 'ConsensusParameters', path);
  return '{"epoch_length":' + w.u64(v.epoch_length, path, '.epoch_length', -1) + ',"ceremony":' + w.bool(v.ceremony, path, '.ceremony', -1) + '}';
}

export function writeJsonDevChanges(w: $JsonWriter, v: DevChanges, path: string): string {
  w.object(v, 'DevChanges', path);
  return '{"changes":' + writeJsonDevChangeList(w, v.changes, path + '.changes') + '}';
}

export function writeJsonDevForkedAccount(w: $JsonWriter, v: DevForkedAccount, path: string): string {
  w.object(v, 'DevForkedAccount', path);
  let s = '{"address":' + w.fixed(v.address, 20, path, '.address', -1) + ',"account":' + writeJsonAccountRecord(w, v.account, path + '.account');
  const x2 = v.code;
  if (x2 !== undefined && x2 !== null) s += ',"code":' + w.bytes(x2, 4294967295, path, '.code', -1);
  const x3 = v.idl;
  if (x3 !== undefined && x3 !== null) s += ',"idl":' + w.string(x3, 4294967295, path, '.idl', -1);
  return s + '}';
}

export function writeJsonDevBalance(w: $JsonWriter, v: DevBalance, path: string): string {
  w.object(v, 'DevBalance', path);
  return '{"address":' + w.fixed(v.address, 20, path, '.address', -1) + ',"amount":' + w.u128(v.amount, path, '.amount', -1) + '}';
}

export function writeJsonDevSlots(w: $JsonWriter, v: DevSlots, path: string): string {
  w.object(v, 'DevSlots', path);
  return '{"contract":' + w.fixed(v.contract, 20, path, '.contract', -1) + ',"slots":' + writeJsonDevSlotList(w, v.slots, path + '.slots') + '}';
}

export function writeJsonDevSlot(w: $JsonWriter, v: DevSlot, path: string): string {
  w.object(v, 'DevSlot', path);
  let s = '{"slot":' + w.digest(v.slot, path, '.slot', -1);
  const x1 = v.value;
  if (x1 !== undefined && x1 !== null) s += ',"value":' + w.bytes(x1, 4294967295, path, '.value', -1);
  return s + '}';
}

export function writeJsonDevContract(w: $JsonWriter, v: DevContract, path: string): string {
  w.object(v, 'DevContract', path);
  let s = '{"address":' + w.fixed(v.address, 20, path, '.address', -1) + ',"vm":' + writeJsonVmType(w, v.vm, path + '.vm') + ',"code":' + w.bytes(v.code, 4294967295, path, '.code', -1);
  const x3 = v.idl;
  if (x3 !== undefined && x3 !== null) s += ',"idl":' + w.string(x3, 4294967295, path, '.idl', -1);
  s += ',"abi_version":' + w.u32(v.abi_version, path, '.abi_version', -1) + ',"upgrade_policy":' + writeJsonUpgradePolicy(w, v.upgrade_policy, path + '.upgrade_policy') + ',"deployer":' + w.fixed(v.deployer, 20, path, '.deployer', -1) + ',"deployed_at":' + w.u64(v.deployed_at, path, '.deployed_at', -1);
  const x8 = v.pending_upgrade;
  if (x8 !== undefined && x8 !== null) s += ',"pending_upgrade":' + writeJsonPendingUpgrade(w, x8, path + '.pending_upgrade');
  return s + '}';
}

export function writeJsonDevDeployIndex(w: $JsonWriter, v: DevDeployIndex, path: string): string {
  w.object(v, 'DevDeployIndex', path);
  return '{"address":' + w.fixed(v.address, 20, path, '.address', -1) + ',"deploy_index":' + w.u64(v.deploy_index, path, '.deploy_index', -1) + '}';
}

export function writeJsonDevImpersonation(w: $JsonWriter, v: DevImpersonation, path: string): string {
  w.object(v, 'DevImpersonation', path);
  return '{"sender":' + w.fixed(v.sender, 20, path, '.sender', -1) + ',"action":' + writeJsonAction(w, v.action, path + '.action') + '}';
}

export function writeJsonAction(w: $JsonWriter, v: Action, path: string): string {
  w.object(v, 'Action', path);
  switch (v.type) {
    case 'transfer':
      return '{"type":"transfer","value":' + writeJsonTransfer(w, v.value, path + '.transfer') + '}';
    case 'deploy':
      return '{"type":"deploy","value":' + writeJsonDeploy(w, v.value, path + '.deploy') + '}';
    case 'call':
      return '{"type":"call","value":' + writeJsonCall(w, v.value, path + '.call') + '}';
    case 'upgrade':
      return '{"type":"upgrade","value":' + writeJsonUpgrade(w, v.value, path + '.upgrade') + '}';
    case 'batch':
      return '{"type":"batch","value":' + writeJsonCallList(w, v.value, path + '.batch') + '}';
    default:
      return w.unknownVariant((v as { readonly type: unknown }).type, ['transfer', 'deploy', 'call', 'upgrade', 'batch'], path);
  }
}

export function writeJsonVmType(w: $JsonWriter, v: VmType, path: string): string {
  w.object(v, 'VmType', path);
  switch (v.type) {
    case 'wasm':
      w.nothing(v.value, path);
      return '{"type":"wasm","value":null}';
    case 'evm':
      w.nothing(v.value, path);
      return '{"type":"evm","value":null}';
    default:
      return w.unknownVariant((v as { readonly type: unknown }).type, ['wasm', 'evm'], path);
  }
}

export function writeJsonUpgradePolicy(w: $JsonWriter, v: UpgradePolicy, path: string): string {
  w.object(v, 'UpgradePolicy', path);
  switch (v.type) {
    case 'immutable':
      w.nothing(v.value, path);
      return '{"type":"immutable","value":null}';
    case 'admin':
      return '{"type":"admin","value":' + w.fixed(v.value, 20, path, '.admin', -1) + '}';
    case 'timelock':
      return '{"type":"timelock","value":' + writeJsonTimelock(w, v.value, path + '.timelock') + '}';
    default:
      return w.unknownVariant((v as { readonly type: unknown }).type, ['immutable', 'admin', 'timelock'], path);
  }
}

export function writeJsonSignature(w: $JsonWriter, v: Signature, path: string): string {
  w.object(v, 'Signature', path);
  switch (v.type) {
    case 'ed25519':
      return '{"type":"ed25519","value":' + writeJsonEd25519Signature(w, v.value, path + '.ed25519') + '}';
    case 'secp256k1':
      return '{"type":"secp256k1","value":' + writeJsonSecp256k1Signature(w, v.value, path + '.secp256k1') + '}';
    default:
      return w.unknownVariant((v as { readonly type: unknown }).type, ['ed25519', 'secp256k1'], path);
  }
}

export function writeJsonBlockItem(w: $JsonWriter, v: BlockItem, path: string): string {
  w.object(v, 'BlockItem', path);
  switch (v.type) {
    case 'transaction':
      return '{"type":"transaction","value":' + writeJsonSignedTransaction(w, v.value, path + '.transaction') + '}';
    case 'sealed':
      return '{"type":"sealed","value":' + writeJsonSignedEnvelope(w, v.value, path + '.sealed') + '}';
    case 'seal_key':
      return '{"type":"seal_key","value":' + writeJsonSealKey(w, v.value, path + '.seal_key') + '}';
    case 'dealing':
      return '{"type":"dealing","value":' + writeJsonDealing(w, v.value, path + '.dealing') + '}';
    case 'change':
      return '{"type":"change","value":' + writeJsonApprovedChange(w, v.value, path + '.change') + '}';
    case 'complaint':
      return '{"type":"complaint","value":' + writeJsonComplaint(w, v.value, path + '.complaint') + '}';
    default:
      return w.unknownVariant((v as { readonly type: unknown }).type, ['transaction', 'sealed', 'seal_key', 'dealing', 'change', 'complaint'], path);
  }
}

export function writeJsonOutcome(w: $JsonWriter, v: Outcome, path: string): string {
  w.object(v, 'Outcome', path);
  switch (v.type) {
    case 'success':
      w.nothing(v.value, path);
      return '{"type":"success","value":null}';
    case 'reverted':
      w.nothing(v.value, path);
      return '{"type":"reverted","value":null}';
    case 'out_of_gas':
      w.nothing(v.value, path);
      return '{"type":"out_of_gas","value":null}';
    case 'trapped':
      w.nothing(v.value, path);
      return '{"type":"trapped","value":null}';
    case 'invalid':
      w.nothing(v.value, path);
      return '{"type":"invalid","value":null}';
    default:
      return w.unknownVariant((v as { readonly type: unknown }).type, ['success', 'reverted', 'out_of_gas', 'trapped', 'invalid'], path);
  }
}

export function writeJsonValidatorChange(w: $JsonWriter, v: ValidatorChange, path: string): string {
  w.object(v, 'ValidatorChange', path);
  switch (v.type) {
    case 'add':
      return '{"type":"add","value":' + writeJsonNewValidator(w, v.value, path + '.add') + '}';
    case 'remove':
      return '{"type":"remove","value":' + w.fixed(v.value, 20, path, '.remove', -1) + '}';
    default:
      return w.unknownVariant((v as { readonly type: unknown }).type, ['add', 'remove'], path);
  }
}

export function writeJsonDevChange(w: $JsonWriter, v: DevChange, path: string): string {
  w.object(v, 'DevChange', path);
  switch (v.type) {
    case 'balance':
      return '{"type":"balance","value":' + writeJsonDevBalance(w, v.value, path + '.balance') + '}';
    case 'slots':
      return '{"type":"slots","value":' + writeJsonDevSlots(w, v.value, path + '.slots') + '}';
    case 'contract':
      return '{"type":"contract","value":' + writeJsonDevContract(w, v.value, path + '.contract') + '}';
    case 'no_contract':
      return '{"type":"no_contract","value":' + w.fixed(v.value, 20, path, '.no_contract', -1) + '}';
    case 'deploy_index':
      return '{"type":"deploy_index","value":' + writeJsonDevDeployIndex(w, v.value, path + '.deploy_index') + '}';
    case 'impersonate':
      return '{"type":"impersonate","value":' + writeJsonDevImpersonation(w, v.value, path + '.impersonate') + '}';
    case 'forked_account':
      return '{"type":"forked_account","value":' + writeJsonDevForkedAccount(w, v.value, path + '.forked_account') + '}';
    case 'forked_slots':
      return '{"type":"forked_slots","value":' + writeJsonDevSlots(w, v.value, path + '.forked_slots') + '}';
    default:
      return w.unknownVariant((v as { readonly type: unknown }).type, ['balance', 'slots', 'contract', 'no_contract', 'deploy_index', 'impersonate', 'forked_account', 'forked_slots'], path);
  }
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

function writeJsonLedgerLogList(w: $JsonWriter, v: readonly LedgerLog[], path: string): string {
  w.list(v, 4294967295, path);
  if (v.length === 0) return '[]';
  let s = '[';
  for (let i = 0; i < v.length; i++) {
    if (i !== 0) s += ',';
    s += writeJsonLedgerLog(w, v[i] as LedgerLog, path + '[' + i + ']');
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

function writeJsonLaneList(w: $JsonWriter, v: readonly Lane[], path: string): string {
  w.list(v, 4294967295, path);
  if (v.length === 0) return '[]';
  let s = '[';
  for (let i = 0; i < v.length; i++) {
    if (i !== 0) s += ',';
    s += writeJsonLane(w, v[i] as Lane, path + '[' + i + ']');
  }
  return s + ']';
}

function writeJsonValidatorList(w: $JsonWriter, v: readonly Validator[], path: string): string {
  w.list(v, 4294967295, path);
  if (v.length === 0) return '[]';
  let s = '[';
  for (let i = 0; i < v.length; i++) {
    if (i !== 0) s += ',';
    s += writeJsonValidator(w, v[i] as Validator, path + '[' + i + ']');
  }
  return s + ']';
}

function writeJsonBytes48List(w: $JsonWriter, v: readonly Uint8Array[], path: string): string {
  w.list(v, 4294967295, path);
  if (v.length === 0) return '[]';
  let s = '[';
  for (let i = 0; i < v.length; i++) {
    if (i !== 0) s += ',';
    s += w.fixed(v[i] as Uint8Array, 48, path, '', i);
  }
  return s + ']';
}

function writeJsonGenesisAccountList(w: $JsonWriter, v: readonly GenesisAccount[], path: string): string {
  w.list(v, 4294967295, path);
  if (v.length === 0) return '[]';
  let s = '[';
  for (let i = 0; i < v.length; i++) {
    if (i !== 0) s += ',';
    s += writeJsonGenesisAccount(w, v[i] as GenesisAccount, path + '[' + i + ']');
  }
  return s + ']';
}

function writeJsonCeremonyDealingList(w: $JsonWriter, v: readonly CeremonyDealing[], path: string): string {
  w.list(v, 4294967295, path);
  if (v.length === 0) return '[]';
  let s = '[';
  for (let i = 0; i < v.length; i++) {
    if (i !== 0) s += ',';
    s += writeJsonCeremonyDealing(w, v[i] as CeremonyDealing, path + '[' + i + ']');
  }
  return s + ']';
}

function writeJsonBytes64List(w: $JsonWriter, v: readonly Uint8Array[], path: string): string {
  w.list(v, 4294967295, path);
  if (v.length === 0) return '[]';
  let s = '[';
  for (let i = 0; i < v.length; i++) {
    if (i !== 0) s += ',';
    s += w.fixed(v[i] as Uint8Array, 64, path, '', i);
  }
  return s + ']';
}

function writeJsonScheduledOpeningList(w: $JsonWriter, v: readonly ScheduledOpening[], path: string): string {
  w.list(v, 4294967295, path);
  if (v.length === 0) return '[]';
  let s = '[';
  for (let i = 0; i < v.length; i++) {
    if (i !== 0) s += ',';
    s += writeJsonScheduledOpening(w, v[i] as ScheduledOpening, path + '[' + i + ']');
  }
  return s + ']';
}

function writeJsonAckList(w: $JsonWriter, v: readonly Ack[], path: string): string {
  w.list(v, 4294967295, path);
  if (v.length === 0) return '[]';
  let s = '[';
  for (let i = 0; i < v.length; i++) {
    if (i !== 0) s += ',';
    s += writeJsonAck(w, v[i] as Ack, path + '[' + i + ']');
  }
  return s + ']';
}

function writeJsonSealedShareList(w: $JsonWriter, v: readonly SealedShare[], path: string): string {
  w.list(v, 4294967295, path);
  if (v.length === 0) return '[]';
  let s = '[';
  for (let i = 0; i < v.length; i++) {
    if (i !== 0) s += ',';
    s += writeJsonSealedShare(w, v[i] as SealedShare, path + '[' + i + ']');
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

function writeJsonApprovalList(w: $JsonWriter, v: readonly Approval[], path: string): string {
  w.list(v, 4294967295, path);
  if (v.length === 0) return '[]';
  let s = '[';
  for (let i = 0; i < v.length; i++) {
    if (i !== 0) s += ',';
    s += writeJsonApproval(w, v[i] as Approval, path + '[' + i + ']');
  }
  return s + ']';
}

function writeJsonDevChangeList(w: $JsonWriter, v: readonly DevChange[], path: string): string {
  w.list(v, 4294967295, path);
  if (v.length === 0) return '[]';
  let s = '[';
  for (let i = 0; i < v.length; i++) {
    if (i !== 0) s += ',';
    s += writeJsonDevChange(w, v[i] as DevChange, path + '[' + i + ']');
  }
  return s + ']';
}

function writeJsonDevSlotList(w: $JsonWriter, v: readonly DevSlot[], path: string): string {
  w.list(v, 4294967295, path);
  if (v.length === 0) return '[]';
  let s = '[';
  for (let i = 0; i < v.length; i++) {
    if (i !== 0) s += ',';
    s += writeJsonDevSlot(w, v[i] as DevSlot, path + '[' + i + ']');
  }
  return s + ']';
}

function writeJsonCallList(w: $JsonWriter, v: readonly Call[], path: string): string {
  w.list(v, 4294967295, path);
  if (v.length === 0) return '[]';
  let s = '[';
  for (let i = 0; i < v.length; i++) {
    if (i !== 0) s += ',';
    s += writeJsonCall(w, v[i] as Call, path + '[' + i + ']');
  }
  return s + ']';
}

/** Functions of structs and enums, by name; the input of `bindCodecs`. */
export const ledgerFunctions = {
  Transaction: { writeBorsh: writeBorshTransaction, readBorsh: readBorshTransaction, writeJson: writeJsonTransaction, readJson: readJsonTransaction },
  Transfer: { writeBorsh: writeBorshTransfer, readBorsh: readBorshTransfer, writeJson: writeJsonTransfer, readJson: readJsonTransfer },
  Deploy: { writeBorsh: writeBorshDeploy, readBorsh: readBorshDeploy, writeJson: writeJsonDeploy, readJson: readJsonDeploy },
  Call: { writeBorsh: writeBorshCall, readBorsh: readBorshCall, writeJson: writeJsonCall, readJson: readJsonCall },
  Upgrade: { writeBorsh: writeBorshUpgrade, readBorsh: readBorshUpgrade, writeJson: writeJsonUpgrade, readJson: readJsonUpgrade },
  Timelock: { writeBorsh: writeBorshTimelock, readBorsh: readBorshTimelock, writeJson: writeJsonTimelock, readJson: readJsonTimelock },
  SignedTransaction: { writeBorsh: writeBorshSignedTransaction, readBorsh: readBorshSignedTransaction, writeJson: writeJsonSignedTransaction, readJson: readJsonSignedTransaction },
  Ed25519Signature: { writeBorsh: writeBorshEd25519Signature, readBorsh: readBorshEd25519Signature, writeJson: writeJsonEd25519Signature, readJson: readJsonEd25519Signature },
  Secp256k1Signature: { writeBorsh: writeBorshSecp256k1Signature, readBorsh: readBorshSecp256k1Signature, writeJson: writeJsonSecp256k1Signature, readJson: readJsonSecp256k1Signature },
  BlockHeader: { writeBorsh: writeBorshBlockHeader, readBorsh: readBorshBlockHeader, writeJson: writeJsonBlockHeader, readJson: readJsonBlockHeader },
  BlockBody: { readBorsh: readBorshBlockBody, writeJson: writeJsonBlockBody },
  LedgerReceipt: { writeBorsh: writeBorshLedgerReceipt, readBorsh: readBorshLedgerReceipt, writeJson: writeJsonLedgerReceipt },
  LedgerLog: { writeBorsh: writeBorshLedgerLog, readBorsh: readBorshLedgerLog, writeJson: writeJsonLedgerLog },
  AccountRecord: { writeBorsh: writeBorshAccountRecord, readBorsh: readBorshAccountRecord, writeJson: writeJsonAccountRecord },
  Lane: { writeBorsh: writeBorshLane, readBorsh: readBorshLane, writeJson: writeJsonLane },
  ContractRecord: { writeBorsh: writeBorshContractRecord, readBorsh: readBorshContractRecord, writeJson: writeJsonContractRecord },
  PendingUpgrade: { writeBorsh: writeBorshPendingUpgrade, readBorsh: readBorshPendingUpgrade, writeJson: writeJsonPendingUpgrade, readJson: readJsonPendingUpgrade },
  ValidatorSet: { writeBorsh: writeBorshValidatorSet, readBorsh: readBorshValidatorSet, writeJson: writeJsonValidatorSet, readJson: readJsonValidatorSet },
  Validator: { writeBorsh: writeBorshValidator, readBorsh: readBorshValidator, writeJson: writeJsonValidator, readJson: readJsonValidator },
  Genesis: { writeBorsh: writeBorshGenesis, readBorsh: readBorshGenesis, writeJson: writeJsonGenesis, readJson: readJsonGenesis },
  Ceremony: { writeBorsh: writeBorshCeremony, readBorsh: readBorshCeremony, writeJson: writeJsonCeremony, readJson: readJsonCeremony },
  CeremonyDealing: { writeBorsh: writeBorshCeremonyDealing, readBorsh: readBorshCeremonyDealing, writeJson: writeJsonCeremonyDealing, readJson: readJsonCeremonyDealing },
  EncryptionKeys: { writeBorsh: writeBorshEncryptionKeys, readBorsh: readBorshEncryptionKeys, writeJson: writeJsonEncryptionKeys },
  GenesisAccount: { writeBorsh: writeBorshGenesisAccount, readBorsh: readBorshGenesisAccount, writeJson: writeJsonGenesisAccount, readJson: readJsonGenesisAccount },
  SealedHeader: { writeBorsh: writeBorshSealedHeader, readBorsh: readBorshSealedHeader, writeJson: writeJsonSealedHeader, readJson: readJsonSealedHeader },
  SealedEnvelope: { writeBorsh: writeBorshSealedEnvelope, readBorsh: readBorshSealedEnvelope, writeJson: writeJsonSealedEnvelope, readJson: readJsonSealedEnvelope },
  SignedEnvelope: { writeBorsh: writeBorshSignedEnvelope, readBorsh: readBorshSignedEnvelope, writeJson: writeJsonSignedEnvelope, readJson: readJsonSignedEnvelope },
  PendingEnvelope: { writeBorsh: writeBorshPendingEnvelope, readBorsh: readBorshPendingEnvelope, writeJson: writeJsonPendingEnvelope },
  OpeningSchedule: { writeBorsh: writeBorshOpeningSchedule, readBorsh: readBorshOpeningSchedule, writeJson: writeJsonOpeningSchedule },
  ScheduledOpening: { writeBorsh: writeBorshScheduledOpening, readBorsh: readBorshScheduledOpening, writeJson: writeJsonScheduledOpening },
  SealKey: { writeBorsh: writeBorshSealKey, readBorsh: readBorshSealKey, writeJson: writeJsonSealKey, readJson: readJsonSealKey },
  Dealing: { writeBorsh: writeBorshDealing, readBorsh: readBorshDealing, writeJson: writeJsonDealing, readJson: readJsonDealing },
  Ack: { writeBorsh: writeBorshAck, readBorsh: readBorshAck, writeJson: writeJsonAck, readJson: readJsonAck },
  SealedShare: { writeBorsh: writeBorshSealedShare, readBorsh: readBorshSealedShare, writeJson: writeJsonSealedShare, readJson: readJsonSealedShare },
  Complaint: { writeBorsh: writeBorshComplaint, readBorsh: readBorshComplaint, writeJson: writeJsonComplaint, readJson: readJsonComplaint },
  DealingOrder: { writeBorsh: writeBorshDealingOrder, readBorsh: readBorshDealingOrder, writeJson: writeJsonDealingOrder },
  NewValidator: { writeBorsh: writeBorshNewValidator, readBorsh: readBorshNewValidator, writeJson: writeJsonNewValidator, readJson: readJsonNewValidator },
  ApprovedChange: { writeBorsh: writeBorshApprovedChange, readBorsh: readBorshApprovedChange, writeJson: writeJsonApprovedChange, readJson: readJsonApprovedChange },
  Approval: { writeBorsh: writeBorshApproval, readBorsh: readBorshApproval, writeJson: writeJsonApproval, readJson: readJsonApproval },
  ConsensusParameters: { writeBorsh: writeBorshConsensusParameters, readBorsh: readBorshConsensusParameters, writeJson: writeJsonConsensusParameters },
  DevChanges: { writeBorsh: writeBorshDevChanges, readBorsh: readBorshDevChanges, writeJson: writeJsonDevChanges },
  DevForkedAccount: { writeBorsh: writeBorshDevForkedAccount, readBorsh: readBorshDevForkedAccount, writeJson: writeJsonDevForkedAccount },
  DevBalance: { writeBorsh: writeBorshDevBalance, readBorsh: readBorshDevBalance, writeJson: writeJsonDevBalance },
  DevSlots: { writeBorsh: writeBorshDevSlots, readBorsh: readBorshDevSlots, writeJson: writeJsonDevSlots },
  DevSlot: { writeBorsh: writeBorshDevSlot, readBorsh: readBorshDevSlot, writeJson: writeJsonDevSlot, readJson: readJsonDevSlot },
  DevContract: { writeBorsh: writeBorshDevContract, readBorsh: readBorshDevContract, writeJson: writeJsonDevContract },
  DevDeployIndex: { writeBorsh: writeBorshDevDeployIndex, readBorsh: readBorshDevDeployIndex, writeJson: writeJsonDevDeployIndex },
  DevImpersonation: { writeBorsh: writeBorshDevImpersonation, readBorsh: readBorshDevImpersonation, writeJson: writeJsonDevImpersonation },
  Action: { writeBorsh: writeBorshAction, readBorsh: readBorshAction, writeJson: writeJsonAction, readJson: readJsonAction },
  VmType: { writeBorsh: writeBorshVmType, readBorsh: readBorshVmType, writeJson: writeJsonVmType, readJson: readJsonVmType },
  UpgradePolicy: { writeBorsh: writeBorshUpgradePolicy, readBorsh: readBorshUpgradePolicy, writeJson: writeJsonUpgradePolicy, readJson: readJsonUpgradePolicy },
  Signature: { writeBorsh: writeBorshSignature, readBorsh: readBorshSignature, writeJson: writeJsonSignature, readJson: readJsonSignature },
  BlockItem: { writeBorsh: writeBorshBlockItem, readBorsh: readBorshBlockItem, writeJson: writeJsonBlockItem, readJson: readJsonBlockItem },
  Outcome: { writeBorsh: writeBorshOutcome, readBorsh: readBorshOutcome, writeJson: writeJsonOutcome, readJson: readJsonOutcome },
  ValidatorChange: { writeBorsh: writeBorshValidatorChange, readBorsh: readBorshValidatorChange, writeJson: writeJsonValidatorChange, readJson: readJsonValidatorChange },
  DevChange: { writeBorsh: writeBorshDevChange, readBorsh: readBorshDevChange, writeJson: writeJsonDevChange },
};

/** JSON and Borsh codecs by type name. */
export const ledgerCodecs: $BoundCodecs<LedgerTypes, typeof ledgerFunctions> = /* @__PURE__ */ $bindCodecs<LedgerTypes, typeof ledgerFunctions>(ledgerFunctions);
