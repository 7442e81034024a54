/**
 * Dynamic thresholds (A. K. Choudhury, E. L. Hahne, "Dynamic queue length thresholds for shared-memory packet switches",
 * IEEE/ACM Transactions on Networking 6, 1998): a client may hold at most a fixed multiple of what is free. The more
 * clients take all they can get, the less each may hold, and something always stays free for a new one.
 * @param held what the client would hold
 * @param free what the resource has left
 */
export function isWithinThreshold(held: number, free: number, multiple = 2): boolean {
  return held <= multiple * free;
}

/** What the clients of one thread hold of a limited resource, under a dynamic threshold. */
export class DynamicThreshold {
  readonly #limit: number;
  readonly #byClient = new Map<string, number>();
  #used = 0;

  constructor(limit: number) {
    this.#limit = limit;
  }

  get used(): number {
    return this.#used;
  }

  get free(): number {
    return this.#limit - this.#used;
  }

  heldBy(client: string): number {
    return this.#byClient.get(client) ?? 0;
  }

  /** Takes an amount if there is room; it must be given back through {@link release}. */
  tryTake(amount: number, client: string): boolean {
    const { free } = this;
    if (amount > free || !isWithinThreshold(this.heldBy(client) + amount, free)) return false;
    this.take(amount, client);
    return true;
  }

  /** Takes an amount without a check. @param client undefined to count it for none */
  take(amount: number, client: string | undefined): void {
    this.#used += amount;
    if (client !== undefined) this.#byClient.set(client, this.heldBy(client) + amount);
  }

  release(amount: number, client: string | undefined): void {
    this.#used -= amount;
    if (client === undefined) return;
    const left = this.heldBy(client) - amount;
    if (left > 0) this.#byClient.set(client, left);
    else this.#byClient.delete(client);
  }
}
