import { sameBytes } from '../../base/same-bytes.js';
import type { ContractRecord } from '../../generated/ledger.js';
import type {
  CheckpointDescriptor,
  GetSnapshotChunkResult,
  HistoryRoot,
} from '../../generated/node-rpc-v1.js';
import {
  readBorshAccountRecord,
  readJsonCheckpointDescriptor,
  readJsonGetSnapshotChunkResult,
  readJsonHistoryRoot,
  readJsonValidatorSet,
} from '../../generated/verify-codecs.js';
import { BorshError } from '../../idl/codecs/codec-errors.js';
import { toHex } from '../../idl/hex.js';
import { chunkHash } from '../snapshot/chunk-hash.js';
import { isInSubtree, isSubtreePosition, rootOfSubtreeProof, subtreeRoot } from '../snapshot/subtree.js';
import { readVerifiedHeader, type VerifiedBlock } from './certificate.js';
import { Answer, decodeBorsh, readAnswer, reading } from './decoding.js';
import { portableHashes } from './header-hash.js';
import { type TrustAnchor, trustRoot } from './trust-anchor.js';
import { VerifyError } from './verify-error.js';
import { expectHistoryOf, expectValidatorsOf } from './verify-history.js';

/** The fields of a checkpoint that verification uses. */
export type CheckpointFacts = Pick<
  CheckpointDescriptor,
  'height' | 'block_hash' | 'state_root' | 'history_root' | 'chunk_count' | 'chunks_root'
>;

/**
 * A checkpoint whose block is certified. `chunk_count` and `chunks_root` are unverified claims of the source: each
 * chunk is verified separately.
 */
export interface VerifiedSnapshot {
  readonly block: VerifiedBlock;
  readonly checkpoint: CheckpointFacts;
  readonly history: HistoryRoot;
}

/**
 * Verifies an answer of get_light_snapshot: the header under the trust anchor; checkpoint, history and validator set
 * under the header.
 * @throws VerifyError naming the failed check
 */
export function verifyLightSnapshot(answer: unknown, trust: TrustAnchor): VerifiedSnapshot {
  const root = trustRoot(trust);
  return reading(() => {
    const r = new Answer(answer, 'GetLightSnapshotResult', 'answer');
    const block = readVerifiedHeader(r, root);
    const { header, hash } = block;
    const { height, block_hash, state_root, history_root, chunk_count, chunks_root } = r.read(
      'checkpoint',
      readJsonCheckpointDescriptor,
    );
    const checkpoint = { height, block_hash, state_root, history_root, chunk_count, chunks_root };
    const isOfBlock =
      checkpoint.height === header.height &&
      sameBytes(checkpoint.block_hash, hash) &&
      sameBytes(checkpoint.state_root, header.state_root) &&
      sameBytes(checkpoint.history_root, header.history_root);
    if (!isOfBlock) {
      throw new VerifyError('wrong_subject', `checkpoint: it is not of block ${header.height}`);
    }
    const history = r.read('history', readJsonHistoryRoot);
    expectHistoryOf(history, block);
    expectValidatorsOf(r.read('validator_set', readJsonValidatorSet), block);
    return { block, checkpoint, history };
  });
}

/**
 * Verifies an answer of get_snapshot_chunk under a state root: keys ascend and are in the chunk's subtree, the entries
 * are complete, `chunk_hash` matches, and a contract record of the chunk names each blob by its sha256.
 * @param stateRoot state root of the checkpoint's header, 32 bytes
 * @returns the chunk, decoded
 * @throws VerifyError naming the failed check
 */
export function verifySnapshotChunk(answer: unknown, stateRoot: Uint8Array): GetSnapshotChunkResult {
  const chunk = reading(() => readAnswer(answer, readJsonGetSnapshotChunkResult, 'answer'));
  const { proof, entries, blobs, index } = chunk;
  const malformed = (what: string): VerifyError => new VerifyError('malformed', `chunk ${index}: ${what}`);
  if (!isSubtreePosition(proof)) throw malformed('expected a prefix whose bits from the depth on are zero');
  if (entries.length === 0 && proof.depth > 0) throw malformed('expected entries below the root');
  for (const [at, { key }] of entries.entries()) {
    const before = entries[at - 1];
    if (!isInSubtree(key, proof) || (before !== undefined && !ascend(before.key, key))) {
      throw malformed(`entry ${at}: expected keys below the chunk's place, ascending`);
    }
  }
  const root = rootOfSubtreeProof(portableHashes, proof, subtreeRoot(portableHashes, entries, proof.depth));
  if (root === undefined) throw malformed('expected a bitmap and siblings for its depth');
  if (!sameBytes(root, stateRoot)) {
    throw new VerifyError('not_proved', `chunk ${index}: entries and proof do not lead to the state root`);
  }
  if (!sameBytes(snapshotChunkHash(chunk), chunk.chunk_hash)) {
    throw new VerifyError('not_proved', `chunk ${index}: chunk_hash does not match its contents`);
  }
  const named = new Set(entries.flatMap(({ value }) => blobHashes(value)));
  for (const [at, blob] of blobs.entries()) {
    if (named.delete(toHex(portableHashes.sha256(blob)))) continue;
    throw new VerifyError(
      'not_proved',
      `chunk ${index}: blob ${at} is not named by any contract of the chunk, or is a duplicate`,
    );
  }
  return chunk;
}

/** sha256(borsh of prefix, depth, entries, blobs), 32 bytes. */
export function snapshotChunkHash({
  proof,
  entries,
  blobs,
}: Pick<GetSnapshotChunkResult, 'proof' | 'entries' | 'blobs'>): Uint8Array {
  return chunkHash(portableHashes, { prefix: proof.prefix, depth: proof.depth, entries, blobs });
}

function ascend(a: Uint8Array, b: Uint8Array): boolean {
  for (const [at, byte] of a.entries()) {
    const other = b[at] ?? 0;
    if (byte !== other) return byte < other;
  }
  return false;
}

/** Hashes of the blobs that a value names if it is a contract's record, as hex digits. */
function blobHashes(value: Uint8Array): string[] {
  const contract = contractOf(value);
  if (contract === undefined) return [];
  const { code_hash, idl_hash, pending_upgrade: pending } = contract;
  return [code_hash, idl_hash, pending?.code_hash, pending?.idl_hash].flatMap((hash) =>
    hash === undefined ? [] : [toHex(hash)],
  );
}

function contractOf(value: Uint8Array): ContractRecord | undefined {
  try {
    return decodeBorsh(value, readBorshAccountRecord, 'AccountRecord').contract;
  } catch (error) {
    // A slot may hold arbitrary bytes.
    if (error instanceof BorshError) return undefined;
    throw error;
  }
}
