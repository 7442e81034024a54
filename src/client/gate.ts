/** Lets at most so many through at a time, the others in the order in which they came. */
export class Gate {
  readonly #capacity: number;
  readonly #waiting: (() => void)[] = [];
  #inside = 0;

  constructor(capacity: number) {
    this.#capacity = capacity;
  }

  /** Runs `work` once there is room. */
  async run<T>(work: () => Promise<T>): Promise<T> {
    // Whoever leaves hands its place on, so that nobody can slip in between.
    if (this.#inside < this.#capacity) this.#inside++;
    else await new Promise<void>((enter) => this.#waiting.push(enter));
    try {
      return await work();
    } finally {
      const next = this.#waiting.shift();
      if (next === undefined) this.#inside--;
      else next();
    }
  }
}
