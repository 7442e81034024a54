import pLimit from 'p-limit';
import type { TxStatus } from '../generated/node-rpc-v1.js';
import { AdmissionForecast, maximumCost } from './admission-forecast.js';
import { cached } from './cached.js';
import { type Abortable, callOptions } from './call-options.js';
import type { Fees } from './chain-info.js';
import type { Draft, DraftFactory, Header, HeaderDraft, LaneOptions, Signed, SubmitAnswer } from './draft.js';
import { readLaneNonces } from './lane-nonces.js';
import { NonceAllocator } from './nonce-allocator.js';
import { RpcCallError } from './rpc-call-error.js';

/** Maximum number of times a transaction is signed again because nonces or fees were stale. */
export const MAX_RENEWALS = 5;

/** Maximum transactions in flight: below the node's default limit on a lane's gap (64), since requests may overtake. */
const WINDOW = 48;

/** A transaction accepted by the node, with the response. */
export interface Submission {
  readonly transaction: Signed;
  readonly answer: SubmitAnswer;
}

/** What the chain sets in every header. */
interface Prepared {
  readonly chainId: bigint;
  readonly fees: Fees;
}

/** A transaction on its way to the node. */
interface Sending {
  readonly drafted: Draft;
  readonly transaction: Signed;
  readonly answer: Promise<SubmitAnswer>;
}

/**
 * Signs one lane's transactions with consecutive nonces and submits them to the node's pool:
 *
 * 1. Transactions take their nonces in turns, in the order of the calls. A turn ends when the transaction is signed, so
 *    that one that cannot be signed leaves no gap.
 * 2. If the node may refuse the transaction, its turn lasts until the node has answered, so that the next one can take
 *    the nonce of a refused one.
 * 3. One that is signed again takes a new turn.
 */
export class Submitter {
  readonly #options: LaneOptions;
  readonly #nonces = new NonceAllocator();
  readonly #limit = pLimit(WINDOW);
  readonly #inTurn = pLimit(1);
  readonly #forecast: AdmissionForecast;
  #synchronized: (() => Promise<void>) | undefined;

  constructor(options: LaneOptions) {
    this.#options = options;
    this.#forecast = new AdmissionForecast(options);
  }

  /** @param draft called for each attempt */
  submit(draft: DraftFactory): Promise<Submission> {
    return this.#limit(() => this.#submitUntilAccepted(draft));
  }

  /** Called when an accepted transaction may have left the pool, so that its nonce is a gap to fill. */
  invalidateNonces(): void {
    this.#synchronized = undefined;
  }

  async statusOf(hash: Uint8Array, { signal }: Abortable): Promise<TxStatus> {
    return (await this.#options.client.call('tx_by_hash', { tx_hash: hash }, callOptions(signal))).status;
  }

  /** Signs and submits, and repeats with current data if nonces or fees were stale. */
  async #submitUntilAccepted(draft: DraftFactory): Promise<Submission> {
    let refusal: RpcCallError | undefined;
    for (let renewals = 0; ; renewals++) {
      const { drafted, transaction, answer } = await this.#inTurn(() => this.#send(draft, refusal));
      try {
        return { transaction, answer: await answer };
      } catch (error) {
        if (renewals >= MAX_RENEWALS || !this.#canResign(error, drafted)) throw error;
        refusal = error;
      }
    }
  }

  /** Allocates consecutive nonces and fills in headers. Settle or give back each nonce afterwards. */
  reserve(drafts: readonly HeaderDraft[]): Promise<readonly Header[]> {
    return this.#inTurn(async () => {
      const prepared = await this.#prepare();
      const nonces = this.#nonces.allocateRun(drafts.length);
      return drafts.map((draft, i) => ({ ...this.#header(draft, prepared), nonce: nonces[i] as bigint }));
    });
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

  async #prepare(): Promise<Prepared> {
    const { facts } = this.#options;
    const [chainId, fees] = await Promise.all([facts.chainId(), facts.fees(), this.#synchronize()]);
    return { chainId, fees };
  }

  #header({ options, gasLimit }: HeaderDraft, { chainId, fees }: Prepared): Omit<Header, 'nonce'> {
    const { signer, lane } = this.#options;
    const priorityFee = options.priorityFee ?? 0n;
    const usual = 2n * fees.baseFee + priorityFee;
    return {
      chain_id: chainId,
      sender: signer.address,
      lane,
      gas_limit: options.gasLimit ?? gasLimit,
      max_fee: options.maxFee ?? (usual > fees.minFee ? usual : fees.minFee),
      priority_fee: priorityFee,
    };
  }

  /** One turn. */
  async #send(draft: DraftFactory, refusal: RpcCallError | undefined): Promise<Sending> {
    const drafted = await draft(refusal);
    const header = this.#header(drafted, await this.#prepare());
    // A nonce that the caller chose is outside the sequence.
    const isCertain =
      drafted.options.nonce !== undefined || (await this.#forecast.isCertain(drafted, header));
    const transaction = await this.#sign(drafted, header);
    const answer = this.#submit(transaction, drafted.options, !isCertain);
    this.#count(maximumCost(drafted, header), answer);
    if (!isCertain) await Promise.allSettled([answer]);
    return { drafted, transaction, answer };
  }

  #count(cost: bigint, answer: Promise<SubmitAnswer>): void {
    this.#forecast.sent(cost);
    answer.then(
      () => this.#forecast.answered(cost, true),
      (error: unknown) => this.#forecast.answered(cost, !(error instanceof RpcCallError)),
    );
  }

  async #sign({ options, sign }: Draft, header: Omit<Header, 'nonce'>): Promise<Signed> {
    const nonce = options.nonce ?? this.#nonces.allocate();
    try {
      const signed = await sign({ ...header, nonce });
      const { hash, hashHex } = signed;
      options.onSigned?.({ hash, hashHex, nonce, gasLimit: header.gas_limit, maxFee: header.max_fee });
      return signed;
    } catch (error) {
      this.#nonces.release(nonce);
      throw error;
    }
  }

  /** Submits a transaction and settles its nonce; on failure releases it or marks it unknown. */
  async #submit(
    { hash, nonce, submit }: Signed,
    options: Draft['options'],
    answersAtOnce: boolean,
  ): Promise<SubmitAnswer> {
    let answerLost = false;
    try {
      const answer = await submit({
        ...callOptions(options.signal),
        answersAtOnce,
        onRetry: (error) => {
          answerLost ||= !(error instanceof RpcCallError);
        },
      });
      this.#nonces.settle(nonce);
      return answer;
    } catch (error) {
      const reason = error instanceof RpcCallError ? error.reason : undefined;
      if (answerLost && (reason === 'already_known' || reason === 'nonce_too_low')) {
        // The first attempt may have arrived although its response was lost.
        const status = await this.statusOf(hash, options);
        if (status.type === 'pending' || status.type === 'included') {
          this.#nonces.settle(nonce);
          return { status };
        }
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
    this.#synchronized ??= cached(() => this.#learnNonces());
    return this.#synchronized();
  }

  async #learnNonces(): Promise<void> {
    const { client, signer, lane } = this.#options;
    this.#nonces.prepareReset();
    const { next, waiting } = await readLaneNonces(client, signer.address, lane);
    this.#nonces.reset(next, waiting);
  }
}

/**
 * Rejection reasons that show that the local nonces are stale. `already_known` is one of them: if no attempt was
 * lost, another program sent the identical transaction with the same key, and this one is an additional transaction.
 */
const STALE: readonly string[] = [
  ...['nonce_too_low', 'nonce_gap_too_large', 'replacement_underpriced', 'already_known'],
];

export function isStale(reason: string): boolean {
  return STALE.includes(reason);
}
