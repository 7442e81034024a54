/** How far the bytes are brought down once there are too many, so that each pass over the holders frees much. */
const LOW_WATER = 7 / 8;
/** Of what cannot be cut there may be this part of the budget. */
const UNCUTTABLE = 1 / 2;
/** Beyond half of that, who takes more than this part of what is left is refused: the largest first. */
const CROWDED_PART = 1 / 16;

/**
 * The bytes that the process holds for those who send requests, whatever they are: unfinished bodies, answers that are not
 * read, calls that wait for a worker. There is one for the process.
 *
 * 1. What can be cut, a body or an answer of a connection, is *held*. Where the bytes are more than the limit, holders are
 *    cut: those of the owners who hold the most, down to what others hold too, and of each owner's those first that have
 *    the greatest product of bytes and age. Whoever floods the node is cut off before anybody else.
 * 2. What cannot be cut, such as a call on its way to a worker, is *taken*. It may have half of the budget, and is refused
 *    beyond; large takers are refused before small ones.
 */
export class ByteBudget {
  readonly limit: number;
  /** How many holders were cut, or refused. */
  cut = 0;
  /** How many takers were refused. */
  refused = 0;
  readonly #report: (error: unknown) => void;
  readonly #holdings = new Set<ByteHolding>();
  #held = 0;
  #taken = 0;

  /** @param report told of what a holder's `cut` throws */
  constructor(limit: number, report: (error: unknown) => void) {
    this.limit = limit;
    this.#report = report;
  }

  /** Held and taken bytes. */
  get used(): number {
    return this.#held + this.#taken;
  }

  /**
   * Takes bytes, to be given back by {@link give}.
   * @returns false, and nothing is taken, where there are too many already
   */
  take(bytes: number): boolean {
    const most = this.limit * UNCUTTABLE;
    const taken = this.#taken + bytes;
    const fits = taken <= most / 2 || (taken <= most && bytes <= (most - this.#taken) * CROWDED_PART);
    // Whoever is alone may have as much as the limits of one request allow.
    if (!fits && this.#taken > 0) {
      this.refused++;
      return false;
    }
    this.#taken = taken;
    if (this.used > this.limit) this.#makeRoom();
    return true;
  }

  give(bytes: number): void {
    this.#taken -= bytes;
  }

  /**
   * Holds bytes for a holder that can be cut.
   * @param cut drops what the bytes are held for; they are released by then. It must not call back into the budget.
   * @param address of the client that they are held for
   * @returns undefined, and `cut` is not called, where this holder would have to go itself
   */
  hold(bytes: number, cut: () => void, address = ''): ByteHolding | undefined {
    let isNew = true;
    let isRefused = false;
    const holding = new ByteHolding(this, ownerOf(address), () => {
      if (isNew) isRefused = true;
      else cut();
    });
    this.#holdings.add(holding);
    holding.grow(bytes);
    isNew = false;
    return isRefused ? undefined : holding;
  }

  /** For holdings: more, or fewer, bytes of theirs. */
  moved(bytes: number): void {
    this.#held += bytes;
    if (bytes > 0 && this.used > this.limit) this.#makeRoom();
  }

  /** For holdings: one is over. */
  released(holding: ByteHolding): void {
    this.#holdings.delete(holding);
  }

  #makeRoom(): void {
    const now = performance.now();
    const owners = ownersOf(this.#holdings);
    const level = levelOf(owners, this.used - this.limit * LOW_WATER);
    for (const owner of owners) {
      if (owner.bytes <= level) return;
      owner.holdings.sort((a, b) => b.weight(now) - a.weight(now));
      for (const holding of owner.holdings) {
        if (owner.bytes <= level) break;
        owner.bytes -= holding.bytes;
        this.cut++;
        try {
          holding.cut();
        } catch (error) {
          this.#report(error);
        }
      }
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

/** An IPv6 client is its network: it has 2^64 addresses to call from. */
function ownerOf(address: string): string {
  if (!address.includes(':')) return address;
  const zeros = address.indexOf('::');
  const written = (zeros < 0 ? address : address.slice(0, zeros)).split(':');
  const groups = [...written, '0', '0', '0', '0'].slice(0, 4);
  return groups.map((group) => Number.parseInt(group || '0', 16).toString(16)).join(':');
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
    this.#budget.moved(bytes);
    return !this.#isOver;
  }

  /** Gives some of the bytes back. */
  shrink(bytes: number): void {
    if (this.#isOver) return;
    this.#bytes -= bytes;
    this.#budget.moved(-bytes);
  }

  /** Gives everything back. May be called again, and after a cut. */
  release(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#budget.released(this);
    this.#budget.moved(-this.#bytes);
  }

  /** For the budget: releases, and tells the holder. */
  cut(): void {
    this.release();
    this.#cut();
  }

  /** For the budget: the greatest goes first. */
  weight(now: number): number {
    return this.#bytes * (1 + now - this.#since);
  }
}
