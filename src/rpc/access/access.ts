import { LRUCache } from 'lru-cache';
import type { ChargedClient } from '../../async/caller.js';
import { monotonicNs, type Rate } from '../../async/gcra.js';
import { isSlot, SlotPool } from '../../async/slot-pool.js';
import type { Tier } from '../../idl/manifest.js';
import { overloaded } from '../domain-errors.js';
import { RpcError } from '../errors.js';
import { AddressMeter, type AddressRateLimits } from './address-meter.js';
import { AddressRates } from './address-rates.js';
import { AddressReporter, type SharedAddresses } from './address-reporter.js';
import { CallLimits, type NodeCallLimits } from './call-limits.js';
import type { Meter } from './meter.js';
import { baseTier, covers, type PaidAccess } from './paid-access.js';
import { RateLeases } from './rate-leases.js';
import { sharedRate } from './shared-quota-store.js';
import { type TokenCharging, type TokenInUse, TokenMeter } from './token-meter.js';
import type { TokenService } from './token-service.js';
import { openTokens, type TokenFileOptions } from './token-setup.js';
import { TokenSlots } from './token-slots.js';
import type { Tokens, VerifiedToken } from './tokens.js';
import { UsageCounter, type UsageReports } from './usage/usage-counter.js';

/** The access rights of a request. */
export interface AccessRights {
  readonly tier: Tier;
  /** `sub` of the token, if any. */
  readonly subject?: string;
  /** True if the request carries a valid token. */
  readonly authenticated: boolean;
  readonly token?: TokenInUse;
  /** The token that the calls are charged to; undefined without a token, or if it has no limits. */
  readonly charged?: TokenInUse;
}

const MAX_CACHED_TOKENS = 1_024;
const MAX_CHECKS = 256;
/** A thread caches the refusal of a revoked token for this long. */
const REFUSED_MS = 250;

/** Memory that the threads of a node share for rate limits and tokens. */
export interface AccessMemory {
  readonly addresses: SharedArrayBuffer;
  readonly tokens: SharedArrayBuffer;
  readonly leases: SharedArrayBuffer;
}

export function accessMemory(): AccessMemory {
  return { addresses: AddressRates.memory(), tokens: TokenSlots.memory(), leases: RateLeases.memory() };
}

export interface AccessRules extends NodeCallLimits {
  readonly paidAccess: PaidAccess;
  readonly addressRates: AddressRateLimits;
  /** Files with public keys of services that issue tokens; see {@link IssuerKeys}. */
  readonly issuerKeyFiles: readonly string[];
  /** Cost of the most expensive method, in compute units: the burst of a token's rate covers at least one such call. */
  readonly maxCost: number;
  /** Behaviour while the store of balances and rates is away; absent if the node shares none. */
  readonly sharedFallback?: 'deny' | 'local' | undefined;
}

export interface AccessOptions extends TokenFileOptions {
  readonly rules: AccessRules;
  readonly memory: AccessMemory;
  readonly service: TokenService;
  readonly usage: UsageReports;
  /** Present if several nodes may share the rates of addresses. */
  readonly sharedAddresses?: SharedAddresses | undefined;
}

/**
 * Access control of one thread. A token grants its tier and pays for its calls. A caller without a token has the base
 * tier of the paid access mode and is charged by address. An invalid token is refused for every method, because its
 * sender relies on it.
 */
export class Access {
  readonly #tokens: Tokens;
  readonly #rules: AccessRules;
  /** Undefined if addresses have no rates. */
  readonly #rates: AddressRates | undefined;
  readonly #usage: UsageCounter;
  readonly #charging: TokenCharging;
  readonly #anonymous: AccessRights;
  readonly #now: () => number;
  /** Valid tokens by their text, so that a token is verified once and not on every call. */
  readonly #cache = new LRUCache<string, AccessRights>({ max: MAX_CACHED_TOKENS });
  /** Refusals of tokens with a valid signature. */
  readonly #refused = new LRUCache<string, RpcError>({ max: MAX_CACHED_TOKENS, ttl: REFUSED_MS });
  readonly #checks = new SlotPool();

  private constructor(options: AccessOptions, tokens: Tokens) {
    const { rules, memory, service, usage, sharedAddresses, now = Date.now } = options;
    this.#tokens = tokens;
    this.#rules = rules;
    this.#usage = new UsageCounter(usage, now);
    const { sharedFallback: fallback } = rules;
    this.#charging = {
      slots: new TokenSlots(memory.tokens),
      service,
      shared: fallback === undefined ? undefined : { leases: new RateLeases(memory.leases), fallback },
    };
    this.#now = now;
    this.#anonymous = { tier: baseTier(rules.paidAccess), authenticated: false };
    if (rules.addressRates.public === undefined && rules.addressRates.paid === undefined) return;
    const shared = fallback === undefined ? undefined : sharedAddresses;
    const uses = shared && new AddressReporter(shared).uses;
    this.#rates = new AddressRates(memory.addresses, monotonicNs, uses);
  }

  /** Reads the token files, which {@link createTokenFiles} has created. @throws AccessError */
  static async open(options: AccessOptions): Promise<Access> {
    return new Access(options, await openTokens(options, options.rules.issuerKeyFiles));
  }

  /**
   * Identifies the caller of a request, synchronously without a token or with one seen before.
   * @param authorization the header's value, or the empty string
   * @param client the sender; clients share the checks of tokens fairly
   * @param address see `clientOfAddress`; refusals, and checks until they succeed, are charged to it
   * @throws RpcError unauthorized, rate_limited or overloaded, through the promise
   */
  identify(
    authorization: string,
    client: ChargedClient,
    address: () => string,
  ): AccessRights | Promise<AccessRights> {
    if (authorization === '') return this.#anonymous;
    const token = bearerToken(authorization);
    if (token === undefined) {
      return Promise.reject(this.addressMeter(address)?.chargeRefusal() ?? NOT_BEARER);
    }
    const cached = this.#cache.get(token);
    if (cached !== undefined) {
      if (this.isCurrent(cached)) return cached;
      this.#cache.delete(token);
    }
    return this.#checkCharged(token, client, this.addressMeter(address));
  }

  /**
   * Identifies the sender of a token that was valid before, without charge: an address whose rate is used up must not
   * delay the end of what the token pays for.
   * @throws RpcError unauthorized or overloaded, through the promise
   */
  identifyAgain(authorization: string, client: ChargedClient): AccessRights | Promise<AccessRights> {
    const token = bearerToken(authorization);
    if (token === undefined) return this.#anonymous;
    const cached = this.#cache.get(token);
    return cached !== undefined && this.isCurrent(cached) ? cached : this.#check(token, client);
  }

  /** False once a caller's token may be invalid: it has expired, was revoked, or must be identified again. */
  isCurrent({ token }: AccessRights): boolean {
    return (
      token === undefined || (token.token.expiresAtMs > this.#now() && this.#charging.slots.isCurrent(token))
    );
  }

  /** The meter for the calls of one request; undefined if they are free. @param client see `clientOfAddress` */
  meterFor({ charged }: AccessRights, client: () => string): Meter | undefined {
    if (charged === undefined) return this.addressMeter(client);
    return new TokenMeter(this.#charging, charged, () => this.addressMeter(client));
  }

  addressMeter(client: () => string): AddressMeter | undefined {
    return this.#rates && new AddressMeter(this.#rates, this.#rules.addressRates, client());
  }

  /** Reports the usage of tokens that is not reported yet. Call it once no calls are left. */
  close(): Promise<void> {
    return this.#usage.flush();
  }

  /** Charges the check of a token before it begins, because it costs much more than an answer. */
  async #checkCharged(
    token: string,
    client: ChargedClient,
    meter: AddressMeter | undefined,
  ): Promise<AccessRights> {
    const late = meter?.chargeRefusal();
    if (late !== undefined) throw late;
    try {
      const caller = await this.#check(token, client);
      meter?.refundRefusal();
      return caller;
    } catch (error) {
      if (!(error instanceof RpcError && error.kind === 'unauthorized')) meter?.refundRefusal();
      throw error;
    }
  }

  async #check(token: string, client: ChargedClient): Promise<AccessRights> {
    const refusal = this.#refused.get(token);
    if (refusal !== undefined) throw refusal;
    const check = this.#checks.tryAcquire(MAX_CHECKS, client);
    if (!isSlot(check)) throw overloaded();
    try {
      return await this.#open(token, await this.#tokens.verify(token));
    } finally {
      this.#checks.release(check);
    }
  }

  async #open(text: string, token: VerifiedToken): Promise<AccessRights> {
    try {
      const { subject, rate } = token;
      const { service, slots } = this.#charging;
      const slot = await service.open(token);
      const calls = CallLimits.of(token, slot, slots, this.#rules);
      const inUse: TokenInUse = {
        ...slot,
        calls,
        token,
        rate: rate === undefined ? undefined : this.#rateOf(rate),
        usage: this.#usage.of(token),
      };
      // A public token must not grant less than no token.
      const base = this.#anonymous.tier;
      const tier = covers(token.tier, base) ? token.tier : base;
      const isLimited = rate !== undefined || token.units !== undefined || calls !== undefined;
      // A public token without limits does not lift the limits of its address.
      const isCharged = isLimited || token.tier !== 'public';
      const charged = isCharged ? { charged: inUse } : {};
      const caller = { tier, subject, authenticated: true, token: inUse, ...charged };
      this.#cache.set(text, caller);
      return caller;
    } catch (error) {
      if (error instanceof RpcError && error.kind === 'unauthorized') this.#refused.set(text, error);
      throw error;
    }
  }

  #rateOf(perSecond: number): Rate {
    const { maxCost } = this.#rules;
    return this.#charging.shared === undefined
      ? { perSecond, burst: Math.max(perSecond, maxCost) }
      : sharedRate(perSecond, maxCost);
  }
}

const NOT_BEARER = new RpcError('unauthorized', 'the Authorization header is not "Bearer <token>"', {});

/** The token of an Authorization header; undefined for a header of another form. */
function bearerToken(authorization: string): string | undefined {
  return /^Bearer +([A-Za-z0-9\-._~+/]+=*) *$/i.exec(authorization)?.[1];
}
