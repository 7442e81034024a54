/** What a worker needs to know to answer view calls, simulations and traces. */
export interface ViewSetup {
  /** The most gas a call may use, and what it may use where it does not say. */
  readonly maxCallGas: number;
  /** The most bytes of JSON of one trace; 16 MiB if absent. */
  readonly maxTraceBytes?: number;
  /** Memory of the ChangeTable. */
  readonly changes: SharedArrayBuffer;
  /** 32-bit words: how many calls the worker has begun of each batch, by its task number. */
  readonly progress: SharedArrayBuffer;
}

/** Task numbers begin again after so many: many times what can be under way at once. */
export const TASK_NUMBERS = 4_096;
