import { sealIdentity } from '../crypto/sealing/seal-identity.js';
import type { ExecutionPool } from '../execution/pool/execution-pool.js';
import type { SealKey } from '../generated/ledger.js';
import { keyFinder, type SealKeyParts, type SealKeys } from './seal-keys.js';

/** Seal keys of a chain with one validator, which holds the whole group key and signs each seal key on demand. */
export class ValidatorSealKeys implements SealKeys {
  readonly #chainId: bigint;
  readonly #privateKey: Uint8Array;
  readonly #workers: Pick<ExecutionPool, 'run'>;

  /** @param privateKey the group's private key, 32 bytes */
  constructor(chainId: bigint, privateKey: Uint8Array, workers: Pick<ExecutionPool, 'run'>) {
    this.#chainId = chainId;
    this.#privateKey = privateKey;
    this.#workers = workers;
  }

  committed(): void {
    // Keys are signed on demand.
  }

  /** @throws ExecutionError if no worker could sign */
  async forProposal(due: readonly bigint[]): Promise<SealKeyParts> {
    return keyFinder(await this.#keysOf(due));
  }

  async #keysOf(heights: readonly bigint[]): Promise<SealKey[]> {
    if (heights.length === 0) return [];
    const messages = heights.map((height) => sealIdentity(this.#chainId, height));
    const { signatures } = await this.#workers.run('sign_bls', { privateKey: this.#privateKey, messages });
    return heights.flatMap((height, at) => {
      const signature = signatures[at];
      return signature === undefined ? [] : [{ height, signature }];
    });
  }
}
