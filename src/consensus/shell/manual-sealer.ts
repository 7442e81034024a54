/** Thrown when consensus ends before a requested block is committed. */
export class SealError extends Error {
  override readonly name = 'SealError';
}

interface SealRequest {
  readonly timestampMs: number;
  readonly resolve: () => void;
  readonly reject: (error: Error) => void;
}

/** Serializes manual requests for blocks. */
export class ManualSealer {
  #request: SealRequest | undefined;
  #failure: Error | undefined;
  /** Settles when the last request and all before it have ended. */
  #last: Promise<void> = Promise.resolve();

  get isRequested(): boolean {
    return this.#request !== undefined;
  }

  /** Timestamp of the requested block, milliseconds since 1970. */
  get timestampMs(): number | undefined {
    return this.#request?.timestampMs;
  }

  /**
   * Requests a block once earlier requests have ended. Resolves when the block is committed.
   * @param prepare resolves when no work is in progress
   * @param onRequested called when the block is requested, which counts as work
   * @throws the error that ended consensus first; SealError
   */
  async seal(timestampMs: number, prepare: () => Promise<void>, onRequested: () => void): Promise<void> {
    const sealed = this.#last.then(async () => {
      await prepare();
      await this.#seal(timestampMs, onRequested);
    });
    this.#last = sealed.catch(() => undefined);
    await sealed;
  }

  /** Clears the pending request, if any, once its block is committed. @returns a function that resolves the request */
  take(): (() => void) | undefined {
    const asked = this.#request;
    this.#request = undefined;
    return asked?.resolve;
  }

  /** Rejects the pending request and all later ones. */
  fail(reason: Error): void {
    this.#failure ??= reason;
    this.#request?.reject(reason);
    this.#request = undefined;
  }

  #seal(timestampMs: number, onRequested: () => void): Promise<void> {
    return new Promise<void>((resolve, reject) => {
      if (this.#failure !== undefined) {
        reject(this.#failure);
        return;
      }
      this.#request = { timestampMs, resolve, reject };
      onRequested();
    });
  }
}
