import { Option } from 'commander';
import { defined } from '../base/defined.js';
import { shownLine } from '../base/shown-text.js';
import {
  type Client,
  ClientError,
  type ConnectOptions,
  connect,
  formatAddress,
  formatAmount,
  RpcCallError,
  type Sender,
  type SendOptions,
  type SentTransaction,
  type Signer,
} from '../client/client.js';
import type { Receipt } from '../generated/node-rpc-v1.js';
import type { JsonFlag } from './answer.js';
import type { CliCommand, CommandContext } from './cli-command.js';
import { CliError, UsageError } from './cli-error.js';
import { accessTo, type ConnectionOptions } from './connection-options.js';
import { devSigner, MAX_DEV_INDEX } from './dev-signer.js';
import { passphraseFileOption, readKey } from './key-file.js';
import { integerBetween } from './option-parsers.js';
import type { PassphraseOptions } from './passphrase.js';
import { amount, u32, u64 } from './values.js';

export interface SendingOptions extends PassphraseOptions, NodeCommandOptions {
  readonly fromDev?: number;
  readonly key?: string;
  readonly lane: number;
  readonly nonce?: bigint;
  readonly wait: 'none' | 'included' | 'finalized';
  readonly waitMs: number;
  readonly priorityFee?: bigint;
  readonly maxFee?: bigint;
  readonly gasLimit?: bigint;
  readonly validUntil?: bigint;
  readonly dryRun?: boolean;
  readonly force?: boolean;
}

/** The options of a command that may wait for something else. */
type Unwaited = Omit<SendingOptions, 'wait'>;

/**
 * Adds the options common to all transactions.
 * @param waits the allowed values of `--wait`, the default first
 * @param gas description of the default gas limit
 */
export function addSendingOptions(
  command: CliCommand,
  waits: readonly (SendingOptions['wait'] | 'opened')[],
  gas: string,
): CliCommand {
  const [usual] = waits;
  return command
    .connection()
    .addOption(
      new Option('--from-dev <I>', 'send from this development account: 0, 1 …')
        .argParser(integerBetween(0, MAX_DEV_INDEX))
        .conflicts('key'),
    )
    .option('--key <FILE>', 'send from the key in this file, as "heddle keys new" writes it')
    .addOption(passphraseFileOption())
    .option('--lane <N>', 'nonce lane', u32, 0)
    .option(
      '--nonce <N>',
      'nonce, such as that of a pending transaction to replace (default: the next one)',
      u64,
    )
    .addOption(
      new Option(
        '--wait <UNTIL>',
        waits.includes('opened')
          ? 'answer at once, or when it is in a block, or when it is opened if it is sealed, or when that is final'
          : waits.includes('none')
            ? 'answer at once, or when it is in a block, or when that is final'
            : 'answer when it is in a block, or when that is final',
      )
        .choices([...waits].sort((a, b) => WAITS.indexOf(a) - WAITS.indexOf(b)))
        .default(usual),
    )
    .option('--wait-ms <MS>', 'how long to wait at most', integerBetween(0, 3_600_000), 60_000)
    .addOption(priorityFeeOption())
    .addOption(maxFeeOption())
    .option('--gas-limit <N>', `most gas to use (default: ${gas})`, u64)
    .option('--valid-until <HEIGHT>', 'last height at which it may be included', u64)
    .option('--dry-run', 'simulate it on the latest state, print the outcome, and send nothing')
    .addOption(
      new Option('--force', 'send it even if a simulation shows that it would fail').conflicts('dryRun'),
    )
    .json('print JSON: the transaction with its receipt, or the result of the simulation');
}

export function priorityFeeOption(): Option {
  const text = 'extra for the proposer per unit of gas (default: 0)';
  return new Option('--priority-fee <AMOUNT>', text).argParser(amount);
}

export function maxFeeOption(): Option {
  const text = 'most to pay per unit of gas (default: twice the base fee)';
  return new Option('--max-fee <AMOUNT>', text).argParser(amount);
}

const WAITS: readonly (SendingOptions['wait'] | 'opened')[] = ['none', 'included', 'opened', 'finalized'];

export async function senderOf(options: Unwaited, context: CommandContext): Promise<Sender> {
  const signer = await signerOf(options, context);
  return connectTo(options, context).sender(signer, { lane: options.lane });
}

export function connectTo(
  options: ConnectionOptions,
  context: CommandContext,
  given: ConnectOptions = { timeoutMs: 10_000, retry: { retries: 2 } },
): Client {
  const { url, ...access } = accessTo(options, context);
  return connect(url, { ...access, ...given });
}

/** The options of every command that asks a node and prints its answer. */
export interface NodeCommandOptions extends ConnectionOptions, JsonFlag {}

/** Runs `work` with a client of the chosen node. @throws CliError that explains an unreachable node */
export function askNode<T>(
  options: NodeCommandOptions,
  context: CommandContext,
  work: (client: Client) => Promise<T>,
): Promise<T> {
  return explainRejections(() => work(connectTo(options, context)));
}

async function signerOf(options: Unwaited, context: CommandContext): Promise<Signer> {
  if (options.key !== undefined) return (await readKey(options.key, options, context)).signer;
  if (options.fromDev !== undefined) return devSigner(options.fromDev);
  throw new UsageError(
    'no sender: give --key FILE, or --from-dev INDEX on a development chain (--help shows all options)',
  );
}

/** The client's options, except for how long to wait. */
export function sendOptions(options: Unwaited): Omit<SendOptions, 'wait'> {
  const { waitMs, nonce, priorityFee, maxFee, gasLimit, validUntil } = options;
  return defined({ waitMs, nonce, priorityFee, maxFee, gasLimit, validUntil });
}

/** Runs `work`, which calls a node. @throws CliError that explains a rejection or an unreachable node */
export async function explainRejections<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof RpcCallError && error.reason !== undefined) {
      throw new CliError(`rejected (${error.reason}): ${error.message}`, { cause: error });
    }
    if (error instanceof ClientError && error.code === 'unreachable') {
      throw new CliError(`${error.message}; is it running ("heddle start")? --url names another node`, {
        cause: error,
      });
    }
    throw error;
  }
}

export type Lines = readonly (readonly [name: string, value: string])[];

/** The lines known when a transaction is sent: hash, sender, and the given `what`. */
export function headLines(
  { hashHex, nonce }: SentTransaction,
  { signer, lane }: Pick<Sender, 'signer' | 'lane'>,
  what: Lines,
): Lines {
  return [
    ['transaction', hashHex],
    ['from', `${formatAddress(signer.address)} (lane ${lane}, nonce ${nonce})`],
    ...what,
  ];
}

/** The lines printed for every transaction: hash, sender, action and outcome. */
export function transactionLines(sent: SentTransaction, { signer, lane }: Sender, what: Lines): Lines {
  const { receipt } = sent;
  const lines = headLines(sent, { signer, lane }, what);
  if (receipt === undefined) return [...lines, ['status', sent.status.type]];
  return [...lines, ...receiptLines(receipt)];
}

export function receiptLines({ status, finalized, height, index, gas_used, fee }: Receipt): Lines {
  return [
    ['status', `${status.type}${finalized ? ', final' : ''}`],
    ['block', `${height} (index ${index})`],
    ['gas used', formatAmount(gas_used)],
    ['fee', formatAmount(fee)],
  ];
}

export function columns(lines: Lines): string {
  return lines.map(([name, value]) => `${name.padEnd(12)} ${shownLine(value)}\n`).join('');
}
