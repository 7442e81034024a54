/** Hands out the nonces of one lane of one account. Pure book-keeping: what the chain says comes in by `reset`. */
export class NonceLane {
  /** Above every nonce handed out. */
  #next = 0n;
  /** Nonces below `#next` that are to be handed out first, ascending. */
  #free: bigint[] = [];
  /** Handed out and not settled. */
  readonly #open = new Set<bigint>();

  /** The lowest nonce that nothing uses. */
  take(): bigint {
    const freed = this.#free.shift();
    const nonce = freed ?? this.#next++;
    this.#open.add(nonce);
    return nonce;
  }

  /** The node has the transaction with this nonce. */
  settle(nonce: bigint): void {
    this.#open.delete(nonce);
  }

  /** The nonce was not used: the next one to ask gets it, so that no gap stays. */
  giveBack(nonce: bigint): void {
    if (!this.#open.delete(nonce)) return;
    const place = this.#free.findIndex((other) => other > nonce);
    this.#free.splice(place === -1 ? this.#free.length : place, 0, nonce);
  }

  /**
   * Starts over from what the node says.
   * @param next the nonce that the chain expects next
   * @param waiting nonces of this lane in the pool
   */
  reset(next: bigint, waiting: Iterable<bigint>): void {
    const used = new Set([...waiting, ...this.#open].filter((nonce) => nonce >= next));
    this.#free = [];
    let at = next;
    for (const nonce of [...used].sort((a, b) => (a < b ? -1 : 1))) {
      for (; at < nonce; at++) this.#free.push(at);
      at = nonce + 1n;
    }
    this.#next = at;
  }
}
