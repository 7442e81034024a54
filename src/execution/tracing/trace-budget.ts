/**
 * How large a trace may still become, in bytes of JSON. It is asked before anything is kept, so that memory is bounded
 * while a trace is collected. Once something did not fit nothing more does: what a trace holds is its beginning.
 */
export class TraceBudget {
  #left: number;
  #isExhausted = false;

  constructor(bytes: number) {
    this.#left = bytes;
  }

  /** Whether something did not fit. */
  get isExhausted(): boolean {
    return this.#isExhausted;
  }

  /** How many bytes are left. */
  get left(): number {
    return this.#left;
  }

  /** Takes so many bytes; false where there is not that much left. */
  take(bytes: number): boolean {
    if (this.#isExhausted) return false;
    if (bytes > this.#left) {
      this.exhaust();
      return false;
    }
    this.#left -= bytes;
    return true;
  }

  /** Ends collecting for a reason other than size. */
  exhaust(): void {
    this.#isExhausted = true;
  }
}
