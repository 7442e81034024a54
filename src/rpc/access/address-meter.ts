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

type Price = Pick<PricedMethod, 'cost' | 'tier'>;

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

  charge({ cost, tier }: Price): RpcError | undefined {
    const policy = policyOf(tier);
    const rate = this.#limits[policy];
    if (rate === undefined) return undefined;
    const state = this.#rates.charge(`${policy} ${this.#client}`, cost, rate);
    this.#latest = [policy, rate, state];
    return state.isAllowed ? undefined : rateLimited(state.retryMs);
  }

  chargeLater(method: PricedMethod): Promise<RpcError | undefined> {
    return Promise.resolve(this.charge(method));
  }

  chargeWork(units: number, { tier }: PricedMethod): void {
    const policy = policyOf(tier);
    const rate = this.#limits[policy];
    if (rate === undefined) return;
    this.#latest = [policy, rate, this.#rates.chargeWork(`${policy} ${this.#client}`, units, rate)];
  }

  refund({ cost, tier }: Price): void {
    const policy = policyOf(tier);
    const rate = this.#limits[policy];
    if (rate !== undefined) this.#rates.refund(`${policy} ${this.#client}`, cost, rate);
  }

  chargeRefusal(): RpcError | undefined {
    return this.charge(this.#priceOf(REFUSAL_COST));
  }

  /** Refunds the last {@link chargeRefusal}, of work that was not refused. */
  refundRefusal(): void {
    this.refund(this.#priceOf(REFUSAL_COST));
  }

  headers(): ReturnType<Meter['headers']> {
    if (this.#latest === undefined) this.charge(this.#priceOf(0));
    return this.#latest === undefined ? NO_HEADERS : rateHeaders(...this.#latest);
  }

  /** A price at a tier with a rate, if there is one. */
  #priceOf(cost: number): Price {
    return { cost, tier: this.#limits.public === undefined ? 'paid' : 'public' };
  }
}

function policyOf(tier: Tier): 'public' | 'paid' {
  return tier === 'public' ? 'public' : 'paid';
}
