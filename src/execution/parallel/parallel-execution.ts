/**
 * A block executed by workers, as if one transaction had been executed after the other in block order.
 *
 * 1. The main thread executes transfers and envelopes itself, in their turn: they cost less than the way to a worker. Groups with
 *    anything else (see `atomic-groups.ts`) run in workers, divided by what they are expected to touch (`plan.ts`).
 * 2. A worker runs its groups in block order on the state under the block and their own writes (`speculate.ts`), and reports
 *    each one's reads, their writers, and its effects. Workers do not check nonces.
 * 3. Outcomes are checked in block order against the block's state (`merge-results.ts`). The same rule as in serial execution
 *    decides here whether a transaction may be in the block at all.
 * 4. Groups run in windows (`window-planner.ts`); the next begins when workers have little left to do. If all groups under way
 *    turn out invalid, the time lost is within the budget. Time gained adds to the budget, so windows grow
 *    (`speculation-budget.ts`).
 * 5. An invalid outcome that the block waits for is repaired at once, while other tasks run: all groups tried so far are
 *    clustered by their accesses, and clusters with an invalid outcome run again on the block's state.
 * 6. Where more than half of the gas tried is invalid, or speculation has lost its budget, tasks stop
 *    after the group they are at, and one worker executes the rest of the block in order, transfers and envelopes included.
 * 7. What does not fit the block's gas any more is left out without a try. A window begins no more than the block has gas
 *    for: once that much is used up, the groups not begun wait for the next window.
 *
 * Time decides when a group runs and how often, never its outcome: a merged outcome equals the serial one.
 *
 * @module
 */

import { availableParallelism } from 'node:os';
import type { TransactionEnvelope } from '../../ledger/transaction-envelope.js';
import { atomicGroupsOf, type Candidates } from '../atomic-groups.js';
import type { BlockExecution } from '../block-execution.js';
import { BlockMerger } from './block-merger.js';
import { type BlockGroup, GroupOutcomes, isAllPlain } from './group-outcomes.js';
import { writersIn } from './merge-results.js';
import type { Predictions } from './predictions.js';
import { type SpeculationBudget, TimeBudget } from './speculation-budget.js';
import { decodeOutcomes, type SpeculationResult } from './speculation-result.js';
import { ParallelCounts, type ParallelStatistics } from './statistics.js';
import { type ClusteredGroups, TaskPlanner } from './task-planner.js';
import { type Task, TaskQueue } from './task-queue.js';
import { WindowPlanner } from './window-planner.js';
import { WorkerTasks, type WorkerTasksOptions } from './worker-tasks.js';

export interface ParallelExecutionOptions extends WorkerTasksOptions {
  readonly predictions: Predictions;
  /** The least gas of a task; by default what a worker uses in {@link TASK_MS}. */
  readonly minTaskGas?: number;
  /** Called with accounts that are about to be looked at, so that they can be read together. */
  readonly prefetch?: (addresses: Iterable<string>) => void;
  /** How much time speculation may lose; a {@link TimeBudget} if absent. */
  readonly budget?: SpeculationBudget;
}

/** Workers, or pairs of them, that may be lost with the rest of the block. */
const MAX_ATTEMPTS = 3;
/** A task takes this time at least: the way to a worker and back takes about 0.1 ms. */
const TASK_MS = 0.5;
/** A window that begins while another runs has this share of the rest of the block at least: each costs planning time. */
const MIN_WINDOW_SHARE = 1 / 16;

/**
 * Executes the next candidates of a block.
 * @param offset how many were executed before, transfers or others, included or not
 */
export function addInParallel(
  options: ParallelExecutionOptions,
  candidates: Candidates<TransactionEnvelope>,
  block: BlockExecution,
  offset = 0,
): Promise<ParallelStatistics> {
  return new ParallelExecution(options, candidates, block, offset).run();
}

class ParallelExecution {
  readonly #options: ParallelExecutionOptions;
  readonly #groups: readonly BlockGroup[];
  readonly #outcomes: GroupOutcomes;
  readonly #merger: BlockMerger;
  readonly #tasks: WorkerTasks;
  readonly #budget: SpeculationBudget;
  readonly #offset: number;
  /** Tasks that run at the same time: no more than the machine has cores. */
  readonly #parallelism: number;
  /** What the groups from each on are expected to use. */
  readonly #restGas: Float64Array;
  readonly #planner: TaskPlanner;
  readonly #queue: TaskQueue;
  /** The last cursor whose group had been in a window, but no task tried it. */
  #retriedAt = -1;
  readonly #counts = new ParallelCounts();

  constructor(
    options: ParallelExecutionOptions,
    candidates: Candidates<TransactionEnvelope>,
    block: BlockExecution,
    offset: number,
  ) {
    const end = offset + candidates.transactions.length;
    this.#options = options;
    this.#offset = offset;
    this.#groups = [...atomicGroupsOf(candidates, offset)];
    const writers = writersIn(block.state);
    this.#outcomes = new GroupOutcomes(options.predictions, writers, end);
    this.#merger = new BlockMerger({
      ...{ env: options.env, groups: this.#groups, block, writers, outcomes: this.#outcomes },
      prefetch: options.prefetch,
    });
    this.#tasks = new WorkerTasks(options, block, end);
    this.#budget = options.budget ?? new TimeBudget();
    this.#parallelism = Math.min(options.runner.workers, availableParallelism());
    this.#queue = new TaskQueue(options.runner.workers, (task) => this.#run(task));
    this.#restGas = new Float64Array(this.#groups.length + 1);
    for (let place = this.#groups.length - 1; place >= 0; place--) {
      const group = this.#groups[place];
      const gas = group === undefined ? 0 : this.#outcomes.predictedGas(group);
      this.#restGas[place] = (this.#restGas[place + 1] ?? 0) + gas;
    }
    this.#planner = new TaskPlanner(this.#outcomes, options.runner.workers, this.#restGas[0] ?? 0);
  }

  async run(): Promise<ParallelStatistics> {
    const started = performance.now();
    const units = this.#groups.filter((group) => !isAllPlain(group)).length;
    try {
      await this.#validate();
      if (this.#merger.cursor < this.#groups.length) await this.#runRest();
    } finally {
      this.#cancel();
      await this.#queue.end();
    }
    // Of a task that was given up.
    this.#queue.throwFailure();
    return this.#counts.statistics(units, this.#merger.gas, performance.now() - started);
  }

  async #runRest(): Promise<void> {
    this.#tasks.predictLanes(this.#rest);
    const planner = new WindowPlanner(this.#groups, this.#outcomes, this.#merger.cursor);
    this.#counts.clusters = planner.clusters;
    // One cluster can still conflict with the transfers between its groups.
    if (planner.clusters > 1 || planner.size < this.#groups.length - this.#merger.cursor) {
      await this.#speculate(planner);
    }
    if (this.#merger.cursor < this.#groups.length) await this.#runInOrder();
  }

  /** Has workers try groups, and merges valid outcomes as they come back, until the rest of the block is to run in order. */
  async #speculate(planner: WindowPlanner): Promise<void> {
    this.#budget.begin();
    while (this.#merger.cursor < this.#groups.length) {
      const isGood = this.#isStuck() ? this.#repair() : this.#beginWindow(planner);
      if (!isGood) {
        this.#cancel();
        return;
      }
      await this.#queue.next();
      this.#queue.throwFailure();
      await this.#validate();
      this.#queue.throwFailure();
    }
  }

  /** Whether the block waits for a group with an invalid outcome. */
  #isStuck(): boolean {
    const next = this.#merger.next;
    return next !== undefined && !this.#queue.has(next) && this.#outcomes.has(next);
  }

  /**
   * Begins another window if workers have little left to do.
   * @returns false where the rest of the block is to run in order
   */
  #beginWindow(planner: WindowPlanner): boolean {
    const next = this.#merger.next;
    const isNextUnderWay = next !== undefined && this.#queue.has(next);
    if (isNextUnderWay && this.#queue.waiting >= this.#parallelism) return true;
    const restGas = this.#restGas[this.#merger.cursor] ?? 0;
    const window = planner.next(this.#merger.cursor, {
      spare: this.#budget.spareGas(restGas),
      parallelism: this.#parallelism,
      // While the group at the cursor runs, others lose no time.
      gasInFlight: this.#queue.gas - (isNextUnderWay ? this.#outcomes.expectedGas(next) : 0),
      isInFlight: (group) => this.#queue.has(group),
    });
    if (isNextUnderWay) {
      if (window.groups.length === 0 || window.gas < MIN_WINDOW_SHARE * restGas) return true;
    } else if (window.groups.length < (this.#queue.isIdle ? 2 : 1) || !this.#canRetry(planner)) {
      return false;
    }
    planner.begin(window);
    const tasks = this.#prepare(window);
    // The block waits for the next group, and for chains longest.
    const isUrgent = ({ groups: [first], isConflicting }: Task): boolean => isConflicting || first === next;
    this.#queue.add(
      tasks.filter((task) => !isUrgent(task)),
      tasks.filter(isUrgent),
    );
    return true;
  }

  /** Whether to try the group at the cursor in a window. A task may have ended before it; the second time, that is enough. */
  #canRetry(planner: WindowPlanner): boolean {
    if (!planner.wasPicked(this.#merger.cursor)) return true;
    const isFirst = this.#retriedAt < this.#merger.cursor;
    this.#retriedAt = this.#merger.cursor;
    return isFirst;
  }

  /**
   * Has the clusters run again that are not valid as they are, of those groups that no task has.
   * @returns false where serial execution is as fast
   */
  #repair(): boolean {
    const restGas = this.#restGas[this.#merger.cursor] ?? 0;
    if (this.#budget.spareGas(restGas) <= 0) return false;
    const tried = this.#rest.filter((group) => !this.#queue.has(group) && this.#outcomes.has(group));
    const unsure = this.#outcomes.uncertainGroups(tried);
    const gasOf = (some: Iterable<BlockGroup>) =>
      [...some].reduce((gas, group) => gas + this.#outcomes.gasOf(group), 0);
    if (this.#budget.isWasted(gasOf(unsure), gasOf(tried), restGas)) return false;
    this.#counts.rounds++;
    this.#tasks.predictLanes(this.#rest);
    this.#queue.add([], this.#prepare(this.#planner.clustersWith(unsure, tried)));
    return true;
  }

  /** Makes tasks of groups, which forget their outcomes, to run on the block's present state. */
  #prepare(some: ClusteredGroups): Task[] {
    const { minTaskGas = this.#budget.gasIn(TASK_MS) } = this.#options;
    const tasks = this.#planner.tasksOf(some, minTaskGas);
    this.#forget(some.groups);
    this.#refresh();
    return tasks;
  }

  /** One worker executes the rest of the block in order. */
  async #runInOrder(): Promise<void> {
    const groups = this.#rest;
    this.#forget(groups);
    this.#counts.rounds++;
    this.#refresh();
    const task = {
      groups,
      gas: this.#restGas[this.#merger.cursor] ?? 0,
      exact: true,
      isConflicting: false,
      isFine: false,
    };
    for (let attempt = 1; !groups.some((group) => this.#outcomes.has(group)); attempt++) {
      await this.#queue.run({ ...task, isLast: attempt === MAX_ATTEMPTS });
      this.#queue.throwFailure();
    }
    await this.#validate();
    if (this.#merger.cursor < this.#groups.length) {
      const { height } = this.#options.env;
      throw new Error(`block ${height}: group ${this.#merger.cursor} is invalid however it is run`);
    }
  }

  /** Forgets the outcomes of groups that are about to run again. */
  #forget(groups: readonly BlockGroup[]): void {
    for (const group of groups) {
      if (this.#outcomes.has(group)) this.#counts.reruns++;
      this.#outcomes.forget(group);
    }
  }

  /** Tasks end after the groups they are at, and their outcomes do not count. */
  #cancel(): void {
    this.#tasks.stop();
    this.#queue.cancel();
  }

  #refresh(): void {
    this.#tasks.refresh(this.#merger.next?.start ?? this.#offset);
  }

  async #run({ groups, exact }: Task): Promise<void> {
    const { task, result } = await this.#tasks.run({ groups, exact });
    const [first] = groups;
    const isGivenUp = !exact && first !== undefined && !this.#queue.has(first);
    const gas = isGivenUp ? gasIn(result) : this.#outcomes.record(task, result);
    this.#counts.worked(gas, result.workMs);
    this.#budget.worked(Number(gas), result.workMs);
  }

  /** Validates outcomes and merges them, until a group has to wait. */
  async #validate(): Promise<void> {
    const started = performance.now();
    const gasBefore = this.#merger.gas;
    await this.#merger.merge();
    this.#budget.merged(Number(this.#merger.gas - gasBefore), performance.now() - started);
  }

  /** The groups that are not in the block. */
  get #rest(): readonly BlockGroup[] {
    return this.#groups.slice(this.#merger.cursor);
  }
}

function gasIn({ outcomes }: SpeculationResult): bigint {
  return decodeOutcomes(outcomes).transactions.reduce((sum, { gasUsed }) => sum + gasUsed, 0n);
}
