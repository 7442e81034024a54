import { rpcTypes } from '../ledger/rpc-codecs.js';
import type { VerifiedTransaction } from '../ledger/transaction-envelope.js';
import type { Mempool } from '../mempool/pool.js';
import type { PendingTransaction } from '../mempool/pool-types.js';
import { pendingSummary } from '../rpc/methods/pool.js';
import type { PendingFeed } from '../rpc/subscriptions/pending-channel.js';

/** Interval between deliveries, and maximum number of transactions per delivery: 10,000 per second. */
const BATCH_MS = 20;
const MAX_BATCH = 200;
/** Maximum number of transactions that wait for a delivery. Bursts up to this size reach all listeners. */
const MAX_GATHERED = 4_096;

type Listener = (transactions: readonly (string | undefined)[]) => void;

/**
 * Reports transactions that enter the pool to its listeners. Without listeners it does no work; with listeners, the
 * work per delivery is bounded, and one `undefined` stands for transactions that were left out: those that wait when
 * there are too many of them, because listeners that miss one need no others.
 */
export class PoolFeed {
  readonly #pool: Pick<Mempool, 'get'>;
  readonly #listeners = new Set<Listener>();
  #gathered: PendingTransaction[] = [];
  #isTooMany = false;
  #timer: NodeJS.Timeout | undefined;

  constructor(pool: Pick<Mempool, 'get'>) {
    this.#pool = pool;
  }

  /** For the pool: records transactions that have just entered it. */
  readonly onAdmitted = (transactions: readonly VerifiedTransaction[]): void => {
    if (this.#listeners.size === 0 || transactions.length === 0) return;
    for (const { hashHex } of transactions) {
      if (this.#gathered.length >= MAX_GATHERED) {
        this.#isTooMany = true;
        this.#gathered = [];
      }
      if (this.#isTooMany) break;
      // Read now, because the transaction may leave the pool for a block before the delivery.
      const pending = this.#pool.get(hashHex);
      if (pending !== undefined) this.#gathered.push(pending);
    }
    this.#schedule();
  };

  add(listener: Listener): void {
    this.#listeners.add(listener);
  }

  remove(listener: Listener): void {
    this.#listeners.delete(listener);
  }

  /** A feed with one listener, for the subscriptions of this thread. */
  asFeed(): PendingFeed {
    let current: Listener | undefined;
    return {
      listen: (listener) => {
        if (current !== undefined) this.remove(current);
        current = listener;
        if (listener !== undefined) this.add(listener);
      },
    };
  }

  #schedule(): void {
    this.#timer ??= setTimeout(() => this.#deliver(), BATCH_MS).unref();
  }

  #deliver(): void {
    this.#timer = undefined;
    if (this.#listeners.size === 0) this.#gathered = [];
    const texts: (string | undefined)[] = this.#gathered
      .splice(0, MAX_BATCH)
      .map((pending) => rpcTypes.PendingSummary.toJson(pendingSummary(pending)));
    if (this.#isTooMany) texts.push(undefined);
    this.#isTooMany = false;
    if (this.#gathered.length > 0) this.#schedule();
    for (const listener of this.#listeners) listener(texts);
  }
}
