import type { ConnectionLimits } from './http/connections.js';

/** Bounds of the RPC front end. Every one can be configured; the manifest lists them under `limits`. */
export interface RpcLimits extends ConnectionLimits {
  /** The longest request body; above it: 413. */
  readonly maxBodyBytes: number;
  /** A connection with more unread answer bytes than this is cut off. */
  readonly maxBacklogBytes: number;
  /** Bytes of the result of one call; a longer one is limit_exceeded. */
  readonly maxAnswerBytes: number;
  /** Bytes of unfinished bodies, unread answers and waiting calls, all together. */
  readonly maxBufferedBytes: number;
  /** How long a request's head and body may take to arrive. */
  readonly requestTimeoutMs: number;
  /** Calls in one batch. */
  readonly maxBatchCalls: number;
  /** Compute units of one batch, all its calls together. */
  readonly maxBatchCost: number;
  /** Bytes of one batch's answer; calls beyond it are answered with limit_exceeded. */
  readonly maxBatchAnswerBytes: number;
  /** Levels of nesting in a request body; the `json` type itself allows 64. */
  readonly maxNesting: number;
  /** JSON values of the parameters of one call that no worker answers and that is no admin's, where they are long. */
  readonly maxJsonValues: number;
  /** Calls waiting for an asynchronous answer; beyond it: overloaded, at once. */
  readonly maxCallsInFlight: number;
}

export const DEFAULT_RPC_LIMITS: RpcLimits = {
  maxBodyBytes: 4 * 1024 * 1024,
  maxBacklogBytes: 16 * 1024 * 1024,
  maxAnswerBytes: 16 * 1024 * 1024,
  maxBufferedBytes: 256 * 1024 * 1024,
  requestTimeoutMs: 30_000,
  maxBatchCalls: 200,
  maxBatchCost: 2_000,
  maxBatchAnswerBytes: 16 * 1024 * 1024,
  maxNesting: 128,
  maxJsonValues: 20_000,
  maxCallsInFlight: 10_000,
  maxConnections: 10_000,
  maxConnectionsPerClient: 5_000,
};
