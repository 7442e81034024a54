import type { BundleHashHex, CandidateHashHex, TransactionHashHex } from '../ledger/hex-names.js';
import type { Selection } from '../mempool/block-draw.js';
import type { Mempool } from '../mempool/pool.js';
import {
  type ContainedExecution,
  type ExecuteCandidates,
  executeOthers,
  type GroupFault,
  groupsIn,
  isNobodysFault,
} from './contained-execution.js';
import type { FaultRecord } from './fault-record.js';
import type { ExecutionBase } from './next-block.js';
import type { UnderWay } from './under-way.js';

/** A candidate that was at fault, for whoever reports it. */
export interface ReportedFault {
  /** Of the transaction or the bundle. */
  readonly hashHex: CandidateHashHex;
  readonly isBundle: boolean;
  /** `suspected`: tried once more, alone; `out`: it has left the pool for good. */
  readonly verdict: 'suspected' | 'out';
  readonly message: string;
}

export interface ContainmentOptions {
  readonly pool: Pick<Mempool, 'drop' | 'dropBundle' | 'dropBundlesWith' | 'get' | 'bundle' | 'isDrawable'>;
  readonly execute: ExecuteCandidates;
  readonly record: FaultRecord;
  readonly underWay: UnderWay;
  readonly onFault: (fault: ReportedFault) => void;
}

/** Suspects are tried for so long between two blocks; at least one is. */
const TRIAL_MS = 200;

/** What keeps a candidate that cannot be executed from being anybody's trouble but its sender's. */
export class Containment {
  readonly #options: ContainmentOptions;
  /** What the block being put together has run, by name. */
  #running = new Set<CandidateHashHex>();
  #lastWasApart = false;

  constructor(options: ContainmentOptions) {
    this.#options = options;
  }

  /** Whether a transaction or bundle may not be drawn with others. */
  isHeldBack(hashHex: CandidateHashHex): boolean {
    return this.#options.record.standing(hashHex) !== 'trusted';
  }

  /** Whether any candidate that others are kept from could be in the next block. */
  get hasApart(): boolean {
    const { record, pool } = this.#options;
    for (const name of record.named('apart')) if (pool.isDrawable(name)) return true;
    return false;
  }

  /**
   * A block of one candidate that others are kept from, at most every second time.
   * @returns undefined where the block is to be drawn from the pool
   */
  apart(): Selection | undefined {
    const apart = this.#lastWasApart ? undefined : this.#apart();
    this.#lastWasApart = apart !== undefined;
    return apart;
  }

  #apart(): Selection | undefined {
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
    const names = groupsIn(selection).flatMap(({ name, runsCode }) => (runsCode ? [name] : []));
    const [first] = names;
    if (first === undefined) return;
    for (const name of names) this.#running.add(name);
    const alone = this.#running.size === 1 && this.isHeldBack(first);
    this.#options.underWay.begin('block', [...this.#running], alone);
  }

  /** The block is the tip, or given up: what was begun for it has ended. */
  end(): void {
    if (this.#running.size === 0) return;
    const { record } = this.#options;
    for (const name of record.isEmpty ? [] : this.#running) {
      if (this.#waiting(name) === undefined) record.forget(name);
    }
    this.#giveUp();
  }

  /** A block was given up for an error. Where candidates have no part in it, that the node ends now is not held against them. */
  acquit(error: unknown): void {
    if (isNobodysFault(error)) this.#giveUp();
  }

  /**
   * Executing candidates threw: finds those at fault, which leave the pool or are suspected, and executes the others.
   * @throws what is no candidate's fault
   */
  async recover(base: ExecutionBase, drawn: Selection, thrown: unknown): Promise<ContainedExecution> {
    const contained = await executeOthers(base, drawn, thrown, this.#options.execute).catch(
      (error: unknown) => {
        this.#giveUp();
        throw error;
      },
    );
    // Only one of those that are held back is ever drawn, and nothing with it.
    for (const fault of contained.faults) this.#hold(fault, this.isHeldBack(fault.group.name));
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
    const end = performance.now() + TRIAL_MS;
    const cleared: CandidateHashHex[] = [];
    let isRest = false;
    for (const name of record.named('suspected')) {
      const selection = this.#waiting(name);
      if (selection === undefined) {
        record.forget(name);
        continue;
      }
      isRest = performance.now() > end;
      if (isRest) break;
      const verdict = await this.#try(base, name, selection);
      if (verdict === 'cleared') cleared.push(name);
      // The workers have too much to do for any.
      isRest = verdict === 'put_off';
      if (isRest) break;
    }
    record.clear(cleared);
    return cleared.length > 0 || isRest;
  }

  /** Runs a suspect, also one that cannot be in the next block, to see what it does. */
  async #try(
    base: ExecutionBase,
    name: CandidateHashHex,
    selection: Selection,
  ): Promise<'cleared' | 'at_fault' | 'put_off'> {
    const { underWay, execute } = this.#options;
    underWay.begin('block', [name], true);
    try {
      await execute(base, selection);
      return 'cleared';
    } catch (thrown) {
      const { faults } = await executeOthers(base, selection, thrown, execute);
      for (const fault of faults) this.#hold(fault, true);
      return faults.length > 0 ? 'at_fault' : 'put_off';
    } finally {
      underWay.end('block');
    }
  }

  #giveUp(): void {
    this.#running = new Set();
    this.#options.underWay.end('block');
  }

  #hold({ group, message }: GroupFault, alone: boolean): void {
    const { pool, record, onFault } = this.#options;
    const verdict = record.fault(group.name, message, alone);
    onFault({ hashHex: group.name, isBundle: group.bundle, verdict, message });
    const reason = record.reasonOut(group.name);
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
