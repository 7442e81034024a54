import { writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { Command } from 'commander';
import { errorMessage } from '../../base/errors.js';
import { connect, formatAmount, formatHash } from '../../client/client.js';
import type { Tracer } from '../../generated/node-rpc-v1.js';
import { rpcTypes } from '../../ledger/rpc-codecs.js';
import { CliError } from '../cli-error.js';
import type { CommandContext } from '../command-context.js';
import { urlOption, urlOrDefault } from '../common-options.js';
import { statusText } from '../outcome-text.js';
import { columns, explainRejections } from '../sending-options.js';
import { hash } from '../values.js';
import { flameGraph } from './flame-graph.js';
import { traceLines } from './trace-view.js';
import { tracerOption } from './tracer-option.js';

interface TraceOptions {
  readonly url?: string;
  readonly tracer?: readonly Tracer[];
  readonly flame?: string;
  readonly json?: boolean;
}

/** Timeout of the request; the node has its own limit for a trace. */
const TIMEOUT_MS = 120_000;

export function registerTraceCommand(program: Command, context: CommandContext): void {
  program
    .command('trace')
    .description('execute an included transaction again and show what it did')
    .argument('<TX>', 'hash of the transaction', hash)
    .addOption(tracerOption())
    .option('--flame <FILE>', 'write a flame graph of its gas as SVG')
    .option('--json', 'print the whole answer as JSON')
    .addOption(urlOption())
    .addHelpText(
      'after',
      [
        '',
        'Examples:',
        '  $ heddle trace 9b1c…e0',
        '  $ heddle trace 9b1c…e0 --tracer call_tree,state_diff',
        '  $ heddle trace 9b1c…e0 --flame gas.svg',
        '',
      ].join('\n'),
    )
    .action(async (tx: Uint8Array, options: TraceOptions) => {
      await trace(tx, options, context);
    });
}

async function trace(tx: Uint8Array, options: TraceOptions, context: CommandContext): Promise<void> {
  const { console, environment, workingDirectory } = context;
  const client = connect(urlOrDefault(options.url, environment), { timeoutMs: TIMEOUT_MS });
  const asked: readonly Tracer[] = options.tracer ?? [{ type: 'call_tree' }];
  const tracers: readonly Tracer[] =
    options.flame === undefined ? asked : [...asked, { type: 'gas_profile' }];
  const result = await explainRejections(() => client.chain_traceTransaction({ tx_hash: tx, tracers }));
  const { receipt } = result;
  const profile = result.trace.gas_profile;
  if (options.flame !== undefined) {
    if (profile === undefined) throw new CliError('failure', 'the node answered without the gas profile');
    const title = `${formatHash(tx)}: ${formatAmount(receipt.gas_used)} gas`;
    await write(resolve(workingDirectory, options.flame), flameGraph(profile.folded, title));
  }
  if (options.json) {
    console.out(`${rpcTypes.ChainTraceTransactionResult.toJson(result)}\n`);
    return;
  }
  const { gas_profile: _, ...others } = result.trace;
  const isWanted = asked.some(({ type }) => type === 'gas_profile');
  console.out(
    columns([
      ['transaction', formatHash(receipt.tx_hash)],
      ['block', `${receipt.height} (index ${receipt.index})`],
      ['status', statusText(receipt.status)],
      ['gas used', formatAmount(receipt.gas_used)],
      ...(options.flame === undefined ? [] : [['flame graph', options.flame] as const]),
    ]),
  );
  console.out(`\n${traceLines(isWanted ? result.trace : others).join('\n')}\n`);
}

async function write(path: string, text: string): Promise<void> {
  try {
    await writeFile(path, text);
  } catch (error) {
    throw new CliError('failure', `--flame: cannot write ${path}: ${errorMessage(error)}`, { cause: error });
  }
}
