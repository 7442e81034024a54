import type { BundleHashHex, CandidateHashHex, TransactionHashHex } from '../../ledger/hex-types.js';
import type { Selection } from '../../mempool/draw/block-draw.js';
import type { Mempool } from '../../mempool/pool.js';
import type { ExecutedCandidates, ExecutionBase } from '../executed-candidates.js';
import {
  type ContainedExecution,
  type ExecuteCandidates,
  type GroupFault,
  groupsIn,
  isEnvironmentFailure,
  isolateFaults,
} from './contained-execution.js';
import type { ExecutionMarker, MarkedCandidate } from './execution-marker.js';
import type { FaultRecord } from './fault-record.js';

/** A candidate that was at fault, for whoever reports it. */
export interface ReportedFault {
  /** Of the transaction or the bundle. */
  readonly hashHex: CandidateHashHex;
  readonly isBundle: boolean;
  /** `suspected`: tried again, alone; `out`: it has left the pool, and stays out for a day. */
  readonly verdict: 'suspected' | 'out';
  readonly message: string;
}

export interface ContainmentOptions {
  readonly pool: Pick<Mempool, 'drop' | 'dropBundle' | 'dropBundlesWith' | 'get' | 'bundle' | 'isDrawable'>;
  readonly execute: ExecuteCandidates;
  readonly record: FaultRecord;
  readonly marker: ExecutionMarker;
  readonly onFault: (fault: ReportedFault) => void;
}

/** Suspects are tried for so long between two blocks; at least one is. */
const RETRY_BUDGET_MS = 200;

/** What keeps a candidate that cannot be executed from being anybody's trouble but its sender's. */
export class Containment {
  readonly #options: ContainmentOptions;
  /** What the block being put together has run, by name, with its place among the block's candidates. */
  #running = new Map<CandidateHashHex, number>();
  /** Candidates of the block so far. */
  #candidates = 0;
  #hasSwept = false;
  #lastWasIsolated = false;

  constructor(options: ContainmentOptions) {
    this.#options = options;
  }

  /** Whether a transaction or bundle may not be drawn with others. */
  isHeldBack(hashHex: CandidateHashHex): boolean {
    const standing = this.#options.record.trustLevel(hashHex);
    return standing !== 'trusted' && standing !== 'watched';
  }

  /** Whether any candidate that others are kept from could be in the next block. */
  get hasIsolated(): boolean {
    const { record, pool } = this.#options;
    for (const name of record.named('apart')) if (pool.isDrawable(name)) return true;
    return false;
  }

  /**
   * A block of one candidate that others are kept from, at most every second time.
   * @returns undefined where the block is to be drawn from the pool
   */
  nextIsolated(): Selection | undefined {
    const nextIsolated = this.#lastWasIsolated ? undefined : this.#pickIsolated();
    this.#lastWasIsolated = nextIsolated !== undefined;
    return nextIsolated;
  }

  #pickIsolated(): Selection | undefined {
    const { record, pool } = this.#options;
    for (const name of record.named('apart')) {
      const selection = this.#waiting(name);
      if (selection === undefined) record.forget(name);
      else if (pool.isDrawable(name)) {
        record.postpone(name);
        return selection;
      }
    }
    return undefined;
  }

  /** Candidates of the block are about to be executed, with those begun before. */
  begin(selection: Selection): void {
    const { record, marker } = this.#options;
    this.#sweep();
    for (const { name, start } of candidatesRunningCode(selection))
      this.#running.set(name, this.#candidates + start);
    this.#candidates += selection.transactions.length;
    const candidates = Array.from(this.#running, ([name, start]) => ({ name, start }));
    marker.begin('block', candidates, !record.isEmpty);
  }

  /** The block is the tip, or given up: what was begun for it has ended. */
  end(): void {
    const { record } = this.#options;
    if (this.#running.size === 0) {
      this.#candidates = 0;
      return;
    }
    for (const name of record.isEmpty ? [] : this.#running.keys()) {
      if (this.#waiting(name) === undefined) record.forget(name);
    }
    this.#abandon();
  }

  /** A block was given up for an error. Where candidates have no part in it, that the node ends now is not held against them. */
  onBlockAbandoned(error: unknown): void {
    if (isEnvironmentFailure(error)) this.#abandon();
  }

  /**
   * Executing candidates threw: finds those at fault, which leave the pool or are suspected, and executes the others.
   * @throws what is no candidate's fault
   */
  async recover(base: ExecutionBase, drawn: Selection, thrown: unknown): Promise<ContainedExecution> {
    const execute: ExecuteCandidates = (on, selection) => this.#executeWatched(on, selection);
    const contained = await isolateFaults(base, drawn, thrown, execute).catch((error: unknown) => {
      this.#abandon();
      throw error;
    });
    for (const fault of contained.faults) this.#recordFault(fault);
    return contained;
  }

  /**
   * Tries suspects one by one, with nothing else, and without putting them into a block.
   * @param base of the next block
   * @returns whether there is something to do now: some may be drawn, or there was no time for all of them
   * @throws what is no candidate's fault
   */
  async trySuspects(base: ExecutionBase): Promise<boolean> {
    const { record } = this.#options;
    const end = performance.now() + RETRY_BUDGET_MS;
    const cleared: CandidateHashHex[] = [];
    let isRest = false;
    let isAgain = false;
    for (const name of record.named('suspected')) {
      const selection = this.#waiting(name);
      if (selection === undefined) {
        record.forget(name);
        continue;
      }
      isRest = performance.now() > end;
      if (isRest) break;
      const verdict = await this.#try(base, selection);
      if (verdict === 'cleared') cleared.push(name);
      // The workers have too much to do for any.
      isRest = verdict === 'put_off';
      if (isRest) break;
      isAgain ||= record.trustLevel(name) === 'suspected' && verdict === 'at_fault';
    }
    record.clear(cleared);
    return cleared.length > 0 || isRest || isAgain;
  }

  /** Runs a suspect, also one that cannot be in the next block, to see what it does. */
  async #try(base: ExecutionBase, selection: Selection): Promise<'cleared' | 'at_fault' | 'put_off'> {
    const execute: ExecuteCandidates = (on, candidates) => this.#executeWatched(on, candidates);
    try {
      await execute(base, selection);
      return 'cleared';
    } catch (thrown) {
      const { faults } = await isolateFaults(base, selection, thrown, execute);
      for (const fault of faults) this.#recordFault(fault);
      return faults.length > 0 ? 'at_fault' : 'put_off';
    } finally {
      this.#options.marker.end('block');
    }
  }

  /** Executes candidates while workers note which of them they are at. */
  #executeWatched(base: ExecutionBase, selection: Selection): Promise<ExecutedCandidates> {
    const { marker, execute } = this.#options;
    marker.begin('block', candidatesRunningCode(selection), true);
    return execute(base, selection);
  }

  /** Forgets, once, watched candidates that have left the pool: blocks of the last process hold most of them. */
  #sweep(): void {
    if (this.#hasSwept) return;
    this.#hasSwept = true;
    const { record } = this.#options;
    for (const name of record.named('watched')) if (this.#waiting(name) === undefined) record.forget(name);
  }

  #abandon(): void {
    this.#running = new Map();
    this.#candidates = 0;
    this.#options.marker.end('block');
  }

  #recordFault({ group, message }: GroupFault): void {
    const { pool, record, onFault } = this.#options;
    const verdict = record.recordFault(group.name, message);
    onFault({ hashHex: group.name, isBundle: group.bundle, verdict, message });
    const reason = record.rejectionReason(group.name);
    if (reason === undefined) return;
    if (group.bundle) pool.dropBundle(group.name, 'execution_fault', reason);
    else {
      pool.drop(group.name, 'execution_fault', reason);
      pool.dropBundlesWith(group.name, 'execution_fault', reason);
    }
  }

  /** What waits under a name, on its own or in a bundle, as if it alone had been drawn. */
  #waiting(name: CandidateHashHex): Selection | undefined {
    const { pool } = this.#options;
    // Which of the two it names, only the pool knows.
    const transaction = pool.get(name as TransactionHashHex)?.transaction;
    if (transaction !== undefined) return { transactions: [transaction], bundles: [] };
    const bundle = pool.bundle(name as BundleHashHex);
    if (bundle === undefined) return undefined;
    const { transactions, hashHex } = bundle;
    return { transactions, bundles: [{ start: 0, length: transactions.length, hashHex }] };
  }
}

/** The groups that run code, with their places. */
function candidatesRunningCode(selection: Selection): (MarkedCandidate & { readonly start: number })[] {
  return groupsIn(selection).flatMap(({ name, start, runsCode }) => (runsCode ? [{ name, start }] : []));
}
