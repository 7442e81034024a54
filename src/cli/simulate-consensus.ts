import { type Command, InvalidArgumentError } from 'commander';
import type { Violation } from '../consensus/simulator/model.js';
import { ACTORS, type ActorName } from '../consensus/simulator/scenario.js';
import { type SimulationOptions, simulate } from '../consensus/simulator/simulate.js';
import type { SeedResult, SimulatedSeed } from '../consensus/simulator/simulated-seed.js';
import { CliError } from './cli-error.js';
import type { CommandContext } from './command-context.js';
import { integerBetween } from './common-options.js';
import type { Console } from './console.js';
import { seedProgress } from './progress.js';
import { type Seeds, simulateSeeds } from './simulated-seeds.js';

interface SimulateConsensusOptions {
  readonly seeds?: Seeds;
  readonly seed?: number;
  readonly validators: number;
  readonly byzantine?: readonly ActorName[];
  readonly trace?: boolean;
}

const DEFAULT_SEEDS: Seeds = { from: 1, to: 1_000 };
const MAX_VALIDATORS = 40;
const MAX_SEED = 2 ** 32 - 1;
/** Number of violations after which the run stops; more would not help. */
const MAX_FAILURES = 5;

export function registerSimulateConsensusCommand(program: Command, { console }: CommandContext): void {
  program
    .command('simulate-consensus')
    .description('run consensus among many validators in virtual time, with faults, and check its guarantees')
    .option('--seeds <FROM..TO>', 'run each of these seeds (default: 1..1000)', seedRange)
    .option('--seed <N>', 'one run, of this seed', integerBetween(0, MAX_SEED))
    .option(
      '--validators <N>',
      'number of validators, including faulty ones',
      integerBetween(1, MAX_VALIDATORS),
      4,
    )
    .option('--byzantine <ACTORS>', `faulty validators that may take part, or none (default: all)`, actors)
    .option('--trace', 'print the run of --seed, one line per message, commit and fault')
    .addHelpText(
      'after',
      [
        '',
        'Every validator is the real consensus code on a simulated clock, disk, network and chain. A seed determines everything:',
        'latency, loss, held messages, partitions, crashes in the middle of a write, lost and restored disks, wrong clocks, epochs,',
        'work, and up to a third of Byzantine validators. After some seconds the network recovers, and the chain has to grow.',
        'A run fails if two blocks are final at one height, if anything final is lost, if an honest validator signs or sends what',
        'the rules forbid, drops an honest one, keeps no evidence or exceeds its limits, or if the chain does not grow in time.',
        'The same seed gives the same run.',
        '',
        'Faulty validators:',
        ...actorLines(),
        '',
        'The exit code is 1 if a run failed; the command that replays it is printed.',
        '',
        'Examples:',
        '  $ heddle simulate-consensus --seeds 1..10000 --validators 7',
        '  $ heddle simulate-consensus --seeds 1..500 --validators 10 --byzantine twins,withholder',
        '  $ heddle simulate-consensus --seed 42 --validators 7 --trace',
        '',
      ].join('\n'),
    )
    .action(async (options: SimulateConsensusOptions) => {
      await simulateConsensus(options, console);
    });
}

/** The actors' names in lines of moderate length. */
function actorLines(): string[] {
  const half = Math.ceil(ACTORS.length / 2);
  return [ACTORS.slice(0, half), ACTORS.slice(half)].map((names) => `  ${names.join(', ')}`);
}

async function simulateConsensus(options: SimulateConsensusOptions, console: Console): Promise<void> {
  if (options.seeds !== undefined && options.seed !== undefined)
    throw new CliError('usage', 'give --seeds for many runs or --seed for one, not both');
  if (options.trace === true && options.seed === undefined)
    throw new CliError('usage', '--trace prints one run: say which with --seed');
  const { validators, byzantine } = options;
  const common = byzantine === undefined ? { validators } : { validators, actors: byzantine };
  if (options.seed !== undefined)
    await simulateOne({ ...common, seed: options.seed }, options.trace === true, console);
  else await simulateAll(options.seeds ?? DEFAULT_SEEDS, common, console);
}

async function simulateOne(options: SimulationOptions, traced: boolean, console: Console): Promise<void> {
  const trace = (line: string) => console.out(`${line}\n`);
  const result = await simulate(traced ? { ...options, trace } : options);
  const { scenario, height, messages, virtualMs, violation } = result;
  const faulty = [...scenario.byzantine].map(([index, names]) => `${names.join(' and ')} (${index})`);
  console.out(
    `seed ${options.seed}: ${scenario.validators} validators, faulty: ${faulty.join(', ') || 'none'}; ` +
      `work ${scenario.work}; height ${height} after ${(virtualMs / 1_000).toFixed(1)} s of virtual time and ${messages} messages\n`,
  );
  if (violation !== undefined) throw new CliError('failure', describe(options, violation));
}

async function simulateAll(
  seeds: Seeds,
  common: Omit<SimulatedSeed, 'seed'>,
  console: Console,
): Promise<void> {
  const total = seeds.to - seeds.from + 1;
  const progress = seedProgress();
  progress.start(total, 0, { failed: 0 });
  const startedMs = performance.now();
  const failures: SeedResult[] = [];
  let done = 0;
  await simulateSeeds(seeds, common, (result) => {
    if (result.violation !== undefined) failures.push(result);
    progress.update(++done, { failed: failures.length });
    return failures.length < MAX_FAILURES;
  });
  progress.stop();
  const seconds = (performance.now() - startedMs) / 1_000;
  console.out(
    `${done} runs of ${common.validators} validators in ${seconds.toFixed(1)} s (${(done / seconds).toFixed(0)}/s): ` +
      `${failures.length === 0 ? 'no violation' : `${failures.length} failed`}\n`,
  );
  if (failures.length === 0) return;
  failures.sort((one, other) => one.seed - other.seed);
  const lines = failures.map(({ seed, violation }) => describe({ ...common, seed }, violation));
  throw new CliError('failure', lines.join('\n'));
}

/** Describes a violation and gives the command that reproduces it. */
function describe(options: SimulationOptions, violation: Violation | undefined): string {
  const { seed, validators, actors } = options;
  const kinds = actors === undefined ? '' : ` --byzantine ${actors.join(',') || 'none'}`;
  return [
    `seed ${seed} violates ${violation?.kind} after ${violation?.atMs.toFixed(0)} ms: ${violation?.what}`,
    `  replay it with: heddle simulate-consensus --seed ${seed} --validators ${validators}${kinds} --trace`,
  ].join('\n');
}

function seedRange(text: string): Seeds {
  const seed = integerBetween(0, MAX_SEED);
  const [, low, high] = /^(\d+)\.\.(\d+)$/.exec(text) ?? [];
  if (low === undefined || high === undefined)
    throw new InvalidArgumentError('expected two seeds with .. between them, such as 1..1000.');
  const range = { from: seed(low), to: seed(high) };
  if (range.from <= range.to) return range;
  throw new InvalidArgumentError('the first seed must not be above the last.');
}

function actors(text: string): readonly ActorName[] {
  if (text === 'none') return [];
  return text.split(',').map((name) => {
    const actor = ACTORS.find((one) => one === name);
    if (actor !== undefined) return actor;
    throw new InvalidArgumentError(`${JSON.stringify(name)} is not one of ${ACTORS.join(', ')}, or none.`);
  });
}
