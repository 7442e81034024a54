import { TurnBatch } from '../async/turn-batch.js';
import type { VerifiedTransaction } from '../ledger/verified-transaction.js';
import type { VerifiedBundle } from './bundle.js';
import { ofMember } from './bundle-rules.js';
import { type RejectionReason, TransactionError } from './errors.js';
import type { PoolJournal } from './journal.js';
import type { Mempool } from './pool.js';
import type { PendingTransaction } from './pool-types.js';

/** How many signatures of restored transactions wait to be checked at a time. */
const RESTORE_PORTION = 4_096;

/** Admission's surroundings. */
export interface AdmissionOptions {
  readonly pool: Mempool;
  /** `SignatureChecker`, which has workers do it. */
  readonly checker: { readonly check: SignatureCheck };
  readonly journal: PoolJournal;
  /** Milliseconds since 1970, for display only. */
  readonly now: () => number;
  /** Whether a transaction is in a block already. */
  readonly isIncluded: (hash: Uint8Array) => boolean;
  /** Told of what the journal could not take; whoever sent it was refused. */
  readonly onUnwritten: (error: unknown) => void;
  /** Told why a transaction or a bundle was refused. */
  readonly onRefused: (reason: RejectionReason) => void;
  /** Told after transactions came into the pool, and which; those that come back after a restart are not named. */
  readonly onAdmitted: (transactions: readonly VerifiedTransaction[]) => void;
}

/** Whether the signature is the sender's over the transaction's hash. */
type SignatureCheck = (transaction: VerifiedTransaction) => Promise<boolean>;

/** A transaction or a bundle whose signatures are being checked. */
interface Arrival {
  /** `good`, or the error that it is refused with; undefined while the check is under way. */
  verdict: unknown;
  /** Offers it to the pool, and answers. */
  readonly enter: () => void;
  readonly reject: (error: unknown) => void;
}

const BAD_SIGNATURE = new TransactionError(
  'bad_signature',
  "the signature is not the sender's over the transaction's hash",
);

const UNWRITTEN = 'the pool journal could not be written';

/**
 * The way into the pool: cheap checks, the signature in a worker, the pool's own rules, the journal. A transaction is
 * acknowledged only when it would survive the process.
 */
export class Admission {
  readonly #options: AdmissionOptions;
  #arrivals = 0;
  /** In order of arrival. */
  readonly #checking: Arrival[] = [];
  /** What was admitted and is not in the journal yet: one write for all of a turn of the event loop. */
  readonly #unwritten = new TurnBatch<VerifiedTransaction | VerifiedBundle, void>(() => this.#write());

  constructor(options: AdmissionOptions) {
    this.#options = options;
  }

  /**
   * @param transaction whose signature nobody has checked yet
   * @throws TransactionError where it may not enter the pool
   */
  submit(transaction: VerifiedTransaction): Promise<PendingTransaction> {
    return this.#submit(transaction, (checked) => this.#options.checker.check(checked));
  }

  /**
   * @param transaction whose signature is known to be good
   * @throws TransactionError where it may not enter the pool
   */
  submitVerified(transaction: VerifiedTransaction): Promise<PendingTransaction> {
    return this.#submit(transaction, () => Promise.resolve(true));
  }

  async #submit(transaction: VerifiedTransaction, check: SignatureCheck): Promise<PendingTransaction> {
    const pending = await this.#counted(this.#admit(transaction, check));
    this.#options.onAdmitted([transaction]);
    await this.#unwritten.ask(transaction);
    return pending;
  }

  /**
   * @param given whose signatures nobody has checked yet
   * @throws TransactionError where it may not enter the pool; `index` among its details says for which transaction
   */
  async submitBundle(given: VerifiedBundle): Promise<void> {
    const bundle = this.#options.pool.withEnd(given);
    await this.#counted(this.#admitBundle(bundle));
    this.#options.onAdmitted(bundle.transactions);
    await this.#unwritten.ask(bundle);
  }

  async #counted<T>(admitted: Promise<T>): Promise<T> {
    try {
      return await admitted;
    } catch (error) {
      if (error instanceof TransactionError) this.#options.onRefused(error.reason);
      throw error;
    }
  }

  /**
   * Takes back what the journal kept over a restart, by arrival; to be called before anything else comes.
   * @returns how many came in; the others were included meanwhile, or no longer may be
   */
  async restore(transactions: readonly VerifiedTransaction[]): Promise<number> {
    const { pool, checker, now } = this.#options;
    const good = await inPortions(
      transactions.filter((transaction) => !pool.turnAway(transaction) && pool.mayReturn(transaction)),
      RESTORE_PORTION,
      (transaction) => checker.check(transaction),
    );
    const waiting = good.map((transaction) => ({
      transaction,
      reception: { arrival: ++this.#arrivals, receivedMs: now() },
    }));
    return this.#restored(pool.restore(waiting));
  }

  /** As {@link restore}, for bundles; to be called after it. */
  async restoreBundles(bundles: readonly VerifiedBundle[]): Promise<number> {
    const { pool, checker, now } = this.#options;
    const may = bundles.filter((bundle) => !pool.turnAwayBundle(bundle));
    const good = await inPortions(may, RESTORE_PORTION / 64, async ({ transactions }) => {
      const verdicts = await Promise.all(transactions.map((transaction) => checker.check(transaction)));
      return !verdicts.includes(false);
    });
    const waiting = good.map((bundle) => {
      const reception = { arrival: this.#arrivals + 1, receivedMs: now() };
      this.#arrivals += bundle.transactions.length;
      return { bundle: pool.withEnd(bundle), reception };
    });
    return this.#restored(pool.restoreBundles(waiting));
  }

  #restored(count: number): number {
    if (count > 0) this.#options.onAdmitted([]);
    return count;
  }

  #admit(transaction: VerifiedTransaction, check: SignatureCheck): Promise<PendingTransaction> {
    const { pool, now } = this.#options;
    const refused = pool.precheck(transaction);
    if (refused !== undefined) return Promise.reject(this.#asKnown(transaction, refused));
    this.#arrivals += 1;
    const reception = { arrival: this.#arrivals, receivedMs: now() };
    return new Promise((resolve, reject) => {
      const enter = () => {
        const result = pool.admit(transaction, reception);
        if (result.admitted) resolve(result.pending);
        else reject(this.#asKnown(transaction, result.error));
      };
      const arrival: Arrival = { verdict: undefined, enter, reject };
      this.#checking.push(arrival);
      check(transaction).then(
        (good) => this.#decide(arrival, good ? 'good' : BAD_SIGNATURE),
        (error: unknown) => this.#decide(arrival, error),
      );
    });
  }

  #admitBundle(bundle: VerifiedBundle): Promise<void> {
    const { pool, checker, now } = this.#options;
    const refused = pool.precheckBundle(bundle);
    if (refused !== undefined) return Promise.reject(this.#asKnownBundle(bundle, refused));
    const reception = { arrival: this.#arrivals + 1, receivedMs: now() };
    this.#arrivals += bundle.transactions.length;
    return new Promise((resolve, reject) => {
      const enter = () => {
        const result = pool.admitBundle(bundle, reception);
        if (result.admitted) resolve();
        else reject(this.#asKnownBundle(bundle, result.error));
      };
      const arrival: Arrival = { verdict: undefined, enter, reject };
      this.#checking.push(arrival);
      Promise.all(bundle.transactions.map((transaction) => checker.check(transaction))).then(
        (good) => {
          const bad = good.indexOf(false);
          this.#decide(arrival, bad < 0 ? 'good' : ofMember(BAD_SIGNATURE, bad));
        },
        (error: unknown) => this.#decide(arrival, error),
      );
    });
  }

  /**
   * Signatures are checked side by side and done in any order; into the pool they go in the order of arrival, so that
   * neither the pool's decisions nor the width of a nonce gap depends on the number of workers.
   */
  #decide(decided: Arrival, verdict: unknown): void {
    decided.verdict = verdict;
    let done = 0;
    for (const arrival of this.#checking) {
      if (arrival.verdict === undefined) break;
      done += 1;
      settle(arrival);
    }
    this.#checking.splice(0, done);
  }

  /** A transaction that is in a block already is known, whatever its nonce says by now. */
  #asKnown(transaction: VerifiedTransaction, error: TransactionError): TransactionError {
    if (error.reason !== 'nonce_too_low' || !this.#options.isIncluded(transaction.hash)) return error;
    return new TransactionError('already_known', 'the transaction is in a block already');
  }

  #asKnownBundle({ transactions }: VerifiedBundle, error: TransactionError): TransactionError {
    const { isIncluded } = this.#options;
    if (error.reason !== 'nonce_too_low' || !transactions.every(({ hash }) => isIncluded(hash))) return error;
    return new TransactionError('already_known', 'the transactions of the bundle are in blocks already');
  }

  #write(): void {
    const { pool, journal, onUnwritten } = this.#options;
    const admitted = this.#unwritten.take();
    // What left the pool in the meantime must not come back with a restart.
    const transactions: VerifiedTransaction[] = [];
    const bundles: VerifiedBundle[] = [];
    for (const { item } of admitted) {
      if ('transactions' in item) {
        if (pool.bundle(item.hashHex) !== undefined) bundles.push(item);
      } else if (pool.alone(item.hashHex) !== undefined) {
        transactions.push(item);
      }
    }
    try {
      journal.appendMany(transactions, bundles);
      for (const { resolve } of admitted) resolve();
    } catch (error) {
      // Their senders are told that they are not in: so they are not.
      for (const { hashHex } of transactions) pool.drop(hashHex, 'evicted', UNWRITTEN);
      for (const { hashHex } of bundles) pool.dropBundle(hashHex, 'evicted', UNWRITTEN);
      onUnwritten(error);
      for (const { reject } of admitted) reject(error);
    }
  }
}

/** Never throws: one that the pool cannot take must not keep out those behind it. */
function settle({ verdict, enter, reject }: Arrival): void {
  try {
    if (verdict === 'good') enter();
    else reject(verdict);
  } catch (error) {
    reject(error);
  }
}

/** Those that are good, in their order; so many are checked at a time. A check that could not be made finds none good. */
async function inPortions<T>(
  all: readonly T[],
  portionSize: number,
  isGood: (one: T) => Promise<boolean>,
): Promise<T[]> {
  const good: T[] = [];
  for (let start = 0; start < all.length; start += portionSize) {
    const portion = all.slice(start, start + portionSize);
    const verdicts = await Promise.allSettled(portion.map(isGood));
    for (const [place, one] of portion.entries()) {
      const verdict = verdicts[place];
      if (verdict?.status === 'fulfilled' && verdict.value) good.push(one);
    }
  }
  return good;
}
