import type { BundleHashHex, CandidateHashHex, TransactionHashHex } from '../../ledger/hex-types.js';
import { needsEngine } from '../../ledger/transaction-envelope.js';
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

export interface ReportedFault {
  /** Hash of the transaction or bundle. */
  readonly hashHex: CandidateHashHex;
  readonly isBundle: boolean;
  /** `suspected`: retried alone; `out`: removed from the pool and banned for a day. */
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

/** Time budget for retrying suspects between two blocks; at least one is tried. */
const RETRY_BUDGET_MS = 200;

/** Keeps candidates that cannot be executed from disturbing other senders. */
export class Containment {
  readonly #options: ContainmentOptions;
  /** Candidates run by the block in progress: names and their positions among the block's candidates. */
  #running = new Map<CandidateHashHex, number>();
  #candidates = 0;
  #hasSwept = false;
  #lastWasIsolated = false;

  constructor(options: ContainmentOptions) {
    this.#options = options;
  }

  /** True if a transaction or bundle must not be drawn together with others. */
  isHeldBack(hashHex: CandidateHashHex): boolean {
    const level = this.#options.record.trustLevel(hashHex);
    return level !== 'trusted' && level !== 'watched';
  }

  /** True if a candidate that needs its own block could be in the next one. */
  get hasIsolated(): boolean {
    const { record, pool } = this.#options;
    for (const name of record.named('apart')) if (pool.isDrawable(name)) return true;
    return false;
  }

  /** A candidate that needs its own block, for at most every second one; undefined to draw from the pool. */
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

  /** Marks candidates of the block as about to be executed, in addition to those already running. */
  begin(selection: Selection): void {
    const { record, marker } = this.#options;
    this.#sweep();
    for (const { name, start } of candidatesRunningCode(selection))
      this.#running.set(name, this.#candidates + start);
    this.#candidates += selection.transactions.length;
    const candidates = Array.from(this.#running, ([name, start]) => ({ name, start }));
    marker.begin('block', candidates, !record.isEmpty);
  }

  /** The block was committed or abandoned: none of its candidates is running any more. */
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

  /** A block was abandoned. If candidates did not cause that, a crash from now on is not blamed on them. */
  onBlockAbandoned(error: unknown): void {
    if (isEnvironmentFailure(error)) this.#abandon();
  }

  /**
   * Handles a failed execution: finds the faulty candidates, which leave the pool or become suspects, and executes the
   * others.
   * @throws errors that are not a candidate's fault
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
   * Retries suspects one by one, alone and without putting them into a block.
   * @param base base of the next block
   * @returns whether there is work to do now: a suspect was cleared, or time ran out before all were tried
   * @throws errors that are not a candidate's fault
   */
  async trySuspects(base: ExecutionBase): Promise<boolean> {
    const { record } = this.#options;
    const end = performance.now() + RETRY_BUDGET_MS;
    const cleared: CandidateHashHex[] = [];
    let hasMore = false;
    let retryNow = false;
    for (const name of record.named('suspected')) {
      const selection = this.#waiting(name);
      if (selection === undefined) {
        record.forget(name);
        continue;
      }
      hasMore = performance.now() > end;
      if (hasMore) break;
      const verdict = await this.#try(base, selection);
      if (verdict === 'cleared') cleared.push(name);
      // The workers are overloaded: trying more is pointless.
      hasMore = verdict === 'put_off';
      if (hasMore) break;
      retryNow ||= record.trustLevel(name) === 'suspected' && verdict === 'at_fault';
    }
    record.clear(cleared);
    return cleared.length > 0 || hasMore || retryNow;
  }

  /** Executes a suspect alone to see whether it fails, even if it cannot be in the next block. */
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

  /** Executes candidates while the workers record their progress. */
  #executeWatched(base: ExecutionBase, selection: Selection): Promise<ExecutedCandidates> {
    const { marker, execute } = this.#options;
    marker.begin('block', candidatesRunningCode(selection), true);
    return execute(base, selection);
  }

  /** Forgets, once, watched candidates that have left the pool: most are in blocks of the previous process. */
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

  /** The pooled transaction or bundle with this name, as its own selection. */
  #waiting(name: CandidateHashHex): Selection | undefined {
    const { pool } = this.#options;
    // Only the pool knows whether the name is a transaction or a bundle.
    const transaction = pool.get(name as TransactionHashHex)?.transaction;
    if (transaction !== undefined) return { transactions: [transaction], bundles: [] };
    const bundle = pool.bundle(name as BundleHashHex);
    if (bundle === undefined) return undefined;
    const { transactions, hashHex } = bundle;
    return { transactions, bundles: [{ start: 0, length: transactions.length, hashHex }] };
  }
}

function candidatesRunningCode(selection: Selection): (MarkedCandidate & { readonly start: number })[] {
  // Most blocks consist of transfers.
  if (!selection.transactions.some(({ signed }) => needsEngine(signed))) return [];
  return groupsIn(selection).flatMap(({ name, start, runsCode }) => (runsCode ? [{ name, start }] : []));
}
