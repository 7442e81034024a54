/**
 * A block executed by workers, as if one transaction had been executed after the other in block order.
 *
 * 1. The main thread executes transfers and envelopes itself, in their turn: they cost less than the way to a worker. Groups with
 *    anything else (see `atomic-groups.ts`) run in workers, divided by what they are expected to touch (`plan.ts`).
 * 2. A worker runs its groups in block order on the state under the block and their own writes (`speculate.ts`), and reports
 *    each one's reads, their writers, and its effects. Workers do not check nonces.
 * 3. Outcomes are checked in block order against the block's state (`merge-results.ts`). The same rule as in serial execution
 *    decides here whether a transaction may be in the block at all.
 * 4. Groups run in windows. If all groups of a window but the first turn out invalid, the time lost is within the budget.
 *    Time gained adds to the budget, so windows grow (`speculation-budget.ts`).
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
import { ExecutionError } from '../execution-error.js';
import type { SharedWrites } from '../pending-writes.js';
import type { CodeBlob } from '../state-writes.js';
import { OverlayEncoder, type OverlayPart } from './block-overlay.js';
import { isStillValid, mergeResult, type Writers, writersIn } from './merge-results.js';
import { clustersOf, packTasks } from './plan.js';
import type { Predictions } from './predictions.js';
import { type SpeculationBudget, TimeBudget } from './speculation-budget.js';
import { encodeGroups, type SpeculationInput } from './speculation-input.js';
import { decodeOutcomes, type SpeculationResult } from './speculation-result.js';
import type { ParallelStatistics } from './statistics.js';
import { type BlockGroup, isPlain, TriedGroups } from './tried-groups.js';

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
  /** Less gas than this is no task of its own; half a millisecond's if absent. */
  readonly leastTaskGas?: number;
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
const MOST_ATTEMPTS = 3;
/** Share of the block's gas above which a group is long: a worker that began with it is busy until its end. */
const LONG_GROUP = 1 / 64;
/** More than any block has gas for: tasks begin no further group. */
const STOP = 2n ** 63n;

/** Groups that a worker runs one after another. */
interface Task {
  readonly groups: readonly BlockGroup[];
  readonly base: TaskBase;
  readonly exact: boolean;
  /** Whether the block fails if the worker is lost. */
  readonly isLast: boolean;
  /** Whether it stops soon after it is given up: none of its groups is long. */
  readonly isFine: boolean;
}

/** The state that tasks run on, as of a group that was about to be merged. */
interface TaskBase {
  /** The first candidate that is not in it. */
  readonly from: number;
  readonly codes: readonly CodeBlob[];
  readonly overlay: readonly OverlayPart[];
  readonly gasLeft: bigint;
  readonly gasSpent: SharedArrayBuffer;
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
  readonly #tried: TriedGroups;
  readonly #overlay: OverlayEncoder;
  readonly #budget: SpeculationBudget;
  readonly #opensLane: Uint8Array;
  readonly #offset: number;
  /** Tasks that run at the same time: no more than the machine has cores. */
  readonly #parallelism: number;
  /** Groups with equal numbers are expected to conflict. */
  readonly #clusterOf = new Map<BlockGroup, number>();
  /** What the groups from each on are expected to use. */
  readonly #restGas: Float64Array;
  /** Tasks that workers have, also of a window that was given up. */
  readonly #flights = new Set<Promise<void>>();
  /** Tasks that wait for a worker. */
  #queue: Task[] = [];
  /** Groups in tasks that wait or run and are not given up. */
  #underWay = new Set<BlockGroup>();
  #failure: { readonly error: unknown } | undefined;
  /** The first group that is not in the block yet. */
  #cursor = 0;
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
    this.#tried = new TriedGroups(options.predictions, this.#writers, end);
    this.#budget = options.budget ?? new TimeBudget();
    this.#parallelism = Math.min(options.runner.workers, availableParallelism());
    this.#opensLane = new Uint8Array(end);
    this.#restGas = new Float64Array(this.#groups.length + 1);
    for (let place = this.#groups.length - 1; place >= 0; place--) {
      const group = this.#groups[place];
      const gas = group === undefined ? 0 : this.#tried.predictedGas(group);
      this.#restGas[place] = (this.#restGas[place + 1] ?? 0) + gas;
    }
  }

  async run(): Promise<ParallelStatistics> {
    const started = performance.now();
    const units = this.#groupsToTry().length;
    try {
      await this.#validate();
      if (this.#findClusters()) {
        this.#budget.begin();
        for (let isGood = true; isGood && this.#cursor < this.#groups.length; ) {
          const before = this.#cursor;
          const groups = this.#nextWindow();
          isGood = groups.length > 1 && (await this.#speculateOn(groups)) && this.#cursor > before;
        }
      }
      if (this.#cursor < this.#groups.length) await this.#runInOrder();
    } finally {
      await Promise.allSettled(this.#flights);
    }
    // Of a task that was given up.
    this.#throwFailure();
    return this.#statistics(units, performance.now() - started);
  }

  /** @returns whether anything may run at the same time as something else */
  #findClusters(): boolean {
    const rest = this.#groupsToTry();
    const clusters = clustersOf(rest.map((group) => this.#tried.expectedAccesses(group)));
    for (const [place, group] of rest.entries()) this.#clusterOf.set(group, clusters[place] ?? place);
    this.#clusters = new Set(clusters).size;
    // One cluster can still conflict with the transfers between its groups.
    return this.#clusters > 1 || rest.length < this.#groups.length - this.#cursor;
  }

  /** The next groups to speculate on; fewer than two if the rest is to run in order. */
  #nextWindow(): readonly BlockGroup[] {
    const rest = this.#groupsToTry();
    const spare = this.#budget.spareGas(this.#restGas[this.#cursor] ?? 0);
    const gasOf = new Map<number, number>();
    let total = 0;
    for (const [place, group] of rest.entries()) {
      // The first group is valid, and runs first: while it does, others lose no time.
      const gas = place === 0 ? 0 : this.#tried.expectedGas(group);
      const cluster = this.#clusterOf.get(group) ?? place;
      const clusterGas = (gasOf.get(cluster) ?? 0) + gas;
      total += gas;
      if (clusterGas > spare || total > spare * this.#parallelism) return rest.slice(0, place);
      gasOf.set(cluster, clusterGas);
    }
    return rest;
  }

  /**
   * Has workers try groups, and merges valid outcomes as they come back.
   * @returns false where the rest of the block is to run in order
   */
  async #speculateOn(groups: readonly BlockGroup[]): Promise<boolean> {
    const base = this.#base();
    const clusters = groups.map((group, place) => this.#clusterOf.get(group) ?? place);
    this.#enqueue(groups, clusters, base);
    while (this.#underWay.size > 0) {
      await Promise.race(this.#flights);
      this.#throwFailure();
      await this.#validate();
      this.#throwFailure();
      const next = this.#groups[this.#cursor];
      const isStuck = next !== undefined && !this.#underWay.has(next) && this.#tried.has(next);
      if (isStuck && !this.#repair(groups, base)) {
        this.#giveUp(base);
        return false;
      }
      this.#startTasks();
    }
    return true;
  }

  /**
   * Has the clusters run again that are not valid as they are, of those groups that no task has.
   * @returns false where serial execution is as fast
   */
  #repair(groups: readonly BlockGroup[], { gasLeft, gasSpent }: TaskBase): boolean {
    const restGas = this.#restGas[this.#cursor] ?? 0;
    if (this.#budget.spareGas(restGas) <= 0) return false;
    const from = this.#groups[this.#cursor]?.start ?? this.#offset;
    const tried = groups.filter(
      (group) => group.start >= from && !this.#underWay.has(group) && this.#tried.has(group),
    );
    const unsure = this.#tried.unsureAmong(tried);
    const gasOf = (some: Iterable<BlockGroup>): number => {
      let gas = 0;
      for (const group of some) gas += this.#tried.gasOf(group);
      return gas;
    };
    if (this.#budget.isWasted(gasOf(unsure), gasOf(tried), restGas)) return false;
    this.#rounds++;
    const clusters = clustersOf(tried.map((group) => this.#tried.expectedAccesses(group)));
    const dirty = new Set<number>();
    for (const [place, group] of tried.entries()) {
      if (unsure.has(group)) dirty.add(clusters[place] ?? place);
    }
    const isAgain = (place: number): boolean => dirty.has(clusters[place] ?? place);
    const again = tried.filter((_, place) => isAgain(place));
    const againIn = [...clusters].filter((_, place) => isAgain(place));
    this.#enqueue(again, againIn, { ...this.#base(), gasLeft, gasSpent });
    return true;
  }

  /** Plans tasks, which go ahead of the tasks that wait. */
  #enqueue(groups: readonly BlockGroup[], clusters: readonly number[], base: TaskBase): void {
    const { runner, leastTaskGas } = this.#options;
    const gas = groups.map((group) => this.#tried.expectedGas(group));
    const long = LONG_GROUP * (this.#restGas[0] ?? 0);
    const tasks = packTasks(gas, clusters, runner.workers, leastTaskGas).map((places) => {
      const isFine = places.every((place) => (gas[place] ?? 0) <= long);
      return { groups: pick(groups, places), base, exact: false, isLast: false, isFine };
    });
    // What the block waits for goes first.
    const isFirst = ({ groups: [first] }: Task): boolean => first === groups[0];
    this.#queue.unshift(...tasks.filter(isFirst), ...tasks.filter((task) => !isFirst(task)));
    for (const group of groups) {
      if (this.#tried.has(group)) this.#reruns++;
      this.#tried.forget(group);
      this.#underWay.add(group);
    }
    this.#startTasks();
  }

  /** One worker executes the rest of the block in order. */
  async #runInOrder(): Promise<void> {
    const before = this.#cursor;
    const groups = this.#groups.slice(before);
    for (const group of groups) {
      if (this.#tried.has(group)) this.#reruns++;
      this.#tried.forget(group);
    }
    this.#rounds++;
    for (let attempt = 1; !groups.some((group) => this.#tried.has(group)); attempt++) {
      await this.#start({
        groups,
        base: this.#base(),
        exact: true,
        isFine: false,
        isLast: attempt === MOST_ATTEMPTS,
      });
      this.#throwFailure();
    }
    await this.#validate();
    if (this.#cursor < this.#groups.length) {
      const { height } = this.#options.env;
      throw new Error(`block ${height}: group ${this.#cursor} is invalid however it is run`);
    }
  }

  /** Tasks end after the groups they are at, and their outcomes do not count. */
  #giveUp({ gasSpent }: TaskBase): void {
    Atomics.store(new BigUint64Array(gasSpent), 0, STOP);
    this.#queue = [];
    this.#underWay = new Set();
  }

  #base(): TaskBase {
    const { state, gasLeft } = this.#block;
    const from = this.#groups[this.#cursor]?.start ?? this.#offset;
    this.#foreseeLanes();
    return {
      from,
      codes: state.codes(),
      overlay: this.#overlay.parts(),
      gasLeft,
      gasSpent: new SharedArrayBuffer(8),
    };
  }

  /**
   * Starts as many as keep the workers busy: a repair does not wait behind the rest of the window.
   * @param onlyFine skips tasks with long groups: those wait for the validation of outcomes at hand
   */
  #startTasks(onlyFine = false): void {
    const { workers } = this.#options.runner;
    for (let next = this.#queue[0]; next !== undefined; next = this.#queue[0]) {
      const { isFine } = next;
      if (this.#flights.size >= (isFine ? workers + 1 : workers) || (onlyFine && !isFine)) return;
      this.#queue.shift();
      void this.#start(next);
    }
  }

  /** Never rejects. */
  #start(task: Task): Promise<void> {
    const flight = this.#run(task)
      .catch((error: unknown) => {
        // A lost worker's groups are run again, like those that are not valid.
        if (task.isLast || !isLostWorker(error)) this.#failure ??= { error };
      })
      .finally(() => {
        this.#flights.delete(flight);
        for (const group of task.groups) this.#underWay.delete(group);
        if (this.#failure === undefined) this.#startTasks(true);
        else this.#giveUp(task.base);
      });
    this.#flights.add(flight);
    return flight;
  }

  async #run({ groups, base, exact }: Task): Promise<void> {
    const { env, branch, runner } = this.#options;
    const { from, ...state } = base;
    const task = { number: this.#tasks++, from };
    const encoded = encodeGroups(groups, (index) => this.#opensLane[index] === 1);
    const result = await runner.run({
      env,
      ...(branch === undefined ? {} : { branch }),
      groups: encoded,
      exact,
      ...state,
    });
    const [first] = groups;
    const isGivenUp = !exact && first !== undefined && !this.#underWay.has(first);
    const gas = isGivenUp ? gasIn(result) : this.#tried.take(task, result);
    this.#allGas += gas;
    this.#allMs += result.workMs;
    this.#budget.worked(Number(gas), result.workMs);
  }

  #throwFailure(): void {
    if (this.#failure !== undefined) throw this.#failure.error;
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
      const result = this.#tried.at(index);
      if (result === undefined || !isStillValid(result, transaction, state, this.#writers)) return undefined;
      return mergeResult(result, transaction, state, env);
    });
    if (added) {
      for (let index = group.start; index < group.start + group.length; index++) {
        this.#mergedGas += this.#tried.at(index)?.speculation.gasUsed ?? 0n;
      }
    }
    return added;
  }

  /** The groups that are not in the block and not for the main thread. */
  #groupsToTry(): BlockGroup[] {
    return this.#groups.slice(this.#cursor).filter(({ members }) => !members.every(isPlain));
  }

  /** Which of the transactions that are left are the first of their lanes. */
  #foreseeLanes(): void {
    const { state } = this.#block;
    const opened = new Set<string>();
    for (const { start, members } of this.#groups.slice(this.#cursor)) {
      for (const [place, { sender, signed }] of members.entries()) {
        const { lane } = signed.transaction;
        let opens = false;
        if (!hasLane(state.unrecorded(sender), lane)) {
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

function isLostWorker(error: unknown): boolean {
  return error instanceof ExecutionError && error.code === 'worker_died';
}

function gasIn({ outcomes }: SpeculationResult): bigint {
  return decodeOutcomes(outcomes).transactions.reduce((sum, { gasUsed }) => sum + gasUsed, 0n);
}
