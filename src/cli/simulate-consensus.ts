import { InvalidArgumentError } from 'commander';
import type { Violation } from '../consensus/simulator/model.js';
import type { SeedResult } from '../consensus/simulator/simulated-seed.js';
import { printAnswer } from './answer.js';
import type { CliCommand, CommandContext } from './cli-command.js';
import { CliError, UsageError } from './cli-error.js';
import { interruptible } from './end-process.js';
import { integerBetween } from './option-parsers.js';
import { seedProgress } from './progress.js';
import type { Seeds } from './simulated-runs.js';
import { AGREEMENT, RESHARING, type RunsOf, SEALED, type SimulatedRuns } from './simulated-runs.js';

interface SimulateConsensusOptions {
  readonly seeds?: Seeds;
  readonly seed?: number;
  readonly validators: number;
  readonly byzantine?: readonly string[];
  readonly resharing?: boolean;
  readonly sealed?: boolean;
  readonly trace?: boolean;
  readonly json?: boolean;
}

const DEFAULT_SEEDS: Seeds = { from: 1, to: 1_000 };
const MAX_VALIDATORS = 40;
const MAX_SEED = 2 ** 32 - 1;
/** Number of violations after which the run stops; more would not help. */
const MAX_FAILURES = 5;

export function registerSimulateConsensusCommand(program: CliCommand, context: CommandContext): void {
  program
    .command('simulate-consensus')
    .option('--seeds <FROM..TO>', 'run each of these seeds (default: 1..1000)', seedRange)
    .option('--seed <N>', 'one run, of this seed', integerBetween(0, MAX_SEED))
    .option(
      '--validators <N>',
      'number of validators, including faulty ones',
      integerBetween(1, MAX_VALIDATORS),
      4,
    )
    .option('--byzantine <ACTORS>', `faulty validators that may take part, or none (default: all)`, names)
    .option(
      '--resharing',
      "run the resharing of the validators' key over some epochs, in place of their agreement",
    )
    .option('--sealed', 'run the agreement with sealed envelopes that open at every height')
    .json()
    .option('--trace', 'print the run of --seed, one line per message, commit and fault')
    .notes(
      'Every validator is the real consensus code on a simulated clock, disk, network and chain. A seed determines everything:',
      'latency, loss, held messages, partitions, crashes in the middle of a write, lost and restored disks, wrong clocks, epochs,',
      'work, and up to a third of Byzantine validators. After some seconds the network recovers, and the chain has to grow.',
      'A run fails if two blocks are final at one height, if anything final is lost, if an honest validator signs or sends what',
      'the rules forbid, drops an honest one, keeps no evidence or exceeds its limits, or if the chain does not grow in time.',
      'The same seed gives the same run.',
      '',
      'With --sealed, envelopes open at every height, and a message takes longer than a block time, so that the key of a height is',
      'late unless leaders wait for it. A run also fails if fewer than half of the blocks have transactions, or if an honest',
      'validator helps to make a key before its height is final.',
      '',
      'With --resharing, each validator is the real resharing code on simulated mesh, files and final blocks, over some epochs with',
      'sets that grow and shrink; points of the curve are replaced by numbers. A run fails if an honest validator that follows the',
      'chain ends an epoch without its share, deals or acknowledges two polynomials, sends what is not on its disk, reveals a share,',
      'keeps old secrets, is blamed or dropped, or if the key is not reshared in an epoch without faults of network and machines.',
      '',
      'Faulty validators:',
      ...nameLines(AGREEMENT.actors),
      'Faulty validators with --resharing:',
      ...nameLines(RESHARING.actors),
      '',
      'The exit code is 1 if a run failed; the command that replays it is printed.',
    )
    .examples(
      'heddle simulate-consensus --seeds 1..10000 --validators 7',
      'heddle simulate-consensus --seeds 1..500 --validators 10 --byzantine twins,withholder',
      'heddle simulate-consensus --seed 42 --validators 7 --trace',
      'heddle simulate-consensus --sealed --seeds 1..200',
      'heddle simulate-consensus --resharing --seeds 1..1000',
    )
    .action((options: SimulateConsensusOptions) => simulateConsensus(options, context));
}

/** Names in lines of moderate length. */
function nameLines(names: readonly string[]): string[] {
  const half = Math.ceil(names.length / 2);
  return [names.slice(0, half), names.slice(half)].map((line) => `  ${line.join(', ')}`);
}

async function simulateConsensus(options: SimulateConsensusOptions, context: CommandContext): Promise<void> {
  if (options.seeds !== undefined && options.seed !== undefined)
    throw new UsageError('give --seeds for many runs or --seed for one, not both');
  if (options.trace === true && options.seed === undefined)
    throw new UsageError('--trace prints one run: say which with --seed');
  if (options.trace === true && options.json === true)
    throw new UsageError('--trace prints lines of text: give it without --json');
  const { validators, byzantine, resharing = false, sealed = false } = options;
  if (resharing && sealed) throw new UsageError('give --resharing or --sealed, not both');
  const kind: SimulatedRuns = resharing ? RESHARING : sealed ? SEALED : AGREEMENT;
  if (validators < kind.minValidators)
    throw new UsageError(`${kind.option} needs at least ${kind.minValidators} validators`);
  const unknown = byzantine?.find((name) => !kind.actors.includes(name));
  if (unknown !== undefined) {
    const expected = `${kind.actors.join(', ')}, or none`;
    throw new UsageError(`--byzantine: ${JSON.stringify(unknown)} is not one of ${expected}`);
  }
  const runs = kind.of(validators, byzantine);
  if (options.seed !== undefined) await simulateOne(runs, options.seed, options, context);
  else await simulateAll(runs, options.seeds ?? DEFAULT_SEEDS, options, context);
}

async function simulateOne(
  runs: RunsOf,
  seed: number,
  { trace: traced = false, json = false }: SimulateConsensusOptions,
  context: CommandContext,
): Promise<void> {
  const { console } = context;
  const { summary, violation } = await runs.one(
    seed,
    traced ? (line) => console.out(`${line}\n`) : undefined,
  );
  printAnswer(
    context,
    { json },
    answerOf(1, violation === undefined ? [] : [{ seed, violation }]),
    `seed ${seed}: ${summary}\n`,
  );
  if (violation !== undefined) throw new CliError(describe(runs, seed, violation));
}

async function simulateAll(
  runs: RunsOf,
  seeds: Seeds,
  { validators, json = false }: SimulateConsensusOptions,
  context: CommandContext,
): Promise<void> {
  const total = seeds.to - seeds.from + 1;
  const progress = seedProgress();
  progress.start(total, 0, { failed: 0 });
  const startedMs = performance.now();
  const failures: SeedResult[] = [];
  let done = 0;
  const isInterrupted = await interruptible('interrupted', async (signal) => {
    await runs.all(seeds, (result) => {
      if (result.violation !== undefined) failures.push(result);
      progress.update(++done, { failed: failures.length });
      return failures.length < MAX_FAILURES && !signal.aborted;
    });
    return signal.aborted;
  });
  progress.stop();
  const seconds = (performance.now() - startedMs) / 1_000;
  failures.sort((one, other) => one.seed - other.seed);
  printAnswer(
    context,
    { json },
    answerOf(done, failures),
    `${done} runs of ${validators} validators in ${seconds.toFixed(1)} s (${(done / seconds).toFixed(0)}/s): ` +
      `${failures.length === 0 ? 'no violation' : `${failures.length} failed`}\n`,
  );
  const lines = failures.map(({ seed, violation }) => describe(runs, seed, violation));
  if (isInterrupted) lines.push(`interrupted after ${done} of ${total} seeds`);
  if (lines.length > 0) throw new CliError(lines.join('\n'));
}

function answerOf(runs: number, failures: readonly Pick<SeedResult, 'seed' | 'violation'>[]) {
  return { runs, violations: failures.map(({ seed, violation }) => ({ seed, kind: violation?.kind })) };
}

function describe({ options }: RunsOf, seed: number, violation: Violation | undefined): string {
  return [
    `seed ${seed} violates ${violation?.kind} after ${violation?.atMs.toFixed(0)} ms: ${violation?.what}`,
    `  replay it with: heddle simulate-consensus --seed ${seed} ${options} --trace`,
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

function names(text: string): readonly string[] {
  return text === 'none' ? [] : text.split(',');
}
