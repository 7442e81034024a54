import pLimit from 'p-limit';
import type { Action, Deploy } from '../generated/ledger.js';
import type { Receipt, TxSubmitResult, Wait } from '../generated/node-rpc-v1.js';
import { defaultGasLimit } from '../ledger/gas.js';
import { parseAddress } from './address-text.js';
import { CallFailedError } from './call-failed-error.js';
import type { ChainFacts } from './chain-facts.js';
import { Contract, entryInput } from './contract.js';
import { DEFAULT_WAIT_MS } from './inclusion-watcher.js';
import { NonceLane } from './nonce-lane.js';
import type { ReadClient } from './read-client.js';
import { RpcCallError } from './rpc-call-error.js';
import type {
  Deployment,
  DeployOptions,
  IncludedTransaction,
  SendOptions,
  SentTransaction,
  TransferOptions,
} from './send-options.js';
import { type EncodedTransaction, signTransaction } from './sign-transaction.js';
import type { Signer } from './signers.js';

type Waiting = { readonly wait: 'included' | 'finalized' };

/** How often a transaction is signed anew because the count of nonces, or the fees, had gone stale. */
const MAX_RENEWALS = 5;

/**
 * How many transactions may be under way before the first of them is answered: fewer than the node's default limit on a
 * lane's gap (64), since requests overtake one another.
 */
const WINDOW = 48;

/** So many wait in the node's own answer, which is quickest; a greater crowd is asked for together. */
const MAX_WAITING_AT_NODE = 16;

/** The longest the node waits before it answers, in milliseconds. */
const MAX_NODE_WAIT_MS = 60_000;

/** A transaction that the node has, and what it said. */
interface Taken {
  readonly transaction: EncodedTransaction;
  readonly answer: TxSubmitResult;
}

interface SenderParts {
  readonly client: ReadClient;
  readonly facts: ChainFacts;
  readonly signer: Signer;
  readonly lane: number;
}

/**
 * Sends transactions of one account in one lane. Any number may be sent at once: each gets the next nonce, in the order
 * of the calls. After a rejection its nonce goes to the next transaction, so that no gap stays; when the node's view of
 * the lane is another than ours, it is asked and the transaction is signed again.
 */
export class Sender {
  readonly signer: Signer;
  readonly lane: number;
  readonly #client: ReadClient;
  readonly #facts: ChainFacts;
  readonly #nonces = new NonceLane();
  readonly #inWindow = pLimit(WINDOW);
  #waitingAtNode = 0;
  #synchronised: Promise<void> | undefined;

  constructor({ client, facts, signer, lane }: SenderParts) {
    this.signer = signer;
    this.lane = lane;
    this.#client = client;
    this.#facts = facts;
  }

  /**
   * Moves native balance.
   * @throws RpcCallError kind `transaction_rejected` with its `reason`; ClientError
   *
   * @example
   * const { hashHex } = await sender.transfer({ to: '0x…', amount: parseAmount('1e18') });
   */
  transfer(options: TransferOptions & Waiting): Promise<IncludedTransaction>;
  transfer(options: TransferOptions): Promise<SentTransaction>;
  async transfer(options: TransferOptions): Promise<SentTransaction> {
    const to = typeof options.to === 'string' ? parseAddress(options.to) : options.to;
    return this.send({ type: 'transfer', value: { to, amount: options.amount } }, options);
  }

  /**
   * Puts a contract on the chain, runs its `init`, and waits until that is in a block.
   * @throws CallFailedError where it did not succeed; ClientError `bad_argument` naming an argument of `init` that does
   *   not fit; RpcCallError
   *
   * @example
   * const { contract } = await alice.deploy({ code, idl, init: { supply: 1_000_000n } });
   */
  async deploy(options: DeployOptions): Promise<Deployment> {
    const { code, idl, init, value = 0n, policy = { type: 'immutable' }, abiVersion = 1 } = options;
    const { wait = 'included' } = options;
    const deploy: Deploy = {
      vm: { type: 'wasm' },
      code,
      ...(idl !== undefined && { idl }),
      abi_version: abiVersion,
      upgrade_policy: policy,
      input: entryInput('init', idl, init),
      value,
    };
    const sent = await this.send({ type: 'deploy', value: deploy }, { ...options, wait });
    const { status, contract: address } = sent.receipt;
    if (status.type !== 'success' || address === undefined)
      throw new CallFailedError('deployment', status, sent);
    const contract = new Contract(this.#client, address, { sender: this, ...(idl !== undefined && { idl }) });
    return { ...sent, contract };
  }

  /**
   * Sends any action.
   * @throws RpcCallError kind `transaction_rejected` with its `reason`; ClientError
   */
  send(action: Action, options: SendOptions & Waiting): Promise<IncludedTransaction>;
  send(action: Action, options?: SendOptions): Promise<SentTransaction>;
  async send(action: Action, options: SendOptions = {}): Promise<SentTransaction> {
    const wait = options.wait ?? 'none';
    const deadlineMs = Date.now() + (options.waitMs ?? DEFAULT_WAIT_MS);
    const { transaction, answer } = await this.#inWindow(() => this.#offerUntilTaken(action, options));
    const { hash, hashHex } = transaction;
    const { nonce } = transaction.signed.transaction;
    const sent = { hash, hashHex, nonce };
    if (wait === 'none') return { ...sent, status: answer.status };
    const told = answer.receipt;
    const receipt =
      told !== undefined && (wait === 'included' || told.finalized)
        ? told
        : await this.#waitFor(transaction, options, deadlineMs);
    const { height, block_hash, index, finalized } = receipt;
    return {
      ...sent,
      status: { type: 'included', value: { height, block_hash, index, finalized } },
      receipt,
    };
  }

  /** Signs and submits, and once more with what the node says by then where the first was out of date. */
  async #offerUntilTaken(action: Action, options: SendOptions): Promise<Taken> {
    for (let renewals = 0; ; renewals++) {
      const transaction = await this.#prepare(action, options);
      try {
        const answer = await this.#offer(transaction, options);
        this.#nonces.settle(transaction.signed.transaction.nonce);
        return { transaction, answer };
      } catch (error) {
        const again = renewals < MAX_RENEWALS && this.#mayRenew(error, options);
        if (!again) throw error;
      }
    }
  }

  async #prepare(action: Action, options: SendOptions): Promise<EncodedTransaction> {
    const [chainId, fees] = await Promise.all([
      this.#facts.chainId(),
      this.#facts.fees(),
      this.#synchronise(),
    ]);
    const priorityFee = options.priorityFee ?? 0n;
    const usual = 2n * fees.baseFee + priorityFee;
    // Nothing may come between taking the nonce and giving it to a transaction but its signing.
    const nonce = options.nonce ?? this.#nonces.take();
    try {
      return await signTransaction(
        {
          chain_id: chainId,
          sender: this.signer.address,
          lane: this.lane,
          nonce,
          gas_limit: options.gasLimit ?? defaultGasLimit(action),
          max_fee: options.maxFee ?? (usual > fees.minFee ? usual : fees.minFee),
          priority_fee: priorityFee,
          ...(options.validUntil !== undefined && { valid_until: options.validUntil }),
          action,
        },
        this.signer,
      );
    } catch (error) {
      this.#nonces.giveBack(nonce);
      throw error;
    }
  }

  async #waitFor(
    transaction: EncodedTransaction,
    options: SendOptions,
    deadlineMs: number,
  ): Promise<Receipt> {
    try {
      return await this.#client.waitForReceipt(transaction.hash, {
        finalized: options.wait === 'finalized',
        timeoutMs: Math.max(0, deadlineMs - Date.now()),
        ...(options.signal !== undefined && { signal: options.signal }),
      });
    } catch (error) {
      // It may have left the pool, and then its nonce is a gap to be filled.
      this.#synchronised = undefined;
      throw error;
    }
  }

  /** Submits, and settles what becomes of the nonce if that fails. */
  async #offer(transaction: EncodedTransaction, options: SendOptions): Promise<TxSubmitResult> {
    const { nonce } = transaction.signed.transaction;
    const call = options.signal === undefined ? {} : { signal: options.signal };
    const atNode = (options.wait ?? 'none') !== 'none' && this.#waitingAtNode < MAX_WAITING_AT_NODE;
    const wait: Wait = { type: atNode ? (options.wait ?? 'none') : 'none' };
    const waitMs = Math.min(options.waitMs ?? DEFAULT_WAIT_MS, MAX_NODE_WAIT_MS);
    if (atNode) this.#waitingAtNode++;
    let answerLost = false;
    try {
      return await this.#client.call(
        'tx_submit',
        {
          encoded: transaction.encoded,
          ...(atNode && { wait, timeout_ms: waitMs }),
        },
        {
          ...call,
          onRetry: (error) => {
            answerLost ||= !(error instanceof RpcCallError);
          },
        },
      );
    } catch (error) {
      const reason = error instanceof RpcCallError ? error.reason : undefined;
      if (answerLost && (reason === 'already_known' || reason === 'nonce_too_low')) {
        // The first try may have arrived although its answer did not.
        const { status } = await this.#client.call('tx_by_hash', { tx_hash: transaction.hash }, call);
        if (status.type === 'pending' || status.type === 'included') {
          return { tx_hash: transaction.hash, status };
        }
      }
      if (reason === undefined || isStale(reason)) {
        // Whether the nonce is used is the node's to say.
        this.#nonces.doubt(nonce);
        this.#synchronised = undefined;
      } else {
        this.#nonces.giveBack(nonce);
      }
      throw error;
    } finally {
      if (atNode) this.#waitingAtNode--;
    }
  }

  /** Whether signing anew, with what the node says now, may do better. */
  #mayRenew(error: unknown, options: SendOptions): boolean {
    const reason = error instanceof RpcCallError ? error.reason : undefined;
    if (reason === undefined) return false;
    if (isStale(reason)) return options.nonce === undefined;
    if (reason !== 'fee_too_low' || options.maxFee !== undefined) return false;
    this.#facts.forgetFees();
    return true;
  }

  /** Learns the lane's nonces from the node, once, and again after something made them doubtful. */
  #synchronise(): Promise<void> {
    if (this.#synchronised === undefined) {
      const learned = this.#learnNonces();
      this.#synchronised = learned;
      learned.catch(() => {
        if (this.#synchronised === learned) this.#synchronised = undefined;
      });
    }
    return this.#synchronised;
  }

  async #learnNonces(): Promise<void> {
    const { address } = this.signer;
    this.#nonces.prepareReset();
    const { lanes } = await this.#client.account({ address });
    const lane = lanes.find((entry) => entry.lane === this.lane);
    const waiting: bigint[] = [];
    if (lane !== undefined && lane.pending > 0) {
      let cursor: string | undefined;
      do {
        const page = await this.#client.list_pending_txs({
          sender: address,
          ...(cursor !== undefined && { cursor }),
        });
        for (const entry of page.transactions) if (entry.lane === this.lane) waiting.push(entry.nonce);
        cursor = page.next_cursor;
      } while (cursor !== undefined);
    }
    this.#nonces.reset(lane?.next_nonce ?? 0n, waiting);
  }
}

/**
 * Reasons that say that our count of the lane's nonces is not the node's. `already_known` is one: where no try of ours
 * was lost, another program sent the very same transaction with the same key, and ours is to be one more.
 */
const STALE: readonly string[] = [
  'nonce_too_low',
  'nonce_gap_too_large',
  'replacement_underpriced',
  'already_known',
];

function isStale(reason: string): boolean {
  return STALE.includes(reason);
}
