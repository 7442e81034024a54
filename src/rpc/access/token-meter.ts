import type { Rate, RateState } from '../../async/gcra.js';
import { overloaded, quotasAway } from '../domain-errors.js';
import type { RpcError } from '../errors.js';
import type { AddressMeter } from './address-meter.js';
import type { CallLimits } from './call-limits.js';
import { type Meter, NO_HEADERS, type PricedMethod, REFUSAL_COST, rateHeaders } from './meter.js';
import { ENDED, paymentRequired, rateLimited } from './meter-errors.js';
import type { RateLeases } from './rate-leases.js';
import { LEASE_MS } from './shared-quota-store.js';
import type { TokenService } from './token-service.js';
import type { TokenSlot, TokenSlots } from './token-slots.js';
import type { VerifiedToken } from './tokens.js';
import type { TokenUsage } from './usage/usage-counter.js';

/** A thread refuses a token with a used-up balance for this long before it asks for units again. */
const EXHAUSTED_MS = 250;
/** Maximum number of refills for one call; other calls may spend the units first. */
const MAX_REFILLS = 100;

/** A token in use: its claims and its place in the shared memory. */
export interface TokenInUse extends TokenSlot {
  readonly token: VerifiedToken;
  readonly rate: Rate | undefined;
  readonly usage: TokenUsage;
  /** This thread's view of the token's limits of gas and time; undefined if it has none. */
  readonly calls?: CallLimits | undefined;
  /** This thread takes the balance as used up until `untilMs` of `performance.now()`; `left` units remain. */
  exhausted?: { readonly untilMs: number; readonly left: number };
  /** Until `untilMs` of `performance.now()`, the rate that the nodes share has no room for `price` units. */
  limited?: { readonly untilMs: number; readonly price: number };
  /** Rate units of work that no lease has covered yet; absent for none. The next calls of this thread pay for them. */
  owed?: number;
  refilling?: Promise<boolean> | undefined;
  leasing?: Promise<boolean> | undefined;
}

/** How a thread charges tokens whose balances and rates several nodes share. */
export interface SharedCharging {
  readonly leases: RateLeases;
  /** Behaviour while the quota store is away; see `--quota-fallback`. */
  readonly fallback: 'deny' | 'local';
}

export interface TokenCharging {
  readonly slots: TokenSlots;
  readonly service: TokenService;
  /** Undefined if the node has its own quota store. */
  readonly shared: SharedCharging | undefined;
}

export class TokenMeter implements Meter {
  readonly #slots: TokenSlots;
  readonly #service: TokenService;
  readonly #inUse: TokenInUse;
  readonly #address: () => AddressMeter | undefined;
  readonly #shared: SharedCharging | undefined;
  #latest: RateState | undefined;
  /** Where the charges of the rate went so far: to leases, or to this node's own bucket. */
  #chargedTo: 'nothing' | 'leases' | 'bucket' | 'both' = 'nothing';

  /** @param address the meter of the caller's address, to which refusals of a prepaid token without a rate are charged */
  constructor(
    { slots, service, shared }: TokenCharging,
    inUse: TokenInUse,
    address: () => AddressMeter | undefined,
  ) {
    this.#slots = slots;
    this.#service = service;
    this.#shared = shared;
    this.#inUse = inUse;
    this.#address = address;
  }

  get calls(): CallLimits | undefined {
    return this.#inUse.calls;
  }

  charge(method: PricedMethod): RpcError | 'wait' | undefined {
    return this.#charge(method, this.#shared?.leases.isAway === true);
  }

  /** @param isAway true if the quota store does not answer; the result is then never `wait` */
  #charge(method: PricedMethod, isAway: boolean): RpcError | 'wait' | undefined {
    const { cost: price } = method;
    const inUse = this.#inUse;
    // Since the request began, the token was revoked or lost its slot.
    if (!this.#slots.isCurrent(inUse)) return ENDED;
    const late = this.#chargeRate(price, isAway);
    if (late !== undefined) return late;
    if (inUse.token.units === undefined || this.#slots.spend(inUse, price)) {
      this.#slots.noteUse(inUse, price);
      inUse.usage.add(method, 1, price);
      return undefined;
    }
    this.#refundRate(price);
    if (isAway) return this.#refuseAway();
    const { exhausted } = inUse;
    if (exhausted === undefined || exhausted.untilMs < performance.now() || exhausted.left >= price)
      return 'wait';
    return this.chargeRefusal() ?? paymentRequired(price, exhausted.left);
  }

  async chargeLater(method: PricedMethod): Promise<RpcError | undefined> {
    for (let round = 0; round < MAX_REFILLS; round++) {
      const isAway = await this.#provide(method.cost);
      const outcome = this.#charge(method, isAway);
      if (outcome !== 'wait') return outcome;
    }
    return overloaded();
  }

  chargeWork(units: number, method: PricedMethod): void {
    const inUse = this.#inUse;
    if (!this.#slots.isCurrent(inUse)) return;
    const { rate, token } = inUse;
    if (rate !== undefined) {
      if (this.#shared === undefined || this.#shared.leases.isAway) {
        this.#latest = this.#slots.chargeWork(inUse, units, rate);
      } else if (!this.#shared.leases.spend(inUse, units)) {
        inUse.owed = (inUse.owed ?? 0) + units;
      }
    }
    if (token.units !== undefined) this.#slots.add(inUse, -units);
    this.#slots.noteUse(inUse, units);
    inUse.usage.add(method, 0, units);
  }

  refund(method: PricedMethod): void {
    const { cost: price } = method;
    const inUse = this.#inUse;
    if (!this.#slots.isCurrent(inUse)) return;
    this.#refundRate(price);
    if (inUse.token.units !== undefined) this.#slots.add(inUse, price);
    inUse.usage.add(method, -1, -price);
  }

  chargeRefusal(): RpcError | undefined {
    const inUse = this.#inUse;
    if (!this.#slots.isCurrent(inUse)) return ENDED;
    // Refusals count on this node alone: a refusal that waited for a lease would cost more than it is worth.
    if (inUse.rate !== undefined) return this.#chargeLocalRate(REFUSAL_COST, inUse.rate);
    return inUse.token.units === undefined ? undefined : this.#address()?.chargeRefusal();
  }

  headers(): ReturnType<Meter['headers']> {
    const { rate } = this.#inUse;
    if (rate === undefined) return NO_HEADERS;
    const state = this.#latest ?? this.#slots.chargeRate(this.#inUse, 0, rate);
    return rateHeaders('token', rate, { ...state, remaining: this.#remaining(state, rate) });
  }

  /** Units that a call may use now: of a shared rate, those on hand and those that the store can still lease. */
  #remaining({ remaining }: RateState, { perSecond }: Rate): number {
    const shared = this.#shared;
    if (shared === undefined || shared.leases.isAway) return remaining;
    const keptBack = Math.ceil((perSecond * LEASE_MS) / 1_000);
    return Math.max(0, remaining - keptBack) + shared.leases.unitsOf(this.#inUse);
  }

  #chargeRate(price: number, isAway: boolean): RpcError | 'wait' | undefined {
    const { rate } = this.#inUse;
    if (rate === undefined) return undefined;
    const shared = this.#shared;
    if (shared !== undefined) {
      const due = this.#due(price);
      if (shared.leases.spend(this.#inUse, due)) {
        this.#inUse.owed = (this.#inUse.owed ?? 0) + price - due;
        this.#noteCharge('leases');
        return undefined;
      }
      if (!isAway) return this.#limit(due) ?? 'wait';
      if (shared.fallback === 'deny') return this.#refuseAway();
    }
    this.#noteCharge('bucket');
    return this.#chargeLocalRate(price, rate);
  }

  /** Rate units that a call has to lease: its price, and as much of the work that is owed as a full bucket holds. */
  #due(price: number): number {
    const { owed = 0, rate } = this.#inUse;
    return price + Math.min(owed, Math.max(0, (rate?.burst ?? 0) - price));
  }

  #noteCharge(to: 'leases' | 'bucket'): void {
    if (this.#chargedTo !== to) this.#chargedTo = this.#chargedTo === 'nothing' ? to : 'both';
  }

  #chargeLocalRate(price: number, rate: Rate): RpcError | undefined {
    this.#latest = this.#slots.chargeRate(this.#inUse, price, rate);
    return this.#latest.isAllowed ? undefined : rateLimited(this.#latest.retryMs);
  }

  #refundRate(price: number): void {
    const { rate } = this.#inUse;
    if (rate === undefined) return;
    if (this.#chargedTo === 'leases') this.#shared?.leases.refund(this.#inUse, price);
    // If the store was lost meanwhile, nobody knows where the charge went; the rate recovers by itself.
    else if (this.#chargedTo === 'bucket') this.#slots.refundRate(this.#inUse, price, rate);
  }

  /** The refusal of a call that the shared rate has no room for yet, as far as this thread knows. */
  #limit(price: number): RpcError | undefined {
    const { limited } = this.#inUse;
    if (limited === undefined || price < limited.price) return undefined;
    const ms = limited.untilMs - performance.now();
    return ms > 0 ? rateLimited(Math.ceil(ms)) : undefined;
  }

  #refuseAway(): RpcError {
    this.#shared?.leases.countRefusal();
    return quotasAway();
  }

  /**
   * Asks for what too little is on hand of; calls that wait for the same token share the requests.
   * @returns true if the quota store does not answer
   */
  async #provide(price: number): Promise<boolean> {
    const inUse = this.#inUse;
    const requests: Promise<boolean>[] = [];
    if (inUse.token.units !== undefined && this.#slots.unitsOf(inUse) < price) {
      inUse.refilling ??= this.#refill(price).finally(() => {
        inUse.refilling = undefined;
      });
      requests.push(inUse.refilling);
    }
    if (inUse.rate !== undefined && this.#shared !== undefined) {
      const due = this.#due(price);
      if (this.#shared.leases.unitsOf(inUse) < due) {
        inUse.leasing ??= this.#lease(due).finally(() => {
          inUse.leasing = undefined;
        });
        requests.push(inUse.leasing);
      }
    }
    return (await Promise.all(requests)).includes(true);
  }

  async #refill(price: number): Promise<boolean> {
    const { isExhausted, left, isAway } = await this.#service.refill(this.#inUse.token.id, price);
    if (isExhausted) this.#inUse.exhausted = { untilMs: performance.now() + EXHAUSTED_MS, left };
    return isAway === true;
  }

  async #lease(price: number): Promise<boolean> {
    const { price: asked, retryMs, isAway } = await this.#service.lease(this.#inUse.token.id, price);
    if (retryMs > 0) this.#inUse.limited = { untilMs: performance.now() + retryMs, price: asked };
    return isAway === true;
  }
}
