/*
 * What crosses between the main thread and the front threads. Requests and answers cross in batches, once a turn of the event
 * loop. Everything here survives structured clone.
 */
import type { ChainConstants } from '../../chain/published-chain.js';
import type { Config } from '../../config/config.js';
import type { NativeChoice } from '../../config/native-mode.js';
import type { TaskKind } from '../../execution/pool/messages.js';
import type { Tier } from '../../idl/manifest.js';
import type { StoreHandle } from '../../storage/store.js';
import type { ThreadCounts } from '../metrics/rpc-metrics.js';
import type { SerializedError } from './serialized-error.js';

/** What a front thread is started with. */
export interface FrontThreadData {
  /** Which of the front threads it is, counted from 0. */
  readonly index: number;
  /** How many there are. */
  readonly threads: number;
  readonly config: Config;
  /** When the node was started, milliseconds since 1970. */
  readonly startedMs: number;
  /** Of `FairSlots`, for calls in flight in all threads. */
  readonly callsInFlight: SharedArrayBuffer;
  /** Of `ConnectionCount`, for all threads. */
  readonly connections: SharedArrayBuffer;
}

/** What a front thread needs to answer by itself, once there is a chain. */
export interface ServedChain extends ChainConstants {
  readonly store: StoreHandle;
  /** Of `TipPublisher`. */
  readonly tip: SharedArrayBuffer;
  /** Of `PendingSenders`. */
  readonly pendingSenders: SharedArrayBuffer;
  /** A 32-bit word: how many transactions the pool has. */
  readonly poolSize: SharedArrayBuffer;
  /** Of `HeartbeatWriter`. */
  readonly pulse: SharedArrayBuffer;
  /** Of the ChangeTable. */
  readonly changes: SharedArrayBuffer;
  /** As in the workers' CallSetup. */
  readonly progress: SharedArrayBuffer;
  /** As in the readers' ReadSetup. */
  readonly readProgress: SharedArrayBuffer;
  /** Threads that run calls. */
  readonly workers: number;
  /** Threads that read the store. */
  readonly readers: number;
}

/** Where to listen. */
export interface ListenAt {
  readonly host: string;
  /** 0 picks a free port. */
  readonly port: number;
  /** Whether several threads listen there. */
  readonly shared: boolean;
}

export type ToFront =
  | { readonly kind: 'serve'; readonly chain: ServedChain }
  | { readonly kind: 'listen'; readonly at: ListenAt }
  | { readonly kind: 'answers'; readonly answers: readonly LinkAnswer[] }
  | { readonly kind: 'count'; readonly id: number }
  | { readonly kind: 'stop'; readonly graceMs: number };

export type FromFront =
  | { readonly kind: 'listening'; readonly port: number; readonly choice: NativeChoice | undefined }
  | { readonly kind: 'not_listening'; readonly error: SerializedError }
  /** The thread cannot serve. */
  | { readonly kind: 'failed'; readonly error: SerializedError }
  | { readonly kind: 'requests'; readonly requests: readonly LinkRequest[] }
  | { readonly kind: 'counts'; readonly id: number; readonly counts: ThreadCounts }
  | { readonly kind: 'stopped' }
  | {
      readonly kind: 'fault';
      readonly where: string;
      readonly origin: FrontFaultOrigin;
      readonly error: SerializedError;
    };

export type FrontFaultOrigin = 'callback' | 'uncaught_exception' | 'unhandled_rejection';

/** Who calls, as the main thread gets to know it. */
export interface RemoteClient {
  readonly remoteAddress: string;
  readonly tier: Tier;
  readonly subject: string | undefined;
}

/** The threads that run calls, or those that read the store. */
export type PoolName = 'calls' | 'reads';

/** What a front thread has the main thread do; `id` is the thread's own number for it. */
export type LinkRequest =
  /** Answer a method of the interface. */
  | {
      readonly id: number;
      readonly method: string;
      /** As the interface's codec decoded them. */
      readonly params: unknown;
      readonly client: RemoteClient;
    }
  /** Have a pool do a task. */
  | {
      readonly id: number;
      readonly pool: PoolName;
      readonly task: TaskKind;
      readonly input: unknown;
      readonly once: boolean;
    }
  /**
   * Of accounts, 20 bytes each, those with transactions in the pool. Answered with lines of text: the height, then of each
   * account its JSON, empty where nothing of it waits.
   */
  | { readonly id: number; readonly accounts: Uint8Array; readonly client: RemoteClient }
  | { readonly id: number; readonly question: Question }
  /** Nobody waits for that one any more. */
  | { readonly cancel: number }
  /** The characters of long answers that were taken, in their order; see {@link longAnswer}. */
  | { readonly taken: number };

/** What only the main thread knows, and no method of the interface asks for. */
export type Question =
  /** The page for Prometheus: a RenderedMetrics. */
  { readonly kind: 'metrics' };

export type LinkAnswer =
  /** The JSON of a method's result, or the lines on accounts. */
  | { readonly id: number; readonly json: string }
  /** A method's call waits for something that costs nothing; its answer comes later. */
  | { readonly id: number; readonly parked: true }
  /** A task's result, or the answer to a question. */
  | { readonly id: number; readonly result: unknown }
  | { readonly id: number; readonly error: SerializedError }
  /** It was cancelled. */
  | { readonly id: number; readonly gone: true };

/** Shorter answers are few enough, as places of calls bound them. */
export const LONG_ANSWER = 1_024;

/** The characters of an answer that counts until the front thread says that it has it; 0 for a short one. */
export function longAnswer(answer: LinkAnswer): number {
  return 'json' in answer && answer.json.length >= LONG_ANSWER ? answer.json.length : 0;
}
