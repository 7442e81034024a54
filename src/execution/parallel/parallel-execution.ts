/**
 * Executes a block in workers, with the result of executing its transactions one by one in block order.
 *
 * 1. The main thread executes transfers and envelopes itself, in block order: they cost less than a round trip to a worker.
 *    All other groups (see `atomic-groups.ts`) run in workers, divided by their expected accesses (`plan.ts`).
 * 2. A worker runs its groups in block order on the state under the block and their own writes (`speculate.ts`), and reports
 *    each one's reads, their writers, and its effects. Workers do not check nonces.
 * 3. Outcomes are checked in block order against the block's state (`validate-reads.ts`). The same rule as in serial execution
 *    then decides whether a transaction may be in the block.
 * 4. Groups run in windows (`window-planner.ts`); the next begins when workers have little left to do. If all groups in flight
 *    turn out invalid, the time lost is within the budget. Time gained adds to the budget, so windows grow
 *    (`speculation-budget.ts`). Predictions only plan: a try that uses far more gas than predicted is cut off, so that the gas
 *    lost is bounded too (`loss-allowance.ts`). A group whose turn has come cannot be invalid and has no limit.
 * 5. An invalid outcome that the block waits for is repaired at once, while other tasks run: all groups tried so far are
 *    clustered by their accesses, and clusters with an invalid outcome run again on the block's state.
 * 6. If more than half of the gas tried is invalid, or speculation has used up its budget, tasks stop after their current
 *    group, and one worker executes the rest of the block in order, transfers and envelopes included.
 * 7. Candidates beyond the block's remaining gas are excluded without a try. A window starts groups only up to that gas; the
 *    others wait for the next window.
 *
 * Time decides when a group runs and how often, never its outcome: a merged outcome equals the serial one.
 *
 * @module
 */

import { availableParallelism } from 'node:os';
import type { TransactionEnvelope } from '../../ledger/transaction-envelope.js';
import { atomicGroupsOf, type Candidates } from '../atomic-groups.js';
import type { BlockExecution } from '../block-execution.js';
import { type BlockGroup, expectedRest, GroupOutcomes, isAllPlain } from './group-outcomes.js';
import { LOSS_PER_WORKER, LossAllowance } from './loss-allowance.js';
import { BlockMerger } from './merge-results.js';
import { type ClusteredGroups, firstWithin, TaskPlanner } from './plan.js';
import type { Predictions } from './predictions.js';
import { type SpeculationBudget, TimeBudget } from './speculation-budget.js';
import { decodeOutcomes, type SpeculationResult } from './speculation-result.js';
import { ParallelCounts, type ParallelStatistics } from './statistics.js';
import { type Task, TaskQueue } from './task-queue.js';
import { writersIn } from './validate-reads.js';
import { WindowPlanner } from './window-planner.js';
import { WorkerTasks, type WorkerTasksOptions } from './worker-tasks.js';

export interface ParallelExecutionOptions extends WorkerTasksOptions {
  readonly predictions: Predictions;
  /** Minimum gas of a task; default: the gas that a worker uses in {@link TASK_MS}. */
  readonly minTaskGas?: number;
  /** Gas that tries may lose for each worker, however little gas the block has; default: {@link LOSS_PER_WORKER}. */
  readonly lossPerWorker?: number;
  /** Called with accounts needed soon, so that they are read together. */
  readonly prefetch?: (addresses: Iterable<string>) => void;
  /** Bounds the time that speculation may lose; default: a {@link TimeBudget}. */
  readonly budget?: SpeculationBudget;
}

/** Maximum number of tries to run the rest of the block in order; a try fails when its worker dies. */
const MAX_ATTEMPTS = 3;
/** Minimum duration of a task: a round trip to a worker takes about 0.1 ms. */
const TASK_MS = 0.5;
/** Minimum share of the rest of the block for a window that overlaps another: each window costs planning time. */
const MIN_WINDOW_SHARE = 1 / 16;

/** Executes the next candidates of a block. @param offset number of candidates executed before */
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
  /** Maximum number of concurrent tasks, at most the machine's cores. */
  readonly #parallelism: number;
  readonly #gasFrom: (place: number) => number;
  readonly #allowance: LossAllowance;
  readonly #planner: TaskPlanner;
  /** Exists once groups are left for workers. */
  #windows: WindowPlanner | undefined;
  readonly #queue: TaskQueue;
  /** Cursor of the last retry of a group that had been in a window but in no task; −1 if none. */
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
      env: options.env,
      groups: this.#groups,
      block,
      writers,
      outcomes: this.#outcomes,
      prefetch: options.prefetch,
    });
    const { lossPerWorker = LOSS_PER_WORKER, runner, env } = options;
    this.#allowance = new LossAllowance(runner.workers * lossPerWorker, env.gasLimit);
    this.#tasks = new WorkerTasks(options, {
      block,
      allowance: this.#allowance,
      candidates: end,
      expectedGas: (group) => this.#outcomes.expectedGas(group),
    });
    this.#budget = options.budget ?? new TimeBudget();
    this.#parallelism = Math.min(options.runner.workers, availableParallelism());
    this.#queue = new TaskQueue(options.runner.workers, (task) => this.#run(task));
    this.#gasFrom = expectedRest(this.#groups, this.#outcomes);
    this.#planner = new TaskPlanner(this.#outcomes, options.runner.workers, this.#gasFrom(0));
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
    // A cancelled task may have failed too.
    this.#queue.throwFailure();
    return this.#counts.statistics(units, this.#merger.gas, performance.now() - started);
  }

  async #runRest(): Promise<void> {
    this.#tasks.predictLanes(this.#rest);
    const planner = new WindowPlanner(this.#groups, this.#outcomes, this.#merger.cursor);
    this.#windows = planner;
    this.#counts.clusters = planner.clusters;
    // One cluster can still conflict with the transfers between its groups.
    if (planner.clusters > 1 || planner.size < this.#groups.length - this.#merger.cursor) {
      await this.#speculate(planner);
    }
    if (this.#merger.cursor < this.#groups.length) await this.#runInOrder();
  }

  /** Runs groups in workers and merges valid outcomes, until the rest of the block must run in order. */
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

  /** Whether the group at the cursor has an invalid outcome. */
  #isStuck(): boolean {
    const next = this.#merger.next;
    return next !== undefined && !this.#queue.has(next) && this.#outcomes.has(next);
  }

  /** Starts another window if workers have little left to do. @returns false if the rest must run in order */
  #beginWindow(planner: WindowPlanner): boolean {
    const next = this.#merger.next;
    const isNextInFlight = next !== undefined && this.#queue.has(next);
    if (isNextInFlight && this.#queue.waiting >= this.#parallelism) return true;
    const restGas = this.#restGas;
    const window = planner.next(this.#merger.cursor, {
      spare: this.#budget.spareGas(restGas),
      parallelism: this.#parallelism,
      // Groups that run alongside the group at the cursor lose no time.
      gasInFlight: this.#queue.gas - (isNextInFlight ? this.#outcomes.expectedGas(next) : 0),
      room: this.#allowance.room,
      isInFlight: (group) => this.#queue.has(group),
    });
    if (isNextInFlight) {
      if (window.groups.length === 0 || window.gas < MIN_WINDOW_SHARE * restGas) return true;
    } else if (window.groups.length < (this.#queue.isIdle ? 2 : 1) || !this.#canRetry(planner)) {
      return false;
    }
    planner.begin(window);
    const tasks = this.#prepare(window);
    // The block waits for the group at the cursor, and longest for conflicting groups.
    const isUrgent = ({ groups: [first], isConflicting }: Task): boolean => isConflicting || first === next;
    this.#queue.add(
      tasks.filter((task) => !isUrgent(task)),
      tasks.filter(isUrgent),
    );
    return true;
  }

  /** Whether a window may include the group at the cursor. A stopped task may have skipped it; one retry is allowed. */
  #canRetry(planner: WindowPlanner): boolean {
    if (!planner.wasPicked(this.#merger.cursor)) return true;
    const isFirst = this.#retriedAt < this.#merger.cursor;
    this.#retriedAt = this.#merger.cursor;
    return isFirst;
  }

  /** Runs clusters with an invalid outcome again; false if serial execution is as fast. */
  #repair(): boolean {
    const restGas = this.#restGas;
    if (this.#budget.spareGas(restGas) <= 0) return false;
    const tried = this.#rest.filter((group) => !this.#queue.has(group) && this.#outcomes.has(group));
    const unsure = this.#outcomes.uncertainGroups(tried);
    const gasOf = (group: BlockGroup) => this.#outcomes.gasOf(group);
    const total = (some: Iterable<BlockGroup>) => [...some].reduce((gas, group) => gas + gasOf(group), 0);
    if (this.#budget.isWasted(total(unsure), total(tried), restGas)) return false;
    this.#counts.rounds++;
    this.#tasks.predictLanes(this.#rest);
    const dirty = this.#planner.clustersWith(unsure, tried);
    const room = this.#allowance.room - this.#queue.gas;
    this.#queue.add([], this.#prepare(firstWithin(room, dirty, gasOf, this.#merger.next)));
    return true;
  }

  /** Plans tasks for groups on the block's current state, and drops the groups' outcomes. */
  #prepare(some: ClusteredGroups): Task[] {
    const { minTaskGas = this.#budget.gasIn(TASK_MS) } = this.#options;
    const tasks = this.#planner.tasksOf(some, minTaskGas);
    this.#forget(some.groups);
    this.#refresh();
    return tasks;
  }

  async #runInOrder(): Promise<void> {
    const groups = this.#rest;
    this.#forget(groups);
    this.#counts.rounds++;
    this.#refresh();
    const task = { groups, gas: this.#restGas, exact: true, isConflicting: false, isFine: false };
    for (let attempt = 1; !groups.some((group) => this.#outcomes.has(group)); attempt++) {
      await this.#queue.run({ ...task, isLast: attempt === MAX_ATTEMPTS });
      this.#queue.throwFailure();
    }
    await this.#validate();
    if (this.#merger.cursor < this.#groups.length) {
      const { height } = this.#options.env;
      throw new Error(`block ${height}: group ${this.#merger.cursor} is invalid in every run`);
    }
  }

  /** Drops the outcomes of groups that run again. */
  #forget(groups: readonly BlockGroup[]): void {
    for (const group of groups) {
      if (this.#outcomes.has(group)) this.#counts.reruns++;
      this.#outcomes.forget(group);
    }
  }

  /** Stops tasks after their current group and ignores their outcomes. */
  #cancel(): void {
    this.#tasks.stop();
    this.#queue.cancel();
  }

  #refresh(): void {
    this.#tasks.refresh(this.#merger.next?.start ?? this.#offset);
  }

  async #run(running: Task): Promise<void> {
    const { groups, exact } = running;
    const { task, result } = await this.#tasks.run(running);
    const [first] = groups;
    const isCancelled = !exact && first !== undefined && !this.#queue.has(first);
    const gas = isCancelled ? gasIn(result) : this.#outcomes.record(task, groups, result);
    this.#allowance.risked(result.risked);
    if (!isCancelled && result.stopped !== undefined) this.#release(groups);
    this.#counts.worked(gas, result.workMs);
    this.#budget.worked(Number(gas), result.workMs);
  }

  /** Lets the groups of a stopped task that have no outcome run again. */
  #release(groups: readonly BlockGroup[]): void {
    const own = new Set(groups);
    const isPending = (group: BlockGroup): boolean =>
      this.#outcomes.has(group) || (this.#queue.has(group) && !own.has(group));
    this.#windows?.release(groups, this.#merger.cursor, isPending);
  }

  /** Validates and merges outcomes, and adds the gain to the budget. */
  async #validate(): Promise<void> {
    const started = performance.now();
    const gasBefore = this.#merger.gas;
    await this.#merger.merge();
    this.#budget.merged(Number(this.#merger.gas - gasBefore), performance.now() - started);
    this.#allowance.update({
      merged: Number(this.#merger.gas),
      kept: Number(this.#merger.kept),
      rest: this.#restGas,
    });
  }

  /** Expected gas of the groups that are not in the block. */
  get #restGas(): number {
    return this.#gasFrom(this.#merger.cursor);
  }

  get #rest(): readonly BlockGroup[] {
    return this.#groups.slice(this.#merger.cursor);
  }
}

function gasIn({ outcomes, stopped }: SpeculationResult): bigint {
  const { transactions } = decodeOutcomes(outcomes);
  return transactions.reduce((sum, { gasUsed }) => sum + gasUsed, stopped?.gas ?? 0n);
}
