/**
 * Ends something that is under way, once, for one listener at a time. Made for each task anew: an AbortController costs as
 * much as a cheap call, and one that a library listened on must not be used again.
 */
export class Cancellation {
  #isCancelled = false;
  #listener: (() => void) | undefined;

  get isCancelled(): boolean {
    return this.#isCancelled;
  }

  cancel(): void {
    if (this.#isCancelled) return;
    this.#isCancelled = true;
    this.#listener?.();
  }

  /** Calls the listener when it is cancelled, at once where it is already; undefined: nobody. */
  onCancel(listener: (() => void) | undefined): void {
    this.#listener = listener;
    if (this.#isCancelled) listener?.();
  }
}

/**
 * Has a signal cancel what is under way.
 * @returns ends that; to be called when it is done
 */
export function cancelOn(signal: AbortSignal | undefined, cancellation: Cancellation): () => void {
  if (signal === undefined) return () => undefined;
  const cancel = () => cancellation.cancel();
  if (signal.aborted) cancel();
  signal.addEventListener('abort', cancel);
  return () => signal.removeEventListener('abort', cancel);
}
