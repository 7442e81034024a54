// An error raised by a contract and passed on by its callers is decoded in every response, with the same data.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { type Client, type Contract, connect, devAccount, formatAddress } from '../../src/client/client.js';
import type { ExecStatus } from '../../src/generated/node-rpc-v1.js';
import type { JsonValue } from '../../src/idl/json-value.js';
import { RpcClient } from '../outside/rpc.js';
import { CONTRACTS } from '../support/contract-world.js';
import { NodeProcess, runHeddle } from '../support/node-process.js';

const file = (name: string) => readFileSync(join(CONTRACTS, name, `${name}.wasm`));
const text = (name: string) => readFileSync(join(CONTRACTS, name, `${name}.idl`), 'utf8');
const alice = devAccount(0);
const ALICE = formatAddress(alice.address);

let node: NodeProcess;
let client: Client;
let rpc: RpcClient;
let amm: Contract;

before(async () => {
  node = await NodeProcess.start({ flags: ['--seal', 'instant'] });
  client = connect(node.url);
  rpc = new RpcClient(node.url);
  const sender = client.sender(alice);
  const token = async (symbol: string) => {
    const init = { name: symbol, symbol, decimals: 2, supply: '1000000', owner: ALICE, minter: ALICE };
    return (await sender.deploy({ code: file('token'), idl: text('token'), init })).contract.address;
  };
  const init = { token_a: formatAddress(await token('AAA')), token_b: formatAddress(await token('BBB')) };
  amm = (await sender.deploy({ code: file('amm'), idl: text('amm'), init })).contract;
});
after(async () => {
  rpc?.close();
  await node?.dispose();
});

const DEPOSIT = {
  amount_a: '50000',
  amount_b: '50000',
  min_a: '1',
  min_b: '1',
  to: ALICE,
  deadline_ms: 9e15,
};

function revertOf(status: ExecStatus): { readonly error: JsonValue | undefined; readonly data: Uint8Array } {
  assert.equal(status.type, 'reverted', JSON.stringify(status.type));
  assert.ok(status.type === 'reverted');
  return { error: status.value.error, data: status.value.data };
}

const RAISED = { name: 'InsufficientAllowance', args: { available: '0', required: '50000' } };

test('an error of a called token is decoded in the receipt, the summaries and the trace', async () => {
  const { receipt, hash } = await amm.call('add_liquidity', DEPOSIT, {
    gasLimit: 3_000_000n,
    preflight: false,
  });
  const { error, data } = revertOf(receipt.status);
  assert.deepEqual(error, RAISED);
  assert.deepEqual(receipt.output, data);
  const { transactions } = await client.list_txs_by_sender({ sender: alice.address });
  assert.deepEqual(revertOf(transactions[0]?.status ?? { type: 'success' }).error, RAISED);
  const range = { from_height: receipt.height, to_height: receipt.height };
  const { transactions: inRange } = await client.get_txs_in_range(range);
  assert.deepEqual(revertOf(inRange[0]?.status ?? { type: 'success' }).error, RAISED);
  const traced = await client.chain_traceTransaction({ tx_hash: hash });
  assert.deepEqual(revertOf(traced.receipt.status).error, RAISED);
  const root = traced.trace.call_tree;
  assert.deepEqual(revertOf(root?.status ?? { type: 'success' }).error, RAISED);
  assert.deepEqual(root?.output, data);
  assert.deepEqual(root?.calls.at(-1)?.output, data);
});

test('the error is decoded in a view call, a simulation, an estimate and their traces, with the same output', async () => {
  const call = { contract: amm.address, method: 'add_liquidity', args: DEPOSIT };
  const { receipt } = await amm.call('add_liquidity', DEPOSIT, { gasLimit: 3_000_000n, preflight: false });
  const view = await client.view_call({ ...call, caller: alice.address });
  assert.deepEqual(revertOf(view.status).error, RAISED);
  assert.deepEqual(view.output, receipt.output);
  const build = { sender: alice.address, action: { type: 'call', value: call } as const };
  const simulated = await client.tx_simulate({ build });
  assert.deepEqual(revertOf(simulated.status).error, RAISED);
  assert.deepEqual(simulated.output, receipt.output);
  const batch = { sender: alice.address, action: { type: 'batch', value: [call] } as const };
  const batched = await client.tx_simulate({ build: batch });
  assert.deepEqual(revertOf(batched.status).error, RAISED);
  assert.deepEqual(batched.output, receipt.output);
  const { trace, simulation } = await client.tx_simulate_trace({ build });
  assert.deepEqual(revertOf(trace.call_tree?.status ?? { type: 'success' }).error, RAISED);
  assert.deepEqual(simulation.output, receipt.output);
  const { steps } = await client.tx_simulate_pipeline({ steps: [{ type: 'tx', value: { build } }] });
  const [step] = steps;
  assert.deepEqual(step?.type === 'tx' ? step.value.output : undefined, receipt.output);
});

test('an error of the contract itself is still decoded by its interface', async () => {
  const args = { shares: '1', min_a: '0', min_b: '0', to: ALICE, deadline_ms: 1 };
  const { receipt } = await amm.call('remove_liquidity', args, { preflight: false });
  const { error } = revertOf(receipt.status);
  assert.equal((error as { name: string }).name, 'DeadlinePassed');
});

test('a failed call or deployment on the command line reports its hash and the error', async () => {
  const from = ['--force', '--from-dev', '0', '--url', node.url];
  const called = await runHeddle([
    ...['contract', 'call', formatAddress(amm.address), 'add_liquidity', JSON.stringify(DEPOSIT), ...from],
  ]);
  assert.equal(called.code, 1);
  assert.match(called.stdout, /^transaction +[0-9a-f]{64}$/m);
  assert.match(called.stderr, /InsufficientAllowance/);
  const same = `{"token_a":"${ALICE}","token_b":"${ALICE}"}`;
  const deployed = await runHeddle([
    ...['contract', 'deploy', join(CONTRACTS, 'amm', 'amm.wasm'), '--idl', join(CONTRACTS, 'amm', 'amm.idl')],
    ...['--init', same, ...from],
  ]);
  assert.equal(deployed.code, 1);
  const [, hash = ''] = /^transaction +([0-9a-f]{64})$/m.exec(deployed.stdout) ?? [];
  assert.match(deployed.stderr, /InvalidTokens/);
  const { receipt } = (await rpc.call('tx_receipt', { tx_hash: hash })) as {
    receipt: { status: { type: string } };
  };
  assert.equal(receipt.status.type, 'reverted');
});
