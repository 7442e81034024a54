import { ClientError } from './client-error.js';
import type { ReadClient } from './read-client.js';

/** What a sender has to know of the chain besides its nonces; asked for once and then remembered for a while. */
export interface Fees {
  /** Of the next block, per unit of gas. */
  readonly baseFee: bigint;
  /** The least max_fee that the pool takes. */
  readonly minFee: bigint;
}

/** How long fees are good for, in milliseconds: a base fee moves by at most an eighth a block. */
const FEES_MS = 1_000;

/** How transactions are sealed here. */
const SEALING_SCHEME = 'bls12381-ibe-1';

/** Heights by which an envelope opens later than the next block's, beside one for every leader that may fail. */
const USUAL_OPENS_AHEAD = 8n;

export class ChainInfo {
  readonly #client: ReadClient;
  #chainId: Promise<bigint> | undefined;
  #groupKey: Promise<Uint8Array> | undefined;
  #fees: { readonly value: Promise<Fees>; readonly askedMs: number } | undefined;

  constructor(client: ReadClient) {
    this.#client = client;
  }

  /** The chain's id. A failed question is asked again by the next caller. */
  chainId(): Promise<bigint> {
    if (this.#chainId === undefined) {
      const asked = this.#client.status().then((status) => status.chain_id);
      this.#chainId = asked;
      asked.catch(() => {
        this.#chainId = undefined;
      });
    }
    return this.#chainId;
  }

  /**
   * The group key, 48 bytes, as the node says: it never changes. A failed question is asked again by the next caller.
   * @throws ClientError `bad_answer` where the node seals by another scheme
   */
  groupKey(): Promise<Uint8Array> {
    if (this.#groupKey === undefined) {
      const asked = this.#client.get_epoch_key().then(({ scheme, public_key }) => {
        if (scheme === SEALING_SCHEME) return public_key;
        throw new ClientError(
          'bad_answer',
          `the node seals by the scheme ${scheme}, which is not known here`,
        );
      });
      this.#groupKey = asked;
      asked.catch(() => {
        this.#groupKey = undefined;
      });
    }
    return this.#groupKey;
  }

  /**
   * The height that is sealed to unless another is given: the next one + f + 8, for f validators that may fail.
   * @param known a next height that a refusal has named; the node's own counts where it is higher
   */
  async defaultOpeningHeight(known = 0n): Promise<bigint> {
    const { tip, validator_set: set } = await this.#client.status();
    const faults = BigInt(Math.floor((set.validators.length - 1) / 3));
    const next = tip.height + 1n;
    return (known > next ? known : next) + (faults > 0n ? faults : 0n) + USUAL_OPENS_AHEAD;
  }

  /** The fees that hold now, or did up to a second ago. */
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

  /** The remembered fees were refused: ask again. */
  invalidateFees(): void {
    this.#fees = undefined;
  }
}
