import type { ConnectionLimits } from './http/connections.js';

/** Limits of the RPC front end. All are configurable and listed in the manifest under `limits`. */
export interface RpcLimits extends ConnectionLimits {
  /** Maximum length of a request body; longer ones are answered with 413. */
  readonly maxBodyBytes: number;
  /** A connection with more unread answer bytes is closed. */
  readonly maxBacklogBytes: number;
  /** Maximum size of one call's result; longer ones fail with limit_exceeded. */
  readonly maxAnswerBytes: number;
  /** Total limit for unfinished bodies, unread answers and waiting calls. */
  readonly maxBufferedBytes: number;
  /** Time within which a request's head and body must arrive. */
  readonly requestTimeoutMs: number;
  readonly maxBatchCalls: number;
  /** Maximum compute units of all calls in a batch. */
  readonly maxBatchCost: number;
  /** Maximum length of a batch's answer; calls beyond it are answered with limit_exceeded. */
  readonly maxBatchAnswerBytes: number;
  /** Maximum nesting of a request body; the `json` type itself allows 64 levels. */
  readonly maxNesting: number;
  /** Maximum number of JSON values in long parameters, for calls that neither workers answer nor admins make. */
  readonly maxJsonValues: number;
  /** Maximum number of calls waiting for an answer; further ones are refused at once with overloaded. */
  readonly maxCallsInFlight: number;
  /** Maximum number of messages of one WebSocket that wait for an answer. */
  readonly maxMessagesInFlight: number;
  /** Maximum number of subscriptions in all threads; fair between clients as in `SlotPool`. */
  readonly maxSubscriptions: number;
  readonly maxSubscriptionsPerConnection: number;
  /** A subscription to blocks or logs that is further behind, in blocks, is ended if its client does not read. */
  readonly maxSubscriptionLag: number;
  /** Maximum distance of `from_height` from the tip, in blocks. */
  readonly maxResumeHeights: number;
  /** Maximum index lookups per block for log filters, in all threads; fair between clients as in `SlotPool`. */
  readonly maxLogLookups: number;
  readonly maxLogLookupsPerConnection: number;
  /** Maximum number of subscriptions that read old blocks, in all threads; fair between clients as in `SlotPool`. */
  readonly maxReplays: number;
  readonly maxReplaysPerConnection: number;
}

/** Message limit of a WebSocket that was accepted when earlier ones had used up the memory for full messages. */
export const CROWDED_MESSAGE_BYTES = 32 * 1024;

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
  maxMessagesInFlight: 1_024,
  maxSubscriptions: 20_000,
  maxSubscriptionsPerConnection: 100,
  maxSubscriptionLag: 256,
  maxResumeHeights: 100_000,
  maxLogLookups: 1_000,
  maxLogLookupsPerConnection: 100,
  maxReplays: 200,
  maxReplaysPerConnection: 5,
  maxConnections: 10_000,
  maxConnectionsPerClient: 5_000,
};
