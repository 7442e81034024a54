import type {
  FinalizedHistoryProofResult,
  FinalizedHistoryRootResult,
  GetBlocksResult,
  GetLightSnapshotResult,
  GetSnapshotChunkResult,
  Status,
  TxByHashResult,
  TxSubmitBundleResult,
  TxSubmitResult,
  TxSubmitSealedResult,
} from '../../generated/node-rpc-v1.js';
import { nodeRpcV1Functions } from '../../generated/node-rpc-v1-codecs.js';
import { bindCodecs, type Codec } from '../../idl/codecs/codec.js';
import { JsonDecodeError } from '../../idl/codecs/codec-errors.js';
import { toHex } from '../../idl/hex.js';
import { MAX_BODY_BYTES } from '../../ledger/constants.js';
import { SourceError } from './follow-error.js';

/** Ignores unknown members, which newer sources may add. */
const types = bindCodecs(nodeRpcV1Functions, { unknownMembers: 'ignore' });

const KIB = 1_024;
const MIB = 1_048_576;

/** Maximum response with blocks: a node's default limit, plus one full block in hexadecimal. */
const MAX_BLOCKS_BYTES = 16 * MIB + 4 * MAX_BODY_BYTES;

/** Maximum response with a block's finality: a node's maximum number of headers plus the other members. */
const MAX_FINALITY_BYTES = 2 * MIB;

/** Bounds of a submission, and its rejections that are not the source's fault. */
const SUBMISSION = {
  maxBytes: MIB,
  timeoutMs: 10_000,
  fairRefusals: ['transaction_rejected', 'invalid_params', 'limit_exceeded'],
};

/** A follower's call, with bounds for a correct response. */
export interface Question<T> {
  readonly method: string;
  /** JSON text. */
  readonly params: string;
  /** Maximum response size after decompression, in bytes. */
  readonly maxBytes: number;
  /** Timeout of the whole exchange, in milliseconds. */
  readonly timeoutMs: number;
  /** @throws SourceError `bad_answer` */
  readonly decode: (result: unknown) => T;
  /** Kinds of error that are the question's fault, not the source's. */
  readonly fairRefusals: readonly string[];
}

export function askStatus(): Question<Status> {
  return question('status', '{}', types.Status, { maxBytes: MIB, timeoutMs: 3_000 });
}

/** Blocks of consecutive heights, inclusive. */
export function askBlocks(from: bigint, to: bigint): Question<GetBlocksResult> {
  const params = types.GetBlocksArgs.toJson({ from_height: from, to_height: to });
  const bounds = { maxBytes: MAX_BLOCKS_BYTES, timeoutMs: 15_000 };
  return question('get_blocks', params, types.GetBlocksResult, bounds);
}

/** A block's header with its certificate, or with a descendant's certificate and the headers up to it. */
export function askCertified(height: bigint): Question<FinalizedHistoryRootResult> {
  const params = types.FinalizedHistoryRootArgs.toJson({ height });
  const bounds = { maxBytes: MAX_FINALITY_BYTES, timeoutMs: 5_000 };
  return question('finalized_history_root', params, types.FinalizedHistoryRootResult, bounds);
}

/** The head of a snapshot. @param height height of a checkpoint; undefined for the newest */
export function askLightSnapshot(height: bigint | undefined): Question<GetLightSnapshotResult> {
  const params = types.GetLightSnapshotArgs.toJson(height === undefined ? {} : { height });
  return question('get_light_snapshot', params, types.GetLightSnapshotResult, {
    maxBytes: MAX_FINALITY_BYTES,
    timeoutMs: 5_000,
    // A young chain has no checkpoint.
    fairRefusals: ['not_found'],
  });
}

/** A snapshot chunk: by the chunk rule, a mebibyte plus a record or two, in hexadecimal. */
export function askSnapshotChunk(height: bigint, index: number): Question<GetSnapshotChunkResult> {
  const params = types.GetSnapshotChunkArgs.toJson({ height, index });
  const bounds = { maxBytes: 8 * MIB, timeoutMs: 15_000 };
  return question('get_snapshot_chunk', params, types.GetSnapshotChunkResult, bounds);
}

/** Proof of a block's hash in the history. @param size history size in nodes */
export function askHistoryProof(height: bigint, size: bigint): Question<FinalizedHistoryProofResult> {
  const params = types.FinalizedHistoryProofArgs.toJson({ height, at_size: size });
  const bounds = { maxBytes: 64 * KIB, timeoutMs: 5_000 };
  return question('finalized_history_proof', params, types.FinalizedHistoryProofResult, bounds);
}

/** Forwards a transaction. @param encoded borsh(SignedTransaction) */
export function askSubmit(encoded: Uint8Array): Question<TxSubmitResult> {
  const params = types.TxSubmitArgs.toJson({ encoded });
  return question('tx_submit', params, types.TxSubmitResult, SUBMISSION);
}

/** Forwards an envelope. @param envelope borsh(SignedEnvelope) */
export function askSubmitSealed(envelope: Uint8Array): Question<TxSubmitSealedResult> {
  const params = types.TxSubmitSealedArgs.toJson({ envelope });
  return question('tx_submit_sealed', params, types.TxSubmitSealedResult, SUBMISSION);
}

/** Forwards a bundle. @param transactions borsh(SignedTransaction) each */
export function askSubmitBundle(
  transactions: readonly Uint8Array[],
  maxHeight: bigint | undefined,
): Question<TxSubmitBundleResult> {
  const params = types.TxSubmitBundleArgs.toJson({
    transactions,
    ...(maxHeight === undefined ? {} : { max_height: maxHeight }),
  });
  return question('tx_submit_bundle', params, types.TxSubmitBundleResult, SUBMISSION);
}

/** Status of a transaction, as known by the source. @param hash 32 bytes */
export function askTransaction(hash: Uint8Array): Question<TxByHashResult> {
  const params = `{"tx_hash":"${toHex(hash)}"}`;
  return question('tx_by_hash', params, types.TxByHashResult, { maxBytes: 4 * MIB, timeoutMs: 3_000 });
}

function question<T>(
  method: string,
  params: string,
  result: Codec<T>,
  bounds: Pick<Question<T>, 'maxBytes' | 'timeoutMs'> & Partial<Pick<Question<T>, 'fairRefusals'>>,
): Question<T> {
  const decode = (value: unknown): T => {
    try {
      return result.fromJson(value, 'result');
    } catch (error) {
      if (!(error instanceof JsonDecodeError)) throw error;
      throw new SourceError('bad_answer', `${method}: ${error.message}`, { cause: error });
    }
  };
  return { method, params, decode, fairRefusals: [], ...bounds };
}
