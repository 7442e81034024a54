import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { connect } from '../../../src/client/client.js';
import { RpcClient, RpcFailure } from '../../outside/rpc.js';
import { ALICE, alice, BOB, callOf, deployOf } from '../actions.js';
import { text } from '../hex.js';
import { NODE_MODE } from '../native-modes.js';
import { readMetrics } from '../operations/metrics-lint.js';
import { CONTRACTS, contractAbi, contractCode } from '../worlds/contract-world.js';
import { NodeProcess } from './node-process.js';

const CONNECTIONS = 12;
const token = contractAbi('token');

interface Account {
  readonly lanes: readonly { readonly next_nonce: number; readonly pending: number }[];
}

/** Calls that different threads answer: the receiving thread, workers, the main thread. */
function others(contract: string, view: object): readonly (readonly [method: string, params: object])[] {
  return [
    ['contract_metadata', { address: contract }],
    ['contract_idl', { address: contract }],
    ['list_blocks', {}],
    ['list_txs_by_contract', { contract }],
    ['get_logs', { contract }],
    ['chain_traceCall', view],
    ['tx_simulate_pipeline', { steps: [{ type: 'view', value: view }] }],
    ['state_proof', { contract }],
    ['list_pending_txs', {}],
    ['txpool_stats', {}],
    ['validator_status', {}],
    ['get_epoch_key', {}],
    ['finality_proof', { height: 1 }],
  ];
}

const WRONG: readonly (readonly [method: string, params: object, code: number])[] = [
  ['view_call', { contract: ALICE, input: '0x' }, -32_011],
  ['account', { address: '0x12' }, -32_602],
  ['nothing', {}, -32_601],
  ['tx_submit', { encoded: '0x00' }, -32_602],
  ['tx_build', { sender: ALICE, action: { type: 'transfer', value: { to: BOB, amount: '1' } } }, -32_001],
  ['get_blocks', { from_height: 7, to_height: 1 }, -32_602],
  ['accounts', { addresses: Array.from({ length: 1_001 }, () => BOB) }, -32_005],
];

async function asked<T>(client: RpcClient, method: string, params: object): Promise<T> {
  return (await client.call(method, params)) as T;
}

/** A node with this many front threads answers every kind of call, and then ends by a signal under requests. */
export function testFrontThreads(threads: number, signal: NodeJS.Signals): void {
  describe(`--front-threads ${threads}, --native ${NODE_MODE}`, () => {
    let node: NodeProcess;
    before(async () => {
      node = await NodeProcess.start({
        flags: ['--front-threads', `${threads}`, '--native', NODE_MODE, '--block-time', '20'],
      });
    });
    after(() => node?.dispose());

    test('answers every kind of call, on every connection', async (t) => {
      const clients = Array.from({ length: CONNECTIONS }, () => new RpcClient(node.url));
      t.after(() => clients.map((client) => client.close()));
      const [first] = clients;
      assert.ok(first !== undefined);
      const sender = connect(node.url).sender(alice);
      const init = token.function('init').encodeCall(['Thread', 'THR', 0, '1000000', ALICE, ALICE]);
      const idl = readFileSync(join(CONTRACTS, 'token', 'token.idl'), 'utf8');
      const deployed = await sender.send(deployOf(Uint8Array.from(contractCode('token')), init, idl), {
        gasLimit: 20_000_000n,
        wait: 'included',
      });
      const { contract: address } = deployed.receipt;
      assert.ok(address !== undefined);
      const contract = text(address);
      const paid = callOf(contract, token.function('transfer').encodeCall([BOB, '1']));
      const view = { contract, method: 'balance_of', args: { owner: BOB } };
      for (const [place, client] of clients.entries()) {
        const sent = await sender.send(paid, { gasLimit: 1_000_000n, wait: 'included' });
        const { height } = sent.receipt;
        const tx_hash = sent.hashHex;
        // A receipt seen on one connection is visible on all others.
        const other: RpcClient = clients[(place + 1) % clients.length] ?? first;
        const { decoded } = await asked<{ readonly decoded: string }>(other, 'view_call', view);
        assert.equal(decoded, `${place + 1}`);
        const { lanes } = await asked<Account>(other, 'account', { address: ALICE });
        assert.equal(lanes[0]?.next_nonce, place + 2);
        const { accounts } = await asked<{ readonly accounts: readonly Account[] }>(client, 'accounts', {
          addresses: [BOB, ALICE],
        });
        assert.deepEqual(accounts[1]?.lanes, lanes);
        const status = await asked<{ readonly tip: { readonly height: number } }>(other, 'status', {});
        assert.ok(BigInt(status.tip.height) >= height);
        const { receipt } = await asked<{ readonly receipt: { readonly height: number } }>(
          other,
          'tx_receipt',
          {
            tx_hash,
          },
        );
        assert.equal(BigInt(receipt.height), height);
        const found = await asked<{ readonly status: { readonly type: string } }>(other, 'tx_by_hash', {
          tx_hash,
        });
        assert.equal(found.status.type, 'included');
        const traced = await asked<{ readonly trace: object }>(client, 'chain_traceTransaction', {
          tx_hash,
        });
        assert.ok('call_tree' in traced.trace);
        for (const [method, params] of others(contract, view))
          assert.ok(await client.call(method, params), method);
        for (const [method, params, code] of WRONG) {
          await assert.rejects(client.call(method, params), (error) => {
            assert.ok(error instanceof RpcFailure);
            assert.equal(error.code, code, method);
            return true;
          });
        }
      }

      const page = (await first.http({ path: '/metrics' })).body.toString();
      const samples = readMetrics(page);
      const calls = samples.find(
        ({ name, labels }) =>
          name === 'heddle_rpc_calls_total' &&
          labels['method'] === 'NodeRpcV1.tx_by_hash' &&
          labels['outcome'] === 'ok',
      );
      assert.equal(calls?.value, CONNECTIONS, 'the calls of all threads are counted, each once');
      const named = samples
        .filter(({ name }) => name === 'heddle_event_loop_turn_seconds')
        .map(({ labels }) => labels['thread']);
      const expected = NODE_MODE === 'off' ? Math.min(threads, 1) : threads;
      assert.deepEqual(named, ['main', ...Array.from({ length: expected }, (_, index) => `front-${index}`)]);
    });

    test(`ends by ${signal} under requests without aborting`, async () => {
      let asked = 0;
      const asking = Array.from({ length: CONNECTIONS }, async () => {
        const client = new RpcClient(node.url);
        try {
          for (;;) {
            await client.call('status', {});
            asked++;
          }
        } catch (error) {
          // The node shut down as requested.
          assert.ok(error instanceof Error);
        } finally {
          client.close();
        }
      });
      while (asked < 50 * CONNECTIONS) await new Promise((resolve) => setTimeout(resolve, 5));
      const ended = await node.stop(signal);
      await Promise.all(asking);
      assert.equal(ended.signal, signal, node.log.slice(-2_000));
      assert.match(node.log, /"msg":"stopped"/);
      assert.doesNotMatch(node.log, /open handles|Assertion/);
    });
  });
}
