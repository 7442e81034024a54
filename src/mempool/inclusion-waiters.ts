import type { TransactionHashHex } from '../ledger/hex-types.js';
import type { TransactionEnvelope } from '../ledger/transaction-envelope.js';

export interface WaiterLimits {
  /** Callers that may wait at a time. */
  readonly maxWaiters: number;
  /** Of one client. */
  readonly maxPerClient: number;
}

export interface WaitOptions {
  /** Who waits: all that one client sends counts together. */
  readonly client: string;
  readonly timeoutMs: number;
  /** Ends the wait with the connection. */
  readonly signal: AbortSignal;
}

interface Waiter {
  readonly done: () => void;
}

/**
 * Callers who wait for transactions to be in a block. There are only so many, and so many of one client: one more takes the
 * place of the client's own that has waited longest, or where all places are taken, of such a one of the client that has most.
 * Whoever is released is told how far its transaction is.
 */
export class InclusionWaiters {
  readonly #limits: WaiterLimits;
  readonly #byTransaction = new Map<TransactionHashHex, Set<Waiter>>();
  /** In the order in which they began to wait. */
  readonly #byClient = new Map<string, Set<Waiter>>();
  #count = 0;

  constructor(limits: WaiterLimits) {
    this.#limits = limits;
  }

  /** How many callers wait. */
  get size(): number {
    return this.#count;
  }

  /**
   * Resolves once the transaction's fate is decided, it is in a committed block or has left the pool, or when the time is
   * over, the connection is gone or there are too many.
   */
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

  /** Tells that the fate of these transactions is decided. */
  settle(transactions: Iterable<Pick<TransactionEnvelope, 'hashHex'>>): void {
    if (this.#count === 0) return;
    for (const { hashHex } of transactions) {
      for (const { done } of this.#byTransaction.get(hashHex) ?? []) done();
    }
  }

  /** Lets everybody go, for the node stops. */
  settleAll(): void {
    for (const waiters of this.#byTransaction.values()) {
      for (const { done } of waiters) done();
    }
  }

  #makeRoom(client: string): void {
    const own = this.#byClient.get(client);
    if (own !== undefined && own.size >= this.#limits.maxPerClient) this.#releaseWaiters(own);
    else if (this.#count >= this.#limits.maxWaiters) this.#releaseWaiters(this.#largestClient());
  }

  #largestClient(): Iterable<Waiter> {
    let greatest: Set<Waiter> | undefined;
    for (const waiters of this.#byClient.values()) {
      if (greatest === undefined || waiters.size > greatest.size) greatest = waiters;
    }
    return greatest ?? [];
  }

  /** @param waiters the first of them is released */
  #releaseWaiters(waiters: Iterable<Waiter>): void {
    for (const { done } of waiters) {
      done();
      return;
    }
  }
}

function add<Name>(sets: Map<Name, Set<Waiter>>, name: Name, waiter: Waiter): void {
  const set = sets.get(name);
  if (set === undefined) sets.set(name, new Set([waiter]));
  else set.add(waiter);
}

/** @returns whether it was there */
function remove<Name>(sets: Map<Name, Set<Waiter>>, name: Name, waiter: Waiter): boolean {
  const set = sets.get(name);
  if (set?.delete(waiter) !== true) return false;
  if (set.size === 0) sets.delete(name);
  return true;
}
