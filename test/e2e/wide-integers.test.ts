// 64-bit integers beyond JavaScript's exact range: as named arguments and in every response.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type Client, type Contract, connect, devAccount, formatAddress } from '../../src/client/client.js';
import { parseInterface } from '../../src/client/contract-interface.js';
import { RpcClient } from '../outside/rpc.js';
import { NodeProcess, runHeddle } from '../support/node-process.js';
import { COUNTER_IDL, counterCode } from '../support/small-contracts.js';

const MOST = (1n << 64n) - 1n;
const FIRST_WIDE = 1n << 53n;
const alice = devAccount(0);
const abi = parseInterface(COUNTER_IDL);
const added = abi.events.get('Added')?.topic ?? new Uint8Array(32);

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
    const { code, stdout, stderr } = await runHeddle([
      ...['contract', 'call', address, 'add', `step=${step}`, '--from-dev', '0', '--url', node.url],
    ]);
    assert.equal(code, 0, stderr);
    assert.match(stdout, new RegExp(`result\\s+${step}`));
    assert.match(stdout, new RegExp(`Added\\(.*count: ${step}\\)`));
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
