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

/** What stands or falls together: a transaction, or a bundle. */
export type CandidateGroup = NamedGroup & {
  /** Whether anything in it is more than a transfer. */
  readonly runsCode: boolean;
};

/** `name` is the hash by which the pool knows it: the transaction's or the bundle's. */
type NamedGroup = AtomicGroup<VerifiedTransaction> &
  (
    | { readonly bundle: false; readonly name: TransactionHashHex }
    | { readonly bundle: true; readonly name: BundleHashHex }
  );

/** A group that could not be executed. */
export interface GroupFault {
  readonly group: CandidateGroup;
  /** For people: what was thrown, or how its worker ended. */
  readonly message: string;
}

/** What came of executing candidates without those at fault. */
export interface ContainedExecution {
  readonly outcome: ExecutedCandidates;
  /** The candidates that were executed: those drawn, without those at fault and without those put off. */
  readonly selection: Selection;
  readonly faults: readonly GroupFault[];
  /** Groups that there was no time for once others were found at fault: they wait for the next block. */
  readonly deferred: number;
}

export type ExecuteCandidates = (base: ExecutionBase, selection: Selection) => Promise<ExecutedCandidates>;

/** What is known of a try that threw. */
interface Failure {
  readonly error: unknown;
  readonly faults: readonly GroupFault[];
  /** Names of groups that nothing went wrong with. */
  readonly proven: readonly CandidateHashHex[];
}

/** So long others may be looked for, once the first is at fault; then the block goes on with what is known to be good. */
const SEARCH_MS = 2_000;

/**
 * Finds which candidates are at fault where executing them threw, and executes the others.
 *
 * Execution says itself as a rule with which groups it went wrong: then the others are executed at once. Where it does not,
 * halves are tried, and halves of those: log2 n tries for each of n groups at fault, none of which is tried again.
 * @param thrown by executing what was drawn
 * @param now milliseconds of a clock that does not jump
 * @throws what is no candidate's fault: StoreError, ExecutionError `stopped`, whatever executing nothing throws
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
  readonly #base: ExecutionBase;
  readonly #execute: ExecuteCandidates;
  readonly #now: () => number;
  readonly #deadline: number;
  readonly #faults: GroupFault[] = [];
  readonly #proven = new Set<CandidateHashHex>();
  /** Groups that were executed together, in their order, and what came of it. */
  #good: readonly CandidateGroup[] = [];
  #outcome: ExecutedCandidates | undefined;

  constructor(base: ExecutionBase, execute: ExecuteCandidates, now: () => number) {
    this.#base = base;
    this.#execute = execute;
    this.#now = now;
    this.#deadline = now() + SEARCH_MS;
  }

  async run(drawn: readonly CandidateGroup[], thrown: unknown): Promise<ContainedExecution> {
    const parts = isOverload(thrown)
      ? [drawn.filter(({ runsCode }) => !runsCode)]
      : this.#divide(drawn, failureOf(thrown, drawn));
    while (parts.length > 0 && (this.#now() < this.#deadline || this.#faults.length === 0)) {
      const part = parts.shift() ?? [];
      const failed = await this.#add(part);
      if (failed !== undefined) parts.unshift(...this.#divide(part, failed));
    }
    await this.#add(parts.flat().filter(({ name, runsCode }) => !runsCode || this.#proven.has(name)));
    // Nothing went: where not even an empty block does, it is no candidate's fault.
    const outcome = this.#outcome ?? (await this.#execute(this.#base, selectionOf([])));
    return {
      outcome,
      selection: selectionOf(this.#good),
      faults: this.#faults,
      deferred: drawn.length - this.#good.length - this.#faults.length,
    };
  }

  /** Executes groups with those that are good; these are then good as well, unless it throws. */
  async #add(groups: readonly CandidateGroup[]): Promise<Failure | undefined> {
    if (groups.length === 0 && this.#outcome !== undefined) return undefined;
    const together = [...this.#good, ...groups].sort((a, b) => a.start - b.start);
    try {
      this.#outcome = await this.#execute(this.#base, selectionOf(together));
      this.#good = together;
      return undefined;
    } catch (error) {
      return failureOf(error, together);
    }
  }

  /** What is to be tried next of a part that did not go. */
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

/**
 * Who is at fault of groups that were executed together.
 * @throws the error where none of them is
 */
function failureOf(error: unknown, groups: readonly CandidateGroup[]): Failure {
  if (isEnvironmentFailure(error)) throw error;
  if (!(error instanceof CandidatesAtFault)) return { error, faults: [], proven: [] };
  // Places count from the first of them.
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

/** Whether something failed that candidates have no part in: the store, or the node is stopping. */
export function isEnvironmentFailure(error: unknown): boolean {
  if (error instanceof StoreError) return true;
  if (error instanceof ExecutionError && error.code === 'stopped') return true;
  const isPassedOn = error instanceof ExecutionError || error instanceof ProofError;
  return isPassedOn && error.cause instanceof StoreError;
}

/** Whether the workers have too much to do: then code has to wait. */
function isOverload(error: unknown): boolean {
  return error instanceof ExecutionError && error.code === 'overloaded';
}

/** The groups of what was drawn, in its order. */
export function groupsIn(selection: Selection): CandidateGroup[] {
  const bundles = new Map(selection.bundles.map(({ start, hashHex }) => [start, hashHex]));
  return [...atomicGroupsOf(selection)].map(({ start, length, members }) => {
    const runsCode = members.some(({ signed }) => needsEngine(signed));
    const bundle = bundles.get(start);
    if (bundle !== undefined) return { start, length, members, bundle: true, name: bundle, runsCode };
    // What is no bundle has one member.
    const name = members[0]?.hashHex as TransactionHashHex;
    return { start, length, members, bundle: false, name, runsCode };
  });
}

/** Groups one behind another, as if nothing else had been drawn. */
export function selectionOf(groups: readonly CandidateGroup[]): Selection {
  const transactions: VerifiedTransaction[] = [];
  const bundles: Selection['bundles'][number][] = [];
  for (const group of groups) {
    if (group.bundle) bundles.push({ start: transactions.length, length: group.length, hashHex: group.name });
    transactions.push(...group.members);
  }
  return { transactions, bundles };
}
