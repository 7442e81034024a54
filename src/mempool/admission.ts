import type { Client } from '../async/caller.js';
import { transactionHashHex } from '../ledger/hex-types.js';
import type { TransactionEnvelope, VerifiedTransaction } from '../ledger/transaction-envelope.js';
import { ArrivalOrder } from './arrival-order.js';
import type { BundleEnvelope, VerifiedBundle } from './bundles/bundle.js';
import { isSameBundle } from './bundles/bundle-extension.js';
import { ofMember } from './bundles/bundle-rules.js';
import { type RejectionReason, TransactionError } from './errors.js';
import { AdmittedWrites, type AdmittedWritesOptions, type Unwritten } from './journal/admitted-writes.js';
import type { RecordedRemoval } from './journal/journal-reader.js';
import type { PendingTransaction } from './pool-types.js';
import type { UnpaidBytes } from './unpaid-bytes.js';

/** How many signatures of restored transactions wait to be checked at a time. */
const RESTORE_BATCH = 4_096;

/** Admission's surroundings. */
export interface AdmissionOptions extends AdmittedWritesOptions {
  /** `SignatureChecker`, which has workers do it. */
  readonly checker: { readonly verify: SignatureCheck };
  /** Whether `u` of an envelope, 48 bytes, is a good point; `PointChecker`, which has workers do it. */
  readonly checkPoint: (point: Uint8Array, client: Client) => Promise<boolean>;
  readonly unpaid: UnpaidBytes;
  /** Milliseconds since 1970, for display only. */
  readonly now: () => number;
  /** Whether a transaction is in a block already. */
  readonly isIncluded: (hash: Uint8Array) => boolean;
  /** Told why a transaction or a bundle was refused. */
  readonly onRefused: (reason: RejectionReason) => void;
  /** Told after transactions came into the pool, and which; those that come back after a restart are not named. */
  readonly onAdmitted: (transactions: readonly VerifiedTransaction[]) => void;
}

/** Gives the transaction back where the signature is the sender's over its hash. */
type SignatureCheck = (
  transaction: TransactionEnvelope,
  client?: Client,
) => Promise<VerifiedTransaction | undefined>;

const BAD_SIGNATURE = new TransactionError(
  'bad_signature',
  "the signature is not the sender's over the transaction's hash",
);

const BAD_POINT = new TransactionError(
  'bad_signature',
  "the envelope's u is no point of the group in its canonical encoding, or is infinity",
);

/**
 * The way into the pool: cheap checks, the signature in a worker, the pool's own rules, the journal. A transaction is
 * acknowledged only when it would survive the process.
 */
export class Admission {
  readonly #options: AdmissionOptions;
  readonly #order = new ArrivalOrder();
  readonly #writes: AdmittedWrites;
  #arrivals = 0;

  constructor(options: AdmissionOptions) {
    this.#options = options;
    this.#writes = new AdmittedWrites(options);
  }

  /**
   * @param transaction whose signature nobody has checked yet
   * @param client who sent it; left out, the node itself
   * @throws TransactionError where it may not enter the pool
   */
  submit(transaction: TransactionEnvelope, client?: Client): Promise<PendingTransaction> {
    return this.#submit(transaction, (envelope) => this.#options.checker.verify(envelope, client), client);
  }

  /**
   * As {@link submit}.
   * @param transaction whose signature is known to be good
   */
  submitVerified(transaction: VerifiedTransaction, client?: Client): Promise<PendingTransaction> {
    return this.#submit(transaction, () => Promise.resolve(transaction), client);
  }

  async #submit(
    transaction: TransactionEnvelope,
    check: SignatureCheck,
    client?: Client,
  ): Promise<PendingTransaction> {
    const pending = await this.#counted(client, () => this.#admit(transaction, check, client));
    this.#options.onAdmitted([pending.transaction]);
    await this.#writes.add({ kind: 'transaction', value: pending.transaction });
    return pending;
  }

  /**
   * @param given whose signatures nobody has checked yet
   * @param client who sent it; left out, the node itself
   * @throws TransactionError where it may not enter the pool; `index` among its details says for which transaction
   */
  async submitBundle(given: BundleEnvelope, client?: Client): Promise<void> {
    const entered = await this.#counted(client, () =>
      this.#admitBundle(this.#options.pool.withMaxHeight(given), client),
    );
    if (entered.kind === 'bundle') this.#options.onAdmitted(entered.value.transactions);
    await this.#writes.add(entered);
  }

  async #counted<T>(client: Client, admit: () => Promise<T>): Promise<T> {
    try {
      const payer = payerOf(client);
      const refused = payer === undefined ? undefined : this.#options.unpaid.refusal(payer);
      if (refused !== undefined) throw refused;
      return await admit();
    } catch (error) {
      if (error instanceof TransactionError) this.#options.onRefused(error.reason);
      throw error;
    }
  }

  /**
   * Takes back what the journal kept over a restart, by arrival; to be called before anything else comes.
   * @returns how many came in; the others were included meanwhile, or no longer may be
   */
  async restore(transactions: readonly TransactionEnvelope[]): Promise<number> {
    const { pool, checker, now, isIncluded } = this.#options;
    const mayReturn = (transaction: TransactionEnvelope) => {
      if (pool.rejectRestored(transaction)) return false;
      const refused = pool.restoreError(transaction);
      // The journal does not strike off what a block has.
      if (refused !== undefined && !isIncluded(transaction.hash))
        pool.rememberRejection(transaction, refused);
      return refused === undefined;
    };
    const good = await inBatches(transactions.filter(mayReturn), RESTORE_BATCH, (transaction) =>
      checker.verify(transaction),
    );
    const waiting = good.map((transaction) => ({
      transaction,
      reception: { arrival: ++this.#arrivals, receivedMs: now() },
    }));
    return this.#restored(pool.restore(waiting));
  }

  /** Remembers what left before a restart without being included. */
  restoreRemovals(departed: readonly RecordedRemoval[]): void {
    const { pool } = this.#options;
    for (const { hash, reason } of departed) pool.rememberRemoval(transactionHashHex(hash), reason);
  }

  /** As {@link restore}, for bundles; to be called after it. */
  async restoreBundles(bundles: readonly BundleEnvelope[]): Promise<number> {
    const { pool, checker, now } = this.#options;
    const may = bundles.filter((bundle) => !pool.rejectRestoredBundle(bundle));
    const good = await inBatches(may, RESTORE_BATCH / 64, async (bundle) => {
      const verdicts = await Promise.all(bundle.transactions.map((one) => checker.verify(one)));
      return verifiedBundle(bundle, verdicts);
    });
    const waiting = good.map((bundle) => {
      const reception = { arrival: this.#arrivals + 1, receivedMs: now() };
      this.#arrivals += bundle.transactions.length;
      return { bundle: pool.withMaxHeight(bundle), reception };
    });
    return this.#restored(pool.restoreBundles(waiting));
  }

  #restored(count: number): number {
    if (count > 0) this.#options.onAdmitted([]);
    return count;
  }

  #admit(
    transaction: TransactionEnvelope,
    check: SignatureCheck,
    client: Client,
  ): Promise<PendingTransaction> {
    const { pool, unpaid, now } = this.#options;
    const refused = pool.precheck(transaction);
    if (refused !== undefined) return Promise.reject(this.#asAlreadyKnown(transaction, refused));
    this.#arrivals += 1;
    const reception = { arrival: this.#arrivals, receivedMs: now() };
    return this.#order.add(this.#check(transaction, check, client), (verified) => {
      if (verified === undefined) throw BAD_SIGNATURE;
      const result = pool.admit(verified, reception);
      if (!result.admitted) throw this.#asAlreadyKnown(transaction, result.error);
      // At once: the next one that is settled may replace it.
      const payer = payerOf(client);
      if (payer !== undefined) unpaid.recordSubmitter(verified, payer);
      return result.pending;
    });
  }

  /** The point of an envelope comes after its signature: it is checked for none but who can be held to pay. */
  #check(
    transaction: TransactionEnvelope,
    check: SignatureCheck,
    client: Client,
  ): ReturnType<SignatureCheck> {
    const { action } = transaction.signed.transaction;
    if (action.type !== 'sealed') return check(transaction);
    return check(transaction).then(async (verified) => {
      if (verified !== undefined && !(await this.#options.checkPoint(action.value.u, client)))
        throw BAD_POINT;
      return verified;
    });
  }

  #admitBundle(
    bundle: BundleEnvelope,
    client: Client,
  ): Promise<Unwritten & { readonly value: VerifiedBundle }> {
    const { pool, unpaid, now } = this.#options;
    const refused = pool.precheckBundle(bundle);
    if (refused !== undefined) return Promise.reject(this.#asAlreadyKnownBundle(bundle, refused));
    const reception = { arrival: this.#arrivals + 1, receivedMs: now() };
    this.#arrivals += bundle.transactions.length;
    return this.#order.add(this.#checkBundle(bundle, client), (verdicts) => {
      const verified = verifiedBundle(bundle, verdicts);
      if (verified === undefined) throw ofMember(BAD_SIGNATURE, verdicts.indexOf(undefined));
      const result = pool.admitBundle(verified, reception);
      if (!result.admitted) throw this.#asAlreadyKnownBundle(bundle, result.error);
      if (result.extended) return { kind: 'extension', value: verified };
      const payer = payerOf(client);
      if (payer !== undefined) unpaid.recordSubmitter(verified.transactions, payer);
      return { kind: 'bundle', value: verified };
    });
  }

  /** The signatures of a bundle in the pool are known to be good. */
  #checkBundle(
    bundle: BundleEnvelope,
    client: Client,
  ): Promise<readonly (VerifiedTransaction | undefined)[]> {
    const { pool, checker } = this.#options;
    const present = pool.bundle(bundle.hashHex);
    if (present !== undefined && isSameBundle(present, bundle)) return Promise.resolve(present.transactions);
    return Promise.all(bundle.transactions.map((transaction) => checker.verify(transaction, client)));
  }

  /** A transaction that is in a block already is known, whatever its nonce says by now. */
  #asAlreadyKnown(transaction: TransactionEnvelope, error: TransactionError): TransactionError {
    if (error.reason !== 'nonce_too_low' || !this.#options.isIncluded(transaction.hash)) return error;
    return new TransactionError('already_known', 'the transaction is in a block already');
  }

  #asAlreadyKnownBundle({ transactions }: BundleEnvelope, error: TransactionError): TransactionError {
    const { isIncluded } = this.#options;
    if (error.reason !== 'nonce_too_low' || !transactions.every(({ hash }) => isIncluded(hash))) return error;
    return new TransactionError('already_known', 'the transactions of the bundle are in blocks already');
  }
}

/** The bundle with its transactions as they were verified; undefined where one of them was not. */
function verifiedBundle(
  bundle: BundleEnvelope,
  verdicts: readonly (VerifiedTransaction | undefined)[],
): VerifiedBundle | undefined {
  const transactions = verdicts.filter((one) => one !== undefined);
  return transactions.length === bundle.transactions.length ? { ...bundle, transactions } : undefined;
}

/** Those that are good, in their order; so many are checked at a time. A check that could not be made finds none good. */
async function inBatches<T, V>(
  all: readonly T[],
  portionSize: number,
  verify: (one: T) => Promise<V | undefined>,
): Promise<V[]> {
  const good: V[] = [];
  for (let start = 0; start < all.length; start += portionSize) {
    const verdicts = await Promise.allSettled(all.slice(start, start + portionSize).map(verify));
    for (const verdict of verdicts) {
      if (verdict.status === 'fulfilled' && verdict.value !== undefined) good.push(verdict.value);
    }
  }
  return good;
}

/** The client whose allowance a transaction counts against. */
function payerOf(client: Client): string | undefined {
  return client?.isRelay === true ? undefined : client?.client;
}
