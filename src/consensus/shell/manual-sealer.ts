export interface ManualSealerOptions {
  /** Begins agreement, where it has not begun. */
  readonly start: () => void;
  /** Resolves when nothing is under way. */
  readonly quiet: () => Promise<void>;
  /** Told that a block is asked for, which is work. */
  readonly onRequested: () => void;
}

interface SealRequest {
  readonly timestampMs: number;
  readonly resolve: () => void;
  readonly reject: (error: Error) => void;
}

/** Blocks that are asked for by hand, one after the other. */
export class ManualSealer {
  readonly #options: ManualSealerOptions;
  #request: SealRequest | undefined;
  /** The last block that was asked for, and all before it. */
  #last: Promise<void> = Promise.resolve();

  constructor(options: ManualSealerOptions) {
    this.#options = options;
  }

  /** Resolves when the block is committed. @throws what ended agreement before that */
  async seal(timestampMs: number): Promise<void> {
    const sealed = this.#last.then(() => this.#seal(timestampMs));
    this.#last = sealed.catch(() => undefined);
    await sealed;
  }

  get isRequested(): boolean {
    return this.#request !== undefined;
  }

  /** The time of the block that is asked for, milliseconds since 1970. */
  get timestampMs(): number | undefined {
    return this.#request?.timestampMs;
  }

  /** The block that was asked for is committed, if there is one. @returns what tells so whoever asked */
  take(): (() => void) | undefined {
    const asked = this.#request;
    this.#request = undefined;
    return asked?.resolve;
  }

  /** No block comes any more. */
  fail(reason: Error): void {
    this.#request?.reject(reason);
  }

  async #seal(timestampMs: number): Promise<void> {
    const { start, quiet, onRequested } = this.#options;
    start();
    await quiet();
    await new Promise<void>((resolve, reject) => {
      this.#request = { timestampMs, resolve, reject };
      onRequested();
    });
  }
}
