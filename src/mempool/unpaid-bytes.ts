import { LeakyBuckets, type Rate } from '../async/gcra.js';
import type { VerifiedTransaction } from '../ledger/transaction-envelope.js';
import type { VerifiedBundle } from './bundles/bundle.js';
import { TransactionError } from './errors.js';

const MIB = 1_048_576;

/** A client's allowance of bytes that leave the pool without being included. */
export interface UnpaidLimits extends Rate {
  /** Number of clients remembered; the least recently active one is forgotten first. */
  readonly maxClients: number;
}

export const UNPAID_LIMITS: UnpaidLimits = Object.freeze({
  burst: 32 * MIB,
  perSecond: MIB,
  maxClients: 16_384,
});

/**
 * Counts each client's bytes that leave the pool unpaid: replaced, evicted, expired, short of balance, or in a failed
 * bundle. All of them were written to the journal, so each client has an allowance. Clients are charged rather than
 * accounts, because anyone can build a bundle of transactions signed by others.
 */
export class UnpaidBytes {
  readonly #limits: UnpaidLimits;
  readonly #lost: LeakyBuckets<string>;
  /** The client that submitted a transaction or a bundle's transactions. */
  readonly #submittedBy = new WeakMap<VerifiedTransaction | VerifiedBundle['transactions'], string>();

  constructor(limits: UnpaidLimits, now: () => number) {
    this.#limits = limits;
    this.#lost = new LeakyBuckets(limits, now, limits.maxClients);
  }

  /** @returns why a client may not send now; undefined if it may */
  refusal(client: string): TransactionError | undefined {
    const { burst, perSecond } = this.#limits;
    const bytes = this.#lost.level(client);
    if (bytes < burst) return undefined;
    const seconds = Math.ceil((bytes - burst + 1) / perSecond);
    return new TransactionError(
      'pool_full',
      `${Math.floor(bytes)} bytes that this client sent have left the pool lately without being included; the limit is ` +
        `${burst}, and it may send more in ${seconds} s`,
      { bytes: Math.floor(bytes), limit: burst, retry_after_ms: seconds * 1_000 },
    );
  }

  recordSubmitter(what: VerifiedTransaction | VerifiedBundle['transactions'], client: string): void {
    this.#submittedBy.set(what, client);
  }

  recordUnpaid(what: object, bytes: number): void {
    const client = this.#submittedBy.get(what as VerifiedTransaction);
    if (client === undefined) return;
    // At most twice the limit, so that a client whose many old transactions leave at once is not blocked for long.
    this.#lost.charge(client, Math.min(bytes, 2 * this.#limits.burst - this.#lost.level(client)));
  }
}
