export interface QueuedEntry<E> {
  /** The entry's nonce, counted from the queue's origin. */
  readonly position: number;
  /** Sets the ready entry directly before this one. */
  setPredecessor(before: E | undefined): void;
  /** Like {@link setPredecessor}. @returns whether that changed anything */
  updatePredecessor(before: E | undefined): boolean;
}

/** Entries ordered by nonce, possibly with gaps. Every operation takes O(1) plus the number of entries it passes. */
export class NonceQueue<E extends QueuedEntry<E>> {
  // Nonces are counted from the origin as "positions", which are safe integers. `#slots[0]` is at position `#shift`,
  // the account's next nonce at `#front`, and the first missing nonce after it at `#missing`. The last slot is never
  // empty.
  readonly #origin: bigint;
  #slots: (E | undefined)[] = [];
  #shift = 0;
  #front = 0;
  #missing = 0;
  #size = 0;

  /** @param nextNonce the account's next nonce in this lane */
  constructor(nextNonce: bigint) {
    this.#origin = nextNonce;
  }

  get size(): number {
    return this.#size;
  }

  /** Number of entries without a gap before them. */
  get readySize(): number {
    return this.#missing - this.#front;
  }

  /** Position of the first nonce that is neither used nor queued. */
  get missing(): number {
    return this.#missing;
  }

  get accountNonce(): bigint {
    return this.#origin + BigInt(this.#front);
  }

  /** The first nonce that is neither used nor queued. */
  get nextNonce(): bigint {
    return this.#origin + BigInt(this.#missing);
  }

  /** The position of a nonce, which must not be below the account's next or far above the first missing one. */
  positionOf(nonce: bigint): number {
    return Number(nonce - this.#origin);
  }

  isReady(entry: E): boolean {
    return entry.position < this.#missing;
  }

  find(nonce: bigint): E | undefined {
    return nonce < this.accountNonce ? undefined : this.at(this.positionOf(nonce));
  }

  at(position: number): E | undefined {
    return this.#slots[position - this.#shift];
  }

  get head(): E | undefined {
    return this.at(this.#front);
  }

  /** The ready entry with the highest nonce. */
  get readyEnd(): E | undefined {
    return this.at(this.#missing - 1);
  }

  get tail(): E | undefined {
    return this.#slots[this.#slots.length - 1];
  }

  /** The entry that becomes drawable once `entry` is drawn. */
  after(entry: E): E | undefined {
    return this.at(entry.position + 1);
  }

  /** The entry that becomes the tail once `entry` and everything after it are gone. */
  before(entry: E): E | undefined {
    for (let index = entry.position - this.#shift - 1; index >= 0; index--) {
      const found = this.#slots[index];
      if (found !== undefined) return found;
    }
    return undefined;
  }

  put(entry: E): void {
    const index = entry.position - this.#shift;
    while (this.#slots.length < index) this.#slots.push(undefined);
    if (this.#slots[index] === undefined) this.#size++;
    this.#slots[index] = entry;
    if (entry.position < this.#missing) entry.setPredecessor(this.at(entry.position - 1));
    else this.#closeGap();
  }

  /** Recomputes the predecessors of all ready entries; a replacement by a higher-paying entry leaves them stale. */
  refresh(): void {
    let before: E | undefined;
    for (let position = this.#front; position < this.#missing; position++) {
      const entry = this.at(position);
      entry?.setPredecessor(before);
      before = entry;
    }
  }

  remove(entry: E): void {
    const index = entry.position - this.#shift;
    if (this.#slots[index] !== entry) return;
    this.#slots[index] = undefined;
    this.#size--;
    if (entry.position < this.#missing) this.#missing = entry.position;
    this.#trim();
  }

  /** Advances to the account's next nonce and returns the entries left behind, in order. */
  advance(nextNonce: bigint): E[] {
    const front = this.positionOf(nextNonce);
    if (front <= this.#front) return [];
    const from = this.#front - this.#shift;
    const to = front - this.#shift;
    const passed = this.#slots.slice(from, to).filter((entry) => entry !== undefined);
    this.#size -= passed.length;
    if (this.#size === 0) {
      this.#slots = [];
      this.#shift = front;
    } else {
      this.#slots.fill(undefined, from, to);
      this.#discardFront(front);
    }
    this.#front = front;
    this.#missing = Math.max(this.#missing, front);
    this.#updateAfterFront();
    this.#closeGap();
    return passed;
  }

  *entries(): IterableIterator<E> {
    for (const entry of this.#slots) if (entry !== undefined) yield entry;
  }

  /** Entries at positions from `start` to `end` (exclusive), ascending. */
  between(start: number, end: number): E[] {
    return this.#slots
      .slice(Math.max(0, start - this.#shift), Math.max(0, end - this.#shift))
      .filter((entry) => entry !== undefined);
  }

  #closeGap(): void {
    for (let before = this.readyEnd; ; this.#missing++) {
      const entry = this.at(this.#missing);
      if (entry === undefined) return;
      entry.setPredecessor(before);
      before = entry;
    }
  }

  /** Updates the predecessors of ready entries after the front has moved, until nothing changes. */
  #updateAfterFront(): void {
    let before: E | undefined;
    for (let position = this.#front; position < this.#missing; position++) {
      const entry = this.at(position);
      if (entry === undefined || !entry.updatePredecessor(before)) return;
      before = entry;
    }
  }

  #trim(): void {
    while (this.#slots.length > 0 && this.tail === undefined) this.#slots.pop();
  }

  /** Discards the slots before `front` once they are half of the array: amortizes moving the rest. */
  #discardFront(front: number): void {
    const unused = front - this.#shift;
    if (unused * 2 < this.#slots.length) return;
    this.#slots.splice(0, unused);
    this.#shift = front;
  }
}
