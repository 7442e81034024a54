import { errorMessage } from '../../base/errors.js';
import { Cancellation, cancelOn } from '../../execution/cancellation.js';
import { ExecutionError } from '../../execution/execution-error.js';
import { GROUP_TIME } from '../../execution/parallel/watched-runner.js';
import { watchProgress } from '../../execution/watch-progress.js';
import { isEnvironmentFailure } from '../faults/contained-execution.js';

/** What a height's envelopes hold could not be executed: a fault of this node, and no outcome of theirs. */
export interface OpeningFault {
  readonly height: bigint;
  /** Of the envelope that was under way, 64 lowercase hex digits; undefined where it is not known. */
  readonly hashHex: string | undefined;
  /** How often in a row it failed by now. */
  readonly failures: number;
  /** So long it is not tried again. */
  readonly pauseMs: number;
  /** For people: what was thrown, or how its worker ended. */
  readonly message: string;
}

export interface OpeningAttemptsOptions {
  /** Milliseconds of a clock that does not jump. */
  readonly now?: () => number;
  readonly onFault?: (fault: OpeningFault) => void;
}

/** An envelope, in the order of execution. */
export interface AttemptedOpening {
  readonly height: bigint;
  /** 64 lowercase hex digits. */
  readonly hashHex: string;
  /** The most that it may use. */
  readonly gas: bigint;
}

/** What an attempt is watched by. */
export interface Attempt {
  /** Where the worker says which envelope it executes: its place, from 1. */
  readonly progress: Int32Array;
  /** Ends it when one of them runs for too long. */
  readonly cancellation: Cancellation;
}

interface FailedOpening extends OpeningFault {
  readonly tryAgainAt: number;
}

const FIRST_PAUSE_MS = 1_000;
/** After so many failures in a row pauses and limits grow no more: a minute, and a limit of more than five. */
const MAX_DOUBLINGS = 6;
/** Heights of which it is kept how they failed; more than can be due at once without the lowest being in the way. */
const MAX_KEPT = 64;

/**
 * Keeps openings that end their workers from taking all of the node's time: after each failure the height is left alone for
 * twice as long, and its envelopes get twice the time. No failure decides anything: where others can execute what it holds, so
 * has this node to in the end, and if none can, blocks that hold nothing go on.
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

  /** How heights failed that have not been executed since, in the order of their last failures. */
  get faults(): readonly OpeningFault[] {
    return [...this.#failures.values()];
  }

  /**
   * Has envelopes executed.
   * @param signal ends the attempt
   * @throws the signal's reason; ExecutionError `put_off` where one of the heights failed a short while ago; whatever `execute` throws
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
      const underWay = openings[Atomics.load(attempt.progress, 0) - 1];
      if (isExecutionFault(error)) {
        // Where the worker had not begun with any, it may have been each of them.
        for (const height of underWay === undefined ? heights : [underWay.height]) {
          this.#recordFailure(height, underWay?.hashHex, messageOf(error));
        }
      }
      throw error;
    } finally {
      clearInterval(watch);
      unfollow();
    }
  }

  #expectTime(height: bigint): void {
    const trouble = this.#failures.get(height);
    if (trouble === undefined || this.#now() >= trouble.tryAgainAt) return;
    const text = `what opens at height ${height} failed ${trouble.failures} times in a row: ${trouble.message}`;
    throw new ExecutionError('put_off', text);
  }

  #recordFailure(height: bigint, hashHex: string | undefined, message: string): void {
    const failures = this.#failuresOf(height) + 1;
    const pauseMs = FIRST_PAUSE_MS * 2 ** Math.min(failures - 1, MAX_DOUBLINGS);
    const fault = { height, hashHex, failures, pauseMs, message };
    // The last to fail is the last to be forgotten.
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

  /** How long an envelope may take, in milliseconds: longer at each attempt, for the machine may only be slow. */
  #limitMs({ height, gas }: AttemptedOpening): number {
    const { baseMs, nsPerGas } = GROUP_TIME;
    const doublings = Math.min(this.#failuresOf(height), MAX_DOUBLINGS);
    return (baseMs + (Number(gas) * nsPerGas) / 1e6) * 2 ** doublings;
  }
}

/** Whether an attempt failed at what was executed, as far as that is known: not for the store, or for too much other work. */
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
