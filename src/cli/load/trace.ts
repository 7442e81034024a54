import { writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { errorMessage } from '../../base/errors.js';
import { connect, formatAmount, formatHash } from '../../client/client.js';
import type { Trace, Tracer } from '../../generated/node-rpc-v1.js';
import { rpcTypes } from '../../ledger/rpc-codecs.js';
import type { CliCommand } from '../cli-command.js';
import { CliError, UsageError } from '../cli-error.js';
import type { CommandContext } from '../command-context.js';
import { accessTo, type ConnectionOptions } from '../connection-options.js';
import { statusText } from '../outcome-text.js';
import { columns, explainRejections } from '../sending-options.js';
import { hash } from '../values.js';
import { failedLines } from './failed-lines.js';
import { flameGraph } from './flame-graph.js';
import { traceLines } from './trace-view.js';
import { tracerOption } from './tracer-option.js';

interface TraceOptions extends ConnectionOptions {
  readonly tracer?: readonly Tracer[];
  readonly flame?: string;
  readonly project?: string;
  readonly json?: boolean;
}

/** Timeout of the request; the node has its own limit for a trace. */
const TIMEOUT_MS = 120_000;

export function registerTraceCommand(program: CliCommand, context: CommandContext): void {
  program
    .command('trace')
    .connection()
    .argument('<TX>', 'hash of the transaction', hash)
    .addOption(tracerOption())
    .option('--flame <FILE>', 'write a flame graph of its gas as SVG')
    .option('--project <FOLDER>', "show where a failed call stopped, from the sources in a contract's folder")
    .json('print the whole answer as JSON')
    .examples(
      'heddle trace 9b1c…e0',
      'heddle trace 9b1c…e0 --tracer call_tree,state_diff',
      'heddle trace 9b1c…e0 --flame gas.svg',
      'heddle trace 9b1c…e0 --project my_token',
    )
    .action(async (tx: Uint8Array, options: TraceOptions) => {
      await trace(tx, options, context);
    });
}

async function trace(tx: Uint8Array, options: TraceOptions, context: CommandContext): Promise<void> {
  const { console, workingDirectory } = context;
  if (options.json && options.project !== undefined) {
    throw new UsageError('--project adds text: give it without --json');
  }
  const { url, ...access } = accessTo(options, context);
  const client = connect(url, { ...access, timeoutMs: TIMEOUT_MS });
  const asked: readonly Tracer[] = options.tracer ?? [{ type: 'call_tree' }];
  const tracers: readonly Tracer[] = [
    ...asked,
    ...(options.flame === undefined ? [] : [{ type: 'gas_profile' } as const]),
    ...(options.project === undefined ? [] : [{ type: 'call_tree' } as const, { type: 'prestate' } as const]),
  ];
  const result = await explainRejections(() => client.chain_traceTransaction({ tx_hash: tx, tracers }));
  const { receipt } = result;
  const profile = result.trace.gas_profile;
  if (options.flame !== undefined) {
    if (profile === undefined) throw new CliError('the node answered without the gas profile');
    const title = `${formatHash(tx)}: ${formatAmount(receipt.gas_used)} gas`;
    await write(resolve(workingDirectory, options.flame), flameGraph(profile.folded, title));
  }
  if (options.json) {
    console.out(`${rpcTypes.ChainTraceTransactionResult.toJson(result)}\n`);
    return;
  }
  const wanted = new Set(asked.map(({ type }) => type));
  const others = Object.fromEntries(
    Object.entries(result.trace).filter(
      ([part]) => part === 'truncated' || wanted.has(part as Tracer['type']),
    ),
  ) as Partial<Trace> & Pick<Trace, 'truncated'>;
  console.out(
    columns([
      ['transaction', formatHash(receipt.tx_hash)],
      ['block', `${receipt.height} (index ${receipt.index})`],
      ['status', statusText(receipt.status)],
      ['gas used', formatAmount(receipt.gas_used)],
      ...(options.flame === undefined ? [] : [['flame graph', options.flame] as const]),
    ]),
  );
  console.out(`\n${traceLines(others).join('\n')}\n`);
  if (options.project !== undefined) {
    console.out(`\n${await failedLines(resolve(workingDirectory, options.project), result, client)}\n`);
  }
}

async function write(path: string, text: string): Promise<void> {
  try {
    await writeFile(path, text);
  } catch (error) {
    throw new CliError(`--flame: cannot write ${path}: ${errorMessage(error)}`, { cause: error });
  }
}
