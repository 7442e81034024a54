import { sameBytes } from '../../base/same-bytes.js';
import type { ThresholdBls } from '../crypto.js';
import { CryptoError } from '../crypto-error.js';
import { LagrangeCache } from '../scalars/lagrange.js';
import { assemble, verifyPartials } from './assemble.js';
import type { EpochKeys, JobInput, JobKind, JobResult, SignatureJob } from './messages.js';
import { SignatureServiceError } from './signature-service-error.js';

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
  run(job: SignatureJob): unknown {
    return this.#dispatch(job);
  }

  /** Overwrites all shares. */
  clear(): void {
    for (const epoch of [...this.#epochs.keys()]) this.#leave(epoch);
  }

  #dispatch<K extends JobKind>({ kind, input }: { readonly kind: K; readonly input: JobInput<K> }) {
    return this.#handlers[kind](input);
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
