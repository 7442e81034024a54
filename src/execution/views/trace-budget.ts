/**
 * Remaining size of a trace, in bytes of JSON, reserved before anything is stored to bound memory. After the first
 * failure nothing more fits, so that a truncated trace contains its beginning.
 */
export class TraceBudget {
  readonly #bytes: number;
  #left: number;
  #isExhausted = false;

  constructor(bytes: number) {
    this.#bytes = bytes;
    this.#left = bytes;
  }

  /** True if something did not fit. */
  get isExhausted(): boolean {
    return this.#isExhausted;
  }

  get left(): number {
    return this.#left;
  }

  get used(): number {
    return this.#bytes - this.#left;
  }

  /** Reserves bytes; false if there are not enough left. */
  take(bytes: number): boolean {
    if (this.#isExhausted) return false;
    if (bytes > this.#left) {
      this.exhaust();
      return false;
    }
    this.#left -= bytes;
    return true;
  }

  /** Returns a JSON array of the leading texts that fit the remaining budget, and charges for them. */
  list(texts: readonly string[]): string {
    const tooMany = texts.findIndex((text) => !this.take(text.length + 1));
    return `[${(tooMany === -1 ? texts : texts.slice(0, tooMany)).join(',')}]`;
  }

  /** Marks the budget as exhausted for a reason other than size. */
  exhaust(): void {
    this.#isExhausted = true;
  }
}
