// Signed transfers over HTTP, accepted and sealed, on one machine with the node:
//   npm run bench -- transfers [--transfers 100000] [--batch 0] [--connections 100] [--gas-limit 25000]

import { processMemory } from '../../test/support/process-memory.js';
import { recordFigure } from '../results/record.js';
import { LatencyProbe } from '../support/latency-probe.js';
import { printReport, processCpuSeconds, quantile } from '../support/statistics.js';
import { transferOptions } from './options.js';
import { TransferLoad } from './transfer-load.js';

const PROBE = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'status', params: {} });

const options = transferOptions(100_000);
const load = await TransferLoad.start(options);
try {
  const signBegin = performance.now();
  const signed = await load.sign(options.transfers);
  const signSeconds = (performance.now() - signBegin) / 1000;

  const probe = new LatencyProbe({ url: load.node.url, body: PROBE, intervalMs: 5 });
  const cpuBefore = processCpuSeconds(load.node.pid);
  const begin = performance.now();
  const result = await load.submit(signed);
  await load.sealed(120_000);
  const sealedSeconds = (performance.now() - begin) / 1000;
  const cpu = processCpuSeconds(load.node.pid) - cpuBefore;
  const latencies = await probe.finish();
  await load.verifyCount();
  const memory = processMemory(load.node.pid);
  recordFigure({
    name: 'accepted and sealed',
    unit: '/s',
    better: 'higher',
    rounds: [options.transfers / sealedSeconds],
    aim: { of: 'value', at: 'least', bound: 10_000 },
  });
  recordFigure({
    name: 'processor time of the node for a transfer',
    unit: 'µs',
    better: 'lower',
    rounds: [(cpu / options.transfers) * 1e6],
  });
  recordFigure({
    name: 'p99 of status meanwhile',
    unit: 'ms',
    better: 'lower',
    rounds: [quantile(latencies, 0.99)],
    aim: { of: 'value', at: 'most', bound: 20 },
  });
  recordFigure({ name: 'peak memory', unit: 'MiB', better: 'lower', rounds: [memory.peakMiB] });
  printReport(`signed transfers, ${options.batch > 0 ? `batches of ${options.batch}` : 'single requests'}`, {
    transfers: options.transfers,
    'declared gas': Number(options.gasLimit),
    'signed/s': options.transfers / signSeconds,
    'accepted/s': result.accepted / result.seconds,
    'sealed/s': options.transfers / sealedSeconds,
    'sent again': result.retried,
    'status probes': latencies.length,
    'status p50 ms': quantile(latencies, 0.5),
    'status p99 ms': quantile(latencies, 0.99),
    'status max ms': quantile(latencies, 1),
    'node CPU µs/transfer': (cpu / options.transfers) * 1e6,
    'node resident MiB': memory.residentMiB,
    'node peak MiB': memory.peakMiB,
  });
} finally {
  await load.close();
}
