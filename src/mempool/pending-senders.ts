import type { AddressHex } from '../ledger/hex-types.js';

/** Number of counters. Even a full pool with one transaction per sender leaves most of them at 0 or 1. */
const COUNTS = 1 << 17;

export function createPendingSendersMemory(): SharedArrayBuffer {
  return new SharedArrayBuffer(4 * COUNTS);
}

/**
 * The accounts with standalone transactions in the pool, for threads without the pool: a counting filter (L. Fan et
 * al., "Summary cache", IEEE/ACM Transactions on Networking 8(3), 2000) with one counter per address. It may have false
 * positives but no false negatives.
 */
export class PendingSenders {
  readonly #counts: Int32Array;

  constructor(memory: SharedArrayBuffer) {
    this.#counts = new Int32Array(memory);
  }

  /** Records that an account got its first transaction or lost its last one. Called only by the pool. */
  set(address: AddressHex, isPending: boolean): void {
    Atomics.add(this.#counts, placeOf(address), isPending ? 1 : -1);
  }

  mayHave(address: AddressHex): boolean {
    return Atomics.load(this.#counts, placeOf(address)) > 0;
  }
}

/** Addresses are the last bytes of hashes, so any of their bits are uniform. */
function placeOf(address: AddressHex): number {
  return Number.parseInt(address.slice(0, 8), 16) % COUNTS;
}
