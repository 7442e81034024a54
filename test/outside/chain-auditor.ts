import { strict as assert } from 'node:assert';
import { equal, hex, sha256 } from './bytes.js';
import { LedgerModel } from './ledger-model.js';
import {
  type BlockHeader,
  BlockItem,
  blockHash,
  LedgerReceipt,
  type SignedTransaction,
  transactionHash,
  ValidatorSet,
} from './ledger-shapes.js';
import type { RpcClient } from './rpc.js';
import {
  AccountsResult,
  type Block,
  GetBlockSummariesResult,
  GetBlocksResult,
  GetTxsInRangeResult,
  type InclusionProof,
  type RangeTx,
  type Receipt,
  Status,
  TxReceiptResult,
} from './rpc-shapes.js';
import { decode, encode } from './shapes.js';
import { HistoryMmr, listRoot, listRootFromPath } from './trees.js';
import { signatureHolds } from './wallet.js';

export interface AuditorOptions {
  /** Balances allocated in block 0. */
  readonly allocation: readonly (readonly [address: Uint8Array, balance: bigint])[];
  /** Ask for the inclusion proof of every transaction, or only of a block's first, middle and last. */
  readonly proofs: 'all' | 'some';
  /** Called after each checked block with the resulting model. */
  readonly onBlock?: (header: BlockHeader, model: LedgerModel) => void;
}

/** A transaction as the audit found it on the chain. */
export interface AuditedTransaction {
  readonly hash: string;
  readonly height: bigint;
  readonly index: number;
  readonly signed: SignedTransaction;
  readonly receipt: Receipt;
}

/** The base fee of a block after `parent`: EIP-1559 with a target of half the limit, denominator 8, at least 1. */
export function nextBaseFee(parent: Pick<BlockHeader, 'gas_used' | 'gas_limit' | 'base_fee'>): bigint {
  const target = parent.gas_limit / 2n;
  const base = parent.base_fee;
  if (parent.gas_used === target) return base;
  if (parent.gas_used > target) {
    const rise = (base * (parent.gas_used - target)) / target / 8n;
    return base + (rise > 1n ? rise : 1n);
  }
  const next = base - (base * (target - parent.gas_used)) / target / 8n;
  return next > 1n ? next : 1n;
}

/** The committed receipt, reconstructed from the RPC's record. */
export function ledgerReceipt(receipt: Receipt): LedgerReceipt {
  return {
    tx_hash: receipt.tx_hash,
    outcome: { type: receipt.status.type, value: null },
    gas_used: receipt.gas_used,
    fee: receipt.fee,
    contract: receipt.contract,
    output: receipt.output,
    logs: receipt.logs.map(({ contract, topics, data }) => ({ contract, topics, data })),
  };
}

/** Checks that a proof's header, item and receipt belong together. */
export function checkInclusion(proof: InclusionProof, hash: Uint8Array, block: Uint8Array): void {
  assert.deepEqual(blockHash(proof.header), block, 'the proof’s header is of another block');
  const item = decode(BlockItem, proof.item);
  assert.deepEqual(transactionHash(item.value.transaction), hash, 'the proof’s item is another transaction');
  const receipt = decode(LedgerReceipt, proof.receipt);
  assert.deepEqual(receipt.tx_hash, hash, 'the proof’s receipt is of another transaction');
  assert.deepEqual(
    listRootFromPath(sha256(proof.item), proof.item_index, proof.item_count, proof.item_path),
    proof.header.transactions_root,
    'the item’s path leads to another root',
  );
  assert.deepEqual(
    listRootFromPath(sha256(proof.receipt), proof.receipt_index, proof.receipt_count, proof.receipt_path),
    proof.header.receipts_root,
    'the receipt’s path leads to another root',
  );
}

/**
 * Walks a chain over its RPC from genesis on and checks everything that its headers commit to. Keeps what it has
 * checked, so that later calls continue from there, on the same node or a restarted one.
 */
export class ChainAuditor {
  readonly model: LedgerModel;
  readonly transactions = new Map<string, AuditedTransaction>();
  readonly #proofs: AuditorOptions['proofs'];
  readonly #onBlock: AuditorOptions['onBlock'];
  readonly #history = new HistoryMmr();
  readonly #hashes: Uint8Array[] = [];
  #parent: BlockHeader | undefined;

  constructor(options: AuditorOptions) {
    this.model = new LedgerModel(options.allocation);
    this.#proofs = options.proofs;
    this.#onBlock = options.onBlock;
  }

  /** Number of checked blocks, which is also the height of the next one. */
  get height(): number {
    return this.#hashes.length;
  }

  blockHash(height: number): string | undefined {
    const hash = this.#hashes[height];
    return hash === undefined ? undefined : hex(hash);
  }

  get lastHeader(): BlockHeader | undefined {
    return this.#parent;
  }

  /** Checks every block up to the node's tip. */
  async advance(rpc: RpcClient): Promise<Status> {
    const status = Status.fromJson(await rpc.call('status'), 'status');
    const tip = Number(status.tip.height);
    assert.ok(tip + 1 >= this.height, `the tip fell from ${this.height - 1} to ${tip}`);
    assert.ok(status.finalized_height <= status.tip.height, 'finalized beyond the tip');
    this.model.validators = encode(ValidatorSet, status.validator_set);
    while (this.height <= tip) {
      const from = this.height;
      const to = Math.min(tip, from + 99);
      const page = GetBlocksResult.fromJson(
        await rpc.call('get_blocks', { from_height: from, to_height: to }),
        'get_blocks',
      );
      assert.ok(page.blocks.length > 0, `get_blocks from ${from} to ${to} is empty`);
      const receipts = await this.#receipts(rpc, page.blocks);
      for (const block of page.blocks) this.#check(block, status.validator_set, receipts);
      await this.#compareRange(rpc, page.blocks);
      const next = page.next_height === undefined ? to + 1 : Number(page.next_height);
      assert.equal(next, this.height, 'get_blocks left out blocks');
    }
    assert.equal(hex(status.tip.hash), this.blockHash(tip), 'status names another tip');
    return status;
  }

  /** Checks that the node still has exactly the blocks checked before. */
  async recheckHashes(rpc: RpcClient): Promise<void> {
    let from = 0;
    while (from < this.height) {
      const to = Math.min(this.height - 1, from + 499);
      const page = GetBlockSummariesResult.fromJson(
        await rpc.call('get_block_summaries', { from_height: from, to_height: to }),
        'get_block_summaries',
      );
      assert.ok(page.blocks.length > 0, `get_block_summaries from ${from} to ${to} is empty`);
      for (const block of page.blocks) {
        assert.equal(Number(block.height), from, 'summaries out of order');
        assert.equal(hex(block.hash), this.blockHash(from), `block ${from} was replaced`);
        from += 1;
      }
    }
  }

  /** Compares every account of the model with the node's, page by page. */
  async compareAccounts(rpc: RpcClient): Promise<void> {
    const addresses = this.model.addresses();
    for (let start = 0; start < addresses.length; start += 500) {
      const page = addresses.slice(start, start + 500);
      const params = { addresses: page.map((address) => `0x${hex(address)}`) };
      const answer = AccountsResult.fromJson(await rpc.call('accounts', params), 'accounts');
      assert.equal(Number(answer.height), this.height - 1, 'a block was sealed during the comparison');
      assert.equal(answer.accounts.length, page.length);
      answer.accounts.forEach((account, i) => {
        const address = page[i] ?? new Uint8Array();
        const at = `account 0x${hex(address)}`;
        assert.deepEqual(account.address, address, `${at}: in another order`);
        assert.equal(account.balance, this.model.balance(address), `${at}: balance`);
        assert.deepEqual(
          account.lanes.filter((lane) => lane.next_nonce > 0n).map((lane) => [lane.lane, lane.next_nonce]),
          this.model.lanes(address),
          `${at}: lanes`,
        );
        assert.equal(account.deploy_index, this.model.deployIndex(address), `${at}: deploy_index`);
        assert.equal(account.is_contract, this.model.isContract(address), `${at}: is_contract`);
        const used =
          account.is_contract ||
          this.model.balance(address) > 0n ||
          this.model.lanes(address).length > 0 ||
          this.model.deployIndex(address) > 0n;
        assert.equal(account.exists, used, `${at}: exists`);
      });
    }
  }

  async #receipts(rpc: RpcClient, blocks: readonly Block[]): Promise<Map<string, TxReceiptAnswer>> {
    const wanted = blocks.flatMap((block) =>
      block.items.map((item, index) => {
        const last = block.items.length - 1;
        const proof = this.#proofs === 'all' || index === 0 || index === last || index === last >> 1;
        return { tx_hash: hex(transactionHash(item.value.transaction)), with_proof: proof };
      }),
    );
    const answers = await rpc.batchResults(wanted.map((params) => ({ method: 'tx_receipt', params })));
    return new Map(
      wanted.map(({ tx_hash: hash, with_proof: asked }, i) => {
        const answer = TxReceiptResult.fromJson(answers[i], `tx_receipt ${hash}`);
        assert.ok(answer.receipt !== undefined, `no receipt of the included transaction ${hash}`);
        assert.equal(answer.proof !== undefined, asked, `${hash}: a proof, if and only if asked for`);
        return [hash, { receipt: answer.receipt, proof: answer.proof }];
      }),
    );
  }

  #check(block: Block, validators: ValidatorSet, receipts: ReadonlyMap<string, TxReceiptAnswer>): void {
    const { header } = block;
    const height = this.height;
    const at = `block ${height}`;
    const hash = blockHash(header);
    assert.equal(Number(header.height), height, `${at}: height`);
    assert.equal(hex(block.hash), hex(hash), `${at}: hash`);
    this.#checkLinks(header, at);
    assert.equal(hex(header.history_root), hex(this.#history.root()), `${at}: history_root`);
    assert.equal(
      hex(header.validators_hash),
      hex(sha256(encode(ValidatorSet, validators))),
      `${at}: validators_hash`,
    );
    const items = block.items.map((item) => sha256(encode(BlockItem, item)));
    assert.equal(hex(header.transactions_root), hex(listRoot(items)), `${at}: transactions_root`);
    const ledgerReceipts = block.items.map((item, index) => {
      const txHash = transactionHash(item.value.transaction);
      return this.#checkTransaction(item.value, index, header, hash, receipts.get(hex(txHash)));
    });
    const receiptLeaves = ledgerReceipts.map((receipt) => sha256(encode(LedgerReceipt, receipt)));
    assert.equal(hex(header.receipts_root), hex(listRoot(receiptLeaves)), `${at}: receipts_root`);
    const gas = ledgerReceipts.reduce((sum, receipt) => sum + receipt.gas_used, 0n);
    assert.equal(header.gas_used, gas, `${at}: gas_used`);
    assert.ok(gas <= header.gas_limit, `${at}: gas over the limit`);
    this.#settle(block, validators, ledgerReceipts, at);
    assert.equal(hex(header.state_root), hex(this.model.root()), `${at}: state_root`);
    this.#history.append(hash);
    this.#hashes.push(hash);
    this.#parent = header;
    this.#onBlock?.(header, this.model);
  }

  #checkLinks(header: BlockHeader, at: string): void {
    const parent = this.#parent;
    if (parent === undefined) {
      assert.ok(equal(header.parent_hash, new Uint8Array(32)), `${at}: genesis has a parent_hash`);
      assert.equal(header.view, 0n, `${at}: genesis view`);
      return;
    }
    assert.equal(hex(header.parent_hash), this.blockHash(this.height - 1), `${at}: parent_hash`);
    assert.equal(header.chain_id, parent.chain_id, `${at}: chain_id`);
    assert.equal(header.gas_limit, parent.gas_limit, `${at}: gas_limit`);
    assert.equal(header.base_fee, nextBaseFee(parent), `${at}: base_fee`);
    // The audited chains have no sealed transactions.
    assert.equal(header.seal_excess, 0n, `${at}: seal_excess`);
    assert.ok(header.timestamp_ms > parent.timestamp_ms, `${at}: timestamp not after the parent’s`);
    const laterView = header.epoch > parent.epoch || header.view > parent.view;
    assert.ok(laterView && header.view >= 1n, `${at}: view ${header.view} after ${parent.view}`);
  }

  #checkTransaction(
    signed: SignedTransaction,
    index: number,
    header: BlockHeader,
    block: Uint8Array,
    answer: TxReceiptAnswer | undefined,
  ): LedgerReceipt {
    const { transaction } = signed;
    const hash = transactionHash(transaction);
    const at = `block ${header.height} transaction ${index} (${hex(hash)})`;
    assert.ok(answer !== undefined, `${at}: no receipt`);
    const { receipt, proof } = answer;
    assert.ok(signatureHolds(signed), `${at}: signature`);
    assert.equal(transaction.chain_id, header.chain_id, `${at}: chain_id`);
    assert.ok((transaction.valid_until ?? header.height) >= header.height, `${at}: expired`);
    assert.deepEqual(receipt.tx_hash, hash, `${at}: receipt.tx_hash`);
    assert.deepEqual(receipt.block_hash, block, `${at}: receipt.block_hash`);
    assert.equal(receipt.height, header.height, `${at}: receipt.height`);
    assert.equal(receipt.index, index, `${at}: receipt.index`);
    assert.deepEqual(receipt.sender, transaction.sender, `${at}: receipt.sender`);
    assert.equal(receipt.lane, transaction.lane, `${at}: receipt.lane`);
    assert.equal(receipt.nonce, transaction.nonce, `${at}: receipt.nonce`);
    const committed = ledgerReceipt(receipt);
    if (proof !== undefined) {
      checkInclusion(proof, hash, block);
      assert.equal(proof.item_index, index, `${at}: proof.item_index`);
      assert.equal(
        hex(proof.item),
        hex(encode(BlockItem, { type: 'transaction', value: signed })),
        `${at}: item`,
      );
      assert.equal(hex(proof.receipt), hex(encode(LedgerReceipt, committed)), `${at}: receipt bytes`);
    }
    assert.ok(!this.transactions.has(hex(hash)), `${at}: included twice`);
    this.transactions.set(hex(hash), { hash: hex(hash), height: header.height, index, signed, receipt });
    return committed;
  }

  /** Replays the block's transactions, pays the proposer and compares the sum of all balances. */
  #settle(block: Block, validators: ValidatorSet, receipts: readonly LedgerReceipt[], at: string): void {
    const before = this.model.total();
    let tips = 0n;
    let fees = 0n;
    let gasLeft = block.header.gas_limit;
    block.items.forEach((item, index) => {
      const receipt = receipts[index];
      assert.ok(receipt !== undefined);
      try {
        tips += this.model.apply(item.value, receipt, block.header.height, block.header.base_fee);
      } catch (error) {
        throw new Error(`${at} transaction ${index}: ${String(error)}`, { cause: error });
      }
      fees += receipt.fee;
      const { gas_limit: limit } = item.value.transaction;
      assert.ok(
        limit <= gasLeft,
        `${at} transaction ${index}: a gas limit of ${limit}, ${gasLeft} were left`,
      );
      gasLeft -= receipt.gas_used;
    });
    const proposer = validators.validators.find((validator) => validator.index === block.header.proposer);
    assert.ok(proposer !== undefined, `${at}: proposer ${block.header.proposer} is no validator`);
    this.model.credit(proposer.address, tips);
    const burned = block.header.gas_used * block.header.base_fee;
    assert.equal(fees, burned + tips, `${at}: fees`);
    assert.equal(this.model.total(), before - burned, `${at}: money was made or lost`);
  }

  async #compareRange(rpc: RpcClient, blocks: readonly Block[]): Promise<void> {
    const last = blocks.at(-1);
    let from = blocks[0]?.header.height;
    const transactions: RangeTx[] = [];
    while (from !== undefined && last !== undefined && from <= last.header.height) {
      const params = { from_height: Number(from), to_height: Number(last.header.height) };
      const page = GetTxsInRangeResult.fromJson(
        await rpc.call('get_txs_in_range', params),
        'get_txs_in_range',
      );
      transactions.push(...page.transactions);
      assert.ok(
        page.next_height === undefined || page.next_height > from,
        'get_txs_in_range makes no progress',
      );
      from = page.next_height;
    }
    const expected = blocks.flatMap((block) => block.items.map((item) => ({ block, signed: item.value })));
    assert.equal(transactions.length, expected.length, 'get_txs_in_range: count');
    transactions.forEach((entry, i) => {
      const audited = this.transactions.get(hex(entry.tx_hash));
      assert.deepEqual(entry.transaction, expected[i]?.signed, 'get_txs_in_range: transaction');
      assert.equal(entry.height, audited?.height, 'get_txs_in_range: height');
      assert.equal(entry.index, audited?.index, 'get_txs_in_range: index');
      assert.equal(entry.gas_used, audited?.receipt.gas_used, 'get_txs_in_range: gas_used');
      assert.deepEqual(entry.status, audited?.receipt.status, 'get_txs_in_range: status');
    });
  }
}

interface TxReceiptAnswer {
  readonly receipt: Receipt;
  readonly proof: InclusionProof | undefined;
}
