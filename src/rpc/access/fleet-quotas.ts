import { LRUCache } from 'lru-cache';
import { monotonicNs } from '../../async/gcra.js';
import type { RateLeases } from './rate-leases.js';
import { LEASE_MS, type SharedQuotaStore, sharedRate } from './shared-quota-store.js';
import type { LeaseOutcome } from './token-service.js';
import type { TokenSlot, TokenSlots } from './token-slots.js';
import type { VerifiedToken } from './tokens.js';

/** Interval of checks for revocations whose messages were lost. */
const CHECK_MS = 400;
const MAX_REVOKED = 16_384;
const NS_PER_MS = 1_000_000n;

export interface TokensInUse {
  ids(): readonly string[];
  /** Ends the use of a token; one that is not in use is ignored. */
  end(id: string): void;
}

export interface FleetQuotasOptions {
  readonly store: SharedQuotaStore;
  readonly slots: TokenSlots;
  readonly leases: RateLeases;
  /** Behaviour while the store is away; see `--quota-fallback`. */
  readonly fallback: 'deny' | 'local';
  /** Cost of the most expensive method, in compute units. */
  readonly maxCost: number;
  /** Called when the store is lost and when it is back. */
  readonly onChange: (isUp: boolean) => void;
  /** Called with errors of the store that no caller sees. */
  readonly onFault: (error: unknown, where: string) => void;
}

/** The main thread's part of quotas that several nodes share: leases of rates, and revocations by other nodes. */
export class FleetQuotas {
  readonly fallback: 'deny' | 'local';
  readonly #options: FleetQuotasOptions;
  /** Ids of tokens that this node knows to be revoked. */
  readonly #revoked = new LRUCache<string, true>({ max: MAX_REVOKED });
  #tokens: TokensInUse | undefined;
  #cursor: number | undefined;
  #checking = false;
  #timer: NodeJS.Timeout | undefined;

  constructor(options: FleetQuotasOptions) {
    this.#options = options;
    this.fallback = options.fallback;
  }

  get isUp(): boolean {
    return this.#options.store.isUp;
  }

  /** Watches the store until {@link close}; call once. */
  start(tokens: TokensInUse): void {
    const { store, leases, onChange } = this.#options;
    this.#tokens = tokens;
    leases.isAway = !store.isUp;
    store.watch({
      onUp: () => {
        leases.isAway = false;
        // The revocation sequence may have restarted, and revocations may have been missed.
        this.#cursor = undefined;
        onChange(true);
        void this.#check();
      },
      onDown: () => {
        leases.isAway = true;
        onChange(false);
      },
      onRevoked: (id) => this.#end(id),
    });
    this.#timer = setInterval(() => void this.#check(), CHECK_MS).unref();
  }

  close(): void {
    clearInterval(this.#timer);
    this.#tokens = undefined;
  }

  /** Clears the leases of a slot before its next use. */
  clear(slot: TokenSlot): void {
    this.#options.leases.clear(slot);
  }

  /** Whether this node has learnt that a token was revoked; it may not have. */
  knowsRevoked(id: string): boolean {
    return this.#revoked.has(id);
  }

  /**
   * Leases rate units for a call, and some more for the next ones.
   * @param recent use of the token in a quarter of a second, in units
   * @throws QuotaError unavailable
   */
  async lease(
    { id, rate = 1 }: VerifiedToken,
    slot: TokenSlot,
    price: number,
    recent: number,
  ): Promise<LeaseOutcome> {
    const { store, slots, leases, maxCost } = this.#options;
    const shared = sharedRate(rate, maxCost);
    const share = Math.floor((rate * LEASE_MS) / 1_000);
    // Half of the recent use is spent before the lease ends.
    const wanted = Math.max(price, Math.min(share, Math.ceil(recent / 2))) - leases.unitsOf(slot);
    if (wanted <= 0) return { price, retryMs: 0 };
    const expiresNs = monotonicNs() + BigInt(LEASE_MS) * NS_PER_MS;
    const { units, emptyMs } = await store.leaseRate(id, wanted, shared);
    if (!slots.isCurrent(slot)) return { price, retryMs: 0 };
    if (units > 0) leases.put(slot, units, expiresNs);
    slots.raiseRate(slot, emptyMs);
    const missing = price - leases.unitsOf(slot);
    if (missing <= 0 || units >= price) return { price, retryMs: 0 };
    const fullMs = (1_000 * shared.burst) / rate - LEASE_MS;
    return { price, retryMs: Math.max(1, Math.ceil(emptyMs + (1_000 * missing) / rate - fullMs)) };
  }

  async #check(): Promise<void> {
    const { store, onFault } = this.#options;
    if (this.#checking || !store.isUp) return;
    this.#checking = true;
    try {
      const isFirst = this.#cursor === undefined;
      const { ids, cursor } = await store.revokedSince(this.#cursor);
      for (const id of ids) this.#end(id);
      if (isFirst) {
        for (const id of await store.revokedOf(this.#tokens?.ids() ?? [])) this.#end(id);
      }
      this.#cursor = cursor;
    } catch (error) {
      // The loss of the store is reported where it is noticed.
      if (store.isUp) onFault(error, 'looking for revoked tokens');
    } finally {
      this.#checking = false;
    }
  }

  #end(id: string): void {
    this.#revoked.set(id, true);
    this.#tokens?.end(id);
  }
}
