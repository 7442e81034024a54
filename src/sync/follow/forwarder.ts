import { Buffer } from 'node:buffer';
import type { Client } from '../../async/caller.js';
import { pause } from '../../async/pause.js';
import type { Log } from '../../config/log.js';
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
import { SourceError } from './follow-error.js';
import {
  askSubmit,
  askSubmitBundle,
  askSubmitSealed,
  askTransaction,
  type Question,
} from './source-methods.js';
import type { SourceSet } from './source-set.js';

/** How many sources a transaction is offered to before the caller is told that none takes it. */
const MAX_OFFERS = 3;
/** How often what waits is offered again, and how old it has to be, in milliseconds. */
const RESUBMIT_INTERVAL_MS = 5_000;
/** How many are offered again at a time. */
const RESUBMIT_BATCH = 64;

/** What this node can refuse by itself: a source, which is no further behind than this node, would refuse it too. */
const FINAL_REASONS: ReadonlySet<ReasonName> = new Set([
  'wrong_chain',
  'too_large',
  'gas_limit_too_low',
  'gas_limit_too_high',
  'expired',
  'nonce_too_low',
  'already_known',
]);

/** Refusals after which a transaction that was taken before may still be included. */
const STILL_WAITING: ReadonlySet<string> = new Set(['already_known', 'nonce_too_low', 'pool_full']);

/** No source took a transaction, and none said that it is bad: it may be sent again. */
export class ForwardError extends Error {
  override readonly name = 'ForwardError';
}

export interface ForwarderOptions {
  readonly sources: SourceSet;
  readonly crypto: Crypto;
  /** Holds what was passed on and is not included yet. */
  readonly pool: Mempool;
  /** Gives the transaction back where the signature is the sender's over its hash. */
  readonly verify: (transaction: TransactionEnvelope) => Promise<VerifiedTransaction | undefined>;
  /** Takes a transaction with a good signature into the pool. @throws TransactionError where it has no place */
  readonly admit: (transaction: VerifiedTransaction, client?: Client) => Promise<PendingTransaction>;
  readonly isIncluded: (hash: Uint8Array) => boolean;
  /** The height of the last block that this node has. */
  readonly tipHeight: () => bigint;
  readonly log: Log;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

/**
 * Takes transactions in the place of a pool that blocks are drawn from: checks them, passes them on to a source, and keeps
 * them in the node's own pool, where they show as pending until they come back in a block.
 *
 * 1. A transaction is acknowledged only when a source has taken it.
 * 2. What depends on how far this node is, balances above all, is left to the source.
 * 3. What has been waiting for long is offered again: a source that lost it takes it, one that gave it up says why.
 */
export class Forwarder {
  readonly #options: ForwarderOptions;
  readonly #ended: Promise<void>;
  #skip = 0;

  constructor(options: ForwarderOptions) {
    this.#options = options;
    this.#ended = this.#resubmitPending();
  }

  /** Resolves once the sources have been stopped and nothing is under way. */
  get ended(): Promise<void> {
    return this.#ended;
  }

  /**
   * @param transaction whose signature nobody has checked yet
   * @throws TransactionError where this node or the source refuses it, ForwardError where no source can be asked
   */
  async submit(transaction: TransactionEnvelope, client?: Client): Promise<PendingTransaction> {
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
      // It waits where blocks are drawn; that it has no place in this pool changes nothing.
      if (!(error instanceof TransactionError)) throw error;
      const ready = status.type !== 'pending' || status.value.ready;
      return { transaction: verified, ready, arrival: 0, receivedMs: now() };
    }
  }

  /**
   * Passes a bundle on. It is not kept here: its transactions show as pending where the source says so.
   * @param bundle whose signatures nobody has checked yet
   * @throws TransactionError where this node or the source refuses it, ForwardError where no source can be asked
   */
  async submitBundle({ transactions, maxHeight }: BundleEnvelope): Promise<void> {
    const verdicts = await Promise.all(transactions.map((one) => this.#options.verify(one)));
    const bad = verdicts.indexOf(undefined);
    if (bad >= 0) {
      const message = `transaction ${bad}: the signature is not the sender's over the transaction's hash`;
      throw new TransactionError('bad_signature', message, { index: bad });
    }
    const encoded = transactions.map((one) => one.encoded);
    await this.#ask(askSubmitBundle(encoded, maxHeight));
  }

  /**
   * Where the best source has a transaction that this node does not know: it may have come in through another follower. It is
   * pending in a block that this node does not have yet; one in a block up to its tip, which it then began above, is not found.
   */
  async find(hash: Uint8Array): Promise<TxByHashResult | undefined> {
    const { sources, crypto, now, tipHeight } = this.#options;
    const source = sources.ranked()[0];
    if (source === undefined) return undefined;
    try {
      const { status, transaction } = await source.ask(askTransaction(hash), sources.signal);
      if (status.type === 'rejected') return { status };
      if (status.type === 'not_found') return undefined;
      // Of a sealed one nothing comes along that could be checked.
      if (transaction === undefined) return status.type === 'pending' ? { status } : undefined;
      // A transaction's hash is all that can be checked of it.
      if (Buffer.compare(transactionFromSigned(transaction, crypto).hash, hash) !== 0) return undefined;
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
      const answer = await this.#ask(askSubmit(encoded));
      if (answer !== undefined) return answer.status;
    } else {
      await this.#ask(askSubmitSealed(encoded));
    }
    const { lane, nonce } = signed.transaction;
    return {
      type: 'pending',
      value: { lane, nonce, ready: true, received_ms: BigInt(this.#options.now()) },
    };
  }

  /**
   * Asks one source after the other to take something.
   * @returns undefined where one has it already after another failed, which then had passed it on
   * @throws TransactionError, ForwardError
   */
  async #ask<T>(question: Question<T>): Promise<T | undefined> {
    const { sources } = this.#options;
    const failures: string[] = [];
    for (const source of sources.ranked().slice(0, MAX_OFFERS)) {
      try {
        return await source.ask(question, sources.signal);
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
        ? 'no source of this follower answers; send it again a little later'
        : `no source of this follower takes it now: ${failures.join('; ')}`,
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
            log.error({ err: error }, 'a waiting transaction could not be offered again');
            break;
          }
          if (STILL_WAITING.has(error.reason)) continue;
          pool.drop(transaction.hashHex, error.reason, `given up by the source: ${error.message}`);
        }
      }
    }
  }

  /** Some that came in before a time; others each time, so that none that cannot move holds up the rest. */
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
  // The reasons of a newer source may be more than are known here; they are passed on as they are.
  return new TransactionError(String(reason) as RejectionReason, message, details);
}
