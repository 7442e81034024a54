/** Calls of every method with the worst parameters that are known, and the chain that makes them so. */
import { sha256 } from '@noble/hashes/sha2.js';
import { connect } from '../../src/client/client.js';
import type { Action, Transaction } from '../../src/generated/ledger.js';
import { ledger } from '../../src/ledger/codecs.js';
import { transactionHash } from '../../src/ledger/transaction-envelope.js';
import { ALICE, alice, callOf, deployOf } from '../../test/support/actions.js';
import { assemble } from '../../test/support/contracts/wasm-assembler.js';
import {
  ASKING_CALL,
  BURNING_CALL,
  emitterCode,
  TRIVIAL_CALL,
} from '../../test/support/floods/flood-contracts.js';
import { HOSTILE_INTERFACES } from '../../test/support/forged/hostile-interfaces.js';
import { text } from '../../test/support/hex.js';

const ZERO = `0x${'00'.repeat(32)}`;
const EVENTS = 5_000;
const TRIVIAL = assemble({
  memory: [1, 1],
  functions: [{ name: 'invoke', type: '>i', code: 'i32.const 0' }],
});
const WORST_TEXT = HOSTILE_INTERFACES['functions of two types']?.() ?? '';
/** A text of 64 KiB that no other contract has. */
const textOf = (nth: number): string =>
  `${WORST_TEXT.slice(0, WORST_TEXT.lastIndexOf(';view') + 1)}view zz${nth}();}`;

export interface WorstCall {
  /** Unique. */
  readonly name: string;
  readonly method: string;
  /** Of the nth call: some calls are worst if no two are alike. */
  readonly params: (nth: number) => object;
  /** Message of the refusal, for calls that are worst when they are refused. */
  readonly fails?: RegExp;
}

/** Blocks full of events, a long transaction, and contracts with long interfaces. */
async function fill(url: string) {
  const sender = connect(url).sender(alice);
  const send = async (action: Action) => {
    const options = { gasLimit: 400_000_000n, maxFee: 10_000_000_000n, wait: 'included' } as const;
    const { receipt } = await sender.send(action, options);
    if (receipt.status.type !== 'success') throw new Error(JSON.stringify(receipt.status));
    return receipt;
  };
  const deploy = async (code: Uint8Array, idl?: string): Promise<string> => {
    const { contract } = await send(deployOf(code, undefined, idl));
    if (contract === undefined) throw new Error('nothing was deployed');
    return text(contract);
  };
  const emitter = await deploy(emitterCode(EVENTS, 8));
  const firstEvents = await send(callOf(emitter, '0x'));
  for (let i = 0; i < 5; i++) await send(callOf(emitter, '0x'));
  const sparse = await deploy(emitterCode(1, 8));
  for (let i = 0; i < 4; i++) {
    await Promise.all(
      Array.from({ length: 60 }, () =>
        sender.send(callOf(sparse, '0x'), {
          gasLimit: 1_000_000n,
          maxFee: 10_000_000_000n,
          wait: 'included',
        }),
      ),
    );
  }
  const quiet = await deploy(TRIVIAL);
  const long = await send(callOf(quiet, new Uint8Array(400_000)));
  const withTexts: { contract: string; hash: string }[] = [];
  for (let i = 0; i < 12; i++) {
    const contract = await deploy(TRIVIAL, textOf(i));
    const { tx_hash } = await send(callOf(contract, `0x0000000${i.toString(16)}`));
    withTexts.push({ contract, hash: text(tx_hash) });
  }
  return { emitter, sparse, long, firstEvents, withTexts };
}

/** @param url of an empty development chain */
export async function worstCalls(url: string): Promise<readonly WorstCall[]> {
  const { emitter, sparse, long, firstEvents, withTexts } = await fill(url);
  const client = connect(url);
  const { chain_id: chainId } = await client.status();
  const checkpoint = Number((await client.get_checkpoint_list()).checkpoints[0]?.height ?? 0n);
  const nonce = (await client.account({ address: alice.address })).lanes[0]?.next_nonce ?? 0n;
  const of = (method: string, params: object = {}, name = method): WorstCall => ({
    name,
    method,
    params: () => params,
  });
  const eventHeight = Number(firstEvents.height);
  const fresh = (nth: number) => `0x${(nth + 1_000_000).toString(16).padStart(40, '0')}`;
  const transaction = (nth: number, action: Transaction['action']): Transaction => ({
    chain_id: chainId,
    sender: alice.address,
    lane: 0,
    nonce: nonce + BigInt(nth),
    gas_limit: action.type === 'call' ? 20_000_000n : 100_000n,
    max_fee: 1_000_000_000n,
    priority_fee: 0n,
    action,
  });
  /** With a wrong signature of the right key. */
  const badlySigned = (bytes: number) => ({
    encoded: text(
      ledger.SignedTransaction.encode({
        transaction: transaction(0, callOf(emitter, new Uint8Array(bytes))),
        signature: {
          type: 'ed25519',
          value: { public_key: alice.publicKey, signature: new Uint8Array(64).fill(1) },
        },
      }),
    ),
  });
  const build = {
    sender: ALICE,
    action: { type: 'call', value: { contract: emitter, input: '0x', value: '0' } },
  };
  const bundled = await Promise.all(
    Array.from({ length: 64 }, async (_, nth) => {
      const each = transaction(nth, { type: 'transfer', value: { to: alice.address, amount: 1n } });
      const hash = transactionHash(ledger.Transaction.encode(each), { sha256 });
      const signature = await alice.sign(nth === 63 ? new Uint8Array(32) : hash);
      return text(ledger.SignedTransaction.encode({ transaction: each, signature }));
    }),
  );
  return [
    of('status'),
    of('health'),
    of('readiness'),
    of('validator_status'),
    of('account', { address: ALICE }),
    { name: 'account, fresh', method: 'account', params: (nth) => ({ address: fresh(nth) }) },
    {
      name: 'accounts, 1,000 fresh',
      method: 'accounts',
      params: (nth) => ({ addresses: Array.from({ length: 1_000 }, (_, i) => fresh(nth * 1_000 + i)) }),
    },
    of('predict_address', { deployer: ALICE }),
    of('contract_metadata', { address: emitter }),
    of('contract_idl', { address: withTexts[0]?.contract }),
    of('view_call', { ...TRIVIAL_CALL }, 'view_call, trivial'),
    of('view_call', { ...BURNING_CALL }, 'view_call, all gas'),
    {
      name: 'view_call, interface text',
      method: 'view_call',
      params: (nth) => ({ ...TRIVIAL_CALL, idl: textOf(nth) }),
    },
    {
      name: 'tx_submit, bad signature',
      method: 'tx_submit',
      params: () => badlySigned(1),
      fails: /signature/,
    },
    {
      name: 'tx_submit, bad signature over 400 KB',
      method: 'tx_submit',
      params: () => badlySigned(400_000),
      fails: /signature/,
    },
    of('tx_by_hash', { tx_hash: text(long.tx_hash) }, 'tx_by_hash, 400 KB'),
    of('tx_receipt', { tx_hash: text(firstEvents.tx_hash) }, 'tx_receipt, 5,000 events'),
    {
      name: 'tx_receipt, of many interfaces',
      method: 'tx_receipt',
      params: (nth) => ({ tx_hash: withTexts[nth % withTexts.length]?.hash }),
    },
    of('tx_simulate', { build }, 'tx_simulate, 5,000 events'),
    of('tx_simulate_access', { build }, 'tx_simulate_access, 5,000 events'),
    of('tx_simulate_trace', { build }, 'tx_simulate_trace, 5,000 events'),
    of('chain_traceCall', { ...BURNING_CALL }, 'chain_traceCall, all gas'),
    of(
      'chain_traceTransaction',
      { tx_hash: text(firstEvents.tx_hash) },
      'chain_traceTransaction, 5,000 events',
    ),
    of(
      'tx_simulate_pipeline',
      { steps: [{ type: 'view', value: { ...BURNING_CALL, gas_limit: 500_000_000 } }] },
      'tx_simulate_pipeline, gas',
    ),
    of('list_blocks', { limit: 500 }),
    of('list_txs', { limit: 500 }),
    of('list_txs_by_sender', { sender: ALICE, limit: 500 }),
    of('list_txs_by_contract', { contract: emitter, limit: 500 }),
    of('list_pending_txs'),
    of('txpool_stats'),
    of('get_logs', { limit: 10_000 }, 'get_logs, all'),
    of('get_logs', { contract: emitter, limit: 10_000 }, 'get_logs, of a contract'),
    of('get_logs', { contract: emitter, topics: [[], [ZERO]] }, 'get_logs, none matches'),
    of(
      'get_logs',
      { contracts: [emitter, ...Array.from({ length: 99 }, (_, nth) => fresh(nth))], topics: [[], [ZERO]] },
      'get_logs, none of 100 contracts matches',
    ),
    of('get_logs', { contract: sparse, topics: [[], [ZERO]] }, 'get_logs, none of many transactions matches'),
    of('get_blocks', { from_height: eventHeight, to_height: 1_000_000 }),
    of('get_block_summaries', { from_height: 0, to_height: 1_000_000 }),
    of('get_txs_in_range', { from_height: 0, to_height: 1_000_000 }),
    of('finality_proof', { height: 1 }),
    of('light_client_context'),
    of('state_proof', { contract: emitter, slot: ZERO }),
    of('finalized_history_root', { height: 5 }),
    of('finalized_history_proof', { height: 1 }),
    of('get_checkpoint_list'),
    of('list_checkpoints'),
    of('get_checkpoint', { height: checkpoint }),
    of('get_light_snapshot', { height: checkpoint }),
    of('get_snapshot_chunk', { height: checkpoint, index: 0 }),
    of('get_epoch_key'),
    of('tx_build', build),
    of('tx_build_simulate', build, 'tx_build_simulate, 5,000 events'),
    of('chain_simulateBundle', { transactions: bundled.slice(0, 63) }, 'chain_simulateBundle, 63 signatures'),
    of('chain_traceCall', { ...ASKING_CALL }, 'chain_traceCall, host operations'),
    {
      name: 'tx_submit_sealed, not an envelope',
      method: 'tx_submit_sealed',
      params: () => ({ envelope: `0x${'00'.repeat(400_000)}` }),
      fails: /envelope/,
    },
    {
      name: 'tx_submit_bundle, 64 signatures, the last one bad',
      method: 'tx_submit_bundle',
      params: () => ({ transactions: bundled }),
      fails: /signature/,
    },
    of('rpc.discover'),
  ];
}
