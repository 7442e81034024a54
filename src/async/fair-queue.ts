/** Worker time that each client gets per round, in milliseconds. */
const QUANTUM_MS = 5;
/** Weight of the newest sample in a client's average cost per item. */
const NEW_SAMPLE_WEIGHT = 0.25;
/** Assumed cost of an item of an unknown client, in milliseconds. */
const DEFAULT_COST_MS = 0.02;
/** Maximum number of idle clients whose average cost and debt are remembered. */
const MAX_REMEMBERED = 4_096;

export interface Queued {
  readonly bytes: number;
  /** When the item was queued, in milliseconds of the queue's clock. */
  readonly since: number;
}

/** A client's queue and its share of worker time. */
export class QueueClient<T extends Queued> {
  /** In arrival order, starting at {@link head}. */
  readonly items: T[] = [];
  head = 0;
  bytes = 0;
  /** Average cost of an item, in milliseconds of worker time. */
  averageMs = DEFAULT_COST_MS;
  /** Worker time left in this round, in milliseconds; negative if the client has overdrawn it. */
  creditMs = 0;
  /** The time from which the client's items are trusted to be cheap; set by the owner of the queue. */
  trustedFrom = Number.POSITIVE_INFINITY;
  leftAt = 0;
  isWaiting = false;

  constructor(readonly name: string) {}

  get size(): number {
    return this.items.length - this.head;
  }

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
 * Schedules the items of many clients so that all clients with waiting items get equal worker time: deficit round robin
 * (M. Shreedhar, G. Varghese, "Efficient fair queueing using deficit round robin", SIGCOMM 1995), adapted to costs that
 * are known only afterwards. An item is charged its client's average cost when it is taken, and the difference when it
 * is done. A client that overdraws its share waits until the others have had theirs. Its debt outlasts an empty queue;
 * idle time pays it off.
 */
export class FairQueue<T extends Queued> {
  /** Clients with waiting items, in round-robin order. */
  readonly #ring: QueueClient<T>[] = [];
  /** By name, least recently used first. */
  readonly #clients = new Map<string, QueueClient<T>>();
  #size = 0;
  #bytes = 0;

  get size(): number {
    return this.#size;
  }

  get bytes(): number {
    return this.#bytes;
  }

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

  /** Looks up a remembered client without marking it as used. */
  known(name: string): QueueClient<T> | undefined {
    return this.#clients.get(name);
  }

  push(client: QueueClient<T>, item: T): void {
    client.items.push(item);
    this.#added(client, item);
  }

  putBack(client: QueueClient<T>, item: T): void {
    if (client.head > 0) client.items[--client.head] = item;
    else client.items.unshift(item);
    this.#added(client, item);
  }

  /** Removes the next item and returns it. @param mayTake a client keeps its turn if this returns false */
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

  /** True if the first item of a matching client has waited since before `time`. */
  hasWaited(time: number, matches: (client: QueueClient<T>) => boolean): boolean {
    return this.#ring.some((client) => matches(client) && (client.items[client.head]?.since ?? time) < time);
  }

  /** Settles the actual cost of an item, which was charged at the client's average when taken. */
  charge(client: QueueClient<T>, ms: number): void {
    client.creditMs -= ms - client.averageMs;
    client.averageMs += NEW_SAMPLE_WEIGHT * (ms - client.averageMs);
  }

  /** Drops the newest item of the client with the largest backlog by {@link weight}. */
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
      for (const item of kept) client.items.push(item);
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

  /** Tops up all clients until one has credit. Returns false if no client may be taken from. */
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
    // Time spent idle pays off debt; credit does not accumulate.
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

  #forgetOldest(): void {
    for (const client of this.#clients.values()) {
      if (client.isWaiting) continue;
      this.#clients.delete(client.name);
      return;
    }
  }
}

/** Backlog in bytes, plus a fixed charge for each item so that many small ones count too. */
function weight({ bytes, size }: QueueClient<Queued>): number {
  return bytes + 1_024 * size;
}
