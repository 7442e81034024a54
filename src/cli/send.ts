import { defined } from '../base/defined.js';
import { formatAddress, formatAmount, type Sender } from '../client/client.js';
import type { SealedTransaction, SealedWaitFor } from '../client/seal-options.js';
import type { Action } from '../generated/ledger.js';
import type { CliCommand, CommandContext } from './cli-command.js';
import { UsageError } from './cli-error.js';
import { expectSuccess, sendAction, sentJson } from './send-action.js';
import {
  addSendingOptions,
  columns,
  explainRejections,
  headLines,
  type Lines,
  type SendingOptions,
  senderOf,
  sendOptions,
} from './sending-options.js';
import { amount, decimals, hexBytes, toAddress, toAmount, u64 } from './values.js';

/** The options of `heddle send`; `--wait` may also be `opened`. */
interface SendCommandOptions extends Omit<SendingOptions, 'wait'> {
  readonly to: string;
  readonly amount: string;
  readonly decimals?: number;
  readonly wait: SealedWaitFor;
  readonly sealed?: boolean;
  readonly opensAt?: bigint;
  readonly maxSealFee?: bigint;
  readonly groupKey?: Uint8Array;
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
    .action((options: SendCommandOptions) =>
      send(options, command.getOptionValueSource('wait') !== 'default', context),
    );
}

async function send(
  options: SendCommandOptions,
  isWaitGiven: boolean,
  context: CommandContext,
): Promise<void> {
  const { console } = context;
  checkSealingOptions(options, isWaitGiven);
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

function addSealingOptions(command: CliCommand): CliCommand {
  return command
    .option('--sealed', 'hide the contents until the position in the chain is fixed')
    .option(
      '--opens-at <HEIGHT>',
      'with --sealed: the height whose key opens it (default: the first with room from the next + 8 on, and one more for each validator that may fail)',
      u64,
    )
    .option(
      '--max-seal-fee <AMOUNT>',
      'with --sealed: the most that opening it may cost besides gas (default: the present price, and room for it to rise)',
      amount,
    )
    .option(
      '--group-key <KEY>',
      "with --sealed: the chain's group key to seal under, 48 bytes (default: the node's answer)",
      (text) => hexBytes(text, 48),
    );
}

/** Refuses contradictory options. @param isWaitGiven whether `--wait` was given explicitly */
function checkSealingOptions(options: SendCommandOptions, isWaitGiven: boolean): void {
  if (options.sealed === true) {
    if (options.dryRun === true) {
      throw new UsageError('--dry-run shows the node what --sealed hides: use one of them');
    }
    if (options.validUntil === undefined) return;
    throw new UsageError(
      '--valid-until cannot be combined with --sealed: a sealed transaction is included below --opens-at',
    );
  }
  if (options.opensAt !== undefined) throw new UsageError('--opens-at needs --sealed');
  if (options.maxSealFee !== undefined) throw new UsageError('--max-seal-fee needs --sealed');
  if (options.groupKey !== undefined) throw new UsageError('--group-key needs --sealed');
  if (isWaitGiven && options.wait === 'opened') {
    throw new UsageError('--wait opened needs --sealed: any other transaction is executed on inclusion');
  }
}

/** Seals and sends a transaction. @param isWaitGiven if false, waits until the transaction is opened */
function sendSealed(
  sender: Sender,
  action: Action,
  options: SendCommandOptions,
  isWaitGiven: boolean,
): Promise<SealedTransaction> {
  const { opensAt, maxSealFee, groupKey, wait } = options;
  return sender.seal(
    action,
    defined({
      ...sendOptions(options),
      wait: isWaitGiven ? wait : 'opened',
      opensAt,
      maxSealFee,
      groupPublicKey: groupKey,
    }),
  );
}

function sealedLines({ status, opensAt, inclusion, receipt }: SealedTransaction): Lines {
  const lines: [string, string][] = [];
  if (status.type === 'included') {
    const { height, index } = status.value;
    const fee = inclusion === undefined ? '' : `, for a fee of ${formatAmount(inclusion.fee)}`;
    lines.push(['included', `in block ${height} (index ${index})${fee}`]);
  } else {
    lines.push(['status', status.type]);
  }
  if (receipt === undefined) return [...lines, ['opens', `by the key of height ${opensAt}`]];
  return [
    ...lines,
    ['opened', `in block ${receipt.height} (index ${receipt.index}), by the key of height ${opensAt}`],
    ['status', `${receipt.status.type}${receipt.finalized ? ', final' : ''}`],
    ['gas used', formatAmount(receipt.gas_used)],
    ['fee', formatAmount(receipt.fee)],
  ];
}
