/**
 * Blocks executed by several workers against the same blocks executed serially in one worker, alternately in one run.
 * The work: batches that compute for about a millisecond and then move tokens; token transfers alone. The conflict
 * rate is the share of transactions that pay the same account, and so write the same slot.
 *
 *     npm run bench -- parallel [--rounds 5] [--workers 1,2,4,8] [--svg FILE]
 *     npm run bench -- parallel --worst [--seconds 60] [--seed 1] [--workers 2] [--gas 1000]
 *
 * `--worst` searches for the conflicts and stale predictions that slow workers down most, and prints the worst. Its blocks
 * use `--gas` million gas. A thousand million takes some 125 ms, because the loops are cheap. In blocks of a fifth of that,
 * the milliseconds for planning, messages and thread switches outweigh conflicts.
 *
 * Targets on two cores with two workers: 500 independent calls of 1 ms run at least 1.7 times as fast as serially,
 * 5,000 independent token transfers at least as fast, and any conflicts take at most 1.25 times the serial time.
 */

import { writeFileSync } from 'node:fs';
import { ledger } from '../src/ledger/codecs.js';
import type { VerifiedTransaction } from '../src/ledger/transaction-envelope.js';
import { seededRandom } from '../src/load/workload.js';
import { spin } from '../test/support/contracts/operations-contract.js';
import {
  type ConflictShape,
  describeShape,
  type ShapedBlock,
  shapedBlock,
  staleReaders,
} from './parallel/conflict-shapes.js';
import { type Comparison, type Execution, ParallelWorld } from './parallel/parallel-world.js';
import { recordSpeedUp } from './parallel/record-speed-up.js';
import { worstShapes } from './parallel/worst-shapes.js';
import type { SeriesPoint } from './results/figure.js';
import { recordSeries } from './results/record.js';
import { benchArguments } from './support/bench-arguments.js';
import { atLeast, recordGain } from './support/record-values.js';
import { speedUpPlot } from './support/speed-up-plot.js';
import { quantile } from './support/statistics.js';

const values = benchArguments({
  rounds: { type: 'string', default: '5' },
  workers: { type: 'string' },
  svg: { type: 'string' },
  worst: { type: 'boolean', default: false },
  seconds: { type: 'string', default: '60' },
  seed: { type: 'string', default: '1' },
  gas: { type: 'string', default: '1000' },
});
const rounds = Number(values.rounds);
const workerCounts = (values.workers ?? '1,2,4,8').split(',').map(Number);

const ACCOUNTS = 5_000;
const CALLS = 500;
/** Gas of the block with stale predictions. */
const STALE_GAS = 466_000_000;
/** The minimum speed that `--worst` may find, relative to serial execution. */
const FLOOR = 0.8;
const CONFLICTS = [0, 0.1, 0.5, 1] as const;

function line(name: string, workers: number, { serial, shared, speedUps, statistics }: Comparison): string {
  const figure = ({ ms, cpuMs }: Pick<Execution, 'ms' | 'cpuMs'>): string =>
    `${ms.toFixed(0).padStart(6)} ms (CPU ${cpuMs.toFixed(0)})`;
  const { groups = 0, reruns = 0, wastedGas = 0n } = statistics ?? {};
  return [
    `${name.padEnd(44)} ${workers} workers: serial ${figure(serial)}, shared ${figure(shared)}`,
    `${quantile(speedUps, 0.5).toFixed(2)} ×, ${groups} groups, ${reruns} run again`,
    `${(Number(wastedGas) / 1e6).toFixed(1)} million gas wasted`,
  ].join(', ');
}

/** Rounds of the operations contract's spin that use `gas`. */
async function spinRounds(world: ParallelWorld, gas: number): Promise<number> {
  const block = await world.execute([world.operate(0, spin(0)), world.operate(1, spin(1_000_000))]);
  const [none = 0n, million = 0n] = block.receipts.map((each) => ledger.LedgerReceipt.decode(each).gas_used);
  return Math.round((gas * 1e6) / Number(million - none));
}

function transactionsOf(
  world: ParallelWorld,
  { inputs, transfersAfter }: ShapedBlock,
  gasLimit: number | undefined,
): VerifiedTransaction[] {
  let number = 0;
  return inputs.flatMap((input) => [
    world.operate(number++, input, gasLimit === undefined ? undefined : BigInt(gasLimit)),
    ...Array.from({ length: transfersAfter }, () => world.pay(number++)),
  ]);
}

async function findWorst(world: ParallelWorld): Promise<void> {
  const workers = values.workers === undefined ? 2 : Number(values.workers);
  const pool = world.newPool(workers);
  const gas = Number(values.gas) * 1e6;
  const spins = await spinRounds(world, gas);
  let blocks = 0;
  const measure = async (shape: ConflictShape, pairs: number): Promise<number> => {
    const block = shapedBlock(shape, spins, seededRandom(1), `${blocks++}`);
    const transactions = transactionsOf(world, block, shape.limit === 'block' ? gas : undefined);
    const predictions = shape.foreseen ? await world.predict(transactions) : { of: () => undefined };
    if (block.before !== undefined) await world.includeOperation(block.before);
    let [serialMs, sharedMs] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
    for (let pair = 0; pair < pairs; pair++) {
      const { serial, shared } = await world.executeTwice(pool, transactions, predictions);
      serialMs = Math.min(serialMs, serial.ms);
      sharedMs = Math.min(sharedMs, shared.ms);
    }
    return serialMs / sharedMs;
  };
  try {
    const random = seededRandom(Number(values.seed));
    const { worst, tried } = await worstShapes(measure, random, Number(values.seconds) * 1_000);
    console.log(
      `the worst of ${tried} blocks of ${values.gas} million gas, ${workers} workers; 1: as fast as serially`,
    );
    const [slowest] = worst;
    if (slowest !== undefined) recordGain('worst conflicts: speed', '×', slowest.ratio, atLeast(FLOOR));
    for (const { shape, ratio } of worst) console.log(`${ratio.toFixed(2)} ×  ${describeShape(shape)}`);
    if (slowest !== undefined && slowest.ratio < FLOOR) {
      console.error(`under the floor of ${FLOOR}`);
      process.exitCode = 1;
    }
  } finally {
    await pool.stop();
  }
}

/** One writer, four long readers and many short calls, predicted before the readers were long. */
async function compareStale(world: ParallelWorld): Promise<void> {
  const spins = await spinRounds(world, STALE_GAS);
  for (const workers of workerCounts) {
    const block = staleReaders(spins, `stale ${workers}`);
    const { before } = block;
    const options = { workers, foreseen: true, rounds, ...(before === undefined ? {} : { before }) };
    const comparison = await world.compare(transactionsOf(world, block, STALE_GAS), options);
    recordSpeedUp('stale predictions', workers, comparison.speedUps);
    console.log(line('4 long readers, stale predictions', workers, comparison));
  }
}

async function compareAll(world: ParallelWorld): Promise<void> {
  const plot: { readonly conflicts: number; readonly speedUps: number[] }[] = [];
  for (const conflicts of CONFLICTS) {
    const speedUps: number[] = [];
    const points: SeriesPoint[] = [];
    for (const workers of workerCounts) {
      const transactions = world.computing(CALLS, conflicts);
      const comparison = await world.compare(transactions, { workers, foreseen: true, rounds });
      speedUps.push(quantile(comparison.speedUps, 0.5));
      points.push({ size: workers, rounds: comparison.speedUps });
      recordSpeedUp(`calls of 1 ms, ${conflicts * 100} % conflict`, workers, comparison.speedUps);
      console.log(line(`${CALLS} calls of 1 ms, ${conflicts * 100} % conflict`, workers, comparison));
    }
    plot.push({ conflicts, speedUps });
    recordSeries({
      name: `speed-up of calls of 1 ms, ${conflicts * 100} % conflict`,
      over: 'workers',
      unit: '×',
      better: 'higher',
      points: points.sort((a, b) => a.size - b.size),
    });
  }
  for (const conflicts of [0, 1]) {
    for (const workers of workerCounts) {
      const comparison = await world.compare(world.paying(conflicts), { workers, foreseen: true, rounds });
      recordSpeedUp(`token transfers, ${conflicts * 100} % conflict`, workers, comparison.speedUps);
      console.log(
        line(`${ACCOUNTS - 1} token transfers, ${conflicts * 100} % conflict`, workers, comparison),
      );
    }
  }
  for (const conflicts of [0, 1]) {
    const comparison = await world.compare(world.paying(conflicts), { workers: 2, foreseen: false, rounds });
    const work = `token transfers, nothing predicted, ${conflicts * 100} % conflict`;
    recordSpeedUp(work, 2, comparison.speedUps);
    console.log(line(`the same, nothing predicted, ${conflicts * 100} % conflict`, 2, comparison));
  }
  await compareStale(world);
  if (values.svg !== undefined) writeFileSync(values.svg, speedUpPlot(workerCounts, plot));
}

const world = await ParallelWorld.open(ACCOUNTS);
try {
  await (values.worst ? findWorst(world) : compareAll(world));
} finally {
  await world.close();
}
