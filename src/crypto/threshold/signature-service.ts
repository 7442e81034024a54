import { ServiceThread } from '../../async/service-thread.js';
import { type PendingItem, TickBatch } from '../../async/tick-batch.js';
import type { NativeMode, NativeReport } from '../../config/native-mode.js';
import type { Assembly, PartialSignature } from './assemble.js';
import {
  type EpochKeys,
  type JobInput,
  type JobKind,
  type JobResult,
  type NumberedJob,
  type PartialsInput,
  type SignatureJob,
  type SignatureReply,
  type SignatureRequest,
  SignatureServiceError,
  type SignatureWorkerData,
} from './signature-messages.js';

const DEFAULT_MAX_JOBS = 1_024;

/** Maximum message size in bytes; consensus messages have about 80. */
const MAX_MESSAGE_BYTES = 1_024;

/** Jobs leave only short-lived garbage. */
const YOUNG_GENERATION_MB = 8;

export interface SignatureServiceOptions {
  readonly native: NativeMode;
  /** Called with the implementation in use. */
  readonly report?: NativeReport;
  /** Called once when the service has failed; every later call rejects with the same error. */
  readonly onFailure?: (error: SignatureServiceError) => void;
  /** Maximum number of pending jobs; more are rejected. Defaults to 1,024. */
  readonly maxJobs?: number;
  /** The worker module; defaults to the node's own. */
  readonly worker?: URL;
}

/**
 * The main thread's side of the signature worker, which signs with this validator's shares, and assembles and verifies
 * signatures. It has its own thread because votes must not wait for contract calls. Requests of one event loop tick are
 * sent as one message.
 */
export class SignatureService {
  readonly #thread: ServiceThread<SignatureRequest, SignatureReply, void, SignatureServiceError>;
  readonly #options: SignatureServiceOptions;
  readonly #callers = new Map<number, Omit<PendingItem<SignatureJob, unknown>, 'item'>>();
  readonly #epochs = new Map<bigint, number>();
  readonly #batch = new TickBatch<SignatureJob, unknown>(() => this.#sendJobs());
  #nextId = 0;

  private constructor(options: SignatureServiceOptions) {
    this.#options = options;
    const { native, worker = new URL('../../../workers/signature-worker.js', import.meta.url) } = options;
    const workerData: SignatureWorkerData = { native };
    this.#thread = new ServiceThread({
      module: worker,
      name: 'signatures',
      worker: { workerData, resourceLimits: { maxYoungGenerationSizeMb: YOUNG_GENERATION_MB } },
      onReply: (reply) => this.#receive(reply),
      failure: (what, cause) =>
        new SignatureServiceError('worker_failed', `the signature worker ${what}`, { cause }),
      stopped: () => new SignatureServiceError('stopped', 'the signature service has been stopped'),
      onEnd: (error) => this.#rejectAll(error),
      onFailure: options.onFailure,
    });
  }

  /** Starts the worker; resolves once it can sign. @throws SignatureServiceError `worker_failed` */
  static async start(options: SignatureServiceOptions): Promise<SignatureService> {
    const service = new SignatureService(options);
    await service.#thread.started();
    return service;
  }

  /**
   * Sends the worker the keys of an epoch, replacing previous ones. The share is copied; erasing the caller's bytes
   * is up to the caller.
   * @throws SignatureServiceError `wrong_share` if the share is not the private key of its validator's share key (the
   * epoch then stays unknown); `invalid_input`, `overloaded`, `stopped`, `worker_failed`
   */
  async enterEpoch(keys: EpochKeys): Promise<void> {
    const { epoch, quorum, shareKeys } = keys;
    if (!Number.isInteger(quorum) || quorum < 1 || quorum > shareKeys.length) {
      throw new SignatureServiceError('invalid_input', `a quorum of ${quorum} among ${shareKeys.length}`);
    }
    const own = keys.own && { index: keys.own.index, share: Uint8Array.from(keys.own.share) };
    this.#epochs.set(epoch, shareKeys.length);
    try {
      await this.#ask('enter', {
        epoch,
        quorum,
        groupPublicKey: alone(keys.groupPublicKey),
        shareKeys: shareKeys.map(alone),
        ...(own === undefined ? {} : { own }),
      });
    } catch (error) {
      this.#epochs.delete(epoch);
      throw error;
    } finally {
      own?.share.fill(0);
    }
  }

  /**
   * Makes the worker delete the keys of an epoch and overwrite its share. Later calls for the epoch reject, and pending
   * ones may.
   * @throws SignatureServiceError `overloaded`, `stopped`, `worker_failed`
   */
  async leaveEpoch(epoch: bigint): Promise<void> {
    if (this.#epochs.delete(epoch)) await this.#ask('leave', { epoch });
  }

  /**
   * This validator's partial signature of a message, 96 bytes.
   * @throws SignatureServiceError `unknown_epoch`, `invalid_input`, `overloaded`, `stopped`, `worker_failed`
   */
  async sign(epoch: bigint, message: Uint8Array): Promise<Uint8Array> {
    this.#expectEpoch(epoch);
    expectMessage(message);
    return await this.#ask('sign', { epoch, message: alone(message) });
  }

  /**
   * Assembles partial signatures into one under the group key, see {@link Assembly}.
   * @param partials one per validator
   * @throws SignatureServiceError as {@link sign}
   */
  async assemble(
    epoch: bigint,
    message: Uint8Array,
    partials: readonly PartialSignature[],
  ): Promise<Assembly> {
    return await this.#ask('assemble', this.#partialsOf(epoch, message, partials));
  }

  /**
   * Verifies partial signatures under their validators' share keys; results are in input order.
   * @throws SignatureServiceError as {@link sign}
   */
  async verifyPartials(
    epoch: bigint,
    message: Uint8Array,
    partials: readonly PartialSignature[],
  ): Promise<readonly boolean[]> {
    return await this.#ask('verify_partials', this.#partialsOf(epoch, message, partials));
  }

  /**
   * Verifies a signature.
   * @param signature 96 bytes; other lengths are invalid
   * @param publicKey 48 bytes
   * @throws SignatureServiceError `invalid_input`, `overloaded`, `stopped`, `worker_failed`
   */
  async verify(signature: Uint8Array, message: Uint8Array, publicKey: Uint8Array): Promise<boolean> {
    expectMessage(message);
    if (signature.length !== 96 || publicKey.length !== 48) return false;
    return await this.#ask('verify', {
      signature: alone(signature),
      message: alone(message),
      publicKey: alone(publicKey),
    });
  }

  /** Stops the worker, which overwrites its shares first. Pending and further calls are rejected. */
  stop(): Promise<void> {
    return this.#thread.stop({ type: 'stop' });
  }

  #ask<K extends JobKind>(kind: K, input: JobInput<K>): Promise<JobResult<K>> {
    const { refusal } = this.#thread;
    if (refusal !== undefined) return Promise.reject(refusal);
    const limit = this.#options.maxJobs ?? DEFAULT_MAX_JOBS;
    if (this.#callers.size + this.#batch.size >= limit) {
      return Promise.reject(new SignatureServiceError('overloaded', `${limit} jobs are already pending`));
    }
    return this.#batch.add({ kind, input } as SignatureJob) as Promise<JobResult<K>>;
  }

  #sendJobs(): void {
    const jobs: NumberedJob[] = [];
    const { refusal } = this.#thread;
    for (const { item, resolve, reject } of this.#batch.take()) {
      if (refusal !== undefined) {
        reject(refusal);
        continue;
      }
      const id = this.#nextId++;
      this.#callers.set(id, { resolve, reject });
      jobs.push({ ...item, id });
    }
    if (jobs.length > 0) this.#thread.post({ type: 'jobs', jobs });
  }

  #receive(reply: SignatureReply): void {
    switch (reply.type) {
      case 'ready':
        if (reply.choice !== undefined) this.#options.report?.(reply.choice);
        this.#thread.ready();
        break;
      case 'done':
        this.#callers.get(reply.id)?.resolve(reply.result);
        this.#callers.delete(reply.id);
        break;
      case 'stopped':
        this.#thread.last();
        break;
      case 'failed': {
        if (reply.id === undefined) {
          this.#thread.fail(`failed: ${reply.message}`);
          break;
        }
        this.#callers.get(reply.id)?.reject(new SignatureServiceError(reply.code, reply.message));
        this.#callers.delete(reply.id);
      }
    }
  }

  #rejectAll(error: SignatureServiceError): void {
    for (const { reject } of this.#callers.values()) reject(error);
    this.#callers.clear();
  }

  #expectEpoch(epoch: bigint): number {
    const validators = this.#epochs.get(epoch);
    if (validators === undefined)
      throw new SignatureServiceError('unknown_epoch', `no keys of epoch ${epoch}`);
    return validators;
  }

  #partialsOf(epoch: bigint, message: Uint8Array, partials: readonly PartialSignature[]): PartialsInput {
    const validators = this.#expectEpoch(epoch);
    expectMessage(message);
    const known = partials.filter(({ index }) => Number.isInteger(index) && index >= 0 && index < validators);
    if (new Set(known.map(({ index }) => index)).size !== partials.length) {
      throw new SignatureServiceError('invalid_input', 'expected one partial signature per validator');
    }
    if (partials.some(({ signature }) => signature.length > 96)) {
      throw new SignatureServiceError('invalid_input', 'expected partial signatures of 96 bytes');
    }
    return {
      epoch,
      message: alone(message),
      partials: partials.map(({ index, signature }) => ({ index, signature: alone(signature) })),
    };
  }
}

function expectMessage(message: Uint8Array): void {
  if (message.length > MAX_MESSAGE_BYTES) {
    throw new SignatureServiceError('invalid_input', `a message of ${message.length} bytes is too long`);
  }
}

/** Copies a view of a larger buffer, because structured cloning would copy the whole buffer. */
function alone(bytes: Uint8Array): Uint8Array {
  return bytes.byteLength === bytes.buffer.byteLength ? bytes : Uint8Array.from(bytes);
}
