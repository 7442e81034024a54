/**
 * Rate and latency of calls by the number of connections, each with one request in flight: the balance of an account,
 * a token balance as a view, a token transfer simulated as a transaction.
 *
 *     npm run bench -- growth-connections [--connections 1,4,16,64,256,1024] [--rounds 2] [--milliseconds 700]
 *
 * No power law is expected: the rate rises until the processors are busy, and latency grows from there.
 */
import { connect, devAccount } from '../../src/client/client.js';
import { toPrefixedHex } from '../../src/idl/hex.js';
import { NodeProcess } from '../../test/support/nodes/node-process.js';
import { callWork } from '../macro/work/call-work.js';
import { benchArguments } from '../support/bench-arguments.js';
import { threadLoad } from '../support/request-load.js';
import { rpcBody } from '../support/rpc-body.js';
import { Growth, type Quantity } from './parts/growth.js';
import { measureCalls } from './parts/measured-calls.js';
import { sizes } from './parts/sizes.js';

const values = benchArguments({
  connections: { type: 'string', default: '1,4,16,64,256,1024' },
  rounds: { type: 'string', default: '2' },
  milliseconds: { type: 'string', default: '700' },
});
const rounds = Number(values.rounds);
const milliseconds = Number(values.milliseconds);

interface Work {
  readonly name: string;
  readonly body: string;
}

async function worksOn(url: string): Promise<readonly Work[]> {
  const [owner, recipient] = [devAccount(0).address, devAccount(1).address];
  const works = await callWork(connect(url).sender(devAccount(0)), { owner, recipient });
  const bodyOf = (name: string) => {
    const found = works.find((each) => each.name === name);
    if (found === undefined) throw new Error(`no work is named ${name}`);
    return found.heddle.body;
  };
  return [
    { name: 'account', body: rpcBody('account', { address: toPrefixedHex(owner) }) },
    { name: 'token balance', body: bodyOf('token balance view') },
    { name: 'token transfer', body: bodyOf('token transfer simulated') },
  ];
}

function quantities(works: readonly Work[]): Quantity[] {
  return works.flatMap(({ name }): Quantity[] => [
    { name: `${name}: answers`, unit: '/s', better: 'higher' },
    { name: `${name}: p99`, unit: 'ms', better: 'lower' },
    { name: `${name}: processor time of the node`, unit: 'µs', better: 'lower' },
  ]);
}

const node = await NodeProcess.start();
const load = threadLoad();
try {
  const works = await worksOn(node.url);
  const growth = new Growth('connections', quantities(works));
  for (const { body } of works) {
    // Loads and compiles everything.
    await measureCalls(load, node, { bodies: [body], connections: 16, milliseconds });
  }
  for (const connections of sizes('connections', values.connections)) {
    const measured: Record<string, number[]> = {};
    const note = (name: string, value: number) => {
      measured[name] = [...(measured[name] ?? []), value];
    };
    for (let round = 0; round < rounds; round++) {
      for (const { name, body } of works) {
        const calls = await measureCalls(load, node, { bodies: [body], connections, milliseconds });
        note(`${name}: answers`, calls.rate);
        note(`${name}: p99`, calls.p99);
        note(`${name}: processor time of the node`, calls.cpuMicros);
      }
    }
    growth.add(connections, measured);
  }
  growth.finish();
} finally {
  await load.stop();
  await node.dispose();
}
