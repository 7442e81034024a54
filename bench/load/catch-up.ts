// Speed of a follower on a chain sealed by the same machine, from genesis and after a snapshot:
//   npm run bench -- catch-up [--transactions 60000] [--accounts 500] [--rounds 1] [--chain DIR] [--follower-flag=--x …]
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Client, connect, RpcCallError } from '../../src/client/client.js';
import { NodeProcess, removeDirectory, temporaryDirectory } from '../../test/support/nodes/node-process.js';
import { benchArguments } from '../support/bench-arguments.js';
import { recordCost, recordGain } from '../support/record-values.js';
import { printReport, processCpuSeconds } from '../support/statistics.js';
import { busiest, threadSeconds } from '../support/thread-seconds.js';
import { signMixed } from './mixed-transactions.js';
import { Submitter } from './submitter.js';

const CONNECTIONS = 20;
const BATCH = 50;
const DEADLINE_MS = 300_000;

const values = benchArguments({
  transactions: { type: 'string', default: '60000' },
  accounts: { type: 'string', default: '500' },
  rounds: { type: 'string', default: '1' },
  /** Directory of the sealed chain; an existing chain is reused with its recorded sealing rate. */
  chain: { type: 'string' },
  'checkpoint-interval': { type: 'string', default: '25' },
  /** `genesis` or `snapshot`; both if absent. */
  from: { type: 'string' },
  'follower-flag': { type: 'string', multiple: true, default: [] },
  'node-flag': { type: 'string', multiple: true, default: [] },
});
const accounts = Math.max(1, Math.round(Number(values.accounts) / CONNECTIONS)) * CONNECTIONS;
const count = Math.max(1, Math.round(Number(values.transactions) / accounts)) * accounts;
const interval = ['--checkpoint-interval', values['checkpoint-interval']];

const STARTS = [
  ['genesis', ['--sync-from', 'genesis']],
  ['snapshot', []],
] as const;

interface Caught {
  /** The follower's height when the measurement begins. */
  readonly first: number;
  readonly seconds: number;
  readonly cpuSeconds: number;
  readonly sourceCpuSeconds: number;
  readonly threads: Readonly<Record<string, number>>;
}

const dataDir = values.chain ?? temporaryDirectory();
const sealedFile = join(dataDir, 'sealed.json');
const isThere = existsSync(sealedFile);
const source = await NodeProcess.start({
  dataDir,
  // Only submitted transactions are sealed: empty blocks would just move the tip.
  flags: ['--idle-block-time', '0', ...interval],
});
try {
  const sealedPerSecond = isThere ? Number(readFileSync(sealedFile, 'utf8')) : await seal();
  if (!isThere) writeFileSync(sealedFile, String(sealedPerSecond));
  const counts = await transactionsByHeight();
  const measured: { readonly from: string; readonly rate: number; readonly cpuMicros: number }[] = [];
  for (let round = 1; round <= Number(values.rounds); round++) {
    for (const [from, flags] of STARTS) {
      if (values.from !== undefined && values.from !== from) continue;
      const caught = await catchUp(flags, counts.length - 1);
      const transactions = counts.slice(caught.first + 1).reduce((sum, each) => sum + each, 0);
      if (transactions === 0) {
        console.log(`from ${from}: nothing was left to catch up, --transactions is too small`);
        continue;
      }
      const { seconds } = caught;
      const cpuMicros = (caught.cpuSeconds / transactions) * 1e6;
      measured.push({ from, rate: transactions / seconds, cpuMicros });
      printReport(`round ${round}: catching up from ${from}`, {
        blocks: counts.length - 1 - caught.first,
        transactions,
        seconds,
        'transactions/s': transactions / seconds,
        'times the sealing rate': transactions / seconds / sealedPerSecond,
        'follower CPU µs/transaction': cpuMicros,
        'source CPU µs/transaction': (caught.sourceCpuSeconds / transactions) * 1e6,
        ...caught.threads,
      });
    }
  }
  for (const [from] of STARTS) {
    const rounds = measured.filter((each) => each.from === from);
    if (rounds.length === 0) continue;
    const rates = rounds.map(({ rate }) => rate);
    recordGain(`from ${from}: transactions`, '/s', rates, {
      baselines: [{ name: 'sealing', rounds: rates.map(() => sealedPerSecond) }],
      aim: { of: 'ratio', at: 'least', bound: 2 },
    });
    recordCost(
      `from ${from}: CPU of the follower per transaction`,
      'µs',
      rounds.map((each) => each.cpuMicros),
    );
  }
} finally {
  await source.dispose();
  if (values.chain === undefined) removeDirectory(dataDir);
}

/**
 * Seals a load that was signed in advance. @returns transactions per second from the first submission to the last
 * block
 */
async function seal(): Promise<number> {
  const client = connect(source.url, { batch: true });
  const signed = await signMixed(client, accounts, count);
  const cpuBefore = processCpuSeconds(source.pid);
  const threadsBefore = threadSeconds(source.pid);
  const begin = performance.now();
  await new Submitter({ url: source.url, connections: CONNECTIONS, inFlight: 1, batch: BATCH }).submit(
    signed,
  );
  await until(async () => (await client.txpool_stats()).size === 0);
  const seconds = (performance.now() - begin) / 1_000;
  const cpu = processCpuSeconds(source.pid) - cpuBefore;
  printReport('sealing, from the first submission to the last block', {
    transactions: count,
    seconds,
    'transactions/s': count / seconds,
    'CPU µs/transaction': (cpu / count) * 1e6,
    ...busiest(source.pid, threadsBefore, threadSeconds(source.pid)),
  });
  return count / seconds;
}

/** Number of transactions in each block of the source, from block 0 on. */
async function transactionsByHeight(): Promise<readonly number[]> {
  const client = connect(source.url);
  const counts: number[] = [];
  let cursor: string | undefined;
  do {
    const page = await client.list_blocks(cursor === undefined ? {} : { cursor });
    for (const { height, tx_count } of page.blocks) counts[Number(height)] = tx_count;
    cursor = page.next_cursor;
  } while (cursor !== undefined);
  return counts;
}

/** Starts a new follower and measures it from its first state until it reaches the tip. */
async function catchUp(flags: readonly string[], target: number): Promise<Caught> {
  const follow = ['--follow', source.url, '--trust', 'dev', ...interval, ...flags];
  const follower = await NodeProcess.start({
    flags: [...follow, ...values['follower-flag']],
    nodeFlags: values['node-flag'],
  });
  try {
    const client = connect(follower.url, { retry: { retries: 0 } });
    const first = await until(async () => tipOf(client), 5);
    const begin = performance.now();
    const threadsBefore = threadSeconds(follower.pid);
    const cpuBefore = processCpuSeconds(follower.pid);
    const sourceCpuBefore = processCpuSeconds(source.pid);
    await until(async () => ((await tipOf(client)) ?? 0) >= target);
    const caught = {
      first,
      seconds: (performance.now() - begin) / 1_000,
      cpuSeconds: processCpuSeconds(follower.pid) - cpuBefore,
      sourceCpuSeconds: processCpuSeconds(source.pid) - sourceCpuBefore,
      threads: busiest(follower.pid, threadsBefore, threadSeconds(follower.pid)),
    };
    await follower.stop();
    return caught;
  } finally {
    await follower.dispose();
  }
}

/** Height of a node's tip, or undefined while the node has no state. */
async function tipOf(client: Client): Promise<number | undefined> {
  try {
    return Number((await client.status()).tip.height);
  } catch (error) {
    if (error instanceof RpcCallError) return undefined;
    throw error;
  }
}

async function until<T>(look: () => Promise<T>, everyMs = 20): Promise<Exclude<T, undefined | false>> {
  const deadline = performance.now() + DEADLINE_MS;
  for (;;) {
    const seen = await look();
    if (seen !== undefined && seen !== false) return seen as Exclude<T, undefined | false>;
    if (performance.now() > deadline) throw new Error(`not within ${DEADLINE_MS} ms`);
    await sleep(everyMs);
  }
}
