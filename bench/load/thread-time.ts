// Measures the CPU time of a request in each thread of the node:
//   npm run bench -- threads [--milliseconds 3000] [--connections 16,64] [--front-threads 1]

import { connect } from '../../src/client/client.js';
import { RpcClient } from '../../test/outside/rpc.js';
import { ALICE, alice, BOB, callOf, deployOf } from '../../test/support/actions.js';
import { text } from '../../test/support/hex.js';
import { NodeProcess } from '../../test/support/nodes/node-process.js';
import { contractAbi, contractCode } from '../../test/support/worlds/contract-world.js';
import { benchArguments } from '../support/bench-arguments.js';
import { type NodeSeconds, nodeSeconds } from '../support/node-seconds.js';
import { recordCost } from '../support/record-values.js';
import { threadLoad } from '../support/request-load.js';
import { rpcBody } from '../support/rpc-body.js';
import type { RequestTask } from './request-task.js';

const values = benchArguments({
  milliseconds: { type: 'string', default: '3000' },
  connections: { type: 'string', default: '16,64' },
  'front-threads': { type: 'string', default: '1' },
});

const node = await NodeProcess.start({ flags: ['--front-threads', values['front-threads']] });
const rpc = new RpcClient(node.url);
const load = threadLoad();
try {
  const token = contractAbi('token');
  const init = token.function('init').encodeCall(['Thread', 'THR', 0, '1000000', ALICE, ALICE]);
  const deployed = await connect(node.url)
    .sender(alice)
    .send(deployOf(Uint8Array.from(contractCode('token')), init), {
      gasLimit: 20_000_000n,
      wait: 'included',
    });
  const { contract } = deployed.receipt;
  if (contract === undefined) throw new Error('the token was not deployed');
  const balance = { contract: text(contract), input: text(token.function('balance_of').encodeCall([ALICE])) };
  const transfer = token.function('transfer').encodeCall([BOB, '1']);
  const { action } = { action: callOf(text(contract), transfer) };
  const account = await connect(node.url).account({ address: alice.address });
  const { chain_id } = await connect(node.url).status();
  const transaction = {
    chain_id: Number(chain_id),
    sender: ALICE,
    lane: 0,
    nonce: Number(account.lanes[0]?.next_nonce ?? 0n),
    gas_limit: 1_000_000,
    max_fee: '100',
    priority_fee: '0',
    action: {
      type: action.type,
      value: { contract: text(contract), input: text(transfer), value: '0' },
    },
  };
  const calls: readonly (readonly [name: string, method: string, params: object])[] = [
    ['status', 'status', {}],
    ['account', 'account', { address: ALICE }],
    ['token balance, view', 'view_call', balance],
    ['transfer, view', 'view_call', { contract: text(contract), caller: ALICE, input: text(transfer) }],
    ['transfer, simulated', 'tx_simulate', { transaction }],
    ['call tree', 'chain_traceCall', { contract: text(contract), caller: ALICE, input: text(transfer) }],
    ['list_blocks', 'list_blocks', { limit: 10 }],
  ];
  const rows = [];
  for (const [name, method, params] of calls) {
    for (const connections of values.connections.split(',').map(Number)) {
      const body = rpcBody(method, params);
      const task: RequestTask = {
        url: node.url,
        body,
        connections,
        milliseconds: Number(values.milliseconds),
      };
      const run = async () => {
        const before = await nodeSeconds(node, rpc);
        const rate = await load.measure(task);
        const after = await nodeSeconds(node, rpc);
        const each = (of: (each: NodeSeconds) => number) =>
          ((of(after) - of(before)) * 1e6) / ((rate * task.milliseconds) / 1_000);
        return {
          rate,
          main: each(({ main }) => main),
          front: each(({ front }) => front),
          all: each(({ all }) => all),
        };
      };
      // The first run is unmeasured, so that everything is compiled.
      await run();
      const { rate, main, front, all } = await run();
      const others = Math.max(0, all - main - front);
      for (const [thread, micros] of Object.entries({ main, front, others })) {
        recordCost(`${name}, ${connections} connections: CPU per request, ${thread}`, 'µs', micros);
      }
      rows.push({
        call: name,
        connections,
        'answers/s': Math.round(rate),
        'main µs': main.toFixed(2),
        'front µs': front.toFixed(1),
        'others µs': others.toFixed(1),
      });
    }
  }
  console.table(rows);
} finally {
  await load.stop();
  rpc.close();
  await node.dispose();
}
