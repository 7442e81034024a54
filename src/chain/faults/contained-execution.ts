import { errorMessage } from '../../base/errors.js';
import { type AtomicGroup, atomicGroupsOf } from '../../execution/atomic-groups.js';
import { CandidatesAtFault } from '../../execution/candidates-at-fault.js';
import { ExecutionError } from '../../execution/execution-error.js';
import type { BundleHashHex, CandidateHashHex, TransactionHashHex } from '../../ledger/hex-types.js';
import { needsEngine, type VerifiedTransaction } from '../../ledger/transaction-envelope.js';
import type { Selection } from '../../mempool/draw/block-draw.js';
import { ProofError } from '../../proofs/proof-error.js';
import { StoreError } from '../../storage/store-error.js';
import type { ExecutedCandidates, ExecutionBase } from '../executed-candidates.js';

/** An atomic unit of candidates: a transaction or a bundle. */
export type CandidateGroup = NamedGroup & {
  /** True if any member is more than a transfer. */
  readonly runsCode: boolean;
};

/** `name` is the pool's hash of the transaction or bundle. */
type NamedGroup = AtomicGroup<VerifiedTransaction> &
  (
    | { readonly bundle: false; readonly name: TransactionHashHex }
    | { readonly bundle: true; readonly name: BundleHashHex }
  );

export interface GroupFault {
  readonly group: CandidateGroup;
  /** Human-readable: the error thrown, or how the worker ended. */
  readonly message: string;
}

export interface ContainedExecution {
  readonly outcome: ExecutedCandidates;
  /** The executed candidates: those drawn, without the faulty and the deferred ones. */
  readonly selection: Selection;
  readonly faults: readonly GroupFault[];
  /** Number of groups left for the next block because time ran out after a fault. */
  readonly deferred: number;
}

export type ExecuteCandidates = (base: ExecutionBase, selection: Selection) => Promise<ExecutedCandidates>;

interface Failure {
  readonly error: unknown;
  readonly faults: readonly GroupFault[];
  /** Names of groups known to be good. */
  readonly proven: readonly CandidateHashHex[];
}

/** Limit on the search for further faults after the first. The block then holds only what the search has cleared. */
const SEARCH_MS = 2_000;

/**
 * Finds the candidates that made execution fail, and executes the others.
 *
 * Execution usually names the faulty groups; the others are then executed at once. Otherwise this bisects, with about
 * log2 n attempts per faulty group among n groups. A faulty group is never executed again.
 * @param thrown the error of executing the drawn candidates
 * @param now a monotonic clock in milliseconds
 * @throws errors that are not a candidate's fault: StoreError, ExecutionError `stopped`, errors of an empty block
 */
export function isolateFaults(
  base: ExecutionBase,
  drawn: Selection,
  thrown: unknown,
  execute: ExecuteCandidates,
  now: () => number = () => performance.now(),
): Promise<ContainedExecution> {
  return new Search(base, execute, now).run(groupsIn(drawn), thrown);
}

class Search {
  readonly #deadline: number;
  readonly #faults: GroupFault[] = [];
  readonly #proven = new Set<CandidateHashHex>();
  /** Groups that executed successfully together, in order, and the outcome. */
  #good: readonly CandidateGroup[] = [];
  #outcome: ExecutedCandidates | undefined;

  constructor(
    readonly base: ExecutionBase,
    readonly execute: ExecuteCandidates,
    readonly now: () => number,
  ) {
    this.#deadline = now() + SEARCH_MS;
  }

  async run(drawn: readonly CandidateGroup[], thrown: unknown): Promise<ContainedExecution> {
    const parts = isOverload(thrown)
      ? [drawn.filter(({ runsCode }) => !runsCode)]
      : this.#divide(drawn, failureOf(thrown, drawn));
    while (parts.length > 0 && (this.now() < this.#deadline || this.#faults.length === 0)) {
      const part = parts.shift() ?? [];
      const failed = await this.#add(part);
      if (failed !== undefined) parts.unshift(...this.#divide(part, failed));
    }
    await this.#add(parts.flat().filter(({ name, runsCode }) => !runsCode || this.#proven.has(name)));
    // Nothing succeeded. If even an empty block fails, the error is not a candidate's fault.
    const outcome = this.#outcome ?? (await this.execute(this.base, selectionOf([])));
    return {
      outcome,
      selection: selectionOf(this.#good),
      faults: this.#faults,
      deferred: drawn.length - this.#good.length - this.#faults.length,
    };
  }

  /** Executes groups together with the good ones; if nothing throws, they are good too. */
  async #add(groups: readonly CandidateGroup[]): Promise<Failure | undefined> {
    if (groups.length === 0 && this.#outcome !== undefined) return undefined;
    const together = [...this.#good, ...groups].sort((a, b) => a.start - b.start);
    try {
      this.#outcome = await this.execute(this.base, selectionOf(together));
      this.#good = together;
      return undefined;
    } catch (error) {
      return failureOf(error, together);
    }
  }

  #divide(
    part: readonly CandidateGroup[],
    { error, faults, proven }: Failure,
  ): (readonly CandidateGroup[])[] {
    for (const name of proven) this.#proven.add(name);
    const names = new Set<CandidateHashHex>(part.map(({ name }) => name));
    const own = faults.filter(({ group }) => names.has(group.name));
    const [only] = part;
    if (own.length === 0 && only !== undefined && part.length === 1) {
      this.#faults.push({ group: only, message: errorMessage(error) });
      return [];
    }
    if (own.length > 0) {
      this.#faults.push(...own);
      const blamed = new Set<CandidateHashHex>(own.map(({ group }) => group.name));
      const others = part.filter(({ name }) => !blamed.has(name));
      return others.length === 0 ? [] : [others];
    }
    const middle = Math.ceil(part.length / 2);
    return part.length === 0 ? [] : [part.slice(0, middle), part.slice(middle)];
  }
}

/** Attributes an error to the groups that were executed together. @throws the error if none of them caused it */
function failureOf(error: unknown, groups: readonly CandidateGroup[]): Failure {
  if (isEnvironmentFailure(error)) throw error;
  if (!(error instanceof CandidatesAtFault)) return { error, faults: [], proven: [] };
  // Positions are relative to the first of these groups.
  const byPlace = new Map<number, CandidateGroup>();
  let place = 0;
  for (const group of groups) {
    byPlace.set(place, group);
    place += group.length;
  }
  const faults = error.faults.flatMap(({ start, message }) => {
    const group = byPlace.get(start);
    return group === undefined ? [] : [{ group, message }];
  });
  const proven = [...error.proven].flatMap((start) => byPlace.get(start)?.name ?? []);
  return { error, faults, proven };
}

/** True if the failure has nothing to do with candidates: the store failed, or the node is stopping. */
export function isEnvironmentFailure(error: unknown): boolean {
  if (error instanceof StoreError) return true;
  if (error instanceof ExecutionError && error.code === 'stopped') return true;
  const isPassedOn = error instanceof ExecutionError || error instanceof ProofError;
  return isPassedOn && error.cause instanceof StoreError;
}

/** True if the workers are overloaded; candidates that run code then have to wait. */
function isOverload(error: unknown): boolean {
  return error instanceof ExecutionError && error.code === 'overloaded';
}

export function groupsIn(selection: Selection): CandidateGroup[] {
  const bundles = new Map(selection.bundles.map(({ start, hashHex }) => [start, hashHex]));
  return [...atomicGroupsOf(selection)].map(({ start, length, members }) => {
    const runsCode = members.some(({ signed }) => needsEngine(signed));
    const bundle = bundles.get(start);
    if (bundle !== undefined) return { start, length, members, bundle: true, name: bundle, runsCode };
    // A group that is not a bundle has one member.
    const name = members[0]?.hashHex as TransactionHashHex;
    return { start, length, members, bundle: false, name, runsCode };
  });
}

export function selectionOf(groups: readonly CandidateGroup[]): Selection {
  const transactions: VerifiedTransaction[] = [];
  const bundles: Selection['bundles'][number][] = [];
  for (const group of groups) {
    if (group.bundle) bundles.push({ start: transactions.length, length: group.length, hashHex: group.name });
    transactions.push(...group.members);
  }
  return { transactions, bundles };
}
