/** Work whose end others may watch. Few do, so the signal is created on first use. */
export abstract class Abortable {
  #controller: AbortController | undefined;
  #isOver = false;

  get isOver(): boolean {
    return this.#isOver;
  }

  /** Aborted when nobody waits for the answer any more. */
  get signal(): AbortSignal {
    if (this.#controller === undefined) {
      this.#controller = new AbortController();
      if (this.#isOver) this.#controller.abort();
    }
    return this.#controller.signal;
  }

  end(): void {
    this.#isOver = true;
  }

  abort(): void {
    this.#isOver = true;
    this.#controller?.abort();
  }
}
