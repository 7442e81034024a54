import type { VerifyReport } from '../../chain/verify-chain.js';
import type { Config, OptionName } from '../../config/config.js';
import { printAnswer } from '../answer.js';
import type { CliCommand, CommandContext } from '../cli-command.js';
import { ReportedFailure } from '../cli-error.js';
import { interruptible } from '../end-process.js';
import { height } from '../option-parsers.js';
import { blockProgress } from '../progress.js';
import { addNodeOptions, configOf } from './node-options.js';

const OPTIONS_USED: readonly OptionName[] = ['dataDir', 'workers', 'native', 'cacheBytes'];

export function registerVerifyCommand(program: CliCommand, context: CommandContext): void {
  const command = program
    .command('verify')
    .option('--to <HEIGHT>', 'last height to verify (default: the tip)', height)
    .json();
  addNodeOptions(command, OPTIONS_USED);
  command
    .notes(
      'The node that owns the data directory must be stopped. Nothing in the directory is changed; the state is',
      'recomputed in a temporary one. Exit code 0: everything agrees. Exit code 1: something differs.',
      '',
      'A chain that began with a snapshot is executed from there. That needs the state of its first block, which is',
      'dropped after --state-retention blocks.',
    )
    .examples('heddle verify --data-dir ./heddle-data')
    .action(async (options: { readonly to?: bigint; readonly json?: boolean }, self: CliCommand) => {
      const report = await verify(configOf(self, context), options.to);
      const { blocks, transactions, base = null, difference = null } = report;
      const values = { blocks, transactions, snapshot_height: base, difference };
      printAnswer(context, options, values, `${describe(report)}\n`);
      if (report.difference !== undefined) throw new ReportedFailure();
    });
}

async function verify(config: Config, to: bigint | undefined): Promise<VerifyReport> {
  const { verifyDirectory } = await import('../../node/offline/verify-directory.js');
  const bar = blockProgress('verifying');
  try {
    return await interruptible('interrupted; no difference found so far', (signal) =>
      verifyDirectory(config, {
        ...(to !== undefined && { to }),
        signal,
        onProgress: ({ height: done, to: last }) => {
          if (!bar.isActive) bar.start(Number(last), Number(done));
          bar.update(Number(done));
        },
      }),
    );
  } finally {
    bar.stop();
  }
}

function describe({ blocks, transactions, base, difference }: VerifyReport): string {
  if (difference === undefined) {
    const since = base === undefined ? '' : ` after the snapshot of block ${base}`;
    return `verified ${blocks} blocks with ${transactions} transactions${since}: every signature, receipt, root and hash agrees`;
  }
  return [
    `block ${difference.height} differs in ${difference.what}`,
    `  stored:   ${difference.stored}`,
    `  computed: ${difference.computed}`,
    `the ${blocks} blocks before it, with ${transactions} transactions, agree`,
  ].join('\n');
}
