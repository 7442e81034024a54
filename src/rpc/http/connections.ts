import type { ConnectionGate } from './http-server.js';

/** How many connections are open: in this thread, and in all threads that have the same memory. */
export class ConnectionCount {
  readonly #all: Int32Array;
  own = 0;
  /** Connections that were closed at once. */
  refused = 0;

  /** @param memory of four bytes; left out, nobody else counts */
  constructor(memory: SharedArrayBuffer = new SharedArrayBuffer(4)) {
    this.#all = new Int32Array(memory);
  }

  get all(): number {
    return Atomics.load(this.#all, 0);
  }

  /** @returns how many there were before, in all threads */
  opened(): number {
    this.own++;
    return Atomics.add(this.#all, 0, 1);
  }

  closed(): void {
    this.own--;
    Atomics.sub(this.#all, 0, 1);
  }
}

export interface ConnectionLimits {
  readonly maxConnections: number;
  /** Of one client: the owner of an address. */
  readonly maxConnectionsPerClient: number;
}

/** How many connections each client has now, in all threads; undefined where the system does not tell. */
export type Census = () => Promise<ReadonlyMap<string, number> | undefined>;

/** While fewer than this part of the connections are open, and no client can have too many, nobody counts them by client. */
const QUIET_PART = 1 / 8;
/** A client's connections are at most this many times the free ones, as in `FairSlots`. */
const MAX_FREE_MULTIPLE = 2;
/** Between two censuses, while no client has half of its share. */
const CENSUS_MS = 1_000;
/** While one does. */
const EARLY_CENSUS_MS = 50;
/** A pause lasts at least this many times as long as the census before it. */
const CENSUS_REST = 4;

/**
 * Decides which connections may stay, so that there are never more than `maxConnections` and one client cannot have them all.
 *
 * A server that says whose connection ended has each client counted exactly. One that cannot gives a census instead: a client's
 * count is that of the last census and all that it opened since in this thread. It is too low only by the newest connections of
 * other threads. With t threads one client leaves at least 1/(2t+1) of the counted connections free.
 */
export class Connections implements ConnectionGate {
  readonly #limits: ConnectionLimits;
  readonly #count: ConnectionCount;
  readonly #now: () => number;
  #census: Census | undefined;
  #byClient = new Map<string, number>();
  /** Those opened while a census is under way, which it may have missed. */
  #sinceCensus: Map<string, number> | undefined;
  #countedAt = Number.NEGATIVE_INFINITY;
  #isNearLimit = false;
  #censusTookMs = 0;

  /** @param now milliseconds, of any clock that only goes forward */
  constructor(limits: ConnectionLimits, count: ConnectionCount, now: () => number = () => performance.now()) {
    this.#limits = limits;
    this.#count = count;
    this.#now = now;
  }

  /** From now on the server does not say whose connection ended. */
  useCensus(census: Census): void {
    this.#census = census;
  }

  /** @returns whether it may stay; a server closes one that may not, without calling {@link leave} */
  enter(client: string): boolean {
    const open = this.#count.opened();
    if (open < this.#limits.maxConnections && this.#mayHave(client, open)) return true;
    this.#count.closed();
    this.#count.refused++;
    return false;
  }

  /** @param client undefined where the server cannot tell */
  leave(client?: string): void {
    this.#count.closed();
    if (client === undefined || this.#census !== undefined) return;
    const left = (this.#byClient.get(client) ?? 0) - 1;
    if (left > 0) this.#byClient.set(client, left);
    else this.#byClient.delete(client);
  }

  #mayHave(client: string, open: number): boolean {
    const { maxConnections, maxConnectionsPerClient } = this.#limits;
    if (this.#census !== undefined) {
      if (open < Math.min(maxConnections * QUIET_PART, maxConnectionsPerClient)) {
        this.#byClient.clear();
        return true;
      }
      this.#countSoon(this.#census);
    }
    const own = this.#byClient.get(client) ?? 0;
    const most = Math.min(maxConnectionsPerClient - 1, MAX_FREE_MULTIPLE * (maxConnections - open));
    if (2 * own > most) this.#isNearLimit = true;
    if (own > most) return false;
    this.#byClient.set(client, own + 1);
    this.#sinceCensus?.set(client, (this.#sinceCensus.get(client) ?? 0) + 1);
    return true;
  }

  #countSoon(census: Census): void {
    const rest = Math.max(this.#isNearLimit ? EARLY_CENSUS_MS : CENSUS_MS, CENSUS_REST * this.#censusTookMs);
    const begun = this.#now();
    if (this.#sinceCensus !== undefined || begun - this.#countedAt < rest) return;
    const since = new Map<string, number>();
    this.#sinceCensus = since;
    void census().then((counted) => {
      this.#sinceCensus = undefined;
      this.#countedAt = this.#now();
      this.#censusTookMs = this.#countedAt - begun;
      this.#isNearLimit = false;
      // Where the system does not tell, connections that end cannot be counted: only their number is limited.
      this.#byClient = new Map(counted);
      if (counted === undefined) return;
      for (const [client, opened] of since) {
        this.#byClient.set(client, (this.#byClient.get(client) ?? 0) + opened);
      }
    });
  }
}
