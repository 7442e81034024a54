/**
 * Cancels a task once, for one listener at a time. Created per task: an AbortController costs as much as a cheap call,
 * and one that a library has listened on cannot be reused.
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

  /** Sets the listener, called at once if already cancelled; undefined removes it. */
  onCancel(listener: (() => void) | undefined): void {
    this.#listener = listener;
    if (this.#isCancelled) listener?.();
  }
}

/**
 * Cancels when the signal aborts.
 * @returns a function that stops following the signal, to be called when the task is done
 */
export function cancelOn(signal: AbortSignal | undefined, cancellation: Cancellation): () => void {
  if (signal === undefined) return () => undefined;
  const cancel = () => cancellation.cancel();
  if (signal.aborted) cancel();
  signal.addEventListener('abort', cancel);
  return () => signal.removeEventListener('abort', cancel);
}
