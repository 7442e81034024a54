/** How a call that failed for the moment is tried again. */
export interface RetryPolicy {
  /** Tries after the first; 0 never repeats. */
  readonly retries: number;
  /** Upper bound of the pause before the first repetition, in milliseconds; doubles with each. */
  readonly baseDelayMs: number;
  /** Upper bound of any pause, in milliseconds. */
  readonly maxDelayMs: number;
}

export const DEFAULT_RETRY: RetryPolicy = { retries: 4, baseDelayMs: 100, maxDelayMs: 3_000 };

/**
 * The pause before repetition `attempt` (from 0), in milliseconds: "full jitter", anywhere between nothing and a bound
 * that doubles, so that clients that failed together do not come back together. Never less than the node asked for.
 * @param random 0 ≤ random < 1
 */
export function retryDelayMs(
  policy: RetryPolicy,
  attempt: number,
  random: number,
  retryAfterMs: number | undefined,
): number {
  const bound = Math.min(policy.maxDelayMs, policy.baseDelayMs * 2 ** attempt);
  return Math.round((retryAfterMs ?? 0) + random * bound);
}

/** Waits, unless `signal` ends the wait: then its reason is thrown. */
export function sleep(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) {
      reject(signal.reason);
      return;
    }
    const onAbort = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', onAbort);
      resolve();
    }, ms);
    signal?.addEventListener('abort', onAbort, { once: true });
  });
}
