import { clientOfAddress } from '../../config/host.js';
import { ByteReservations, type Reservation } from './byte-reservations.js';
import type { Client } from './client-of.js';

/** The bytes are reduced to this part of the limit once there are too many, so that each pass over the holders frees many. */
const LOW_WATER = 7 / 8;
/** The part of the budget that may be taken by what cannot be cut. */
const MAX_RESERVED_SHARE = 1 / 2;

/**
 * The bytes that the process holds for those who send requests, whatever they are: unfinished bodies, answers that are not
 * read, calls that wait for a worker. There is one for the process.
 *
 * 1. What can be cut, a body or an answer of a connection, is *held*. Where the bytes are more than the limit, holders are
 *    cut: those of the owners who hold the most, down to what others hold too, and of each owner's those first that have
 *    the greatest product of bytes and age. Whoever floods the node is cut off before anybody else.
 * 2. What cannot be cut, such as a call on its way to a worker, is *taken*. It may have half of the budget, and is refused
 *    beyond; no client may take more than is left for all others.
 */
export class ByteBudget {
  readonly limit: number;
  /** How many holders were cut, or refused. */
  cut = 0;
  /** How many takers were refused. */
  refused = 0;
  readonly #report: (error: unknown) => void;
  readonly #holdings = new Set<ByteHolding>();
  readonly #reservations: ByteReservations;
  #held = 0;
  #isMakingRoom = false;

  /** @param report told of what a holder's `cut` throws */
  constructor(limit: number, report: (error: unknown) => void) {
    this.limit = limit;
    this.#reservations = new ByteReservations(limit * MAX_RESERVED_SHARE);
    this.#report = report;
  }

  /** Held and taken bytes. */
  get used(): number {
    return this.#held + this.#reservations.reserved;
  }

  /** @returns undefined, and nothing is taken, where there are too many already */
  reserve(bytes: number, client: Client): Reservation | undefined {
    const taken = this.#reservations.reserve(bytes, client);
    if (taken === undefined) this.refused++;
    else if (this.used > this.limit) this.#makeRoom();
    return taken;
  }

  /**
   * Holds bytes for a holder that can be cut.
   * @param cut drops what the bytes are held for; they are released by then
   * @param address of the client that they are held for
   * @returns undefined, and `cut` is not called, where this holder would have to go itself
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

  /** For holdings: more, or fewer, bytes of theirs. */
  onResized(bytes: number): void {
    this.#held += bytes;
    if (bytes > 0 && this.used > this.limit) this.#makeRoom();
  }

  /** For holdings: one is over. */
  onReleased(holding: ByteHolding): void {
    this.#holdings.delete(holding);
  }

  #makeRoom(): void {
    // Whoever is cut may have an answer sent that says so, which is held too.
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

/** All that is held for one client. */
interface Owner {
  bytes: number;
  readonly holdings: ByteHolding[];
}

/** Those who hold the most first. */
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

/** What no owner may keep more than for so many bytes to come free. */
function levelOf(owners: readonly Owner[], bytes: number): number {
  let sum = 0;
  for (let i = 0; i < owners.length; i++) {
    sum += owners[i]?.bytes ?? 0;
    const level = (sum - bytes) / (i + 1);
    if (level >= (owners[i + 1]?.bytes ?? 0)) return level;
  }
  return 0;
}

/** The bytes of one holder. */
export class ByteHolding {
  readonly #budget: ByteBudget;
  readonly #cut: () => void;
  readonly #since = performance.now();
  readonly owner: string;
  #bytes = 0;
  #isOver = false;

  /** @param owner who holds them, as the budget counts */
  constructor(budget: ByteBudget, owner: string, cut: () => void) {
    this.#budget = budget;
    this.owner = owner;
    this.#cut = cut;
  }

  get bytes(): number {
    return this.#bytes;
  }

  /** @returns false where the holder was cut for it, or before */
  grow(bytes: number): boolean {
    if (this.#isOver) return false;
    this.#bytes += bytes;
    this.#budget.onResized(bytes);
    return !this.#isOver;
  }

  /** Gives everything back. May be called again, and after a cut. */
  release(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#budget.onReleased(this);
    this.#budget.onResized(-this.#bytes);
  }

  /**
   * For the budget: releases, and tells the holder.
   * @returns false, and nobody is told, where it is over already, through the cut of another
   */
  cut(): boolean {
    if (this.#isOver) return false;
    this.release();
    this.#cut();
    return true;
  }

  /** For the budget: the greatest goes first. */
  weight(now: number): number {
    return this.#bytes * (1 + now - this.#since);
  }
}
