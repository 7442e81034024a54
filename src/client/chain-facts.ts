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

export class ChainFacts {
  readonly #client: ReadClient;
  #chainId: Promise<bigint> | undefined;
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
  forgetFees(): void {
    this.#fees = undefined;
  }
}
