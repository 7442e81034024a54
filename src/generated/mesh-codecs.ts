// Generated from idl/ledger.idl and idl/mesh.idl by `heddle idl generate`. Do not edit.
import {
  type BorshReader as $BorshReader,
  type BorshWriter as $BorshWriter,
  type CodecTable as $CodecTable,
  type FunctionTable as $FunctionTable,
  type JsonReader as $JsonReader,
  type JsonWriter as $JsonWriter,
  type Writable as $Writable,
  bindCodecs as $bindCodecs,
  borshWriter as $borshWriter,
} from '../idl/codecs/codec.js';
import type {
  BlockAnswer,
  CeremonyApproval,
  CeremonyBody,
  CeremonyConfiguration,
  CeremonyEnd,
  CeremonyFault,
  CeremonyFaultCode,
  CeremonyFrame,
  CeremonyMessage,
  CeremonyRecord,
  ChangeApproval,
  DealtAck,
  DealtShare,
  EncodedBlock,
  Finalized,
  FinalizedBlock,
  GetBlock,
  GetCertificates,
  GetFinalized,
  GossipItem,
  GossipedBundle,
  Hello,
  JournalRecord,
  MeshTypes,
  OwnDealing,
  Ping,
  Pong,
  Proposal,
  ReceivedShare,
  ResharingRecord,
  SealShare,
  Transactions,
  Vote,
  VoteCertificate,
  VoteEvidence,
  VoteKind,
  VotedMessage,
} from './mesh.js';
import type { GenesisAccount, NewValidator, SealedShare } from './ledger.js';
import {
  readBorshAccountRecord,
  readBorshAck,
  readBorshAction,
  readBorshApproval,
  readBorshApprovedChange,
  readBorshBlockBody,
  readBorshBlockHeader,
  readBorshBlockItem,
  readBorshCall,
  readBorshCeremony,
  readBorshCeremonyDealing,
  readBorshComplaint,
  readBorshConsensusParameters,
  readBorshContractRecord,
  readBorshDealing,
  readBorshDealingOrder,
  readBorshDeploy,
  readBorshDevBalance,
  readBorshDevChange,
  readBorshDevChanges,
  readBorshDevContract,
  readBorshDevDeployIndex,
  readBorshDevForkedAccount,
  readBorshDevImpersonation,
  readBorshDevSlot,
  readBorshDevSlots,
  readBorshEd25519Signature,
  readBorshEncryptionKeys,
  readBorshGenesis,
  readBorshGenesisAccount,
  readBorshLane,
  readBorshLedgerLog,
  readBorshLedgerReceipt,
  readBorshNewValidator,
  readBorshOpeningSchedule,
  readBorshOutcome,
  readBorshPendingEnvelope,
  readBorshPendingUpgrade,
  readBorshScheduledOpening,
  readBorshSealKey,
  readBorshSealedEnvelope,
  readBorshSealedHeader,
  readBorshSealedShare,
  readBorshSecp256k1Signature,
  readBorshSignature,
  readBorshSignedEnvelope,
  readBorshSignedTransaction,
  readBorshTimelock,
  readBorshTransaction,
  readBorshTransfer,
  readBorshUpgrade,
  readBorshUpgradePolicy,
  readBorshValidator,
  readBorshValidatorChange,
  readBorshValidatorSet,
  readBorshVmType,
  readJsonAccountRecord,
  readJsonAck,
  readJsonAction,
  readJsonApproval,
  readJsonApprovedChange,
  readJsonBlockBody,
  readJsonBlockHeader,
  readJsonBlockItem,
  readJsonCall,
  readJsonCeremony,
  readJsonCeremonyDealing,
  readJsonComplaint,
  readJsonConsensusParameters,
  readJsonContractRecord,
  readJsonDealing,
  readJsonDealingOrder,
  readJsonDeploy,
  readJsonDevBalance,
  readJsonDevChange,
  readJsonDevChanges,
  readJsonDevContract,
  readJsonDevDeployIndex,
  readJsonDevForkedAccount,
  readJsonDevImpersonation,
  readJsonDevSlot,
  readJsonDevSlots,
  readJsonEd25519Signature,
  readJsonEncryptionKeys,
  readJsonGenesis,
  readJsonGenesisAccount,
  readJsonLane,
  readJsonLedgerLog,
  readJsonLedgerReceipt,
  readJsonNewValidator,
  readJsonOpeningSchedule,
  readJsonOutcome,
  readJsonPendingEnvelope,
  readJsonPendingUpgrade,
  readJsonScheduledOpening,
  readJsonSealKey,
  readJsonSealedEnvelope,
  readJsonSealedHeader,
  readJsonSealedShare,
  readJsonSecp256k1Signature,
  readJsonSignature,
  readJsonSignedEnvelope,
  readJsonSignedTransaction,
  readJsonTimelock,
  readJsonTransaction,
  readJsonTransfer,
  readJsonUpgrade,
  readJsonUpgradePolicy,
  readJsonValidator,
  readJsonValidatorChange,
  readJsonValidatorSet,
  readJsonVmType,
  writeBorshAccountRecord,
  writeBorshAck,
  writeBorshAction,
  writeBorshApproval,
  writeBorshApprovedChange,
  writeBorshBlockBody,
  writeBorshBlockHeader,
  writeBorshBlockItem,
  writeBorshCall,
  writeBorshCeremony,
  writeBorshCeremonyDealing,
  writeBorshComplaint,
  writeBorshConsensusParameters,
  writeBorshContractRecord,
  writeBorshDealing,
  writeBorshDealingOrder,
  writeBorshDeploy,
  writeBorshDevBalance,
  writeBorshDevChange,
  writeBorshDevChanges,
  writeBorshDevContract,
  writeBorshDevDeployIndex,
  writeBorshDevForkedAccount,
  writeBorshDevImpersonation,
  writeBorshDevSlot,
  writeBorshDevSlots,
  writeBorshEd25519Signature,
  writeBorshEncryptionKeys,
  writeBorshGenesis,
  writeBorshGenesisAccount,
  writeBorshLane,
  writeBorshLedgerLog,
  writeBorshLedgerReceipt,
  writeBorshNewValidator,
  writeBorshOpeningSchedule,
  writeBorshOutcome,
  writeBorshPendingEnvelope,
  writeBorshPendingUpgrade,
  writeBorshScheduledOpening,
  writeBorshSealKey,
  writeBorshSealedEnvelope,
  writeBorshSealedHeader,
  writeBorshSealedShare,
  writeBorshSecp256k1Signature,
  writeBorshSignature,
  writeBorshSignedEnvelope,
  writeBorshSignedTransaction,
  writeBorshTimelock,
  writeBorshTransaction,
  writeBorshTransfer,
  writeBorshUpgrade,
  writeBorshUpgradePolicy,
  writeBorshValidator,
  writeBorshValidatorChange,
  writeBorshValidatorSet,
  writeBorshVmType,
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

export function readBorshVote(r: $BorshReader, path: string): Vote {
  const x0 = readBorshVoteKind(r, path + '.kind');
  const x1 = r.u64(path, '.epoch', -1);
  const x2 = r.u64(path, '.view', -1);
  const x3 = r.u64(path, '.parent_view', -1);
  const x4 = r.fixed(32, path, '.block_hash', -1);
  const x5 = r.u32(path, '.signer', -1);
  const x6 = r.fixed(96, path, '.partial', -1);
  const x7 = r.fixed(64, path, '.signature', -1);
  return { kind: x0, epoch: x1, view: x2, parent_view: x3, block_hash: x4, signer: x5, partial: x6, signature: x7 };
}

export function readBorshVoteCertificate(r: $BorshReader, path: string): VoteCertificate {
  const x0 = readBorshVoteKind(r, path + '.kind');
  const x1 = r.u64(path, '.epoch', -1);
  const x2 = r.u64(path, '.view', -1);
  const x3 = r.u64(path, '.parent_view', -1);
  const x4 = r.fixed(32, path, '.block_hash', -1);
  const x5 = r.fixed(96, path, '.signature', -1);
  return { kind: x0, epoch: x1, view: x2, parent_view: x3, block_hash: x4, signature: x5 };
}

export function readBorshVotedMessage(r: $BorshReader, path: string): VotedMessage {
  const x0 = readBorshVoteKind(r, path + '.kind');
  const x1 = r.u64(path, '.epoch', -1);
  const x2 = r.u64(path, '.view', -1);
  const x3 = r.u64(path, '.parent_view', -1);
  const x4 = r.fixed(32, path, '.block_hash', -1);
  return { kind: x0, epoch: x1, view: x2, parent_view: x3, block_hash: x4 };
}

export function readBorshVoteEvidence(r: $BorshReader, path: string): VoteEvidence {
  const x0 = readBorshVote(r, path + '.first');
  const x1 = readBorshVote(r, path + '.second');
  return { first: x0, second: x1 };
}

export function readBorshEncodedBlock(r: $BorshReader, path: string): EncodedBlock {
  const x0 = r.bytes(4294967295, path, '.header', -1);
  const x1 = r.bytes(4294967295, path, '.body', -1);
  return { header: x0, body: x1 };
}

export function readBorshSealShare(r: $BorshReader, path: string): SealShare {
  const x0 = r.u64(path, '.epoch', -1);
  const x1 = r.u64(path, '.height', -1);
  const x2 = r.u32(path, '.signer', -1);
  const x3 = r.fixed(96, path, '.partial', -1);
  return { epoch: x0, height: x1, signer: x2, partial: x3 };
}

export function readBorshDealtShare(r: $BorshReader, path: string): DealtShare {
  const x0 = r.u64(path, '.epoch', -1);
  const x1 = r.u32(path, '.dealer', -1);
  const x2 = readBorshBytes48List(r, path + '.commitments');
  const x3 = r.fixed(32, path, '.share', -1);
  return { epoch: x0, dealer: x1, commitments: x2, share: x3 };
}

export function readBorshDealtAck(r: $BorshReader, path: string): DealtAck {
  const x0 = r.u64(path, '.epoch', -1);
  const x1 = r.u32(path, '.dealer', -1);
  const x2 = readBorshAck(r, path + '.ack');
  return { epoch: x0, dealer: x1, ack: x2 };
}

export function readBorshResharingRecord(r: $BorshReader, path: string): ResharingRecord {
  const x0 = r.u64(path, '.epoch', -1);
  const x1 = r.flag(path, '.own', -1) ? readBorshOwnDealing(r, path + '.own') : undefined;
  const x2 = readBorshReceivedShareList(r, path + '.received');
  const result: $Writable<ResharingRecord> = { epoch: x0, received: x2 };
  if (x1 !== undefined) result.own = x1;
  return result;
}

export function readBorshOwnDealing(r: $BorshReader, path: string): OwnDealing {
  const x0 = readBorshBytes32List(r, path + '.polynomial');
  const x1 = r.fixed(32, path, '.seed', -1);
  const x2 = r.fixed(48, path, '.encryption_key', -1);
  return { polynomial: x0, seed: x1, encryption_key: x2 };
}

export function readBorshReceivedShare(r: $BorshReader, path: string): ReceivedShare {
  const x0 = r.u32(path, '.dealer', -1);
  const x1 = r.fixed(32, path, '.commitments_digest', -1);
  const x2 = r.fixed(32, path, '.share', -1);
  return { dealer: x0, commitments_digest: x1, share: x2 };
}

export function readBorshCeremonyConfiguration(r: $BorshReader, path: string): CeremonyConfiguration {
  const x0 = r.u64(path, '.chain_id', -1);
  const x1 = r.u64(path, '.timestamp_ms', -1);
  const x2 = r.u64(path, '.gas_limit', -1);
  const x3 = r.u128(path, '.base_fee', -1);
  const x4 = r.flag(path, '.extra', -1) ? r.bytes(4294967295, path, '.extra', -1) : undefined;
  const x5 = readBorshGenesisAccountList(r, path + '.accounts');
  const x6 = r.flag(path, '.epoch_length', -1) ? r.u64(path, '.epoch_length', -1) : undefined;
  const x7 = readBorshNewValidatorList(r, path + '.validators');
  const result: $Writable<CeremonyConfiguration> = { chain_id: x0, timestamp_ms: x1, gas_limit: x2, base_fee: x3, accounts: x5, validators: x7 };
  if (x4 !== undefined) result.extra = x4;
  if (x6 !== undefined) result.epoch_length = x6;
  return result;
}

export function readBorshCeremonyMessage(r: $BorshReader, path: string): CeremonyMessage {
  const x0 = r.fixed(32, path, '.configuration', -1);
  const x1 = r.u32(path, '.attempt', -1);
  const x2 = r.u32(path, '.sender', -1);
  const x3 = readBorshCeremonyBody(r, path + '.body');
  const x4 = r.fixed(64, path, '.signature', -1);
  return { configuration: x0, attempt: x1, sender: x2, body: x3, signature: x4 };
}

export function readBorshCeremonyApproval(r: $BorshReader, path: string): CeremonyApproval {
  const x0 = r.fixed(32, path, '.transcript', -1);
  const x1 = r.fixed(64, path, '.signature', -1);
  const x2 = readBorshHashList(r, path + '.commitments');
  return { transcript: x0, signature: x1, commitments: x2 };
}

export function readBorshCeremonyFault(r: $BorshReader, path: string): CeremonyFault {
  const x0 = readBorshCeremonyFaultCode(r, path + '.code');
  const x1 = readBorshU32List(r, path + '.participants');
  return { code: x0, participants: x1 };
}

export function readBorshCeremonyEnd(r: $BorshReader, path: string): CeremonyEnd {
  const x0 = readBorshBytes64List(r, path + '.signatures');
  const x1 = readBorshBytes64List(r, path + '.confirmations');
  return { signatures: x0, confirmations: x1 };
}

export function readBorshCeremonyRecord(r: $BorshReader, path: string): CeremonyRecord {
  const x0 = r.u32(path, '.attempt', -1);
  const x1 = readBorshGenesis(r, path + '.genesis');
  const x2 = r.u32(path, '.index', -1);
  const x3 = r.fixed(32, path, '.share', -1);
  const x4 = r.bytes(4294967295, path, '.vote', -1);
  const x5 = readBorshBytes64List(r, path + '.confirmed');
  const x6 = readBorshBytes64List(r, path + '.confirmations');
  return { attempt: x0, genesis: x1, index: x2, share: x3, vote: x4, confirmed: x5, confirmations: x6 };
}

export function readBorshHello(r: $BorshReader, path: string): Hello {
  const x0 = r.u32(path, '.version', -1);
  const x1 = r.u64(path, '.chain_id', -1);
  const x2 = r.fixed(32, path, '.chain', -1);
  return { version: x0, chain_id: x1, chain: x2 };
}

export function readBorshPing(r: $BorshReader, path: string): Ping {
  const x0 = r.u64(path, '.nonce', -1);
  return { nonce: x0 };
}

export function readBorshPong(r: $BorshReader, path: string): Pong {
  const x0 = r.u64(path, '.nonce', -1);
  return { nonce: x0 };
}

export function readBorshProposal(r: $BorshReader, path: string): Proposal {
  const x0 = readBorshVote(r, path + '.vote');
  const x1 = readBorshEncodedBlock(r, path + '.block');
  return { vote: x0, block: x1 };
}

export function readBorshGetBlock(r: $BorshReader, path: string): GetBlock {
  const x0 = r.fixed(32, path, '.block_hash', -1);
  return { block_hash: x0 };
}

export function readBorshBlockAnswer(r: $BorshReader, path: string): BlockAnswer {
  const x0 = r.fixed(32, path, '.block_hash', -1);
  const x1 = r.flag(path, '.block', -1) ? readBorshEncodedBlock(r, path + '.block') : undefined;
  const result: $Writable<BlockAnswer> = { block_hash: x0 };
  if (x1 !== undefined) result.block = x1;
  return result;
}

export function readBorshGetCertificates(r: $BorshReader, path: string): GetCertificates {
  const x0 = r.u64(path, '.epoch', -1);
  const x1 = r.u64(path, '.from_view', -1);
  const x2 = r.u64(path, '.to_view', -1);
  return { epoch: x0, from_view: x1, to_view: x2 };
}

export function readBorshGetFinalized(r: $BorshReader, path: string): GetFinalized {
  const x0 = r.u64(path, '.from_height', -1);
  const x1 = r.u32(path, '.count', -1);
  return { from_height: x0, count: x1 };
}

export function readBorshFinalized(r: $BorshReader, path: string): Finalized {
  const x0 = r.u64(path, '.from_height', -1);
  const x1 = readBorshFinalizedBlockListMax256(r, path + '.blocks');
  return { from_height: x0, blocks: x1 };
}

export function readBorshFinalizedBlock(r: $BorshReader, path: string): FinalizedBlock {
  const x0 = readBorshEncodedBlock(r, path + '.block');
  const x1 = r.flag(path, '.certificate', -1) ? readBorshVoteCertificate(r, path + '.certificate') : undefined;
  const result: $Writable<FinalizedBlock> = { block: x0 };
  if (x1 !== undefined) result.certificate = x1;
  return result;
}

export function readBorshTransactions(r: $BorshReader, path: string): Transactions {
  const x0 = readBorshGossipItemListMax4096(r, path + '.items');
  return { items: x0 };
}

export function readBorshGossipedBundle(r: $BorshReader, path: string): GossipedBundle {
  const x0 = readBorshBytesListMax1000(r, path + '.transactions');
  const x1 = r.flag(path, '.max_height', -1) ? r.u64(path, '.max_height', -1) : undefined;
  const result: $Writable<GossipedBundle> = { transactions: x0 };
  if (x1 !== undefined) result.max_height = x1;
  return result;
}

export function readBorshChangeApproval(r: $BorshReader, path: string): ChangeApproval {
  const x0 = r.u64(path, '.epoch', -1);
  const x1 = readBorshValidatorChange(r, path + '.change');
  const x2 = readBorshApproval(r, path + '.approval');
  return { epoch: x0, change: x1, approval: x2 };
}

export function readBorshCeremonyFrame(r: $BorshReader, path: string): CeremonyFrame {
  const x0 = r.bytes(4294967295, path, '.content', -1);
  return { content: x0 };
}

export function readBorshVoteKind(r: $BorshReader, path: string): VoteKind {
  const index = r.variant(path);
  switch (index) {
    case 0: return { type: 'notarize' };
    case 1: return { type: 'nullify' };
    case 2: return { type: 'finalize' };
    default: return r.unknownVariant(index, ['notarize', 'nullify', 'finalize'], path);
  }
}

export function readBorshJournalRecord(r: $BorshReader, path: string): JournalRecord {
  const index = r.variant(path);
  switch (index) {
    case 0: return { type: 'block', value: r.fixed(32, path, '.block', -1) };
    case 1: return { type: 'vote', value: readBorshVotedMessage(r, path + '.vote') };
    case 2: return { type: 'certificate', value: readBorshVoteCertificate(r, path + '.certificate') };
    default: return r.unknownVariant(index, ['block', 'vote', 'certificate'], path);
  }
}

export function readBorshCeremonyBody(r: $BorshReader, path: string): CeremonyBody {
  const index = r.variant(path);
  switch (index) {
    case 0: return { type: 'hello', value: r.bytes(4294967295, path, '.hello', -1) };
    case 1: return { type: 'commitments', value: readBorshBytes48List(r, path + '.commitments') };
    case 2: return { type: 'evaluation', value: r.fixed(32, path, '.evaluation', -1) };
    case 3: return { type: 'response', value: readBorshU32List(r, path + '.response') };
    case 4: return { type: 'sealed', value: readBorshSealedShareList(r, path + '.sealed') };
    case 5: return { type: 'complaint', value: readBorshComplaint(r, path + '.complaint') };
    case 6: return { type: 'approval', value: readBorshCeremonyApproval(r, path + '.approval') };
    case 7: return { type: 'fault', value: readBorshCeremonyFault(r, path + '.fault') };
    case 8: return { type: 'complete', value: readBorshBytes64List(r, path + '.complete') };
    case 9: return { type: 'confirmation', value: r.fixed(32, path, '.confirmation', -1) };
    case 10: return { type: 'finished', value: readBorshCeremonyEnd(r, path + '.finished') };
    default: return r.unknownVariant(index, ['hello', 'commitments', 'evaluation', 'response', 'sealed', 'complaint', 'approval', 'fault', 'complete', 'confirmation', 'finished'], path);
  }
}

export function readBorshCeremonyFaultCode(r: $BorshReader, path: string): CeremonyFaultCode {
  const index = r.variant(path);
  switch (index) {
    case 0: return { type: 'silent' };
    case 1: return { type: 'equivocation' };
    case 2: return { type: 'malformed' };
    case 3: return { type: 'garbage' };
    case 4: return { type: 'false_complaint' };
    case 5: return { type: 'no_key' };
    case 6: return { type: 'dissent' };
    case 7: return { type: 'restarted' };
    default: return r.unknownVariant(index, ['silent', 'equivocation', 'malformed', 'garbage', 'false_complaint', 'no_key', 'dissent', 'restarted'], path);
  }
}

export function readBorshGossipItem(r: $BorshReader, path: string): GossipItem {
  const index = r.variant(path);
  switch (index) {
    case 0: return { type: 'transaction', value: r.bytes(4294967295, path, '.transaction', -1) };
    case 1: return { type: 'sealed', value: r.bytes(4294967295, path, '.sealed', -1) };
    case 2: return { type: 'bundle', value: readBorshGossipedBundle(r, path + '.bundle') };
    default: return r.unknownVariant(index, ['transaction', 'sealed', 'bundle'], path);
  }
}

function readBorshBytes48List(r: $BorshReader, path: string): readonly Uint8Array[] {
  const n = r.count(48, 4294967295, path);
  const items: (Uint8Array)[] = [];
  for (let i = 0; i < n; i++) items.push(r.fixed(48, path, '', i));
  return items;
}

function readBorshReceivedShareList(r: $BorshReader, path: string): readonly ReceivedShare[] {
  const n = r.count(68, 4294967295, path);
  const items: (ReceivedShare)[] = [];
  for (let i = 0; i < n; i++) items.push(readBorshReceivedShare(r, path + '[' + i + ']'));
  return items;
}

function readBorshBytes32List(r: $BorshReader, path: string): readonly Uint8Array[] {
  const n = r.count(32, 4294967295, path);
  const items: (Uint8Array)[] = [];
  for (let i = 0; i < n; i++) items.push(r.fixed(32, path, '', i));
  return items;
}

function readBorshGenesisAccountList(r: $BorshReader, path: string): readonly GenesisAccount[] {
  const n = r.count(36, 4294967295, path);
  const items: (GenesisAccount)[] = [];
  for (let i = 0; i < n; i++) items.push(readBorshGenesisAccount(r, path + '[' + i + ']'));
  return items;
}

function readBorshNewValidatorList(r: $BorshReader, path: string): readonly NewValidator[] {
  const n = r.count(84, 4294967295, path);
  const items: (NewValidator)[] = [];
  for (let i = 0; i < n; i++) items.push(readBorshNewValidator(r, path + '[' + i + ']'));
  return items;
}

function readBorshHashList(r: $BorshReader, path: string): readonly Uint8Array[] {
  const n = r.count(32, 4294967295, path);
  const items: (Uint8Array)[] = [];
  for (let i = 0; i < n; i++) items.push(r.fixed(32, path, '', i));
  return items;
}

function readBorshU32List(r: $BorshReader, path: string): readonly number[] {
  const n = r.count(4, 4294967295, path);
  const items: (number)[] = [];
  for (let i = 0; i < n; i++) items.push(r.u32(path, '', i));
  return items;
}

function readBorshBytes64List(r: $BorshReader, path: string): readonly Uint8Array[] {
  const n = r.count(64, 4294967295, path);
  const items: (Uint8Array)[] = [];
  for (let i = 0; i < n; i++) items.push(r.fixed(64, path, '', i));
  return items;
}

function readBorshFinalizedBlockListMax256(r: $BorshReader, path: string): readonly FinalizedBlock[] {
  const n = r.count(9, 256, path);
  const items: (FinalizedBlock)[] = [];
  for (let i = 0; i < n; i++) items.push(readBorshFinalizedBlock(r, path + '[' + i + ']'));
  return items;
}

function readBorshGossipItemListMax4096(r: $BorshReader, path: string): readonly GossipItem[] {
  const n = r.count(5, 4096, path);
  const items: (GossipItem)[] = [];
  for (let i = 0; i < n; i++) items.push(readBorshGossipItem(r, path + '[' + i + ']'));
  return items;
}

function readBorshBytesListMax1000(r: $BorshReader, path: string): readonly Uint8Array[] {
  const n = r.count(4, 1000, path);
  const items: (Uint8Array)[] = [];
  for (let i = 0; i < n; i++) items.push(r.bytes(4294967295, path, '', i));
  return items;
}

function readBorshSealedShareList(r: $BorshReader, path: string): readonly SealedShare[] {
  const n = r.count(148, 4294967295, path);
  const items: (SealedShare)[] = [];
  for (let i = 0; i < n; i++) items.push(readBorshSealedShare(r, path + '[' + i + ']'));
  return items;
}

export function writeBorshVote(v: Vote, path: string): void {
  w.object(v, 'Vote', path);
  writeBorshVoteKind(v.kind, path + '.kind');
  w.u64(v.epoch, path, '.epoch', -1);
  w.u64(v.view, path, '.view', -1);
  w.u64(v.parent_view, path, '.parent_view', -1);
  w.fixed(v.block_hash, 32, path, '.block_hash', -1);
  w.u32(v.signer, path, '.signer', -1);
  w.fixed(v.partial, 96, path, '.partial', -1);
  w.fixed(v.signature, 64, path, '.signature', -1);
}

export function writeBorshVoteCertificate(v: VoteCertificate, path: string): void {
  w.object(v, 'VoteCertificate', path);
  writeBorshVoteKind(v.kind, path + '.kind');
  w.u64(v.epoch, path, '.epoch', -1);
  w.u64(v.view, path, '.view', -1);
  w.u64(v.parent_view, path, '.parent_view', -1);
  w.fixed(v.block_hash, 32, path, '.block_hash', -1);
  w.fixed(v.signature, 96, path, '.signature', -1);
}

export function writeBorshVotedMessage(v: VotedMessage, path: string): void {
  w.object(v, 'VotedMessage', path);
  writeBorshVoteKind(v.kind, path + '.kind');
  w.u64(v.epoch, path, '.epoch', -1);
  w.u64(v.view, path, '.view', -1);
  w.u64(v.parent_view, path, '.parent_view', -1);
  w.fixed(v.block_hash, 32, path, '.block_hash', -1);
}

export function writeBorshVoteEvidence(v: VoteEvidence, path: string): void {
  w.object(v, 'VoteEvidence', path);
  writeBorshVote(v.first, path + '.first');
  writeBorshVote(v.second, path + '.second');
}

export function writeBorshEncodedBlock(v: EncodedBlock, path: string): void {
  w.object(v, 'EncodedBlock', path);
  w.bytes(v.header, 4294967295, path, '.header', -1);
  w.bytes(v.body, 4294967295, path, '.body', -1);
}

export function writeBorshSealShare(v: SealShare, path: string): void {
  w.object(v, 'SealShare', path);
  w.u64(v.epoch, path, '.epoch', -1);
  w.u64(v.height, path, '.height', -1);
  w.u32(v.signer, path, '.signer', -1);
  w.fixed(v.partial, 96, path, '.partial', -1);
}

export function writeBorshDealtShare(v: DealtShare, path: string): void {
  w.object(v, 'DealtShare', path);
  w.u64(v.epoch, path, '.epoch', -1);
  w.u32(v.dealer, path, '.dealer', -1);
  writeBorshBytes48List(v.commitments, path + '.commitments');
  w.fixed(v.share, 32, path, '.share', -1);
}

export function writeBorshDealtAck(v: DealtAck, path: string): void {
  w.object(v, 'DealtAck', path);
  w.u64(v.epoch, path, '.epoch', -1);
  w.u32(v.dealer, path, '.dealer', -1);
  writeBorshAck(v.ack, path + '.ack');
}

export function writeBorshResharingRecord(v: ResharingRecord, path: string): void {
  w.object(v, 'ResharingRecord', path);
  w.u64(v.epoch, path, '.epoch', -1);
  const x1 = v.own;
  if (x1 === undefined || x1 === null) w.variant(0);
  else {
    w.variant(1);
    writeBorshOwnDealing(x1, path + '.own');
  }
  writeBorshReceivedShareList(v.received, path + '.received');
}

export function writeBorshOwnDealing(v: OwnDealing, path: string): void {
  w.object(v, 'OwnDealing', path);
  writeBorshBytes32List(v.polynomial, path + '.polynomial');
  w.fixed(v.seed, 32, path, '.seed', -1);
  w.fixed(v.encryption_key, 48, path, '.encryption_key', -1);
}

export function writeBorshReceivedShare(v: ReceivedShare, path: string): void {
  w.object(v, 'ReceivedShare', path);
  w.u32(v.dealer, path, '.dealer', -1);
  w.fixed(v.commitments_digest, 32, path, '.commitments_digest', -1);
  w.fixed(v.share, 32, path, '.share', -1);
}

export function writeBorshCeremonyConfiguration(v: CeremonyConfiguration, path: string): void {
  w.object(v, 'CeremonyConfiguration', path);
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
  writeBorshGenesisAccountList(v.accounts, path + '.accounts');
  const x6 = v.epoch_length;
  if (x6 === undefined || x6 === null) w.variant(0);
  else {
    w.variant(1);
    w.u64(x6, path, '.epoch_length', -1);
  }
  writeBorshNewValidatorList(v.validators, path + '.validators');
}

export function writeBorshCeremonyMessage(v: CeremonyMessage, path: string): void {
  w.object(v, 'CeremonyMessage', path);
  w.fixed(v.configuration, 32, path, '.configuration', -1);
  w.u32(v.attempt, path, '.attempt', -1);
  w.u32(v.sender, path, '.sender', -1);
  writeBorshCeremonyBody(v.body, path + '.body');
  w.fixed(v.signature, 64, path, '.signature', -1);
}

export function writeBorshCeremonyApproval(v: CeremonyApproval, path: string): void {
  w.object(v, 'CeremonyApproval', path);
  w.fixed(v.transcript, 32, path, '.transcript', -1);
  w.fixed(v.signature, 64, path, '.signature', -1);
  writeBorshHashList(v.commitments, path + '.commitments');
}

export function writeBorshCeremonyFault(v: CeremonyFault, path: string): void {
  w.object(v, 'CeremonyFault', path);
  writeBorshCeremonyFaultCode(v.code, path + '.code');
  writeBorshU32List(v.participants, path + '.participants');
}

export function writeBorshCeremonyEnd(v: CeremonyEnd, path: string): void {
  w.object(v, 'CeremonyEnd', path);
  writeBorshBytes64List(v.signatures, path + '.signatures');
  writeBorshBytes64List(v.confirmations, path + '.confirmations');
}

export function writeBorshCeremonyRecord(v: CeremonyRecord, path: string): void {
  w.object(v, 'CeremonyRecord', path);
  w.u32(v.attempt, path, '.attempt', -1);
  writeBorshGenesis(v.genesis, path + '.genesis');
  w.u32(v.index, path, '.index', -1);
  w.fixed(v.share, 32, path, '.share', -1);
  w.bytes(v.vote, 4294967295, path, '.vote', -1);
  writeBorshBytes64List(v.confirmed, path + '.confirmed');
  writeBorshBytes64List(v.confirmations, path + '.confirmations');
}

export function writeBorshHello(v: Hello, path: string): void {
  w.object(v, 'Hello', path);
  w.u32(v.version, path, '.version', -1);
  w.u64(v.chain_id, path, '.chain_id', -1);
  w.fixed(v.chain, 32, path, '.chain', -1);
}

export function writeBorshPing(v: Ping, path: string): void {
  w.object(v, 'Ping', path);
  w.u64(v.nonce, path, '.nonce', -1);
}

export function writeBorshPong(v: Pong, path: string): void {
  w.object(v, 'Pong', path);
  w.u64(v.nonce, path, '.nonce', -1);
}

export function writeBorshProposal(v: Proposal, path: string): void {
  w.object(v, 'Proposal', path);
  writeBorshVote(v.vote, path + '.vote');
  writeBorshEncodedBlock(v.block, path + '.block');
}

export function writeBorshGetBlock(v: GetBlock, path: string): void {
  w.object(v, 'GetBlock', path);
  w.fixed(v.block_hash, 32, path, '.block_hash', -1);
}

export function writeBorshBlockAnswer(v: BlockAnswer, path: string): void {
  w.object(v, 'BlockAnswer', path);
  w.fixed(v.block_hash, 32, path, '.block_hash', -1);
  const x1 = v.block;
  if (x1 === undefined || x1 === null) w.variant(0);
  else {
    w.variant(1);
    writeBorshEncodedBlock(x1, path + '.block');
  }
}

export function writeBorshGetCertificates(v: GetCertificates, path: string): void {
  w.object(v, 'GetCertificates', path);
  w.u64(v.epoch, path, '.epoch', -1);
  w.u64(v.from_view, path, '.from_view', -1);
  w.u64(v.to_view, path, '.to_view', -1);
}

export function writeBorshGetFinalized(v: GetFinalized, path: string): void {
  w.object(v, 'GetFinalized', path);
  w.u64(v.from_height, path, '.from_height', -1);
  w.u32(v.count, path, '.count', -1);
}

export function writeBorshFinalized(v: Finalized, path: string): void {
  w.object(v, 'Finalized', path);
  w.u64(v.from_height, path, '.from_height', -1);
  writeBorshFinalizedBlockListMax256(v.blocks, path + '.blocks');
}

export function writeBorshFinalizedBlock(v: FinalizedBlock, path: string): void {
  w.object(v, 'FinalizedBlock', path);
  writeBorshEncodedBlock(v.block, path + '.block');
  const x1 = v.certificate;
  if (x1 === undefined || x1 === null) w.variant(0);
  else {
    w.variant(1);
    writeBorshVoteCertificate(x1, path + '.certificate');
  }
}

export function writeBorshTransactions(v: Transactions, path: string): void {
  w.object(v, 'Transactions', path);
  writeBorshGossipItemListMax4096(v.items, path + '.items');
}

export function writeBorshGossipedBundle(v: GossipedBundle, path: string): void {
  w.object(v, 'GossipedBundle', path);
  writeBorshBytesListMax1000(v.transactions, path + '.transactions');
  const x1 = v.max_height;
  if (x1 === undefined || x1 === null) w.variant(0);
  else {
    w.variant(1);
    w.u64(x1, path, '.max_height', -1);
  }
}

export function writeBorshChangeApproval(v: ChangeApproval, path: string): void {
  w.object(v, 'ChangeApproval', path);
  w.u64(v.epoch, path, '.epoch', -1);
  writeBorshValidatorChange(v.change, path + '.change');
  writeBorshApproval(v.approval, path + '.approval');
}

export function writeBorshCeremonyFrame(v: CeremonyFrame, path: string): void {
  w.object(v, 'CeremonyFrame', path);
  w.bytes(v.content, 4294967295, path, '.content', -1);
}

export function writeBorshVoteKind(v: VoteKind, path: string): void {
  w.object(v, 'VoteKind', path);
  switch (v.type) {
    case 'notarize':
      w.variant(0);
      w.nothing(v.value, path);
      break;
    case 'nullify':
      w.variant(1);
      w.nothing(v.value, path);
      break;
    case 'finalize':
      w.variant(2);
      w.nothing(v.value, path);
      break;
    default:
      w.unknownVariant((v as { readonly type: unknown }).type, ['notarize', 'nullify', 'finalize'], path);
  }
}

export function writeBorshJournalRecord(v: JournalRecord, path: string): void {
  w.object(v, 'JournalRecord', path);
  switch (v.type) {
    case 'block':
      w.variant(0);
      w.fixed(v.value, 32, path, '.block', -1);
      break;
    case 'vote':
      w.variant(1);
      writeBorshVotedMessage(v.value, path + '.vote');
      break;
    case 'certificate':
      w.variant(2);
      writeBorshVoteCertificate(v.value, path + '.certificate');
      break;
    default:
      w.unknownVariant((v as { readonly type: unknown }).type, ['block', 'vote', 'certificate'], path);
  }
}

export function writeBorshCeremonyBody(v: CeremonyBody, path: string): void {
  w.object(v, 'CeremonyBody', path);
  switch (v.type) {
    case 'hello':
      w.variant(0);
      w.bytes(v.value, 4294967295, path, '.hello', -1);
      break;
    case 'commitments':
      w.variant(1);
      writeBorshBytes48List(v.value, path + '.commitments');
      break;
    case 'evaluation':
      w.variant(2);
      w.fixed(v.value, 32, path, '.evaluation', -1);
      break;
    case 'response':
      w.variant(3);
      writeBorshU32List(v.value, path + '.response');
      break;
    case 'sealed':
      w.variant(4);
      writeBorshSealedShareList(v.value, path + '.sealed');
      break;
    case 'complaint':
      w.variant(5);
      writeBorshComplaint(v.value, path + '.complaint');
      break;
    case 'approval':
      w.variant(6);
      writeBorshCeremonyApproval(v.value, path + '.approval');
      break;
    case 'fault':
      w.variant(7);
      writeBorshCeremonyFault(v.value, path + '.fault');
      break;
    case 'complete':
      w.variant(8);
      writeBorshBytes64List(v.value, path + '.complete');
      break;
    case 'confirmation':
      w.variant(9);
      w.fixed(v.value, 32, path, '.confirmation', -1);
      break;
    case 'finished':
      w.variant(10);
      writeBorshCeremonyEnd(v.value, path + '.finished');
      break;
    default:
      w.unknownVariant((v as { readonly type: unknown }).type, ['hello', 'commitments', 'evaluation', 'response', 'sealed', 'complaint', 'approval', 'fault', 'complete', 'confirmation', 'finished'], path);
  }
}

export function writeBorshCeremonyFaultCode(v: CeremonyFaultCode, path: string): void {
  w.object(v, 'CeremonyFaultCode', path);
  switch (v.type) {
    case 'silent':
      w.variant(0);
      w.nothing(v.value, path);
      break;
    case 'equivocation':
      w.variant(1);
      w.nothing(v.value, path);
      break;
    case 'malformed':
      w.variant(2);
      w.nothing(v.value, path);
      break;
    case 'garbage':
      w.variant(3);
      w.nothing(v.value, path);
      break;
    case 'false_complaint':
      w.variant(4);
      w.nothing(v.value, path);
      break;
    case 'no_key':
      w.variant(5);
      w.nothing(v.value, path);
      break;
    case 'dissent':
      w.variant(6);
      w.nothing(v.value, path);
      break;
    case 'restarted':
      w.variant(7);
      w.nothing(v.value, path);
      break;
    default:
      w.unknownVariant((v as { readonly type: unknown }).type, ['silent', 'equivocation', 'malformed', 'garbage', 'false_complaint', 'no_key', 'dissent', 'restarted'], path);
  }
}

export function writeBorshGossipItem(v: GossipItem, path: string): void {
  w.object(v, 'GossipItem', path);
  switch (v.type) {
    case 'transaction':
      w.variant(0);
      w.bytes(v.value, 4294967295, path, '.transaction', -1);
      break;
    case 'sealed':
      w.variant(1);
      w.bytes(v.value, 4294967295, path, '.sealed', -1);
      break;
    case 'bundle':
      w.variant(2);
      writeBorshGossipedBundle(v.value, path + '.bundle');
      break;
    default:
      w.unknownVariant((v as { readonly type: unknown }).type, ['transaction', 'sealed', 'bundle'], path);
  }
}

function writeBorshBytes48List(v: readonly Uint8Array[], path: string): void {
  w.count(v, 4294967295, path);
  for (let i = 0; i < v.length; i++) w.fixed(v[i] as Uint8Array, 48, path, '', i);
}

function writeBorshReceivedShareList(v: readonly ReceivedShare[], path: string): void {
  w.count(v, 4294967295, path);
  for (let i = 0; i < v.length; i++) writeBorshReceivedShare(v[i] as ReceivedShare, path + '[' + i + ']');
}

function writeBorshBytes32List(v: readonly Uint8Array[], path: string): void {
  w.count(v, 4294967295, path);
  for (let i = 0; i < v.length; i++) w.fixed(v[i] as Uint8Array, 32, path, '', i);
}

function writeBorshGenesisAccountList(v: readonly GenesisAccount[], path: string): void {
  w.count(v, 4294967295, path);
  for (let i = 0; i < v.length; i++) writeBorshGenesisAccount(v[i] as GenesisAccount, path + '[' + i + ']');
}

function writeBorshNewValidatorList(v: readonly NewValidator[], path: string): void {
  w.count(v, 4294967295, path);
  for (let i = 0; i < v.length; i++) writeBorshNewValidator(v[i] as NewValidator, path + '[' + i + ']');
}

function writeBorshHashList(v: readonly Uint8Array[], path: string): void {
  w.count(v, 4294967295, path);
  for (let i = 0; i < v.length; i++) w.fixed(v[i] as Uint8Array, 32, path, '', i);
}

function writeBorshU32List(v: readonly number[], path: string): void {
  w.count(v, 4294967295, path);
  for (let i = 0; i < v.length; i++) w.u32(v[i] as number, path, '', i);
}

function writeBorshBytes64List(v: readonly Uint8Array[], path: string): void {
  w.count(v, 4294967295, path);
  for (let i = 0; i < v.length; i++) w.fixed(v[i] as Uint8Array, 64, path, '', i);
}

function writeBorshFinalizedBlockListMax256(v: readonly FinalizedBlock[], path: string): void {
  w.count(v, 256, path);
  for (let i = 0; i < v.length; i++) writeBorshFinalizedBlock(v[i] as FinalizedBlock, path + '[' + i + ']');
}

function writeBorshGossipItemListMax4096(v: readonly GossipItem[], path: string): void {
  w.count(v, 4096, path);
  for (let i = 0; i < v.length; i++) writeBorshGossipItem(v[i] as GossipItem, path + '[' + i + ']');
}

function writeBorshBytesListMax1000(v: readonly Uint8Array[], path: string): void {
  w.count(v, 1000, path);
  for (let i = 0; i < v.length; i++) w.bytes(v[i] as Uint8Array, 4294967295, path, '', i);
}

function writeBorshSealedShareList(v: readonly SealedShare[], path: string): void {
  w.count(v, 4294967295, path);
  for (let i = 0; i < v.length; i++) writeBorshSealedShare(v[i] as SealedShare, path + '[' + i + ']');
}

export function readJsonVote(r: $JsonReader, v: unknown, path: string): Vote {
  r.object(v, 'Vote', path);
  if (r.refusesUnknown) {
    for (const k in v) {
      switch (k) {
        case 'kind': case 'epoch': case 'view': case 'parent_view': case 'block_hash': case 'signer': case 'partial': case 'signature': break;
        default: r.unknownMember(k, ['kind', 'epoch', 'view', 'parent_view', 'block_hash', 'signer', 'partial', 'signature'], path);
      }
    }
  }
  const x0 = readJsonVoteKind(r, v['kind'], path + '.kind');
  const x1 = r.u64(v['epoch'], path, '.epoch', -1);
  const x2 = r.u64(v['view'], path, '.view', -1);
  const x3 = r.u64(v['parent_view'], path, '.parent_view', -1);
  const x4 = r.digest(v['block_hash'], 'hash', path, '.block_hash', -1);
  const x5 = r.u32(v['signer'], path, '.signer', -1);
  const x6 = r.fixed(v['partial'], 96, path, '.partial', -1);
  const x7 = r.fixed(v['signature'], 64, path, '.signature', -1);
  return { kind: x0, epoch: x1, view: x2, parent_view: x3, block_hash: x4, signer: x5, partial: x6, signature: x7 };
}

export function readJsonVoteCertificate(r: $JsonReader, v: unknown, path: string): VoteCertificate {
  r.object(v, 'VoteCertificate', path);
  if (r.refusesUnknown) {
    for (const k in v) {
      switch (k) {
        case 'kind': case 'epoch': case 'view': case 'parent_view': case 'block_hash': case 'signature': break;
        default: r.unknownMember(k, ['kind', 'epoch', 'view', 'parent_view', 'block_hash', 'signature'], path);
      }
    }
  }
  const x0 = readJsonVoteKind(r, v['kind'], path + '.kind');
  const x1 = r.u64(v['epoch'], path, '.epoch', -1);
  const x2 = r.u64(v['view'], path, '.view', -1);
  const x3 = r.u64(v['parent_view'], path, '.parent_view', -1);
  const x4 = r.digest(v['block_hash'], 'hash', path, '.block_hash', -1);
  const x5 = r.fixed(v['signature'], 96, path, '.signature', -1);
  return { kind: x0, epoch: x1, view: x2, parent_view: x3, block_hash: x4, signature: x5 };
}

export function readJsonVotedMessage(r: $JsonReader, v: unknown, path: string): VotedMessage {
  r.object(v, 'VotedMessage', path);
  if (r.refusesUnknown) {
    for (const k in v) {
      switch (k) {
        case 'kind': case 'epoch': case 'view': case 'parent_view': case 'block_hash': break;
        default: r.unknownMember(k, ['kind', 'epoch', 'view', 'parent_view', 'block_hash'], path);
      }
    }
  }
  const x0 = readJsonVoteKind(r, v['kind'], path + '.kind');
  const x1 = r.u64(v['epoch'], path, '.epoch', -1);
  const x2 = r.u64(v['view'], path, '.view', -1);
  const x3 = r.u64(v['parent_view'], path, '.parent_view', -1);
  const x4 = r.digest(v['block_hash'], 'hash', path, '.block_hash', -1);
  return { kind: x0, epoch: x1, view: x2, parent_view: x3, block_hash: x4 };
}

export function readJsonVoteEvidence(r: $JsonReader, v: unknown, path: string): VoteEvidence {
  r.object(v, 'VoteEvidence', path);
  if (r.refusesUnknown) {
    for (const k in v) {
      switch (k) {
        case 'first': case 'second': break;
        default: r.unknownMember(k, ['first', 'second'], path);
      }
    }
  }
  const x0 = readJsonVote(r, v['first'], path + '.first');
  const x1 = readJsonVote(r, v['second'], path + '.second');
  return { first: x0, second: x1 };
}

export function readJsonEncodedBlock(r: $JsonReader, v: unknown, path: string): EncodedBlock {
  r.object(v, 'EncodedBlock', path);
  if (r.refusesUnknown) {
    for (const k in v) {
      switch (k) {
        case 'header': case 'body': break;
        default: r.unknownMember(k, ['header', 'body'], path);
      }
    }
  }
  const x0 = r.bytes(v['header'], 4294967295, path, '.header', -1);
  const x1 = r.bytes(v['body'], 4294967295, path, '.body', -1);
  return { header: x0, body: x1 };
}

export function readJsonSealShare(r: $JsonReader, v: unknown, path: string): SealShare {
  r.object(v, 'SealShare', path);
  if (r.refusesUnknown) {
    for (const k in v) {
      switch (k) {
        case 'epoch': case 'height': case 'signer': case 'partial': break;
        default: r.unknownMember(k, ['epoch', 'height', 'signer', 'partial'], path);
      }
    }
  }
  const x0 = r.u64(v['epoch'], path, '.epoch', -1);
  const x1 = r.u64(v['height'], path, '.height', -1);
  const x2 = r.u32(v['signer'], path, '.signer', -1);
  const x3 = r.fixed(v['partial'], 96, path, '.partial', -1);
  return { epoch: x0, height: x1, signer: x2, partial: x3 };
}

export function readJsonDealtShare(r: $JsonReader, v: unknown, path: string): DealtShare {
  r.object(v, 'DealtShare', path);
  if (r.refusesUnknown) {
    for (const k in v) {
      switch (k) {
        case 'epoch': case 'dealer': case 'commitments': case 'share': break;
        default: r.unknownMember(k, ['epoch', 'dealer', 'commitments', 'share'], path);
      }
    }
  }
  const x0 = r.u64(v['epoch'], path, '.epoch', -1);
  const x1 = r.u32(v['dealer'], path, '.dealer', -1);
  const x2 = readJsonBytes48List(r, v['commitments'], path + '.commitments');
  const x3 = r.digest(v['share'], 'bytes32', path, '.share', -1);
  return { epoch: x0, dealer: x1, commitments: x2, share: x3 };
}

export function readJsonDealtAck(r: $JsonReader, v: unknown, path: string): DealtAck {
  r.object(v, 'DealtAck', path);
  if (r.refusesUnknown) {
    for (const k in v) {
      switch (k) {
        case 'epoch': case 'dealer': case 'ack': break;
        default: r.unknownMember(k, ['epoch', 'dealer', 'ack'], path);
      }
    }
  }
  const x0 = r.u64(v['epoch'], path, '.epoch', -1);
  const x1 = r.u32(v['dealer'], path, '.dealer', -1);
  const x2 = readJsonAck(r, v['ack'], path + '.ack');
  return { epoch: x0, dealer: x1, ack: x2 };
}

export function readJsonResharingRecord(r: $JsonReader, v: unknown, path: string): ResharingRecord {
  r.object(v, 'ResharingRecord', path);
  if (r.refusesUnknown) {
    for (const k in v) {
      switch (k) {
        case 'epoch': case 'own': case 'received': break;
        default: r.unknownMember(k, ['epoch', 'own', 'received'], path);
      }
    }
  }
  const x0 = r.u64(v['epoch'], path, '.epoch', -1);
  const y1 = v['own'];
  const x1 = y1 === undefined || y1 === null ? undefined : readJsonOwnDealing(r, y1, path + '.own');
  const x2 = readJsonReceivedShareList(r, v['received'], path + '.received');
  const result: $Writable<ResharingRecord> = { epoch: x0, received: x2 };
  if (x1 !== undefined) result.own = x1;
  return result;
}

export function readJsonOwnDealing(r: $JsonReader, v: unknown, path: string): OwnDealing {
  r.object(v, 'OwnDealing', path);
  if (r.refusesUnknown) {
    for (const k in v) {
      switch (k) {
        case 'polynomial': case 'seed': case 'encryption_key': break;
        default: r.unknownMember(k, ['polynomial', 'seed', 'encryption_key'], path);
      }
    }
  }
  const x0 = readJsonBytes32List(r, v['polynomial'], path + '.polynomial');
  const x1 = r.digest(v['seed'], 'bytes32', path, '.seed', -1);
  const x2 = r.fixed(v['encryption_key'], 48, path, '.encryption_key', -1);
  return { polynomial: x0, seed: x1, encryption_key: x2 };
}

export function readJsonReceivedShare(r: $JsonReader, v: unknown, path: string): ReceivedShare {
  r.object(v, 'ReceivedShare', path);
  if (r.refusesUnknown) {
    for (const k in v) {
      switch (k) {
        case 'dealer': case 'commitments_digest': case 'share': break;
        default: r.unknownMember(k, ['dealer', 'commitments_digest', 'share'], path);
      }
    }
  }
  const x0 = r.u32(v['dealer'], path, '.dealer', -1);
  const x1 = r.digest(v['commitments_digest'], 'hash', path, '.commitments_digest', -1);
  const x2 = r.digest(v['share'], 'bytes32', path, '.share', -1);
  return { dealer: x0, commitments_digest: x1, share: x2 };
}

export function readJsonCeremonyConfiguration(r: $JsonReader, v: unknown, path: string): CeremonyConfiguration {
  r.object(v, 'CeremonyConfiguration', path);
  if (r.refusesUnknown) {
    for (const k in v) {
      switch (k) {
        case 'chain_id': case 'timestamp_ms': case 'gas_limit': case 'base_fee': case 'extra': case 'accounts': case 'epoch_length': case 'validators': break;
        default: r.unknownMember(k, ['chain_id', 'timestamp_ms', 'gas_limit', 'base_fee', 'extra', 'accounts', 'epoch_length', 'validators'], path);
      }
    }
  }
  const x0 = r.u64(v['chain_id'], path, '.chain_id', -1);
  const x1 = r.u64(v['timestamp_ms'], path, '.timestamp_ms', -1);
  const x2 = r.u64(v['gas_limit'], path, '.gas_limit', -1);
  const x3 = r.u128(v['base_fee'], path, '.base_fee', -1);
  const y4 = v['extra'];
  const x4 = y4 === undefined || y4 === null ? undefined : r.bytes(y4, 4294967295, path, '.extra', -1);
  const x5 = readJsonGenesisAccountList(r, v['accounts'], path + '.accounts');
  const y6 = v['epoch_length'];
  const x6 = y6 === undefined || y6 === null ? undefined : r.u64(y6, path, '.epoch_length', -1);
  const x7 = readJsonNewValidatorList(r, v['validators'], path + '.validators');
  const result: $Writable<CeremonyConfiguration> = { chain_id: x0, timestamp_ms: x1, gas_limit: x2, base_fee: x3, accounts: x5, validators: x7 };
  if (x4 !== undefined) result.extra = x4;
  if (x6 !== undefined) result.epoch_length = x6;
  return result;
}

export function readJsonCeremonyMessage(r: $JsonReader, v: unknown, path: string): CeremonyMessage {
  r.object(v, 'CeremonyMessage', path);
  if (r.refusesUnknown) {
    for (const k in v) {
      switch (k) {
        case 'configuration': case 'attempt': case 'sender': case 'body': case 'signature': break;
        default: r.unknownMember(k, ['configuration', 'attempt', 'sender', 'body', 'signature'], path);
      }
    }
  }
  const x0 = r.digest(v['configuration'], 'hash', path, '.configuration', -1);
  const x1 = r.u32(v['attempt'], path, '.attempt', -1);
  const x2 = r.u32(v['sender'], path, '.sender', -1);
  const x3 = readJsonCeremonyBody(r, v['body'], path + '.body');
  const x4 = r.fixed(v['signature'], 64, path, '.signature', -1);
  return { configuration: x0, attempt: x1, sender: x2, body: x3, signature: x4 };
}

export function readJsonCeremonyApproval(r: $JsonReader, v: unknown, path: string): CeremonyApproval {
  r.object(v, 'CeremonyApproval', path);
  if (r.refusesUnknown) {
    for (const k in v) {
      switch (k) {
        case 'transcript': case 'signature': case 'commitments': break;
        default: r.unknownMember(k, ['transcript', 'signature', 'commitments'], path);
      }
    }
  }
  const x0 = r.digest(v['transcript'], 'hash', path, '.transcript', -1);
  const x1 = r.fixed(v['signature'], 64, path, '.signature', -1);
  const x2 = readJsonHashList(r, v['commitments'], path + '.commitments');
  return { transcript: x0, signature: x1, commitments: x2 };
}

export function readJsonCeremonyFault(r: $JsonReader, v: unknown, path: string): CeremonyFault {
  r.object(v, 'CeremonyFault', path);
  if (r.refusesUnknown) {
    for (const k in v) {
      switch (k) {
        case 'code': case 'participants': break;
        default: r.unknownMember(k, ['code', 'participants'], path);
      }
    }
  }
  const x0 = readJsonCeremonyFaultCode(r, v['code'], path + '.code');
  const x1 = readJsonU32List(r, v['participants'], path + '.participants');
  return { code: x0, participants: x1 };
}

export function readJsonCeremonyEnd(r: $JsonReader, v: unknown, path: string): CeremonyEnd {
  r.object(v, 'CeremonyEnd', path);
  if (r.refusesUnknown) {
    for (const k in v) {
      switch (k) {
        case 'signatures': case 'confirmations': break;
        default: r.unknownMember(k, ['signatures', 'confirmations'], path);
      }
    }
  }
  const x0 = readJsonBytes64List(r, v['signatures'], path + '.signatures');
  const x1 = readJsonBytes64List(r, v['confirmations'], path + '.confirmations');
  return { signatures: x0, confirmations: x1 };
}

export function readJsonCeremonyRecord(r: $JsonReader, v: unknown, path: string): CeremonyRecord {
  r.object(v, 'CeremonyRecord', path);
  if (r.refusesUnknown) {
    for (const k in v) {
      switch (k) {
        case 'attempt': case 'genesis': case 'index': case 'share': case 'vote': case 'confirmed': case 'confirmations': break;
        default: r.unknownMember(k, ['attempt', 'genesis', 'index', 'share', 'vote', 'confirmed', 'confirmations'], path);
      }
    }
  }
  const x0 = r.u32(v['attempt'], path, '.attempt', -1);
  const x1 = readJsonGenesis(r, v['genesis'], path + '.genesis');
  const x2 = r.u32(v['index'], path, '.index', -1);
  const x3 = r.digest(v['share'], 'bytes32', path, '.share', -1);
  const x4 = r.bytes(v['vote'], 4294967295, path, '.vote', -1);
  const x5 = readJsonBytes64List(r, v['confirmed'], path + '.confirmed');
  const x6 = readJsonBytes64List(r, v['confirmations'], path + '.confirmations');
  return { attempt: x0, genesis: x1, index: x2, share: x3, vote: x4, confirmed: x5, confirmations: x6 };
}

export function readJsonHello(r: $JsonReader, v: unknown, path: string): Hello {
  r.object(v, 'Hello', path);
  if (r.refusesUnknown) {
    for (const k in v) {
      switch (k) {
        case 'version': case 'chain_id': case 'chain': break;
        default: r.unknownMember(k, ['version', 'chain_id', 'chain'], path);
      }
    }
  }
  const x0 = r.u32(v['version'], path, '.version', -1);
  const x1 = r.u64(v['chain_id'], path, '.chain_id', -1);
  const x2 = r.digest(v['chain'], 'hash', path, '.chain', -1);
  return { version: x0, chain_id: x1, chain: x2 };
}

export function readJsonPing(r: $JsonReader, v: unknown, path: string): Ping {
  r.object(v, 'Ping', path);
  if (r.refusesUnknown) {
    for (const k in v) {
      switch (k) {
        case 'nonce': break;
        default: r.unknownMember(k, ['nonce'], path);
      }
    }
  }
  const x0 = r.u64(v['nonce'], path, '.nonce', -1);
  return { nonce: x0 };
}

export function readJsonPong(r: $JsonReader, v: unknown, path: string): Pong {
  r.object(v, 'Pong', path);
  if (r.refusesUnknown) {
    for (const k in v) {
      switch (k) {
        case 'nonce': break;
        default: r.unknownMember(k, ['nonce'], path);
      }
    }
  }
  const x0 = r.u64(v['nonce'], path, '.nonce', -1);
  return { nonce: x0 };
}

export function readJsonProposal(r: $JsonReader, v: unknown, path: string): Proposal {
  r.object(v, 'Proposal', path);
  if (r.refusesUnknown) {
    for (const k in v) {
      switch (k) {
        case 'vote': case 'block': break;
        default: r.unknownMember(k, ['vote', 'block'], path);
      }
    }
  }
  const x0 = readJsonVote(r, v['vote'], path + '.vote');
  const x1 = readJsonEncodedBlock(r, v['block'], path + '.block');
  return { vote: x0, block: x1 };
}

export function readJsonGetBlock(r: $JsonReader, v: unknown, path: string): GetBlock {
  r.object(v, 'GetBlock', path);
  if (r.refusesUnknown) {
    for (const k in v) {
      switch (k) {
        case 'block_hash': break;
        default: r.unknownMember(k, ['block_hash'], path);
      }
    }
  }
  const x0 = r.digest(v['block_hash'], 'hash', path, '.block_hash', -1);
  return { block_hash: x0 };
}

export function readJsonBlockAnswer(r: $JsonReader, v: unknown, path: string): BlockAnswer {
  r.object(v, 'BlockAnswer', path);
  if (r.refusesUnknown) {
    for (const k in v) {
      switch (k) {
        case 'block_hash': case 'block': break;
        default: r.unknownMember(k, ['block_hash', 'block'], path);
      }
    }
  }
  const x0 = r.digest(v['block_hash'], 'hash', path, '.block_hash', -1);
  const y1 = v['block'];
  const x1 = y1 === undefined || y1 === null ? undefined : readJsonEncodedBlock(r, y1, path + '.block');
  const result: $Writable<BlockAnswer> = { block_hash: x0 };
  if (x1 !== undefined) result.block = x1;
  return result;
}

export function readJsonGetCertificates(r: $JsonReader, v: unknown, path: string): GetCertificates {
  r.object(v, 'GetCertificates', path);
  if (r.refusesUnknown) {
    for (const k in v) {
      switch (k) {
        case 'epoch': case 'from_view': case 'to_view': break;
        default: r.unknownMember(k, ['epoch', 'from_view', 'to_view'], path);
      }
    }
  }
  const x0 = r.u64(v['epoch'], path, '.epoch', -1);
  const x1 = r.u64(v['from_view'], path, '.from_view', -1);
  const x2 = r.u64(v['to_view'], path, '.to_view', -1);
  return { epoch: x0, from_view: x1, to_view: x2 };
}

export function readJsonGetFinalized(r: $JsonReader, v: unknown, path: string): GetFinalized {
  r.object(v, 'GetFinalized', path);
  if (r.refusesUnknown) {
    for (const k in v) {
      switch (k) {
        case 'from_height': case 'count': break;
        default: r.unknownMember(k, ['from_height', 'count'], path);
      }
    }
  }
  const x0 = r.u64(v['from_height'], path, '.from_height', -1);
  const x1 = r.u32(v['count'], path, '.count', -1);
  return { from_height: x0, count: x1 };
}

export function readJsonFinalized(r: $JsonReader, v: unknown, path: string): Finalized {
  r.object(v, 'Finalized', path);
  if (r.refusesUnknown) {
    for (const k in v) {
      switch (k) {
        case 'from_height': case 'blocks': break;
        default: r.unknownMember(k, ['from_height', 'blocks'], path);
      }
    }
  }
  const x0 = r.u64(v['from_height'], path, '.from_height', -1);
  const x1 = readJsonFinalizedBlockListMax256(r, v['blocks'], path + '.blocks');
  return { from_height: x0, blocks: x1 };
}

export function readJsonFinalizedBlock(r: $JsonReader, v: unknown, path: string): FinalizedBlock {
  r.object(v, 'FinalizedBlock', path);
  if (r.refusesUnknown) {
    for (const k in v) {
      switch (k) {
        case 'block': case 'certificate': break;
        default: r.unknownMember(k, ['block', 'certificate'], path);
      }
    }
  }
  const x0 = readJsonEncodedBlock(r, v['block'], path + '.block');
  const y1 = v['certificate'];
  const x1 = y1 === undefined || y1 === null ? undefined : readJsonVoteCertificate(r, y1, path + '.certificate');
  const result: $Writable<FinalizedBlock> = { block: x0 };
  if (x1 !== undefined) result.certificate = x1;
  return result;
}

export function readJsonTransactions(r: $JsonReader, v: unknown, path: string): Transactions {
  r.object(v, 'Transactions', path);
  if (r.refusesUnknown) {
    for (const k in v) {
      switch (k) {
        case 'items': break;
        default: r.unknownMember(k, ['items'], path);
      }
    }
  }
  const x0 = readJsonGossipItemListMax4096(r, v['items'], path + '.items');
  return { items: x0 };
}

export function readJsonGossipedBundle(r: $JsonReader, v: unknown, path: string): GossipedBundle {
  r.object(v, 'GossipedBundle', path);
  if (r.refusesUnknown) {
    for (const k in v) {
      switch (k) {
        case 'transactions': case 'max_height': break;
        default: r.unknownMember(k, ['transactions', 'max_height'], path);
      }
    }
  }
  const x0 = readJsonBytesListMax1000(r, v['transactions'], path + '.transactions');
  const y1 = v['max_height'];
  const x1 = y1 === undefined || y1 === null ? undefined : r.u64(y1, path, '.max_height', -1);
  const result: $Writable<GossipedBundle> = { transactions: x0 };
  if (x1 !== undefined) result.max_height = x1;
  return result;
}

export function readJsonChangeApproval(r: $JsonReader, v: unknown, path: string): ChangeApproval {
  r.object(v, 'ChangeApproval', path);
  if (r.refusesUnknown) {
    for (const k in v) {
      switch (k) {
        case 'epoch': case 'change': case 'approval': break;
        default: r.unknownMember(k, ['epoch', 'change', 'approval'], path);
      }
    }
  }
  const x0 = r.u64(v['epoch'], path, '.epoch', -1);
  const x1 = readJsonValidatorChange(r, v['change'], path + '.change');
  const x2 = readJsonApproval(r, v['approval'], path + '.approval');
  return { epoch: x0, change: x1, approval: x2 };
}

export function readJsonCeremonyFrame(r: $JsonReader, v: unknown, path: string): CeremonyFrame {
  r.object(v, 'CeremonyFrame', path);
  if (r.refusesUnknown) {
    for (const k in v) {
      switch (k) {
        case 'content': break;
        default: r.unknownMember(k, ['content'], path);
      }
    }
  }
  const x0 = r.bytes(v['content'], 4294967295, path, '.content', -1);
  return { content: x0 };
}

export function readJsonVoteKind(r: $JsonReader, v: unknown, path: string): VoteKind {
  r.object(v, 'VoteKind: {"type": …, "value": …}', path);
  if (r.refusesUnknown) {
    for (const k in v) {
      switch (k) {
        case 'type': case 'value': break;
        default: r.unknownMember(k, ['type', 'value'], path);
      }
    }
  }
  switch (v['type']) {
    case 'notarize':
      r.nothing(v['value'], 'notarize', path);
      return { type: 'notarize' };
    case 'nullify':
      r.nothing(v['value'], 'nullify', path);
      return { type: 'nullify' };
    case 'finalize':
      r.nothing(v['value'], 'finalize', path);
      return { type: 'finalize' };
    default:
      return r.unknownVariant(v['type'], ['notarize', 'nullify', 'finalize'], path);
  }
}

export function readJsonJournalRecord(r: $JsonReader, v: unknown, path: string): JournalRecord {
  r.object(v, 'JournalRecord: {"type": …, "value": …}', path);
  if (r.refusesUnknown) {
    for (const k in v) {
      switch (k) {
        case 'type': case 'value': break;
        default: r.unknownMember(k, ['type', 'value'], path);
      }
    }
  }
  switch (v['type']) {
    case 'block':
      return { type: 'block', value: r.digest(v['value'], 'hash', path, '.block', -1) };
    case 'vote':
      return { type: 'vote', value: readJsonVotedMessage(r, v['value'], path + '.vote') };
    case 'certificate':
      return { type: 'certificate', value: readJsonVoteCertificate(r, v['value'], path + '.certificate') };
    default:
      return r.unknownVariant(v['type'], ['block', 'vote', 'certificate'], path);
  }
}

export function readJsonCeremonyBody(r: $JsonReader, v: unknown, path: string): CeremonyBody {
  r.object(v, 'CeremonyBody: {"type": …, "value": …}', path);
  if (r.refusesUnknown) {
    for (const k in v) {
      switch (k) {
        case 'type': case 'value': break;
        default: r.unknownMember(k, ['type', 'value'], path);
      }
    }
  }
  switch (v['type']) {
    case 'hello':
      return { type: 'hello', value: r.bytes(v['value'], 4294967295, path, '.hello', -1) };
    case 'commitments':
      return { type: 'commitments', value: readJsonBytes48List(r, v['value'], path + '.commitments') };
    case 'evaluation':
      return { type: 'evaluation', value: r.digest(v['value'], 'bytes32', path, '.evaluation', -1) };
    case 'response':
      return { type: 'response', value: readJsonU32List(r, v['value'], path + '.response') };
    case 'sealed':
      return { type: 'sealed', value: readJsonSealedShareList(r, v['value'], path + '.sealed') };
    case 'complaint':
      return { type: 'complaint', value: readJsonComplaint(r, v['value'], path + '.complaint') };
    case 'approval':
      return { type: 'approval', value: readJsonCeremonyApproval(r, v['value'], path + '.approval') };
    case 'fault':
      return { type: 'fault', value: readJsonCeremonyFault(r, v['value'], path + '.fault') };
    case 'complete':
      return { type: 'complete', value: readJsonBytes64List(r, v['value'], path + '.complete') };
    case 'confirmation':
      return { type: 'confirmation', value: r.digest(v['value'], 'hash', path, '.confirmation', -1) };
    case 'finished':
      return { type: 'finished', value: readJsonCeremonyEnd(r, v['value'], path + '.finished') };
    default:
      return r.unknownVariant(v['type'], ['hello', 'commitments', 'evaluation', 'response', 'sealed', 'complaint', 'approval', 'fault', 'complete', 'confirmation', 'finished'], path);
  }
}

export function readJsonCeremonyFaultCode(r: $JsonReader, v: unknown, path: string): CeremonyFaultCode {
  r.object(v, 'CeremonyFaultCode: {"type": …, "value": …}', path);
  if (r.refusesUnknown) {
    for (const k in v) {
      switch (k) {
        case 'type': case 'value': break;
        default: r.unknownMember(k, ['type', 'value'], path);
      }
    }
  }
  switch (v['type']) {
    case 'silent':
      r.nothing(v['value'], 'silent', path);
      return { type: 'silent' };
    case 'equivocation':
      r.nothing(v['value'], 'equivocation', path);
      return { type: 'equivocation' };
    case 'malformed':
      r.nothing(v['value'], 'malformed', path);
      return { type: 'malformed' };
    case 'garbage':
      r.nothing(v['value'], 'garbage', path);
      return { type: 'garbage' };
    case 'false_complaint':
      r.nothing(v['value'], 'false_complaint', path);
      return { type: 'false_complaint' };
    case 'no_key':
      r.nothing(v['value'], 'no_key', path);
      return { type: 'no_key' };
    case 'dissent':
      r.nothing(v['value'], 'dissent', path);
      return { type: 'dissent' };
    case 'restarted':
      r.nothing(v['value'], 'restarted', path);
      return { type: 'restarted' };
    default:
      return r.unknownVariant(v['type'], ['silent', 'equivocation', 'malformed', 'garbage', 'false_complaint', 'no_key', 'dissent', 'restarted'], path);
  }
}

export function readJsonGossipItem(r: $JsonReader, v: unknown, path: string): GossipItem {
  r.object(v, 'GossipItem: {"type": …, "value": …}', path);
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
      return { type: 'transaction', value: r.bytes(v['value'], 4294967295, path, '.transaction', -1) };
    case 'sealed':
      return { type: 'sealed', value: r.bytes(v['value'], 4294967295, path, '.sealed', -1) };
    case 'bundle':
      return { type: 'bundle', value: readJsonGossipedBundle(r, v['value'], path + '.bundle') };
    default:
      return r.unknownVariant(v['type'], ['transaction', 'sealed', 'bundle'], path);
  }
}

function readJsonBytes48List(r: $JsonReader, v: unknown, path: string): readonly Uint8Array[] {
  r.list(v, 4294967295, path);
  const items: (Uint8Array)[] = [];
  for (let i = 0; i < v.length; i++) items.push(r.fixed(v[i], 48, path, '', i));
  return items;
}

function readJsonReceivedShareList(r: $JsonReader, v: unknown, path: string): readonly ReceivedShare[] {
  r.list(v, 4294967295, path);
  const items: (ReceivedShare)[] = [];
  for (let i = 0; i < v.length; i++) items.push(readJsonReceivedShare(r, v[i], path + '[' + i + ']'));
  return items;
}

function readJsonBytes32List(r: $JsonReader, v: unknown, path: string): readonly Uint8Array[] {
  r.list(v, 4294967295, path);
  const items: (Uint8Array)[] = [];
  for (let i = 0; i < v.length; i++) items.push(r.digest(v[i], 'bytes32', path, '', i));
  return items;
}

function readJsonGenesisAccountList(r: $JsonReader, v: unknown, path: string): readonly GenesisAccount[] {
  r.list(v, 4294967295, path);
  const items: (GenesisAccount)[] = [];
  for (let i = 0; i < v.length; i++) items.push(readJsonGenesisAccount(r, v[i], path + '[' + i + ']'));
  return items;
}

function readJsonNewValidatorList(r: $JsonReader, v: unknown, path: string): readonly NewValidator[] {
  r.list(v, 4294967295, path);
  const items: (NewValidator)[] = [];
  for (let i = 0; i < v.length; i++) items.push(readJsonNewValidator(r, v[i], path + '[' + i + ']'));
  return items;
}

function readJsonHashList(r: $JsonReader, v: unknown, path: string): readonly Uint8Array[] {
  r.list(v, 4294967295, path);
  const items: (Uint8Array)[] = [];
  for (let i = 0; i < v.length; i++) items.push(r.digest(v[i], 'hash', path, '', i));
  return items;
}

function readJsonU32List(r: $JsonReader, v: unknown, path: string): readonly number[] {
  r.list(v, 4294967295, path);
  const items: (number)[] = [];
  for (let i = 0; i < v.length; i++) items.push(r.u32(v[i], path, '', i));
  return items;
}

function readJsonBytes64List(r: $JsonReader, v: unknown, path: string): readonly Uint8Array[] {
  r.list(v, 4294967295, path);
  const items: (Uint8Array)[] = [];
  for (let i = 0; i < v.length; i++) items.push(r.fixed(v[i], 64, path, '', i));
  return items;
}

function readJsonFinalizedBlockListMax256(r: $JsonReader, v: unknown, path: string): readonly FinalizedBlock[] {
  r.list(v, 256, path);
  const items: (FinalizedBlock)[] = [];
  for (let i = 0; i < v.length; i++) items.push(readJsonFinalizedBlock(r, v[i], path + '[' + i + ']'));
  return items;
}

function readJsonGossipItemListMax4096(r: $JsonReader, v: unknown, path: string): readonly GossipItem[] {
  r.list(v, 4096, path);
  const items: (GossipItem)[] = [];
  for (let i = 0; i < v.length; i++) items.push(readJsonGossipItem(r, v[i], path + '[' + i + ']'));
  return items;
}

function readJsonBytesListMax1000(r: $JsonReader, v: unknown, path: string): readonly Uint8Array[] {
  r.list(v, 1000, path);
  const items: (Uint8Array)[] = [];
  for (let i = 0; i < v.length; i++) items.push(r.bytes(v[i], 4294967295, path, '', i));
  return items;
}

function readJsonSealedShareList(r: $JsonReader, v: unknown, path: string): readonly SealedShare[] {
  r.list(v, 4294967295, path);
  const items: (SealedShare)[] = [];
  for (let i = 0; i < v.length; i++) items.push(readJsonSealedShare(r, v[i], path + '[' + i + ']'));
  return items;
}

export function writeJsonVote(w: $JsonWriter, v: Vote, path: string): string {
  w.object(v, 'Vote', path);
  return '{"kind":' + writeJsonVoteKind(w, v.kind, path + '.kind') + ',"epoch":' + w.u64(v.epoch, path, '.epoch', -1) + ',"view":' + w.u64(v.view, path, '.view', -1) + ',"parent_view":' + w.u64(v.parent_view, path, '.parent_view', -1) + ',"block_hash":' + w.digest(v.block_hash, path, '.block_hash', -1) + ',"signer":' + w.u32(v.signer, path, '.signer', -1) + ',"partial":' + w.fixed(v.partial, 96, path, '.partial', -1) + ',"signature":' + w.fixed(v.signature, 64, path, '.signature', -1) + '}';
}

export function writeJsonVoteCertificate(w: $JsonWriter, v: VoteCertificate, path: string): string {
  w.object(v, 'VoteCertificate', path);
  return '{"kind":' + writeJsonVoteKind(w, v.kind, path + '.kind') + ',"epoch":' + w.u64(v.epoch, path, '.epoch', -1) + ',"view":' + w.u64(v.view, path, '.view', -1) + ',"parent_view":' + w.u64(v.parent_view, path, '.parent_view', -1) + ',"block_hash":' + w.digest(v.block_hash, path, '.block_hash', -1) + ',"signature":' + w.fixed(v.signature, 96, path, '.signature', -1) + '}';
}

export function writeJsonVotedMessage(w: $JsonWriter, v: VotedMessage, path: string): string {
  w.object(v, 'VotedMessage', path);
  return '{"kind":' + writeJsonVoteKind(w, v.kind, path + '.kind') + ',"epoch":' + w.u64(v.epoch, path, '.epoch', -1) + ',"view":' + w.u64(v.view, path, '.view', -1) + ',"parent_view":' + w.u64(v.parent_view, path, '.parent_view', -1) + ',"block_hash":' + w.digest(v.block_hash, path, '.block_hash', -1) + '}';
}

export function writeJsonVoteEvidence(w: $JsonWriter, v: VoteEvidence, path: string): string {
  w.object(v, 'VoteEvidence', path);
  return '{"first":' + writeJsonVote(w, v.first, path + '.first') + ',"second":' + writeJsonVote(w, v.second, path + '.second') + '}';
}

export function writeJsonEncodedBlock(w: $JsonWriter, v: EncodedBlock, path: string): string {
  w.object(v, 'EncodedBlock', path);
  return '{"header":' + w.bytes(v.header, 4294967295, path, '.header', -1) + ',"body":' + w.bytes(v.body, 4294967295, path, '.body', -1) + '}';
}

export function writeJsonSealShare(w: $JsonWriter, v: SealShare, path: string): string {
  w.object(v, 'SealShare', path);
  return '{"epoch":' + w.u64(v.epoch, path, '.epoch', -1) + ',"height":' + w.u64(v.height, path, '.height', -1) + ',"signer":' + w.u32(v.signer, path, '.signer', -1) + ',"partial":' + w.fixed(v.partial, 96, path, '.partial', -1) + '}';
}

export function writeJsonDealtShare(w: $JsonWriter, v: DealtShare, path: string): string {
  w.object(v, 'DealtShare', path);
  return '{"epoch":' + w.u64(v.epoch, path, '.epoch', -1) + ',"dealer":' + w.u32(v.dealer, path, '.dealer', -1) + ',"commitments":' + writeJsonBytes48List(w, v.commitments, path + '.commitments') + ',"share":' + w.digest(v.share, path, '.share', -1) + '}';
}

export function writeJsonDealtAck(w: $JsonWriter, v: DealtAck, path: string): string {
  w.object(v, 'DealtAck', path);
  return '{"epoch":' + w.u64(v.epoch, path, '.epoch', -1) + ',"dealer":' + w.u32(v.dealer, path, '.dealer', -1) + ',"ack":' + writeJsonAck(w, v.ack, path + '.ack') + '}';
}

export function writeJsonResharingRecord(w: $JsonWriter, v: ResharingRecord, path: string): string {
  w.object(v, 'ResharingRecord', path);
  let s = '{"epoch":' + w.u64(v.epoch, path, '.epoch', -1);
  const x1 = v.own;
  if (x1 !== undefined && x1 !== null) s += ',"own":' + writeJsonOwnDealing(w, x1, path + '.own');
  return s + ',"received":' + writeJsonReceivedShareList(w, v.received, path + '.received') + '}';
}

export function writeJsonOwnDealing(w: $JsonWriter, v: OwnDealing, path: string): string {
  w.object(v, 'OwnDealing', path);
  return '{"polynomial":' + writeJsonBytes32List(w, v.polynomial, path + '.polynomial') + ',"seed":' + w.digest(v.seed, path, '.seed', -1) + ',"encryption_key":' + w.fixed(v.encryption_key, 48, path, '.encryption_key', -1) + '}';
}

export function writeJsonReceivedShare(w: $JsonWriter, v: ReceivedShare, path: string): string {
  w.object(v, 'ReceivedShare', path);
  return '{"dealer":' + w.u32(v.dealer, path, '.dealer', -1) + ',"commitments_digest":' + w.digest(v.commitments_digest, path, '.commitments_digest', -1) + ',"share":' + w.digest(v.share, path, '.share', -1) + '}';
}

export function writeJsonCeremonyConfiguration(w: $JsonWriter, v: CeremonyConfiguration, path: string): string {
  w.object(v, 'CeremonyConfiguration', path);
  let s = '{"chain_id":' + w.u64(v.chain_id, path, '.chain_id', -1) + ',"timestamp_ms":' + w.u64(v.timestamp_ms, path, '.timestamp_ms', -1) + ',"gas_limit":' + w.u64(v.gas_limit, path, '.gas_limit', -1) + ',"base_fee":' + w.u128(v.base_fee, path, '.base_fee', -1);
  const x4 = v.extra;
  if (x4 !== undefined && x4 !== null) s += ',"extra":' + w.bytes(x4, 4294967295, path, '.extra', -1);
  s += ',"accounts":' + writeJsonGenesisAccountList(w, v.accounts, path + '.accounts');
  const x6 = v.epoch_length;
  if (x6 !== undefined && x6 !== null) s += ',"epoch_length":' + w.u64(x6, path, '.epoch_length', -1);
  return s + ',"validators":' + writeJsonNewValidatorList(w, v.validators, path + '.validators') + '}';
}

export function writeJsonCeremonyMessage(w: $JsonWriter, v: CeremonyMessage, path: string): string {
  w.object(v, 'CeremonyMessage', path);
  return '{"configuration":' + w.digest(v.configuration, path, '.configuration', -1) + ',"attempt":' + w.u32(v.attempt, path, '.attempt', -1) + ',"sender":' + w.u32(v.sender, path, '.sender', -1) + ',"body":' + writeJsonCeremonyBody(w, v.body, path + '.body') + ',"signature":' + w.fixed(v.signature, 64, path, '.signature', -1) + '}';
}

export function writeJsonCeremonyApproval(w: $JsonWriter, v: CeremonyApproval, path: string): string {
  w.object(v, 'CeremonyApproval', path);
  return '{"transcript":' + w.digest(v.transcript, path, '.transcript', -1) + ',"signature":' + w.fixed(v.signature, 64, path, '.signature', -1) + ',"commitments":' + writeJsonHashList(w, v.commitments, path + '.commitments') + '}';
}

export function writeJsonCeremonyFault(w: $JsonWriter, v: CeremonyFault, path: string): string {
  w.object(v, 'CeremonyFault', path);
  return '{"code":' + writeJsonCeremonyFaultCode(w, v.code, path + '.code') + ',"participants":' + writeJsonU32List(w, v.participants, path + '.participants') + '}';
}

export function writeJsonCeremonyEnd(w: $JsonWriter, v: CeremonyEnd, path: string): string {
  w.object(v, 'CeremonyEnd', path);
  return '{"signatures":' + writeJsonBytes64List(w, v.signatures, path + '.signatures') + ',"confirmations":' + writeJsonBytes64List(w, v.confirmations, path + '.confirmations') + '}';
}

export function writeJsonCeremonyRecord(w: $JsonWriter, v: CeremonyRecord, path: string): string {
  w.object(v, 'CeremonyRecord', path);
  return '{"attempt":' + w.u32(v.attempt, path, '.attempt', -1) + ',"genesis":' + writeJsonGenesis(w, v.genesis, path + '.genesis') + ',"index":' + w.u32(v.index, path, '.index', -1) + ',"share":' + w.digest(v.share, path, '.share', -1) + ',"vote":' + w.bytes(v.vote, 4294967295, path, '.vote', -1) + ',"confirmed":' + writeJsonBytes64List(w, v.confirmed, path + '.confirmed') + ',"confirmations":' + writeJsonBytes64List(w, v.confirmations, path + '.confirmations') + '}';
}

export function writeJsonHello(w: $JsonWriter, v: Hello, path: string): string {
  w.object(v, 'Hello', path);
  return '{"version":' + w.u32(v.version, path, '.version', -1) + ',"chain_id":' + w.u64(v.chain_id, path, '.chain_id', -1) + ',"chain":' + w.digest(v.chain, path, '.chain', -1) + '}';
}

export function writeJsonPing(w: $JsonWriter, v: Ping, path: string): string {
  w.object(v, 'Ping', path);
  return '{"nonce":' + w.u64(v.nonce, path, '.nonce', -1) + '}';
}

export function writeJsonPong(w: $JsonWriter, v: Pong, path: string): string {
  w.object(v, 'Pong', path);
  return '{"nonce":' + w.u64(v.nonce, path, '.nonce', -1) + '}';
}

export function writeJsonProposal(w: $JsonWriter, v: Proposal, path: string): string {
  w.object(v, 'Proposal', path);
  return '{"vote":' + writeJsonVote(w, v.vote, path + '.vote') + ',"block":' + writeJsonEncodedBlock(w, v.block, path + '.block') + '}';
}

export function writeJsonGetBlock(w: $JsonWriter, v: GetBlock, path: string): string {
  w.object(v, 'GetBlock', path);
  return '{"block_hash":' + w.digest(v.block_hash, path, '.block_hash', -1) + '}';
}

export function writeJsonBlockAnswer(w: $JsonWriter, v: BlockAnswer, path: string): string {
  w.object(v, 'BlockAnswer', path);
  let s = '{"block_hash":' + w.digest(v.block_hash, path, '.block_hash', -1);
  const x1 = v.block;
  if (x1 !== undefined && x1 !== null) s += ',"block":' + writeJsonEncodedBlock(w, x1, path + '.block');
  return s + '}';
}

export function writeJsonGetCertificates(w: $JsonWriter, v: GetCertificates, path: string): string {
  w.object(v, 'GetCertificates', path);
  return '{"epoch":' + w.u64(v.epoch, path, '.epoch', -1) + ',"from_view":' + w.u64(v.from_view, path, '.from_view', -1) + ',"to_view":' + w.u64(v.to_view, path, '.to_view', -1) + '}';
}

export function writeJsonGetFinalized(w: $JsonWriter, v: GetFinalized, path: string): string {
  w.object(v, 'GetFinalized', path);
  return '{"from_height":' + w.u64(v.from_height, path, '.from_height', -1) + ',"count":' + w.u32(v.count, path, '.count', -1) + '}';
}

export function writeJsonFinalized(w: $JsonWriter, v: Finalized, path: string): string {
  w.object(v, 'Finalized', path);
  return '{"from_height":' + w.u64(v.from_height, path, '.from_height', -1) + ',"blocks":' + writeJsonFinalizedBlockListMax256(w, v.blocks, path + '.blocks') + '}';
}

export function writeJsonFinalizedBlock(w: $JsonWriter, v: FinalizedBlock, path: string): string {
  w.object(v, 'FinalizedBlock', path);
  let s = '{"block":' + writeJsonEncodedBlock(w, v.block, path + '.block');
  const x1 = v.certificate;
  if (x1 !== undefined && x1 !== null) s += ',"certificate":' + writeJsonVoteCertificate(w, x1, path + '.certificate');
  return s + '}';
}

export function writeJsonTransactions(w: $JsonWriter, v: Transactions, path: string): string {
  w.object(v, 'Transactions', path);
  return '{"items":' + writeJsonGossipItemListMax4096(w, v.items, path + '.items') + '}';
}

export function writeJsonGossipedBundle(w: $JsonWriter, v: GossipedBundle, path: string): string {
  w.object(v, 'GossipedBundle', path);
  let s = '{"transactions":' + writeJsonBytesListMax1000(w, v.transactions, path + '.transactions');
  const x1 = v.max_height;
  if (x1 !== undefined && x1 !== null) s += ',"max_height":' + w.u64(x1, path, '.max_height', -1);
  return s + '}';
}

export function writeJsonChangeApproval(w: $JsonWriter, v: ChangeApproval, path: string): string {
  w.object(v, 'ChangeApproval', path);
  return '{"epoch":' + w.u64(v.epoch, path, '.epoch', -1) + ',"change":' + writeJsonValidatorChange(w, v.change, path + '.change') + ',"approval":' + writeJsonApproval(w, v.approval, path + '.approval') + '}';
}

export function writeJsonCeremonyFrame(w: $JsonWriter, v: CeremonyFrame, path: string): string {
  w.object(v, 'CeremonyFrame', path);
  return '{"content":' + w.bytes(v.content, 4294967295, path, '.content', -1) + '}';
}

export function writeJsonVoteKind(w: $JsonWriter, v: VoteKind, path: string): string {
  w.object(v, 'VoteKind', path);
  switch (v.type) {
    case 'notarize':
      w.nothing(v.value, path);
      return '{"type":"notarize","value":null}';
    case 'nullify':
      w.nothing(v.value, path);
      return '{"type":"nullify","value":null}';
    case 'finalize':
      w.nothing(v.value, path);
      return '{"type":"finalize","value":null}';
    default:
      return w.unknownVariant((v as { readonly type: unknown }).type, ['notarize', 'nullify', 'finalize'], path);
  }
}

export function writeJsonJournalRecord(w: $JsonWriter, v: JournalRecord, path: string): string {
  w.object(v, 'JournalRecord', path);
  switch (v.type) {
    case 'block':
      return '{"type":"block","value":' + w.digest(v.value, path, '.block', -1) + '}';
    case 'vote':
      return '{"type":"vote","value":' + writeJsonVotedMessage(w, v.value, path + '.vote') + '}';
    case 'certificate':
      return '{"type":"certificate","value":' + writeJsonVoteCertificate(w, v.value, path + '.certificate') + '}';
    default:
      return w.unknownVariant((v as { readonly type: unknown }).type, ['block', 'vote', 'certificate'], path);
  }
}

export function writeJsonCeremonyBody(w: $JsonWriter, v: CeremonyBody, path: string): string {
  w.object(v, 'CeremonyBody', path);
  switch (v.type) {
    case 'hello':
      return '{"type":"hello","value":' + w.bytes(v.value, 4294967295, path, '.hello', -1) + '}';
    case 'commitments':
      return '{"type":"commitments","value":' + writeJsonBytes48List(w, v.value, path + '.commitments') + '}';
    case 'evaluation':
      return '{"type":"evaluation","value":' + w.digest(v.value, path, '.evaluation', -1) + '}';
    case 'response':
      return '{"type":"response","value":' + writeJsonU32List(w, v.value, path + '.response') + '}';
    case 'sealed':
      return '{"type":"sealed","value":' + writeJsonSealedShareList(w, v.value, path + '.sealed') + '}';
    case 'complaint':
      return '{"type":"complaint","value":' + writeJsonComplaint(w, v.value, path + '.complaint') + '}';
    case 'approval':
      return '{"type":"approval","value":' + writeJsonCeremonyApproval(w, v.value, path + '.approval') + '}';
    case 'fault':
      return '{"type":"fault","value":' + writeJsonCeremonyFault(w, v.value, path + '.fault') + '}';
    case 'complete':
      return '{"type":"complete","value":' + writeJsonBytes64List(w, v.value, path + '.complete') + '}';
    case 'confirmation':
      return '{"type":"confirmation","value":' + w.digest(v.value, path, '.confirmation', -1) + '}';
    case 'finished':
      return '{"type":"finished","value":' + writeJsonCeremonyEnd(w, v.value, path + '.finished') + '}';
    default:
      return w.unknownVariant((v as { readonly type: unknown }).type, ['hello', 'commitments', 'evaluation', 'response', 'sealed', 'complaint', 'approval', 'fault', 'complete', 'confirmation', 'finished'], path);
  }
}

export function writeJsonCeremonyFaultCode(w: $JsonWriter, v: CeremonyFaultCode, path: string): string {
  w.object(v, 'CeremonyFaultCode', path);
  switch (v.type) {
    case 'silent':
      w.nothing(v.value, path);
      return '{"type":"silent","value":null}';
    case 'equivocation':
      w.nothing(v.value, path);
      return '{"type":"equivocation","value":null}';
    case 'malformed':
      w.nothing(v.value, path);
      return '{"type":"malformed","value":null}';
    case 'garbage':
      w.nothing(v.value, path);
      return '{"type":"garbage","value":null}';
    case 'false_complaint':
      w.nothing(v.value, path);
      return '{"type":"false_complaint","value":null}';
    case 'no_key':
      w.nothing(v.value, path);
      return '{"type":"no_key","value":null}';
    case 'dissent':
      w.nothing(v.value, path);
      return '{"type":"dissent","value":null}';
    case 'restarted':
      w.nothing(v.value, path);
      return '{"type":"restarted","value":null}';
    default:
      return w.unknownVariant((v as { readonly type: unknown }).type, ['silent', 'equivocation', 'malformed', 'garbage', 'false_complaint', 'no_key', 'dissent', 'restarted'], path);
  }
}

export function writeJsonGossipItem(w: $JsonWriter, v: GossipItem, path: string): string {
  w.object(v, 'GossipItem', path);
  switch (v.type) {
    case 'transaction':
      return '{"type":"transaction","value":' + w.bytes(v.value, 4294967295, path, '.transaction', -1) + '}';
    case 'sealed':
      return '{"type":"sealed","value":' + w.bytes(v.value, 4294967295, path, '.sealed', -1) + '}';
    case 'bundle':
      return '{"type":"bundle","value":' + writeJsonGossipedBundle(w, v.value, path + '.bundle') + '}';
    default:
      return w.unknownVariant((v as { readonly type: unknown }).type, ['transaction', 'sealed', 'bundle'], path);
  }
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

function writeJsonReceivedShareList(w: $JsonWriter, v: readonly ReceivedShare[], path: string): string {
  w.list(v, 4294967295, path);
  if (v.length === 0) return '[]';
  let s = '[';
  for (let i = 0; i < v.length; i++) {
    if (i !== 0) s += ',';
    s += writeJsonReceivedShare(w, v[i] as ReceivedShare, path + '[' + i + ']');
  }
  return s + ']';
}

function writeJsonBytes32List(w: $JsonWriter, v: readonly Uint8Array[], path: string): string {
  w.list(v, 4294967295, path);
  if (v.length === 0) return '[]';
  let s = '[';
  for (let i = 0; i < v.length; i++) {
    if (i !== 0) s += ',';
    s += w.digest(v[i] as Uint8Array, path, '', i);
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

function writeJsonNewValidatorList(w: $JsonWriter, v: readonly NewValidator[], path: string): string {
  w.list(v, 4294967295, path);
  if (v.length === 0) return '[]';
  let s = '[';
  for (let i = 0; i < v.length; i++) {
    if (i !== 0) s += ',';
    s += writeJsonNewValidator(w, v[i] as NewValidator, path + '[' + i + ']');
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

function writeJsonFinalizedBlockListMax256(w: $JsonWriter, v: readonly FinalizedBlock[], path: string): string {
  w.list(v, 256, path);
  if (v.length === 0) return '[]';
  let s = '[';
  for (let i = 0; i < v.length; i++) {
    if (i !== 0) s += ',';
    s += writeJsonFinalizedBlock(w, v[i] as FinalizedBlock, path + '[' + i + ']');
  }
  return s + ']';
}

function writeJsonGossipItemListMax4096(w: $JsonWriter, v: readonly GossipItem[], path: string): string {
  w.list(v, 4096, path);
  if (v.length === 0) return '[]';
  let s = '[';
  for (let i = 0; i < v.length; i++) {
    if (i !== 0) s += ',';
    s += writeJsonGossipItem(w, v[i] as GossipItem, path + '[' + i + ']');
  }
  return s + ']';
}

function writeJsonBytesListMax1000(w: $JsonWriter, v: readonly Uint8Array[], path: string): string {
  w.list(v, 1000, path);
  if (v.length === 0) return '[]';
  let s = '[';
  for (let i = 0; i < v.length; i++) {
    if (i !== 0) s += ',';
    s += w.bytes(v[i] as Uint8Array, 4294967295, path, '', i);
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

/** Functions of every struct and enum, by name; the input of `bindCodecs`. */
export const meshFunctions: $FunctionTable<MeshTypes> = {
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
  BlockBody: { writeBorsh: writeBorshBlockBody, readBorsh: readBorshBlockBody, writeJson: writeJsonBlockBody, readJson: readJsonBlockBody },
  LedgerReceipt: { writeBorsh: writeBorshLedgerReceipt, readBorsh: readBorshLedgerReceipt, writeJson: writeJsonLedgerReceipt, readJson: readJsonLedgerReceipt },
  LedgerLog: { writeBorsh: writeBorshLedgerLog, readBorsh: readBorshLedgerLog, writeJson: writeJsonLedgerLog, readJson: readJsonLedgerLog },
  AccountRecord: { writeBorsh: writeBorshAccountRecord, readBorsh: readBorshAccountRecord, writeJson: writeJsonAccountRecord, readJson: readJsonAccountRecord },
  Lane: { writeBorsh: writeBorshLane, readBorsh: readBorshLane, writeJson: writeJsonLane, readJson: readJsonLane },
  ContractRecord: { writeBorsh: writeBorshContractRecord, readBorsh: readBorshContractRecord, writeJson: writeJsonContractRecord, readJson: readJsonContractRecord },
  PendingUpgrade: { writeBorsh: writeBorshPendingUpgrade, readBorsh: readBorshPendingUpgrade, writeJson: writeJsonPendingUpgrade, readJson: readJsonPendingUpgrade },
  ValidatorSet: { writeBorsh: writeBorshValidatorSet, readBorsh: readBorshValidatorSet, writeJson: writeJsonValidatorSet, readJson: readJsonValidatorSet },
  Validator: { writeBorsh: writeBorshValidator, readBorsh: readBorshValidator, writeJson: writeJsonValidator, readJson: readJsonValidator },
  Genesis: { writeBorsh: writeBorshGenesis, readBorsh: readBorshGenesis, writeJson: writeJsonGenesis, readJson: readJsonGenesis },
  Ceremony: { writeBorsh: writeBorshCeremony, readBorsh: readBorshCeremony, writeJson: writeJsonCeremony, readJson: readJsonCeremony },
  CeremonyDealing: { writeBorsh: writeBorshCeremonyDealing, readBorsh: readBorshCeremonyDealing, writeJson: writeJsonCeremonyDealing, readJson: readJsonCeremonyDealing },
  EncryptionKeys: { writeBorsh: writeBorshEncryptionKeys, readBorsh: readBorshEncryptionKeys, writeJson: writeJsonEncryptionKeys, readJson: readJsonEncryptionKeys },
  GenesisAccount: { writeBorsh: writeBorshGenesisAccount, readBorsh: readBorshGenesisAccount, writeJson: writeJsonGenesisAccount, readJson: readJsonGenesisAccount },
  SealedHeader: { writeBorsh: writeBorshSealedHeader, readBorsh: readBorshSealedHeader, writeJson: writeJsonSealedHeader, readJson: readJsonSealedHeader },
  SealedEnvelope: { writeBorsh: writeBorshSealedEnvelope, readBorsh: readBorshSealedEnvelope, writeJson: writeJsonSealedEnvelope, readJson: readJsonSealedEnvelope },
  SignedEnvelope: { writeBorsh: writeBorshSignedEnvelope, readBorsh: readBorshSignedEnvelope, writeJson: writeJsonSignedEnvelope, readJson: readJsonSignedEnvelope },
  PendingEnvelope: { writeBorsh: writeBorshPendingEnvelope, readBorsh: readBorshPendingEnvelope, writeJson: writeJsonPendingEnvelope, readJson: readJsonPendingEnvelope },
  OpeningSchedule: { writeBorsh: writeBorshOpeningSchedule, readBorsh: readBorshOpeningSchedule, writeJson: writeJsonOpeningSchedule, readJson: readJsonOpeningSchedule },
  ScheduledOpening: { writeBorsh: writeBorshScheduledOpening, readBorsh: readBorshScheduledOpening, writeJson: writeJsonScheduledOpening, readJson: readJsonScheduledOpening },
  SealKey: { writeBorsh: writeBorshSealKey, readBorsh: readBorshSealKey, writeJson: writeJsonSealKey, readJson: readJsonSealKey },
  Dealing: { writeBorsh: writeBorshDealing, readBorsh: readBorshDealing, writeJson: writeJsonDealing, readJson: readJsonDealing },
  Ack: { writeBorsh: writeBorshAck, readBorsh: readBorshAck, writeJson: writeJsonAck, readJson: readJsonAck },
  SealedShare: { writeBorsh: writeBorshSealedShare, readBorsh: readBorshSealedShare, writeJson: writeJsonSealedShare, readJson: readJsonSealedShare },
  Complaint: { writeBorsh: writeBorshComplaint, readBorsh: readBorshComplaint, writeJson: writeJsonComplaint, readJson: readJsonComplaint },
  DealingOrder: { writeBorsh: writeBorshDealingOrder, readBorsh: readBorshDealingOrder, writeJson: writeJsonDealingOrder, readJson: readJsonDealingOrder },
  NewValidator: { writeBorsh: writeBorshNewValidator, readBorsh: readBorshNewValidator, writeJson: writeJsonNewValidator, readJson: readJsonNewValidator },
  ApprovedChange: { writeBorsh: writeBorshApprovedChange, readBorsh: readBorshApprovedChange, writeJson: writeJsonApprovedChange, readJson: readJsonApprovedChange },
  Approval: { writeBorsh: writeBorshApproval, readBorsh: readBorshApproval, writeJson: writeJsonApproval, readJson: readJsonApproval },
  ConsensusParameters: { writeBorsh: writeBorshConsensusParameters, readBorsh: readBorshConsensusParameters, writeJson: writeJsonConsensusParameters, readJson: readJsonConsensusParameters },
  DevChanges: { writeBorsh: writeBorshDevChanges, readBorsh: readBorshDevChanges, writeJson: writeJsonDevChanges, readJson: readJsonDevChanges },
  DevForkedAccount: { writeBorsh: writeBorshDevForkedAccount, readBorsh: readBorshDevForkedAccount, writeJson: writeJsonDevForkedAccount, readJson: readJsonDevForkedAccount },
  DevBalance: { writeBorsh: writeBorshDevBalance, readBorsh: readBorshDevBalance, writeJson: writeJsonDevBalance, readJson: readJsonDevBalance },
  DevSlots: { writeBorsh: writeBorshDevSlots, readBorsh: readBorshDevSlots, writeJson: writeJsonDevSlots, readJson: readJsonDevSlots },
  DevSlot: { writeBorsh: writeBorshDevSlot, readBorsh: readBorshDevSlot, writeJson: writeJsonDevSlot, readJson: readJsonDevSlot },
  DevContract: { writeBorsh: writeBorshDevContract, readBorsh: readBorshDevContract, writeJson: writeJsonDevContract, readJson: readJsonDevContract },
  DevDeployIndex: { writeBorsh: writeBorshDevDeployIndex, readBorsh: readBorshDevDeployIndex, writeJson: writeJsonDevDeployIndex, readJson: readJsonDevDeployIndex },
  DevImpersonation: { writeBorsh: writeBorshDevImpersonation, readBorsh: readBorshDevImpersonation, writeJson: writeJsonDevImpersonation, readJson: readJsonDevImpersonation },
  Vote: { writeBorsh: writeBorshVote, readBorsh: readBorshVote, writeJson: writeJsonVote, readJson: readJsonVote },
  VoteCertificate: { writeBorsh: writeBorshVoteCertificate, readBorsh: readBorshVoteCertificate, writeJson: writeJsonVoteCertificate, readJson: readJsonVoteCertificate },
  VotedMessage: { writeBorsh: writeBorshVotedMessage, readBorsh: readBorshVotedMessage, writeJson: writeJsonVotedMessage, readJson: readJsonVotedMessage },
  VoteEvidence: { writeBorsh: writeBorshVoteEvidence, readBorsh: readBorshVoteEvidence, writeJson: writeJsonVoteEvidence, readJson: readJsonVoteEvidence },
  EncodedBlock: { writeBorsh: writeBorshEncodedBlock, readBorsh: readBorshEncodedBlock, writeJson: writeJsonEncodedBlock, readJson: readJsonEncodedBlock },
  SealShare: { writeBorsh: writeBorshSealShare, readBorsh: readBorshSealShare, writeJson: writeJsonSealShare, readJson: readJsonSealShare },
  DealtShare: { writeBorsh: writeBorshDealtShare, readBorsh: readBorshDealtShare, writeJson: writeJsonDealtShare, readJson: readJsonDealtShare },
  DealtAck: { writeBorsh: writeBorshDealtAck, readBorsh: readBorshDealtAck, writeJson: writeJsonDealtAck, readJson: readJsonDealtAck },
  ResharingRecord: { writeBorsh: writeBorshResharingRecord, readBorsh: readBorshResharingRecord, writeJson: writeJsonResharingRecord, readJson: readJsonResharingRecord },
  OwnDealing: { writeBorsh: writeBorshOwnDealing, readBorsh: readBorshOwnDealing, writeJson: writeJsonOwnDealing, readJson: readJsonOwnDealing },
  ReceivedShare: { writeBorsh: writeBorshReceivedShare, readBorsh: readBorshReceivedShare, writeJson: writeJsonReceivedShare, readJson: readJsonReceivedShare },
  CeremonyConfiguration: { writeBorsh: writeBorshCeremonyConfiguration, readBorsh: readBorshCeremonyConfiguration, writeJson: writeJsonCeremonyConfiguration, readJson: readJsonCeremonyConfiguration },
  CeremonyMessage: { writeBorsh: writeBorshCeremonyMessage, readBorsh: readBorshCeremonyMessage, writeJson: writeJsonCeremonyMessage, readJson: readJsonCeremonyMessage },
  CeremonyApproval: { writeBorsh: writeBorshCeremonyApproval, readBorsh: readBorshCeremonyApproval, writeJson: writeJsonCeremonyApproval, readJson: readJsonCeremonyApproval },
  CeremonyFault: { writeBorsh: writeBorshCeremonyFault, readBorsh: readBorshCeremonyFault, writeJson: writeJsonCeremonyFault, readJson: readJsonCeremonyFault },
  CeremonyEnd: { writeBorsh: writeBorshCeremonyEnd, readBorsh: readBorshCeremonyEnd, writeJson: writeJsonCeremonyEnd, readJson: readJsonCeremonyEnd },
  CeremonyRecord: { writeBorsh: writeBorshCeremonyRecord, readBorsh: readBorshCeremonyRecord, writeJson: writeJsonCeremonyRecord, readJson: readJsonCeremonyRecord },
  Hello: { writeBorsh: writeBorshHello, readBorsh: readBorshHello, writeJson: writeJsonHello, readJson: readJsonHello },
  Ping: { writeBorsh: writeBorshPing, readBorsh: readBorshPing, writeJson: writeJsonPing, readJson: readJsonPing },
  Pong: { writeBorsh: writeBorshPong, readBorsh: readBorshPong, writeJson: writeJsonPong, readJson: readJsonPong },
  Proposal: { writeBorsh: writeBorshProposal, readBorsh: readBorshProposal, writeJson: writeJsonProposal, readJson: readJsonProposal },
  GetBlock: { writeBorsh: writeBorshGetBlock, readBorsh: readBorshGetBlock, writeJson: writeJsonGetBlock, readJson: readJsonGetBlock },
  BlockAnswer: { writeBorsh: writeBorshBlockAnswer, readBorsh: readBorshBlockAnswer, writeJson: writeJsonBlockAnswer, readJson: readJsonBlockAnswer },
  GetCertificates: { writeBorsh: writeBorshGetCertificates, readBorsh: readBorshGetCertificates, writeJson: writeJsonGetCertificates, readJson: readJsonGetCertificates },
  GetFinalized: { writeBorsh: writeBorshGetFinalized, readBorsh: readBorshGetFinalized, writeJson: writeJsonGetFinalized, readJson: readJsonGetFinalized },
  Finalized: { writeBorsh: writeBorshFinalized, readBorsh: readBorshFinalized, writeJson: writeJsonFinalized, readJson: readJsonFinalized },
  FinalizedBlock: { writeBorsh: writeBorshFinalizedBlock, readBorsh: readBorshFinalizedBlock, writeJson: writeJsonFinalizedBlock, readJson: readJsonFinalizedBlock },
  Transactions: { writeBorsh: writeBorshTransactions, readBorsh: readBorshTransactions, writeJson: writeJsonTransactions, readJson: readJsonTransactions },
  GossipedBundle: { writeBorsh: writeBorshGossipedBundle, readBorsh: readBorshGossipedBundle, writeJson: writeJsonGossipedBundle, readJson: readJsonGossipedBundle },
  ChangeApproval: { writeBorsh: writeBorshChangeApproval, readBorsh: readBorshChangeApproval, writeJson: writeJsonChangeApproval, readJson: readJsonChangeApproval },
  CeremonyFrame: { writeBorsh: writeBorshCeremonyFrame, readBorsh: readBorshCeremonyFrame, writeJson: writeJsonCeremonyFrame, readJson: readJsonCeremonyFrame },
  Action: { writeBorsh: writeBorshAction, readBorsh: readBorshAction, writeJson: writeJsonAction, readJson: readJsonAction },
  VmType: { writeBorsh: writeBorshVmType, readBorsh: readBorshVmType, writeJson: writeJsonVmType, readJson: readJsonVmType },
  UpgradePolicy: { writeBorsh: writeBorshUpgradePolicy, readBorsh: readBorshUpgradePolicy, writeJson: writeJsonUpgradePolicy, readJson: readJsonUpgradePolicy },
  Signature: { writeBorsh: writeBorshSignature, readBorsh: readBorshSignature, writeJson: writeJsonSignature, readJson: readJsonSignature },
  BlockItem: { writeBorsh: writeBorshBlockItem, readBorsh: readBorshBlockItem, writeJson: writeJsonBlockItem, readJson: readJsonBlockItem },
  Outcome: { writeBorsh: writeBorshOutcome, readBorsh: readBorshOutcome, writeJson: writeJsonOutcome, readJson: readJsonOutcome },
  ValidatorChange: { writeBorsh: writeBorshValidatorChange, readBorsh: readBorshValidatorChange, writeJson: writeJsonValidatorChange, readJson: readJsonValidatorChange },
  DevChange: { writeBorsh: writeBorshDevChange, readBorsh: readBorshDevChange, writeJson: writeJsonDevChange, readJson: readJsonDevChange },
  VoteKind: { writeBorsh: writeBorshVoteKind, readBorsh: readBorshVoteKind, writeJson: writeJsonVoteKind, readJson: readJsonVoteKind },
  JournalRecord: { writeBorsh: writeBorshJournalRecord, readBorsh: readBorshJournalRecord, writeJson: writeJsonJournalRecord, readJson: readJsonJournalRecord },
  CeremonyBody: { writeBorsh: writeBorshCeremonyBody, readBorsh: readBorshCeremonyBody, writeJson: writeJsonCeremonyBody, readJson: readJsonCeremonyBody },
  CeremonyFaultCode: { writeBorsh: writeBorshCeremonyFaultCode, readBorsh: readBorshCeremonyFaultCode, writeJson: writeJsonCeremonyFaultCode, readJson: readJsonCeremonyFaultCode },
  GossipItem: { writeBorsh: writeBorshGossipItem, readBorsh: readBorshGossipItem, writeJson: writeJsonGossipItem, readJson: readJsonGossipItem },
};

/** JSON and Borsh codecs by type name. */
export const meshCodecs: $CodecTable<MeshTypes> = /* @__PURE__ */ $bindCodecs<MeshTypes>(meshFunctions);
