/**
 * Blocks executed by several workers against the same blocks executed serially in one worker, alternately in one run.
 * The work: batches that compute for about a millisecond and then move tokens; token transfers alone. The conflict
 * rate is the share of transactions that pay the same account, and so write the same slot.
 *
 *     npm run bench -- parallel [--rounds 5] [--workers 1,2,4,8] [--svg FILE]
 *     npm run bench -- parallel --worst [--seconds 60] [--seed 1] [--workers 2] [--gas 1000]
 *
 * `--worst` searches for the conflicts that slow workers down most, and prints the worst. Its blocks use `--gas`
 * million gas. A thousand million takes some 125 ms, because the loops are cheap. In blocks of a fifth of that, the
 * milliseconds for planning, messages and thread switches outweigh conflicts.
 *
 * Targets on two cores with two workers: 500 independent calls of 1 ms run at least 1.7 times as fast as serially,
 * 5,000 independent token transfers at least as fast, and any conflicts take at most 1.25 times the serial time.
 */

import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { BlockExecutor } from '../src/chain/block-executor.js';
import { packageRoot } from '../src/config/package-info.js';
import { contractAddress } from '../src/crypto/address.js';
import { loadCrypto } from '../src/crypto/load-crypto.js';
import type { BlockEnvironment } from '../src/execution/block-environment.js';
import type { ExecutedBlock } from '../src/execution/block-execution.js';
import { decodePredictions, encodeTransactions } from '../src/execution/parallel/predict.js';
import type { Prediction, Predictions } from '../src/execution/parallel/predictions.js';
import type { ParallelStatistics } from '../src/execution/parallel/statistics.js';
import { ExecutionPool } from '../src/execution/pool/execution-pool.js';
import type { Action, Call } from '../src/generated/ledger.js';
import { type ContractAbi, compileContract } from '../src/idl/abi/contract-abi.js';
import { compileIdl } from '../src/idl/compiler/compile.js';
import { AccountCache } from '../src/ledger/account-cache.js';
import { ledger } from '../src/ledger/codecs.js';
import { accountKey } from '../src/ledger/state-keys.js';
import {
  type TransactionEnvelope,
  transactionFromSigned,
  type VerifiedTransaction,
} from '../src/ledger/transaction-envelope.js';
import { seededRandom } from '../src/load/seeded-random.js';
import { openStore } from '../src/storage/open-store.js';
import { appendStateChanges } from '../src/storage/state.js';
import { WriteBatch } from '../src/storage/write-batch.js';
import { asVerified } from '../test/support/as-verified.js';
import { deployAction } from '../test/support/deploy-action.js';
import { text } from '../test/support/hex.js';
import {
  type ConflictShape,
  describeShape,
  operationsContract,
  shapedBlock,
  spin,
} from './parallel/conflict-shapes.js';
import { recordSpeedUp } from './parallel/record-speed-up.js';
import { worstShapes } from './parallel/worst-shapes.js';
import type { SeriesPoint } from './results/figure.js';
import { recordSeries } from './results/record.js';
import { atLeast, recordGain } from './support/record-values.js';
import { speedUpPlot } from './support/speed-up-plot.js';
import { quantile } from './support/statistics.js';

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '5' },
    workers: { type: 'string' },
    svg: { type: 'string' },
    worst: { type: 'boolean', default: false },
    seconds: { type: 'string', default: '60' },
    seed: { type: 'string', default: '1' },
    gas: { type: 'string', default: '1000' },
  },
});
const rounds = Number(values.rounds);
const workerCounts = (values.workers ?? '1,2,4,8').split(',').map(Number);

const ACCOUNTS = 5_000;
const CALLS = 500;
/** Iterations of the compute contract's integer loop that take about a millisecond. */
const ITERATIONS = 620_000;
/** The minimum speed that `--worst` may find, relative to serial execution. */
const FLOOR = 0.8;
const CONFLICTS = [0, 0.1, 0.5, 1] as const;

const sha256 = (data: Uint8Array): Uint8Array => createHash('sha256').update(data).digest();
const account = (number: number): Uint8Array => sha256(Buffer.from(`bench ${number}`)).subarray(0, 20);
const receiver = (number: number): Uint8Array => sha256(Buffer.from(`to ${number}`)).subarray(0, 20);
const HOT = receiver(-1);
const OWNER = account(0);

function example(name: string): { readonly code: Uint8Array; readonly abi: ContractAbi } {
  const folder = join(packageRoot(), 'contracts', name);
  const path = join(folder, `${name}.idl`);
  const { manifest } = compileIdl([{ name: path, text: readFileSync(path, 'utf8') }]);
  return { code: readFileSync(join(folder, `${name}.wasm`)), abi: compileContract(manifest, sha256) };
}

const directory = mkdtempSync(join(tmpdir(), 'heddle-parallel-'));
const crypto = await loadCrypto('auto');
const store = await openStore({
  directory: join(directory, 'store'),
  native: 'auto',
  report: () => undefined,
  cacheBytes: 64 * 1024 * 1024,
});
const setup = { native: 'auto', store: store.handle } as const;
const serialPool = new ExecutionPool({ setup, workers: 1 });
const token = example('token');
const compute = example('compute');
let height = 0n;

function environment(): BlockEnvironment {
  const timestampMs = 1_700_000_000_000n;
  const proposer = 'ee'.repeat(20);
  return {
    chainId: 1n,
    height: height + 1n,
    timestampMs,
    baseFee: 1n,
    slotPrice: 2_000_000n,
    gasLimit: 10n ** 13n,
    proposer,
  };
}

function transaction(sender: Uint8Array, nonce: bigint, action: Action): VerifiedTransaction {
  const fees = { gas_limit: 60_000_000n, max_fee: 10n, priority_fee: 1n };
  return asVerified(
    transactionFromSigned(
      {
        transaction: { chain_id: 1n, sender, lane: 0, nonce, ...fees, action },
        signature: {
          type: 'ed25519',
          value: { public_key: new Uint8Array(32), signature: new Uint8Array(64) },
        },
      },
      crypto,
    ),
  );
}

async function commit(block: ExecutedBlock): Promise<void> {
  height += 1n;
  const batch = new WriteBatch();
  appendStateChanges(batch, height, block.writes);
  for (const { hash, bytes, prepared } of block.codes) {
    batch.put('code', hash, bytes);
    if (prepared !== undefined) batch.put('prepared', prepared.key, prepared.bytes);
  }
  await store.write(batch, { sync: false });
}

function serialExecutor(): BlockExecutor {
  return new BlockExecutor(new AccountCache(store, crypto, 50_000), store, crypto, serialPool);
}

async function fundAccounts(): Promise<void> {
  const batch = new WriteBatch();
  const record = ledger.AccountRecord.encode({ balance: 10n ** 24n, lanes: [], deploy_index: 0n });
  const changes = Array.from({ length: ACCOUNTS }, (_, number) => ({
    key: accountKey(crypto, account(number)),
    previous: undefined,
    value: record,
  }));
  appendStateChanges(batch, 0n, changes);
  await store.write(batch, { sync: false });
}

async function include(transactions: readonly VerifiedTransaction[]): Promise<void> {
  const block = await serialExecutor().execute(
    { env: environment(), branch: [] },
    { transactions, bundles: [] },
  );
  const failed = block.receipts.findIndex(
    (receipt) => ledger.LedgerReceipt.decode(receipt).outcome.type !== 'success',
  );
  if (failed >= 0 || block.excluded.length > 0)
    throw new Error(`transaction ${failed} of the preparation failed`);
  await commit(block);
}

const tokenAt = contractAddress(crypto, OWNER, 0n);
const computeAt = contractAddress(crypto, OWNER, 1n);
const operationsAt = contractAddress(crypto, OWNER, 2n);

function tokenTransfer(to: Uint8Array): Call {
  const input = token.abi.function('transfer').encodeCall({ to: text(to), amount: '3' });
  return { contract: tokenAt, input, value: 0n };
}

async function prepare(): Promise<void> {
  await fundAccounts();
  const init = token.abi.function('init').encodeCall({
    name: 'Bench',
    symbol: 'BEN',
    decimals: 0,
    supply: '1000000000000',
    owner: text(OWNER),
    minter: text(OWNER),
  });
  await include([
    transaction(OWNER, 0n, deployAction(token.code, { input: init })),
    transaction(OWNER, 1n, deployAction(compute.code)),
    transaction(OWNER, 2n, deployAction(operationsContract())),
  ]);
  const gifts = Array.from({ length: ACCOUNTS - 1 }, (_, number) => {
    const input = token.abi
      .function('transfer')
      .encodeCall({ to: text(account(number + 1)), amount: '1000000' });
    return transaction(OWNER, BigInt(number + 3), {
      type: 'call',
      value: { contract: tokenAt, input, value: 0n },
    });
  });
  await include(gifts);
}

/** Batches that compute and then pay; a share `conflicts` of them, evenly spread, pays the same account. */
function computing(conflicts: number): VerifiedTransaction[] {
  const count = compute.abi.function('count').encodeCall({ iterations: ITERATIONS });
  return Array.from({ length: CALLS }, (_, number) => {
    const to = isConflicting(number, conflicts) ? HOT : receiver(number);
    return transaction(account(number + 1), 0n, {
      type: 'batch',
      value: [{ contract: computeAt, input: count, value: 0n }, tokenTransfer(to)],
    });
  });
}

function paying(conflicts: number): VerifiedTransaction[] {
  return Array.from({ length: ACCOUNTS - 1 }, (_, number) => {
    const to = isConflicting(number, conflicts) ? HOT : receiver(number);
    return transaction(account(number + 1), 0n, { type: 'call', value: tokenTransfer(to) });
  });
}

/** Selects a share of the numbers, evenly spread over the block. */
function isConflicting(number: number, share: number): boolean {
  return Math.floor((number + 1) * share) > Math.floor(number * share);
}

async function predictAll(transactions: readonly VerifiedTransaction[]): Promise<Predictions> {
  const known = new Map<TransactionEnvelope, Prediction>();
  for (let at = 0; at < transactions.length; ) {
    const part = transactions.slice(at, at + 64);
    const input = {
      env: environment(),
      transactions: encodeTransactions(part.map(({ encoded }) => encoded)),
    };
    const predictions = decodePredictions(await serialPool.run('predict', input));
    for (const [place, prediction] of predictions.entries()) {
      const predicted = part[place];
      if (predicted !== undefined) known.set(predicted, prediction);
    }
    at += Math.max(1, predictions.length);
  }
  return { of: (each) => known.get(each) };
}

interface Figure {
  readonly ms: number;
  readonly cpuMs: number;
  readonly statistics: ParallelStatistics | undefined;
}

async function timed(executor: BlockExecutor, transactions: readonly VerifiedTransaction[]): Promise<Figure> {
  const cpu = process.cpuUsage();
  const started = performance.now();
  const block = await executor.execute({ env: environment(), branch: [] }, { transactions, bundles: [] });
  const ms = performance.now() - started;
  const { user, system } = process.cpuUsage(cpu);
  if (block.receipts.length !== transactions.length) throw new Error('transactions were left out');
  return { ms, cpuMs: (user + system) / 1_000, statistics: block.parallel };
}

interface Comparison {
  readonly serial: Pick<Figure, 'ms' | 'cpuMs'>;
  readonly shared: Pick<Figure, 'ms' | 'cpuMs'>;
  /** Statistics of the last round. */
  readonly statistics: ParallelStatistics | undefined;
  /** Serial time divided by parallel time, by round, and their median. */
  readonly speedUps: readonly number[];
  readonly speedUp: number;
}

async function compare(
  workers: number,
  transactions: readonly VerifiedTransaction[],
  foreseen: boolean,
): Promise<Comparison> {
  const pool = new ExecutionPool({ setup, workers });
  const predictions = foreseen ? await predictAll(transactions) : { of: () => undefined };
  try {
    const both: { readonly serial: Figure; readonly shared: Figure }[] = [];
    for (let round = -2; round < rounds; round++) {
      const accounts = new AccountCache(store, crypto, 50_000);
      accounts.prefetch(transactions.map(({ sender }) => sender));
      const serial = await timed(serialExecutor(), transactions);
      const shared = new BlockExecutor(accounts, store, crypto, pool, { workers: pool, predictions });
      const figures = { serial, shared: await timed(shared, transactions) };
      // The first rounds load the contracts in every thread.
      if (round >= 0) both.push(figures);
    }
    const median = (of: (figures: (typeof both)[number]) => number): number => quantile(both.map(of), 0.5);
    return {
      serial: { ms: median(({ serial }) => serial.ms), cpuMs: median(({ serial }) => serial.cpuMs) },
      shared: { ms: median(({ shared }) => shared.ms), cpuMs: median(({ shared }) => shared.cpuMs) },
      statistics: both.at(-1)?.shared.statistics,
      speedUps: both.map(({ serial, shared }) => serial.ms / shared.ms),
      speedUp: median(({ serial, shared }) => serial.ms / shared.ms),
    };
  } finally {
    await pool.stop();
  }
}

function line(name: string, workers: number, { serial, shared, speedUp, statistics }: Comparison): string {
  const figure = ({ ms, cpuMs }: Pick<Figure, 'ms' | 'cpuMs'>): string =>
    `${ms.toFixed(0).padStart(6)} ms (CPU ${cpuMs.toFixed(0)})`;
  const { groups = 0, reruns = 0 } = statistics ?? {};
  return [
    `${name.padEnd(44)} ${workers} workers: serial ${figure(serial)}, shared ${figure(shared)}`,
    `${speedUp.toFixed(2)} ×, ${groups} groups, ${reruns} run again`,
  ].join(', ');
}

function operate(number: number, input: Uint8Array): VerifiedTransaction {
  const call = { contract: operationsAt, input, value: 0n };
  return transaction(account(number + 1), 0n, { type: 'call', value: call });
}

/** Rounds of the operations contract's spin that use `gas`. */
async function spinRounds(gas: number): Promise<number> {
  const transactions = [operate(0, spin(0)), operate(1, spin(1_000_000))];
  const block = await serialExecutor().execute(
    { env: environment(), branch: [] },
    { transactions, bundles: [] },
  );
  const [none = 0n, million = 0n] = block.receipts.map((each) => ledger.LedgerReceipt.decode(each).gas_used);
  return Math.round((gas * 1e6) / Number(million - none));
}

function blockOf(shape: ConflictShape, rounds: number): VerifiedTransaction[] {
  const { inputs, transfersAfter } = shapedBlock(shape, rounds, seededRandom(1));
  let number = 0;
  return inputs.flatMap((input) => [
    operate(number++, input),
    ...Array.from({ length: transfersAfter }, () => {
      const to = receiver(number);
      return transaction(account(number++ + 1), 0n, { type: 'transfer', value: { to, amount: 1n } });
    }),
  ]);
}

async function findWorst(): Promise<void> {
  const workers = values.workers === undefined ? 2 : Number(values.workers);
  const pool = new ExecutionPool({ setup, workers });
  const gas = Number(values.gas) * 1e6;
  const spins = await spinRounds(gas);
  const measure = async (shape: ConflictShape, pairs: number): Promise<number> => {
    const transactions = blockOf(shape, spins);
    const predictions = shape.foreseen ? await predictAll(transactions) : { of: () => undefined };
    let [serialMs, sharedMs] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
    for (let pair = 0; pair < pairs; pair++) {
      const accounts = new AccountCache(store, crypto, 50_000);
      accounts.prefetch(transactions.map(({ sender }) => sender));
      const serial = await timed(serialExecutor(), transactions);
      const shared = new BlockExecutor(accounts, store, crypto, pool, { workers: pool, predictions });
      const { ms } = await timed(shared, transactions);
      serialMs = Math.min(serialMs, serial.ms);
      sharedMs = Math.min(sharedMs, ms);
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

async function compareAll(): Promise<void> {
  const plot: { readonly conflicts: number; readonly speedUps: number[] }[] = [];
  for (const conflicts of CONFLICTS) {
    const speedUps: number[] = [];
    const points: SeriesPoint[] = [];
    for (const workers of workerCounts) {
      const comparison = await compare(workers, computing(conflicts), true);
      speedUps.push(comparison.speedUp);
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
      const comparison = await compare(workers, paying(conflicts), true);
      recordSpeedUp(`token transfers, ${conflicts * 100} % conflict`, workers, comparison.speedUps);
      console.log(
        line(`${ACCOUNTS - 1} token transfers, ${conflicts * 100} % conflict`, workers, comparison),
      );
    }
  }
  for (const conflicts of [0, 1]) {
    const comparison = await compare(2, paying(conflicts), false);
    const work = `token transfers, nothing predicted, ${conflicts * 100} % conflict`;
    recordSpeedUp(work, 2, comparison.speedUps);
    console.log(line(`the same, nothing predicted, ${conflicts * 100} % conflict`, 2, comparison));
  }
  if (values.svg !== undefined) writeFileSync(values.svg, speedUpPlot(workerCounts, plot));
}

try {
  await prepare();
  await (values.worst ? findWorst() : compareAll());
} finally {
  await serialPool.stop();
  await store.close();
  rmSync(directory, { recursive: true, force: true });
}
