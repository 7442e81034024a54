/*
 * Messages between the main thread and the execution workers. The main thread sends tasks, and workers answer each with
 * one outcome. Everything here survives structured clone: no functions, no class instances.
 */

import type { NativeChoice, NativeMode } from '../../config/native-mode.js';
import type { TreeAt } from '../../proofs/proof-messages.js';
import type { RefusedChunk } from '../../proofs/snapshot/check-chunk.js';
import type { PreparedChunk } from '../../proofs/snapshot/prepare-chunk.js';
import type { StoreHandle } from '../../storage/store.js';
import type { StoreErrorCode } from '../../storage/store-error.js';
import type { BlockTasks } from '../block-tasks.js';
import type { CallSetup, CallTasks, ReadSetup } from '../calls/worker-call.js';
import type { SealingTasks } from '../open-envelopes.js';
import type { PredictionTasks } from '../parallel/predict.js';
import type { SpeculationTasks } from '../parallel/watched-runner.js';
import type { SignatureTasks } from '../signature-batch.js';
import type { ValidatorTasks } from '../validator-tasks.js';

export interface WorkerSetup {
  readonly native: NativeMode;
  /** Maximum number of live contract instances in the thread, see `vm/thread-shares.ts`; a few hundred if absent. */
  readonly instances?: number;
  /** Maximum size of a response to a client, in bytes; the default of `answer-limit.ts` if absent. */
  readonly maxAnswerBytes?: number;
  /** The open store; tasks that read it fail if absent. */
  readonly store?: StoreHandle;
  /** Machine code that each thread may keep compiled, in bytes, see `vm/thread-shares.ts`. */
  readonly codeBytes?: number;
  /** Settings of calls, which fail if absent. */
  readonly calls?: CallSetup;
  /** Settings of store reads, in workers that run no calls; reads fail if absent. */
  readonly reads?: ReadSetup;
  /** The memory of the pool's {@link NativeLoads}. */
  readonly nativeLoads?: SharedArrayBuffer;
}

/** What a pool passes to each of its threads. */
export interface WorkerData extends WorkerSetup {
  /** URL of the module that exports `runTask`, a function that runs one task. */
  readonly module: string;
  /** Numbers the pool's threads; see `showThreadName`. */
  readonly threadNumbers: SharedArrayBuffer;
}

/** BLS signatures. Sent by the code that makes and checks certificates. */
interface CertificateTasks {
  /** Signs messages, in order, with a 32-byte private key; also reports the implementation used. */
  sign_bls: {
    readonly input: { readonly privateKey: Uint8Array; readonly messages: readonly Uint8Array[] };
    readonly result: { readonly signatures: readonly Uint8Array[]; readonly choice: NativeChoice };
  };
  /** Whether signatures (96 bytes) of messages are valid under a 48-byte public key, in order. */
  verify_bls: {
    readonly input: {
      readonly publicKey: Uint8Array;
      readonly signed: readonly { readonly message: Uint8Array; readonly signature: Uint8Array }[];
    };
    readonly result: readonly boolean[];
  };
}

/** Sent by the import of snapshots. */
interface SnapshotTasks {
  /** Validates a chunk, borsh(ImportSnapshotChunkArgs), and prepares it for writing. */
  check_chunk: {
    readonly input: { readonly chunk: Uint8Array; readonly target: TreeAt };
    readonly result: PreparedChunk | RefusedChunk;
  };
}

/** All kinds of task. Senders in `execution` declare their own; `worker/task-handlers.ts` has a handler for each. */
export interface ExecutionTasks
  extends SignatureTasks,
    BlockTasks,
    SpeculationTasks,
    PredictionTasks,
    CallTasks,
    CertificateTasks,
    SealingTasks,
    ValidatorTasks,
    SnapshotTasks {}

export type TaskKind = keyof ExecutionTasks;
export type TaskInput<K extends TaskKind> = ExecutionTasks[K]['input'];
export type TaskResult<K extends TaskKind> = ExecutionTasks[K]['result'];

export type Task = { readonly [K in TaskKind]: { readonly kind: K; readonly input: TaskInput<K> } }[TaskKind];

/** A worker's response. Failures are responses too, so a rejected task always means that its worker is gone. */
export type TaskOutcome =
  | { readonly ok: true; readonly result: unknown }
  | {
      readonly ok: false;
      readonly error: unknown;
      /** Set for errors of the store, whose class does not survive the transfer. */
      readonly storeError?: StoreErrorCode;
    };
