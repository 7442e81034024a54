import { nextBaseFee } from '../ledger/fees.js';
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

/** The default opening height is one of this many heights with room. */
const USUAL_CHOICES = 16;

/** An opening height for an envelope, and the highest price expected for one of its slots until then. */
export interface OpeningPlace {
  readonly opensAt: bigint;
  readonly maxSlotPrice: bigint;
}

type Source = Pick<ReadClient, 'status' | 'get_epoch_key' | 'list_blocks' | 'txpool_stats'>;

export class ChainInfo {
  readonly #client: Source;
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
    const [block] = (await this.#client.list_blocks({ limit: 1 })).blocks;
    if (block !== undefined) return block.gas_limit;
    throw new ClientError('bad_answer', 'the node lists no block, although every chain has one');
  });
  #fees: { readonly value: () => Promise<Fees>; readonly askedMs: number } | undefined;
  readonly #random: () => number;

  /** @param random numbers from 0 to below 1, for the choice of opening heights */
  constructor(client: Source, random: () => number = Math.random) {
    this.#client = client;
    this.#random = random;
  }

  /**
   * Chooses the opening height of an envelope: by default one of the first 16 with enough free slots from the next
   * height + f + 8 on, with f the maximum number of faulty validators. Heights after those that the node lists count as
   * free. The choice is random, because clients that all took the first one would contend for its slots, and those left
   * out become readable with its key.
   * @param slots number of slots that the envelope reserves
   * @param opensAt the height, if it is already chosen
   * @param below chooses only among lower heights
   * @returns undefined if no height below `below` is left
   */
  async openingPlace(
    slots: number,
    opensAt: bigint | undefined,
    below?: bigint,
  ): Promise<OpeningPlace | undefined> {
    const [{ tip, validator_set: set }, key, { baseFee }] = await Promise.all([
      this.#client.status(),
      this.#client.get_epoch_key(),
      this.fees(),
    ]);
    const { next_open_height: first, free_slots: free, slot_price: price } = key;
    const faults = BigInt(Math.floor((set.validators.length - 1) / 3));
    const next = tip.height + 1n;
    const soonest = next + (faults > 0n ? faults : 0n) + USUAL_OPENS_AHEAD;
    const hasRoom = (at: bigint) => (free[Number(at - first)] ?? slots) >= slots;
    const height = opensAt ?? this.#oneOf(soonest, below, hasRoom);
    if (height === undefined) return undefined;
    return { opensAt: height, maxSlotPrice: risenPrice(price, baseFee, height - next) };
  }

  /** One of the first heights from `soonest` on that have room. */
  #oneOf(
    soonest: bigint,
    below: bigint | undefined,
    hasRoom: (height: bigint) => boolean,
  ): bigint | undefined {
    const choices: bigint[] = [];
    for (let at = soonest; choices.length < USUAL_CHOICES && (below === undefined || at < below); at += 1n) {
      if (hasRoom(at)) choices.push(at);
    }
    return choices[Math.floor(this.#random() * choices.length)];
  }

  /** Current fees, at most one second old. */
  fees(): Promise<Fees> {
    const nowMs = Date.now();
    if (this.#fees === undefined || nowMs - this.#fees.askedMs > FEES_MS) {
      const ask = async () => {
        const { base_fee: baseFee, min_fee: minFee } = await this.#client.txpool_stats();
        return { baseFee, minFee };
      };
      this.#fees = { value: cached(ask), askedMs: nowMs };
    }
    return this.#fees.value();
  }

  /** Drops the cached fees after the node has rejected them. */
  invalidateFees(): void {
    this.#fees = undefined;
  }
}

/** Gas of a full block, in any unit. */
const FULL = { gas_used: 2n, gas_limit: 2n };

/**
 * The price after full blocks. Each raises the base fee, below 8 by a whole unit, and the exponential by an eighth. The
 * result is doubled, because the exponential moves in whole multiples.
 */
function risenPrice(price: bigint, baseFee: bigint, blocks: bigint): bigint {
  const rises = blocks < MAX_RISES ? blocks : MAX_RISES;
  const before = baseFee < 1n ? 1n : baseFee;
  let risenFee = before;
  let risen = 2n * price;
  for (let block = 0n; block < rises; block++) {
    risenFee = nextBaseFee({ base_fee: risenFee, ...FULL });
    risen = (risen * 9n + 7n) / 8n;
  }
  return (risen * risenFee + before - 1n) / before;
}
