type Step = () => unknown;

/** Ends what was started, the last first; a step that fails does not keep the others from ending. */
export class Teardown {
  readonly #steps: Step[] = [];
  #running: Promise<void> | undefined;

  /**
   * Adds how to end what was just started; a promise that it returns is waited for. Once everything is being ended, because the
   * start failed elsewhere, the step is taken at once.
   */
  add(step: Step): void {
    if (this.#running === undefined) this.#steps.unshift(step);
    else void this.#running.then(step, step).catch(() => undefined);
  }

  /**
   * Ends everything, once.
   * @throws what a step threw; an AggregateError where several did
   */
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
    if (errors.length > 1) throw new AggregateError(errors, 'several parts could not be ended');
  }
}
