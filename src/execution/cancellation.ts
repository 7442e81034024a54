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

/** Cancels when the signal aborts. @returns a function that stops following it, for when the task is done */
export function cancelOn(signal: AbortSignal | undefined, cancellation: Cancellation): () => void {
  if (signal === undefined) return () => undefined;
  const cancel = () => cancellation.cancel();
  if (signal.aborted) cancel();
  signal.addEventListener('abort', cancel);
  return () => signal.removeEventListener('abort', cancel);
}

const POLL_MS = 100;

/**
 * Ends a worker that spends too long on one item of its task.
 * @param progress the worker's current item: its index + 1, and 0 before the first
 * @returns a timer, to be cleared when the task ends
 */
export function watchProgress(
  progress: Int32Array,
  cancellation: Cancellation,
  limitMs: (place: number) => number,
): NodeJS.Timeout {
  let seen = 0;
  let looks = 0;
  return setInterval(() => {
    const at = Atomics.load(progress, 0);
    // Counts polls rather than time: a process that is suspended, or gets no CPU time, also makes no progress.
    looks = at === seen ? looks + 1 : 0;
    seen = at;
    if (at > 0 && looks * POLL_MS > limitMs(at - 1)) cancellation.cancel();
  }, POLL_MS);
}
