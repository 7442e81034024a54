import { rpcTypes } from '../ledger/rpc-codecs.js';
import type { VerifiedTransaction } from '../ledger/transaction-envelope.js';
import type { Mempool } from '../mempool/pool.js';
import type { PendingTransaction } from '../mempool/pool-types.js';
import { pendingSummary } from '../rpc/methods/pool.js';
import type { PendingFeed } from '../rpc/subscriptions/pending-channel.js';

/** Interval between deliveries, and maximum number of transactions per delivery: 10,000 per second. */
const BATCH_MS = 20;
const MAX_BATCH = 200;

type Listener = (transactions: readonly (string | undefined)[]) => void;

/**
 * Reports transactions that enter the pool to its listeners. Without listeners it does no work; with listeners, the
 * work per delivery is bounded, and one `undefined` stands for the transactions beyond the bound.
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
      if (this.#gathered.length >= MAX_BATCH) {
        this.#isTooMany = true;
        break;
      }
      // Read now, because the transaction may leave the pool for a block before the delivery.
      const pending = this.#pool.get(hashHex);
      if (pending !== undefined) this.#gathered.push(pending);
    }
    this.#timer ??= setTimeout(() => this.#deliver(), BATCH_MS).unref();
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

  #deliver(): void {
    this.#timer = undefined;
    const texts: (string | undefined)[] = this.#gathered.map((pending) =>
      rpcTypes.PendingSummary.toJson(pendingSummary(pending)),
    );
    if (this.#isTooMany) texts.push(undefined);
    this.#gathered = [];
    this.#isTooMany = false;
    for (const listener of this.#listeners) listener(texts);
  }
}
