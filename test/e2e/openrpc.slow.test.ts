// Every kind of call on a real node: requests and answers match the schemas that the node publishes.
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { gunzipSync } from 'node:zlib';
import { connect, sealTransaction, signTransaction } from '../../src/client/client.js';
import type { Action } from '../../src/generated/ledger.js';
import { nodeRpcV1Manifest } from '../../src/generated/node-rpc-v1.js';
import { rpcTypes } from '../../src/ledger/rpc-codecs.js';
import { RpcClient } from '../outside/rpc.js';
import { ALICE, alice, BOB, callOf, deployOf, encoded } from '../support/actions.js';
import { bytesOf, text } from '../support/hex.js';
import { DocumentSchemas, type OpenRpcDocument } from '../support/http/openrpc-document.js';
import { NodeProcess, removeDirectory, temporaryDirectory } from '../support/nodes/node-process.js';
import { CONTRACTS, contractAbi, contractCode } from '../support/worlds/contract-world.js';

const SEALING = ['--block-time', '50', '--idle-block-time', '50', '--checkpoint-interval', '5'];
const PATIENCE_MS = 30_000;

/** Calls a node, and checks request and answer against the document that the node publishes. */
class CheckedRpc {
  readonly schemas: DocumentSchemas;
  readonly answered = new Set<string>();
  #rpc: RpcClient;

  private constructor(rpc: RpcClient, document: OpenRpcDocument) {
    this.#rpc = rpc;
    this.schemas = new DocumentSchemas(document);
  }

  static async of(rpc: RpcClient): Promise<CheckedRpc> {
    return new CheckedRpc(rpc, (await rpc.call('rpc.discover')) as OpenRpcDocument);
  }

  useWith(rpc: RpcClient): void {
    this.#rpc = rpc;
  }

  async call<T>(method: string, params: object = {}): Promise<T> {
    assert.equal(this.schemas.problemsOfParams(method, params), undefined, `params of ${method}`);
    const result = await this.#rpc.call(method, params);
    const problem = this.schemas.problemsOfResult(method, result);
    assert.equal(problem, undefined, `${method} answered ${JSON.stringify(result).slice(0, 2_000)}`);
    this.answered.add(method);
    return result as T;
  }

  async until<T>(method: string, params: object, isReached: (result: T) => boolean): Promise<T> {
    for (const end = Date.now() + PATIENCE_MS; ; ) {
      const result = await this.call<T>(method, params);
      if (isReached(result)) return result;
      assert.ok(Date.now() < end, `${method} still answers ${JSON.stringify(result)}`);
      await sleep(50);
    }
  }
}

const token = contractAbi('token');

interface Included {
  readonly receipt?: { readonly height: number; readonly contract?: string };
}

test('the answers to all methods match the published schemas', async () => {
  const directory = temporaryDirectory();
  const dataDir = join(directory, 'data');
  const adminTo = (url: string, of: string) =>
    new RpcClient(url, readFileSync(join(of, 'admin.token'), 'utf8').trim());
  let node = await NodeProcess.start({ dataDir, flags: SEALING });
  let rpc = adminTo(node.url, dataDir);
  const client = connect(node.url);
  try {
    const checked = await CheckedRpc.of(rpc);
    const { document } = checked.schemas;
    const [server] = document.servers;
    assert.equal(server?.url, `http://localhost:${new URL(node.url).port}/v2/rpc`);
    assert.deepEqual(
      document.methods.map(({ name }) => name),
      nodeRpcV1Manifest.interfaces.flatMap(({ methods }) => methods.map(({ name }) => name)),
    );
    const packed = await rpc.http({ path: '/v2/rpc/openrpc', headers: { 'accept-encoding': 'gzip' } });
    assert.equal(packed.headers['content-encoding'], 'gzip');
    assert.deepEqual(JSON.parse(gunzipSync(packed.body).toString()), document);

    // Accounts and transactions.
    const { chain_id } = await client.status();
    let nonce = 0n;
    const transactionOf = (action: Action, lane = 0) => ({
      chain_id,
      sender: alice.address,
      lane,
      nonce: lane === 0 ? nonce++ : 0n,
      action,
      gas_limit: 20_000_000n,
      max_fee: 100n,
      priority_fee: 1n,
    });
    const signed = async (action: Action) => signTransaction(transactionOf(action), alice);
    const submit = async (action: Action) => {
      const { encoded, hashHex } = await signed(action);
      const sent = { encoded: text(encoded), wait: { type: 'included' }, timeout_ms: 20_000 };
      const { receipt } = await checked.call<Included>('tx_submit', sent);
      return { hash: hashHex, ...(receipt ?? assert.fail(`${action.type} is included`)) };
    };
    const code = Uint8Array.from(contractCode('token'));
    const init = token.function('init').encodeCall(['Thread', 'THR', 0, '1000000', ALICE, ALICE]);
    const idl = readFileSync(join(CONTRACTS, 'token', 'token.idl'), 'utf8');
    const { contract } = await submit(deployOf(code, init, idl));
    assert.ok(contract !== undefined);
    const pay = callOf(contract, token.function('transfer').encodeCall([BOB, '5']));
    const paid = await submit(pay);
    const { hash: failed } = await submit(callOf(contract, '0x01020304'));
    const transfer: Action = { type: 'transfer', value: { to: bytesOf(BOB), amount: 7n } };
    const { hash: moved } = await submit(transfer);

    // A bundle, a transaction behind a gap, and a sealed one.
    const bundle = [await signed(transfer), await signed({ type: 'batch', value: [] })];
    await checked.call('tx_submit_bundle', { transactions: bundle.map(({ encoded }) => text(encoded)) });
    const gapped = await signTransaction({ ...transactionOf(transfer, 3), nonce: 2n }, alice);
    const pending = {
      signed: JSON.parse(rpcTypes.SignedTransaction.toJson(gapped.signed)) as object,
      wait: { type: 'none' },
    };
    await checked.call('tx_submit', pending);
    await checked.call('tx_by_hash', { tx_hash: gapped.hashHex });
    await checked.call('list_pending_txs');
    const { public_key, next_open_height } = await client.get_epoch_key({});
    await checked.call('get_epoch_key', { epoch: 0 });
    const { gas_limit, max_fee, priority_fee } = transactionOf(transfer, 1);
    const opens_at = next_open_height + 50n;
    const header = {
      chain_id,
      sender: alice.address,
      lane: 1,
      nonce: 0n,
      gas_limit,
      max_fee,
      priority_fee,
      max_seal_fee: 10n ** 9n,
      opens_at,
    };
    const sealed = await sealTransaction({ header, action: transfer, groupPublicKey: public_key }, alice);
    const { envelope_hash } = await checked.call<{ envelope_hash: string }>('tx_submit_sealed', {
      envelope: text(sealed.encoded),
    });
    await checked.call('txpool_stats');
    await checked.until<Included>(
      'tx_receipt',
      { tx_hash: envelope_hash, with_proof: true },
      ({ receipt }) => receipt !== undefined && receipt.height > Number(opens_at),
    );

    for (const method of ['status', 'health', 'readiness', 'validator_status']) await checked.call(method);
    await checked.until<{ readonly days: readonly object[] }>(
      'token_usage',
      {},
      ({ days }) => days.length > 0,
    );
    await checked.call('account', { address: ALICE });
    await checked.call('accounts', { addresses: [ALICE, contract, BOB] });
    await checked.call('predict_address', { deployer: ALICE, offset: '2' });
    await checked.call('contract_metadata', { address: contract });
    await checked.call('contract_idl', { address: contract });
    for (const tx_hash of [paid.hash, failed, moved, '00'.repeat(32)]) {
      await checked.call('tx_by_hash', { tx_hash });
      await checked.call('tx_receipt', { tx_hash, with_proof: true });
    }

    // Calls, simulations and traces.
    const view = { contract, method: 'balance_of', args: { owner: BOB } };
    const failing = { contract, method: 'transfer', args: { to: BOB, amount: '1000000000' } };
    const overrides = [{ address: BOB, balance: 9, slots: [{ slot: '01'.repeat(32), value: '0x02' }] }];
    const action = { type: 'call', value: { contract, method: 'transfer', args: { to: BOB, amount: '1' } } };
    const build = { sender: ALICE, action };
    const all = ['call_tree', 'host_ops', 'state_diff', 'prestate', 'gas_profile'];
    const tracers = all.map((type) => ({ type }));
    for (const call of [view, failing, { ...view, overrides, at: { type: 'height', value: paid.height } }]) {
      await checked.call('view_call', call);
      await checked.call('chain_traceCall', { ...call, tracers });
    }
    await checked.call('tx_build', build);
    await checked.call('tx_build_simulate', build);
    await checked.call('tx_simulate', { build, block_override: { timestamp_ms: 1_900_000_000_000 } });
    await checked.call('tx_simulate_access', { build });
    await checked.call('tx_simulate_trace', { build, tracers });
    const steps = [
      { type: 'tx', value: { build } },
      { type: 'view', value: failing },
      { type: 'view', value: view },
    ];
    await checked.call('tx_simulate_pipeline', { steps, stop_on_failure: true });
    const unsigned = [pay, pay, transfer].map((each) => text(encoded(transactionOf(each))));
    await checked.call('chain_simulateBundle', { transactions: unsigned });
    for (const tx_hash of [paid.hash, failed, envelope_hash]) {
      await checked.call('chain_traceTransaction', { tx_hash, tracers });
    }

    // Listings.
    const { height: last } = (await checked.call<{ tip: { height: number } }>('status')).tip;
    for (const method of ['list_blocks', 'list_txs', 'list_checkpoints']) {
      const { next_cursor: cursor } = await checked.call<{ next_cursor?: string }>(method, { limit: 1 });
      await checked.call(method, { cursor: cursor ?? null });
    }
    await checked.call('list_txs_by_sender', { sender: ALICE });
    await checked.call('list_txs_by_contract', { contract });
    const paidTo = await checked.call<{ transactions: unknown[] }>('list_txs_by_recipient', {
      recipient: BOB,
    });
    const held = await checked.call<{ tokens: unknown[] }>('list_tokens_by_holder', { holder: BOB });
    const named = await checked.call<{ contracts: unknown[] }>('list_contracts', { name: 'tok' });
    // An empty list would match any schema of its items.
    for (const { length } of [paidTo.transactions, held.tokens, named.contracts]) assert.ok(length > 0);
    await checked.call('get_logs', { contracts: [contract, ALICE], limit: 1 });
    await checked.call('get_logs', { contract, from_height: 0, limit: 1 });
    for (const method of ['get_blocks', 'get_block_summaries', 'get_txs_in_range']) {
      await checked.call(method, { from_height: 0, to_height: last });
      await checked.call(method, { from_height: paid.height, to_height: String(paid.height) });
    }

    // Proofs and snapshots.
    await checked.call('finality_proof', { height: paid.height });
    await checked.call('light_client_context', { height: null });
    await checked.call('state_proof', { contract, slot: '01'.repeat(32) });
    await checked.call('state_proof', { contract: BOB });
    await checked.call('finalized_history_root');
    await checked.call('finalized_history_proof', { height: 1 });
    await checked.until<{ checkpoints: unknown[] }>(
      'get_checkpoint_list',
      {},
      ({ checkpoints }) => checkpoints.length > 0,
    );
    rpc.close();
    await node.stop();
    // Interval 0 makes no new checkpoints, so none replaces the existing ones.
    node = await NodeProcess.start({ dataDir, flags: [...SEALING, '--checkpoint-interval', '0'] });
    rpc = adminTo(node.url, dataDir);
    checked.useWith(rpc);
    const light = await checked.call<{ checkpoint: { height: number } }>('get_light_snapshot');
    const { height } = light.checkpoint;
    await checked.call('get_checkpoint', { height });
    const { proof, entries, blobs } = await checked.call<Record<'proof' | 'entries' | 'blobs', unknown>>(
      'get_snapshot_chunk',
      { height, index: 0 },
    );
    const file = join(directory, 'light.json');
    writeFileSync(file, JSON.stringify(light));
    const awaiting = join(directory, 'awaiting');
    const follower = await NodeProcess.start({ dataDir: awaiting, flags: ['--await-snapshot', file] });
    const importer = adminTo(follower.url, awaiting);
    try {
      checked.useWith(importer);
      await checked.call('import_snapshot_chunk', { height, index: 0, proof, entries, blobs });
      assert.deepEqual(await importer.call('rpc.discover'), {
        ...document,
        servers: ((await importer.call('rpc.discover')) as OpenRpcDocument).servers,
      });
    } finally {
      importer.close();
      await follower.stop();
      await follower.dispose();
    }

    const left = document.methods.map(({ name }) => name).filter((name) => !checked.answered.has(name));
    assert.deepEqual(left, [], 'every method was answered');
  } finally {
    rpc.close();
    await client.close();
    await node.stop();
    await node.dispose();
    removeDirectory(directory);
  }
});
