import { formatAddress, formatAmount } from '../client/client.js';
import type { Action } from '../generated/ledger.js';
import type { CliCommand } from './cli-command.js';
import type { CommandContext } from './command-context.js';
import { expectSuccess, sendAction, sentJson } from './send-action.js';
import {
  addSealingOptions,
  checkSealingOptions,
  type SealingOptions,
  sealedLines,
  sendSealed,
} from './send-sealed.js';
import {
  addSendingOptions,
  columns,
  explainRejections,
  headLines,
  type Lines,
  senderOf,
} from './sending-options.js';
import { decimals, toAddress, toAmount } from './values.js';

interface SendCommandOptions extends SealingOptions {
  readonly to: string;
  readonly amount: string;
  readonly decimals?: number;
}

export function registerSendCommand(program: CliCommand, context: CommandContext): void {
  const command = program
    .command('send')
    .requiredOption('--to <ADDRESS>', 'who receives it')
    .requiredOption('--amount <AMOUNT>', 'how much, in the smallest unit: 1000, 1_000 or 1e18')
    .option('--decimals <N>', 'count the amount in units of 10^N: --amount 1.5 --decimals 18', decimals);
  addSendingOptions(command, ['included', 'none', 'opened', 'finalized'], 'what a transfer can need');
  addSealingOptions(command)
    .examples(
      'heddle send --from-dev 0 --to 0x5f0c…91 --amount 1e18',
      'heddle send --from-dev 0 --to dev:1 --amount 1.5 --decimals 18',
      'heddle send --key alice.json --to 0x5f0c…91 --amount 250 --wait none',
      'heddle send --from-dev 0 --to dev:1 --amount 1e18 --sealed',
      'heddle send --from-dev 0 --to dev:1 --amount 1e18 --dry-run',
      'heddle send --from-dev 0 --to dev:1 --amount 1e18 --json | jq -r .tx_hash',
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
  const { console } = context;
  const to = toAddress(options.to, '--to');
  const amount = toAmount(options.amount, options.decimals, '--amount');
  const sender = await senderOf(options, context);
  const action: Action = { type: 'transfer', value: { to, amount } };
  const what: Lines = [
    ['to', formatAddress(to)],
    ['amount', formatAmount(amount, options.decimals)],
  ];
  if (options.sealed !== true) {
    const { wait, ...others } = options;
    const usual = { ...others, wait: wait === 'opened' ? 'included' : wait } as const;
    await sendAction({ sender, action, options: usual, console, what });
    return;
  }
  const sealed = await explainRejections(() => sendSealed(sender, action, options, isWaitGiven));
  console.out(
    options.json === true
      ? `${sentJson(sealed, sender, [`"opens_at":${sealed.opensAt}`])}\n`
      : columns([...headLines(sealed, sender, what), ...sealedLines(sealed)]),
  );
  expectSuccess(sealed.receipt);
}
