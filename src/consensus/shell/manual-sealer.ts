export interface ManualSealerOptions {
  /** Starts consensus if it is not running. */
  readonly start: () => void;
  /** Resolves when no work is in progress. */
  readonly quiet: () => Promise<void>;
  /** Called when a block is requested, which counts as work. */
  readonly onRequested: () => void;
}

interface SealRequest {
  readonly timestampMs: number;
  readonly resolve: () => void;
  readonly reject: (error: Error) => void;
}

/** Serializes manual requests for blocks. */
export class ManualSealer {
  readonly #options: ManualSealerOptions;
  #request: SealRequest | undefined;
  /** Settles when the last request and all before it have ended. */
  #last: Promise<void> = Promise.resolve();

  constructor(options: ManualSealerOptions) {
    this.#options = options;
  }

  /** Resolves when the block is committed. @throws the error that ended consensus first */
  async seal(timestampMs: number): Promise<void> {
    const sealed = this.#last.then(() => this.#seal(timestampMs));
    this.#last = sealed.catch(() => undefined);
    await sealed;
  }

  get isRequested(): boolean {
    return this.#request !== undefined;
  }

  /** Timestamp of the requested block, milliseconds since 1970. */
  get timestampMs(): number | undefined {
    return this.#request?.timestampMs;
  }

  /** Clears the pending request, if any, once its block is committed. @returns a function that resolves the request */
  take(): (() => void) | undefined {
    const asked = this.#request;
    this.#request = undefined;
    return asked?.resolve;
  }

  /** Rejects the pending request. */
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
