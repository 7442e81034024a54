/**
 * One new node at a time, Heddle and in turn anvil and ganache: the time from starting the process to its first answer,
 * the memory of the idle node, and its memory after a load of account reads at 16 connections.
 *
 *     npm run bench -- start-and-memory [--help]
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { Command } from 'commander';
import { connect, devAccount } from '../../src/client/client.js';
import { toPrefixedHex } from '../../src/idl/hex.js';
import { NodeProcess } from '../../test/support/nodes/node-process.js';
import { recordFigure } from '../results/record.js';
import { residentMiBOf } from '../support/process-tree.js';
import { type RequestLoad, threadLoad } from '../support/request-load.js';
import { EthereumNode } from './ethereum/ethereum-node.js';
import { type Contestant, ethereumContestant, heddleContestant } from './nodes/contestant.js';
import { addNodeOptions, count, ethereumPrograms, type NodeOptions } from './options.js';
import { runMacro } from './run-macro.js';
import { jsonRpc } from './work/work.js';

const IDLE_MS = 500;
const CONNECTIONS = 16;

interface Options extends NodeOptions {
  readonly milliseconds: number;
}

interface Sample {
  readonly startMs: number;
  readonly idleMiB: number;
  readonly loadedMiB: number;
}

interface Samples {
  readonly name: string;
  readonly samples: Sample[];
}

const command = addNodeOptions(
  new Command('start-and-memory').description('Start-up time and memory, side by side with other nodes.'),
  { rounds: 3 },
)
  .option('--milliseconds <MS>', 'length of the load', count, 2_000)
  .parse();
const options = command.opts<Options>();
const address = toPrefixedHex(devAccount(0).address);
const OUR_READ = JSON.stringify(jsonRpc('account', { address }));
const THEIR_READ = JSON.stringify(jsonRpc('eth_getBalance', [address, 'latest']));

async function memoryOf(
  { url, path, pids }: Contestant,
  body: string,
  load: RequestLoad,
): Promise<Pick<Sample, 'idleMiB' | 'loadedMiB'>> {
  await sleep(IDLE_MS);
  const idleMiB = residentMiBOf(pids());
  await load.count({ url, path, body, connections: CONNECTIONS, milliseconds: options.milliseconds });
  return { idleMiB, loadedMiB: residentMiBOf(pids()) };
}

async function heddleSample(load: RequestLoad): Promise<Sample> {
  const begin = performance.now();
  const node = await NodeProcess.start({ flags: options.nodeFlag });
  try {
    await connect(node.url).status();
    const startMs = performance.now() - begin;
    return { startMs, ...(await memoryOf(heddleContestant(node), OUR_READ, load)) };
  } finally {
    await node.dispose();
  }
}

function print(name: string, { startMs, idleMiB, loadedMiB }: Sample): void {
  const memory = `idle ${idleMiB.toFixed(0).padStart(4)} MiB, after reads ${loadedMiB.toFixed(0).padStart(4)} MiB`;
  console.log(`${name.padEnd(8)} first answer after ${startMs.toFixed(0).padStart(5)} ms, ${memory}`);
}

function record(
  of: keyof Sample,
  name: string,
  unit: 'ms' | 'MiB',
  [heddle, ...others]: readonly Samples[],
): void {
  const rounds = ({ samples }: Samples): readonly number[] => samples.map((sample) => sample[of]);
  if (heddle === undefined) return;
  const baselines = others.map((each) => ({ name: each.name, rounds: rounds(each) }));
  recordFigure({
    name,
    unit,
    better: 'lower',
    rounds: rounds(heddle),
    ...(baselines.length > 0 && { baselines }),
  });
}

await runMacro(async () => {
  const programs = await ethereumPrograms(options);
  const load = threadLoad();
  try {
    const ways = [
      { name: 'heddle', samples: [] as Sample[], take: () => heddleSample(load) },
      ...programs.map((program) => ({
        name: program.kind,
        samples: [] as Sample[],
        take: async (): Promise<Sample> => {
          const node = await EthereumNode.start(program);
          try {
            return { startMs: node.startMs, ...(await memoryOf(ethereumContestant(node), THEIR_READ, load)) };
          } finally {
            node.stop();
          }
        },
      })),
    ];
    for (let round = 0; round < options.rounds; round++) {
      for (const { name, samples, take } of ways) {
        const sample = await take();
        samples.push(sample);
        print(name, sample);
      }
    }
    record('startMs', 'start: first answer', 'ms', ways);
    record('idleMiB', 'memory: idle', 'MiB', ways);
    record('loadedMiB', 'memory: after reads', 'MiB', ways);
  } finally {
    await load.stop();
  }
});
