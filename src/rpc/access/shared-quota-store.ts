import type { Rate } from '../../async/gcra.js';
import type { QuotaStore } from './quota-store.js';

/** Rate units that a node may spend, out of a rate that all nodes share. */
export interface RateLease {
  /** At most the number asked for. */
  readonly units: number;
  /** Milliseconds until the shared bucket is empty, with these units in it. */
  readonly emptyMs: number;
}

export interface Revocations {
  readonly ids: readonly string[];
  /** Where the next request continues. */
  readonly cursor: number;
}

export interface QuotaStoreWatcher {
  onUp(): void;
  onDown(): void;
  /** A token was revoked on any node. Messages may be lost; see {@link SharedQuotaStore.revokedSince}. */
  onRevoked(id: string): void;
}

/** A quota store that several nodes share. It may be away for a while. */
export interface SharedQuotaStore extends QuotaStore {
  /** False while the store does not answer. */
  readonly isUp: boolean;
  /** Reports changes from now on; call once. */
  watch(watcher: QuotaStoreWatcher): void;
  /**
   * Leases units of a token's rate. A lease is valid for {@link LEASE_MS} from before the request, and the bucket holds
   * that much less than the burst, so that all nodes together stay within rate × time + burst.
   * @param rate see {@link sharedRate}
   */
  leaseRate(id: string, units: number, rate: Rate): Promise<RateLease>;
  /** Revocations since a cursor; without one, none, and the cursor of now. */
  revokedSince(cursor: number | undefined): Promise<Revocations>;
  /** Those of the ids that are revoked. */
  revokedOf(ids: readonly string[]): Promise<readonly string[]>;
}

export interface AddressLoad {
  /** A key such as `paid 192.0.2.1`. */
  readonly client: string;
  readonly units: number;
  readonly rate: Rate;
}

/** The levels of addresses' buckets, which several nodes share. */
export interface SharedAddressLevels {
  /** False while the store does not answer. */
  readonly isUp: boolean;
  /**
   * Adds charged units to the buckets of clients, even beyond their bursts.
   * @returns the times until the buckets are empty, in nanoseconds and in order
   * @throws QuotaError unavailable, through the promise; the units may have been counted
   */
  addUses(loads: readonly AddressLoad[]): Promise<readonly bigint[]>;
}

/** Time that a shared store has for the last changes when the node stops, below the time limit of the whole stop. */
export const STOP_MS = 700;
/** Time in which leased rate units must be spent. */
export const LEASE_MS = 250;

/**
 * A token's rate over a fleet. The bucket must hold the most expensive call even without the part that is kept for
 * leases; a rate above four thirds of `maxCost` has the same burst as on a single node.
 */
export function sharedRate(perSecond: number, maxCost: number): Rate {
  return { perSecond, burst: Math.max(perSecond, maxCost + Math.ceil((perSecond * LEASE_MS) / 1_000)) };
}
