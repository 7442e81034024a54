import { LRUCache } from 'lru-cache';
import { atMost } from '../../async/at-most.js';
import { overloaded } from '../domain-errors.js';
import type { FleetQuotas } from './fleet-quotas.js';
import {
  KEEP_EXPIRED_MS,
  QuotaError,
  type QuotaStore,
  type TokenRecord,
  unknownToken,
} from './quota-store.js';
import { STOP_MS } from './shared-quota-store.js';
import { SlotAllocator } from './slot-allocator.js';
import type { LeaseOutcome, Refill, TokenAdmin, TokenService } from './token-service.js';
import type { SlotLevels, TokenSlot, TokenSlots } from './token-slots.js';
import { type IssuedToken, refused, type TokenClaims, type VerifiedToken } from './tokens.js';

/** Interval for adapting the units on hand to recent use. */
const TICK_MS = 250;
/** A refill raises the units on hand to at least this number, if the balance allows. */
const MIN_UNITS_ON_HAND = 256;
/** A token's units on hand cover this many intervals of its recent use. */
const INTERVALS_ON_HAND = 2;
/** After this many intervals without use, a token's units go back to the store. */
const IDLE_INTERVALS = 4;
/** Maximum number of tokens without a slot whose levels are kept, some 200 bytes each. */
const MAX_LEVELS = 65_536;
const MAX_UNITS_ON_HAND = 1_000_000_000;

interface ActiveToken extends TokenSlot {
  readonly token: VerifiedToken;
  /** Use in recent intervals, in units per interval. */
  recent: number;
  idleIntervals: number;
  lastUse: number;
  refilling: Promise<void> | undefined;
  leasing: Promise<LeaseOutcome> | undefined;
}

export interface TokenManagerOptions {
  readonly store: QuotaStore;
  readonly slots: TokenSlots;
  /** Present if several nodes share the store. */
  readonly fleet?: FleetQuotas | undefined;
  readonly sign: (claims: TokenClaims) => Promise<IssuedToken>;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** Called with errors of the store that no caller sees. */
  readonly onFault: (error: unknown, where: string) => void;
  /** Called when the manager closes and a shared store does not take back the units of some tokens. */
  readonly onUnreturned?: ((tokens: number) => void) | undefined;
}

/**
 * Manages the tokens in use: gives each a slot in shared memory, hands out units of prepaid ones, and ends revoked
 * ones.
 *
 * The store records units as handed out before they are on hand, and front threads spend only units on hand, so a
 * balance is never overdrawn. A killed node loses its units on hand: of each active token, up to about half a second of
 * its use, or 256 units if that is more. While a shared store is away, units on hand stay where they are.
 */
export class TokenManager implements TokenService, TokenAdmin {
  readonly #options: TokenManagerOptions;
  readonly #store: QuotaStore;
  readonly #fleet: FleetQuotas | undefined;
  readonly #slots: TokenSlots;
  /** By token id, least recently opened first. */
  readonly #active = new Map<string, ActiveToken>();
  readonly #allocator = new SlotAllocator<ActiveToken>(
    () => this.#active.values(),
    (active) => this.#unwatched(this.#end(active)),
  );
  /** Levels that tokens had when they lost their slots: with another slot, they continue where they stopped. */
  readonly #levels = new LRUCache<string, SlotLevels>({ max: MAX_LEVELS });
  #intervals = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(options: TokenManagerOptions) {
    this.#options = options;
    this.#store = options.store;
    this.#fleet = options.fleet;
    this.#slots = options.slots;
    this.#fleet?.start({
      ids: () => [...this.#active.keys()],
      end: (id) => {
        const active = this.#active.get(id);
        if (active !== undefined) this.#unwatched(this.#end(active));
      },
    });
  }

  purge(): Promise<void> {
    return this.#store.purge(this.#options.now() - KEEP_EXPIRED_MS);
  }

  async open(token: VerifiedToken): Promise<TokenSlot> {
    const { id } = token;
    if (await this.#isRefused(token)) throw refused('it was revoked');
    const known = this.#active.get(id);
    if (known !== undefined) return slotOf(known);
    const slot = this.#allocator.take(token.subject);
    if (slot === undefined) throw overloaded();
    this.#slots.clear(slot);
    const levels = this.#levels.get(id);
    if (levels !== undefined) this.#slots.restore(slot, levels);
    this.#levels.delete(id);
    const generation = this.#slots.renew(slot);
    this.#fleet?.clear({ slot, generation });
    const active: ActiveToken = {
      slot,
      generation,
      token,
      recent: 0,
      idleIntervals: 0,
      lastUse: this.#intervals,
      refilling: undefined,
      leasing: undefined,
    };
    this.#active.set(id, active);
    this.#timer ??= setInterval(() => this.#tick(), TICK_MS).unref();
    return slotOf(active);
  }

  async refill(id: string, price: number): Promise<Refill> {
    const active = this.#active.get(id);
    // The token has lost its slot; the caller notices that and opens the token again.
    if (active === undefined) return { isExhausted: false, left: 0 };
    try {
      await this.#refill(active, price);
      const onHand = this.#slots.unitsOf(active);
      const left = (await this.#store.get(id))?.left ?? 0;
      return { isExhausted: onHand < price && left + onHand < price, left: Math.max(0, left + onHand) };
    } catch (error) {
      if (isUnavailable(error)) return { isExhausted: false, left: 0, isAway: true };
      throw error;
    }
  }

  async lease(id: string, price: number): Promise<LeaseOutcome> {
    const active = this.#active.get(id);
    if (active === undefined || this.#fleet === undefined) return { price, retryMs: 0 };
    try {
      const { token } = active;
      // Leases double until the first interval ends; a busy token would otherwise lease call by call.
      const recent = Math.max(active.recent, 2 * this.#slots.spentOf(active));
      active.leasing ??= this.#fleet.lease(token, slotOf(active), price, recent).finally(() => {
        active.leasing = undefined;
      });
      return await active.leasing;
    } catch (error) {
      if (isUnavailable(error)) return { price, retryMs: 0, isAway: true };
      throw error;
    }
  }

  /** Records a token that this node issues or sees for the first time. */
  register(token: VerifiedToken): Promise<TokenRecord> {
    // Not the rest: that of an issued token includes its text.
    const { id, subject, tier, rate, units, gas, time, issuedAtMs: issuedMs, expiresAtMs: expiresMs } = token;
    const granted = { subject, tier, rate, units, gas, time };
    return this.#store.register({ id, ...granted, left: units ?? 0, issuedMs, expiresMs });
  }

  async isRevoked(id: string): Promise<boolean> {
    return (await this.#store.get(id))?.revokedMs !== undefined;
  }

  async issue(claims: TokenClaims): Promise<IssuedToken> {
    const issued = await this.#options.sign(claims);
    await this.register(issued);
    return issued;
  }

  async revoke(id: string): Promise<TokenRecord> {
    const record = await this.#store.revoke(id, this.#options.now());
    const active = this.#active.get(id);
    if (active === undefined) return record;
    await this.#end(active);
    return this.show(id);
  }

  async topUp(id: string, units: number): Promise<TokenRecord> {
    await this.#store.topUp(id, units);
    return this.show(id);
  }

  async show(id: string): Promise<TokenRecord> {
    const record = await this.#store.get(id);
    if (record === undefined) throw unknownToken(id);
    return this.#withOnHand(record);
  }

  async list(): Promise<readonly TokenRecord[]> {
    return (await this.#store.list()).map((record) => this.#withOnHand(record));
  }

  /** Gives units on hand back to the store. What a shared store does not take in time is lost to the tokens. */
  async close(): Promise<void> {
    this.#fleet?.close();
    clearInterval(this.#timer);
    this.#allocator.close();
    const active = [...this.#active.values()];
    if (this.#fleet === undefined) {
      await Promise.all(active.map((each) => this.#end(each)));
      return;
    }
    const unreturned = new Set(active.filter((each) => this.#slots.unitsOf(each) > 0));
    const returns = active.map(async (each) => {
      const isUp = this.#fleet?.isUp === true;
      try {
        await this.#end(each);
        if (isUp) unreturned.delete(each);
      } catch (error) {
        if (!isUnavailable(error)) this.#options.onFault(error, 'giving back the units of a token');
      }
    });
    await atMost(STOP_MS, Promise.all(returns));
    if (unreturned.size > 0) this.#options.onUnreturned?.(unreturned.size);
  }

  /** Whether a token was revoked. Records it at its first use, so that one of another issuer can be revoked. */
  async #isRefused(token: VerifiedToken): Promise<boolean> {
    // A shared store that was restored from a copy may have lost the revocation.
    if (this.#fleet?.knowsRevoked(token.id) === true) return true;
    try {
      const record = (await this.#store.get(token.id)) ?? (await this.register(token));
      return record.revokedMs !== undefined;
    } catch (error) {
      if (this.#fleet?.fallback !== 'local' || !isUnavailable(error)) throw error;
      return false;
    }
  }

  #withOnHand(record: TokenRecord): TokenRecord {
    const active = this.#active.get(record.id);
    if (active === undefined) return record;
    return { ...record, left: Math.max(0, record.left + this.#slots.unitsOf(active)) };
  }

  async #refill(active: ActiveToken, price: number): Promise<void> {
    active.refilling ??= this.#take(active, price).finally(() => {
      active.refilling = undefined;
    });
    await active.refilling;
  }

  async #take(active: ActiveToken, price: number): Promise<void> {
    const wanted = Math.max(MIN_UNITS_ON_HAND, price, INTERVALS_ON_HAND * active.recent);
    const missing = Math.min(MAX_UNITS_ON_HAND, wanted) - this.#slots.unitsOf(active);
    const { id } = active.token;
    const taken = await this.#store.take(id, Math.max(missing, price), price);
    if (this.#active.get(id) === active) this.#slots.add(active, taken);
    else await this.#store.giveBack(id, taken);
  }

  #tick(): void {
    this.#intervals++;
    for (const active of this.#active.values()) {
      const spent = this.#slots.takeSpent(active);
      active.recent = Math.max(spent, Math.floor(active.recent / 2));
      active.idleIntervals = spent === 0 ? active.idleIntervals + 1 : 0;
      if (spent > 0) active.lastUse = this.#intervals;
      const { token } = active;
      if (token.expiresAtMs <= this.#options.now()) this.#unwatched(this.#end(active));
      else if (token.units !== undefined) this.#adapt(active);
    }
    if (this.#active.size > 0) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  #adapt(active: ActiveToken): void {
    if (this.#fleet?.isUp === false) return;
    const onHand = this.#slots.unitsOf(active);
    if (active.idleIntervals >= IDLE_INTERVALS) {
      if (onHand !== 0) this.#unwatched(this.#giveBack(active));
    } else if (onHand < INTERVALS_ON_HAND * active.recent) {
      this.#unwatched(this.#refill(active, 0));
    }
  }

  async #giveBack(active: ActiveToken): Promise<void> {
    const units = this.#slots.takeUnits(active);
    // While a shared store is away, the units are lost to the token.
    if (this.#fleet?.isUp === false) return;
    const { id } = active.token;
    if (units >= 0) await this.#store.giveBack(id, units);
    // Work that was charged beyond the units on hand; what the balance does not cover is lost to the node.
    else await this.#store.take(id, -units, 0);
  }

  #end(active: ActiveToken): Promise<void> {
    const { slot, token } = active;
    this.#active.delete(token.id);
    this.#slots.renew(slot);
    const levels = this.#slots.levels(active);
    if (levels !== undefined) this.#levels.set(token.id, levels);
    this.#allocator.release(slot);
    return this.#giveBack(active);
  }

  #unwatched(work: Promise<void>): void {
    work.catch((error: unknown) => {
      // The loss of a shared store is reported once, where it is noticed.
      if (isUnavailable(error) && this.#fleet?.isUp === false) return;
      this.#options.onFault(error, 'keeping the units of a token');
    });
  }
}

function isUnavailable(error: unknown): boolean {
  return error instanceof QuotaError && error.code === 'unavailable';
}

function slotOf({ slot, generation }: TokenSlot): TokenSlot {
  return { slot, generation };
}
