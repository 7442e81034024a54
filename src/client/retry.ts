import { RpcCallError } from './rpc-call-error.js';

/** Retry policy for temporary failures. */
export interface RetryPolicy {
  /** Maximum retries after the first attempt; 0 disables them. */
  readonly retries: number;
  /** Upper bound of the first retry's delay, in milliseconds; doubles with each retry. */
  readonly baseDelayMs: number;
  /** Upper bound of any delay, in milliseconds, before adding the node's `retry_after_ms`. */
  readonly maxDelayMs: number;
}

export const DEFAULT_RETRY: RetryPolicy = { retries: 4, baseDelayMs: 100, maxDelayMs: 3_000 };

/**
 * The delay before retry `attempt` (from 0), in milliseconds. Uses "full jitter", uniform between 0 and a doubling
 * bound, so that clients that failed together do not retry together. Never less than the node's requested delay.
 * @param random 0 ≤ random < 1
 */
export function retryDelayMs(policy: RetryPolicy, attempt: number, random: number, failure: unknown): number {
  const bound = Math.min(policy.maxDelayMs, policy.baseDelayMs * 2 ** attempt);
  const retryAfterMs = failure instanceof RpcCallError ? failure.retryAfterMs : undefined;
  return Math.round((retryAfterMs ?? 0) + random * bound);
}

/** Sleeps, or rejects with the signal's reason once it is aborted. */
export function sleep(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    signal?.throwIfAborted();
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
