import type { Caller } from '../../async/caller.js';
import { isSlot, type Slot, SlotPool } from '../../async/slot-pool.js';
import type { Limits } from '../../config/limits.js';
import { RETRY_AFTER_OVERLOAD_MS } from '../domain-errors.js';
import { RpcError } from '../errors.js';

/** Memory of `SlotPool`, for the subscriptions of all threads. */
export interface SubscriptionMemory {
  readonly subscriptions: SharedArrayBuffer;
  readonly logLookups: SharedArrayBuffer;
  readonly replays: SharedArrayBuffer;
}

export function subscriptionMemory(): SubscriptionMemory {
  return { subscriptions: SlotPool.memory(), logLookups: SlotPool.memory(), replays: SlotPool.memory() };
}

/** Shared, because a flood would create thousands and stack traces are expensive. */
const FULL = {
  subscriptions: full('the node has no room for further subscriptions; try again later'),
  logLookups: full('the log filters of all subscriptions cost too much; use fewer or try again later'),
  replays: full('too many subscriptions are reading old blocks; try again later'),
} as const;

/** Bounds what the subscriptions of all threads cost, fairly between clients. */
export class SubscriptionQuota {
  readonly #limits: Record<keyof SubscriptionMemory, number>;
  readonly #pools: Record<keyof SubscriptionMemory, SlotPool>;

  constructor(limits: Limits, memory: SubscriptionMemory) {
    const { maxSubscriptions, maxLogLookups, maxReplays } = limits;
    this.#limits = { subscriptions: maxSubscriptions, logLookups: maxLogLookups, replays: maxReplays };
    this.#pools = {
      subscriptions: new SlotPool(memory.subscriptions),
      logLookups: new SlotPool(memory.logLookups),
      replays: new SlotPool(memory.replays),
    };
  }

  /** @throws RpcError overloaded, if the client gets fewer than `count` */
  take(what: keyof SubscriptionMemory, count: number, client: Caller): Lease {
    const pool = this.#pools[what];
    const lease = new Lease(pool);
    if (lease.tryGrow(count, () => pool.tryAcquire(this.#limits[what], client))) return lease;
    lease.release();
    throw FULL[what];
  }

  /** Counts slots of another client for one more. @throws RpcError overloaded, if it has no room for them */
  share(what: keyof SubscriptionMemory, count: number, client: Caller): Lease {
    const pool = this.#pools[what];
    const lease = new Lease(pool);
    if (lease.tryGrow(count, () => pool.tryShare(this.#limits[what], client))) return lease;
    lease.leave();
    throw FULL[what];
  }
}

/** Slots of a pool that count for a client, until it releases or leaves them. */
export class Lease {
  readonly #pool: SlotPool;
  readonly #slots: Slot[] = [];

  constructor(pool: SlotPool) {
    this.#pool = pool;
  }

  /** Takes slots one by one. @returns false if one was refused */
  tryGrow(count: number, take: () => Slot): boolean {
    for (let i = 0; i < count; i++) {
      const slot = take();
      if (!isSlot(slot)) return false;
      this.#slots.push(slot);
    }
    return true;
  }

  release(): void {
    for (const slot of this.#slots.splice(0)) this.#pool.release(slot);
  }

  /** Leaves the slots to other clients that share them. */
  leave(): void {
    for (const slot of this.#slots.splice(0)) this.#pool.unshare(slot);
  }
}

function full(message: string): RpcError {
  return new RpcError('overloaded', message, { retry_after_ms: RETRY_AFTER_OVERLOAD_MS });
}
