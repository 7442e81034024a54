import { GAS } from '../ledger/gas.js';
import type { VerifiedTransaction } from '../ledger/transaction-envelope.js';

/** What the encoding of a block's item adds to a transaction's: the variant's byte. */
export const ITEM_OVERHEAD_BYTES = 1;

/** After so many that were too long the block counts as full: what is left of it is not worth a search of the pool. */
const MAX_TOO_LONG = 256;

/** What a wave may take of a block. */
export interface FillRoom {
  readonly gas: bigint;
  /** What all together may be expected to use; as much as there is gas, if absent. */
  readonly expectedGas?: bigint;
  readonly bytes: number;
  readonly places: number;
}

/** What transactions that go in together take of a block. */
export interface Share {
  /** The most gas that they may use. */
  readonly gasLimit: bigint;
  /** What they are expected to use. */
  readonly expectedGas: bigint;
  /** Of their items' encodings. */
  readonly bytes: number;
  readonly places: number;
}

/** Why something cannot go in. */
export type Misfit = 'gas' | 'size';

/** A block that is being filled, and what is expected to be left of it. */
export class BlockFill {
  readonly transactions: VerifiedTransaction[] = [];
  gasLeft: bigint;
  bytesLeft: number;
  placesLeft: number;
  #expectedLeft: bigint;
  #tooLong = 0;

  constructor({ gas, expectedGas = gas, bytes, places }: FillRoom) {
    this.gasLeft = gas;
    this.#expectedLeft = expectedGas;
    this.bytesLeft = bytes;
    this.placesLeft = places;
  }

  /** Whether nothing more is looked for, for want of gas. */
  get isOutOfGas(): boolean {
    return this.gasLeft < GAS.tx_base || this.#expectedLeft <= 0n;
  }

  /** Whether nothing more is looked for. */
  get full(): boolean {
    return this.placesLeft <= 0 || this.isOutOfGas || this.#tooLong >= MAX_TOO_LONG;
  }

  /**
   * Takes the room for transactions that go in together, if the most that they may use is left, and they are not too long.
   * @returns what is not enough
   */
  reserve({ gasLimit, expectedGas, bytes, places }: Share): Misfit | undefined {
    if (gasLimit > this.gasLeft) return 'gas';
    if (bytes > this.bytesLeft || places > this.placesLeft) {
      this.#tooLong++;
      return 'size';
    }
    this.gasLeft -= expectedGas;
    this.#expectedLeft -= expectedGas;
    this.bytesLeft -= bytes;
    this.placesLeft -= places;
    return undefined;
  }
}
