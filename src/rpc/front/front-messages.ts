/*
 * Messages between the main thread and the front threads. Requests and answers are sent in batches, once per event loop
 * tick. All types here can be structured-cloned.
 */

import type { SharedText } from '../../base/shared-text.js';
import type { ChainConstants } from '../../chain/published-chain.js';
import type { Config } from '../../config/config.js';
import type { NativeChoice } from '../../config/native-mode.js';
import type { WorkerCall } from '../../execution/calls/worker-call.js';
import type { StoreHandle } from '../../storage/store.js';
import type { AccessMemory } from '../access/access.js';
import type { AddressUse } from '../access/address-reporter.js';
import type { VerifiedToken } from '../access/tokens.js';
import type { TokenDay } from '../access/usage/usage.js';
import type { Requester } from '../handlers.js';
import type { ThreadCounts } from '../metrics/rpc-metrics.js';
import type { SubscriptionMemory } from '../subscriptions/subscription-quota.js';
import type { SerializedError } from './serialized-error.js';

export interface FrontThreadData {
  /** Index of the front thread, from 0. */
  readonly index: number;
  readonly threads: number;
  readonly config: Config;
  /** Start time of the node, milliseconds since 1970. */
  readonly startedMs: number;
  readonly callsInFlight: SharedArrayBuffer;
  /** Memory of `ConnectionCount`, for all threads. */
  readonly connections: SharedArrayBuffer;
  readonly access: AccessMemory;
  /** Shared by the subscriptions of all threads. */
  readonly subscriptions: SubscriptionMemory;
}

/** Data that lets a front thread answer by itself, once there is a chain. */
export interface ServedChain extends ChainConstants {
  readonly store: StoreHandle;
  /** Memory of `TipPublisher`. */
  readonly tip: SharedArrayBuffer;
  /** Memory of `ChainClock`. */
  readonly clock: SharedArrayBuffer;
  /** Memory of `PendingSenders`. */
  readonly pendingSenders: SharedArrayBuffer;
  /** A 32-bit word with the number of transactions in the pool. */
  readonly poolSize: SharedArrayBuffer;
  readonly heartbeat: SharedArrayBuffer;
  readonly changes: SharedArrayBuffer;
  readonly hasControls: boolean;
}

export interface ListenAt {
  readonly host: string;
  /** 0 picks a free port. */
  readonly port: number;
  /** True if several threads listen on the port. */
  readonly shared: boolean;
}

export type ToFront =
  | { readonly kind: 'serve'; readonly chain: ServedChain }
  | { readonly kind: 'listen'; readonly at: ListenAt }
  | { readonly kind: 'answers'; readonly answers: readonly LinkAnswer[] }
  | { readonly kind: 'count'; readonly id: number }
  /** Transactions that have entered the pool, as JSON; undefined stands for those left out. */
  | { readonly kind: 'pending'; readonly transactions: readonly (string | undefined)[] }
  | { readonly kind: 'stop'; readonly graceMs: number };

export type FromFront =
  | { readonly kind: 'listening'; readonly port: number; readonly choice: NativeChoice | undefined }
  | { readonly kind: 'not_listening'; readonly error: SerializedError }
  | { readonly kind: 'failed'; readonly error: SerializedError }
  | { readonly kind: 'requests'; readonly requests: readonly LinkRequest[] }
  | { readonly kind: 'counts'; readonly id: number; readonly counts: ThreadCounts }
  | { readonly kind: 'stopped' }
  /** Starts or stops the messages `pending`. */
  | { readonly kind: 'watch_pending'; readonly on: boolean }
  /** Acknowledges one message `pending`. */
  | { readonly kind: 'pending_taken' }
  | {
      readonly kind: 'fault';
      readonly where: string;
      readonly origin: FrontFaultOrigin;
      readonly error: SerializedError;
    };

export type FrontFaultOrigin = 'callback' | 'uncaught_exception' | 'unhandled_rejection';

/** The workers for view calls, simulations and traces, and those for reads of the store. */
export type PoolName = 'calls' | 'reads';

/** The members of a `Requester` in their order: an array is cheaper to send than an object. */
export type SentRequester = readonly [
  remoteAddress: string,
  requestId: string,
  tier: Requester['tier'],
  subject: string | undefined,
  tokenId: string | undefined,
];

/** A front thread's request to the main thread, with an `id` chosen by the front thread. */
export type LinkRequest =
  /** Calls a method of an interface, or one of the main thread's own. */
  | {
      readonly id: number;
      readonly method: string;
      /** As decoded by the interface's codec. */
      readonly params: unknown;
      readonly client: SentRequester;
    }
  /** Has a worker answer a call. */
  | {
      readonly id: number;
      readonly pool: PoolName;
      readonly call: WorkerCall;
      /** The name under which the client's calls are counted together. */
      readonly client: string;
      /** Time limit from the caller's token, in milliseconds; absent if there is none. */
      readonly maxMs?: number;
    }
  | { readonly id: number; readonly question: Question }
  | { readonly cancel: number }
  /** Acknowledges long answers by their lengths in characters, in order; see {@link longAnswer}. */
  | { readonly taken: number };

/** Questions that only the main thread can answer and that no method covers. */
export type Question =
  /** The metrics page: a RenderedMetrics. */
  | { readonly kind: 'metrics' }
  /** The slot of a token: a TokenSlot. */
  | { readonly kind: 'open_token'; readonly token: VerifiedToken }
  /** More units for a prepaid token: a Refill. */
  | { readonly kind: 'refill_token'; readonly id: string; readonly price: number }
  /** Rate units for a token whose rate several nodes share: a LeaseOutcome. */
  | { readonly kind: 'lease_rate'; readonly id: string; readonly price: number }
  /** Charges to addresses that the other nodes have to learn of; answered when they are counted or dropped. */
  | { readonly kind: 'report_addresses'; readonly uses: readonly AddressUse[] }
  /** What this thread has charged to tokens; answered when it is counted. */
  | { readonly kind: 'report_usage'; readonly usage: readonly TokenDay[] };

export type LinkAnswer =
  /** The JSON of a method's result. */
  | { readonly id: number; readonly json: string }
  /** The call is parked, see `Parked`; its answer follows later. */
  | { readonly id: number; readonly parked: true }
  /** What a worker answered, or why it did not. */
  | {
      readonly id: number;
      readonly worked:
        | { readonly json: SharedText; readonly waitedMs: number }
        | { readonly error: SerializedError };
      readonly use: CallUse;
    }
  /** The answer to a question. */
  | { readonly id: number; readonly result: unknown }
  | { readonly id: number; readonly error: SerializedError }
  | { readonly id: number; readonly gone: true };

/** What a call used, for its caller's allowance. */
export interface CallUse {
  /** Arguments of `CallAllowance.use`, in order. */
  readonly runs: readonly (readonly [ms: number, gas: number | undefined])[];
  /** Sum of the arguments of `CallAllowance.noteWork`. */
  readonly work: number;
}

/** Shorter answers are not counted: the limit on calls in flight bounds them. */
export const LONG_ANSWER = 1_024;

/** Length of an answer that counts until the front thread acknowledges it; 0 for a short one. */
export function longAnswer(answer: LinkAnswer): number {
  return 'json' in answer && answer.json.length >= LONG_ANSWER ? answer.json.length : 0;
}
