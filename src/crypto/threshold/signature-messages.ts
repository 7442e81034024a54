// Jobs and replies between the main thread and the signature worker. All survive structured cloning.

import { CodedError } from '../../base/errors.js';
import type { NativeChoice, NativeMode } from '../../config/native-mode.js';
import type { Assembly, PartialSignature, SharedKey } from './assemble.js';

export interface SignatureWorkerData {
  readonly native: NativeMode;
}

export interface EpochKeys extends SharedKey {
  readonly epoch: bigint;
  /** This validator's signing share; absent if it has none. */
  readonly own?: {
    readonly index: number;
    /** 32 bytes, a private key. */
    readonly share: Uint8Array;
  };
}

export interface SignatureJobs {
  /** Stores the keys of an epoch. */
  enter: { readonly input: EpochKeys; readonly result: undefined };
  /** Deletes the keys of an epoch; its share is overwritten. */
  leave: { readonly input: { readonly epoch: bigint }; readonly result: undefined };
  /** Returns a partial signature, 96 bytes. */
  sign: {
    readonly input: { readonly epoch: bigint; readonly message: Uint8Array };
    readonly result: Uint8Array;
  };
  assemble: { readonly input: PartialsInput; readonly result: Assembly };
  verify_partials: { readonly input: PartialsInput; readonly result: readonly boolean[] };
  verify: {
    readonly input: {
      /** 96 bytes. */
      readonly signature: Uint8Array;
      readonly message: Uint8Array;
      /** 48 bytes. */
      readonly publicKey: Uint8Array;
    };
    readonly result: boolean;
  };
}

export interface PartialsInput {
  readonly epoch: bigint;
  readonly message: Uint8Array;
  readonly partials: readonly PartialSignature[];
}

export type JobKind = keyof SignatureJobs;
export type JobInput<K extends JobKind> = SignatureJobs[K]['input'];
export type JobResult<K extends JobKind> = SignatureJobs[K]['result'];

export type SignatureJob = {
  readonly [K in JobKind]: { readonly kind: K; readonly input: JobInput<K> };
}[JobKind];

export type NumberedJob = SignatureJob & { readonly id: number };

export type SignatureRequest =
  | { readonly type: 'jobs'; readonly jobs: readonly NumberedJob[] }
  /** Deletes all keys and exits. */
  | { readonly type: 'stop' };

export type SignatureReply =
  | { readonly type: 'ready'; readonly choice: NativeChoice | undefined }
  | { readonly type: 'done'; readonly id: number; readonly result: unknown }
  /** Failure of one job, or, without an id, of the worker. */
  | {
      readonly type: 'failed';
      readonly id?: number;
      readonly code: SignatureServiceErrorCode;
      readonly message: string;
    }
  | { readonly type: 'stopped' };

/** Error codes of the signature worker; invalid signatures are not errors. */
export type SignatureServiceErrorCode =
  /** Too many jobs are pending. */
  | 'overloaded'
  /** The worker has no keys of the epoch, or no share to sign with. */
  | 'unknown_epoch'
  /** The share is not the private key of its validator's share key. */
  | 'wrong_share'
  | 'invalid_input'
  | 'stopped'
  /** The worker has failed for good. */
  | 'worker_failed';

/** Thrown by the signature service; messages never contain a share. */
export class SignatureServiceError extends CodedError<SignatureServiceErrorCode> {
  override readonly name = 'SignatureServiceError';
}
