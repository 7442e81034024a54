/** The first reason why a node cannot continue. */
export class FailureSignal {
  readonly first: Promise<Error>;
  #error: Error | undefined;
  #resolve: (error: Error) => void = () => undefined;

  constructor() {
    this.first = new Promise((resolve) => {
      this.#resolve = resolve;
    });
  }

  get error(): Error | undefined {
    return this.#error;
  }

  /** Reports a reason; only the first one counts. */
  readonly fail = (error: Error): void => {
    this.#error ??= error;
    this.#resolve(error);
  };

  /** @throws the first reason, if one was reported */
  throwIfFailed(): void {
    if (this.#error !== undefined) throw this.#error;
  }

  /** Resolves with the result of `work`. @throws the first reason, if it is reported before the result */
  async raceWithFailure<T>(work: Promise<T>): Promise<T> {
    const failed = this.first.then((error): never => {
      throw error;
    });
    return await Promise.race([work, failed]);
  }
}
