import type { NodeRpcV1Methods } from '../../generated/node-rpc-v1.js';
import { nodeRpcV1Calls } from '../../generated/node-rpc-v1-codecs.js';
import { CodecState } from '../../idl/codecs/codec.js';
import { JsonDecodeError } from '../../idl/codecs/codec-errors.js';
import { MAX_BODY_BYTES } from '../../ledger/constants.js';
import { SourceError } from './source-error.js';

/** Ignores unknown members, which newer sources may add. */
const { jsonReader, jsonWriter } = new CodecState({ unknownMembers: 'ignore' });

const KIB = 1_024;
const MIB = 1_048_576;

/** Bounds of a correct response to a follower's call. */
export interface SourceBounds {
  /** Maximum response size after decompression, in bytes. */
  readonly maxBytes: number;
  /** Timeout of the whole exchange, in milliseconds. */
  readonly timeoutMs: number;
  /** Kinds of error that are the call's fault, not the source's. */
  readonly fairRefusals?: readonly string[];
}

/** Response with a block's finality: a node's maximum number of headers plus the other members. */
const FINALITY = { maxBytes: 2 * MIB, timeoutMs: 5_000 };

const SUBMISSION = {
  maxBytes: MIB,
  timeoutMs: 10_000,
  fairRefusals: ['transaction_rejected', 'invalid_params', 'limit_exceeded'],
};

const BOUNDS = {
  status: { maxBytes: MIB, timeoutMs: 3_000 },
  // A node's default limit, plus one full block in hexadecimal.
  get_blocks: { maxBytes: 16 * MIB + 4 * MAX_BODY_BYTES, timeoutMs: 15_000 },
  finalized_history_root: FINALITY,
  // A young chain has no checkpoint.
  get_light_snapshot: { ...FINALITY, fairRefusals: ['not_found'] },
  // By the chunk rule, a mebibyte plus a record or two, in hexadecimal.
  get_snapshot_chunk: { maxBytes: 8 * MIB, timeoutMs: 15_000 },
  finalized_history_proof: { maxBytes: 64 * KIB, timeoutMs: 5_000 },
  tx_by_hash: { maxBytes: 4 * MIB, timeoutMs: 3_000 },
  tx_submit: SUBMISSION,
  tx_submit_sealed: SUBMISSION,
  tx_submit_bundle: SUBMISSION,
} satisfies Partial<Record<keyof NodeRpcV1Methods, SourceBounds>>;

export type SourceMethod = keyof typeof BOUNDS;
export type SourceParams<M extends SourceMethod> = NodeRpcV1Methods[M]['params'];
export type SourceResult<M extends SourceMethod> = NodeRpcV1Methods[M]['result'];

export function boundsOf(method: SourceMethod): SourceBounds {
  return BOUNDS[method];
}

/** A call's parameters as JSON text. */
export function encodeSourceParams<M extends SourceMethod>(method: M, params: SourceParams<M>): string {
  jsonWriter.begin();
  return nodeRpcV1Calls[method].writeParams(jsonWriter, params, 'params');
}

/** @throws SourceError `bad_answer` */
export function decodeSourceResult<M extends SourceMethod>(method: M, result: unknown): SourceResult<M> {
  try {
    jsonReader.begin();
    return nodeRpcV1Calls[method].readResult(jsonReader, result, 'result');
  } catch (error) {
    if (!(error instanceof JsonDecodeError)) throw error;
    throw new SourceError('bad_answer', `${method}: ${error.message}`, { cause: error });
  }
}
