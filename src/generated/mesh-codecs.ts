// Generated from idl/ledger.idl and idl/mesh.idl by `heddle idl generate`. Do not edit.
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
  readBorshAck,
  readBorshApproval,
  readBorshComplaint,
  readBorshDealing,
  readBorshGenesis,
  readBorshSealedShare,
  readBorshValidatorChange,
  readJsonGenesisAccount,
  readJsonNewValidator,
  writeBorshAck,
  writeBorshApproval,
  writeBorshComplaint,
  writeBorshDealing,
  writeBorshGenesis,
  writeBorshGenesisAccount,
  writeBorshNewValidator,
  writeBorshSealedShare,
  writeBorshValidatorChange,
  writeJsonGenesisAccount,
  writeJsonNewValidator,
} from './ledger-codecs.js';

const w: $BorshWriter = $borshWriter;

export function readBorshBlockAnswer(r: $BorshReader, path: string): BlockAnswer {
  const x0 = r.fixed(32, path, '.block_hash', -1);
  const x1 = r.flag(path, '.block', -1) ? readBorshEncodedBlock(r, path + '.block') : undefined;
  const result: $Writable<BlockAnswer> = { block_hash: x0 };
  if (x1 !== undefined) result.block = x1;
  return result;
}

export function readBorshCeremonyFrame(r: $BorshReader, path: string): CeremonyFrame {
  const x0 = r.bytes(4294967295, path, '.content', -1);
  return { content: x0 };
}

export function readBorshCeremonyMessage(r: $BorshReader, path: string): CeremonyMessage {
  const x0 = r.fixed(32, path, '.configuration', -1);
  const x1 = r.u32(path, '.attempt', -1);
  const x2 = r.u32(path, '.sender', -1);
  const x3 = readBorshCeremonyBody(r, path + '.body');
  const x4 = r.fixed(64, path, '.signature', -1);
  return { configuration: x0, attempt: x1, sender: x2, body: x3, signature: x4 };
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

export function readBorshChangeApproval(r: $BorshReader, path: string): ChangeApproval {
  const x0 = r.u64(path, '.epoch', -1);
  const x1 = readBorshValidatorChange(r, path + '.change');
  const x2 = readBorshApproval(r, path + '.approval');
  return { epoch: x0, change: x1, approval: x2 };
}

export function readBorshDealtAck(r: $BorshReader, path: string): DealtAck {
  const x0 = r.u64(path, '.epoch', -1);
  const x1 = r.u32(path, '.dealer', -1);
  const x2 = readBorshAck(r, path + '.ack');
  return { epoch: x0, dealer: x1, ack: x2 };
}

export function readBorshDealtShare(r: $BorshReader, path: string): DealtShare {
  const x0 = r.u64(path, '.epoch', -1);
  const x1 = r.u32(path, '.dealer', -1);
  const x2 = readBorshBytes48List(r, path + '.commitments');
  const x3 = r.fixed(32, path, '.share', -1);
  return { epoch: x0, dealer: x1, commitments: x2, share: x3 };
}

export function readBorshFinalized(r: $BorshReader, path: string): Finalized {
  const x0 = r.u64(path, '.from_height', -1);
  const x1 = readBorshFinalizedBlockListMax256(r, path + '.blocks');
  return { from_height: x0, blocks: x1 };
}

export function readBorshGetBlock(r: $BorshReader, path: string): GetBlock {
  const x0 = r.fixed(32, path, '.block_hash', -1);
  return { block_hash: x0 };
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

export function readBorshHello(r: $BorshReader, path: string): Hello {
  const x0 = r.u32(path, '.version', -1);
  const x1 = r.u64(path, '.chain_id', -1);
  const x2 = r.fixed(32, path, '.chain', -1);
  return { version: x0, chain_id: x1, chain: x2 };
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

export function readBorshResharingRecord(r: $BorshReader, path: string): ResharingRecord {
  const x0 = r.u64(path, '.epoch', -1);
  const x1 = r.flag(path, '.own', -1) ? readBorshOwnDealing(r, path + '.own') : undefined;
  const x2 = readBorshReceivedShareList(r, path + '.received');
  const result: $Writable<ResharingRecord> = { epoch: x0, received: x2 };
  if (x1 !== undefined) result.own = x1;
  return result;
}

export function readBorshSealShare(r: $BorshReader, path: string): SealShare {
  const x0 = r.u64(path, '.epoch', -1);
  const x1 = r.u64(path, '.height', -1);
  const x2 = r.u32(path, '.signer', -1);
  const x3 = r.fixed(96, path, '.partial', -1);
  return { epoch: x0, height: x1, signer: x2, partial: x3 };
}

export function readBorshTransactions(r: $BorshReader, path: string): Transactions {
  const x0 = readBorshGossipItemListMax4096(r, path + '.items');
  return { items: x0 };
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

function readBorshBytes64List(r: $BorshReader, path: string): readonly Uint8Array[] {
  const n = r.count(64, 4294967295, path);
  const items: (Uint8Array)[] = [];
  for (let i = 0; i < n; i++) items.push(r.fixed(64, path, '', i));
  return items;
}

function readBorshBytes48List(r: $BorshReader, path: string): readonly Uint8Array[] {
  const n = r.count(48, 4294967295, path);
  const items: (Uint8Array)[] = [];
  for (let i = 0; i < n; i++) items.push(r.fixed(48, path, '', i));
  return items;
}

function readBorshFinalizedBlockListMax256(r: $BorshReader, path: string): readonly FinalizedBlock[] {
  const n = r.count(9, 256, path);
  const items: (FinalizedBlock)[] = [];
  for (let i = 0; i < n; i++) items.push(readBorshFinalizedBlock(r, path + '[' + i + ']'));
  return items;
}

export function readBorshVotedMessage(r: $BorshReader, path: string): VotedMessage {
  const x0 = readBorshVoteKind(r, path + '.kind');
  const x1 = r.u64(path, '.epoch', -1);
  const x2 = r.u64(path, '.view', -1);
  const x3 = r.u64(path, '.parent_view', -1);
  const x4 = r.fixed(32, path, '.block_hash', -1);
  return { kind: x0, epoch: x1, view: x2, parent_view: x3, block_hash: x4 };
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

export function readBorshOwnDealing(r: $BorshReader, path: string): OwnDealing {
  const x0 = readBorshBytes32List(r, path + '.polynomial');
  const x1 = r.fixed(32, path, '.seed', -1);
  const x2 = r.fixed(48, path, '.encryption_key', -1);
  return { polynomial: x0, seed: x1, encryption_key: x2 };
}

function readBorshReceivedShareList(r: $BorshReader, path: string): readonly ReceivedShare[] {
  const n = r.count(68, 4294967295, path);
  const items: (ReceivedShare)[] = [];
  for (let i = 0; i < n; i++) items.push(readBorshReceivedShare(r, path + '[' + i + ']'));
  return items;
}

function readBorshGossipItemListMax4096(r: $BorshReader, path: string): readonly GossipItem[] {
  const n = r.count(5, 4096, path);
  const items: (GossipItem)[] = [];
  for (let i = 0; i < n; i++) items.push(readBorshGossipItem(r, path + '[' + i + ']'));
  return items;
}

function readBorshU32List(r: $BorshReader, path: string): readonly number[] {
  const n = r.count(4, 4294967295, path);
  const items: (number)[] = [];
  for (let i = 0; i < n; i++) items.push(r.u32(path, '', i));
  return items;
}

function readBorshSealedShareList(r: $BorshReader, path: string): readonly SealedShare[] {
  const n = r.count(148, 4294967295, path);
  const items: (SealedShare)[] = [];
  for (let i = 0; i < n; i++) items.push(readBorshSealedShare(r, path + '[' + i + ']'));
  return items;
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

export function readBorshFinalizedBlock(r: $BorshReader, path: string): FinalizedBlock {
  const x0 = readBorshEncodedBlock(r, path + '.block');
  const x1 = r.flag(path, '.certificate', -1) ? readBorshVoteCertificate(r, path + '.certificate') : undefined;
  const result: $Writable<FinalizedBlock> = { block: x0 };
  if (x1 !== undefined) result.certificate = x1;
  return result;
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

function readBorshBytes32List(r: $BorshReader, path: string): readonly Uint8Array[] {
  const n = r.count(32, 4294967295, path);
  const items: (Uint8Array)[] = [];
  for (let i = 0; i < n; i++) items.push(r.fixed(32, path, '', i));
  return items;
}

export function readBorshReceivedShare(r: $BorshReader, path: string): ReceivedShare {
  const x0 = r.u32(path, '.dealer', -1);
  const x1 = r.fixed(32, path, '.commitments_digest', -1);
  const x2 = r.fixed(32, path, '.share', -1);
  return { dealer: x0, commitments_digest: x1, share: x2 };
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

function readBorshHashList(r: $BorshReader, path: string): readonly Uint8Array[] {
  const n = r.count(32, 4294967295, path);
  const items: (Uint8Array)[] = [];
  for (let i = 0; i < n; i++) items.push(r.fixed(32, path, '', i));
  return items;
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

export function readBorshGossipedBundle(r: $BorshReader, path: string): GossipedBundle {
  const x0 = readBorshBytesListMax1000(r, path + '.transactions');
  const x1 = r.flag(path, '.max_height', -1) ? r.u64(path, '.max_height', -1) : undefined;
  const result: $Writable<GossipedBundle> = { transactions: x0 };
  if (x1 !== undefined) result.max_height = x1;
  return result;
}

function readBorshBytesListMax1000(r: $BorshReader, path: string): readonly Uint8Array[] {
  const n = r.count(4, 1000, path);
  const items: (Uint8Array)[] = [];
  for (let i = 0; i < n; i++) items.push(r.bytes(4294967295, path, '', i));
  return items;
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

export function writeBorshCeremonyFrame(v: CeremonyFrame, path: string): void {
  w.object(v, 'CeremonyFrame', path);
  w.bytes(v.content, 4294967295, path, '.content', -1);
}

export function writeBorshCeremonyMessage(v: CeremonyMessage, path: string): void {
  w.object(v, 'CeremonyMessage', path);
  w.fixed(v.configuration, 32, path, '.configuration', -1);
  w.u32(v.attempt, path, '.attempt', -1);
  w.u32(v.sender, path, '.sender', -1);
  writeBorshCeremonyBody(v.body, path + '.body');
  w.fixed(v.signature, 64, path, '.signature', -1);
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

export function writeBorshChangeApproval(v: ChangeApproval, path: string): void {
  w.object(v, 'ChangeApproval', path);
  w.u64(v.epoch, path, '.epoch', -1);
  writeBorshValidatorChange(v.change, path + '.change');
  writeBorshApproval(v.approval, path + '.approval');
}

export function writeBorshDealtAck(v: DealtAck, path: string): void {
  w.object(v, 'DealtAck', path);
  w.u64(v.epoch, path, '.epoch', -1);
  w.u32(v.dealer, path, '.dealer', -1);
  writeBorshAck(v.ack, path + '.ack');
}

export function writeBorshDealtShare(v: DealtShare, path: string): void {
  w.object(v, 'DealtShare', path);
  w.u64(v.epoch, path, '.epoch', -1);
  w.u32(v.dealer, path, '.dealer', -1);
  writeBorshBytes48List(v.commitments, path + '.commitments');
  w.fixed(v.share, 32, path, '.share', -1);
}

export function writeBorshFinalized(v: Finalized, path: string): void {
  w.object(v, 'Finalized', path);
  w.u64(v.from_height, path, '.from_height', -1);
  writeBorshFinalizedBlockListMax256(v.blocks, path + '.blocks');
}

export function writeBorshGetBlock(v: GetBlock, path: string): void {
  w.object(v, 'GetBlock', path);
  w.fixed(v.block_hash, 32, path, '.block_hash', -1);
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

export function writeBorshHello(v: Hello, path: string): void {
  w.object(v, 'Hello', path);
  w.u32(v.version, path, '.version', -1);
  w.u64(v.chain_id, path, '.chain_id', -1);
  w.fixed(v.chain, 32, path, '.chain', -1);
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

export function writeBorshSealShare(v: SealShare, path: string): void {
  w.object(v, 'SealShare', path);
  w.u64(v.epoch, path, '.epoch', -1);
  w.u64(v.height, path, '.height', -1);
  w.u32(v.signer, path, '.signer', -1);
  w.fixed(v.partial, 96, path, '.partial', -1);
}

export function writeBorshTransactions(v: Transactions, path: string): void {
  w.object(v, 'Transactions', path);
  writeBorshGossipItemListMax4096(v.items, path + '.items');
}

export function writeBorshVoteEvidence(v: VoteEvidence, path: string): void {
  w.object(v, 'VoteEvidence', path);
  writeBorshVote(v.first, path + '.first');
  writeBorshVote(v.second, path + '.second');
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

export function writeBorshEncodedBlock(v: EncodedBlock, path: string): void {
  w.object(v, 'EncodedBlock', path);
  w.bytes(v.header, 4294967295, path, '.header', -1);
  w.bytes(v.body, 4294967295, path, '.body', -1);
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

function writeBorshBytes64List(v: readonly Uint8Array[], path: string): void {
  w.count(v, 4294967295, path);
  for (let i = 0; i < v.length; i++) w.fixed(v[i] as Uint8Array, 64, path, '', i);
}

function writeBorshBytes48List(v: readonly Uint8Array[], path: string): void {
  w.count(v, 4294967295, path);
  for (let i = 0; i < v.length; i++) w.fixed(v[i] as Uint8Array, 48, path, '', i);
}

function writeBorshFinalizedBlockListMax256(v: readonly FinalizedBlock[], path: string): void {
  w.count(v, 256, path);
  for (let i = 0; i < v.length; i++) writeBorshFinalizedBlock(v[i] as FinalizedBlock, path + '[' + i + ']');
}

export function writeBorshVotedMessage(v: VotedMessage, path: string): void {
  w.object(v, 'VotedMessage', path);
  writeBorshVoteKind(v.kind, path + '.kind');
  w.u64(v.epoch, path, '.epoch', -1);
  w.u64(v.view, path, '.view', -1);
  w.u64(v.parent_view, path, '.parent_view', -1);
  w.fixed(v.block_hash, 32, path, '.block_hash', -1);
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

export function writeBorshOwnDealing(v: OwnDealing, path: string): void {
  w.object(v, 'OwnDealing', path);
  writeBorshBytes32List(v.polynomial, path + '.polynomial');
  w.fixed(v.seed, 32, path, '.seed', -1);
  w.fixed(v.encryption_key, 48, path, '.encryption_key', -1);
}

function writeBorshReceivedShareList(v: readonly ReceivedShare[], path: string): void {
  w.count(v, 4294967295, path);
  for (let i = 0; i < v.length; i++) writeBorshReceivedShare(v[i] as ReceivedShare, path + '[' + i + ']');
}

function writeBorshGossipItemListMax4096(v: readonly GossipItem[], path: string): void {
  w.count(v, 4096, path);
  for (let i = 0; i < v.length; i++) writeBorshGossipItem(v[i] as GossipItem, path + '[' + i + ']');
}

function writeBorshGenesisAccountList(v: readonly GenesisAccount[], path: string): void {
  w.count(v, 4294967295, path);
  for (let i = 0; i < v.length; i++) writeBorshGenesisAccount(v[i] as GenesisAccount, path + '[' + i + ']');
}

function writeBorshNewValidatorList(v: readonly NewValidator[], path: string): void {
  w.count(v, 4294967295, path);
  for (let i = 0; i < v.length; i++) writeBorshNewValidator(v[i] as NewValidator, path + '[' + i + ']');
}

function writeBorshU32List(v: readonly number[], path: string): void {
  w.count(v, 4294967295, path);
  for (let i = 0; i < v.length; i++) w.u32(v[i] as number, path, '', i);
}

function writeBorshSealedShareList(v: readonly SealedShare[], path: string): void {
  w.count(v, 4294967295, path);
  for (let i = 0; i < v.length; i++) writeBorshSealedShare(v[i] as SealedShare, path + '[' + i + ']');
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

function writeBorshBytes32List(v: readonly Uint8Array[], path: string): void {
  w.count(v, 4294967295, path);
  for (let i = 0; i < v.length; i++) w.fixed(v[i] as Uint8Array, 32, path, '', i);
}

export function writeBorshReceivedShare(v: ReceivedShare, path: string): void {
  w.object(v, 'ReceivedShare', path);
  w.u32(v.dealer, path, '.dealer', -1);
  w.fixed(v.commitments_digest, 32, path, '.commitments_digest', -1);
  w.fixed(v.share, 32, path, '.share', -1);
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

function writeBorshHashList(v: readonly Uint8Array[], path: string): void {
  w.count(v, 4294967295, path);
  for (let i = 0; i < v.length; i++) w.fixed(v[i] as Uint8Array, 32, path, '', i);
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

function writeBorshBytesListMax1000(v: readonly Uint8Array[], path: string): void {
  w.count(v, 1000, path);
  for (let i = 0; i < v.length; i++) w.bytes(v[i] as Uint8Array, 4294967295, path, '', i);
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

/** Functions of structs and enums, by name; the input of `bindCodecs`. */
export const meshFunctions = {
  Genesis: { writeBorsh: writeBorshGenesis, readBorsh: readBorshGenesis },
  GenesisAccount: { writeBorsh: writeBorshGenesisAccount, writeJson: writeJsonGenesisAccount, readJson: readJsonGenesisAccount },
  Dealing: { writeBorsh: writeBorshDealing, readBorsh: readBorshDealing },
  Ack: { writeBorsh: writeBorshAck, readBorsh: readBorshAck },
  SealedShare: { writeBorsh: writeBorshSealedShare, readBorsh: readBorshSealedShare },
  Complaint: { writeBorsh: writeBorshComplaint, readBorsh: readBorshComplaint },
  NewValidator: { writeBorsh: writeBorshNewValidator, writeJson: writeJsonNewValidator, readJson: readJsonNewValidator },
  Approval: { writeBorsh: writeBorshApproval, readBorsh: readBorshApproval },
  Vote: { writeBorsh: writeBorshVote, readBorsh: readBorshVote },
  VoteCertificate: { writeBorsh: writeBorshVoteCertificate, readBorsh: readBorshVoteCertificate },
  VotedMessage: { writeBorsh: writeBorshVotedMessage, readBorsh: readBorshVotedMessage },
  VoteEvidence: { writeBorsh: writeBorshVoteEvidence, readBorsh: readBorshVoteEvidence },
  EncodedBlock: { writeBorsh: writeBorshEncodedBlock, readBorsh: readBorshEncodedBlock },
  SealShare: { writeBorsh: writeBorshSealShare, readBorsh: readBorshSealShare },
  DealtShare: { writeBorsh: writeBorshDealtShare, readBorsh: readBorshDealtShare },
  DealtAck: { writeBorsh: writeBorshDealtAck, readBorsh: readBorshDealtAck },
  ResharingRecord: { writeBorsh: writeBorshResharingRecord, readBorsh: readBorshResharingRecord },
  OwnDealing: { writeBorsh: writeBorshOwnDealing, readBorsh: readBorshOwnDealing },
  ReceivedShare: { writeBorsh: writeBorshReceivedShare, readBorsh: readBorshReceivedShare },
  CeremonyConfiguration: { writeBorsh: writeBorshCeremonyConfiguration, writeJson: writeJsonCeremonyConfiguration, readJson: readJsonCeremonyConfiguration },
  CeremonyMessage: { writeBorsh: writeBorshCeremonyMessage, readBorsh: readBorshCeremonyMessage },
  CeremonyApproval: { writeBorsh: writeBorshCeremonyApproval, readBorsh: readBorshCeremonyApproval },
  CeremonyFault: { writeBorsh: writeBorshCeremonyFault, readBorsh: readBorshCeremonyFault },
  CeremonyEnd: { writeBorsh: writeBorshCeremonyEnd, readBorsh: readBorshCeremonyEnd },
  CeremonyRecord: { writeBorsh: writeBorshCeremonyRecord, readBorsh: readBorshCeremonyRecord },
  Hello: { writeBorsh: writeBorshHello, readBorsh: readBorshHello },
  Ping: { writeBorsh: writeBorshPing, readBorsh: readBorshPing },
  Pong: { writeBorsh: writeBorshPong, readBorsh: readBorshPong },
  Proposal: { writeBorsh: writeBorshProposal, readBorsh: readBorshProposal },
  GetBlock: { writeBorsh: writeBorshGetBlock, readBorsh: readBorshGetBlock },
  BlockAnswer: { writeBorsh: writeBorshBlockAnswer, readBorsh: readBorshBlockAnswer },
  GetCertificates: { writeBorsh: writeBorshGetCertificates, readBorsh: readBorshGetCertificates },
  GetFinalized: { writeBorsh: writeBorshGetFinalized, readBorsh: readBorshGetFinalized },
  Finalized: { writeBorsh: writeBorshFinalized, readBorsh: readBorshFinalized },
  FinalizedBlock: { writeBorsh: writeBorshFinalizedBlock, readBorsh: readBorshFinalizedBlock },
  Transactions: { writeBorsh: writeBorshTransactions, readBorsh: readBorshTransactions },
  GossipedBundle: { writeBorsh: writeBorshGossipedBundle, readBorsh: readBorshGossipedBundle },
  ChangeApproval: { writeBorsh: writeBorshChangeApproval, readBorsh: readBorshChangeApproval },
  CeremonyFrame: { writeBorsh: writeBorshCeremonyFrame, readBorsh: readBorshCeremonyFrame },
  ValidatorChange: { writeBorsh: writeBorshValidatorChange, readBorsh: readBorshValidatorChange },
  VoteKind: { writeBorsh: writeBorshVoteKind, readBorsh: readBorshVoteKind },
  JournalRecord: { writeBorsh: writeBorshJournalRecord, readBorsh: readBorshJournalRecord },
  CeremonyBody: { writeBorsh: writeBorshCeremonyBody, readBorsh: readBorshCeremonyBody },
  CeremonyFaultCode: { writeBorsh: writeBorshCeremonyFaultCode, readBorsh: readBorshCeremonyFaultCode },
  GossipItem: { writeBorsh: writeBorshGossipItem, readBorsh: readBorshGossipItem },
};

/** JSON and Borsh codecs by type name. */
export const meshCodecs: $BoundCodecs<MeshTypes, typeof meshFunctions> = /* @__PURE__ */ $bindCodecs<MeshTypes, typeof meshFunctions>(meshFunctions);
