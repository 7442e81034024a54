/** The first reason why a node cannot go on. */
export class FailureSignal {
  /** Resolves with the reason. */
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

  /** Reports a reason; later ones are passed over. */
  readonly fail = (error: Error): void => {
    this.#error ??= error;
    this.#resolve(error);
  };

  /** @throws the first reason, where it comes before the result */
  async raceWithFailure<T>(work: Promise<T>): Promise<T> {
    const failed = this.first.then((error): never => {
      throw error;
    });
    return await Promise.race([work, failed]);
  }
}
