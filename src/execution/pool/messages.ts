/*
 * What crosses between the main thread and the execution workers. The main thread sends tasks, workers answer each with
 * one outcome. Everything here survives structured clone: no functions, no class instances.
 */

import type { NativeChoice, NativeMode } from '../../config/native-mode.js';
import type { ChunkTarget, PreparedChunk, RefusedChunk } from '../../proofs/snapshot/prepare-chunk.js';
import type { StoreHandle } from '../../storage/store.js';
import type { StoreErrorCode } from '../../storage/store-error.js';
import type { ExecutedBlock } from '../block-execution.js';
import type { ExecuteBlockInput } from '../execute-block-task.js';
import type { PredictionInput } from '../parallel/predict.js';
import type { SpeculationInput } from '../parallel/speculation-input.js';
import type { SpeculationResult } from '../parallel/speculation-result.js';
import type { ReadRequest } from '../read-requests.js';
import type { JournaledBatch, ReplayBlockInput, ReplayBlockResult } from '../tracing/replay-messages.js';
import type { ViewSetup } from '../views/view-setup.js';
import type { ChannelEnd } from './call-channel.js';

/** What a worker is started with. */
export interface WorkerSetup {
  readonly native: NativeMode;
  /** Instances of contracts that the thread may have at a time, see `vm/instance-shares.ts`; left out, a few hundred. */
  readonly instances?: number;
  /** The most bytes of one answer that a client gets; the default of `answer-limit.ts` if absent. */
  readonly maxAnswerBytes?: number;
  /** The open store; left out, tasks that read it fail. */
  readonly store?: StoreHandle;
  /** The machine code that each thread may keep compiled, see `vm/code-share.ts`. */
  readonly codeBytes?: number;
  /** What view calls need; left out, they fail. */
  readonly views?: ViewSetup;
}

/** The kinds of task, each with what it takes and what it gives. A new kind begins here; `task-handlers.ts` does it. */
export interface TaskKinds {
  /** Whether signatures are good and of the senders; see `signature-batch.ts` for both encodings. */
  verify_signatures: { readonly input: Uint8Array; readonly result: Uint8Array };
  /** A block with contract calls, on the last committed one. */
  execute_block: { readonly input: ExecuteBlockInput; readonly result: ExecutedBlock };
  /** Units of a block, to be tried on the last committed state; see `parallel/parallel-execution.ts`. */
  speculate: { readonly input: SpeculationInput; readonly result: SpeculationResult };
  /** What transactions of the pool touch; see `parallel/predict.ts` for the encodings. */
  predict: { readonly input: PredictionInput; readonly result: Uint8Array };
  /** View calls; see `views/call-batch.ts` and `views/call-answers.ts` for the encodings. */
  view_calls: { readonly input: Uint8Array; readonly result: string };
  /** Traces, and what else is in their batch, as view calls, with the journals of blocks that they need. */
  traces: { readonly input: JournaledBatch; readonly result: string };
  /** What the next transactions of a block wrote, for traces of those after them. */
  replay_block: { readonly input: ReplayBlockInput; readonly result: ReplayBlockResult };
  /** BLS signatures over messages, in their order, under a 32-byte private key; also which implementation made them. */
  sign_bls: {
    readonly input: { readonly privateKey: Uint8Array; readonly messages: readonly Uint8Array[] };
    readonly result: { readonly signatures: readonly Uint8Array[]; readonly choice: NativeChoice };
  };
  /** Whether BLS signatures (96 bytes) of messages are good under a 48-byte public key, in their order. */
  verify_bls: {
    readonly input: {
      readonly publicKey: Uint8Array;
      readonly signed: readonly { readonly message: Uint8Array; readonly signature: Uint8Array }[];
    };
    readonly result: readonly boolean[];
  };
  /** A chunk of a snapshot, borsh(ImportSnapshotChunkArgs), checked and made ready to be written. */
  check_chunk: {
    readonly input: { readonly chunk: Uint8Array; readonly target: ChunkTarget };
    readonly result: PreparedChunk | RefusedChunk;
  };
  /** Serving a channel of calls for a while; see `call-channel.ts`. */
  call_channel: { readonly input: SharedArrayBuffer; readonly result: ChannelEnd };
  /** A heavy read; the result is the JSON text of the method's result. */
  read: { readonly input: ReadRequest; readonly result: string };
}

export type TaskKind = keyof TaskKinds;
export type TaskInput<K extends TaskKind> = TaskKinds[K]['input'];
export type TaskResult<K extends TaskKind> = TaskKinds[K]['result'];

export type Task = { readonly [K in TaskKind]: { readonly kind: K; readonly input: TaskInput<K> } }[TaskKind];

/** A worker's answer. Failures are answers too, so that a rejected task always means that its worker is gone. */
export type TaskOutcome =
  | { readonly ok: true; readonly result: unknown }
  | {
      readonly ok: false;
      readonly error: unknown;
      /** Set where the error is the store's: its class does not survive the way. */
      readonly storeError?: StoreErrorCode;
    }
  /** The answer has more bytes than one may. */
  | { readonly ok: false; readonly answerLimit: number };
