import { cached } from './cached.js';
import { ClientError } from './client-error.js';
import type { ReadClient } from './read-client.js';

/** Current fees of the chain, cached for a short time. */
export interface Fees {
  /** Base fee of the next block, per unit of gas. */
  readonly baseFee: bigint;
  /** Minimum max_fee accepted by the pool. */
  readonly minFee: bigint;
}

/** Lifetime of cached fees, in milliseconds: a base fee moves by at most an eighth per block. */
const FEES_MS = 1_000;

/** The supported sealing scheme. */
const SEALING_SCHEME = 'bls12381-ibe-1';

/** Default distance from the next height to an envelope's opening, before adding one per possibly faulty leader. */
const USUAL_OPENS_AHEAD = 8n;

export class ChainInfo {
  readonly #client: ReadClient;
  /** The chain id, cached. */
  readonly chainId = cached(async () => (await this.#client.status()).chain_id);
  /**
   * The group key reported by the node, 48 bytes. It never changes, so it is cached.
   * @throws ClientError `bad_answer` if the node uses another sealing scheme
   */
  readonly groupKey = cached(async () => {
    const { scheme, public_key } = await this.#client.get_epoch_key();
    if (scheme === SEALING_SCHEME) return public_key;
    throw new ClientError('bad_answer', `the node uses the unsupported sealing scheme ${scheme}`);
  });
  #fees: { readonly value: Promise<Fees>; readonly askedMs: number } | undefined;

  constructor(client: ReadClient) {
    this.#client = client;
  }

  /**
   * The default opening height: the next height + f + 8, with f the maximum number of faulty validators.
   * @param known next height named by a rejection; used if higher than the node's
   */
  async defaultOpeningHeight(known = 0n): Promise<bigint> {
    const { tip, validator_set: set } = await this.#client.status();
    const faults = BigInt(Math.floor((set.validators.length - 1) / 3));
    const next = tip.height + 1n;
    return (known > next ? known : next) + (faults > 0n ? faults : 0n) + USUAL_OPENS_AHEAD;
  }

  /** Current fees, at most one second old. */
  fees(): Promise<Fees> {
    const nowMs = Date.now();
    if (this.#fees === undefined || nowMs - this.#fees.askedMs > FEES_MS) {
      const value = this.#client
        .txpool_stats()
        .then((stats) => ({ baseFee: stats.base_fee, minFee: stats.min_fee }));
      const asked = { value, askedMs: nowMs };
      this.#fees = asked;
      value.catch(() => {
        if (this.#fees === asked) this.#fees = undefined;
      });
    }
    return this.#fees.value;
  }

  /** Drops the cached fees after the node has rejected them. */
  invalidateFees(): void {
    this.#fees = undefined;
  }
}
