/**
 * A block executed by workers, as if one transaction had been executed after the other in block order.
 *
 * 1. Transfers and envelopes are executed by this thread when their turn comes: they cost less than the way to a worker. Groups with
 *    anything else (see `atomic-groups.ts`) run in workers, divided by what they are expected to touch (`plan.ts`).
 * 2. A worker runs its groups in block order on the state under the block and their own writes (`speculate.ts`), and says
 *    of each what it read, from whom, and what it did. Nonces are none of its concern.
 * 3. In block order each outcome is checked against what the block's state is by then (`merge-results.ts`). Whether a
 *    transaction may be in the block at all is decided here and now, by the same rule as in serial execution.
 * 4. An outcome that is not valid ends the round. What is left is clustered anew, by what it was seen to touch; clusters
 *    without such an outcome keep theirs, the others run again on the state so far. The first of them cannot fail again.
 * 5. After {@link MAX_ROUNDS} the rest runs in one worker, exactly as it is, transfers and envelopes included.
 * 6. What does not fit the block's gas any more is left out without having been tried. No round begins more than the block has
 *    gas for: once that much is used up, the groups not begun wait for the next round.
 *
 * @module
 */

import { setImmediate } from 'node:timers/promises';
import { hasLane } from '../../ledger/accounts.js';
import { needsEngine, type TransactionEnvelope } from '../../ledger/transaction-envelope.js';
import type { Writer } from '../access-recorder.js';
import { type AtomicGroup, atomicGroupsOf, type Candidates } from '../atomic-groups.js';
import type { BlockEnvironment } from '../block-environment.js';
import type { BlockExecution } from '../block-execution.js';
import { ExecutionError } from '../execution-error.js';
import type { SharedWrites } from '../pending-writes.js';
import {
  blobsByIndex,
  expectationOf,
  isStillValid,
  mergeResult,
  type SpeculationTask,
  type SpeculativeResult,
  UNSURE,
  validateReadSet,
  type Writers,
  writerOf,
  writersIn,
} from './merge-results.js';
import { type Plan, type PlannedGroup, planBlock } from './plan.js';
import { type Predictions, plainExpectation } from './predictions.js';
import { encodeGroups, encodeOverlay, type SpeculationInput } from './speculation-input.js';
import { decodeOutcomes, type SpeculationResult } from './speculation-result.js';
import type { ParallelStatistics } from './statistics.js';

/** Whoever tries groups: the workers, or a test. */
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
}

type BlockGroup = AtomicGroup<TransactionEnvelope>;

/** How often groups are divided over the workers before the rest is left to one. */
const MAX_ROUNDS = 4;
/** Groups that are validated before the event loop gets its turn, as a worker may be waiting for its next task. */
const SLICE = 16;
/** Groups whose accounts are read together. */
const PREFETCHED = 96;

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
  /** What is known of the candidates that were tried, by their index. */
  readonly #results: (SpeculativeResult | undefined)[];
  readonly #opensLane: Uint8Array;
  readonly #offset: number;
  /** The first group that is not in the block yet. */
  #cursor = 0;
  #tasks = 0;
  #rounds = 0;
  #clusters = 0;
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
    this.#results = new Array<SpeculativeResult | undefined>(end);
    this.#opensLane = new Uint8Array(end);
  }

  async run(): Promise<ParallelStatistics> {
    const started = performance.now();
    const all = this.#groupsToTry(0);
    const plan = this.#plan(all.map((group) => this.#expectation(group)));
    this.#clusters = plan.clusters;
    await this.#round(plan.tasks.map((task) => pick(all, task)));
    while (this.#cursor < this.#groups.length) {
      this.#rounds++;
      if (this.#rounds > MAX_ROUNDS) {
        throw new Error(
          `block ${this.#options.env.height}: group ${this.#cursor} is invalid however it is run`,
        );
      }
      if (this.#rounds === MAX_ROUNDS) {
        this.#reruns += this.#groupsToTry(this.#cursor).length;
        await this.#round([this.#groups.slice(this.#cursor)], true);
      } else await this.#round(this.#tasksAgain());
    }
    const elapsedMs = performance.now() - started;
    return this.#statistics(all.length, elapsedMs);
  }

  /** Has workers run groups, and puts into the block what is valid, as it comes back. */
  async #round(tasks: readonly (readonly BlockGroup[])[], exact = false): Promise<void> {
    const { env, branch, runner } = this.#options;
    const from = this.#groups[this.#cursor]?.start ?? this.#offset;
    this.#foreseeLanes();
    const { state } = this.#block;
    const overlay = from === 0 ? {} : { overlay: encodeOverlay(state) };
    const codes = state.codes();
    const { gasLeft } = this.#block;
    const gasSpent = new SharedArrayBuffer(8);
    // Transfers and envelopes at the beginning need no worker.
    let validation = tasks.length === 0 ? this.#validate() : Promise.resolve();
    const results = await Promise.allSettled(
      tasks.map(async (groups) => {
        const task = { number: this.#tasks++, from };
        for (const group of groups) this.#forget(group);
        const encoded = encodeGroups(groups, (index) => this.#opensLane[index] === 1);
        const result = await runner.run({
          env,
          ...(branch === undefined ? {} : { branch }),
          groups: encoded,
          exact,
          gasLeft,
          gasSpent,
          codes,
          ...overlay,
        });
        this.#take(task, result);
        validation = validation.then(() => this.#validate());
        await validation;
      }),
    );
    for (const result of results) {
      // A lost worker's groups are run again, like those that are not valid.
      if (result.status === 'rejected' && (exact || !isLostWorker(result.reason))) throw result.reason;
    }
    await validation;
  }

  /** Puts groups into the block until one has to wait. */
  async #validate(): Promise<void> {
    const { env, prefetch } = this.#options;
    const { state } = this.#block;
    let prefetched = 0;
    for (let since = 0; this.#cursor < this.#groups.length; since++) {
      if (since === SLICE) {
        await setImmediate();
        since = 0;
      }
      if (this.#cursor >= prefetched) {
        prefetched = this.#cursor + PREFETCHED;
        prefetch?.(this.#groups.slice(this.#cursor, prefetched).flatMap(addressesOf));
      }
      const group = this.#groups[this.#cursor];
      if (group === undefined) return;
      const added = this.#block.addBy(group, (transaction, index) => {
        if (isPlain(transaction)) return this.#block.execute(transaction);
        const result = this.#results[index];
        if (result === undefined || !isStillValid(result, transaction, state, this.#writers))
          return undefined;
        return mergeResult(result, transaction, state, env);
      });
      if (!added) return;
      for (let index = group.start; index < group.start + group.length; index++) {
        this.#mergedGas += this.#results[index]?.speculation.gasUsed ?? 0n;
      }
      this.#cursor++;
    }
  }

  /** What a worker found out. */
  #take(task: SpeculationTask, result: SpeculationResult): void {
    const { slots, transactions } = decodeOutcomes(result.outcomes);
    const blobs = blobsByIndex(result);
    for (const speculation of transactions) {
      const { index, gasUsed } = speculation;
      this.#results[index] = { task, speculation, slots, blobs: blobs.get(index) ?? [] };
      this.#allGas += gasUsed;
    }
    this.#allMs += result.workMs;
  }

  /** Clusters what is left by what it was seen to touch, and divides the clusters that are not valid as they are. */
  #tasksAgain(): BlockGroup[][] {
    const rest = this.#groupsToTry(this.#cursor);
    const unsure = this.#unsureAmong(rest);
    const expectations = rest.map((group) => this.#expectation(group));
    const { clusterOf } = this.#plan(expectations);
    const dirty = new Set<number>();
    for (const [place, group] of rest.entries()) if (unsure.has(group)) dirty.add(clusterOf[place] ?? place);
    const isAgain = (place: number): boolean => dirty.has(clusterOf[place] ?? place);
    const again = rest.filter((_, place) => isAgain(place));
    this.#reruns += again.length;
    const plan = this.#plan(expectations.filter((_, place) => isAgain(place)));
    return plan.tasks.map((task) => pick(again, task));
  }

  /** The groups whose reads would not be valid if all before them were; the first is not in any case. */
  #unsureAmong(rest: readonly BlockGroup[]): Set<BlockGroup> {
    const slots = new Map<string, Writer>();
    const contracts = new Map<string, Writer>();
    const writers: Writers = {
      slot: (name) => slots.get(name) ?? this.#writers.slot(name),
      contract: (address) => contracts.get(address) ?? this.#writers.contract(address),
    };
    const unsure = new Set<BlockGroup>();
    for (const [place, group] of rest.entries()) {
      const isValid = place > 0 && this.#isValid(group, writers);
      if (!isValid) unsure.add(group);
      for (const result of this.#resultsOf(group)) {
        const writer = isValid ? writerOf(result.task, result.speculation.index) : UNSURE;
        for (const { slot } of result.speculation.slotWrites) {
          const name = result.slots[slot]?.name;
          if (name !== undefined) slots.set(name, writer);
        }
        for (const { address } of result.speculation.contractWrites) contracts.set(address, writer);
      }
    }
    return unsure;
  }

  #isValid(group: BlockGroup, writers: Writers): boolean {
    for (const [place, transaction] of group.members.entries()) {
      if (isPlain(transaction)) continue;
      const result = this.#results[group.start + place];
      if (result === undefined || !validateReadSet(result, writers)) return false;
      // It was not tried any further.
      if (group.bundle && !result.speculation.success) return true;
    }
    return true;
  }

  #plan(groups: readonly PlannedGroup[]): Plan {
    const { runner, leastTaskGas } = this.#options;
    return planBlock(groups, runner.workers, leastTaskGas);
  }

  #resultsOf({ start, length }: BlockGroup): SpeculativeResult[] {
    return this.#results.slice(start, start + length).filter((result) => result !== undefined);
  }

  #forget({ start, length }: BlockGroup): void {
    this.#results.fill(undefined, start, start + length);
  }

  /** The groups from a place on that are not for this thread. */
  #groupsToTry(from: number): BlockGroup[] {
    return this.#groups.slice(from).filter(({ members }) => !members.every(isPlain));
  }

  /** What a group did when it was last tried, else what was predicted, else what can be said of it. */
  #expectation({ start, members }: BlockGroup): PlannedGroup {
    const { predictions } = this.#options;
    const expected = members.map((member, place) => {
      const result = this.#results[start + place];
      if (result !== undefined) return expectationOf(result, member.sender);
      return predictions.of(member) ?? plainExpectation(member);
    });
    const [only] = expected;
    if (only !== undefined && expected.length === 1) return only;
    return {
      accesses: Uint32Array.from(expected.flatMap(({ accesses }) => [...accesses])),
      gas: expected.reduce((sum, { gas }) => sum + gas, 0),
    };
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

function isPlain({ signed }: TransactionEnvelope): boolean {
  return !needsEngine(signed);
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
