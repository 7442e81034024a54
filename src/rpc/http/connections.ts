// Indexes of the counters in the shared memory.
const OPEN = 0;
const LINGERING = 1;

/** Counts open connections, in this thread and in all threads that share the same memory. */
export class ConnectionCount {
  readonly #all: Int32Array;
  own = 0;
  refused = 0;

  /** @param memory by default private to this instance */
  constructor(memory: SharedArrayBuffer = ConnectionCount.memory()) {
    this.#all = new Int32Array(memory);
  }

  static memory(): SharedArrayBuffer {
    return new SharedArrayBuffer(2 * Int32Array.BYTES_PER_ELEMENT);
  }

  get all(): number {
    return Atomics.load(this.#all, OPEN);
  }

  /** Maximum number of descriptors that connections of any thread may have left behind. */
  get lingering(): number {
    return Atomics.load(this.#all, LINGERING);
  }

  /** @returns the previous number of connections, in all threads */
  opened(): number {
    this.own++;
    return Atomics.add(this.#all, OPEN, 1);
  }

  closed(): void {
    this.own--;
    Atomics.sub(this.#all, OPEN, 1);
  }

  lingers(ms: number): void {
    Atomics.add(this.#all, LINGERING, 1);
    setTimeout(() => Atomics.sub(this.#all, LINGERING, 1), ms).unref();
  }
}

export interface ConnectionLimits {
  readonly maxConnections: number;
  /** Limit per client: an address, of IPv6 a /64. */
  readonly maxConnectionsPerClient: number;
}

/** Number of open connections by client, in all threads; undefined if the system does not provide it. */
export type Census = () => Promise<ReadonlyMap<string, number> | undefined>;

/** Below this share of open connections, and while no client can exceed its limit, clients are not counted. */
const UNCOUNTED_SHARE = 1 / 8;
/** A client may hold at most this multiple of the free connections, as in `SlotPool`. */
const MAX_FREE_MULTIPLE = 2;
/** Interval between censuses while no client has used more than half of its share. */
const CENSUS_MS = 1_000;
/** Interval between censuses while a client has used more than half of its share. */
const EARLY_CENSUS_MS = 50;
/** An interval lasts at least this many times as long as the previous census. */
const CENSUS_REST = 4;

/**
 * Decides which connections may stay, so that there are at most `maxConnections` and a single client cannot take them
 * all.
 *
 * If the server tells whose connection ended, clients are counted exactly. Otherwise it provides a census, and a
 * client's count is that of the last census plus the connections it has opened in this thread since. The count misses
 * only the newest connections of other threads. With t threads, a single client leaves at least 1/(2t+1) of the
 * counted connections free.
 *
 * A connection that the server reports as ended may keep its descriptor. The census sees such connections; they count
 * like open ones.
 */
export class Connections {
  readonly #limits: ConnectionLimits;
  readonly #count: ConnectionCount;
  readonly #now: () => number;
  #census: Census | undefined;
  #byClient = new Map<string, number>();
  /** Connections opened during a census, which it may have missed. */
  #sinceCensus: Map<string, number> | undefined;
  #countedAt = Number.NEGATIVE_INFINITY;
  #isNearLimit = false;
  #censusTookMs = 0;
  /** Number of connections that the last census saw beyond the open ones. */
  #excess = 0;

  /** @param now milliseconds of a monotonic clock */
  constructor(limits: ConnectionLimits, count: ConnectionCount, now: () => number = () => performance.now()) {
    this.#limits = limits;
    this.#count = count;
    this.#now = now;
  }

  /** Switches to a census, because the server cannot tell whose connection ended. */
  useCensus(census: Census): void {
    this.#census = census;
  }

  /** @param client see `clientOfAddress` @returns false to refuse the connection, without {@link leave} */
  enter(client: string): boolean {
    const open = this.#count.opened() + Math.min(this.#excess, this.#count.lingering);
    if (open < this.#limits.maxConnections && this.#mayHave(client, open)) return true;
    this.#count.closed();
    this.#count.refused++;
    return false;
  }

  /**
   * @param client its owner; undefined if the server cannot tell
   * @param lingerMs how long the connection may keep its descriptor, if the server provides a census
   */
  leave(client?: string, lingerMs = 0): void {
    this.#count.closed();
    if (lingerMs > 0) this.#count.lingers(lingerMs);
    if (client === undefined || this.#census !== undefined) return;
    const left = (this.#byClient.get(client) ?? 0) - 1;
    if (left > 0) this.#byClient.set(client, left);
    else this.#byClient.delete(client);
  }

  #mayHave(client: string, open: number): boolean {
    const { maxConnections, maxConnectionsPerClient } = this.#limits;
    if (this.#census !== undefined) {
      const most = open + this.#count.lingering;
      if (most < Math.min(maxConnections * UNCOUNTED_SHARE, maxConnectionsPerClient)) {
        this.#byClient.clear();
        return true;
      }
      this.#countSoon(this.#census);
    }
    const own = this.#byClient.get(client) ?? 0;
    const max = Math.min(maxConnectionsPerClient - 1, MAX_FREE_MULTIPLE * (maxConnections - open));
    if (2 * own > max) this.#isNearLimit = true;
    if (own > max) return false;
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
      // Without a census, closed connections cannot be attributed: only the total is limited.
      this.#byClient = new Map(counted);
      this.#excess = 0;
      if (counted === undefined) return;
      const seen = [...counted.values()].reduce((sum, ofClient) => sum + ofClient, 0);
      this.#excess = Math.max(0, seen - this.#count.all);
      for (const [client, opened] of since) {
        this.#byClient.set(client, (this.#byClient.get(client) ?? 0) + opened);
      }
    });
  }
}
