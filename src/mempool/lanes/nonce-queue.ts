/** An entry of a {@link NonceQueue}. */
export interface QueuedEntry<E> {
  /** Its nonce, counted from the queue's origin. */
  readonly position: number;
  /** Takes note of the ready entry directly before it. */
  setPredecessor(before: E | undefined): void;
  /** As {@link setPredecessor}. @returns whether that changes anything */
  updatePredecessor(before: E | undefined): boolean;
}

/** Entries ordered by nonce, possibly with gaps. Every operation is O(1), apart from the entries that it passes. */
export class NonceQueue<E extends QueuedEntry<E>> {
  // Nonces are counted from the origin as "positions", which are safe integers. `#slots[0]` is at position `#shift`,
  // the account's next nonce at `#front`, the first nonce missing from there on at `#missing`. The last slot is never empty.
  readonly #origin: bigint;
  #slots: (E | undefined)[] = [];
  #shift = 0;
  #front = 0;
  #missing = 0;
  #size = 0;

  /** @param nextNonce the nonce that the account expects next in this lane */
  constructor(nextNonce: bigint) {
    this.#origin = nextNonce;
  }

  get size(): number {
    return this.#size;
  }

  /** How many wait for no earlier nonce to come. */
  get readySize(): number {
    return this.#missing - this.#front;
  }

  /** The position of the first nonce that is neither used nor here. */
  get missing(): number {
    return this.#missing;
  }

  /** The nonce that the account expects next. */
  get accountNonce(): bigint {
    return this.#origin + BigInt(this.#front);
  }

  /** The first nonce that is neither used nor here. */
  get nextNonce(): bigint {
    return this.#origin + BigInt(this.#missing);
  }

  /** The position of a nonce that is not below the account's next and not far beyond the missing one. */
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

  /** The transaction with the account's next nonce. */
  get head(): E | undefined {
    return this.at(this.#front);
  }

  /** Of those that wait for no earlier nonce to come the one with the highest. */
  get readyEnd(): E | undefined {
    return this.at(this.#missing - 1);
  }

  /** The transaction with the highest nonce. */
  get tail(): E | undefined {
    return this.#slots[this.#slots.length - 1];
  }

  /** The one that becomes drawable once `entry` was drawn. */
  after(entry: E): E | undefined {
    return this.at(entry.position + 1);
  }

  /** The one that becomes the tail once `entry` and all beyond it are gone. */
  before(entry: E): E | undefined {
    for (let index = entry.position - this.#shift - 1; index >= 0; index--) {
      const found = this.#slots[index];
      if (found !== undefined) return found;
    }
    return undefined;
  }

  /** Puts an entry at its position, in the place of one that may stand there. */
  put(entry: E): void {
    const index = entry.position - this.#shift;
    while (this.#slots.length < index) this.#slots.push(undefined);
    if (this.#slots[index] === undefined) this.#size++;
    this.#slots[index] = entry;
    if (entry.position < this.#missing) entry.setPredecessor(this.at(entry.position - 1));
    else this.#closeGap();
  }

  /** Tells all ready ones what is before them now: one that was replaced by one that pays more has told nobody. */
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

  /** Tells that the account now expects `nextNonce`, and gives the entries that this leaves behind, in order. */
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
    for (const entry of this.#slots) {
      if (entry !== undefined) yield entry;
    }
  }

  /** The entries at positions from `start` on, up to but without `end`, ascending. */
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

  /** Tells the ready ones that those before the front are gone, as far as that is news. */
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

  /** Gives up the slots before `front` once they are most of the array, so that moving the rest is paid for. */
  #discardFront(front: number): void {
    const unused = front - this.#shift;
    if (unused * 2 < this.#slots.length) return;
    this.#slots.splice(0, unused);
    this.#shift = front;
  }
}
