import type { UpgradePolicy } from '../generated/ledger.js';
import type { Receipt, TxStatus } from '../generated/node-rpc-v1.js';
import type { TextOrBytes } from '../idl/codecs/text-json-writer.js';
import type { AddressLike } from './address-text.js';
import type { Abortable } from './call-options.js';
import type { ContractArguments } from './contract-interface.js';

/** Event to wait for: none, the transaction's inclusion, or the finality of its block. */
export type WaitFor = 'none' | 'included' | 'finalized';

/** Options for a transaction; all have defaults. */
export interface SendOptions extends Abortable {
  /** Event to wait for; default `none`. */
  readonly wait?: WaitFor;
  /** Maximum wait in milliseconds; default 60,000. */
  readonly waitMs?: number;
  /**
   * Default: a quarter above the estimate of {@link preflight}, at most a block's gas, or without one the action's known
   * maximum, plus 10,000,000 per contract run. Unused gas is not charged.
   */
  readonly gasLimit?: bigint;
  /**
   * Simulates the action first and throws a CallFailedError, without sending it, if it would fail. Default: true for a
   * contract's calls, deployments and upgrades, otherwise false. While the account has pending transactions, a failed
   * simulation proves nothing, and the action is sent. That also holds if the node does not simulate for this caller.
   */
  readonly preflight?: boolean;
  /**
   * Maximum price per unit of gas. Default: twice the base fee, which covers six full blocks, plus the priority fee.
   */
  readonly maxFee?: bigint;
  /** Additional fee for the proposer per unit of gas; default 0. */
  readonly priorityFee?: bigint;
  /** Last height at which the transaction may be included. */
  readonly validUntil?: bigint;
  /** Explicit nonce, outside the sender's sequence: for replacing a pending transaction. */
  readonly nonce?: bigint;
  /**
   * Called with a signed transaction before its submission, so that its hash is known even if the answer is lost. It is
   * called again if the node refuses stale nonces or fees and the sender signs anew. If it throws, nothing is submitted.
   */
  readonly onSigned?: (transaction: SignedDetails) => void;
}

/** Options for the simulation of a transaction. */
export type SimulateOptions = Pick<
  SendOptions,
  'gasLimit' | 'maxFee' | 'priorityFee' | 'validUntil' | 'signal'
>;

/** The hash that identifies a transaction or a bundle. */
export interface Hashed {
  /** 32 bytes. */
  readonly hash: Uint8Array;
  /** 64 lowercase hex digits. */
  readonly hashHex: string;
}

/** A signed transaction before the node has seen it. */
export interface SignedDetails extends Hashed {
  readonly nonce: bigint;
  readonly gasLimit: bigint;
  /** Maximum price per unit of gas; the fee is at most `gasLimit` times this. */
  readonly maxFee: bigint;
}

export interface TransferOptions extends SendOptions {
  readonly to: AddressLike;
  readonly amount: bigint;
}

export interface DeployOptions extends SendOptions {
  /** Event to wait for; default `included`. */
  readonly wait?: 'included' | 'finalized';
  /** A WebAssembly module that follows the host interface. */
  readonly code: Uint8Array;
  /** The contract's interface text, stored on chain. */
  readonly idl?: string;
  readonly init?: ContractArguments;
  /** Initial native balance; default 0. */
  readonly value?: bigint;
  /** Who may upgrade the code; default nobody. */
  readonly policy?: TextOrBytes<UpgradePolicy>;
  /** Default 1. */
  readonly abiVersion?: number;
}

/** A transaction accepted by the node. */
export interface SentTransaction extends Hashed {
  readonly nonce: bigint;
  readonly status: TxStatus;
  /** Receipt, unless `wait` is `none`. A reverted transaction has one too: check its `status`. */
  readonly receipt?: Receipt;
}

/** A transaction included in a block. */
export interface IncludedTransaction extends SentTransaction {
  readonly receipt: Receipt;
}

/** A transaction as it was signed, with its receipt. */
export function includedTransaction(
  { hash, hashHex, nonce }: Omit<SentTransaction, 'status'>,
  receipt: Receipt,
): IncludedTransaction {
  const { height, block_hash, index, finalized } = receipt;
  return {
    hash,
    hashHex,
    nonce,
    status: { type: 'included', value: { height, block_hash, index, finalized } },
    receipt,
  };
}
