import type { BlockEnvironment } from '../execution/block-environment.js';
import type { Selection } from '../mempool/block-draw.js';
import type { Mempool } from '../mempool/pool.js';
import {
  type ContainedExecution,
  type ExecuteCandidates,
  executeOthers,
  type UnitFault,
  unitsIn,
} from './contained-execution.js';
import type { FaultRecord } from './fault-record.js';
import type { UnderWay } from './under-way.js';

/** A candidate that was at fault, for whoever reports it. */
export interface ReportedFault {
  /** Of the transaction or the bundle, 64 lowercase hex digits. */
  readonly hashHex: string;
  readonly isBundle: boolean;
  /** `suspected`: tried once more, alone; `out`: it has left the pool for good. */
  readonly verdict: 'suspected' | 'out';
  readonly message: string;
}

export interface ContainmentOptions {
  readonly pool: Pick<Mempool, 'drop' | 'dropBundle' | 'alone' | 'bundle'>;
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
  #running = new Set<string>();
  #lastWasApart = false;

  constructor(options: ContainmentOptions) {
    this.#options = options;
  }

  /** Whether a transaction or bundle may not be drawn with others. */
  isHeldBack(hashHex: string): boolean {
    return this.#options.record.standing(hashHex) !== 'trusted';
  }

  /** Whether any candidate waits that others are kept from. */
  get hasApart(): boolean {
    for (const name of this.#options.record.named('apart'))
      if (this.#waiting(name) !== undefined) return true;
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
    const { record } = this.#options;
    const waiting: { readonly name: string; readonly selection: Selection }[] = [];
    for (const name of record.named('apart')) {
      const selection = this.#waiting(name);
      if (selection === undefined) record.forget(name);
      else waiting.push({ name, selection });
    }
    const [first] = waiting;
    if (first === undefined) return undefined;
    // Of a lane the first has to go first.
    const next = waiting.reduce(
      (best, other) => (precedes(other.selection, best.selection) ? other : best),
      first,
    );
    record.postpone(next.name);
    return next.selection;
  }

  /** Candidates of the block are about to be executed, with those begun before. */
  begin(selection: Selection): void {
    const names = unitsIn(selection).flatMap(({ name, runsCode }) => (runsCode ? [name] : []));
    if (names.length === 0) return;
    for (const name of names) this.#running.add(name);
    const alone = this.#running.size === 1 && this.isHeldBack(names[0] ?? '');
    this.#options.underWay.begin('block', [...this.#running], alone);
  }

  /** The block is the tip, or given up: what was begun for it has ended. */
  end(): void {
    if (this.#running.size === 0) return;
    const { record } = this.#options;
    for (const name of record.isEmpty ? [] : this.#running) {
      if (this.#waiting(name) === undefined) record.forget(name);
    }
    this.#running = new Set();
    this.#options.underWay.end('block');
  }

  /**
   * Executing candidates threw: finds those at fault, which leave the pool or are suspected, and executes the others.
   * @throws what is no candidate's fault
   */
  async recover(env: BlockEnvironment, drawn: Selection, thrown: unknown): Promise<ContainedExecution> {
    const contained = await executeOthers(env, drawn, thrown, this.#options.execute);
    // Only one of those that are held back is ever drawn, and nothing with it.
    for (const fault of contained.faults) this.#hold(fault, this.isHeldBack(fault.unit.name));
    return contained;
  }

  /**
   * Tries suspects one by one, with nothing else, and without putting them into a block.
   * @param env of the next block
   * @returns whether any of them may be drawn now
   */
  async trySuspects(env: BlockEnvironment): Promise<boolean> {
    const { record, underWay, execute } = this.#options;
    const end = performance.now() + TRIAL_MS;
    const cleared: string[] = [];
    for (const name of record.named('suspected')) {
      const selection = this.#waiting(name);
      if (selection === undefined) {
        record.forget(name);
        continue;
      }
      if (performance.now() > end) break;
      underWay.begin('block', [name], true);
      try {
        // Also what cannot be in the next block is run, to see what it does.
        await execute(env, selection);
        cleared.push(name);
      } catch (thrown) {
        const { faults } = await executeOthers(env, selection, thrown, execute);
        for (const fault of faults) this.#hold(fault, true);
      }
      underWay.end('block');
    }
    record.clear(cleared);
    return cleared.length > 0;
  }

  #hold({ unit: { name, bundle }, message }: UnitFault, alone: boolean): void {
    const { pool, record, onFault } = this.#options;
    const verdict = record.fault(name, message, alone);
    onFault({ hashHex: name, isBundle: bundle, verdict, message });
    const reason = record.reasonOut(name);
    if (reason === undefined) return;
    if (bundle) pool.dropBundle(name, 'execution_fault', reason);
    else pool.drop(name, 'execution_fault', reason);
  }

  /** What waits under a name, as if it alone had been drawn. */
  #waiting(name: string): Selection | undefined {
    const { pool } = this.#options;
    const transaction = pool.alone(name);
    if (transaction !== undefined) return { transactions: [transaction], bundles: [] };
    const bundle = pool.bundle(name);
    if (bundle === undefined) return undefined;
    const { transactions } = bundle;
    return { transactions, bundles: [{ start: 0, length: transactions.length, hashHex: name }] };
  }
}

/** Whether one has to be in a block before the other can be. */
function precedes(one: Selection, other: Selection): boolean {
  const [a, b] = [one.transactions[0], other.transactions[0]];
  if (a === undefined || b === undefined || a.sender !== b.sender) return false;
  const [first, second] = [a.signed.transaction, b.signed.transaction];
  return first.lane === second.lane && first.nonce < second.nonce;
}
