import { sealIdentity } from '../crypto/sealing/seal-identity.js';
import type { ExecutionPool } from '../execution/pool/execution-pool.js';
import type { SealKey } from '../generated/ledger.js';
import { MAX_SEAL_KEYS } from '../ledger/constants.js';
import { keyFinder, type SealKeyParts, type SealKeys, type UnopenedHeights } from './seal-keys.js';

/** The keys of a chain with one validator, who holds the group key alone: each is made when a block is to begin with it. */
export class ValidatorSealKeys implements SealKeys {
  readonly #chainId: bigint;
  readonly #privateKey: Uint8Array;
  readonly #workers: Pick<ExecutionPool, 'run'>;
  readonly #chain: UnopenedHeights;

  /** @param privateKey of the group key, 32 bytes */
  constructor(
    chainId: bigint,
    privateKey: Uint8Array,
    workers: Pick<ExecutionPool, 'run'>,
    chain: UnopenedHeights,
  ) {
    this.#chainId = chainId;
    this.#privateKey = privateKey;
    this.#workers = workers;
    this.#chain = chain;
  }

  committed(): void {
    // Each is made when it is asked for.
  }

  /** Every block that one validator builds on is final at its place. @throws ExecutionError where no worker could sign */
  async forProposal(parentHeight: bigint): Promise<SealKeyParts> {
    const due = this.#chain.unopenedHeights().filter((height) => height <= parentHeight);
    return keyFinder(await this.#keysOf(due.slice(0, MAX_SEAL_KEYS)));
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
