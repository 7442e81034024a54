/** What crosses between the main thread and the worker for trees of earlier heights. */
import type { NativeMode } from '../config/native-mode.js';
import type { StoreHandle } from '../storage/store.js';
import type { KeptHeights, problemOf } from './proof-error.js';

/** The worker's `workerData`. */
export interface OldProofWorkerData {
  readonly store: StoreHandle;
  readonly native: NativeMode;
  /** About what the trees may take in memory, in bytes. */
  readonly memoryBytes: number;
}

/** Main thread → worker. */
export type OldProofRequest =
  | ProveOldRequest
  /** These are about to be dropped from the store; answered with `given_up`, after which nothing reads them. */
  | { readonly type: 'give_up'; readonly marks: readonly bigint[] }
  /** Nobody waits any more for what was asked last; where it is still under way, it is answered with `abandoned`. */
  | { readonly type: 'abandon' }
  | { readonly type: 'stop' };

/** Answered with `proved`, `refused` or `abandoned`. There is one at a time. */
export interface ProveOldRequest {
  readonly type: 'prove';
  readonly height: bigint;
  /** 32 bytes, as the height's header has it. */
  readonly stateRoot: Uint8Array;
  /** 32 bytes each. */
  readonly keys: Uint8Array<ArrayBuffer>;
  /** What the proof window reaches over. */
  readonly window: KeptHeights;
  /** Whether the height's tree stays whatever the window is. */
  readonly isKept: boolean;
}

/** Worker → main thread. `ms` is how long the worker was busy with a request. */
export type OldProofReply =
  | { readonly type: 'proved'; readonly ms: number; readonly proofs: Uint8Array<ArrayBuffer> }
  | ({ readonly type: 'refused'; readonly ms: number } & ReturnType<typeof problemOf>)
  | { readonly type: 'abandoned'; readonly ms: number }
  /** One for each `give_up`, in their order. */
  | { readonly type: 'given_up' };
