import type { BlockHeader, ValidatorSet } from '../../generated/ledger.js';
import type {
  CheckpointDescriptor,
  FinalityCertificate,
  FinalizedHistoryProofResult,
  GetSnapshotChunkResult,
  HistoryRoot,
  InclusionProof,
  SubtreeProof,
  TreeProof,
} from '../../generated/node-rpc-v1.js';
import { BorshError, JsonDecodeError } from '../../idl/codecs/codec-errors.js';
import { AnswerReader } from './answer-reader.js';
import { VerifyError } from './verify-error.js';

/**
 * Runs what reads an answer.
 * @throws VerifyError `malformed` where the answer or bytes in it are not of their types
 */
export function reading<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof JsonDecodeError || error instanceof BorshError)) throw error;
    throw new VerifyError('malformed', error.message, { cause: error });
  }
}

export function readHeader(r: AnswerReader): BlockHeader {
  return {
    chain_id: r.u64('chain_id'),
    height: r.u64('height'),
    parent_hash: r.hash('parent_hash'),
    epoch: r.u64('epoch'),
    view: r.u64('view'),
    timestamp_ms: r.u64('timestamp_ms'),
    proposer: r.u32('proposer'),
    transactions_root: r.hash('transactions_root'),
    receipts_root: r.hash('receipts_root'),
    state_root: r.hash('state_root'),
    history_root: r.hash('history_root'),
    validators_hash: r.hash('validators_hash'),
    gas_used: r.u64('gas_used'),
    gas_limit: r.u64('gas_limit'),
    base_fee: r.u128('base_fee'),
    extra: r.bytes('extra'),
  };
}

export function readCertificate(r: AnswerReader): FinalityCertificate {
  return {
    epoch: r.u64('epoch'),
    view: r.u64('view'),
    block_hash: r.hash('block_hash'),
    parent_view: r.u64('parent_view'),
    signature: r.bytes('signature'),
    group_public_key: r.bytes('group_public_key'),
  };
}

export function readTreeProof(r: AnswerReader): TreeProof {
  const neighbour = r.has('neighbour') ? r.object('neighbour', 'NeighbourLeaf') : undefined;
  return {
    key: r.hash('key'),
    ...(r.has('value') ? { value: r.bytes('value') } : {}),
    depth: r.u16('depth'),
    bitmap: r.bytes('bitmap'),
    siblings: r.hashes('siblings'),
    ...(neighbour === undefined
      ? {}
      : { neighbour: { key: neighbour.hash('key'), value_hash: neighbour.hash('value_hash') } }),
  };
}

function readSubtreeProof(r: AnswerReader): SubtreeProof {
  return {
    prefix: r.hash('prefix'),
    depth: r.u16('depth'),
    bitmap: r.bytes('bitmap'),
    siblings: r.hashes('siblings'),
  };
}

export function readInclusionProof(r: AnswerReader): InclusionProof {
  return {
    header: readHeader(r.object('header', 'BlockHeader')),
    item: r.bytes('item'),
    item_index: r.u32('item_index'),
    item_path: r.hashes('item_path'),
    item_count: r.u32('item_count'),
    receipt: r.bytes('receipt'),
    receipt_index: r.u32('receipt_index'),
    receipt_path: r.hashes('receipt_path'),
    receipt_count: r.u32('receipt_count'),
  };
}

export function readHistoryRoot(r: AnswerReader): HistoryRoot {
  return { root: r.hash('root'), size: r.u64('size'), peaks: r.hashes('peaks'), height: r.u64('height') };
}

export function readHistoryProof(answer: unknown): FinalizedHistoryProofResult {
  const r = new AnswerReader(answer, 'FinalizedHistoryProofResult', 'answer');
  return {
    leaf_index: r.u64('leaf_index'),
    block_hash: r.hash('block_hash'),
    path: r.hashes('path'),
    peaks: r.hashes('peaks'),
    size: r.u64('size'),
    root: r.hash('root'),
  };
}

/** What of a checkpoint follows from the chain. */
export type CheckpointFacts = Pick<
  CheckpointDescriptor,
  'height' | 'block_hash' | 'state_root' | 'history_root' | 'chunk_count' | 'chunks_root'
>;

export function readCheckpoint(r: AnswerReader): CheckpointFacts {
  return {
    height: r.u64('height'),
    block_hash: r.hash('block_hash'),
    state_root: r.hash('state_root'),
    history_root: r.hash('history_root'),
    chunk_count: r.u32('chunk_count'),
    chunks_root: r.hash('chunks_root'),
  };
}

export function readValidatorSet(r: AnswerReader): ValidatorSet {
  return {
    epoch: r.u64('epoch'),
    quorum: r.u32('quorum'),
    group_public_key: r.bytes('group_public_key'),
    validators: r.list('validators').map((item, index) => {
      const v = new AnswerReader(item, 'Validator', `${r.pathOf('validators')}[${index}]`);
      return {
        index: v.u32('index'),
        address: v.address('address'),
        identity_key: v.hash('identity_key'),
        share_public_key: v.bytes('share_public_key'),
      };
    }),
  };
}

export function readSnapshotChunk(answer: unknown): GetSnapshotChunkResult {
  const r = new AnswerReader(answer, 'GetSnapshotChunkResult', 'answer');
  return {
    height: r.u64('height'),
    index: r.u32('index'),
    proof: readSubtreeProof(r.object('proof', 'SubtreeProof')),
    entries: r.list('entries').map((item, index) => {
      const entry = new AnswerReader(item, 'SnapshotEntry', `${r.pathOf('entries')}[${index}]`);
      return { key: entry.hash('key'), value: entry.bytes('value') };
    }),
    blobs: r.bytesList('blobs'),
    chunk_hash: r.hash('chunk_hash'),
    last: r.bool('last'),
  };
}
