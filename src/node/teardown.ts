type Step = () => unknown;

/** Runs stop steps in reverse order of start; a failing step does not prevent the others. */
export class Teardown {
  readonly #steps: Step[] = [];
  #running: Promise<void> | undefined;

  /**
   * Adds the stop step of a part that just started; a returned promise is awaited. If teardown is already running,
   * because the start failed elsewhere, the step runs at once.
   */
  add(step: Step): void {
    if (this.#running === undefined) this.#steps.unshift(step);
    else void this.#running.then(step, step).catch(() => undefined);
  }

  /** Runs all steps, once. @throws the error of a failed step; an AggregateError if several failed */
  run(): Promise<void> {
    this.#running ??= this.#run();
    return this.#running;
  }

  async #run(): Promise<void> {
    const errors: unknown[] = [];
    for (const step of this.#steps) {
      try {
        await step();
      } catch (error) {
        errors.push(error);
      }
    }
    if (errors.length === 1) throw errors[0];
    if (errors.length > 1) throw new AggregateError(errors, 'several parts failed to stop');
  }
}

/** Does something with parts that end afterwards, even if it fails. */
export async function withTeardown<T>(use: (teardown: Teardown) => Promise<T>): Promise<T> {
  const teardown = new Teardown();
  try {
    return await use(teardown);
  } finally {
    await teardown.run();
  }
}
