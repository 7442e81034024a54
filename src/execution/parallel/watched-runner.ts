import { errorMessage } from '../../base/errors.js';
import { Cancellation, cancelOn, watchProgress } from '../cancellation.js';
import { type CandidateFault, CandidatesAtFault } from '../candidates-at-fault.js';
import { ExecutionError } from '../execution-error.js';
import type { TaskOf, TaskWorkers } from '../task-runner.js';
import type { ProgressMarks } from './progress-marks.js';
import { decodeGroups, type SpeculationInput } from './speculation-input.js';
import type { SpeculationResult } from './speculation-result.js';
import type { SpeculationRunner } from './worker-tasks.js';

export interface SpeculationTasks {
  /** Tries groups of a block on the state after `input.branch`; see `parallel-execution.ts`. */
  speculate: TaskOf<SpeculationInput, SpeculationResult>;
}

/** Time limit of a group, in milliseconds, after which its worker is ended: a safety net beside the gas limit. */
export interface GroupTime {
  readonly baseMs: number;
  readonly nsPerGas: number;
}

/** About five times the worst-case time per gas, on a machine that has other work as well. */
export const GROUP_TIME: GroupTime = { baseMs: 5_000, nsPerGas: 20 };

interface Run {
  readonly input: SpeculationInput;
  readonly progress: Int32Array;
  /** Progress of a task that has returned; undefined while it runs or if it was lost. */
  reached: number | undefined;
}

/**
 * Runs the tasks of a block in workers, and names the running group if one throws, dies or takes too long.
 */
export class WatchedRunner implements SpeculationRunner {
  readonly workers: number;
  readonly faults: CandidateFault[] = [];
  readonly #pool: TaskWorkers<SpeculationTasks>;
  readonly #limitMs: (start: number) => number;
  readonly #signal: AbortSignal | undefined;
  readonly #marks: ProgressMarks | undefined;
  readonly #runs: Run[] = [];

  /**
   * @param gasOf of the group that starts at an index @param signal aborts running tasks, with their workers
   */
  constructor(
    pool: TaskWorkers<SpeculationTasks>,
    gasOf: (start: number) => bigint,
    { baseMs, nsPerGas }: GroupTime,
    signal?: AbortSignal,
    marks?: ProgressMarks,
  ) {
    this.#pool = pool;
    this.#signal = signal;
    this.#marks = marks;
    this.workers = pool.workers;
    this.#limitMs = (start) => baseMs + (Number(gasOf(start)) * nsPerGas) / 1e6;
  }

  /** @throws ExecutionError, CandidatesAtFault, the signal's reason */
  async run(input: SpeculationInput): Promise<SpeculationResult> {
    const progress = new Int32Array(new SharedArrayBuffer(4));
    const run: Run = { input, progress, reached: undefined };
    this.#runs.push(run);
    const result = await this.#attempt({ ...input, progress }, progress);
    run.reached = result.reached;
    if (result.faults.length > 0) throw this.#blame(result.faults);
    return result;
  }

  /** Returns the groups that have executed without a fault so far, by index of their first transaction. */
  proven(): Set<number> {
    const proven = new Set<number>();
    for (const { input, progress, reached = Atomics.load(progress, 0) - 1 } of this.#runs) {
      for (const { start } of decodeGroups(input.groups)) if (start < reached) proven.add(start);
    }
    for (const { start } of this.faults) proven.delete(start);
    return proven;
  }

  async #attempt(input: SpeculationInput, progress: Int32Array): Promise<SpeculationResult> {
    for (let attempt = 1; ; attempt++) {
      this.#signal?.throwIfAborted();
      const cancellation = new Cancellation();
      const unfollow = cancelOn(this.#signal, cancellation);
      const watch = watchProgress(progress, cancellation, this.#limitMs);
      const mark = this.#marks?.take();
      try {
        const marked = mark === undefined ? input : { ...input, mark };
        return await this.#pool.run('speculate', marked, { once: true, cancellation });
      } catch (error) {
        this.#signal?.throwIfAborted();
        const start = Atomics.load(progress, 0) - 1;
        if (!isLost(error)) throw error;
        if (start >= 0) throw this.#blame([{ start, message: lossOf(error) }], error);
        // The worker died of something else: no group is to blame, and another worker may run the task.
        if (attempt === 2) throw error;
      } finally {
        clearInterval(watch);
        unfollow();
        if (mark !== undefined) this.#marks?.release(mark);
      }
    }
  }

  #blame(faults: readonly CandidateFault[], cause?: unknown): CandidatesAtFault {
    this.faults.push(...faults);
    return new CandidatesAtFault(faults, new Set(), cause === undefined ? {} : { cause });
  }
}

function isLost(error: unknown): error is ExecutionError {
  return error instanceof ExecutionError && (error.code === 'worker_died' || error.code === 'aborted');
}

function lossOf(error: ExecutionError): string {
  return error.code === 'aborted' ? 'it ran for too long' : `its worker died: ${errorMessage(error.cause)}`;
}
