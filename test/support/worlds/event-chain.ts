import type { TestContext } from 'node:test';
import { sha256 } from '@noble/hashes/sha2.js';
import type { LedgerLog } from '../../../src/generated/ledger.js';
import { appendBlock, appendTransactionIndexes } from '../../../src/ledger/block-store.js';
import { ledger } from '../../../src/ledger/codecs.js';
import { appendContractIndexes } from '../../../src/ledger/contract-store.js';
import { addressHex } from '../../../src/ledger/hex-types.js';
import { accountKey } from '../../../src/ledger/state-keys.js';
import { encodeStoredReceipt } from '../../../src/ledger/stored-receipt.js';
import { appendStateChanges } from '../../../src/storage/state.js';
import type { Store } from '../../../src/storage/store.js';
import { WriteBatch } from '../../../src/storage/write-batch.js';
import { temporaryStore } from '../../storage/stores.js';

/** The events of each transaction of each block, from block 0 on. */
export type Chain = readonly (readonly (readonly LedgerLog[])[])[];

const ZERO_HASH = new Uint8Array(32);
export const address = (n: number) => new Uint8Array(20).fill(n);
export const topic = (n: number) => new Uint8Array(32).fill(n);
export const event = (contract: number, topics: readonly number[]): LedgerLog => ({
  contract: address(contract),
  topics: topics.map(topic),
  data: new Uint8Array(0),
});

/** One transaction, as a block item. */
const TRANSFER = ledger.BlockItem.encode({
  type: 'transaction',
  value: {
    transaction: {
      chain_id: 1n,
      sender: new Uint8Array(20),
      lane: 0,
      nonce: 0n,
      gas_limit: 1n,
      max_fee: 1n,
      priority_fee: 0n,
      action: { type: 'transfer', value: { to: address(1), amount: 1n } },
    },
    signature: { type: 'ed25519', value: { public_key: new Uint8Array(32), signature: new Uint8Array(64) } },
  },
});

/** A store with a chain of transactions that only emit events; their sender is 20 zero bytes. */
export async function storeOf(t: TestContext, chain: Chain): Promise<Store> {
  const store = await temporaryStore(t, 'off');
  const batch = new WriteBatch();
  for (const [number, transactions] of chain.entries()) {
    const height = BigInt(number);
    const header = {
      chain_id: 1n,
      height,
      parent_hash: ZERO_HASH,
      epoch: 0n,
      view: height,
      timestamp_ms: height,
      proposer: 0,
      transactions_root: ZERO_HASH,
      receipts_root: ZERO_HASH,
      state_root: ZERO_HASH,
      history_root: ZERO_HASH,
      validators_hash: ZERO_HASH,
      gas_used: 0n,
      gas_limit: 1_000_000n,
      base_fee: 1n,
      seal_excess: 0n,
      extra: new Uint8Array(0),
    };
    const hashes = transactions.map((_, index) => sha256(Uint8Array.of(number >> 8, number, index)));
    const block = {
      header,
      encodedHeader: ledger.BlockHeader.encode(header),
      hash: sha256(Uint8Array.of(number >> 8, number)),
      items: transactions.map(() => TRANSFER),
      receipts: transactions.map((logs, index) => {
        const receipt = {
          tx_hash: hashes[index] ?? ZERO_HASH,
          outcome: { type: 'success' },
          gas_used: 1n,
          fee: 1n,
          output: new Uint8Array(0),
          logs,
        } as const;
        return encodeStoredReceipt(ledger.LedgerReceipt.encode(receipt), {});
      }),
      keys: [],
      openings: [],
      transactions: hashes.map((hash) => ({ hash, sender: addressHex(new Uint8Array(20)) })),
    };
    appendBlock(batch, block);
    appendTransactionIndexes(batch, block);
    const events = transactions.map((logs, index) => ({ index, logs })).filter(({ logs }) => logs.length > 0);
    appendContractIndexes(batch, height, new Map(), events);
  }
  await store.write(batch, { sync: false });
  return store;
}

/** Puts contracts with interfaces into the state of a block, by their addresses or the numbers that {@link address} takes. */
export async function addInterfaces(
  store: Store,
  texts: Iterable<readonly [contract: Uint8Array | number, text: string]>,
  height = 0n,
): Promise<void> {
  const batch = new WriteBatch();
  const changes = Array.from(texts, ([contract, text]) => {
    const bytes = new TextEncoder().encode(text);
    const idl_hash = sha256(bytes);
    batch.put('idl', idl_hash, bytes);
    const at = typeof contract === 'number' ? address(contract) : contract;
    const record = {
      vm: { type: 'wasm' },
      code_hash: ZERO_HASH,
      code_size: 1,
      idl_hash,
      abi_version: 1,
      upgrade_policy: { type: 'immutable' },
      deployer: address(0),
      deployed_at: 0n,
    } as const;
    const value = ledger.AccountRecord.encode({ balance: 0n, lanes: [], deploy_index: 0n, contract: record });
    return { key: accountKey({ sha256 }, at), previous: undefined, value };
  });
  appendStateChanges(batch, height, changes);
  await store.write(batch, { sync: false });
}
