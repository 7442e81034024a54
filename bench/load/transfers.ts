// Signed transfers over HTTP, accepted and sealed, on one machine with the node:
//   npm run bench -- transfers [--transfers 100000] [--batch 0] [--connections 100] [--gas-limit 25000]

import { processMemory } from '../../test/support/nodes/process-memory.js';
import { LatencyProbe } from '../support/latency-probe.js';
import { type NodeSeconds, nodeSeconds } from '../support/node-seconds.js';
import { atLeast, atMost, recordCost, recordGain } from '../support/record-values.js';
import { printReport, quantile } from '../support/statistics.js';
import { requestKind, transferOptions } from './options.js';
import { TransferLoad } from './transfer-load.js';

const PROBE = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'status', params: {} });

const options = transferOptions(100_000);
const load = await TransferLoad.start(options);
try {
  const signBegin = performance.now();
  const signed = await load.sign(options.transfers);
  const signSeconds = (performance.now() - signBegin) / 1000;

  const probe = new LatencyProbe({ url: load.node.url, body: PROBE, intervalMs: 5 });
  const before = await nodeSeconds(load.node, load.rpc);
  const begin = performance.now();
  const result = await load.submit(signed);
  await load.sealed(120_000);
  const sealedSeconds = (performance.now() - begin) / 1000;
  const after = await nodeSeconds(load.node, load.rpc);
  const micros = (of: keyof NodeSeconds) => ((after[of] - before[of]) / options.transfers) * 1e6;
  const latencies = await probe.finish();
  await load.verifyCount();
  const memory = processMemory(load.node.pid);
  const kind = requestKind(options);
  const sealed = options.transfers / sealedSeconds;
  recordGain(`${kind}: accepted`, '/s', result.accepted / result.seconds);
  recordGain(`${kind}: sealed`, '/s', sealed, atLeast(10_000));
  recordCost(`${kind}: status p99`, 'ms', quantile(latencies, 0.99), atMost(20));
  recordCost(`${kind}: CPU of the node per transfer`, 'µs', micros('all'));
  recordCost(`${kind}: CPU of the main thread per transfer`, 'µs', micros('main'));
  recordCost(`${kind}: CPU of the front threads per transfer`, 'µs', micros('front'));
  recordCost(`${kind}: memory of the node`, 'MiB', memory.residentMiB);
  recordCost(`${kind}: peak memory of the node`, 'MiB', memory.peakMiB);
  printReport(`signed transfers, ${kind}`, {
    transfers: options.transfers,
    'declared gas': Number(options.gasLimit),
    'signed/s': options.transfers / signSeconds,
    'accepted/s': result.accepted / result.seconds,
    'sealed/s': sealed,
    'sent again': result.retried,
    'status probes': latencies.length,
    'status p50 ms': quantile(latencies, 0.5),
    'status p99 ms': quantile(latencies, 0.99),
    'status max ms': quantile(latencies, 1),
    'node CPU µs/transfer': micros('all'),
    'main thread CPU µs/transfer': micros('main'),
    'node resident MiB': memory.residentMiB,
    'node peak MiB': memory.peakMiB,
  });
} finally {
  await load.close();
}
