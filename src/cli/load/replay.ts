import { resolve } from 'node:path';
import { connect, formatHash } from '../../client/client.js';
import { DEFAULT_RETRY } from '../../client/retry.js';
import type { RangeTx, Tracer } from '../../generated/node-rpc-v1.js';
import { keptHttpTransport } from '../../load/keep-alive-http-transport.js';
import { LineFile } from '../../load/line-file.js';
import { workInOrder } from '../../load/ordered-work.js';
import { defaultBatchSize, textCaller } from '../../load/text-caller.js';
import { rangeTransactions } from '../../load/traces/range-transactions.js';
import { readTrace, type TracedTransaction, traceCall } from '../../load/traces/traced-transaction.js';
import { printAnswer } from '../answer.js';
import type { CliCommand, CommandContext } from '../cli-command.js';
import { CliError, ReportedFailure, UsageError } from '../cli-error.js';
import { accessTo } from '../connection-options.js';
import { height, integerBetween } from '../option-parsers.js';
import { blockProgress } from '../progress.js';
import { explainRejections, type NodeCommandOptions } from '../sending-options.js';
import { tracerOption } from './tracer-option.js';

interface ReplayOptions extends NodeCommandOptions {
  readonly from: bigint;
  readonly to?: bigint;
  readonly out?: string;
  readonly tracer?: readonly Tracer[];
  readonly concurrency: number;
}

interface ReplayReport {
  /** Number of transactions traced now, and of those already in the file. */
  traced: number;
  skipped: number;
  gas: bigint;
  /** Descriptions of transactions that differ from their receipts. */
  readonly differences: string[];
}

const TIMEOUT_MS = 120_000;
const CALL_TREE: Tracer = { type: 'call_tree' };
const MAX_SHOWN = 10;

type TransactionPosition = Pick<RangeTx, 'height' | 'index'>;

const TRACES = {
  beginning: '{"height":',
  foreign: 'is not a trace of "heddle replay"; name another file',
  position: ({ height, index }: Readonly<Record<string, unknown>>) =>
    Number.isSafeInteger(height) && Number.isSafeInteger(index)
      ? { height: BigInt(height as number), index: index as number }
      : undefined,
};

export function registerReplayCommand(program: CliCommand, context: CommandContext): void {
  program
    .command('replay')
    .connection()
    .requiredOption('--from <HEIGHT>', 'first block', height)
    .option('--to <HEIGHT>', 'last block (default: the tip)', height)
    .option('--out <FILE>', 'write the traces as NDJSON; an existing file is continued')
    .addOption(tracerOption())
    .option('--concurrency <N>', 'maximum number of traces in flight', integerBetween(1, 1_024), 64)
    .json()
    .notes(
      'A line of the file is {"height", "index", "tx_hash", "receipt", "trace"}, in the order of the chain. Exit code 0:',
      'every transaction matches its receipt. Exit code 1: one does not, or could not be traced.',
    )
    .examples(
      'heddle replay --from 1',
      'heddle replay --from 1 --to 5000 --tracer call_tree,state_diff --out traces.ndjson',
    )
    .action((options: ReplayOptions) => replay(options, context));
}

async function replay(options: ReplayOptions, context: CommandContext): Promise<void> {
  const { url, ...access } = accessTo(options, context);
  const client = connect(url, { ...access, timeoutMs: TIMEOUT_MS });
  if (options.to !== undefined && options.to < options.from) {
    throw new UsageError(`--to ${options.to} is before --from ${options.from}`);
  }
  const tip = (await explainRejections(() => client.status())).tip.height;
  const to = options.to ?? tip;
  if (options.from > tip || to > tip) {
    const beyond = options.from > tip ? `--from ${options.from}` : `--to ${to}`;
    throw new CliError(`${beyond}: the chain's last block is ${tip} so far`);
  }
  const file =
    options.out === undefined
      ? undefined
      : await LineFile.open(resolve(context.workingDirectory, options.out), TRACES, true);
  const transport = keptHttpTransport(url, access);
  const caller = textCaller(transport, {
    retry: DEFAULT_RETRY,
    concurrency: options.concurrency,
    batch: defaultBatchSize(options.concurrency),
  });
  const report: ReplayReport = { traced: 0, skipped: 0, gas: 0n, differences: [] };
  const { from, concurrency, tracer = [CALL_TREE] } = options;
  const bar = blockProgress('replaying');
  bar.start(Number(to - from) + 1, 0);
  try {
    await explainRejections(() =>
      workInOrder<RangeTx, TracedTransaction>({
        items: rangeTransactions(client, from, to),
        concurrency,
        signal: new AbortController().signal,
        work: (item) => (isBefore(item, file?.last) ? null : trace(caller, item, tracer)),
        sizeOf: ({ members }) => members.length,
        settle: async (traced, item) => {
          if (traced === null) report.skipped++;
          else {
            note(report, traced);
            await file?.write(line(item, traced));
          }
          bar.update(Number(item.height - from));
        },
      }),
    );
    bar.update(Number(to - from) + 1);
  } finally {
    bar.stop();
    await file?.close();
    await transport.close?.();
  }
  printAnswer(context, options, { from, to, ...report }, `${describe(report, from, to)}\n`);
  if (report.differences.length > 0) throw new ReportedFailure();
}

/** A raw caller, for traces whose text is written unchanged. */
type TraceCaller = ReturnType<typeof textCaller>;

async function trace(
  caller: TraceCaller,
  item: RangeTx,
  tracers: readonly Tracer[],
): Promise<TracedTransaction> {
  const call = traceCall(item, tracers);
  const result = await caller.call({ ...call, timeoutMs: TIMEOUT_MS, repeatable: true, unbatched: false });
  return readTrace(result, item, tracers);
}

function isBefore({ height, index }: RangeTx, last: TransactionPosition | undefined): boolean {
  if (last === undefined) return false;
  return height < last.height || (height === last.height && index <= last.index);
}

function note(report: ReplayReport, { gas, differences }: TracedTransaction): void {
  report.traced++;
  report.gas += BigInt(gas);
  report.differences.push(...differences);
}

function line({ height, index, tx_hash: hash }: RangeTx, { members }: TracedTransaction): string {
  return `{"height":${height},"index":${index},"tx_hash":"${formatHash(hash)}",${members}}`;
}

function describe({ traced, skipped, gas, differences }: ReplayReport, from: bigint, to: bigint): string {
  const before = skipped === 0 ? '' : `; ${skipped} were in the file already`;
  const summary = `replayed blocks ${from} to ${to}: ${traced} transactions, ${gas} gas${before}`;
  if (differences.length === 0) return `${summary}: all come out as their receipts say`;
  const shown = differences.slice(0, MAX_SHOWN).map((difference) => `  ${difference}`);
  const rest = differences.length - shown.length;
  return [
    `${summary}: ${differences.length} differences`,
    ...shown,
    ...(rest > 0 ? [`  and ${rest} more`] : []),
  ].join('\n');
}
