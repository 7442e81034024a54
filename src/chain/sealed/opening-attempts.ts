import { errorMessage } from '../../base/errors.js';
import { Cancellation, cancelOn, watchProgress } from '../../execution/cancellation.js';
import { ExecutionError } from '../../execution/execution-error.js';
import { GROUP_TIME } from '../../execution/parallel/watched-runner.js';
import { isEnvironmentFailure } from '../faults/contained-execution.js';

/** A failure to execute a height's envelopes: a fault of this node, not an outcome of the envelopes. */
export interface OpeningFault {
  readonly height: bigint;
  /** Hash of the envelope that was running, 64 lowercase hex digits; undefined if unknown. */
  readonly hashHex: string | undefined;
  readonly failures: number;
  readonly pauseMs: number;
  /** Human-readable: the error thrown, or how the worker ended. */
  readonly message: string;
}

export interface OpeningAttemptsOptions {
  /** A monotonic clock in milliseconds. */
  readonly now?: () => number;
  readonly onFault?: ((fault: OpeningFault) => void) | undefined;
}

/** An envelope that an attempt executes; attempts take them in execution order. */
export interface AttemptedOpening {
  readonly height: bigint;
  /** 64 lowercase hex digits. */
  readonly hashHex: string;
  /** Maximum gas that the envelope may use. */
  readonly gas: bigint;
}

export interface Attempt {
  /** Written by the worker: position of the running envelope, starting at 1. */
  readonly progress: Int32Array;
  /** Cancels the attempt when an envelope runs for too long. */
  readonly cancellation: Cancellation;
}

interface FailedOpening extends OpeningFault {
  readonly tryAgainAt: number;
}

const FIRST_PAUSE_MS = 1_000;
/** Consecutive failures after which pause and time limit stop growing, at about one and over five minutes. */
const MAX_DOUBLINGS = 6;
/** Maximum number of failing heights: more than can be due at once without the lowest blocking the rest. */
const MAX_KEPT = 64;

/**
 * Keeps openings that crash their workers from using up the node's time: after each failure the height pauses twice as
 * long and its envelopes get twice the time. A failure decides nothing: if other nodes can execute the envelopes, this
 * one must eventually do so too; if none can, the chain continues with empty blocks.
 */
export class OpeningAttempts {
  readonly #now: () => number;
  readonly #onFault: (fault: OpeningFault) => void;
  /** By height. */
  readonly #failures = new Map<bigint, FailedOpening>();

  constructor({ now = () => performance.now(), onFault }: OpeningAttemptsOptions = {}) {
    this.#now = now;
    this.#onFault = onFault ?? (() => undefined);
  }

  /** Failures of heights that have not been executed since, ordered by their last failure. */
  get faults(): readonly OpeningFault[] {
    return [...this.#failures.values()];
  }

  /**
   * Executes envelopes under watch.
   * @throws the signal's reason; ExecutionError `put_off` if one of the heights failed recently; anything that
   * `execute` throws
   */
  async run<Result>(
    openings: readonly AttemptedOpening[],
    execute: (attempt: Attempt) => Promise<Result>,
    signal?: AbortSignal,
  ): Promise<Result> {
    const heights = new Set(openings.map(({ height }) => height));
    for (const height of heights) this.#expectTime(height);
    const attempt = { progress: new Int32Array(new SharedArrayBuffer(4)), cancellation: new Cancellation() };
    const unfollow = cancelOn(signal, attempt.cancellation);
    const watch = watchProgress(attempt.progress, attempt.cancellation, (place) => {
      const opening = openings[place];
      return opening === undefined ? Number.POSITIVE_INFINITY : this.#limitMs(opening);
    });
    try {
      const result = await execute(attempt);
      for (const height of heights) this.#failures.delete(height);
      return result;
    } catch (error) {
      signal?.throwIfAborted();
      const inFlight = openings[Atomics.load(attempt.progress, 0) - 1];
      if (isExecutionFault(error)) {
        // If the worker had not started any envelope, each height may be the cause.
        for (const height of inFlight === undefined ? heights : [inFlight.height]) {
          this.#recordFailure(height, inFlight?.hashHex, messageOf(error));
        }
      }
      throw error;
    } finally {
      clearInterval(watch);
      unfollow();
    }
  }

  #expectTime(height: bigint): void {
    const failed = this.#failures.get(height);
    if (failed === undefined || this.#now() >= failed.tryAgainAt) return;
    const text = `opening height ${height} failed ${failed.failures} times in a row: ${failed.message}`;
    throw new ExecutionError('put_off', text);
  }

  #recordFailure(height: bigint, hashHex: string | undefined, message: string): void {
    const failures = this.#failuresOf(height) + 1;
    const pauseMs = FIRST_PAUSE_MS * 2 ** Math.min(failures - 1, MAX_DOUBLINGS);
    const fault = { height, hashHex, failures, pauseMs, message };
    // The most recent failure is forgotten last.
    this.#failures.delete(height);
    this.#failures.set(height, { ...fault, tryAgainAt: this.#now() + pauseMs });
    for (const oldest of this.#failures.keys()) {
      if (this.#failures.size <= MAX_KEPT) break;
      this.#failures.delete(oldest);
    }
    this.#onFault(fault);
  }

  #failuresOf(height: bigint): number {
    return this.#failures.get(height)?.failures ?? 0;
  }

  /** Time limit of an envelope in milliseconds; doubles with each failure, because the machine may just be slow. */
  #limitMs({ height, gas }: AttemptedOpening): number {
    const { baseMs, nsPerGas } = GROUP_TIME;
    const doublings = Math.min(this.#failuresOf(height), MAX_DOUBLINGS);
    return (baseMs + (Number(gas) * nsPerGas) / 1e6) * 2 ** doublings;
  }
}

/** True if the attempt failed because of the envelopes, as opposed to the store or overload. */
function isExecutionFault(error: unknown): boolean {
  if (isEnvironmentFailure(error)) return false;
  return !(error instanceof ExecutionError && (error.code === 'overloaded' || error.code === 'put_off'));
}

function messageOf(error: unknown): string {
  if (!(error instanceof ExecutionError)) return errorMessage(error);
  if (error.code === 'aborted') return 'it ran for too long';
  if (error.code === 'worker_died') return `its worker died: ${errorMessage(error.cause)}`;
  return error.message;
}
