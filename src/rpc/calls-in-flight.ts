/** Calls that wait for their answer: of this thread, and of all threads that were given the same memory. */
export class CallsInFlight {
  readonly #all: Int32Array;
  #own = 0;

  /** @param memory of four bytes; left out, nobody else counts */
  constructor(memory: SharedArrayBuffer = new SharedArrayBuffer(4)) {
    this.#all = new Int32Array(memory);
  }

  get own(): number {
    return this.#own;
  }

  get all(): number {
    return Atomics.load(this.#all, 0);
  }

  /** @returns whether there was a place; however many threads ask at once, there are never more than `most` */
  tryEnter(most: number): boolean {
    if (Atomics.add(this.#all, 0, 1) >= most) {
      Atomics.sub(this.#all, 0, 1);
      return false;
    }
    this.#own++;
    return true;
  }

  /** For a call that has had a place, or began without anybody knowing that it would wait. */
  enter(): void {
    this.#own++;
    Atomics.add(this.#all, 0, 1);
  }

  leave(): void {
    this.#own--;
    Atomics.sub(this.#all, 0, 1);
  }
}
