import { DynamicThreshold, isWithinThreshold } from '../../async/dynamic-threshold.js';
import { clientOfAddress } from '../../config/host.js';
import { type CallerIdentity, clientOf } from './client-of.js';

/** Over the limit, usage is cut to this fraction of it, so that each pass over the holders frees many bytes. */
const LOW_WATER = 7 / 8;
const MAX_RESERVED_SHARE = 1 / 2;
/** A client may reserve at most this part of what it leaves free. */
const RESERVED_MULTIPLE = 1 / 3;
/** Beyond it, requests for more than this part of what is free beside the client's own bytes are refused. */
const CROWDED_PART = 1 / 32;
/** Below this share of the reservations, small ones are not counted by client: counting costs more than they do. */
const UNCOUNTED_SHARE = 1 / 4;
const SMALL_BYTES = 4_096;

export interface Reservation {
  /** Returns the bytes; idempotent. */
  release(): void;
}

/**
 * The process-wide memory budget for clients' requests: unfinished bodies, unread answers, calls waiting for a
 * worker.
 *
 * 1. Memory that can be reclaimed, such as a connection's body or answer, is *held*. Above the limit, holders are
 *    cut, starting with the owners that hold the most, down to the level of the others. Within an owner, the holders
 *    with the largest product of bytes and age are cut first. Flooding clients are thus cut first.
 * 2. Memory that cannot be reclaimed, such as a call on its way to a worker, is *reserved*. Reservations may use half
 *    of the budget and are refused beyond that; no client may reserve more than remains for all others. Large
 *    reservations are refused before small ones.
 */
export class ByteBudget {
  readonly limit: number;
  cut = 0;
  refused = 0;
  readonly #report: (error: unknown) => void;
  readonly #holdings = new Set<ByteHolding>();
  readonly #reserved: DynamicThreshold;
  #held = 0;
  #isMakingRoom = false;

  constructor(limit: number, report: (error: unknown) => void) {
    this.limit = limit;
    this.#reserved = new DynamicThreshold(limit * MAX_RESERVED_SHARE);
    this.#report = report;
  }

  get used(): number {
    return this.#held + this.#reserved.used;
  }

  /** @returns undefined if the client's share or the budget is exhausted */
  reserve(bytes: number, client: CallerIdentity): Reservation | undefined {
    const owner = this.#isUncounted(bytes) ? undefined : clientOf(client);
    if (owner !== undefined && !this.#mayReserve(bytes, owner)) {
      this.refused++;
      return undefined;
    }
    this.#reserved.take(bytes, owner);
    if (this.used > this.limit) this.#makeRoom();
    let isReleased = false;
    return {
      release: () => {
        if (!isReleased) this.#reserved.release(bytes, owner);
        isReleased = true;
      },
    };
  }

  /**
   * Holds memory that can be reclaimed.
   * @param cut called when it is reclaimed; the bytes are already released by then
   * @returns undefined, without calling `cut`, if this holding itself would be cut at once
   */
  hold(bytes: number, cut: () => void, address = ''): ByteHolding | undefined {
    let isNew = true;
    let isRefused = false;
    const holding = new ByteHolding(this, clientOfAddress(address), () => {
      if (isNew) isRefused = true;
      else cut();
    });
    this.#holdings.add(holding);
    holding.grow(bytes);
    isNew = false;
    return isRefused ? undefined : holding;
  }

  onResized(bytes: number): void {
    this.#held += bytes;
    if (bytes > 0 && this.used > this.limit) this.#makeRoom();
  }

  onReleased(holding: ByteHolding): void {
    this.#holdings.delete(holding);
  }

  #isUncounted(bytes: number): boolean {
    const share = this.limit * MAX_RESERVED_SHARE * UNCOUNTED_SHARE;
    return bytes < SMALL_BYTES && (bytes === 0 || this.#reserved.used + bytes <= share);
  }

  #mayReserve(bytes: number, owner: string): boolean {
    const { used, free } = this.#reserved;
    // A sole user may reserve as much as the limits of a single request allow.
    if (used === 0) return true;
    const own = this.#reserved.heldBy(owner);
    return (
      isWithinThreshold(own + bytes, free - bytes, RESERVED_MULTIPLE) || bytes <= (free - own) * CROWDED_PART
    );
  }

  #makeRoom(): void {
    // A cut may trigger an error answer, which is held too.
    if (this.#isMakingRoom) return;
    this.#isMakingRoom = true;
    try {
      this.#cutLargest();
    } finally {
      this.#isMakingRoom = false;
    }
  }

  #cutLargest(): void {
    const now = performance.now();
    const owners = ownersOf(this.#holdings);
    const level = levelOf(owners, this.used - this.limit * LOW_WATER);
    for (const owner of owners) {
      if (owner.bytes <= level) return;
      owner.holdings.sort((a, b) => b.weight(now) - a.weight(now));
      for (const holding of owner.holdings) {
        if (owner.bytes <= level) break;
        owner.bytes -= holding.bytes;
        this.#cut(holding);
      }
    }
  }

  #cut(holding: ByteHolding): void {
    try {
      if (holding.cut()) this.cut++;
    } catch (error) {
      this.cut++;
      this.#report(error);
    }
  }
}

interface Owner {
  bytes: number;
  readonly holdings: ByteHolding[];
}

/** Groups holdings by owner, largest owner first. */
function ownersOf(holdings: Iterable<ByteHolding>): Owner[] {
  const owners = new Map<string, Owner>();
  for (const holding of holdings) {
    const owner = owners.get(holding.owner);
    if (owner === undefined) {
      owners.set(holding.owner, { bytes: holding.bytes, holdings: [holding] });
    } else {
      owner.bytes += holding.bytes;
      owner.holdings.push(holding);
    }
  }
  return [...owners.values()].sort((a, b) => b.bytes - a.bytes);
}

/** The level to which the largest owners must be cut to free `bytes`. */
function levelOf(owners: readonly Owner[], bytes: number): number {
  let sum = 0;
  for (let i = 0; i < owners.length; i++) {
    sum += owners[i]?.bytes ?? 0;
    const level = (sum - bytes) / (i + 1);
    if (level >= (owners[i + 1]?.bytes ?? 0)) return level;
  }
  return 0;
}

export class ByteHolding {
  readonly #budget: ByteBudget;
  readonly #cut: () => void;
  readonly #since = performance.now();
  readonly owner: string;
  #bytes = 0;
  #isOver = false;

  constructor(budget: ByteBudget, owner: string, cut: () => void) {
    this.#budget = budget;
    this.owner = owner;
    this.#cut = cut;
  }

  get bytes(): number {
    return this.#bytes;
  }

  /** Adds bytes. Returns false if the holding was cut, now or before. */
  grow(bytes: number): boolean {
    if (this.#isOver) return false;
    this.#bytes += bytes;
    this.#budget.onResized(bytes);
    return !this.#isOver;
  }

  /** Changes the size. Returns false if the holding was cut, now or before. */
  resize(bytes: number): boolean {
    return this.grow(bytes - this.#bytes);
  }

  /** Releases all bytes. Idempotent, also after a cut. */
  release(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#budget.onReleased(this);
    this.#budget.onResized(-this.#bytes);
  }

  /** For the budget. @returns false, without telling the holder, if another cut has already released it */
  cut(): boolean {
    if (this.#isOver) return false;
    this.release();
    this.#cut();
    return true;
  }

  /** For the budget: cut order, largest first. */
  weight(now: number): number {
    return this.#bytes * (1 + now - this.#since);
  }
}
