import { GAS } from '../ledger/gas.js';
import type { VerifiedTransaction } from '../ledger/transaction-envelope.js';

/** Bytes that a block item adds to a transaction's encoding: the variant byte. */
export const ITEM_OVERHEAD_BYTES = 1;

/** Candidates too long for the bytes left after which a block counts as full: searching costs too much. */
const MAX_TOO_LONG = 256;

export interface FillRoom {
  readonly gas: bigint;
  /** Limit for the expected gas of the wave; default `gas`. */
  readonly expectedGas?: bigint;
  readonly bytes: number;
  readonly places: number;
}

/** Room needed by transactions that are included together. */
export interface Share {
  readonly gasLimit: bigint;
  readonly expectedGas: bigint;
  /** Encoded size as block items. */
  readonly bytes: number;
  readonly places: number;
}

export type Misfit = 'gas' | 'size';

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

  /** True if the search stops for lack of gas. */
  get isOutOfGas(): boolean {
    return this.gasLeft < GAS.tx_base || this.#expectedLeft <= 0n;
  }

  get full(): boolean {
    return this.placesLeft <= 0 || this.isOutOfGas || this.#tooLong >= MAX_TOO_LONG;
  }

  /** The gas limit must fit, but only the expected gas is reserved. @returns what is missing, if anything */
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
