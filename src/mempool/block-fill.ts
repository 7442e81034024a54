import { MAX_BODY_BYTES } from '../ledger/constants.js';
import { GAS } from '../ledger/gas.js';
import type { VerifiedTransaction } from '../ledger/verified-transaction.js';
import type { BlockSpace } from './pool-types.js';

/** What the encoding of a block's item adds to a transaction's: the variant's byte. */
export const ITEM_OVERHEAD_BYTES = 1;

/** After so many that did not fit the block counts as full: what is left of it is not worth a search of the pool. */
const MAX_MISFITS = 256;

/** A block that is being filled, and the room that it has left. */
export class BlockFill {
  readonly transactions: VerifiedTransaction[] = [];
  gasLeft: bigint;
  bytesLeft: number;
  placesLeft: number;
  misfits = 0;

  constructor(space: BlockSpace) {
    this.gasLeft = space.gasLimit;
    this.bytesLeft = space.maxBytes ?? MAX_BODY_BYTES;
    this.placesLeft = space.maxTransactions ?? Number.POSITIVE_INFINITY;
  }

  /** Whether nothing more is looked for. */
  get full(): boolean {
    return this.placesLeft <= 0 || this.gasLeft < GAS.tx_base || this.misfits >= MAX_MISFITS;
  }

  /**
   * Takes the room for transactions that go in together, if there is enough.
   * @param gas sum of their gas limits
   * @param bytes sum of their items' encodings
   */
  reserve(gas: bigint, bytes: number, places: number): boolean {
    if (gas > this.gasLeft || bytes > this.bytesLeft || places > this.placesLeft) {
      this.misfits++;
      return false;
    }
    this.gasLeft -= gas;
    this.bytesLeft -= bytes;
    this.placesLeft -= places;
    return true;
  }
}
