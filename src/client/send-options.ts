import type { UpgradePolicy } from '../generated/ledger.js';
import type { Receipt, TxStatus } from '../generated/node-rpc-v1.js';
import type { ContractArguments } from './contract-interface.js';

/** How far to wait: not at all, until the transaction is in a block, or until that block is final. */
export type WaitFor = 'none' | 'included' | 'finalized';

/** What may be said for one transaction; whatever is left out is filled in. */
export interface SendOptions {
  /** Default none. */
  readonly wait?: WaitFor;
  /** How long to wait at most, in milliseconds; default 60,000. */
  readonly waitMs?: number;
  /**
   * Default: what the action is known to need at most, and 10,000,000 for each time that it runs a contract. What is left
   * over is not charged.
   */
  readonly gasLimit?: bigint;
  /** The most to pay per unit of gas. Default: twice the base fee, so that six full blocks do not outrun it, plus the priority fee. */
  readonly maxFee?: bigint;
  /** Extra for the proposer per unit of gas; default 0. */
  readonly priorityFee?: bigint;
  /** The last height at which it may be included. */
  readonly validUntil?: bigint;
  /** A nonce of your own choice, outside the sender's count: for replacing a transaction that waits. */
  readonly nonce?: bigint;
  readonly signal?: AbortSignal;
}

export interface TransferOptions extends SendOptions {
  /** Text or 20 bytes. */
  readonly to: string | Uint8Array;
  readonly amount: bigint;
}

export interface DeployOptions extends SendOptions {
  /** Default included. */
  readonly wait?: 'included' | 'finalized';
  /** A WebAssembly module that follows the host interface. */
  readonly code: Uint8Array;
  /** The contract's interface text, stored on chain. */
  readonly idl?: string;
  /** Arguments of the interface's `init`. */
  readonly init?: ContractArguments;
  /** Native balance to begin with; default 0. */
  readonly value?: bigint;
  /** Who may put other code in its place; default nobody. */
  readonly policy?: UpgradePolicy;
  /** Default 1. */
  readonly abiVersion?: number;
}

/** A transaction that the node took. */
export interface SentTransaction {
  /** 32 bytes. */
  readonly hash: Uint8Array;
  /** 64 lowercase hex digits. */
  readonly hashHex: string;
  readonly nonce: bigint;
  readonly status: TxStatus;
  /** What it came to, where that was waited for. A reverted transaction has a receipt too: look at its `status`. */
  readonly receipt?: Receipt;
}

/** A transaction that is in a block. */
export interface IncludedTransaction extends SentTransaction {
  readonly receipt: Receipt;
}
