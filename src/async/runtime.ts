import { randomBytes } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';

/** Cancels a callback; has no effect once it has run. */
export type Cancel = () => void;

/** Time and randomness of the consensus shell. The simulator replaces it, so that a seed determines a run. */
export interface Runtime {
  /** Monotonic clock, in milliseconds. */
  readonly now: () => number;
  /** Wall clock, in milliseconds since 1970; it may jump. */
  readonly wallMs: () => number;
  /** Calls `run` once, after `delayMs` milliseconds; Node's timers may fire up to a millisecond early. */
  readonly after: (delayMs: number, run: () => void) => Cancel;
  /** Resolves in a later turn of the event loop, after the events that have already arrived. */
  readonly nextTurn: () => Promise<void>;
  /** Random bytes from a cryptographic source. */
  readonly random: (bytes: number) => Uint8Array;
}

/** The runtime of a real node. Its timers keep the process alive. */
export const NODE_RUNTIME: Runtime = {
  now: () => performance.now(),
  wallMs: () => Date.now(),
  after: (delayMs, run) => {
    const timeout = setTimeout(run, delayMs);
    return () => clearTimeout(timeout);
  },
  nextTurn,
  random: (bytes) => Uint8Array.from(randomBytes(bytes)),
};

/** Resolves after a delay, or as soon as the signal aborts. */
export function sleep(runtime: Pick<Runtime, 'after'>, delayMs: number, signal?: AbortSignal): Promise<void> {
  if (signal?.aborted === true) return Promise.resolve();
  return new Promise((resolve) => {
    const end = () => {
      cancel();
      signal?.removeEventListener('abort', end);
      resolve();
    };
    const cancel = runtime.after(delayMs, end);
    signal?.addEventListener('abort', end);
  });
}
