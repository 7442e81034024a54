/** Allocates the nonces of one account's lane. Pure bookkeeping: the node's view is passed to `reset`. */
export class NonceAllocator {
  /** Greater than every allocated nonce. */
  #next = 0n;
  /** Unused nonces below `#next`, ascending; allocated first. */
  #free: bigint[] = [];
  /** Nonces allocated but not settled. */
  readonly #open = new Set<bigint>();
  /** Nonces open or settled since {@link prepareReset}; the node's response may predate them. */
  #changedSinceReset: Set<bigint> | undefined;

  /** Allocates the lowest unused nonce. */
  allocate(): bigint {
    const freed = this.#free.shift();
    const nonce = freed ?? this.#next++;
    this.#open.add(nonce);
    this.#changedSinceReset?.add(nonce);
    return nonce;
  }

  /** Allocates the lowest unused nonces without a gap between them. */
  allocateRun(count: number): readonly bigint[] {
    const free = new Set(this.#free);
    const isRun = (run: readonly bigint[]): boolean =>
      run.every((nonce) => nonce >= this.#next || free.has(nonce));
    const runFrom = (start: bigint): bigint[] => Array.from({ length: count }, (_, i) => start + BigInt(i));
    const starts = [...this.#free, this.#next].map(runFrom);
    const run = starts.find(isRun) ?? [];
    for (const nonce of run) {
      free.delete(nonce);
      if (nonce >= this.#next) this.#next = nonce + 1n;
      this.#open.add(nonce);
      this.#changedSinceReset?.add(nonce);
    }
    this.#free = [...free];
    return run;
  }

  /** Marks a nonce as used: the node has its transaction. */
  settle(nonce: bigint): void {
    this.#open.delete(nonce);
  }

  /** Puts an unused nonce back for the next transaction, so that it leaves no gap. */
  release(nonce: bigint): void {
    if (!this.#open.delete(nonce)) return;
    this.#changedSinceReset?.delete(nonce);
    const place = this.#free.findIndex((other) => other > nonce);
    this.#free.splice(place === -1 ? this.#free.length : place, 0, nonce);
  }

  /** Marks a nonce as possibly used, since only the node knows; a reset must follow. */
  markUnknown(nonce: bigint): void {
    this.#open.delete(nonce);
    this.#changedSinceReset?.delete(nonce);
  }

  /** Called before requesting the node's view for {@link reset}. */
  prepareReset(): void {
    this.#changedSinceReset = new Set(this.#open);
  }

  /** Restarts from the node's view: the nonce that the chain expects, and those of this lane in the pool. */
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
