/**
 * Signed transfers over HTTP, one per request, until all are in blocks: Heddle, and in turn anvil and ganache, which
 * seal a block each second. Each round starts each node anew and checks at the end that no transfer is missing. Ganache
 * is so slow that it gets a part of the transfers; a node that stalls is left out of the following rounds.
 *
 *     npm run bench -- transfers-side-by-side [--help]
 */
import { Command } from 'commander';
import type { Figure } from '../results/figure.js';
import { recordFigure } from '../results/record.js';
import { quantile } from '../support/statistics.js';
import { CHAIN_ID } from './ethereum/ethereum-node.js';
import type { EthereumProgram } from './ethereum/program.js';
import { signInThreads } from './ethereum/sign-in-threads.js';
import { addNodeOptions, count, ethereumPrograms, type NodeOptions } from './options.js';
import { runMacro } from './run-macro.js';
import { ethereumTransfers, UnsealedError } from './transfers/ethereum-transfers.js';
import { heddleTransfers } from './transfers/heddle-transfers.js';
import { type TransferSample, type TransferSettings, warmUpOf } from './transfers/transfer-sample.js';

const AIM_RATIO = 2;
const MEMORY_AIM = { transfers: 1_000_000, mebibytes: 400 };
/** Ganache has stalled on blocks of 2,000 transfers. */
const GANACHE_SHARE = 1 / 100;

interface Options extends NodeOptions, TransferSettings {}

const command = addNodeOptions(
  new Command('transfers-side-by-side').description('Signed transfers, side by side with other nodes.'),
  { rounds: 4 },
)
  .option('--transfers <COUNT>', 'transfers per round, a multiple of the accounts', count, 40_000)
  .option('--accounts <COUNT>', 'accounts that take turns, a multiple of the connections', count, 400)
  .option('--connections <COUNT>', 'connections with one request in flight each', count, 100)
  .parse();

type Samples = Readonly<Record<'heddle' | EthereumProgram['kind'], TransferSample[]>>;

async function measure(options: Options): Promise<void> {
  const programs = [...(await ethereumPrograms(options))];
  const { accounts, transfers } = options;
  const warmUp = warmUpOf(options);
  const signed =
    programs.length === 0 ? [] : await signInThreads(warmUp + transfers, { accounts, chainId: CHAIN_ID });
  const samples: Samples = { heddle: [], anvil: [], ganache: [] };
  for (let round = 0; round < options.rounds; round++) {
    samples.heddle.push(print('heddle', await heddleTransfers(options, options.nodeFlag)));
    for (const program of [...programs]) {
      const share = program.kind === 'ganache' ? GANACHE_SHARE : 1;
      const warm = Math.ceil(warmUp * share);
      const theirs = signed.slice(0, warm + Math.ceil(transfers * share));
      try {
        const sample = await ethereumTransfers(program, options, theirs, warm);
        samples[program.kind].push(print(program.kind, sample));
      } catch (error) {
        if (!(error instanceof UnsealedError)) throw error;
        console.log(`${program.kind} is left out from now on: ${error.message}`);
        programs.splice(programs.indexOf(program), 1);
      }
    }
  }
  record(samples, options.transfers);
}

function print(name: string, sample: TransferSample): TransferSample {
  const { rate, micros, memoryMiB, diskMiBPerMillion } = sample;
  const cells = [
    name.padEnd(8),
    `${Math.round(rate).toLocaleString('en').padStart(7)}/s`,
    `${micros.toFixed(0).padStart(5)} µs`,
    `${memoryMiB.toFixed(0).padStart(4)} MiB`,
  ];
  if (diskMiBPerMillion !== undefined) cells.push(`${diskMiBPerMillion.toFixed(0)} MiB on disk per million`);
  console.log(cells.join('  '));
  return sample;
}

function record({ heddle, anvil, ganache }: Samples, transfers: number): void {
  const figure = (
    name: string,
    of: (sample: TransferSample) => number,
    others: Readonly<Record<string, readonly TransferSample[]>>,
    rest: Pick<Figure, 'unit' | 'better' | 'aim'>,
  ): void => {
    const baselines = Object.entries(others)
      // A ratio belongs to one round of both.
      .filter(([, samples]) => samples.length === heddle.length)
      .map(([kind, samples]) => ({ name: kind, rounds: samples.map(of) }));
    recordFigure({
      name: `transfers: ${name}`,
      rounds: heddle.map(of),
      ...(baselines.length > 0 && { baselines }),
      ...rest,
    });
  };
  const ratios = heddle.map(({ rate }, i) => rate / (anvil[i]?.rate ?? Number.NaN));
  const isAgainstAnvil = anvil.length === heddle.length;
  figure(
    'sealed',
    ({ rate }) => rate,
    { anvil, ganache },
    {
      unit: '/s',
      better: 'higher',
      ...(isAgainstAnvil && { aim: { of: 'ratio', at: 'least', bound: AIM_RATIO } }),
    },
  );
  figure('processor time', ({ micros }) => micros, { anvil, ganache }, { unit: 'µs', better: 'lower' });
  const isAimed = transfers === MEMORY_AIM.transfers;
  figure(
    `memory after ${transfers.toLocaleString('en')}`,
    ({ memoryMiB }) => memoryMiB,
    { anvil },
    {
      unit: 'MiB',
      better: 'lower',
      ...(isAimed && { aim: { of: 'value', at: 'most', bound: MEMORY_AIM.mebibytes } }),
    },
  );
  const disk = ({ diskMiBPerMillion = Number.NaN }: TransferSample): number => diskMiBPerMillion;
  figure('disk space per million', disk, {}, { unit: 'MiB', better: 'lower' });
  if (isAgainstAnvil) console.log(`ratio to anvil ${quantile(ratios, 0.5).toFixed(2)} (aim ${AIM_RATIO})`);
}

await runMacro(async () => {
  const options = command.opts<Options>();
  if (options.accounts % options.connections !== 0) {
    command.error(
      `error: --accounts ${options.accounts} is no multiple of --connections ${options.connections}`,
    );
  }
  if (options.transfers % options.accounts !== 0) {
    command.error(`error: --transfers ${options.transfers} is no multiple of --accounts ${options.accounts}`);
  }
  await measure(options);
});
