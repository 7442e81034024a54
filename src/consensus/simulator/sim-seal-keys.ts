import { sealIdentity } from '../../crypto/sealing/seal-identity.js';
import type { SealKey } from '../../generated/ledger.js';
import type { ThresholdSigner } from '../shell/threshold-signatures.js';
import { CHAIN_ID } from './sim-blocks.js';
import type { SimKeys } from './sim-signatures.js';

/** True if the validators have made this key. */
export function isSealKey(keys: SimKeys, { height, signature }: SealKey): boolean {
  return keys.isByGroup(sealIdentity(CHAIN_ID, height), signature);
}

export interface SimSealSignerOptions {
  readonly keys: SimKeys;
  readonly quorum: number;
  readonly self: number;
  /** Resolves after the time that a signature takes, or rejects if the worker failed. */
  readonly work: () => Promise<void>;
}

/** Signs and assembles the keys of heights with stand-ins for signatures. */
export class SimSealSigner implements Pick<ThresholdSigner, 'sign' | 'assemble'> {
  readonly #options: SimSealSignerOptions;

  constructor(options: SimSealSignerOptions) {
    this.#options = options;
  }

  async sign(epoch: bigint, message: Uint8Array): Promise<Uint8Array> {
    const { keys, self, work } = this.#options;
    await work();
    return keys.sign(epoch, message, self);
  }

  async assemble(...[epoch, message, partials]: Parameters<ThresholdSigner['assemble']>) {
    const { keys, quorum, work } = this.#options;
    await work();
    const bad = partials
      .filter(({ index, signature }) => !keys.isShareOf(epoch, message, index, signature))
      .map(({ index }) => index);
    if (partials.length - bad.length < quorum) return { bad };
    return { signature: keys.signByGroup(message), bad };
  }
}
