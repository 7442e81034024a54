/** Messages between the main thread and the thread that cuts a checkpoint. The task itself is in `workerData`. */
import type { NativeMode } from '../../config/native-mode.js';
import type { StoreHandle } from '../../storage/store.js';
import type { CutState } from './cut.js';

export interface CutWorkerData {
  readonly store: StoreHandle;
  readonly native: NativeMode;
  /** A committed height whose state is still kept. */
  readonly height: bigint;
  /** Pause after each chunk as a multiple of the time worked, to leave CPU to others; 0 for none. */
  readonly restRatio: number;
}

/** Worker → main thread. */
export type CutReply =
  /** Share of the key space done so far, 0 to 1. */
  | { readonly type: 'progress'; readonly fraction: number; readonly entries: number }
  | { readonly type: 'done'; readonly cut: CutState };
