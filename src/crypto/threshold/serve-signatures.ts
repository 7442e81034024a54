import type { MessagePort } from 'node:worker_threads';
import { errorMessage } from '../../base/errors.js';
import { sameBytes } from '../../base/same-bytes.js';
import type { NativeChoice } from '../../config/native-mode.js';
import type { ThresholdBls } from '../crypto.js';
import { CryptoError } from '../crypto-error.js';
import { loadBls } from '../load-bls.js';
import { LagrangeCache } from '../scalars/lagrange.js';
import { assemble, verifyPartials } from './assemble.js';
import {
  type EpochKeys,
  type JobInput,
  type JobKind,
  type JobResult,
  type NumberedJob,
  type SignatureReply,
  type SignatureRequest,
  SignatureServiceError,
  type SignatureServiceErrorCode,
  type SignatureWorkerData,
} from './signature-messages.js';

/** Jobs that peers can cause; this validator's votes never wait for them. */
const CHECKS: ReadonlySet<JobKind> = new Set(['assemble', 'verify_partials', 'verify']);

/** Runs the jobs of signature-messages.ts in the worker, signing before verification. Messages are received between jobs. */
export async function serveSignatures(port: MessagePort, { native }: SignatureWorkerData): Promise<void> {
  const post = (reply: SignatureReply) => port.postMessage(reply);
  const urgent: NumberedJob[] = [];
  const others: NumberedJob[] = [];
  let runner: SignatureJobRunner | undefined;
  let busy = false;

  const work = (current: SignatureJobRunner) => {
    const job = urgent.shift() ?? others.shift();
    busy = job !== undefined;
    if (job === undefined) return;
    post(answer(current, job));
    setImmediate(work, current);
  };
  const begin = () => {
    if (busy || runner === undefined) return;
    busy = true;
    work(runner);
  };

  port.on('message', (request: SignatureRequest) => {
    if (request.type === 'stop') {
      urgent.length = 0;
      others.length = 0;
      runner?.clear();
      post({ type: 'stopped' });
      port.close();
      return;
    }
    for (const job of request.jobs) (CHECKS.has(job.kind) ? others : urgent).push(job);
    begin();
  });

  try {
    const choices: NativeChoice[] = [];
    runner = new SignatureJobRunner(await loadBls(native, (choice) => choices.push(choice)));
    post({ type: 'ready', choice: choices[0] });
    begin();
  } catch (error) {
    post({ type: 'failed', ...problemOf(error, 'worker_failed') });
    port.close();
  }
}

function answer(runner: SignatureJobRunner, job: NumberedJob): SignatureReply {
  try {
    return { type: 'done', id: job.id, result: runner.run(job) };
  } catch (error) {
    return { type: 'failed', id: job.id, ...problemOf(error, 'invalid_input') };
  }
}

/** @param otherwise the code to use for a CryptoError */
function problemOf(
  error: unknown,
  otherwise: SignatureServiceErrorCode,
): { readonly code: SignatureServiceErrorCode; readonly message: string } {
  if (error instanceof SignatureServiceError) return { code: error.code, message: error.message };
  const message = errorMessage(error);
  return { code: error instanceof CryptoError ? otherwise : 'worker_failed', message };
}

type JobHandlers = { readonly [K in JobKind]: (input: JobInput<K>) => JobResult<K> };

/** Runs the signature worker's jobs and holds the keys of epochs. */
export class SignatureJobRunner {
  readonly #bls: ThresholdBls;
  readonly #lagrange = new LagrangeCache();
  readonly #epochs = new Map<bigint, EpochKeys>();
  readonly #handlers: JobHandlers = {
    enter: (keys) => this.#enter(keys),
    leave: ({ epoch }) => this.#leave(epoch),
    sign: ({ epoch, message }) => this.#sign(epoch, message),
    assemble: ({ epoch, message, partials }) =>
      assemble(this.#bls, this.#lagrange, this.#keys(epoch), message, partials),
    verify_partials: ({ epoch, message, partials }) =>
      verifyPartials(this.#bls, this.#keys(epoch), message, partials),
    verify: ({ signature, message, publicKey }) => this.#bls.verify(signature, message, publicKey),
  };

  constructor(bls: ThresholdBls) {
    this.#bls = bls;
  }

  /** @throws SignatureServiceError `unknown_epoch`, `wrong_share`; CryptoError for an invalid argument */
  run<K extends JobKind>({ kind, input }: { readonly kind: K; readonly input: JobInput<K> }): unknown {
    return this.#handlers[kind](input);
  }

  /** Overwrites all shares. */
  clear(): void {
    for (const epoch of [...this.#epochs.keys()]) this.#leave(epoch);
  }

  #enter(keys: EpochKeys): undefined {
    const { epoch, own, shareKeys } = keys;
    this.#leave(epoch);
    const expected = own && shareKeys[own.index];
    if (own !== undefined && (expected === undefined || !sameBytes(this.#publicKey(own.share), expected))) {
      own.share.fill(0);
      throw new SignatureServiceError(
        'wrong_share',
        `the share for epoch ${epoch} does not belong to validator ${own.index}`,
      );
    }
    this.#epochs.set(epoch, keys);
  }

  #publicKey(share: Uint8Array): Uint8Array {
    try {
      return this.#bls.publicKey(share);
    } catch (error) {
      if (error instanceof CryptoError) return new Uint8Array(0);
      throw error;
    }
  }

  #leave(epoch: bigint): undefined {
    this.#epochs.get(epoch)?.own?.share.fill(0);
    this.#epochs.delete(epoch);
  }

  #sign(epoch: bigint, message: Uint8Array): Uint8Array {
    const { own } = this.#keys(epoch);
    if (own === undefined) {
      throw new SignatureServiceError('unknown_epoch', `no share to sign with in epoch ${epoch}`);
    }
    return this.#bls.sign(message, own.share);
  }

  #keys(epoch: bigint): EpochKeys {
    const keys = this.#epochs.get(epoch);
    if (keys === undefined) throw new SignatureServiceError('unknown_epoch', `no keys of epoch ${epoch}`);
    return keys;
  }
}
