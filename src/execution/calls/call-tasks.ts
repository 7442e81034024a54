import type { TaskOf } from '../task-runner.js';
import type { AnswersWithParts, BatchWithWriteLogs } from '../tracing/replay-messages.js';
import { heldWords, seedHeldWords } from './held-workers.js';

/** A worker's settings for view calls, simulations and traces. */
export interface CallSetup {
  /** Maximum and default gas limit of a call. */
  readonly maxCallGas: number;
  readonly maxPipelineSteps: number;
  readonly maxBundleTransactions: number;
  /** Maximum size of a trace's JSON in bytes; 16 MiB if absent. */
  readonly maxTraceBytes?: number;
  /** Memory of the ChangeTable. */
  readonly changes: SharedArrayBuffer;
  /** 32-bit words: the number of calls begun in each batch, by task number. */
  readonly progress: SharedArrayBuffer;
}

/** A worker's settings for reads of the store. */
export type ReadSetup = Pick<CallSetup, 'progress'>;

/** Number of task numbers per scheduler before they repeat: far more than can be in flight at once. */
export const TASK_NUMBERS = 4_096;

/** State shared by schedulers that share workers. */
export interface ProgressMemory {
  /** Number of calls begun in each batch, by task number. */
  readonly startedCalls: Int32Array;
  /** One word: the number of batches in flight. */
  readonly runningBatches: Int32Array;
  readonly held: Int32Array;
}

/** Creates the memory in which workers record their progress, for this many schedulers; see {@link progressMemory}. */
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

export interface CallTasks {
  /** Sent by the call scheduler: see `call-batch.ts` and `call-answers.ts` for the encodings. */
  calls: TaskOf<Uint8Array, string>;
  /** Sent by the call scheduler: traces and replays with their write logs, and the other calls of their batch. */
  traces: TaskOf<BatchWithWriteLogs, AnswersWithParts>;
}
