/*
 * What crosses between the main thread and the execution workers. The main thread sends tasks, workers answer each with
 * one outcome. Everything here survives structured clone: no functions, no class instances.
 */

import type { NativeChoice, NativeMode } from '../../config/native-mode.js';
import type { ChunkTarget, PreparedChunk, RefusedChunk } from '../../proofs/snapshot/prepare-chunk.js';
import type { StoreHandle } from '../../storage/store.js';
import type { StoreErrorCode } from '../../storage/store-error.js';
import type { CallSetup, CallTasks, ReadSetup } from '../calls/call-tasks.js';
import type { BlockTasks } from '../execute-block-task.js';
import type { SealingTasks } from '../open-envelopes.js';
import type { PredictionTasks } from '../parallel/predict.js';
import type { SpeculationTasks } from '../parallel/watched-runner.js';
import type { OpeningTasks } from '../sealed/execute-openings.js';
import type { SignatureTasks } from '../signature-batch.js';
import type { ValidatorTasks } from '../validator-tasks.js';

/** What a worker is started with. */
export interface WorkerSetup {
  readonly native: NativeMode;
  /** Instances of contracts that the thread may have at a time, see `vm/thread-shares.ts`; left out, a few hundred. */
  readonly instances?: number;
  /** The most bytes of one answer that a client gets; the default of `answer-limit.ts` if absent. */
  readonly maxAnswerBytes?: number;
  /** The open store; left out, tasks that read it fail. */
  readonly store?: StoreHandle;
  /** The machine code that each thread may keep compiled, see `vm/thread-shares.ts`. */
  readonly codeBytes?: number;
  /** What calls need; left out, they fail. */
  readonly calls?: CallSetup;
  /** What reads of the store need, in workers that run no calls; left out, they fail. */
  readonly reads?: ReadSetup;
  /** A 32-bit word, the pool's own: how many threads may still load all that calls need before they say that they have started. */
  readonly fullStartsLeft?: SharedArrayBuffer;
}

/** BLS signatures. Sent by what makes and checks certificates. */
interface CertificateTasks {
  /** Signatures over messages, in their order, under a 32-byte private key; also which implementation made them. */
  sign_bls: {
    readonly input: { readonly privateKey: Uint8Array; readonly messages: readonly Uint8Array[] };
    readonly result: { readonly signatures: readonly Uint8Array[]; readonly choice: NativeChoice };
  };
  /** Whether signatures (96 bytes) of messages are good under a 48-byte public key, in their order. */
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
  /** A chunk, borsh(ImportSnapshotChunkArgs), checked and made ready to be written. */
  check_chunk: {
    readonly input: { readonly chunk: Uint8Array; readonly target: ChunkTarget };
    readonly result: PreparedChunk | RefusedChunk;
  };
}

/** Sent by the pool itself. */
interface PoolTasks {
  /** Nothing: what there is to do is to have a thread. */
  start: { readonly input: undefined; readonly result: undefined };
}

/** Sent by the channels for calls. */
export interface ChannelTasks {
  /** Serving a channel for a while; see `call-channel.ts`. */
  call_channel: { readonly input: SharedArrayBuffer; readonly result: undefined };
}

/**
 * All kinds of task. Those that execution itself sends are declared by their senders; `worker/task-handlers.ts` does each.
 */
export interface ExecutionTasks
  extends SignatureTasks,
    BlockTasks,
    OpeningTasks,
    SpeculationTasks,
    PredictionTasks,
    CallTasks,
    ChannelTasks,
    PoolTasks,
    CertificateTasks,
    SealingTasks,
    ValidatorTasks,
    SnapshotTasks {}

export type TaskKind = keyof ExecutionTasks;
export type TaskInput<K extends TaskKind> = ExecutionTasks[K]['input'];
export type TaskResult<K extends TaskKind> = ExecutionTasks[K]['result'];

export type Task = { readonly [K in TaskKind]: { readonly kind: K; readonly input: TaskInput<K> } }[TaskKind];

/** A worker's answer. Failures are answers too, so that a rejected task always means that its worker is gone. */
export type TaskOutcome =
  | { readonly ok: true; readonly result: unknown }
  | {
      readonly ok: false;
      readonly error: unknown;
      /** Set where the error is the store's: its class does not survive the way. */
      readonly storeError?: StoreErrorCode;
    };
