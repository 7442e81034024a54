import type { Cancellation } from './cancellation.js';

const POLL_MS = 100;

/**
 * Has a worker ended that is at the same piece of its task for too long.
 * @param progress where the worker says which piece it is at: its place + 1, and 0 before the first
 * @param limitMs how long the piece at a place may take, milliseconds
 * @returns to be cleared when the task is over
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
    // Looks are counted and not time: a process that was held up or had no processor executed nothing either.
    looks = at === seen ? looks + 1 : 0;
    seen = at;
    if (at > 0 && looks * POLL_MS > limitMs(at - 1)) cancellation.cancel();
  }, POLL_MS);
}
