import type { Receipt, TxStatus } from '../generated/node-rpc-v1.js';
import type { Hashed, SendOptions } from './send-options.js';
import type { Signer } from './signers.js';

/**
 * Event to wait for: none, the envelope's inclusion, the block that opens the envelope and executes its action, or
 * the finality of that block.
 */
export type SealedWaitFor = 'none' | 'included' | 'opened' | 'finalized';

/** Options for a sealed transaction; all have defaults. */
export interface SealOptions extends Omit<SendOptions, 'wait' | 'validUntil'> {
  /** Event to wait for; default `none`. */
  readonly wait?: SealedWaitFor;
  /**
   * Height whose key opens the envelope. The envelope is included below that height, and its action is executed by
   * the first block above it. Default: the first height with enough free opening slots from the next height + f + 8
   * on, which leaves time for late blocks and leaders that skip the envelope. If that has no room left when the envelope
   * arrives, the action is sealed again to a lower one, never to a higher one: anyone who kept the first envelope could
   * read the action before it is executed.
   */
  readonly opensAt?: bigint;
  /**
   * Upper bound of the price of the envelope's opening slots together, which its inclusion burns: one slot for each
   * 1/64 of a block's gas limit that the action may use. While the price is higher, the envelope waits, until its
   * opening height at most. Default: the price after the blocks up to the opening height, if it rises by an eighth in
   * each of up to 16 of them and the base fee too, doubled.
   */
  readonly maxSealFee?: bigint;
  /**
   * The trusted group key of the chain, 48 bytes: sealing fails if the node reports a different key. Without this
   * option the node is trusted, and a dishonest node can read the sealed action.
   */
  readonly groupPublicKey?: Uint8Array;
}

/** {@link SealOptions} with a signer and a lane. */
export interface ClientSealOptions extends SealOptions {
  readonly signer: Signer;
  /** Default 0. */
  readonly lane?: number;
}

/** An envelope accepted by the node, whose hash identifies the transaction. */
export interface SealedTransaction extends Hashed {
  readonly nonce: bigint;
  /** Height whose key opens the envelope. */
  readonly opensAt: bigint;
  /** Status of the envelope. */
  readonly status: TxStatus;
  /** Receipt of the envelope's inclusion, if `wait` is not `none` and the inclusion was seen before the opening. */
  readonly inclusion?: Receipt;
  /**
   * Receipt of the action, if `wait` is `opened` or `finalized`; a reverted action has one too: check its `status`.
   */
  readonly receipt?: Receipt;
}

/** An opened envelope. */
export interface OpenedTransaction extends SealedTransaction {
  readonly receipt: Receipt;
}
