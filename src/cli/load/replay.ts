import { resolve } from 'node:path';
import type { SingleBar } from 'cli-progress';
import type { Command } from 'commander';
import { type Client, ClientError, connect, formatHash } from '../../client/client.js';
import { DEFAULT_RETRY } from '../../client/retry.js';
import type { RpcCaller } from '../../client/rpc-caller.js';
import type { RangeTx, Tracer } from '../../generated/node-rpc-v1.js';
import { rpcTypes } from '../../ledger/rpc-codecs.js';
import { keptHttpTransport } from '../../load/keep-alive-http-transport.js';
import { memberTexts, type ResultText } from '../../load/result-text.js';
import { defaultBatchSize, textCaller } from '../../load/text-caller.js';
import { CliError } from '../cli-error.js';
import type { CommandContext } from '../command-context.js';
import { height, integerBetween, urlOption, urlOrDefault } from '../common-options.js';
import { blockProgress } from '../progress.js';
import { explainRejections } from '../sending-options.js';
import { ReplayFile, type ReplayPosition } from './replay-file.js';
import { tracerOption } from './tracer-option.js';

interface ReplayOptions {
  readonly url?: string;
  readonly from: bigint;
  readonly to?: bigint;
  readonly out?: string;
  readonly tracer?: readonly Tracer[];
  readonly concurrency: number;
}

/** The compared fields of a ChainTraceTransactionResult; a transaction's gas is far below 2^53. */
interface TracedValue {
  readonly receipt: TracedEnd;
  readonly trace: { readonly call_tree?: TracedEnd };
}

interface TracedEnd {
  readonly gas_used: number;
  readonly status: { readonly type: string };
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
/** Heights per request: the node's limit for a range. */
const RANGE = 1_000n;
const MAX_SHOWN = 10;

export function registerReplayCommand(program: Command, context: CommandContext): void {
  program
    .command('replay')
    .description('trace every transaction of a range of blocks and check it against its receipt')
    .requiredOption('--from <HEIGHT>', 'first block', height)
    .option('--to <HEIGHT>', 'last block (default: the tip)', height)
    .option('--out <FILE>', 'write the traces as NDJSON; an existing file is continued')
    .addOption(tracerOption())
    .option('--concurrency <N>', 'maximum number of traces in flight', integerBetween(1, 1_024), 64)
    .addOption(urlOption())
    .addHelpText(
      'after',
      [
        '',
        'A line of the file is {"height", "index", "tx_hash", "receipt", "trace"}, in the order of the chain. Exit code 0:',
        'every transaction matches its receipt. Exit code 1: one does not, or could not be traced.',
        '',
        'Examples:',
        '  $ heddle replay --from 1',
        '  $ heddle replay --from 1 --to 5000 --tracer call_tree,state_diff --out traces.ndjson',
        '',
      ].join('\n'),
    )
    .action(async (options: ReplayOptions) => {
      await replay(options, context);
    });
}

async function replay(options: ReplayOptions, context: CommandContext): Promise<void> {
  const url = urlOrDefault(options.url, context.environment);
  const client = connect(url, { timeoutMs: TIMEOUT_MS });
  if (options.to !== undefined && options.to < options.from) {
    throw new CliError('usage', `--to ${options.to} is before --from ${options.from}`);
  }
  const tip = (await explainRejections(() => client.status())).tip.height;
  const to = options.to ?? tip;
  if (options.from > tip || to > tip) {
    const beyond = options.from > tip ? `--from ${options.from}` : `--to ${to}`;
    throw new CliError('failure', `${beyond}: the chain's last block is ${tip} so far`);
  }
  const file =
    options.out === undefined
      ? undefined
      : await ReplayFile.open(resolve(context.workingDirectory, options.out));
  const transport = keptHttpTransport(url);
  const caller = textCaller(transport, {
    retry: DEFAULT_RETRY,
    concurrency: options.concurrency,
    batch: defaultBatchSize(options.concurrency),
  });
  const report: ReplayReport = { traced: 0, skipped: 0, gas: 0n, differences: [] };
  const bar = blockProgress('replaying');
  bar.start(Number(to - options.from) + 1, 0);
  try {
    await explainRejections(() => run({ client, caller }, { ...options, to }, { file, report, bar }));
  } finally {
    bar.stop();
    await file?.close();
    await transport.close?.();
  }
  context.console.out(`${describe(report, options.from, to)}\n`);
  if (report.differences.length > 0) process.exitCode = 1;
}

/** The output of a replay: file, report and progress. */
interface ReplayOutput {
  readonly file: ReplayFile | undefined;
  readonly report: ReplayReport;
  readonly bar: SingleBar;
}

/** The node's client, and a raw caller for traces, whose text is written unchanged. */
interface ReplaySource {
  readonly client: Client;
  readonly caller: Pick<RpcCaller<ResultText>, 'call'>;
}

async function run(
  { client, caller }: ReplaySource,
  { from, to, tracer, concurrency: most }: ReplayOptions & { readonly to: bigint },
  { file, report, bar }: ReplayOutput,
): Promise<void> {
  // Without the call tree, a receipt cannot be compared.
  const asked = tracer ?? [CALL_TREE];
  const tracers = asked.some(({ type }) => type === 'call_tree') ? asked : [CALL_TREE, ...asked];
  const inFlight: Promise<() => Promise<void>>[] = [];
  const settleFirst = async (): Promise<void> => {
    const first = inFlight.shift();
    if (first !== undefined) await (await first)();
  };
  try {
    for await (const item of transactions(client, from, to)) {
      if (isBefore(item, file?.last)) {
        report.skipped++;
        continue;
      }
      // Answers are written in chain order, not in order of arrival.
      const traced = caller
        .call({
          method: 'chain_traceTransaction',
          params: rpcTypes.ChainTraceTransactionArgs.toJson({ tx_hash: item.tx_hash, tracers }),
          timeoutMs: TIMEOUT_MS,
          repeatable: true,
          unbatched: false,
        })
        .then((result) => async () => {
          note(report, item, tracedValue(result, item));
          if (file !== undefined) await file.append(line(item, result, asked));
          bar.update(Number(item.height - from));
        });
      traced.catch(() => undefined);
      inFlight.push(traced);
      if (inFlight.length >= most) await settleFirst();
    }
    while (inFlight.length > 0) await settleFirst();
    bar.update(Number(to - from) + 1);
  } finally {
    await Promise.allSettled(inFlight);
  }
}

/** The transactions of a range of blocks in chain order. Each page is requested while the previous one is consumed. */
async function* transactions(client: Client, from: bigint, to: bigint): AsyncIterableIterator<RangeTx> {
  const ask = (next: bigint) => {
    const last = next + RANGE - 1n < to ? next + RANGE - 1n : to;
    const page = client.get_txs_in_range({ from_height: next, to_height: last });
    // The loop awaits the page later; until then, a rejection must not count as unhandled.
    page.catch(() => undefined);
    return { last, page };
  };
  for (let asked = ask(from); ; ) {
    const { transactions: found, next_height: next = asked.last + 1n } = await asked.page;
    if (next > to) {
      yield* found;
      return;
    }
    asked = ask(next);
    yield* found;
  }
}

function isBefore({ height, index }: RangeTx, last: ReplayPosition | undefined): boolean {
  if (last === undefined) return false;
  return height < last.height || (height === last.height && index <= last.index);
}

/** @throws ClientError `bad_answer` if a field is missing, as from a node of another version */
function tracedValue({ value }: ResultText, { tx_hash: hash }: RangeTx): TracedValue {
  const { receipt, trace } = (value ?? {}) as Partial<TracedValue>;
  const tree = trace?.call_tree;
  if (isEnd(receipt) && trace && (tree === undefined || isEnd(tree))) return { receipt, trace };
  const what = `the trace of ${formatHash(hash)}`;
  throw new ClientError(
    'bad_answer',
    `${what} lacks gas_used or status where its receipt and calls have them`,
  );
}

function isEnd(end: Partial<TracedEnd> | null | undefined): end is TracedEnd {
  return Number.isSafeInteger(end?.gas_used) && typeof end?.status?.type === 'string';
}

/** Compares a trace with its receipt. The node itself compares the receipts of both executions. */
function note(report: ReplayReport, item: RangeTx, { receipt, trace }: TracedValue): void {
  report.traced++;
  report.gas += BigInt(receipt.gas_used);
  const tree = trace.call_tree;
  const says = (what: string, traced: unknown, stored: unknown): void => {
    if (traced === stored) return;
    const { height, index, tx_hash: hash } = item;
    report.differences.push(
      `block ${height}, transaction ${index} (${formatHash(hash)}): ${what} is ${traced}, the receipt says ${stored}`,
    );
  };
  says('gas used', item.gas_used, BigInt(receipt.gas_used));
  if (tree === undefined) return;
  says('gas used', tree.gas_used, receipt.gas_used);
  says('status', tree.status.type, receipt.status.type);
}

function line(
  { height, index, tx_hash: hash }: RangeTx,
  { text }: ResultText,
  asked: readonly Tracer[],
): string {
  const members = memberTexts(text);
  const [receipt, trace] = [members.get('receipt'), members.get('trace') ?? '{}'];
  const wanted = asked.some(({ type }) => type === 'call_tree') ? trace : withoutCallTree(trace);
  return `{"height":${height},"index":${index},"tx_hash":"${formatHash(hash)}","receipt":${receipt},"trace":${wanted}}`;
}

function withoutCallTree(trace: string): string {
  const others = [...memberTexts(trace)].filter(([name]) => name !== 'call_tree');
  return `{${others.map(([name, text]) => `${JSON.stringify(name)}:${text}`).join(',')}}`;
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
