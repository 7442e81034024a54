/** What crosses between the main thread and the thread that cuts a checkpoint: all the work is in `workerData`. */
import type { NativeMode } from '../../config/native-mode.js';
import type { StoreHandle } from '../../storage/store.js';
import type { CutState } from './cut.js';

/** The worker's `workerData`. */
export interface CutWorkerData {
  readonly store: StoreHandle;
  readonly native: NativeMode;
  /** Committed, and still kept. */
  readonly height: bigint;
  /** Pauses after so much of the time that it worked, so that others get the processor; 0 for none. */
  readonly restRatio: number;
}

/** Worker → main thread. */
export type CutReply =
  /** How much of the keys' space is behind, 0 to 1. */
  | { readonly type: 'progress'; readonly fraction: number; readonly entries: number }
  | { readonly type: 'done'; readonly cut: CutState };
