import { Option } from 'commander';
import { defined } from '../base/defined.js';
import {
  type BundledTransaction,
  type BundleItem,
  CallFailedError,
  type Client,
  formatAddress,
  formatAmount,
  formatHash,
  type SentBundle,
  type Signer,
  toJson,
} from '../client/client.js';
import type { BundleSimulateResult } from '../generated/node-rpc-v1.js';
import type { JsonValue } from '../idl/json-value.js';
import { FILE_HELP, readBundleFile } from './bundle-file.js';
import type { CliCommand, CommandContext } from './cli-command.js';
import { CliError, UsageError } from './cli-error.js';
import { devSigner, MAX_DEV_INDEX } from './dev-signer.js';
import { type LoadedKey, passphraseFileOption, readKey } from './key-file.js';
import { height, integerBetween } from './option-parsers.js';
import { statusText } from './outcome-text.js';
import type { PassphraseOptions } from './passphrase.js';
import {
  columns,
  connectTo,
  explainRejections,
  type Lines,
  type NodeCommandOptions,
  receiptLines,
} from './sending-options.js';

interface BundleCommandOptions extends PassphraseOptions, NodeCommandOptions {
  readonly fromDev?: number;
  readonly key?: string;
  readonly wait: 'none' | 'included' | 'finalized';
  readonly waitMs: number;
  readonly maxHeight?: bigint;
  readonly dryRun: boolean;
  readonly force: boolean;
}

export function registerBundleCommand(program: CliCommand, context: CommandContext): void {
  program
    .command('bundle')
    .connection()
    .argument('<FILE>', 'JSON list of transactions')
    .addOption(
      new Option('--from-dev <I>', 'development account (0, 1 …) for transactions without "from"')
        .argParser(integerBetween(0, MAX_DEV_INDEX))
        .conflicts('key'),
    )
    .option('--key <FILE>', 'key file for transactions without "from"')
    .addOption(passphraseFileOption())
    .choice(
      '--wait <UNTIL>',
      'answer at once, or when it is in a block, or when that is final',
      ['none', 'included', 'finalized'],
      'included',
    )
    .option('--wait-ms <MS>', 'how long to wait at most', integerBetween(0, 3_600_000), 60_000)
    .option(
      '--max-height <HEIGHT>',
      'last height at which it may be included (default: that of the node)',
      height,
    )
    .option('--dry-run', 'simulate it and send nothing', false)
    .option('--force', 'send it without simulating it first', false)
    .json()
    .notes(FILE_HELP)
    .examples(
      'heddle bundle payments.json --from-dev 0',
      'heddle bundle payments.json --dry-run',
      'heddle bundle swap.json --key alice.json --wait finalized --json',
    )
    .action((file: string, options: BundleCommandOptions) => runBundle(file, options, context));
}

async function runBundle(
  file: string,
  options: BundleCommandOptions,
  context: CommandContext,
): Promise<void> {
  if (options.dryRun && options.force) throw new UsageError('--force: not with --dry-run');
  const client = connectTo(options, context);
  // Each file is read once, and asks for its passphrase once.
  const keys = new Map<string, Promise<LoadedKey>>();
  const signerIn = async (path: string): Promise<Signer> => {
    const key = keys.get(path) ?? readKey(path, options, context);
    keys.set(path, key);
    return (await key).signer;
  };
  const usualSigner = async (): Promise<Signer> => {
    if (options.key !== undefined) return signerIn(options.key);
    if (options.fromDev !== undefined) return devSigner(options.fromDev);
    throw new UsageError('no sender: give "from", --key FILE or --from-dev');
  };
  const items = await readBundleFile(file, { client, readKey: signerIn, usualSigner });
  await explainRejections(async () => {
    if (options.dryRun) await tryBundle(client, items, options, context);
    else await sendBundle(client, items, options, context);
  });
}

async function tryBundle(
  client: Client,
  items: readonly BundleItem[],
  { json }: BundleCommandOptions,
  { console }: CommandContext,
): Promise<void> {
  const simulated = await client.bundle(items).simulate();
  console.out(
    json ? jsonText(toJson('BundleSimulateResult', simulated)) : columns(simulatedLines(simulated)),
  );
  if (!simulated.atomic_success) throw new CliError('the bundle would not be included');
}

function simulatedLines({ results, atomic_success, gas_used }: BundleSimulateResult): Lines {
  return [
    ...results.map(({ status, gas_estimate }, i): [string, string] => [
      `${i + 1}`,
      `${statusText(status)}, needs ${formatAmount(gas_estimate)} gas`,
    ]),
    ['bundle', atomic_success ? 'would be included' : 'would not be included'],
    ['gas used', formatAmount(gas_used)],
  ];
}

async function sendBundle(
  client: Client,
  items: readonly BundleItem[],
  { wait, waitMs, maxHeight, force, json }: BundleCommandOptions,
  { console }: CommandContext,
): Promise<void> {
  let sent: SentBundle;
  try {
    sent = await client.bundle(items).send(defined({ wait, waitMs, preflight: !force, maxHeight }));
  } catch (error) {
    if (!(error instanceof CallFailedError)) throw error;
    throw new CliError(`${error.message} (use --force to send it anyway)`, { cause: error });
  }
  console.out(json ? jsonText(sentJson(sent)) : columns(sentLines(sent)));
}

function sentLines({ hashHex, transactions }: SentBundle): Lines {
  const lines: (readonly [string, string])[] = [['bundle', hashHex]];
  for (const { hashHex: hash, sender, lane, nonce, receipt } of transactions) {
    lines.push(['transaction', hash], ['from', `${formatAddress(sender)} (lane ${lane}, nonce ${nonce})`]);
    if (receipt !== undefined) lines.push(...receiptLines(receipt));
  }
  return lines;
}

function sentJson({ hash, transactions }: SentBundle): JsonValue {
  return { bundle_hash: formatHash(hash), transactions: transactions.map(transactionJson) };
}

function transactionJson({ hash, sender, lane, nonce, gasLimit, receipt }: BundledTransaction): JsonValue {
  return {
    tx_hash: formatHash(hash),
    sender: formatAddress(sender),
    lane,
    nonce: integerJson(nonce),
    gas_limit: integerJson(gasLimit),
    ...(receipt !== undefined && { receipt: toJson('Receipt', receipt) }),
  };
}

function integerJson(value: bigint): JsonValue {
  const number = Number(value);
  return Number.isSafeInteger(number) ? number : `${value}`;
}

function jsonText(value: JsonValue): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}
