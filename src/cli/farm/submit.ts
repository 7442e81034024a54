import { randomBytes } from 'node:crypto';
import { readFile, stat } from 'node:fs/promises';
import { InvalidArgumentError, Option } from 'commander';
import { defined } from '../../base/defined.js';
import { errorMessage } from '../../base/errors.js';
import { counted } from '../../base/number-text.js';
import { FarmError } from '../../farm/farm-error.js';
import { FarmNode } from '../../farm/node/farm-node.js';
import type { StoredRun } from '../../farm/run/run-progress.js';
import { expectRunName } from '../../farm/run/run-record.js';
import {
  type CallSource,
  fileSource,
  generatedSource,
  withStandardInput,
} from '../../farm/submit/call-source.js';
import {
  resumeCalls,
  resumeTraces,
  type Submission,
  submitCalls,
  submitTraces,
} from '../../farm/submit/submit-run.js';
import type { BlockRef, Tracer } from '../../generated/node-rpc-v1.js';
import { rpcTypes } from '../../ledger/rpc-codecs.js';
import { CallsError } from '../../load/calls/call-line.js';
import { printAnswer } from '../answer.js';
import type { CliCommand, CommandContext } from '../cli-command.js';
import { CliError, UsageError } from '../cli-error.js';
import { accessTo } from '../connection-options.js';
import { interruptible } from '../end-process.js';
import { tracerOption } from '../load/tracer-option.js';
import { integerBetween } from '../option-parsers.js';
import { SteppedProgress } from '../progress.js';
import type { NodeCommandOptions } from '../sending-options.js';
import { blockRef } from '../values.js';
import { redisOption, withRuns } from './farm-options.js';

interface SubmitOptions extends NodeCommandOptions {
  readonly redis?: string;
  readonly name?: string;
  readonly at?: BlockRef;
  readonly overrides?: string;
  readonly keepBadLines?: boolean;
  readonly sweep?: string;
  readonly seed?: number;
  readonly samples?: number;
  readonly traceBlocks?: { readonly from: bigint; readonly to: bigint };
  readonly tracer?: readonly Tracer[];
  readonly audit?: number;
  readonly resume?: string;
}

const SETTINGS = ['name', 'at', 'overrides', 'tracer', 'audit', 'traceBlocks'] as const;
/** Overrides are sent with every call. */
const MAX_OVERRIDES_BYTES = 1024 * 1024;
const MAX_SEED = 2 ** 31 - 1;

export function registerSubmitCommand(farm: CliCommand, context: CommandContext): void {
  farm
    .command('submit')
    .connection()
    .description('check calls, or choose blocks to trace, and put them into the queue as a run')
    .argument('[FILE]', 'calls, one JSON object per line as for "heddle simulate"; - reads standard input')
    .addOption(
      new Option('--sweep <FILE>', 'calls made from a template with parameters; see docs/farm.md').conflicts([
        'traceBlocks',
      ]),
    )
    .option('--trace-blocks <A..B>', 'trace all transactions of these blocks', blocks)
    .option(
      '--at <BLOCK>',
      'state of calls that name none: latest, finalized, a height or a hash (default: finalized)',
      blockRef,
    )
    .option('--overrides <FILE>', 'JSON list of state overrides for all calls; those of a call win')
    .addOption(tracerOption())
    .option('--seed <N>', 'seed of the random parameters of --sweep', integerBetween(0, MAX_SEED))
    .option('--samples <N>', 'calls per point of the grid of --sweep', integerBetween(1, 100_000_000))
    .option('--keep-bad-lines', 'give bad lines an error as their result instead of refusing the whole file')
    .option('--audit <N>', 'run every N-th job twice and compare the results', integerBetween(1, 1_000_000))
    .option('--name <RUN>', 'name of the run (default: made from kind and time)')
    .option('--resume <RUN>', 'continue a submission that was interrupted, with the same calls')
    .json()
    .addOption(redisOption())
    .notes(
      'All jobs of a run see the same block, whatever the chain does meanwhile. --url names a node that knows it: it is',
      'asked for the block and for the cost of a few of the calls, which decides how many make a job.',
    )
    .examples(
      'heddle farm submit calls.ndjson --at 1200000',
      'heddle farm submit --trace-blocks 1..50000 --tracer call_tree,state_diff',
      'heddle farm submit --sweep liquidations.json --samples 100 --seed 7',
    )
    .action((file: string | undefined, options: SubmitOptions) => submit(file, options, context));
}

async function submit(
  file: string | undefined,
  options: SubmitOptions,
  context: CommandContext,
): Promise<void> {
  expectOneSource(file, options);
  expectUsedOptions(options);
  const run = expectRunName(options.resume ?? options.name ?? newName(options));
  const { url, token } = accessTo(options, context);
  const stored = await withRuns(options.redis, context, (store) =>
    interruptible('interrupted', async (signal) => {
      const node = new FarmNode({ url, token, concurrency: 1 });
      const progress = new SteppedProgress('lines');
      let isBegun = false;
      try {
        const { chain_id: chainId } = await node.ask((client) => client.status());
        const onProgress: Submission['onProgress'] = (step, lines, of) => {
          isBegun ||= step === 'submitting';
          progress.update(step, lines, of);
        };
        const submission = { store, node, run, chainId, audit: options.audit, signal, onProgress };
        return await submitFrom(submission, file, options);
      } catch (error) {
        if (!isBegun || error instanceof CallsError) throw error;
        if (error instanceof FarmError && error.code === 'wrong_state') throw error;
        throw new CliError(`${errorMessage(error)}\n${resumeHint(run, file, options)}`, { cause: error });
      } finally {
        node.close();
        progress.stop();
      }
    }),
  );
  print(stored, options, context);
}

function expectOneSource(file: string | undefined, { sweep, traceBlocks, resume }: SubmitOptions): void {
  const given = [file, sweep, traceBlocks].filter((source) => source !== undefined).length;
  if (given === 1 || (given === 0 && resume !== undefined)) return;
  throw new UsageError('expected a FILE of calls, --sweep FILE or --trace-blocks A..B');
}

function expectUsedOptions(options: SubmitOptions): void {
  const { sweep, traceBlocks, resume } = options;
  const unused: readonly (readonly [names: readonly (keyof SubmitOptions)[], why: string])[] = [
    [sweep === undefined ? ['seed', 'samples'] : [], 'only with --sweep'],
    [traceBlocks === undefined ? ['tracer'] : [], 'only with --trace-blocks'],
    [traceBlocks === undefined ? [] : ['at', 'overrides', 'keepBadLines'], 'not with --trace-blocks'],
    [resume === undefined ? [] : SETTINGS, 'not with --resume: the run has its settings'],
  ];
  for (const [names, why] of unused) {
    const given = names.find((name) => options[name] !== undefined);
    if (given === undefined) continue;
    const flag = given.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
    throw new UsageError(`--${flag}: ${why}`);
  }
}

async function submitFrom(
  submission: Submission,
  file: string | undefined,
  options: SubmitOptions,
): Promise<StoredRun> {
  const { store, run } = submission;
  if (options.resume !== undefined && file === undefined && options.sweep === undefined) {
    const stored = await store.read(run);
    if (stored.record.kind === 'traces') return resumeTraces(submission, stored);
    throw new UsageError(`--resume ${run} needs the calls of that run: ${stored.record.source}`);
  }
  if (options.traceBlocks !== undefined) {
    const tracers = options.tracer ?? [{ type: 'call_tree' }];
    return submitTraces({ ...submission, ...options.traceBlocks, tracers });
  }
  const overrides = options.overrides === undefined ? undefined : await readOverrides(options.overrides);
  return withSource(file, options, (source) => {
    const calls = {
      ...submission,
      source,
      overrides,
      keepsBadLines: options.keepBadLines === true,
      at: options.at ?? { type: 'finalized' },
    };
    return options.resume === undefined ? submitCalls(calls) : resumeCalls(calls);
  });
}

async function withSource<T>(
  file: string | undefined,
  { sweep, seed, samples }: SubmitOptions,
  use: (source: CallSource) => Promise<T>,
): Promise<T> {
  if (sweep !== undefined) {
    const { readSweep } = await import('../../farm/sweep/sweep.js');
    const read = await readSweep(sweep, defined({ seed, samples }));
    return use(generatedSource(sweep, () => read.lines()));
  }
  if (file === '-') return withStandardInput(use);
  return use(fileSource(file ?? ''));
}

/** Reads a JSON list of StateOverride. @throws CliError */
async function readOverrides(path: string): Promise<string> {
  try {
    const { size } = await stat(path);
    if (size > MAX_OVERRIDES_BYTES) {
      throw new CliError(`--overrides: ${path}: expected at most ${MAX_OVERRIDES_BYTES} bytes, got ${size}`);
    }
    const list: unknown = JSON.parse(await readFile(path, 'utf8'));
    if (!Array.isArray(list)) throw new CliError(`--overrides: ${path}: expected a list`);
    for (const [place, one] of list.entries()) rpcTypes.StateOverride.fromJson(one, `[${place}]`);
    return JSON.stringify(list);
  } catch (error) {
    if (error instanceof CliError) throw error;
    throw new CliError(`--overrides: ${path}: ${errorMessage(error)}`, { cause: error });
  }
}

function print({ run, record, progress }: StoredRun, options: SubmitOptions, context: CommandContext): void {
  const { pin, kind } = record;
  const { jobs, lines } = progress;
  const what = kind === 'calls' ? 'line' : 'transaction';
  const text = [
    `run          ${run}`,
    `${kind === 'calls' ? 'calls        ' : 'traces       '}${counted(lines, what)} in ${counted(jobs, 'job')}`,
    `state        block ${pin.height} (${pin.hash})`,
    '',
    `follow it:   heddle farm status ${run} --watch`,
    `results:     heddle farm results ${run} --out ${run}`,
    `give it up:  heddle farm cancel ${run}`,
    '',
  ];
  const values = { run, kind, jobs, lines, height: Number(pin.height), block_hash: pin.hash };
  printAnswer(context, options, values, text.join('\n'));
}

function resumeHint(run: string, file: string | undefined, options: SubmitOptions): string {
  const { sweep, samples, seed, keepBadLines } = options;
  const words = [
    ...(file === undefined ? [] : [file]),
    ...(sweep === undefined ? [] : ['--sweep', sweep]),
    ...(samples === undefined ? [] : ['--samples', samples]),
    ...(seed === undefined ? [] : ['--seed', seed]),
    ...(keepBadLines === true ? ['--keep-bad-lines'] : []),
    ...['--resume', run],
  ];
  return `the run is incomplete: "heddle farm submit ${words.join(' ')}" continues it, "heddle farm remove ${run}" deletes it`;
}

function newName({ traceBlocks, sweep }: SubmitOptions): string {
  const kind = traceBlocks !== undefined ? 'traces' : sweep !== undefined ? 'sweep' : 'calls';
  const time = new Date().toISOString().replace(/[-:]/g, '').replace('T', '-').slice(0, 15);
  return `${kind}-${time}-${randomBytes(2).toString('hex')}`;
}

function blocks(text: string): { from: bigint; to: bigint } {
  const [, from, to] = /^(\d{1,16})\.\.(\d{1,16})$/.exec(text) ?? [];
  if (from !== undefined && to !== undefined && BigInt(from) <= BigInt(to)) {
    return { from: BigInt(from), to: BigInt(to) };
  }
  throw new InvalidArgumentError(`expected two heights such as 1..5000, got ${JSON.stringify(text)}`);
}
