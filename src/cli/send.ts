import { type Command, InvalidArgumentError, Option } from 'commander';
import {
  ClientError,
  connect,
  devAccount,
  formatAddress,
  formatAmount,
  parseAddress,
  parseAmount,
  RpcCallError,
  type SentTransaction,
  type Signer,
  type TransferOptions,
} from '../client/client.js';
import { CliError } from './cli-error.js';
import type { Console } from './console.js';
import { readKeyFile } from './key-file.js';
import { urlOption, urlOrDefault } from './node-url.js';
import type { CommandContext } from './run.js';

interface SendCommandOptions {
  readonly to: string;
  readonly amount: bigint;
  readonly fromDev?: number;
  readonly key?: string;
  readonly url?: string;
  readonly lane: number;
  readonly nonce?: bigint;
  readonly wait: 'none' | 'included' | 'finalized';
  readonly waitMs: number;
  readonly priorityFee?: bigint;
  readonly maxFee?: bigint;
  readonly gasLimit?: bigint;
  readonly validUntil?: bigint;
}

const MAX_U64 = (1n << 64n) - 1n;
const MAX_U32 = 4_294_967_295;

/** `heddle send`. */
export function registerSendCommand(program: Command, context: CommandContext): void {
  program
    .command('send')
    .description('send a transfer from a key file or a development account')
    .requiredOption('--to <ADDRESS>', 'who receives it')
    .requiredOption('--amount <AMOUNT>', 'how much, in the smallest unit: 1000, 1_000 or 1e18', amount)
    .addOption(
      new Option('--from-dev <I>', 'send from development account 0 to 9')
        .argParser((text) => integerUpTo(text, 9))
        .conflicts('key'),
    )
    .option('--key <FILE>', 'send from the key in this file, as "heddle keys new" writes it')
    .addOption(urlOption())
    .option('--lane <N>', 'nonce lane', (text) => integerUpTo(text, MAX_U32), 0)
    .option('--nonce <N>', 'nonce, to replace a transaction that waits (default: the next one)', u64)
    .addOption(
      new Option('--wait <UNTIL>', 'answer at once, or when it is in a block, or when that is final')
        .choices(['none', 'included', 'finalized'])
        .default('included'),
    )
    .option('--wait-ms <MS>', 'how long to wait at most', (text) => integerUpTo(text, 3_600_000), 60_000)
    .option('--priority-fee <AMOUNT>', 'extra for the proposer per unit of gas (default: 0)', amount)
    .option('--max-fee <AMOUNT>', 'most to pay per unit of gas (default: twice the base fee)', amount)
    .option('--gas-limit <N>', 'most gas to use (default: what a transfer can need)', u64)
    .option('--valid-until <HEIGHT>', 'last height at which it may be included', u64)
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
  const to = toAddress(options.to);
  const signer = signerOf(options, context.console);
  const client = connect(urlOrDefault(options.url, context.environment), {
    timeoutMs: 10_000,
    retry: { retries: 2 },
  });
  const sender = client.sender(signer, { lane: options.lane });
  const transfer: TransferOptions = {
    to,
    amount: options.amount,
    wait: options.wait,
    waitMs: options.waitMs,
    ...(options.nonce !== undefined && { nonce: options.nonce }),
    ...(options.priorityFee !== undefined && { priorityFee: options.priorityFee }),
    ...(options.maxFee !== undefined && { maxFee: options.maxFee }),
    ...(options.gasLimit !== undefined && { gasLimit: options.gasLimit }),
    ...(options.validUntil !== undefined && { validUntil: options.validUntil }),
  };
  const sent = await refusalsExplained(() => sender.transfer(transfer));
  context.console.out(describe(sent, signer, to, options));
  const outcome = sent.receipt?.status;
  if (outcome !== undefined && outcome.type !== 'success') {
    throw new CliError('failure', `it is in the chain but did not succeed: ${outcome.type}`);
  }
}

async function refusalsExplained<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof RpcCallError && error.reason !== undefined) {
      throw new CliError('failure', `rejected (${error.reason}): ${error.message}`, { cause: error });
    }
    if (error instanceof ClientError && error.code === 'unreachable') {
      throw new CliError('failure', `${error.message}; is it running ("heddle start")? --url names another`, {
        cause: error,
      });
    }
    throw error;
  }
}

function describe(
  sent: SentTransaction,
  signer: Signer,
  to: Uint8Array,
  options: SendCommandOptions,
): string {
  const { receipt } = sent;
  const lines = [
    ['transaction', sent.hashHex],
    ['from', `${formatAddress(signer.address)} (lane ${options.lane}, nonce ${sent.nonce})`],
    ['to', formatAddress(to)],
    ['amount', formatAmount(options.amount)],
  ];
  if (receipt === undefined) {
    lines.push(['status', sent.status.type]);
  } else {
    lines.push(
      ['status', `${receipt.status.type}${receipt.finalized ? ', final' : ''}`],
      ['block', `${receipt.height} (index ${receipt.index})`],
      ['gas used', formatAmount(receipt.gas_used)],
      ['fee', formatAmount(receipt.fee)],
    );
  }
  return `${lines.map(([name, value]) => `${(name ?? '').padEnd(12)} ${value}`).join('\n')}\n`;
}

function toAddress(text: string): Uint8Array {
  try {
    return parseAddress(text);
  } catch (error) {
    throw new CliError('usage', `--to: ${error instanceof Error ? error.message : String(error)}`);
  }
}

function signerOf(options: SendCommandOptions, console: Console): Signer {
  if (options.key !== undefined) {
    const { signer, warnings } = readKeyFile(options.key);
    for (const warning of warnings) console.err(`warning: ${warning}\n`);
    return signer;
  }
  if (options.fromDev !== undefined) return devAccount(options.fromDev);
  throw new CliError(
    'usage',
    'who sends? give --key FILE, or --from-dev 0 to 9 on a development chain (heddle send --help)',
  );
}

function amount(text: string): bigint {
  try {
    return parseAmount(text);
  } catch (error) {
    throw new InvalidArgumentError(error instanceof Error ? error.message : String(error));
  }
}

function u64(text: string): bigint {
  if (/^\d{1,20}$/.test(text) && BigInt(text) <= MAX_U64) return BigInt(text);
  throw new InvalidArgumentError(`expected an integer from 0 to ${MAX_U64}, got ${JSON.stringify(text)}`);
}

function integerUpTo(text: string, max: number): number {
  if (/^\d{1,10}$/.test(text) && Number(text) <= max) return Number(text);
  throw new InvalidArgumentError(`expected an integer from 0 to ${max}, got ${JSON.stringify(text)}`);
}
