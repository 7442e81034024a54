/** Hands out the nonces of one lane of one account. Pure book-keeping: what the node says comes in by `reset`. */
export class NonceAllocator {
  /** Above every nonce handed out. */
  #next = 0n;
  /** Nonces below `#next` that are to be handed out first, ascending. */
  #free: bigint[] = [];
  /** Handed out and not settled. */
  readonly #open = new Set<bigint>();
  /** Open or settled since {@link prepareReset}: the node's answer may be older than they are. */
  #changedSinceReset: Set<bigint> | undefined;

  /** The lowest nonce that nothing uses. */
  allocate(): bigint {
    const freed = this.#free.shift();
    const nonce = freed ?? this.#next++;
    this.#open.add(nonce);
    this.#changedSinceReset?.add(nonce);
    return nonce;
  }

  /** The node has the transaction with this nonce. */
  settle(nonce: bigint): void {
    this.#open.delete(nonce);
  }

  /** The nonce was not used: the next one to ask gets it, so that no gap stays. */
  release(nonce: bigint): void {
    if (!this.#open.delete(nonce)) return;
    this.#changedSinceReset?.delete(nonce);
    const place = this.#free.findIndex((other) => other > nonce);
    this.#free.splice(place === -1 ? this.#free.length : place, 0, nonce);
  }

  /** Whether the nonce is used is for the node to say: to be followed by a reset. */
  markUnknown(nonce: bigint): void {
    this.#open.delete(nonce);
    this.#changedSinceReset?.delete(nonce);
  }

  /** Called before the node is asked for what {@link reset} is then given. */
  prepareReset(): void {
    this.#changedSinceReset = new Set(this.#open);
  }

  /**
   * Starts over from what the node says.
   * @param next the nonce that the chain expects next
   * @param waiting nonces of this lane in the pool
   */
  reset(next: bigint, waiting: Iterable<bigint>): void {
    const used = new Set([...waiting, ...this.#open, ...(this.#changedSinceReset ?? [])]);
    this.#changedSinceReset = undefined;
    this.#free = [];
    let at = next;
    for (const nonce of [...used].filter((one) => one >= next).sort((a, b) => (a < b ? -1 : 1))) {
      for (; at < nonce; at++) this.#free.push(at);
      at = nonce + 1n;
    }
    this.#next = at;
  }
}
