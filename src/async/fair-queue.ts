/** How much time of a worker each client gets before it is the next one's turn, in milliseconds. */
const QUANTUM_MS = 5;
/** How much the newest item counts in what a client's items are taken to cost. */
const NEW_SAMPLE_WEIGHT = 0.25;
/** What an item is taken to cost of whom nothing is known. */
const DEFAULT_COST_MS = 0.02;
/** Clients that have nothing waiting and are remembered for what they cost, or still owe. */
const MAX_REMEMBERED = 4_096;

/** What takes turns. */
export interface Queued {
  readonly bytes: number;
  /** Milliseconds, of the clock that the queue is asked with. */
  readonly since: number;
}

/** One of those whose items wait. */
export class QueueClient<T extends Queued> {
  readonly name: string;
  /** In the order in which they came, from {@link head}. */
  readonly items: T[] = [];
  head = 0;
  bytes = 0;
  /** What an item of it costs, in milliseconds of a worker. */
  averageMs = DEFAULT_COST_MS;
  /** What it may still use before it is the next one's turn; negative where it has used more. */
  creditMs = 0;
  /** The time from which its items are trusted to be cheap; the queue's user sets it. */
  trustedFrom = Number.POSITIVE_INFINITY;
  /** When its last item was taken. */
  leftAt = 0;
  isWaiting = false;

  constructor(name: string) {
    this.name = name;
  }

  get size(): number {
    return this.items.length - this.head;
  }

  /** Takes the oldest. */
  shift(): T | undefined {
    const item = this.items[this.head];
    if (item === undefined) return undefined;
    this.head++;
    this.bytes -= item.bytes;
    if (this.head > 64 && this.head * 2 > this.items.length) {
      this.items.splice(0, this.head);
      this.head = 0;
    }
    return item;
  }
}

/**
 * Items of many clients, taken so that each client gets the same share of the workers' time while it has something waiting:
 * deficit round robin (M. Shreedhar, G. Varghese, "Efficient fair queueing using deficit round robin", SIGCOMM 1995), with what
 * an item costs known only afterwards. It is charged what the client's items cost on average when it is taken, and the
 * difference when it is done; who has used more than its share waits for others to have had theirs, and also owes it when it
 * comes back.
 */
export class FairQueue<T extends Queued> {
  /** Those that have something waiting, in the order of their turns. */
  readonly #ring: QueueClient<T>[] = [];
  /** By name; the one used last comes last. */
  readonly #clients = new Map<string, QueueClient<T>>();
  #size = 0;
  #bytes = 0;

  get size(): number {
    return this.#size;
  }

  get bytes(): number {
    return this.#bytes;
  }

  /** How many clients have something waiting. */
  get clients(): number {
    return this.#ring.length;
  }

  client(name: string): QueueClient<T> {
    let client = this.#clients.get(name);
    if (client === undefined) {
      client = new QueueClient(name);
      if (this.#clients.size >= MAX_REMEMBERED) this.#forgetOldest();
    } else {
      this.#clients.delete(name);
    }
    this.#clients.set(name, client);
    return client;
  }

  /** A client that is remembered, and does not count as used by this. */
  known(name: string): QueueClient<T> | undefined {
    return this.#clients.get(name);
  }

  push(client: QueueClient<T>, item: T): void {
    client.items.push(item);
    this.#added(client, item);
  }

  /** Puts an item back to where it was taken from. */
  putBack(client: QueueClient<T>, item: T): void {
    if (client.head > 0) client.items[--client.head] = item;
    else client.items.unshift(item);
    this.#added(client, item);
  }

  /**
   * The next item, and whose it is.
   * @param mayTake clients for which it says no keep their turn
   */
  take(now: number, mayTake: (client: QueueClient<T>) => boolean): readonly [QueueClient<T>, T] | undefined {
    const ring = this.#ring;
    for (let passed = 0; passed < ring.length; ) {
      const client = ring[0];
      if (client === undefined) return undefined;
      if (client.creditMs > 0 && mayTake(client)) return this.#takeOf(client, now);
      ring.shift();
      ring.push(client);
      if (client.creditMs <= 0) client.creditMs += QUANTUM_MS;
      passed++;
      if (passed === ring.length && this.#replenishCredit(mayTake)) passed = 0;
    }
    return undefined;
  }

  /** Whether an item of such a client has waited since before a time. */
  hasWaited(time: number, isMeant: (client: QueueClient<T>) => boolean): boolean {
    return this.#ring.some((client) => isMeant(client) && (client.items[client.head]?.since ?? time) < time);
  }

  /** What an item of a client cost, which has been charged as usual. */
  charge(client: QueueClient<T>, ms: number): void {
    client.creditMs -= ms - client.averageMs;
    client.averageMs += NEW_SAMPLE_WEIGHT * (ms - client.averageMs);
  }

  /** Takes the newest item of whoever has the most bytes waiting, or the most items where those are few. */
  takeFromLargest(): T | undefined {
    let largest: QueueClient<T> | undefined;
    for (const client of this.#ring) {
      if (largest === undefined || weight(client) > weight(largest)) largest = client;
    }
    const item = largest?.items.pop();
    if (largest === undefined || item === undefined) return undefined;
    largest.bytes -= item.bytes;
    this.#removed(largest, item);
    return item;
  }

  /** Takes out every item for which the test says so. */
  drop(test: (item: T) => boolean): T[] {
    const dropped: T[] = [];
    for (const client of [...this.#ring]) {
      const kept: T[] = [];
      for (const item of client.items.slice(client.head)) {
        if (test(item)) {
          dropped.push(item);
          client.bytes -= item.bytes;
          this.#size--;
          this.#bytes -= item.bytes;
        } else {
          kept.push(item);
        }
      }
      client.items.length = 0;
      client.items.push(...kept);
      client.head = 0;
      if (kept.length === 0) this.#leave(client);
    }
    return dropped;
  }

  #takeOf(client: QueueClient<T>, now: number): readonly [QueueClient<T>, T] | undefined {
    const item = client.shift();
    if (item === undefined) return undefined;
    client.creditMs -= client.averageMs;
    client.leftAt = now;
    this.#removed(client, item);
    return [client, item];
  }

  /** Where nobody has credit, all get so much that somebody has; false where there is nobody who may be taken from. */
  #replenishCredit(mayTake: (client: QueueClient<T>) => boolean): boolean {
    let best = Number.NEGATIVE_INFINITY;
    for (const client of this.#ring) if (mayTake(client)) best = Math.max(best, client.creditMs);
    if (best === Number.NEGATIVE_INFINITY || best > 0) return best > 0;
    for (const client of this.#ring) client.creditMs += QUANTUM_MS - best;
    return true;
  }

  #added(client: QueueClient<T>, item: T): void {
    client.bytes += item.bytes;
    this.#size++;
    this.#bytes += item.bytes;
    if (client.isWaiting) return;
    client.isWaiting = true;
    // What it owes has become less with the time that others had meanwhile; credit is not saved up.
    client.creditMs = Math.min(QUANTUM_MS, client.creditMs + Math.max(0, item.since - client.leftAt));
    this.#ring.push(client);
  }

  #removed(client: QueueClient<T>, item: T): void {
    this.#size--;
    this.#bytes -= item.bytes;
    if (client.size === 0) this.#leave(client);
  }

  #leave(client: QueueClient<T>): void {
    client.isWaiting = false;
    client.items.length = 0;
    client.head = 0;
    this.#ring.splice(this.#ring.indexOf(client), 1);
  }

  /** The one used longest ago that has nothing waiting. */
  #forgetOldest(): void {
    for (const client of this.#clients.values()) {
      if (client.isWaiting) continue;
      this.#clients.delete(client.name);
      return;
    }
  }
}

/** Bytes, with so much for each item that many small ones count too. */
function weight({ bytes, size }: QueueClient<Queued>): number {
  return bytes + 1_024 * size;
}
