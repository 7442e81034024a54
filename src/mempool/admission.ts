import type { ChargedClient } from '../async/caller.js';
import type { ResultListener } from '../async/tick-batch.js';
import { transactionHashHex } from '../ledger/hex-types.js';
import type { TransactionEnvelope, VerifiedTransaction } from '../ledger/transaction-envelope.js';
import { ArrivalOrder } from './arrival-order.js';
import type { BundleEnvelope, VerifiedBundle } from './bundles/bundle.js';
import { isSameBundle, ofMember } from './bundles/bundle-rules.js';
import { type RejectionReason, TransactionError } from './errors.js';
import { AdmittedWrites, type AdmittedWritesOptions, type Unwritten } from './journal/admitted-writes.js';
import type { RecordedRemoval } from './journal/journal-reader.js';
import type { PendingTransaction } from './pool-types.js';
import type { UnpaidBytes } from './unpaid-bytes.js';

/** Number of restored transactions whose signatures are verified concurrently. */
const RESTORE_BATCH = 4_096;

export interface AdmissionOptions extends AdmittedWritesOptions {
  /** Verifies signatures in workers; see `SignatureChecker`. */
  readonly checker: { readonly ask: SignatureCheck };
  /** Checks in a worker that `u` of an envelope (48 bytes) is a valid point; see `PointChecker`. */
  readonly checkPoint: (point: Uint8Array, client: ChargedClient) => Promise<boolean>;
  readonly unpaid: UnpaidBytes;
  /** Milliseconds since 1970, for display only. */
  readonly now: () => number;
  readonly isIncluded: (hash: Uint8Array) => boolean;
  /** Called with the reason when a transaction or bundle is rejected. */
  readonly onRefused: (reason: RejectionReason) => void;
  /** Called with newly admitted transactions; after a restore, with an empty list. */
  readonly onAdmitted: (transactions: readonly VerifiedTransaction[]) => void;
  /** Called with a bundle that is newly admitted, or extended to a later last height. */
  readonly onBundle: (bundle: VerifiedBundle) => void;
}

/** A transaction with a valid signature of its sender over its hash; undefined for any other. */
type Verdict = VerifiedTransaction | undefined;

type SignatureCheck = (
  transaction: TransactionEnvelope,
  client: ChargedClient,
  listener: ResultListener<Verdict>,
) => void;

const NOT_SIGNED = "the signature is not the sender's over the transaction's hash";
const BAD_SIGNATURE = new TransactionError('bad_signature', NOT_SIGNED);
const NO_POINT = "the envelope's u is not a canonically encoded point of the group, or is infinity";
const BAD_POINT = new TransactionError('bad_signature', NO_POINT);

/**
 * Admission to the pool: cheap checks, signature check in a worker, the pool's rules, journal. A transaction is
 * acknowledged only when it would survive a crash of the process.
 */
export class Admission {
  readonly #options: AdmissionOptions;
  readonly #order = new ArrivalOrder();
  readonly #writes: AdmittedWrites;
  readonly #ask: SignatureCheck;
  #arrivals = 0;

  constructor(options: AdmissionOptions) {
    this.#options = options;
    this.#writes = new AdmittedWrites(options);
    this.#ask = options.checker.ask.bind(options.checker);
  }

  /**
   * Verifies a transaction's signature and admits the transaction.
   * @param client the submitter; by default the node itself
   * @throws TransactionError if it may not enter the pool
   */
  submit(transaction: TransactionEnvelope, client?: ChargedClient): Promise<PendingTransaction> {
    return new Promise((resolve, reject) => this.enter(transaction, client, { resolve, reject }));
  }

  /** Like {@link submit}, for a listener, which must not throw: a promise would be a part of the cost of a transaction. */
  enter(
    transaction: TransactionEnvelope,
    client: ChargedClient,
    listener: ResultListener<PendingTransaction>,
  ): void {
    this.#enter(transaction, this.#ask, client, listener);
  }

  /** Like {@link submit}, for a transaction with a valid signature. */
  submitVerified(transaction: VerifiedTransaction, client?: ChargedClient): Promise<PendingTransaction> {
    const isValid: SignatureCheck = (_transaction, _client, { resolve }) => resolve(transaction);
    return new Promise((resolve, reject) => this.#enter(transaction, isValid, client, { resolve, reject }));
  }

  #enter(
    transaction: TransactionEnvelope,
    check: SignatureCheck,
    client: ChargedClient,
    { resolve, reject }: ResultListener<PendingTransaction>,
  ): void {
    const { pool, unpaid, now, onAdmitted } = this.#options;
    const fail = (error: unknown) => {
      this.#countRefusal(error);
      reject(error);
    };
    const payer = payerOf(client);
    const refused = this.#refusal(payer) ?? pool.precheck(transaction);
    if (refused !== undefined) {
      fail(this.#asAlreadyKnown(transaction, refused));
      return;
    }
    this.#arrivals += 1;
    const reception = { arrival: this.#arrivals, receivedMs: now() };
    const enter = (verified: Verdict) => {
      if (verified === undefined) throw BAD_SIGNATURE;
      const result = pool.admit(verified, reception);
      if (!result.admitted) throw this.#asAlreadyKnown(transaction, result.error);
      const { pending } = result;
      // Recorded immediately, because the next settled arrival may replace the transaction.
      if (payer !== undefined) unpaid.recordSubmitter(verified, payer);
      onAdmitted([verified]);
      const item = { kind: 'transaction', value: verified } as const;
      this.#writes.add({ item, resolve: () => resolve(pending), reject });
    };
    this.#check(transaction, check, client, this.#order.add(enter, fail));
  }

  /**
   * Verifies a bundle's signatures and admits the bundle.
   * @param client the submitter; by default the node itself
   * @throws TransactionError if it may not enter the pool; detail `index` names the transaction
   */
  async submitBundle(given: BundleEnvelope, client?: ChargedClient): Promise<void> {
    const item = await this.#admitBundle(this.#options.pool.withMaxHeight(given), client).catch((error) => {
      this.#countRefusal(error);
      throw error;
    });
    if (item.kind === 'bundle') this.#options.onAdmitted(item.value.transactions);
    this.#options.onBundle(item.value);
    await new Promise<void>((resolve, reject) => this.#writes.add({ item, resolve, reject }));
  }

  /** Why a client may not send now; undefined if it may. */
  #refusal(payer: string | undefined): TransactionError | undefined {
    return payer === undefined ? undefined : this.#options.unpaid.refusal(payer);
  }

  #countRefusal(error: unknown): void {
    if (error instanceof TransactionError) this.#options.onRefused(error.reason);
  }

  /**
   * Restores transactions from the journal, in order of arrival; call it before anything else arrives.
   * @returns the number restored; the others have been included or are no longer allowed
   */
  async restore(transactions: readonly TransactionEnvelope[]): Promise<number> {
    const { pool, now, isIncluded } = this.#options;
    const mayReturn = (transaction: TransactionEnvelope) => {
      if (pool.rejectRestored(transaction)) return false;
      const refused = pool.restoreError(transaction);
      if (refused === undefined) return true;
      // The journal does not record inclusion.
      if (!isIncluded(transaction.hash)) pool.rememberRejection(transaction, refused);
      return false;
    };
    const good = await inBatches(transactions.filter(mayReturn), RESTORE_BATCH, (transaction) =>
      this.#verify(transaction),
    );
    const waiting = good.map((transaction) => ({
      transaction,
      reception: { arrival: ++this.#arrivals, receivedMs: now() },
    }));
    return this.#restored(pool.restore(waiting));
  }

  /** Remembers removals without inclusion from before a restart. */
  restoreRemovals(removed: readonly RecordedRemoval[]): void {
    const { pool } = this.#options;
    for (const { hash, reason } of removed) pool.rememberRemoval(transactionHashHex(hash), reason);
  }

  /** Like {@link restore}, for bundles; call it afterwards. */
  async restoreBundles(bundles: readonly BundleEnvelope[]): Promise<number> {
    const { pool, now } = this.#options;
    const may = bundles.filter((bundle) => !pool.rejectRestoredBundle(bundle));
    const good = await inBatches(may, RESTORE_BATCH / 64, async (bundle) => {
      const verdicts = await Promise.all(bundle.transactions.map((one) => this.#verify(one)));
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

  /** Checks an envelope's point after its signature: the work is only for senders who can be made to pay. */
  #check(
    transaction: TransactionEnvelope,
    check: SignatureCheck,
    client: ChargedClient,
    listener: ResultListener<Verdict>,
  ): void {
    const { action } = transaction.signed.transaction;
    if (action.type !== 'sealed') {
      check(transaction, client, listener);
      return;
    }
    const { resolve, reject } = listener;
    const checkPoint = (verified: Verdict) => {
      if (verified === undefined) {
        resolve(undefined);
        return;
      }
      this.#options
        .checkPoint(action.value.u, client)
        .then((isPoint) => (isPoint ? resolve(verified) : reject(BAD_POINT)), reject);
    };
    check(transaction, client, { resolve: checkPoint, reject });
  }

  #admitBundle(
    bundle: BundleEnvelope,
    client: ChargedClient,
  ): Promise<Unwritten & { readonly value: VerifiedBundle }> {
    const { pool, unpaid, now } = this.#options;
    const payer = payerOf(client);
    const refused = this.#refusal(payer) ?? pool.precheckBundle(bundle);
    if (refused !== undefined) return Promise.reject(this.#asAlreadyKnownBundle(bundle, refused));
    const reception = { arrival: this.#arrivals + 1, receivedMs: now() };
    this.#arrivals += bundle.transactions.length;
    const admit = (verdicts: readonly Verdict[]) => {
      const verified = verifiedBundle(bundle, verdicts);
      if (verified === undefined) throw ofMember(BAD_SIGNATURE, verdicts.indexOf(undefined));
      const result = pool.admitBundle(verified, reception);
      if (!result.admitted) throw this.#asAlreadyKnownBundle(bundle, result.error);
      if (result.extended) return { kind: 'extension', value: verified } as const;
      if (payer !== undefined) unpaid.recordSubmitter(verified.transactions, payer);
      return { kind: 'bundle', value: verified } as const;
    };
    return new Promise((resolve, reject) => {
      const arrival = this.#order.add<readonly Verdict[]>((verdicts) => resolve(admit(verdicts)), reject);
      this.#checkBundle(bundle, client).then(arrival.resolve, arrival.reject);
    });
  }

  /** Verifies a bundle's signatures; those of a pooled bundle are known to be valid. */
  #checkBundle(bundle: BundleEnvelope, client: ChargedClient): Promise<readonly Verdict[]> {
    const present = this.#options.pool.bundle(bundle.hashHex);
    if (present !== undefined && isSameBundle(present, bundle)) return Promise.resolve(present.transactions);
    return Promise.all(bundle.transactions.map((transaction) => this.#verify(transaction, client)));
  }

  #verify(transaction: TransactionEnvelope, client?: ChargedClient): Promise<Verdict> {
    return new Promise((resolve, reject) => this.#ask(transaction, client, { resolve, reject }));
  }

  /** A transaction already in a block is `already_known`, even though its nonce is too low. */
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

/** The bundle with its verified transactions; undefined if one is not verified. */
function verifiedBundle(bundle: BundleEnvelope, verdicts: readonly Verdict[]): VerifiedBundle | undefined {
  const transactions = verdicts.filter((one) => one !== undefined);
  return transactions.length === bundle.transactions.length ? { ...bundle, transactions } : undefined;
}

/** Verifies in batches of `portionSize` and returns the valid results in order. A failed check counts as invalid. */
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

/** The client whose allowance a transaction counts against; undefined for relays and the node itself. */
function payerOf(client: ChargedClient): string | undefined {
  return client?.isRelay === true ? undefined : client?.client;
}
