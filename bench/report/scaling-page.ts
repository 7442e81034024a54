import { median } from '../results/rounds.js';
import type { BenchmarkRun } from '../results/run.js';
import { markdownTable } from './markdown.js';
import { digits } from './text.js';

const CORES = [4, 8, 16, 32] as const;
const CONNECTIONS = 64;
/** Requests of the `threads` benchmark, and how the page calls them. */
const REQUESTS = [
  ['status', 'status'],
  ['account', 'account'],
  ['token balance, view', 'token balance as a view'],
  ['transfer, view', 'token transfer as a view'],
  ['transfer, simulated', 'token transfer, tx_simulate'],
  ['call tree', 'token transfer, call tree'],
  ['list_blocks', 'list_blocks of 10'],
] as const;
/** The benchmarks that the page needs. */
const SOURCES = ['threads', 'transfers', 'catch-up', 'shared-quotas'] as const;
/** Example rates of a chain's transactions. */
const CHAIN_RATES = [100, 1_000, 5_000] as const;
const FOLLOWER_CORES = 8;

/** Processor time of a request by thread, in microseconds. */
interface Cost {
  readonly label: string;
  readonly main: number;
  readonly front: number;
  readonly workers: number;
}

/**
 * The text of docs/scaling.md. Every measured number of it comes from the run.
 * @throws RangeError if the run lacks a figure that the page needs
 */
export function scalingPage(run: BenchmarkRun): string {
  const costs = REQUESTS.map(([name, label]) => requestCost(run, name, label));
  return `${[
    '# Past one machine',
    `What one node, a node with followers and a fleet with one quota store can serve, computed from measured processor time.
\`npm run docs\` writes this page from [\`docs/speed.json\`](speed.json). To compute it for your machine, run the commands of
[Speed](speed.md) there: \`npm run bench -- ${SOURCES.join(' ')}\`.`,
    ...oneNode(costs),
    ...transfers(run),
    ...followers(run, costs),
    ...fleet(run),
    ...limits(),
  ].join('\n\n')}\n`;
}

function oneNode(costs: readonly Cost[]): string[] {
  const measured = [
    ['request', 'main thread', 'front threads', 'workers and others'],
    ...costs.map(({ label, main, front, workers }) => [label, ...[main, front, workers].map(micros)]),
  ];
  const rates = [
    ['request', ...CORES.map((cores) => `${cores} cores`)],
    ...costs.map((cost) => [cost.label, ...CORES.map((cores) => perSecond(capacity(cost, cores)))]),
  ];
  return [
    '## One node',
    `Processor time of a request by thread, with ${CONNECTIONS} connections and one front thread:`,
    markdownTable(measured),
    `A request costs its front thread and its workers, and the main thread next to nothing. With enough front threads
(\`--front-threads\`) and workers (\`--workers\`) to use all cores, a node of C cores serves C × 10⁶ / (sum of the row) requests a second:`,
    markdownTable(rates),
    `A front thread alone serves at most 10⁶ / (its column). Set \`--front-threads\` to about C × (front column) / (sum of the row) for
your mixture of requests, and \`--workers\` to the rest. Where the column of the workers is near zero, front threads do all the work.`,
  ];
}

function transfers(run: BenchmarkRun): string[] {
  const cost = (thread: string): number =>
    value(run, 'transfers', `single requests: CPU of the ${thread} per transfer`);
  const [all, main] = [cost('node'), cost('main thread')];
  return [
    '## Sealing',
    `A transfer, one a request, costs ${micros(all)} on all threads from its arrival to the sealed block: ${micros(main)} of it on the main
thread, ${micros(cost('front threads'))} on front threads, the rest in workers that check signatures, the store's writer and the state
tree. The main thread runs on one core, so a node seals at most 10⁶ / ${digits(main)} = ${perSecond(1e6 / main)} transfers a second, on
${digits(all / main)} cores. More cores do not help beyond that. Contract calls move work from the main thread to workers.`,
  ];
}

function followers(run: BenchmarkRun, costs: readonly Cost[]): string[] {
  const perTransaction = value(run, 'catch-up', 'from genesis: CPU of the follower per transaction');
  const [cost] = costs.filter(({ label }) => label.includes('balance'));
  if (cost === undefined) throw new RangeError('the page has no row for a balance');
  const rows = [
    [
      'transactions a second on the chain',
      'cores for following',
      'balance views of one follower',
      'of ten followers',
    ],
    ...CHAIN_RATES.map((rate) => {
      const cores = (rate * perTransaction) / 1e6;
      const served = capacity(cost, FOLLOWER_CORES - cores);
      return [rate.toLocaleString('en'), cores.toFixed(2), perSecond(served), perSecond(10 * served)];
    }),
  ];
  return [
    '## Followers behind a proxy',
    `[Followers](followers.md) add capacity for reads. Each executes every block, which takes ${micros(perTransaction)} of processor time a
transaction, and serves with the rest of its cores. F followers of C cores, on a chain of R transactions a second, serve
F × (C − R × ${digits(perTransaction)} / 10⁶) × 10⁶ / (sum of the request's row) requests a second. Here for ${FOLLOWER_CORES} cores:`,
    markdownTable(rows),
    `Followers add nothing to sealing: they forward transactions to a source. A follower cannot follow a chain that needs more than its
cores. Followers may follow followers, so the block producer need not feed all of them.`,
  ];
}

function fleet(run: BenchmarkRun): string[] {
  const of = (name: string): number => value(run, 'shared-quotas', name);
  const redis = of('processor time of Redis per second, for a token in use at a node');
  const shared = figure(run, 'shared-quotas', 'account with a token, Redis: processor time of the node');
  const [embedded] = shared.baselines ?? [];
  if (embedded === undefined) throw new RangeError('shared-quotas has no baseline');
  const pairs = 1e6 / redis;
  return [
    '## A fleet with one quota store',
    `Nodes lease units and rates from Redis ahead of their use ([A fleet with one balance](access.md#a-fleet-with-one-balance)), so a request
waits for Redis only when a lease runs out. An \`account\` request with a token costs a node ${micros(median(shared.rounds))}; with the embedded
store, ${micros(median(embedded.rounds))}.`,
    `A token that keeps a node fully busy costs Redis ${micros(redis)} of processor time a second, with a sync per change
(\`appendfsync always\`, as recommended); a token with fewer requests leases less often. Redis runs commands on one core, so the pairs of
a fully busy token and a node that serves it may be at most 10⁶ / ${digits(redis)} = ${digits(pairs)}. A token that a balancer sends to one node
makes one pair.`,
  ];
}

function limits(): string[] {
  return [
    '## What the arithmetic leaves out',
    `- **The network.** An answer of a kilobyte at 100,000 a second fills 0.8 Gbit/s.
- **Shared caches and memory bandwidth.** Cores of one processor slow each other down, and two hyperthreads are less than two cores. The
  measured times come from threads that shared two of them with the load generator, so they err on the high side for a few cores and on
  the low side for many.
- **Cold state.** The measured reads hit RocksDB's block cache or the caches above it. [Speed](speed.md) has cold reads in \`growth-state\`
  if that benchmark is part of the run.
- **Long calls.** A call that computes for milliseconds occupies a worker for that time: at most \`--workers\` / (its time) a second.
- **Latency.** Capacity is throughput with all cores busy. Plan for half of it to keep queues short.`,
  ];
}

/** Requests a second with all cores in use. */
function capacity({ main, front, workers }: Cost, cores: number): number {
  return Math.max(0, (cores * 1e6) / (main + front + workers));
}

function requestCost(run: BenchmarkRun, name: string, label: string): Cost {
  const of = (thread: string): number =>
    value(run, 'threads', `${name}, ${CONNECTIONS} connections: CPU per request, ${thread}`);
  return { label, main: of('main'), front: of('front'), workers: of('others') };
}

function value(run: BenchmarkRun, benchmark: string, name: string): number {
  return median(figure(run, benchmark, name).rounds);
}

function figure(run: BenchmarkRun, benchmark: string, name: string) {
  const found = run.benchmarks
    .find((each) => each.name === benchmark)
    ?.figures.find((each) => each.name === name);
  if (found === undefined) {
    throw new RangeError(
      `the run has no figure ${JSON.stringify(name)} of the benchmark ${benchmark}; it needs ${SOURCES.join(', ')}`,
    );
  }
  return found;
}

function micros(value: number): string {
  return `${digits(value)} µs`;
}

function perSecond(value: number): string {
  return `${digits(value)}/s`;
}
