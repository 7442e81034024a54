/** Events between the connection that reports them and the program that takes them, at most `limit`. */
export class EventBuffer<T> {
  readonly #limit: number;
  readonly #items: T[] = [];
  #ended = false;
  #error: { readonly value: unknown } | undefined;
  #changed = signal();

  constructor(limit: number) {
    this.#limit = limit;
  }

  /** How many more events fit. */
  get room(): number {
    return this.#limit - this.#items.length;
  }

  /** Adds an event; callers check {@link room} first. Ignored after the end. */
  add(item: T): void {
    if (this.#ended) return;
    this.#items.push(item);
    this.#notify();
  }

  /** Ends the queue: {@link next} gives the remaining events, then throws the error, if there is one. */
  end(error?: { readonly value: unknown }): void {
    if (this.#ended) return;
    this.#ended = true;
    this.#error = error;
    this.#notify();
  }

  /** Ends the queue and drops its events. */
  close(): void {
    this.#items.length = 0;
    this.end();
  }

  /** The next event, once there is one; undefined after the end. */
  async next(): Promise<{ readonly item: T } | undefined> {
    while (this.#items.length === 0 && !this.#ended) await this.#changed.promise;
    if (this.#items.length > 0) {
      const item = this.#items.shift() as T;
      this.#notify();
      return { item };
    }
    if (this.#error !== undefined) throw this.#error.value;
    return undefined;
  }

  /** Waits until at least half of the queue is free, or it has ended. */
  async drained(): Promise<void> {
    while (!this.#ended && this.#items.length > this.#limit / 2) await this.#changed.promise;
  }

  #notify(): void {
    const { resolve } = this.#changed;
    this.#changed = signal();
    resolve();
  }
}

/** A promise that its owner resolves. */
export function signal(): { readonly promise: Promise<void>; readonly resolve: () => void } {
  let resolve: () => void = () => undefined;
  const promise = new Promise<void>((done) => {
    resolve = done;
  });
  return { promise, resolve };
}
