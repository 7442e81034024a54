import type { Command } from 'commander';
import { formatAddress, formatAmount } from '../client/client.js';
import { CliError } from './cli-error.js';
import type { CommandContext } from './command-context.js';
import {
  addSendingOptions,
  amount,
  columns,
  refusalsExplained,
  type SendingOptions,
  senderOf,
  sendOptions,
  toAddress,
  transactionLines,
} from './sending.js';

interface SendCommandOptions extends SendingOptions {
  readonly to: string;
  readonly amount: bigint;
}

/** `heddle send`. */
export function registerSendCommand(program: Command, context: CommandContext): void {
  const command = program
    .command('send')
    .description('send a transfer from a key file or a development account')
    .requiredOption('--to <ADDRESS>', 'who receives it')
    .requiredOption('--amount <AMOUNT>', 'how much, in the smallest unit: 1000, 1_000 or 1e18', amount);
  addSendingOptions(command, ['included', 'none', 'finalized'], 'what a transfer can need')
    .addHelpText(
      'after',
      [
        '',
        'Examples:',
        '  $ heddle send --from-dev 0 --to 0x5f0c…91 --amount 1e18',
        '  $ heddle send --key alice.json --to 0x5f0c…91 --amount 250 --wait none',
        '',
      ].join('\n'),
    )
    .action(async (options: SendCommandOptions) => {
      await send(options, context);
    });
}

async function send(options: SendCommandOptions, context: CommandContext): Promise<void> {
  const to = toAddress(options.to, '--to');
  const sender = senderOf(options, context);
  const sent = await refusalsExplained(() =>
    sender.transfer({ ...sendOptions(options), to, amount: options.amount, wait: options.wait }),
  );
  context.console.out(
    columns(
      transactionLines(sent, sender, [
        ['to', formatAddress(to)],
        ['amount', formatAmount(options.amount)],
      ]),
    ),
  );
  const outcome = sent.receipt?.status;
  if (outcome !== undefined && outcome.type !== 'success') {
    throw new CliError('failure', `it is in the chain but did not succeed: ${outcome.type}`);
  }
}
