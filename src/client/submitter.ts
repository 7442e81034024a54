import pLimit from 'p-limit';
import type { SealedHeader, Transaction } from '../generated/ledger.js';
import type { TxStatus, TxSubmitResult } from '../generated/node-rpc-v1.js';
import type { CallOptions } from './call-options.js';
import type { ChainInfo, Fees } from './chain-info.js';
import { NonceAllocator } from './nonce-allocator.js';
import type { ReadClient } from './read-client.js';
import { RpcCallError } from './rpc-call-error.js';
import type { SendOptions } from './send-options.js';
import type { Signer } from './signers.js';

/** Maximum number of times a transaction is signed again because nonces or fees were stale. */
export const MAX_RENEWALS = 5;

/**
 * Maximum transactions in flight: below the node's default limit on a lane's gap (64), since requests may overtake each
 * other.
 */
const WINDOW = 48;

/** Header members common to transactions and envelopes. */
export type Header = Pick<Transaction, Exclude<keyof SealedHeader, 'opens_at' | 'max_seal_fee'>>;

/** Optional information in the node's response. */
type SubmitAnswer = Partial<Pick<TxSubmitResult, 'status' | 'receipt'>>;

/** A signed transaction or envelope. */
export interface Signed {
  /** 32 bytes. */
  readonly hash: Uint8Array;
  readonly hashHex: string;
  readonly nonce: bigint;
  readonly submit: (options: CallOptions) => Promise<SubmitAnswer>;
}

/** A transaction or envelope without its header. */
export interface Draft {
  readonly options: Omit<SendOptions, 'wait'>;
  readonly gasLimit: bigint;
  readonly sign: (header: Header) => Promise<Signed>;
  /** True if another draft may succeed after this rejection, in addition to those for stale nonces and fees. */
  readonly isOutdated?: (refusal: RpcCallError) => boolean;
}

/** @param refusal rejection of the previous draft; undefined for the first */
type DraftFactory = (refusal: RpcCallError | undefined) => Draft | Promise<Draft>;

/** A transaction accepted by the node, with the response. */
export interface Submission {
  readonly transaction: Signed;
  readonly answer: SubmitAnswer;
}

export interface SubmitterOptions {
  readonly client: ReadClient;
  readonly facts: ChainInfo;
  readonly signer: Signer;
  readonly lane: number;
}

/** Signs one lane's transactions with consecutive nonces and submits them to the node's pool. */
export class Submitter {
  readonly #options: SubmitterOptions;
  readonly #nonces = new NonceAllocator();
  readonly #limit = pLimit(WINDOW);
  #synchronized: Promise<void> | undefined;

  constructor(parts: SubmitterOptions) {
    this.#options = parts;
  }

  /**
   * @param draft called for each attempt
   * @throws RpcCallError, ClientError; any error of the draft
   */
  submit(draft: DraftFactory): Promise<Submission> {
    return this.#limit(() => this.#submitUntilAccepted(draft));
  }

  /** Called when an accepted transaction may have left the pool, so that its nonce is a gap to fill. */
  invalidateNonces(): void {
    this.#synchronized = undefined;
  }

  async statusOf(hash: Uint8Array, { signal }: Pick<SendOptions, 'signal'>): Promise<TxStatus> {
    const call = signal === undefined ? {} : { signal };
    return (await this.#options.client.call('tx_by_hash', { tx_hash: hash }, call)).status;
  }

  /** Signs and submits, and repeats with current data if nonces or fees were stale. */
  async #submitUntilAccepted(draft: DraftFactory): Promise<Submission> {
    let refusal: RpcCallError | undefined;
    for (let renewals = 0; ; renewals++) {
      const drafted = await draft(refusal);
      const transaction = await this.#sign(drafted);
      try {
        const answer = await this.#submit(transaction, drafted.options);
        this.#nonces.settle(transaction.nonce);
        return { transaction, answer };
      } catch (error) {
        if (renewals >= MAX_RENEWALS || !this.#canResign(error, drafted)) throw error;
        refusal = error;
      }
    }
  }

  /**
   * Allocates consecutive nonces and fills in headers. Settle or release each nonce afterwards.
   * @throws RpcCallError, ClientError
   */
  async reserve(drafts: readonly Omit<Draft, 'sign'>[]): Promise<readonly Header[]> {
    const [chainId, fees] = await this.#prepare();
    const nonces = this.#nonces.allocateRun(drafts.length);
    return drafts.map((draft, i) => this.#header(draft, chainId, fees, nonces[i] as bigint));
  }

  /** Marks reserved nonces as used: the node has their transactions. */
  settle(nonces: Iterable<bigint>): void {
    for (const nonce of nonces) this.#nonces.settle(nonce);
  }

  /** Puts reserved nonces back after a failure; they may be used if it tells nothing about that. */
  giveBack(nonces: Iterable<bigint>, failure: unknown): void {
    const reason = failure instanceof RpcCallError ? failure.reason : undefined;
    for (const nonce of nonces) this.#giveBack(nonce, reason);
  }

  #giveBack(nonce: bigint, reason: string | undefined): void {
    if (reason === undefined || isStale(reason)) {
      // Only the node knows whether the nonce is used.
      this.#nonces.markUnknown(nonce);
      this.#synchronized = undefined;
    } else {
      this.#nonces.release(nonce);
    }
  }

  async #prepare(): Promise<readonly [chainId: bigint, fees: Fees]> {
    const { facts } = this.#options;
    const [chainId, fees] = await Promise.all([facts.chainId(), facts.fees(), this.#synchronize()]);
    return [chainId, fees];
  }

  #header({ options, gasLimit }: Omit<Draft, 'sign'>, chainId: bigint, fees: Fees, nonce: bigint): Header {
    const { signer, lane } = this.#options;
    const priorityFee = options.priorityFee ?? 0n;
    const usual = 2n * fees.baseFee + priorityFee;
    return {
      chain_id: chainId,
      sender: signer.address,
      lane,
      nonce,
      gas_limit: options.gasLimit ?? gasLimit,
      max_fee: options.maxFee ?? (usual > fees.minFee ? usual : fees.minFee),
      priority_fee: priorityFee,
    };
  }

  async #sign(draft: Draft): Promise<Signed> {
    const { options, sign } = draft;
    const [chainId, fees] = await this.#prepare();
    // Nothing but signing may come between allocating the nonce and using it.
    const nonce = options.nonce ?? this.#nonces.allocate();
    try {
      const header = this.#header(draft, chainId, fees, nonce);
      const signed = await sign(header);
      const { hash, hashHex } = signed;
      options.onSigned?.({ hash, hashHex, nonce, gasLimit: header.gas_limit, maxFee: header.max_fee });
      return signed;
    } catch (error) {
      this.#nonces.release(nonce);
      throw error;
    }
  }

  /** Submits a transaction; on failure releases its nonce or marks it unknown. */
  async #submit({ hash, nonce, submit }: Signed, options: Draft['options']): Promise<SubmitAnswer> {
    const call = options.signal === undefined ? {} : { signal: options.signal };
    let answerLost = false;
    try {
      return await submit({
        ...call,
        onRetry: (error) => {
          answerLost ||= !(error instanceof RpcCallError);
        },
      });
    } catch (error) {
      const reason = error instanceof RpcCallError ? error.reason : undefined;
      if (answerLost && (reason === 'already_known' || reason === 'nonce_too_low')) {
        // The first attempt may have arrived although its response was lost.
        const status = await this.statusOf(hash, options);
        if (status.type === 'pending' || status.type === 'included') return { status };
      }
      this.#giveBack(nonce, reason);
      throw error;
    }
  }

  /** True if signing again with the node's current data may succeed. */
  #canResign(error: unknown, { options, isOutdated }: Draft): error is RpcCallError {
    if (!(error instanceof RpcCallError)) return false;
    const { reason } = error;
    if (reason === undefined) return false;
    if (isOutdated?.(error) === true) return true;
    if (isStale(reason)) return options.nonce === undefined;
    if (reason !== 'fee_too_low' || options.maxFee !== undefined) return false;
    this.#options.facts.invalidateFees();
    return true;
  }

  /** Reads the lane's nonces from the node on first use, and again whenever they may be stale. */
  #synchronize(): Promise<void> {
    if (this.#synchronized === undefined) {
      const learned = this.#learnNonces();
      this.#synchronized = learned;
      learned.catch(() => {
        if (this.#synchronized === learned) this.#synchronized = undefined;
      });
    }
    return this.#synchronized;
  }

  async #learnNonces(): Promise<void> {
    const { client, signer, lane: id } = this.#options;
    const { address } = signer;
    this.#nonces.prepareReset();
    const { lanes } = await client.account({ address });
    const lane = lanes.find((entry) => entry.lane === id);
    const waiting: bigint[] = [];
    if (lane !== undefined && lane.pending > 0) {
      let cursor: string | undefined;
      do {
        const page = await client.list_pending_txs({
          sender: address,
          ...(cursor !== undefined && { cursor }),
        });
        for (const entry of page.transactions) if (entry.lane === id) waiting.push(entry.nonce);
        cursor = page.next_cursor;
      } while (cursor !== undefined);
    }
    this.#nonces.reset(lane?.next_nonce ?? 0n, waiting);
  }
}

/**
 * Rejection reasons that show that the local nonces are stale. `already_known` is one of them: if no attempt was
 * lost, another program sent the identical transaction with the same key, and this one is an additional transaction.
 */
const STALE: readonly string[] = [
  'nonce_too_low',
  'nonce_gap_too_large',
  'replacement_underpriced',
  'already_known',
];

/** Whether a rejection shows that the local nonces are stale. */
export function isStale(reason: string): boolean {
  return STALE.includes(reason);
}
