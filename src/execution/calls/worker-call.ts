import type { SharedText } from '../../base/shared-text.js';
import type { ReadRequest } from '../read-requests.js';
import type { TaskOf } from '../task-runner.js';
import type { AttachedWriteLog, ReplayRequest } from '../tracing/replay-messages.js';
import type { BatchHead, CallKind } from '../views/batched-calls.js';
import type { CallProblem } from '../views/call-error.js';

/** A call for a worker: everything here can be structured-cloned. */
export type WorkerCall =
  | {
      readonly kind: CallKind;
      /** JSON text of the method's parameters, as the client sent them. The worker parses and checks them. */
      readonly params: SharedText;
      /** Gas limit from the caller's token; absent if there is none. */
      readonly maxGas?: number;
      /** For a trace in a block, once the worker has asked for it. */
      readonly writeLog?: AttachedWriteLog;
    }
  | { readonly kind: 'replay'; readonly request: ReplayRequest; readonly writeLog: AttachedWriteLog }
  | { readonly kind: 'read'; readonly request: ReadRequest };

export type CallOutcome =
  /** The JSON of the method's result. */
  | { readonly json: SharedText; readonly part?: SharedArrayBuffer }
  | { readonly problem: CallProblem }
  /** A fault of the node itself. */
  | { readonly fault: string };

export interface AnsweredCall {
  readonly outcome: CallOutcome;
  /** Time in the worker, in milliseconds. */
  readonly ms: number;
  /** Gas used, with that of work for the call that no contract does. */
  readonly gas: number;
}

/** The calls of one task. */
export interface CallGroup {
  readonly calls: readonly WorkerCall[];
  readonly head: BatchHead;
  /** Index of the word in {@link CallSetup.progress} that counts the calls begun. */
  readonly slot: number;
}

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
  /** 32-bit words, from {@link createProgressMemory}. */
  readonly progress: SharedArrayBuffer;
}

/** A worker's settings for reads of the store. */
export type ReadSetup = Pick<CallSetup, 'progress'>;

/** Memory in which as many workers count the calls that they have begun of their groups. */
export function createProgressMemory(workers: number): SharedArrayBuffer {
  return new SharedArrayBuffer(workers * Int32Array.BYTES_PER_ELEMENT);
}

export interface CallTasks {
  /** Fewer answers than calls mean that the worker stopped early to yield to others. */
  calls: TaskOf<CallGroup, readonly AnsweredCall[]>;
}
