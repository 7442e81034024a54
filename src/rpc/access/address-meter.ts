import type { Rate, RateState } from '../../async/gcra.js';
import type { Tier } from '../../idl/manifest.js';
import type { RpcError } from '../errors.js';
import type { AddressRates } from './address-rates.js';
import { type Meter, NO_HEADERS, type PricedMethod, REFUSAL_COST, rateHeaders } from './meter.js';
import { rateLimited } from './meter-errors.js';

/** The rates of a caller without a token, by the tier of the method; undefined for no limit. */
export interface AddressRateLimits {
  readonly public: Rate | undefined;
  readonly paid: Rate | undefined;
}

/** Charges calls to the rates of a client address. */
export class AddressMeter implements Meter {
  readonly #rates: AddressRates;
  readonly #limits: AddressRateLimits;
  readonly #client: string;
  #latest: readonly [policy: string, rate: Rate, state: RateState] | undefined;

  /** @param client see `clientOfAddress` */
  constructor(rates: AddressRates, limits: AddressRateLimits, client: string) {
    this.#rates = rates;
    this.#limits = limits;
    this.#client = client;
  }

  charge({ cost, tier }: PricedMethod): RpcError | undefined {
    return this.#charge(cost, tier);
  }

  chargeLater(method: PricedMethod): Promise<RpcError | undefined> {
    return Promise.resolve(this.charge(method));
  }

  chargeWork(units: number, { tier }: PricedMethod): void {
    const policy = tier === 'public' ? 'public' : 'paid';
    const rate = this.#limits[policy];
    if (rate === undefined) return;
    this.#latest = [policy, rate, this.#rates.chargeWork(`${policy} ${this.#client}`, units, rate)];
  }

  refund({ cost, tier }: PricedMethod): void {
    this.#refund(cost, tier);
  }

  chargeRefusal(): RpcError | undefined {
    return this.#charge(REFUSAL_COST, this.#anyTier);
  }

  /** Refunds the last {@link chargeRefusal}, of work that was not refused. */
  refundRefusal(): void {
    this.#refund(REFUSAL_COST, this.#anyTier);
  }

  headers(): ReturnType<Meter['headers']> {
    if (this.#latest === undefined) this.#charge(0, this.#anyTier);
    return this.#latest === undefined ? NO_HEADERS : rateHeaders(...this.#latest);
  }

  #charge(price: number, tier: Tier): RpcError | undefined {
    const policy = tier === 'public' ? 'public' : 'paid';
    const rate = this.#limits[policy];
    if (rate === undefined) return undefined;
    const state = this.#rates.charge(`${policy} ${this.#client}`, price, rate);
    this.#latest = [policy, rate, state];
    return state.isAllowed ? undefined : rateLimited(state.retryMs);
  }

  #refund(price: number, tier: Tier): void {
    const policy = tier === 'public' ? 'public' : 'paid';
    const rate = this.#limits[policy];
    if (rate !== undefined) this.#rates.refund(`${policy} ${this.#client}`, price, rate);
  }

  /** A tier with a rate, if there is one. */
  get #anyTier(): Tier {
    return this.#limits.public === undefined ? 'paid' : 'public';
  }
}
