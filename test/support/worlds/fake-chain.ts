import { sameBytes } from '../../../src/base/same-bytes.js';
import { ed25519Address, secp256k1Address } from '../../../src/crypto/address.js';
import type { Crypto } from '../../../src/crypto/crypto.js';
import type { SignedTransaction } from '../../../src/generated/ledger.js';
import type {
  ExecStatus,
  PendingSummary,
  Receipt,
  Status,
  TxpoolStats,
} from '../../../src/generated/node-rpc-v1.js';
import { actionValue } from '../../../src/ledger/action-facts.js';
import { ledger } from '../../../src/ledger/codecs.js';
import { intrinsicGas } from '../../../src/ledger/gas.js';
import { type OpenTransaction, transactionFromEncoded } from '../../../src/ledger/transaction-envelope.js';
import { type FakeHandlers, rejected } from '../nodes/fake-node.js';

export const FAKE_CHAIN_ID = 77n;

interface LaneModel {
  nextNonce: bigint;
  readonly waiting: Map<bigint, OpenTransaction>;
}

/** A minimal chain that a sender of transactions cannot tell from a real one. Blocks are sealed by `seal`. */
export class FakeChain {
  height = 0n;
  baseFee = 10n;
  minFee = 1n;
  /** Balance of every account. */
  balance = 10n ** 18n;
  /** Number of simulations so far. */
  simulated = 0;
  /** The outcome of every simulation. */
  simulatedStatus: ExecStatus = { type: 'success' };
  /** Called before a transaction is accepted; throws to refuse it. */
  admission: (transaction: SignedTransaction) => void = () => undefined;
  /** Accepted transactions, in the order of their arrival. */
  readonly taken: OpenTransaction[] = [];
  readonly #crypto: Crypto;
  readonly #lanes = new Map<string, LaneModel>();
  readonly #receipts = new Map<string, Receipt>();
  readonly #dropped = new Map<string, string>();

  constructor(crypto: Crypto) {
    this.#crypto = crypto;
  }

  lane(address: Uint8Array, lane = 0): LaneModel {
    const key = `${Buffer.from(address).toString('hex')}/${lane}`;
    const known = this.#lanes.get(key) ?? { nextNonce: 0n, waiting: new Map() };
    this.#lanes.set(key, known);
    return known;
  }

  /** Seals a block with every transaction that has no gap before it. */
  seal(): void {
    this.height += 1n;
    for (const lane of this.#lanes.values()) {
      for (
        let tx = lane.waiting.get(lane.nextNonce);
        tx !== undefined;
        tx = lane.waiting.get(lane.nextNonce)
      ) {
        lane.waiting.delete(lane.nextNonce);
        lane.nextNonce += 1n;
        this.#receipts.set(tx.hashHex, receiptOf(tx, this.height));
      }
    }
  }

  /** Removes a waiting transaction from the pool. */
  drop(address: Uint8Array, nonce: bigint, reason: string): void {
    const { waiting } = this.lane(address);
    const transaction = waiting.get(nonce);
    if (transaction === undefined) throw new Error(`nothing waits with nonce ${nonce}`);
    waiting.delete(nonce);
    this.#dropped.set(transaction.hashHex, reason);
  }

  handlers(): FakeHandlers {
    return {
      status: () => this.#status(),
      txpool_stats: () => this.#stats(),
      account: ({ address }) => ({
        address,
        exists: true,
        balance: this.balance,
        lanes: [0, 1, 2].map((lane) => {
          const { nextNonce, waiting } = this.lane(address, lane);
          return { lane, next_nonce: nextNonce, pending: waiting.size };
        }),
        deploy_index: 0n,
        is_contract: false,
      }),
      tx_simulate: () => {
        this.simulated++;
        return {
          status: this.simulatedStatus,
          gas_used: 20_000n,
          gas_estimate: 40_000n,
          fee: 100_000n,
          output: new Uint8Array(0),
          logs: [],
          state_diff: [],
          height: this.height,
        };
      },
      list_pending_txs: ({ sender, cursor }) => this.#listPending(sender, cursor),
      tx_submit: ({ encoded, wait }) => {
        if (encoded === undefined) throw rejected('bad_signature');
        const transaction = this.#take(encoded);
        if (wait !== undefined && wait.type !== 'none') this.seal();
        const receipt = this.#receipts.get(transaction.hashHex);
        return {
          tx_hash: transaction.hash,
          status: this.#statusOf(transaction.hashHex),
          ...(receipt !== undefined && { receipt }),
        };
      },
      tx_by_hash: ({ tx_hash }) => {
        const hashHex = Buffer.from(tx_hash).toString('hex');
        const known = this.taken.find((one) => one.hashHex === hashHex);
        return { status: this.#statusOf(hashHex), ...(known !== undefined && { transaction: known.signed }) };
      },
      tx_receipt: ({ tx_hash }) => {
        const receipt = this.#receipts.get(Buffer.from(tx_hash).toString('hex'));
        return receipt === undefined ? {} : { receipt };
      },
    };
  }

  #take(encoded: Uint8Array): OpenTransaction {
    const transaction = transactionFromEncoded(Uint8Array.from(encoded), this.#crypto);
    const { signed, hashHex } = transaction;
    const { sender, lane, nonce, chain_id, max_fee, gas_limit } = signed.transaction;
    if (chain_id !== FAKE_CHAIN_ID) throw rejected('wrong_chain');
    if (!this.#signedBySender(transaction)) throw rejected('bad_signature');
    const model = this.lane(sender, lane);
    if (model.waiting.get(nonce)?.hashHex === hashHex) throw rejected('already_known');
    if (nonce < model.nextNonce) throw rejected('nonce_too_low');
    if (model.waiting.has(nonce)) throw rejected('replacement_underpriced');
    if (max_fee < this.minFee) throw rejected('fee_too_low');
    if (gas_limit < intrinsicGas(signed.transaction)) throw rejected('gas_limit_too_low');
    if (this.#costOfPending(sender) + costOf(signed) > this.balance) throw rejected('insufficient_balance');
    this.admission(signed);
    model.waiting.set(nonce, transaction);
    this.taken.push(transaction);
    return transaction;
  }

  #costOfPending(sender: Uint8Array): bigint {
    let cost = 0n;
    for (const { waiting } of this.#lanes.values()) {
      for (const { signed } of waiting.values()) {
        if (sameBytes(sender, signed.transaction.sender)) cost += costOf(signed);
      }
    }
    return cost;
  }

  #signedBySender({ signed, hash }: OpenTransaction): boolean {
    const { type, value } = signed.signature;
    const address =
      type === 'ed25519'
        ? ed25519Address(this.#crypto, value.public_key)
        : secp256k1Address(this.#crypto, value.public_key);
    if (!sameBytes(address, signed.transaction.sender)) return false;
    return this.#crypto[type].verify(value.signature, hash, value.public_key);
  }

  #statusOf(hashHex: string) {
    const receipt = this.#receipts.get(hashHex);
    if (receipt !== undefined) {
      const { height, block_hash, index, finalized } = receipt;
      return { type: 'included', value: { height, block_hash, index, finalized } } as const;
    }
    for (const { waiting, nextNonce } of this.#lanes.values()) {
      for (const [nonce, { signed, ...other }] of waiting) {
        if (other.hashHex !== hashHex) continue;
        const { lane } = signed.transaction;
        let missing = nextNonce;
        while (waiting.has(missing)) missing += 1n;
        const ready = nonce < missing;
        return { type: 'pending', value: { lane, nonce, ready, received_ms: 0n } } as const;
      }
    }
    const reason = this.#dropped.get(hashHex);
    return reason === undefined
      ? ({ type: 'not_found' } as const)
      : ({ type: 'rejected', value: reason } as const);
  }

  /** Pages of two, so that paging matters. */
  #listPending(sender: Uint8Array | undefined, cursor: string | undefined) {
    const all: PendingSummary[] = [];
    for (const { waiting } of this.#lanes.values()) {
      for (const { signed, hash } of waiting.values()) {
        const { transaction } = signed;
        if (sender !== undefined && !sameBytes(sender, transaction.sender)) continue;
        all.push({
          tx_hash: hash,
          sender: transaction.sender,
          lane: transaction.lane,
          nonce: transaction.nonce,
          ready: true,
          kind: { type: 'transfer' },
          max_fee: transaction.max_fee,
          priority_fee: transaction.priority_fee,
          gas_limit: transaction.gas_limit,
          bytes: ledger.SignedTransaction.encode(signed).length,
          received_ms: 0n,
        });
      }
    }
    const from = Number(cursor ?? 0);
    const next = from + 2;
    return {
      transactions: all.slice(from, next),
      ...(next < all.length && { next_cursor: String(next) }),
    };
  }

  #status(): Status {
    const zero = new Uint8Array(32);
    return {
      version: '0.0.0',
      chain_id: FAKE_CHAIN_ID,
      now_ms: 1_000n,
      uptime_ms: 1_000n,
      block_time_ms: 250,
      tip: {
        height: this.height,
        hash: zero,
        timestamp_ms: 1n,
        state_root: zero,
        epoch: 0n,
        view: this.height,
      },
      finalized_height: this.height,
      latest_checkpoint: { height: 0n, state_root: zero },
      txpool_size: 0,
      epoch: 0n,
      validator_set: { epoch: 0n, quorum: 1, group_public_key: new Uint8Array(48), validators: [] },
      syncing: false,
    };
  }

  #stats(): TxpoolStats {
    return {
      size: 0,
      bytes: 0n,
      capacity: 100,
      lanes: 0,
      ready: 0,
      gapped: 0,
      sealed: { size: 0, bytes: 0n },
      bundles: 0,
      min_fee: this.minFee,
      base_fee: this.baseFee,
    };
  }
}

/** The most that a transaction may cost its sender. */
function costOf({ transaction }: SignedTransaction): bigint {
  return transaction.gas_limit * transaction.max_fee + actionValue(transaction.action);
}

function receiptOf({ hash, signed }: OpenTransaction, height: bigint): Receipt {
  const { sender, lane, nonce } = signed.transaction;
  return {
    tx_hash: hash,
    height,
    block_hash: new Uint8Array(32).fill(Number(height % 256n)),
    index: 0,
    sender,
    lane,
    nonce,
    status: { type: 'success' },
    gas_used: 10_000n,
    fee: 100_000n,
    output: new Uint8Array(0),
    logs: [],
    finalized: true,
  };
}
