// `status`, `account` and `state_proof` over HTTP, against bare uWebSockets.js that parses the same JSON, in turns in one run:
//   node dist/bench/load/rpc-load.js [--rounds 5] [--milliseconds 1500] [--connections 32]
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { Worker } from 'node:worker_threads';
import { hex } from '../../test/outside/bytes.js';
import { RpcClient } from '../../test/outside/rpc.js';
import { devWallet } from '../../test/outside/wallet.js';
import { NodeProcess } from '../../test/support/node-process.js';
import { printReport, quantile } from '../support/statistics.js';
import type { RequestTask } from './request-worker.js';

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '5' },
    milliseconds: { type: 'string', default: '1500' },
    connections: { type: 'string', default: '32' },
    'node-flag': { type: 'string', multiple: true, default: [] },
  },
});

interface BareServer {
  readonly url: string;
  stop(): void;
}

function startBare(answer: string): Promise<BareServer> {
  const entry = fileURLToPath(new URL('./bare-uws-server.js', import.meta.url));
  const child = spawn(process.execPath, [entry, answer], { stdio: ['ignore', 'pipe', 'inherit'] });
  return new Promise((resolve, reject) => {
    child.once('exit', (code) => reject(new Error(`the bare server ended with ${code}`)));
    child.stdout.on('data', (chunk: Buffer) => {
      const url = /listening on (\S+)/.exec(chunk.toString())?.[1];
      if (url !== undefined) resolve({ url, stop: () => child.kill('SIGKILL') });
    });
  });
}

async function measure(worker: Worker, task: RequestTask): Promise<number> {
  const answer = once(worker, 'message') as Promise<[number]>;
  worker.postMessage(task);
  const [rate] = await answer;
  return rate;
}

const node = await NodeProcess.start({ flags: values['node-flag'] });
const rpc = new RpcClient(node.url);
const address = `0x${hex(devWallet(0).address)}`;
const methods = [
  { name: 'status', params: {} },
  { name: 'account', params: { address } },
  { name: 'state_proof', params: { contract: address } },
];
const worker = new Worker(new URL('./request-worker.js', import.meta.url));
const bare: BareServer[] = [];
try {
  const rows: Record<string, number> = {};
  for (const { name, params } of methods) {
    const server = await startBare(JSON.stringify(await rpc.call(name, params)));
    bare.push(server);
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: name, params });
    const task = { body, connections: Number(values.connections), milliseconds: Number(values.milliseconds) };
    const ours: number[] = [];
    const theirs: number[] = [];
    // One round unmeasured, so that both are compiled; then in turns, so that the machine's moods meet both.
    for (let round = 0; round <= Number(values.rounds); round++) {
      const bareRate = await measure(worker, { ...task, url: server.url });
      const nodeRate = await measure(worker, { ...task, url: node.url });
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
  await worker.terminate();
  for (const server of bare) server.stop();
  rpc.close();
  await node.dispose();
}
