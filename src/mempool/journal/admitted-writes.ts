import { type PendingItem, TickBatch } from '../../async/tick-batch.js';
import type { VerifiedTransaction } from '../../ledger/transaction-envelope.js';
import type { VerifiedBundle } from '../bundles/bundle.js';
import type { Mempool } from '../pool.js';
import type { PoolJournal } from './journal.js';

/** An admission that is not in the journal yet. */
export type Unwritten =
  | { readonly kind: 'transaction'; readonly value: VerifiedTransaction }
  | { readonly kind: 'bundle' | 'extension'; readonly value: VerifiedBundle };

export interface AdmittedWritesOptions {
  readonly pool: Mempool;
  readonly journal: PoolJournal;
  /** Called with the error of a failed write. Its transactions leave the pool, and their submitters get the error. */
  readonly onJournalError: (error: unknown) => void;
}

const UNWRITTEN = 'the pool journal could not be written';

/** Writes admitted transactions to the journal in one write per tick. */
export class AdmittedWrites {
  readonly #options: AdmittedWritesOptions;
  readonly #unwritten = new TickBatch<Unwritten, void>(() => this.#write());

  constructor(options: AdmittedWritesOptions) {
    this.#options = options;
  }

  /** Resolves the admission once it is in the journal, or rejects it with a JournalError. */
  add(admitted: PendingItem<Unwritten, void>): void {
    this.#unwritten.push(admitted);
  }

  #write(): void {
    const { pool, journal, onJournalError } = this.#options;
    const { busy } = journal;
    if (busy !== undefined) {
      void busy.then(() => this.#write());
      return;
    }
    const admitted = this.#unwritten.take();
    // A transaction that has left the pool in the meantime must not reappear after a restart.
    const transactions: VerifiedTransaction[] = [];
    const bundles: VerifiedBundle[] = [];
    const extended: VerifiedBundle[] = [];
    for (const { item } of admitted) {
      if (item.kind === 'transaction') {
        if (pool.standalone(item.value.hashHex) !== undefined) transactions.push(item.value);
      } else if (pool.bundle(item.value.hashHex) !== undefined) {
        (item.kind === 'bundle' ? bundles : extended).push(item.value);
      }
    }
    let settle = ({ resolve }: PendingItem<Unwritten, void>): void => resolve();
    try {
      journal.appendMany(transactions, bundles, extended);
    } catch (error) {
      // The submitters get an error. An extended bundle stays, because it was in the pool before.
      for (const { hashHex } of transactions) pool.drop(hashHex, 'evicted', UNWRITTEN);
      for (const { hashHex } of bundles) pool.dropBundle(hashHex, 'evicted', UNWRITTEN);
      onJournalError(error);
      settle = ({ reject }) => reject(error);
    }
    for (const one of admitted) settle(one);
    journal.rewriteIfStale(pool).catch(onJournalError);
  }
}
