/**
 * A future value for one listener: like a promise, but without microtasks; a call answered by a worker would
 * otherwise need about six. It never fails; errors are values.
 *
 * Hot: guarded by `bench/view-call.bench.ts`.
 */
export class Deferred<T> implements PromiseLike<T> {
  /** Transformations of the value, in order. */
  readonly #steps: ((value: never) => unknown)[] = [];
  #listener: ((value: never) => void) | undefined;
  #onFailure: ((error: unknown) => void) | undefined;
  #value: unknown;
  #isSettled = false;

  /** Sets the value and calls the listener synchronously; later calls are ignored. */
  resolve(value: T): void {
    if (this.#isSettled) return;
    this.#isSettled = true;
    this.#value = value;
    if (this.#listener !== undefined) this.#deliver(this.#listener);
  }

  /** Adds a transformation and returns this object under its new type; the old reference must not be used any more. */
  map<U>(step: (value: T) => U): Deferred<U> {
    this.#steps.push(step);
    return this as Deferred<unknown> as Deferred<U>;
  }

  /**
   * Sets the listener; calls it at once if the value is already set.
   * @param onFailure called with errors thrown by a transformation or the listener; by default they are thrown to the
   *   caller that settles this
   */
  whenSettled(listener: (value: T) => void, onFailure?: (error: unknown) => void): void {
    this.#listener = listener;
    this.#onFailure = onFailure;
    if (this.#isSettled) this.#deliver(listener);
  }

  /** Makes the value awaitable; rejects if a transformation throws. */
  // biome-ignore lint/suspicious/noThenProperty: it may be awaited
  then<A = T, B = never>(
    onValue?: ((value: T) => A | PromiseLike<A>) | null,
    onError?: ((error: unknown) => B | PromiseLike<B>) | null,
  ): Promise<A | B> {
    return new Promise<T>((resolve) => this.whenSettled(resolve)).then(onValue, onError);
  }

  #deliver(listener: (value: never) => void): void {
    let value: unknown = this.#value;
    try {
      for (const step of this.#steps) value = step(value as never);
      listener(value as never);
    } catch (error) {
      if (this.#onFailure === undefined) throw error;
      this.#onFailure(error);
    }
  }
}
