/**
 * A value that comes later, for one listener: what a promise is, without its turns of the microtask queue, of which a call
 * that a worker answers would take half a dozen. Never fails: what can go wrong is one of the values.
 *
 * Hot: guarded by `bench/view-call.bench.ts`.
 */
export class Deferred<T> implements PromiseLike<T> {
  /** What is done with the value on its way, in order. */
  readonly #steps: ((value: never) => unknown)[] = [];
  #listener: ((value: never) => void) | undefined;
  #onFailure: ((error: unknown) => void) | undefined;
  #value: unknown;
  #isSettled = false;

  /** Sets the value; a second one is ignored. The listener is called before this returns. */
  resolve(value: T): void {
    if (this.#isSettled) return;
    this.#isSettled = true;
    this.#value = value;
    if (this.#listener !== undefined) this.#deliver(this.#listener);
  }

  /** The same thing with a step more on the way; this one is not to be used any more. */
  map<U>(step: (value: T) => U): Deferred<U> {
    this.#steps.push(step);
    return asDeferred(this);
  }

  /**
   * Calls the listener with the value: at once where it is there.
   * @param onFailure gets what a step or the listener throws; left out, whoever settles gets it
   */
  whenSettled(listener: (value: T) => void, onFailure?: (error: unknown) => void): void {
    this.#listener = listener;
    this.#onFailure = onFailure;
    if (this.#isSettled) this.#deliver(listener);
  }

  /** Runs the steps although nobody wants the result: they count calls, among other things. */
  discard(): void {
    this.whenSettled(() => undefined);
  }

  /** As a promise, which rejects where a step throws and the value is there already. */
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

/** The same thing, said of the value that its last step makes. */
function asDeferred<T>(later: Deferred<unknown>): Deferred<T> {
  return later as Deferred<T>;
}
