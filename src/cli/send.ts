import type { Command } from 'commander';
import { formatAddress, formatAmount } from '../client/client.js';
import type { Action } from '../generated/ledger.js';
import { CliError } from './cli-error.js';
import type { CommandContext } from './command-context.js';
import {
  addSealingOptions,
  checkSealingOptions,
  type SealingOptions,
  sealedLines,
  sendSealed,
} from './send-sealed.js';
import {
  addSendingOptions,
  amount,
  columns,
  explainRejections,
  headLines,
  type Lines,
  senderOf,
  sendOptions,
  toAddress,
  transactionLines,
} from './sending-options.js';

interface SendCommandOptions extends SealingOptions {
  readonly to: string;
  readonly amount: bigint;
}

export function registerSendCommand(program: Command, context: CommandContext): void {
  const command = program
    .command('send')
    .description('send a transfer from a key file or a development account')
    .requiredOption('--to <ADDRESS>', 'who receives it')
    .requiredOption('--amount <AMOUNT>', 'how much, in the smallest unit: 1000, 1_000 or 1e18', amount);
  addSendingOptions(command, ['included', 'none', 'opened', 'finalized'], 'what a transfer can need');
  addSealingOptions(command)
    .addHelpText(
      'after',
      [
        '',
        'Examples:',
        '  $ heddle send --from-dev 0 --to 0x5f0c…91 --amount 1e18',
        '  $ heddle send --key alice.json --to 0x5f0c…91 --amount 250 --wait none',
        '  $ heddle send --from-dev 0 --to dev:1 --amount 1e18 --sealed',
        '',
      ].join('\n'),
    )
    .action(async (options: SendCommandOptions) => {
      const isWaitGiven = command.getOptionValueSource('wait') !== 'default';
      checkSealingOptions(options, isWaitGiven);
      await send(options, isWaitGiven, context);
    });
}

async function send(
  options: SendCommandOptions,
  isWaitGiven: boolean,
  context: CommandContext,
): Promise<void> {
  const to = toAddress(options.to, '--to');
  const sender = senderOf(options, context);
  const action: Action = { type: 'transfer', value: { to, amount: options.amount } };
  const what: Lines = [
    ['to', formatAddress(to)],
    ['amount', formatAmount(options.amount)],
  ];
  const { lines, receipt } = await explainRejections(async () => {
    if (options.sealed === true) {
      const sealed = await sendSealed(sender, action, options, isWaitGiven);
      return { lines: [...headLines(sealed, sender, what), ...sealedLines(sealed)], receipt: sealed.receipt };
    }
    const { wait } = options;
    const sent = await sender.send(action, {
      ...sendOptions(options),
      wait: wait === 'opened' ? 'included' : wait,
    });
    return { lines: transactionLines(sent, sender, what), receipt: sent.receipt };
  });
  context.console.out(columns(lines));
  const outcome = receipt?.status;
  if (outcome !== undefined && outcome.type !== 'success') {
    throw new CliError('failure', `it was included but did not succeed: ${outcome.type}`);
  }
}
