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
import { setImmediate } from 'node:timers/promises';
import { hasLane } from '../../ledger/accounts.js';
import type { TransactionEnvelope } from '../../ledger/transaction-envelope.js';
import { atomicGroupsOf, type Candidates } from '../atomic-groups.js';
import type { BlockEnvironment } from '../block-environment.js';
import type { BlockExecution } from '../block-execution.js';
import type { SharedWrites } from '../pending-writes.js';
import type { CodeBlob } from '../state-writes.js';
import { OverlayEncoder, type OverlayPart } from './block-overlay.js';
import { type BlockGroup, GroupOutcomes, isAllPlain, isPlain } from './group-outcomes.js';
import { isStillValid, mergeResult, type Writers, writersIn } from './merge-results.js';
import { clustersOf, packTasks } from './plan.js';
import type { Predictions } from './predictions.js';
import { type SpeculationBudget, TimeBudget } from './speculation-budget.js';
import { encodeGroups, type SpeculationInput } from './speculation-input.js';
import { decodeOutcomes, type SpeculationResult } from './speculation-result.js';
import type { ParallelStatistics } from './statistics.js';
import { type Task, TaskQueue } from './task-queue.js';
import { WindowPlanner } from './window-planner.js';

/** Tries groups: the workers, or a test. */
export interface SpeculationRunner {
  readonly workers: number;
  /** @throws ExecutionError */
  run(input: SpeculationInput): Promise<SpeculationResult>;
}

export interface ParallelExecutionOptions {
  readonly env: BlockEnvironment;
  /** The pending blocks that the block is on; absent on the last committed one. */
  readonly branch?: readonly SharedWrites[];
  readonly runner: SpeculationRunner;
  readonly predictions: Predictions;
  /** The least gas of a task; by default what a worker uses in {@link TASK_MS}. */
  readonly minTaskGas?: number;
  /** Told of accounts that are about to be looked at, so that they can be read together. */
  readonly prefetch?: (addresses: Iterable<string>) => void;
  /** How much time speculation may lose; a {@link TimeBudget} if absent. */
  readonly budget?: SpeculationBudget;
}

/** Groups that are validated before the event loop gets its turn, as a worker may be waiting for its next task. */
const SLICE = 16;
/** Groups whose accounts are read together. */
const PREFETCHED = 96;
/** Workers, or pairs of them, that may be lost with the rest of the block. */
const MAX_ATTEMPTS = 3;
/** Share of the block's gas above which a group is long: a worker that began with it is busy until its end. */
const LONG_GROUP = 1 / 64;
/** A task takes this time at least: the way to a worker and back takes about 0.1 ms. */
const TASK_MS = 0.5;
/** A window that begins while another runs has this share of the rest of the block at least: each costs planning time. */
const MIN_WINDOW_SHARE = 1 / 16;
/** More than any block has gas for: tasks begin no further group. */
const STOP = 2n ** 63n;

/** The state that tasks run on, as of a group that was about to be merged. */
interface TaskBase {
  /** The first candidate that is not in it. */
  readonly from: number;
  readonly codes: readonly CodeBlob[];
  readonly overlay: readonly OverlayPart[];
  readonly gasLeft: bigint;
  readonly gasSpentBefore: bigint;
}

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
  readonly #block: BlockExecution;
  readonly #writers: Writers;
  readonly #outcomes: GroupOutcomes;
  readonly #overlay: OverlayEncoder;
  readonly #budget: SpeculationBudget;
  readonly #opensLane: Uint8Array;
  readonly #offset: number;
  /** Tasks that run at the same time: no more than the machine has cores. */
  readonly #parallelism: number;
  /** What the groups from each on are expected to use. */
  readonly #restGas: Float64Array;
  readonly #queue: TaskQueue;
  /** u64: gas that tries used, also those that were given up. */
  readonly #gasSpent = new BigUint64Array(new SharedArrayBuffer(8));
  /** Set when a window begins: tasks that start later run on it too. */
  #base: TaskBase = { from: 0, codes: [], overlay: [], gasLeft: 0n, gasSpentBefore: 0n };
  /** The first group that is not in the block yet. */
  #cursor = 0;
  /** The last cursor whose group had been in a window, but no task tried it. */
  #retriedAt = -1;
  #clusters = 0;
  #tasks = 0;
  #rounds = 0;
  #reruns = 0;
  #allMs = 0;
  #allGas = 0n;
  #mergedGas = 0n;

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
    this.#block = block;
    this.#writers = writersIn(block.state);
    this.#overlay = new OverlayEncoder(block.state);
    this.#outcomes = new GroupOutcomes(options.predictions, this.#writers, end);
    this.#budget = options.budget ?? new TimeBudget();
    this.#parallelism = Math.min(options.runner.workers, availableParallelism());
    this.#opensLane = new Uint8Array(end);
    this.#queue = new TaskQueue(options.runner.workers, (task) => this.#run(task));
    this.#restGas = new Float64Array(this.#groups.length + 1);
    for (let place = this.#groups.length - 1; place >= 0; place--) {
      const group = this.#groups[place];
      const gas = group === undefined ? 0 : this.#outcomes.predictedGas(group);
      this.#restGas[place] = (this.#restGas[place + 1] ?? 0) + gas;
    }
  }

  async run(): Promise<ParallelStatistics> {
    const started = performance.now();
    const units = this.#groups.filter((group) => !isAllPlain(group)).length;
    try {
      await this.#validate();
      if (this.#cursor < this.#groups.length) await this.#runRest();
    } finally {
      this.#cancel();
      await this.#queue.end();
    }
    // Of a task that was given up.
    this.#queue.throwFailure();
    return this.#statistics(units, performance.now() - started);
  }

  async #runRest(): Promise<void> {
    this.#predictLanes();
    const planner = new WindowPlanner(this.#groups, this.#outcomes, this.#cursor);
    this.#clusters = planner.clusters;
    // One cluster can still conflict with the transfers between its groups.
    if (planner.clusters > 1 || planner.size < this.#groups.length - this.#cursor) {
      await this.#speculate(planner);
    }
    if (this.#cursor < this.#groups.length) await this.#runInOrder();
  }

  /** Has workers try groups, and merges valid outcomes as they come back, until the rest of the block is to run in order. */
  async #speculate(planner: WindowPlanner): Promise<void> {
    this.#budget.begin();
    while (this.#cursor < this.#groups.length) {
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
    const next = this.#groups[this.#cursor];
    return next !== undefined && !this.#queue.has(next) && this.#outcomes.has(next);
  }

  /**
   * Begins another window if workers have little left to do.
   * @returns false where the rest of the block is to run in order
   */
  #beginWindow(planner: WindowPlanner): boolean {
    const next = this.#groups[this.#cursor];
    const isNextUnderWay = next !== undefined && this.#queue.has(next);
    if (isNextUnderWay && this.#queue.waiting >= this.#parallelism) return true;
    const restGas = this.#restGas[this.#cursor] ?? 0;
    const window = planner.next(this.#cursor, {
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
    const tasks = this.#tasksOf(window.groups, window.clusters);
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
    if (!planner.wasPicked(this.#cursor)) return true;
    const isFirst = this.#retriedAt < this.#cursor;
    this.#retriedAt = this.#cursor;
    return isFirst;
  }

  /**
   * Has the clusters run again that are not valid as they are, of those groups that no task has.
   * @returns false where serial execution is as fast
   */
  #repair(): boolean {
    const restGas = this.#restGas[this.#cursor] ?? 0;
    if (this.#budget.spareGas(restGas) <= 0) return false;
    const tried = this.#groups
      .slice(this.#cursor)
      .filter((group) => !this.#queue.has(group) && this.#outcomes.has(group));
    const unsure = this.#outcomes.uncertainGroups(tried);
    const gasOf = (some: Iterable<BlockGroup>): number => {
      let gas = 0;
      for (const group of some) gas += this.#outcomes.gasOf(group);
      return gas;
    };
    if (this.#budget.isWasted(gasOf(unsure), gasOf(tried), restGas)) return false;
    this.#rounds++;
    const clusters = clustersOf(tried.map((group) => this.#outcomes.expectedAccesses(group)));
    const dirty = new Set<number>();
    for (const [place, group] of tried.entries()) {
      if (unsure.has(group)) dirty.add(clusters[place] ?? place);
    }
    const isAgain = (place: number): boolean => dirty.has(clusters[place] ?? place);
    const again = tried.filter((_, place) => isAgain(place));
    const againIn = [...clusters].filter((_, place) => isAgain(place));
    this.#predictLanes();
    this.#queue.add([], this.#tasksOf(again, againIn));
    return true;
  }

  /** Tasks for groups that are about to run, on the block's present state. */
  #tasksOf(groups: readonly BlockGroup[], clusters: readonly number[]): Task[] {
    const { runner, minTaskGas = this.#budget.gasIn(TASK_MS) } = this.#options;
    const gas = groups.map((group) => this.#outcomes.expectedGas(group));
    const long = LONG_GROUP * (this.#restGas[0] ?? 0);
    const tasks = packTasks(gas, clusters, runner.workers, minTaskGas).map((places) => ({
      groups: pick(groups, places),
      gas: places.reduce((sum, place) => sum + (gas[place] ?? 0), 0),
      exact: false,
      isLast: false,
      isConflicting:
        places.length > 1 && places.every((place) => clusters[place] === clusters[places[0] ?? 0]),
      isFine: places.every((place) => (gas[place] ?? 0) <= long),
    }));
    this.#forget(groups);
    this.#refreshBase();
    return tasks;
  }

  /** One worker executes the rest of the block in order. */
  async #runInOrder(): Promise<void> {
    const groups = this.#groups.slice(this.#cursor);
    this.#forget(groups);
    this.#rounds++;
    this.#refreshBase();
    const task = {
      groups,
      gas: this.#restGas[this.#cursor] ?? 0,
      exact: true,
      isConflicting: false,
      isFine: false,
    };
    for (let attempt = 1; !groups.some((group) => this.#outcomes.has(group)); attempt++) {
      await this.#queue.run({ ...task, isLast: attempt === MAX_ATTEMPTS });
      this.#queue.throwFailure();
    }
    await this.#validate();
    if (this.#cursor < this.#groups.length) {
      const { height } = this.#options.env;
      throw new Error(`block ${height}: group ${this.#cursor} is invalid however it is run`);
    }
  }

  /** Forgets the outcomes of groups that are about to run again. */
  #forget(groups: readonly BlockGroup[]): void {
    for (const group of groups) {
      if (this.#outcomes.has(group)) this.#reruns++;
      this.#outcomes.forget(group);
    }
  }

  /** Tasks end after the groups they are at, and their outcomes do not count. */
  #cancel(): void {
    Atomics.store(this.#gasSpent, 0, STOP);
    this.#queue.cancel();
  }

  #refreshBase(): void {
    const { state, gasLeft } = this.#block;
    this.#base = {
      from: this.#groups[this.#cursor]?.start ?? this.#offset,
      codes: state.codes(),
      overlay: this.#overlay.parts(),
      gasLeft,
      gasSpentBefore: Atomics.load(this.#gasSpent, 0),
    };
  }

  async #run({ groups, exact }: Task): Promise<void> {
    const { env, branch, runner } = this.#options;
    const { from, ...base } = this.#base;
    const task = { number: this.#tasks++, from };
    const result = await runner.run({
      env,
      ...(branch === undefined ? {} : { branch }),
      groups: encodeGroups(groups, (index) => this.#opensLane[index] === 1),
      exact,
      ...base,
      gasSpent: this.#gasSpent.buffer,
    });
    const [first] = groups;
    const isGivenUp = !exact && first !== undefined && !this.#queue.has(first);
    const gas = isGivenUp ? gasIn(result) : this.#outcomes.record(task, result);
    this.#allGas += gas;
    this.#allMs += result.workMs;
    this.#budget.worked(Number(gas), result.workMs);
  }

  /** Validates outcomes and merges them, until a group has to wait. */
  async #validate(): Promise<void> {
    const { prefetch } = this.#options;
    const started = performance.now();
    const gasBefore = this.#mergedGas;
    let prefetched = 0;
    for (let since = 1; this.#cursor < this.#groups.length; since++) {
      if (since % SLICE === 0) await setImmediate();
      if (this.#cursor >= prefetched) {
        prefetched = this.#cursor + PREFETCHED;
        prefetch?.(this.#groups.slice(this.#cursor, prefetched).flatMap(addressesOf));
      }
      const group = this.#groups[this.#cursor];
      if (group === undefined || !this.#merge(group)) break;
      this.#cursor++;
    }
    this.#budget.merged(Number(this.#mergedGas - gasBefore), performance.now() - started);
  }

  /** @returns false where the group has no valid outcome yet */
  #merge(group: BlockGroup): boolean {
    const { env } = this.#options;
    const { state } = this.#block;
    const added = this.#block.addBy(group, (transaction, index) => {
      if (isPlain(transaction)) return this.#block.execute(transaction);
      const result = this.#outcomes.outcomeAt(index);
      if (result === undefined || !isStillValid(result, transaction, state, this.#writers)) return undefined;
      return mergeResult(result, transaction, state, env);
    });
    if (added) {
      for (let index = group.start; index < group.start + group.length; index++) {
        this.#mergedGas += this.#outcomes.outcomeAt(index)?.speculation.gasUsed ?? 0n;
      }
    }
    return added;
  }

  /** Which of the transactions that are left are the first of their lanes. */
  #predictLanes(): void {
    const { state } = this.#block;
    const opened = new Set<string>();
    for (const { start, members } of this.#groups.slice(this.#cursor)) {
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

  #statistics(groups: number, elapsedMs: number): ParallelStatistics {
    const wastedGas = this.#allGas - this.#mergedGas;
    const share = this.#allGas === 0n ? 0 : Number(this.#mergedGas) / Number(this.#allGas);
    const workMs = this.#allMs * share;
    return {
      units: groups,
      groups: this.#clusters,
      reruns: this.#reruns,
      rounds: this.#rounds,
      wastedGas,
      workMs,
      elapsedMs,
      speedUp: elapsedMs === 0 ? 0 : workMs / elapsedMs,
    };
  }
}

function pick<T>(items: readonly T[], places: readonly number[]): T[] {
  return places.flatMap((place) => {
    const item = items[place];
    return item === undefined ? [] : [item];
  });
}

/** The accounts that a group is known to touch. */
function addressesOf({ members }: BlockGroup): string[] {
  return members.flatMap(({ sender, signed }) => {
    const { action } = signed.transaction;
    return action.type === 'transfer' ? [sender, Buffer.from(action.value.to).toString('hex')] : [sender];
  });
}

function gasIn({ outcomes }: SpeculationResult): bigint {
  return decodeOutcomes(outcomes).transactions.reduce((sum, { gasUsed }) => sum + gasUsed, 0n);
}
