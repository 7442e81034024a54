// Signed transfers at a steady rate, spread over four validators on this machine, until all are final:
//   npm run bench -- validators [--rate 2000] [--seconds 20] [--localnet-flag=--x …]
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { RpcClient } from '../../test/outside/rpc.js';
import { TxpoolStats } from '../../test/outside/rpc-shapes.js';
import { LocalnetProcess } from '../../test/support/networks/localnet.js';
import { benchArguments } from '../support/bench-arguments.js';
import { verificationMicros } from '../support/machine-speed.js';
import { atLeast, atMost, recordCost, recordGain } from '../support/record-values.js';
import { printReport, processCpuSeconds } from '../support/statistics.js';
import { LoadAccounts } from './load-accounts.js';
import { SIGNED_TRANSFER_BYTES, signedTransfers } from './presigner.js';
import { Submitter } from './submitter.js';

const VALIDATORS = 4;
/** Number of portions of transfers sent per second; each validator gets a quarter of each portion. */
const PORTIONS_A_SECOND = 10;
const CONNECTIONS = 5;
const DEADLINE_MS = 120_000;

const values = benchArguments({
  rate: { type: 'string', default: '2000' },
  seconds: { type: 'string', default: '20' },
  port: { type: 'string', default: '9700' },
  'localnet-flag': { type: 'string', multiple: true, default: [] },
});
const portion =
  Math.round(Number(values.rate) / PORTIONS_A_SECOND / (VALIDATORS * CONNECTIONS)) * VALIDATORS * CONNECTIONS;
const portions = Math.round(Number(values.seconds) * PORTIONS_A_SECOND);
if (!(portion > 0 && portions > 0)) throw new Error('expected a rate from 200 on, and seconds from 0.1 on');

const microsBefore = await verificationMicros();
const directory = await mkdtemp(join(tmpdir(), 'heddle-four-'));
const net = new LocalnetProcess(directory, [
  ...['--validators', `${VALIDATORS}`, '--dealer', '--port', values.port],
  ...values['localnet-flag'],
]);
const clients: RpcClient[] = [];
let accounts: LoadAccounts | undefined;
try {
  await net.ready();
  const lines = net.validators.slice(0, VALIDATORS);
  clients.push(...lines.map(({ rpc }) => new RpcClient(rpc)));
  const submitters = lines.map(
    ({ rpc: url }) => new Submitter({ url, connections: CONNECTIONS, inFlight: 1, batch: 0 }),
  );
  const [rpc] = clients;
  if (rpc === undefined) throw new Error('no validator runs');
  // Each account always sends to the same validator.
  accounts = await LoadAccounts.fund(rpc, { accounts: 10 * portion, signers: 2, gasLimit: 40_000n });
  const signed = await accounts.sign(portion * portions);
  const before = await Promise.all(clients.map(consensusOf));
  const cpuBefore = lines.map(({ pid }) => processCpuSeconds(pid));
  const begin = performance.now();
  const quarter = (portion / VALIDATORS) * SIGNED_TRANSFER_BYTES;
  const sent: Promise<unknown>[] = [];
  for (let i = 0; i < portions; i++) {
    await sleep(Math.max(0, begin + (i * 1_000) / PORTIONS_A_SECOND - performance.now()));
    for (const [place, submitter] of submitters.entries()) {
      const start = i * VALIDATORS * quarter + place * quarter;
      sent.push(submitter.submit(signedTransfers(signed.subarray(start, start + quarter))));
    }
  }
  const sendingSeconds = (performance.now() - begin) / 1_000;
  const atEnd = await accounts.included();
  await Promise.all(sent);
  await drained(clients);
  const seconds = (performance.now() - begin) / 1_000;
  const after = await Promise.all(clients.map(consensusOf));
  const cpu = lines.reduce((sum, { pid }, i) => sum + processCpuSeconds(pid) - (cpuBefore[i] ?? 0), 0);
  await accounts.verifyCount();
  const micros = [microsBefore, await verificationMicros()];
  const [first, last] = [before[0], after[0]];
  if (first === undefined || last === undefined) throw new Error('no validator runs');
  const count = portion * portions;
  const nullified = Number(last.nullifications) - Number(first.nullifications);
  const table = `${portion * PORTIONS_A_SECOND} transfers offered a second`;
  recordGain(`${table}: final while sending`, '/s', atEnd / sendingSeconds, atLeast(2_000));
  recordGain(`${table}: final until all are`, '/s', count / seconds);
  recordCost(`${table}: finality p50`, 'ms', last.finality_latency_ms.p50, atMost(300));
  recordCost(`${table}: finality p99`, 'ms', last.finality_latency_ms.p99);
  recordCost(`${table}: block interval p50`, 'ms', last.block_interval_ms.p50);
  recordCost(`${table}: views nullified`, 'count', nullified, atMost(0));
  recordCost(`${table}: CPU of a validator per transfer`, 'µs', (cpu / VALIDATORS / count) * 1e6);
  printReport(`${VALIDATORS} validators, ${portion * PORTIONS_A_SECOND} transfers offered a second`, {
    transfers: count,
    'final/s while sending': atEnd / sendingSeconds,
    'final/s until all are': count / seconds,
    'finality p50 ms': last.finality_latency_ms.p50,
    'finality p99 ms': last.finality_latency_ms.p99,
    'block interval p50 ms': last.block_interval_ms.p50,
    'final blocks': Number(last.finalizations) - Number(first.finalizations),
    'views nullified': nullified,
    'CPU µs/transfer of a validator': (cpu / VALIDATORS / count) * 1e6,
    'ed25519 verification µs, before and after': micros.map(Math.round).join(' and '),
  });
} finally {
  await accounts?.close();
  for (const client of clients) client.close();
  net.signal('SIGTERM');
  await net.ended;
  await rm(directory, { recursive: true, force: true });
}

interface ConsensusFigures {
  readonly finalizations: string;
  readonly nullifications: string;
  readonly finality_latency_ms: { readonly p50: number; readonly p99: number };
  readonly block_interval_ms: { readonly p50: number };
}

async function consensusOf(rpc: RpcClient): Promise<ConsensusFigures> {
  return ((await rpc.call('validator_status')) as { readonly consensus: ConsensusFigures }).consensus;
}

/** Waits until no validator has pending transactions. */
async function drained(rpcs: readonly RpcClient[]): Promise<void> {
  const deadline = performance.now() + DEADLINE_MS;
  for (const rpc of rpcs) {
    for (;;) {
      const { size } = TxpoolStats.fromJson(await rpc.call('txpool_stats'), 'txpool_stats');
      if (size === 0) break;
      if (performance.now() > deadline) throw new Error(`${size} transfers are still pending`);
      await sleep(25);
    }
  }
}
