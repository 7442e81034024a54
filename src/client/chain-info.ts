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

/** The default max_seal_fee allows for this many blocks that each raise the price. */
const MAX_RISES = 16n;

/** Default distance from the next height to an envelope's opening, before adding one per possibly faulty leader. */
const USUAL_OPENS_AHEAD = 8n;

/** An opening height for an envelope, and the highest price expected for one of its slots until then. */
export interface OpeningPlace {
  readonly opensAt: bigint;
  readonly maxSlotPrice: bigint;
}

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
  /** The gas limit of every block, cached. */
  readonly gasLimit = cached(async () => {
    const { blocks } = await this.#client.list_blocks({ limit: 1 });
    const [block] = blocks;
    if (block !== undefined) return block.gas_limit;
    throw new ClientError('bad_answer', 'the node lists no block, although every chain has one');
  });
  #fees: { readonly value: Promise<Fees>; readonly askedMs: number } | undefined;

  constructor(client: ReadClient) {
    this.#client = client;
  }

  /**
   * Chooses the opening height of an envelope: by default the first one with enough free slots from the next height + f
   * + 8 on, with f the maximum number of faulty validators. If all heights that the node lists are full, it is the one
   * after them.
   * @param slots number of slots that the envelope reserves
   * @param opensAt the height, if it is already chosen
   * @param known next height named by a rejection; used if higher than the node's
   */
  async openingPlace(slots: number, opensAt: bigint | undefined, known = 0n): Promise<OpeningPlace> {
    const [{ tip, validator_set: set }, key] = await Promise.all([
      this.#client.status(),
      this.#client.get_epoch_key(),
    ]);
    const { next_open_height: first, free_slots: free, slot_price: price } = key;
    const faults = BigInt(Math.floor((set.validators.length - 1) / 3));
    const next = tip.height + 1n > known ? tip.height + 1n : known;
    const soonest = next + (faults > 0n ? faults : 0n) + USUAL_OPENS_AHEAD;
    let height = opensAt ?? soonest;
    if (opensAt === undefined) {
      const hasRoom = (at: bigint) => (free[Number(at - first)] ?? slots) >= slots;
      while (!hasRoom(height)) height += 1n;
    }
    return { opensAt: height, maxSlotPrice: risenPrice(price, height - next) };
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

/** The price after blocks that each raise both its factors by an eighth, doubled because small prices move in steps. */
function risenPrice(price: bigint, blocks: bigint): bigint {
  const rises = blocks < MAX_RISES ? blocks : MAX_RISES;
  let risen = 2n * price;
  for (let block = 0n; block < rises; block++) risen = (risen * 81n + 63n) / 64n;
  return risen;
}
