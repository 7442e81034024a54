import { hasLane } from '../../ledger/lanes.js';
import type { BlockExecution } from '../block-execution.js';
import type { BlockOnBranch } from '../pending-writes.js';
import type { CodeBlob } from '../state-writes.js';
import { OverlayEncoder, type OverlayPart } from './block-overlay.js';
import type { BlockGroup } from './group-outcomes.js';
import type { LossAllowance } from './loss-allowance.js';
import { encodeGroups, type SpeculationInput } from './speculation-input.js';
import type { SpeculationResult } from './speculation-result.js';
import type { Task } from './task-queue.js';
import type { SpeculationTask } from './validate-reads.js';

/** Executes groups speculatively; implemented by the worker pool and by tests. */
export interface SpeculationRunner {
  readonly workers: number;
  /** @throws ExecutionError */
  run(input: SpeculationInput): Promise<SpeculationResult>;
}

export interface WorkerTasksParts {
  readonly block: BlockExecution;
  readonly allowance: LossAllowance;
  readonly expectedGas: (group: BlockGroup) => number;
  /** Number of candidates, including earlier waves. */
  readonly candidates: number;
}

export interface WorkerTasksOptions extends BlockOnBranch {
  readonly runner: SpeculationRunner;
}

/** More gas than any block has: a task that reads it starts no further group. */
const STOP = 2n ** 63n;

/** The state below a task, captured by the last {@link WorkerTasks.refresh}. */
interface TaskBase {
  /** Index of the first candidate that the state does not include. */
  readonly from: number;
  readonly codes: readonly CodeBlob[];
  readonly overlay: readonly OverlayPart[];
  readonly gasLeft: bigint;
  readonly gasSpentBefore: bigint;
}

/** Sends tasks to workers, with the block's state at the last {@link refresh}. */
export class WorkerTasks {
  readonly #options: WorkerTasksOptions;
  readonly #parts: WorkerTasksParts;
  readonly #overlay: OverlayEncoder;
  /** By candidate index: 1 for the first transaction of a new lane. */
  readonly #opensLane: Uint8Array;
  /** One u64: gas used by all tries, cancelled ones included. */
  readonly #gasSpent = new BigUint64Array(new SharedArrayBuffer(8));
  #base: TaskBase = { from: 0, codes: [], overlay: [], gasLeft: 0n, gasSpentBefore: 0n };
  #count = 0;

  constructor(options: WorkerTasksOptions, parts: WorkerTasksParts) {
    this.#options = options;
    this.#parts = parts;
    this.#overlay = new OverlayEncoder(parts.block.state);
    this.#opensLane = new Uint8Array(parts.candidates);
  }

  /** Captures the block's state for tasks that start from now on. @param from first candidate not in it */
  refresh(from: number): void {
    const { state, gasLeft } = this.#parts.block;
    this.#base = {
      from,
      codes: state.codes(),
      overlay: this.#overlay.parts(),
      gasLeft,
      gasSpentBefore: Atomics.load(this.#gasSpent, 0),
    };
  }

  /** Marks the transactions that open a lane. @param rest the groups that are not in the block */
  predictLanes(rest: readonly BlockGroup[]): void {
    const { state } = this.#parts.block;
    const opened = new Set<string>();
    for (const { start, members } of rest) {
      for (const [place, { sender, signed }] of members.entries()) {
        const { lane } = signed.transaction;
        let opens = false;
        if (!hasLane(state.peekAccount(sender), lane)) {
          const name = `${sender}/${lane}`;
          opens = !opened.has(name);
          opened.add(name);
        }
        this.#opensLane[start + place] = opens ? 1 : 0;
      }
    }
  }

  /** @throws ExecutionError */
  async run({ groups, exact }: Task): Promise<{
    readonly task: SpeculationTask;
    readonly result: SpeculationResult;
  }> {
    const { env, branch, runner } = this.#options;
    const { allowance, expectedGas } = this.#parts;
    const base = this.#base;
    const task = { number: this.#count++, from: base.from };
    const result = await runner.run({
      env,
      ...(branch === undefined ? {} : { branch }),
      groups: encodeGroups(groups, (index) => this.#opensLane[index] === 1, expectedGas),
      exact,
      allowance: allowance.buffer,
      ...base,
      gasSpent: this.#gasSpent.buffer,
    });
    return { task, result };
  }

  /** Makes running tasks stop after their current group. */
  stop(): void {
    Atomics.store(this.#gasSpent, 0, STOP);
  }
}
