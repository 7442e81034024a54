/*
 * Floods from one client while an honest client calls the node, each flood against a fresh node:
 *     npm run bench -- floods [--flood NAME …] [--seconds 8] [--json]
 */

import { Command, InvalidArgumentError, Option } from 'commander';
import { errorMessage } from '../../src/base/errors.js';
import { prepareWorld } from '../../test/support/floods/flood-world.js';
import { FLOODS, floodOf } from '../../test/support/floods/floods.js';
import { HonestClient } from '../../test/support/floods/honest-client.js';
import { type FloodReport, runFlood } from '../../test/support/floods/run-flood.js';
import { NodeProcess } from '../../test/support/nodes/node-process.js';
import { recordFlood } from './record-flood.js';
import { floodTable } from './table.js';

/** The chain before a flood, unless the flood needs more. */
const WORLD = { blocks: 24, transfersABlock: 400, eventCalls: 12 };
const REST_SECONDS = 2;
const RECOVERY_SECONDS = 10;
const DEFAULT_SECONDS = 8;
/** A flood at a fifth of the usual size, for tests; it runs only if named. */
const SMALL = 'pending-transfers-10k';

interface Options {
  readonly flood: readonly string[];
  readonly seconds: number;
  readonly blockTime: number;
  readonly json?: boolean;
  readonly nodeFlag: readonly string[];
}

function positive(text: string): number {
  const value = Number(text);
  if (value > 0 && Number.isFinite(value)) return value;
  throw new InvalidArgumentError(`expected a positive number, got ${JSON.stringify(text)}`);
}

function known(text: string, before: readonly string[]): string[] {
  try {
    return [...before, floodOf(text).name];
  } catch (error) {
    throw new InvalidArgumentError(errorMessage(error));
  }
}

const command = new Command('npm run bench -- floods')
  .description(
    'Floods a node from 127.0.0.2 and measures, from 127.0.0.1, what an honest client of every method is left with.',
  )
  .addOption(
    new Option('--flood <NAME>', 'only this one; may be repeated').argParser(known).default([], 'all'),
  )
  .option('--seconds <SECONDS>', 'how long each lasts', positive, DEFAULT_SECONDS)
  .option('--block-time <MS>', "the node's time between blocks, empty ones too", positive, 250)
  .addOption(
    new Option(
      '--node-flag <FLAG>',
      'a further flag of the node, as --node-flag=--workers=4; may be repeated',
    )
      .argParser((flag: string, before: readonly string[]) => [...before, flag])
      .default([], 'none'),
  )
  .option('--json', 'everything that was measured, by method too, as one JSON object a line')
  .addHelpText(
    'after',
    `
Floods:
${FLOODS.map(({ name, attacks }) => `  ${name.padEnd(22)}${attacks}`).join('\n')}

Columns:
  status, reads,      the honest client's calls, on connections for each kind: 50 a second of status, 40 of 26 methods
  proofs, calls,      that read, 10 of proofs, 20 of views, simulations and traces, 20 transfers. A time is from when a
  submits             call was due, so a wait counts for each call that it kept back; ok is the part with a result
  blocks              time between blocks by their timestamps, to be compared with --block-time
  longest turn        of the event loop of each thread that seals or takes requests; it may wait for a processor
  of processor time   what one took of it, up to 10 ms too much
  peak RSS            resident memory of the node, the most there was from the flood's beginning
  back                how long after the flood's end it was at most half more than at rest, or 192 MiB more;
                      "no" after ${RECOVERY_SECONDS} seconds
  as before           how long after the flood's end every honest call is answered and status as fast as at rest;
                      "no" after ${RECOVERY_SECONDS} seconds
  SIGTERM             how long the node takes to end when it is told to in the middle of another such flood

Examples:
  $ npm run bench -- floods
  $ npm run bench -- floods --flood burning-views --flood old-proofs --seconds 20
  $ npm run bench -- floods --node-flag=--front-threads=2 --json > floods.jsonl

It reads /proc and uses several addresses of the loopback, so it runs on Linux. With node, flood and honest client on one
machine all share its cores: compare builds and rows, not machines.
`,
  )
  .parse();
const { flood: wanted, seconds, blockTime, nodeFlag, json = false } = command.opts<Options>();

async function measure(name: string): Promise<FloodReport> {
  const flood = floodOf(name);
  const node = await NodeProcess.start({
    flags: [
      ...['--block-time', String(blockTime), '--idle-block-time', String(blockTime)],
      ...(flood.nodeFlags ?? []),
      ...nodeFlag,
    ],
  });
  let honest: HonestClient | undefined;
  try {
    const world = await prepareWorld(node.url, { ...WORLD, ...flood.world });
    honest = new HonestClient(node.url, world);
    return await runFlood({
      node,
      world,
      honest,
      name,
      seconds,
      restSeconds: REST_SECONDS,
      recoverySeconds: RECOVERY_SECONDS,
      thenEnd: true,
    });
  } finally {
    await honest?.terminate();
    await node.dispose();
  }
}

const names = wanted.length > 0 ? wanted : FLOODS.map(({ name }) => name).filter((name) => name !== SMALL);
const reports: FloodReport[] = [];
for (const name of names) {
  const report = await measure(name);
  reports.push(report);
  recordFlood(report, blockTime);
  if (json) console.log(JSON.stringify(report));
  else console.error(`${name}: ${JSON.stringify(report.counts)}`);
}
if (!json) console.log(`\n${floodTable(reports)}`);
