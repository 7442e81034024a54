// Errors that contracts raise, and integers beyond JavaScript's exact range, in every response.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { type Client, type Contract, connect, devAccount, formatAddress } from '../../src/client/client.js';
import { parseInterface } from '../../src/client/contract-interface.js';
import type { ExecStatus } from '../../src/generated/node-rpc-v1.js';
import type { JsonValue } from '../../src/idl/json-value.js';
import { RpcClient } from '../outside/rpc.js';
import { COUNTER_IDL, counterCode } from '../support/contracts/small-contracts.js';
import { heddle } from '../support/nodes/command-line.js';
import { NodeProcess } from '../support/nodes/node-process.js';
import { CONTRACTS } from '../support/worlds/contract-world.js';

const file = (name: string) => readFileSync(join(CONTRACTS, name, `${name}.wasm`));
const text = (name: string) => readFileSync(join(CONTRACTS, name, `${name}.idl`), 'utf8');
const alice = devAccount(0);
const ALICE = formatAddress(alice.address);

let node: NodeProcess;
let client: Client;
let rpc: RpcClient;
before(async () => {
  node = await NodeProcess.start({ flags: ['--seal', 'instant'] });
  client = connect(node.url);
  rpc = new RpcClient(node.url);
});
after(async () => {
  rpc?.close();
  await node?.dispose();
});

// An error raised by a contract and passed on by its callers is decoded in every response, with the same data.
describe('an error that a contract raises', () => {
  let amm: Contract;
  before(async () => {
    const sender = client.sender(alice);
    const token = async (symbol: string) => {
      const init = { name: symbol, symbol, decimals: 2, supply: '1000000', owner: ALICE, minter: ALICE };
      return (await sender.deploy({ code: file('token'), idl: text('token'), init })).contract.address;
    };
    const init = { token_a: formatAddress(await token('AAA')), token_b: formatAddress(await token('BBB')) };
    amm = (await sender.deploy({ code: file('amm'), idl: text('amm'), init })).contract;
  });

  const DEPOSIT = {
    amount_a: '50000',
    amount_b: '50000',
    min_a: '1',
    min_b: '1',
    to: ALICE,
    deadline_ms: 9e15,
  };

  function revertOf(status: ExecStatus): {
    readonly error: JsonValue | undefined;
    readonly data: Uint8Array;
  } {
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
    const call = ['contract', 'call', formatAddress(amm.address), 'add_liquidity', JSON.stringify(DEPOSIT)];
    const called = await heddle([...call, ...from]);
    assert.equal(called.code, 1);
    assert.match(called.out, /^transaction +[0-9a-f]{64}$/m);
    assert.match(called.err, /InsufficientAllowance/);
    const same = `{"token_a":"${ALICE}","token_b":"${ALICE}"}`;
    const deployed = await heddle([
      ...[
        'contract',
        'deploy',
        join(CONTRACTS, 'amm', 'amm.wasm'),
        '--idl',
        join(CONTRACTS, 'amm', 'amm.idl'),
      ],
      ...['--init', same, ...from],
    ]);
    assert.equal(deployed.code, 1);
    const [, hash = ''] = /^transaction +([0-9a-f]{64})$/m.exec(deployed.out) ?? [];
    assert.match(deployed.err, /InvalidTokens/);
    const { receipt } = (await rpc.call('tx_receipt', { tx_hash: hash })) as {
      receipt: { status: { type: string } };
    };
    assert.equal(receipt.status.type, 'reverted');
  });
});

describe('64-bit integers beyond the exact range of JavaScript', () => {
  const MOST = (1n << 64n) - 1n;
  const FIRST_WIDE = 1n << 53n;
  const abi = parseInterface(COUNTER_IDL);
  const added = abi.events.get('Added')?.topic ?? new Uint8Array(32);

  async function deploy(): Promise<Contract> {
    const code = counterCode(added, new Uint8Array(0));
    const { contract } = await client.sender(alice).deploy({ code, idl: COUNTER_IDL });
    return contract;
  }

  for (const step of [FIRST_WIDE - 1n, FIRST_WIDE, FIRST_WIDE + 1n, MOST]) {
    const shown = step < FIRST_WIDE ? Number(step) : `${step}`;

    test(`a call with ${step} by name, its result, its event and its log`, async () => {
      const contract = await deploy();
      const { receipt } = await contract.call('add', { step: `${step}` }, { gasLimit: 1_000_000n });
      assert.equal(receipt.status.type, 'success', JSON.stringify(receipt.status));
      assert.equal(receipt.decoded, shown);
      assert.deepEqual(receipt.logs[0]?.event, { name: 'Added', args: { step: shown, count: shown } });
      const { logs } = await client.get_logs({ contract: contract.address });
      assert.deepEqual(logs[0]?.event?.args, { step: shown, count: shown });
    });

    test(`a view, a simulation and a trace with ${step} by name`, async () => {
      const contract = await deploy();
      const call = { contract: formatAddress(contract.address), method: 'add', args: { step: `${step}` } };
      const view = (await rpc.call('view_call', call)) as { decoded: unknown };
      assert.equal(view.decoded, shown);
      const build = { sender: formatAddress(alice.address), action: { type: 'call', value: call } };
      const simulated = (await rpc.call('tx_simulate', { build })) as {
        decoded: unknown;
        logs: { event: unknown }[];
      };
      assert.equal(simulated.decoded, shown);
      assert.deepEqual(simulated.logs[0]?.event, { name: 'Added', args: { step: shown, count: shown } });
      const { trace } = (await rpc.call('chain_traceCall', call)) as {
        trace: { call_tree: { args: unknown; decoded: unknown } };
      };
      assert.deepEqual(trace.call_tree.args, { step: shown });
      assert.equal(trace.call_tree.decoded, shown);
    });

    test(`a call with ${step} on the command line`, async () => {
      const contract = await deploy();
      const address = formatAddress(contract.address);
      const { code, out, err } = await heddle([
        ...['contract', 'call', address, 'add', `step=${step}`, '--from-dev', '0', '--url', node.url],
      ]);
      assert.equal(code, 0, err);
      assert.match(out, new RegExp(`result\\s+${step}`));
      assert.match(out, new RegExp(`Added\\(.*count: ${step}\\)`));
    });
  }

  test('a number rounded by JSON is refused with a hint to use strings', async () => {
    const contract = await deploy();
    const body = `{"jsonrpc":"2.0","id":1,"method":"view_call","params":{"contract":"${formatAddress(contract.address)}","method":"add","args":{"step":${MOST}}}}`;
    const { body: answer } = await rpc.post(body);
    assert.match(answer.toString(), /step: expected u64 .*a string of decimal digits/);
  });

  test('a transaction may be valid forever, and an upgrade may wait forever', async () => {
    const sender = client.sender(alice);
    const { contract, hash } = await sender.deploy({
      code: counterCode(added, new Uint8Array(0)),
      policy: { type: 'timelock', value: { admin: alice.address, delay: MOST } },
      validUntil: MOST,
    });
    const { status, transaction } = await client.tx_by_hash({ tx_hash: hash });
    assert.equal(status.type, 'included');
    assert.equal(transaction?.transaction.valid_until, MOST);
    const { receipt } = await contract.upgrade({ code: counterCode(added, Uint8Array.of(1)), sender });
    assert.equal(receipt.status.type, 'success', JSON.stringify(receipt.status));
    const { pending_upgrade: pending } = await client.contract_metadata({ address: contract.address });
    assert.equal(pending?.ready_at, MOST);
  });
});
