import type { Receipt, TxStatus } from '../generated/node-rpc-v1.js';
import type { SendOptions } from './send-options.js';
import type { Signer } from './signers.js';

/**
 * How far to wait: not at all, until the envelope is in a block, until a block opened it and executed what was sealed, or until
 * that block is final.
 */
export type SealedWaitFor = 'none' | 'included' | 'opened' | 'finalized';

/** What may be said for one sealed transaction; whatever is left out is filled in. */
export interface SealOptions extends Omit<SendOptions, 'wait' | 'validUntil'> {
  /** Default none. */
  readonly wait?: SealedWaitFor;
  /**
   * The height whose key opens it: it is included below, and executed by the first block above. Default: so far ahead that the
   * envelope is still in time when blocks are late or leaders pass it over, the next height + f + 8.
   */
  readonly opensAt?: bigint;
  /**
   * The chain's group key, 48 bytes, where it is known: a node that gives another is refused. Left out, the node is believed, and
   * one that lies can read what is sealed.
   */
  readonly groupPublicKey?: Uint8Array;
}

/** {@link SealOptions}, and who sends it. */
export interface ClientSealOptions extends SealOptions {
  readonly signer: Signer;
  /** Default 0. */
  readonly lane?: number;
}

/** An envelope that the node took. */
export interface SealedTransaction {
  /** The envelope's hash, 32 bytes: what the chain calls the transaction by. */
  readonly hash: Uint8Array;
  /** 64 lowercase hex digits. */
  readonly hashHex: string;
  readonly nonce: bigint;
  /** The height whose key opens it. */
  readonly opensAt: bigint;
  /** Where the envelope is. */
  readonly status: TxStatus;
  /** What including the envelope cost, where that was waited for and seen before it was opened. */
  readonly inclusion?: Receipt;
  /** What the action came to, where that was waited for. What was reverted has a receipt too: look at its `status`. */
  readonly receipt?: Receipt;
}

/** An envelope that is open. */
export interface OpenedTransaction extends SealedTransaction {
  readonly receipt: Receipt;
}
