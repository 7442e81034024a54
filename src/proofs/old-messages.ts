/** Messages between the main thread and the worker for trees of earlier heights. */
import type { NativeMode } from '../config/native-mode.js';
import type { StoreHandle } from '../storage/store.js';
import type { KeptHeights, problemOf } from './proof-error.js';

export interface OldProofWorkerData {
  readonly store: StoreHandle;
  readonly native: NativeMode;
  /** Approximate memory budget for the trees, in bytes. */
  readonly memoryBytes: number;
}

/** Main thread → worker. */
export type OldProofRequest =
  | ProveOldRequest
  /** Releases marks about to be dropped from the store; answered with `given_up`, after which nothing reads them. */
  | { readonly type: 'give_up'; readonly marks: readonly bigint[] }
  /** Cancels the last `prove`, because all its callers are gone; answered with `abandoned` if it is still running. */
  | { readonly type: 'abandon' }
  | { readonly type: 'stop' };

/** Answered with `proved`, `refused` or `abandoned`. Only one is in flight at a time. */
export interface ProveOldRequest {
  readonly type: 'prove';
  readonly height: bigint;
  /** State root in the height's header, 32 bytes. */
  readonly stateRoot: Uint8Array;
  /** 32 bytes each. */
  readonly keys: Uint8Array<ArrayBuffer>;
  readonly window: KeptHeights;
  /** True if the height's tree is also kept outside the window. */
  readonly isKept: boolean;
}

/** Worker → main thread. `ms` is the time that the worker spent on a request. */
export type OldProofReply =
  | { readonly type: 'proved'; readonly ms: number; readonly proofs: Uint8Array<ArrayBuffer> }
  | ({ readonly type: 'refused'; readonly ms: number } & ReturnType<typeof problemOf>)
  | { readonly type: 'abandoned'; readonly ms: number }
  /** One per `give_up`, in order. */
  | { readonly type: 'given_up' };
