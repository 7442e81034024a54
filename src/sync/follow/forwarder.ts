import type { ChargedClient } from '../../async/caller.js';
import { pause } from '../../async/pause.js';
import type { ResultListener } from '../../async/tick-batch.js';
import { sameBytes } from '../../base/same-bytes.js';
import type { Crypto } from '../../crypto/crypto.js';
import type { TxByHashResult, TxStatus } from '../../generated/node-rpc-v1.js';
import {
  isOpen,
  type TransactionEnvelope,
  transactionFromSigned,
  type VerifiedTransaction,
} from '../../ledger/transaction-envelope.js';
import type { BundleEnvelope } from '../../mempool/bundles/bundle.js';
import { type ReasonName, type RejectionReason, reasonName, TransactionError } from '../../mempool/errors.js';
import type { Mempool } from '../../mempool/pool.js';
import type { PendingTransaction } from '../../mempool/pool-types.js';
import { SourceError } from './source-error.js';
import type { SourceMethod, SourceParams, SourceResult } from './source-methods.js';
import type { FollowContext } from './source-set.js';

/** Maximum number of sources to offer a transaction to before reporting failure. */
const MAX_OFFERS = 3;
/** Interval and minimum age for resubmitting pending transactions, in milliseconds. */
const RESUBMIT_INTERVAL_MS = 5_000;
const RESUBMIT_BATCH = 64;

/** Rejections that this node decides itself: every source is at least as far ahead and would agree. */
const FINAL_REASONS: ReadonlySet<ReasonName> = new Set([
  'wrong_chain',
  'too_large',
  'gas_limit_too_low',
  'gas_limit_too_high',
  'expired',
  'nonce_too_low',
  'already_known',
]);

/** Rejections after which an accepted transaction may still be included. */
const STILL_WAITING: ReadonlySet<string> = new Set(['already_known', 'nonce_too_low', 'pool_full']);

/** Thrown when no source accepted a transaction and none rejected it: it may be sent again. */
export class ForwardError extends Error {
  override readonly name = 'ForwardError';
}

export interface ForwarderOptions extends FollowContext {
  readonly crypto: Crypto;
  /** Holds forwarded transactions until they are included. */
  readonly pool: Mempool;
  /** Returns the transaction if its signature is valid; otherwise undefined. */
  readonly verify: (transaction: TransactionEnvelope) => Promise<VerifiedTransaction | undefined>;
  /** Adds a verified transaction to the pool. @throws TransactionError if there is no room for it */
  readonly admit: (transaction: VerifiedTransaction, client?: ChargedClient) => Promise<PendingTransaction>;
  readonly isIncluded: (hash: Uint8Array) => boolean;
  /** Height of this node's last block. */
  readonly tipHeight: () => bigint;
}

/**
 * Accepts transactions on a follower: checks them, forwards them to a source, and keeps them in this node's pool,
 * where they show as pending until they arrive in a block.
 *
 * 1. A transaction is acknowledged only once a source has accepted it.
 * 2. Checks that depend on this node's height, above all balances, are left to the source.
 * 3. Transactions that stay pending are resubmitted: a source that lost one accepts it again, and a source that
 *    dropped one says why.
 */
export class Forwarder {
  readonly #options: ForwarderOptions;
  /** Resolves once the sources have stopped and no resubmission is in progress. */
  readonly ended: Promise<void>;
  #skip = 0;

  constructor(options: ForwarderOptions) {
    this.#options = options;
    this.ended = this.#resubmitPending();
  }

  /**
   * @param transaction with an unverified signature
   * @throws TransactionError if this node or the source rejects it, ForwardError if no source can be reached
   */
  async submit(transaction: TransactionEnvelope, client?: ChargedClient): Promise<PendingTransaction> {
    const { verify, admit, now } = this.#options;
    const refused = this.#refusal(transaction);
    if (refused !== undefined) throw refused;
    const verified = await verify(transaction);
    if (verified === undefined) {
      const message = "the signature is not the sender's over the transaction's hash";
      throw new TransactionError('bad_signature', message);
    }
    const status = await this.#offer(transaction);
    try {
      return await admit(verified, client);
    } catch (error) {
      // The source has accepted the transaction, so a full local pool does not matter.
      if (!(error instanceof TransactionError)) throw error;
      const ready = status.type !== 'pending' || status.value.ready;
      return { transaction: verified, ready, arrival: 0, receivedMs: now() };
    }
  }

  /** Like {@link submit}, for a listener, which must not throw. */
  enter(
    transaction: TransactionEnvelope,
    client: ChargedClient,
    { resolve, reject }: ResultListener<PendingTransaction>,
  ): void {
    this.submit(transaction, client).then(resolve, reject);
  }

  /**
   * Forwards a bundle, which this node does not keep: only a source can report its transactions as pending.
   * @throws TransactionError if this node or the source rejects it, ForwardError if no source can be reached
   */
  async submitBundle({ transactions, maxHeight }: BundleEnvelope): Promise<void> {
    const verdicts = await Promise.all(transactions.map((one) => this.#options.verify(one)));
    const bad = verdicts.indexOf(undefined);
    if (bad >= 0) {
      const message = `transaction ${bad}: the signature is not the sender's over the transaction's hash`;
      throw new TransactionError('bad_signature', message, { index: bad });
    }
    const encoded = transactions.map((one) => one.encoded);
    const bound = maxHeight === undefined ? {} : { max_height: maxHeight };
    await this.#ask('tx_submit_bundle', { transactions: encoded, ...bound });
  }

  /**
   * Asks the best source for a transaction unknown to this node, which may have been submitted through another
   * follower. A transaction in a block that this node does not have yet counts as pending. One that the source
   * reports in a block up to this node's tip counts as not found.
   */
  async find(hash: Uint8Array): Promise<TxByHashResult | undefined> {
    const { sources, crypto, now, tipHeight } = this.#options;
    const source = sources.ranked()[0];
    if (source === undefined) return undefined;
    try {
      const { status, transaction } = await source.ask('tx_by_hash', { tx_hash: hash }, sources.signal);
      if (status.type === 'rejected') return { status };
      if (status.type === 'not_found') return undefined;
      // A sealed transaction arrives without content, so there is nothing to verify.
      if (transaction === undefined) return status.type === 'pending' ? { status } : undefined;
      // Only the hash of a transaction can be verified.
      if (!sameBytes(transactionFromSigned(transaction, crypto).hash, hash)) return undefined;
      if (status.type === 'pending') return { status, transaction };
      if (status.value.height <= tipHeight()) return undefined;
      const { lane, nonce } = transaction.transaction;
      const value = { lane, nonce, ready: true, received_ms: BigInt(now()) };
      return { status: { type: 'pending', value }, transaction };
    } catch (error) {
      if (error instanceof SourceError) return undefined;
      throw error;
    }
  }

  #refusal(transaction: TransactionEnvelope): TransactionError | undefined {
    const { pool, isIncluded } = this.#options;
    const refused = pool.precheck(transaction);
    if (refused === undefined || !FINAL_REASONS.has(reasonName(refused.reason))) return undefined;
    if (refused.reason === 'nonce_too_low' && isIncluded(transaction.hash)) {
      return new TransactionError('already_known', 'the transaction is in a block already');
    }
    return refused;
  }

  /** @throws TransactionError, ForwardError */
  async #offer({ encoded, signed }: TransactionEnvelope): Promise<TxStatus> {
    if (isOpen(signed)) {
      const answer = await this.#ask('tx_submit', { encoded });
      if (answer !== undefined) return answer.status;
    } else {
      await this.#ask('tx_submit_sealed', { envelope: encoded });
    }
    const { lane, nonce } = signed.transaction;
    return { type: 'pending', value: { lane, nonce, ready: true, received_ms: BigInt(this.#options.now()) } };
  }

  /**
   * Offers a submission to one source after another.
   * @returns undefined if a source already knows the submission because an earlier, failed source passed it on
   * @throws TransactionError, ForwardError
   */
  async #ask<M extends SourceMethod>(
    method: M,
    params: SourceParams<M>,
  ): Promise<SourceResult<M> | undefined> {
    const { sources } = this.#options;
    const failures: string[] = [];
    for (const source of sources.ranked().slice(0, MAX_OFFERS)) {
      try {
        return await source.ask(method, params, sources.signal);
      } catch (error) {
        if (!(error instanceof SourceError)) throw error;
        const rejected = rejectionOf(error);
        if (rejected === undefined) failures.push(`${source.url}: ${error.message}`);
        else if (rejected.reason === 'already_known' && failures.length > 0) return undefined;
        else throw rejected;
      }
    }
    throw new ForwardError(
      failures.length === 0
        ? 'no source of this follower answers; retry later'
        : `no source of this follower accepts it now: ${failures.join('; ')}`,
    );
  }

  async #resubmitPending(): Promise<void> {
    const { sources, pool, now, log } = this.#options;
    for (;;) {
      await pause(RESUBMIT_INTERVAL_MS, sources.signal);
      if (sources.signal.aborted) return;
      for (const transaction of this.#oldest(now() - RESUBMIT_INTERVAL_MS)) {
        try {
          await this.#offer(transaction);
        } catch (error) {
          if (sources.signal.aborted) return;
          if (error instanceof ForwardError) break;
          if (!(error instanceof TransactionError)) {
            log.error({ err: error }, 'resubmitting a pending transaction failed');
            break;
          }
          if (STILL_WAITING.has(error.reason)) continue;
          pool.drop(transaction.hashHex, error.reason, `dropped by the source: ${error.message}`);
        }
      }
    }
  }

  /** Some of those received before a time; each call returns others, so that stuck ones hold nothing up. */
  #oldest(before: number): TransactionEnvelope[] {
    const { pool } = this.#options;
    if (this.#skip >= pool.size) this.#skip = 0;
    const found: TransactionEnvelope[] = [];
    let place = 0;
    for (const transaction of pool.transactions()) {
      if (place++ < this.#skip) continue;
      if (found.length === RESUBMIT_BATCH) break;
      if ((pool.get(transaction.hashHex)?.receivedMs ?? before) < before) found.push(transaction);
    }
    this.#skip = place;
    return found;
  }
}

function rejectionOf({ kind, message, data }: SourceError): TransactionError | undefined {
  if (kind !== 'transaction_rejected') return undefined;
  const { reason, kind: _kind, retryable: _retryable, ...rest } = data;
  const details: Record<string, number> = {};
  for (const [name, value] of Object.entries(rest)) if (typeof value === 'number') details[name] = value;
  // Newer sources may use unknown reasons; they are passed on unchanged.
  return new TransactionError(String(reason) as RejectionReason, message, details);
}
