import type { AnswersWithParts, BatchWithWriteLogs } from '../tracing/replay-messages.js';
import { heldWords, seedHeldWords } from './held-workers.js';

/** What a worker needs to know to answer view calls, simulations and traces. */
export interface CallSetup {
  /** The most gas a call may use, and what it may use where it does not say. */
  readonly maxCallGas: number;
  /** The most steps of a pipeline. */
  readonly maxPipelineSteps: number;
  /** The most transactions of a bundle that is simulated. */
  readonly maxBundleTransactions: number;
  /** The most bytes of JSON of one trace; 16 MiB if absent. */
  readonly maxTraceBytes?: number;
  /** Memory of the ChangeTable. */
  readonly changes: SharedArrayBuffer;
  /** 32-bit words: how many calls the worker has begun of each batch, by its task number. */
  readonly progress: SharedArrayBuffer;
}

/** What a worker needs to know to answer reads of the store. */
export type ReadSetup = Pick<CallSetup, 'progress'>;

/** Task numbers of one scheduler begin again after so many: many times what can be under way at once. */
export const TASK_NUMBERS = 4_096;

/** What schedulers that share workers know of each other. */
export interface ProgressMemory {
  /** How many calls the worker has begun of each batch, by its task number. */
  readonly startedCalls: Int32Array;
  /** One word: how many batches are under way. */
  readonly runningBatches: Int32Array;
  /** For {@link HeldWorkers}. */
  readonly held: Int32Array;
}

/** The memory in which workers note how far they are, for this many schedulers; see {@link progressMemory}. */
export function createProgressMemory(schedulers: number): SharedArrayBuffer {
  const memory = new SharedArrayBuffer(4 * (TASK_NUMBERS * schedulers + 1 + heldWords(schedulers)));
  seedHeldWords(progressMemory(memory).held);
  return memory;
}

/** @param memory from {@link createProgressMemory} */
export function progressMemory(memory: SharedArrayBuffer): ProgressMemory {
  const ofNone = 1 + heldWords(0);
  const ofEach = TASK_NUMBERS + heldWords(1) - heldWords(0);
  const schedulers = (memory.byteLength / 4 - ofNone) / ofEach;
  const tasks = TASK_NUMBERS * schedulers;
  return {
    startedCalls: new Int32Array(memory, 0, tasks),
    runningBatches: new Int32Array(memory, 4 * tasks, 1),
    held: new Int32Array(memory, 4 * (tasks + 1)),
  };
}

/** The tasks that answer calls. */
export interface CallTasks {
  /** Sent by the call scheduler: see `call-batch.ts` and `call-answers.ts` for the encodings. */
  calls: { readonly input: Uint8Array; readonly result: string };
  /** Sent by the call scheduler: traces and replays, and the other calls of their batch, with the write logs that they need. */
  traces: { readonly input: BatchWithWriteLogs; readonly result: AnswersWithParts };
}
