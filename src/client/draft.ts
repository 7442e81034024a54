import type { SealedHeader, Transaction } from '../generated/ledger.js';
import type { TxSubmitResult } from '../generated/node-rpc-v1.js';
import type { CallOptions } from './call-options.js';
import type { ChainInfo } from './chain-info.js';
import type { ReadClient } from './read-client.js';
import type { RpcCallError } from './rpc-call-error.js';
import type { Hashed, SendOptions } from './send-options.js';
import type { Signer } from './signers.js';

/** The account and the lane that transactions are for. */
export interface LaneOptions {
  readonly client: ReadClient;
  readonly facts: ChainInfo;
  readonly signer: Signer;
  readonly lane: number;
}

/** Header members common to transactions and envelopes. */
export type Header = Pick<Transaction, Exclude<keyof SealedHeader, 'opens_at' | 'max_seal_fee'>>;

/** Optional information in the node's response. */
export type SubmitAnswer = Partial<Pick<TxSubmitResult, 'status' | 'receipt'>>;

/** A signed transaction or envelope. */
export interface Signed extends Hashed {
  readonly nonce: bigint;
  readonly submit: (options: SubmitOptions) => Promise<SubmitAnswer>;
}

export interface SubmitOptions extends CallOptions {
  /** True if the node may not wait for the inclusion before it answers, because other transactions wait for the answer. */
  readonly answersAtOnce: boolean;
}

/** What decides about a header. */
export interface HeaderDraft {
  readonly options: Omit<SendOptions, 'wait'>;
  readonly gasLimit: bigint;
}

/** A transaction or envelope without its header. */
export interface Draft extends HeaderDraft {
  /** Gas limit below which the node refuses it. */
  readonly neededGas: bigint;
  /** The most that it may cost besides its gas. */
  readonly value: bigint;
  /** True if the node may refuse it for what only the node knows. */
  readonly isUncertain: boolean;
  readonly sign: (header: Header) => Promise<Signed>;
  /** True if another draft may succeed after this rejection, in addition to those for stale nonces and fees. */
  readonly isOutdated?: (refusal: RpcCallError) => boolean;
}

/** @param refusal rejection of the previous draft; undefined for the first */
export type DraftFactory = (refusal: RpcCallError | undefined) => Draft | Promise<Draft>;
