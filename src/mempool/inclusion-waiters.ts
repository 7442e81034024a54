import type { TransactionHashHex } from '../ledger/hex-types.js';

export interface WaiterLimits {
  readonly maxWaiters: number;
  readonly maxPerClient: number;
}

export interface WaitOptions {
  /** Name of the client; all its waiting callers share one limit. */
  readonly client: string;
  readonly timeoutMs: number;
  /** Ends the wait when the connection closes. */
  readonly signal: AbortSignal;
}

interface Waiter {
  readonly done: () => void;
}

/**
 * Callers waiting for transactions to be in a block, limited in total and per client. A new waiter above a limit
 * releases the longest-waiting one: of the same client, or, at the total limit, of the client with the most waiters. A
 * released caller gets the current status of its transaction.
 */
export class InclusionWaiters {
  readonly #limits: WaiterLimits;
  readonly #byTransaction = new Map<TransactionHashHex, Set<Waiter>>();
  /** In waiting order. */
  readonly #byClient = new Map<string, Set<Waiter>>();
  #count = 0;

  constructor(limits: WaiterLimits) {
    this.#limits = limits;
  }

  get size(): number {
    return this.#count;
  }

  /** Resolves once the transaction is in a block or out of the pool, at the timeout, on abort, for room. */
  wait(hashHex: TransactionHashHex, { client, timeoutMs, signal }: WaitOptions): Promise<void> {
    if (signal.aborted) return Promise.resolve();
    this.#makeRoom(client);
    return new Promise((resolve) => {
      const done = () => {
        clearTimeout(timer);
        signal.removeEventListener('abort', done);
        if (!remove(this.#byTransaction, hashHex, waiter)) return;
        remove(this.#byClient, client, waiter);
        this.#count--;
        resolve();
      };
      const waiter: Waiter = { done };
      const timer = setTimeout(done, timeoutMs);
      signal.addEventListener('abort', done, { once: true });
      add(this.#byTransaction, hashHex, waiter);
      add(this.#byClient, client, waiter);
      this.#count++;
    });
  }

  settle(transactions: Iterable<{ readonly hashHex: TransactionHashHex }>): void {
    if (this.#count === 0) return;
    for (const { hashHex } of transactions) {
      for (const { done } of this.#byTransaction.get(hashHex) ?? []) done();
    }
  }

  settleAll(): void {
    for (const waiters of this.#byTransaction.values()) for (const { done } of waiters) done();
  }

  #makeRoom(client: string): void {
    const own = this.#byClient.get(client);
    if (own !== undefined && own.size >= this.#limits.maxPerClient) releaseFirst(own);
    else if (this.#count >= this.#limits.maxWaiters) releaseFirst(this.#largestClient());
  }

  #largestClient(): Iterable<Waiter> {
    let greatest: Set<Waiter> | undefined;
    for (const waiters of this.#byClient.values()) {
      if (greatest === undefined || waiters.size > greatest.size) greatest = waiters;
    }
    return greatest ?? [];
  }
}

function releaseFirst(waiters: Iterable<Waiter>): void {
  const [first] = waiters;
  first?.done();
}

function add<Name>(sets: Map<Name, Set<Waiter>>, name: Name, waiter: Waiter): void {
  const set = sets.get(name);
  if (set === undefined) sets.set(name, new Set([waiter]));
  else set.add(waiter);
}

function remove<Name>(sets: Map<Name, Set<Waiter>>, name: Name, waiter: Waiter): boolean {
  const set = sets.get(name);
  if (set?.delete(waiter) !== true) return false;
  if (set.size === 0) sets.delete(name);
  return true;
}
