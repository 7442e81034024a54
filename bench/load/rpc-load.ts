// `status`, `account` and `state_proof` over HTTP against bare uWebSockets.js that parses the same JSON, alternately
// in one run:
//   npm run bench -- rpc [--rounds 5] [--milliseconds 1500] [--connections 32]

import { hex } from '../../test/outside/bytes.js';
import { RpcClient } from '../../test/outside/rpc.js';
import { devWallet } from '../../test/outside/wallet.js';
import { NodeProcess } from '../../test/support/nodes/node-process.js';
import { benchArguments } from '../support/bench-arguments.js';
import { threadLoad } from '../support/request-load.js';
import { rpcBody } from '../support/rpc-body.js';
import { printReport, quantile } from '../support/statistics.js';
import { type BareServer, startBareServer } from './bare-server.js';

const values = benchArguments({
  rounds: { type: 'string', default: '5' },
  milliseconds: { type: 'string', default: '1500' },
  connections: { type: 'string', default: '32' },
  'node-flag': { type: 'string', multiple: true, default: [] },
});

const node = await NodeProcess.start({ flags: values['node-flag'] });
const rpc = new RpcClient(node.url);
const address = `0x${hex(devWallet(0).address)}`;
const methods = [
  { name: 'status', params: {} },
  { name: 'account', params: { address } },
  { name: 'state_proof', params: { contract: address } },
];
const load = threadLoad();
const bare: BareServer[] = [];
try {
  const rows: Record<string, number> = {};
  for (const { name, params } of methods) {
    const server = await startBareServer(JSON.stringify(await rpc.call(name, params)));
    bare.push(server);
    const body = rpcBody(name, params);
    const task = { body, connections: Number(values.connections), milliseconds: Number(values.milliseconds) };
    const ours: number[] = [];
    const theirs: number[] = [];
    // The first round is unmeasured, to compile both. The servers alternate, so that other load affects both.
    for (let round = 0; round <= Number(values.rounds); round++) {
      const bareRate = await load.measure({ ...task, url: server.url });
      const nodeRate = await load.measure({ ...task, url: node.url });
      if (round === 0) continue;
      theirs.push(bareRate);
      ours.push(nodeRate);
    }
    const ratios = ours.map((rate, i) => rate / (theirs[i] ?? Number.POSITIVE_INFINITY));
    rows[`${name}/s`] = quantile(ours, 0.5);
    rows[`bare uWebSockets.js/s (${name}’s body and answer)`] = quantile(theirs, 0.5);
    rows[`${name} ratio`] = quantile(ratios, 0.5);
  }
  printReport('RPC against bare uWebSockets.js', rows);
} finally {
  await load.stop();
  for (const server of bare) server.stop();
  rpc.close();
  await node.dispose();
}
