import type { AddressHex } from '../ledger/hex-types.js';

/** So many that even a full pool of as many senders leaves most numbers at 0 or 1. */
const COUNTS = 1 << 17;

/** The memory that the pool and its readers share. */
export function createPendingSendersMemory(): SharedArrayBuffer {
  return new SharedArrayBuffer(4 * COUNTS);
}

/**
 * Which accounts have something waiting in the pool, for threads that do not have the pool: a counting filter (L. Fan et al.,
 * "Summary cache", IEEE/ACM Transactions on Networking 8(3), 2000) with one number an address. It may say yes of an account
 * that has nothing, and never no of one that has something.
 */
export class PendingSenders {
  readonly #counts: Int32Array;

  constructor(memory: SharedArrayBuffer) {
    this.#counts = new Int32Array(memory);
  }

  /** For the pool alone: an account has something now that had nothing, or the other way round. */
  set(address: AddressHex, isPending: boolean): void {
    Atomics.add(this.#counts, placeOf(address), isPending ? 1 : -1);
  }

  /** Whether an account may have something waiting. */
  mayHave(address: AddressHex): boolean {
    return Atomics.load(this.#counts, placeOf(address)) > 0;
  }
}

/** Addresses are the last bytes of hashes: any bits of them will do. */
function placeOf(address: AddressHex): number {
  return Number.parseInt(address.slice(0, 8), 16) % COUNTS;
}
