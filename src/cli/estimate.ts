import { defined } from '../base/defined.js';
import { type ActionLike, type Client, deployAction, formatAddress, formatAmount } from '../client/client.js';
import type { TxSimulateResult } from '../generated/node-rpc-v1.js';
import { cut } from '../idl/decoded-text.js';
import { rpcTypes } from '../ledger/rpc-codecs.js';
import { type ActingOptions, actingAddress, addFromOptions } from './acting-account.js';
import type { CliCommand, CommandContext } from './cli-command.js';
import { CliError, UsageError } from './cli-error.js';
import { atOption, blockAt } from './connection-options.js';
import { ARGUMENTS_HELP, callLines, type GivenCall, openCall } from './contract/contract-arguments.js';
import { readModule } from './contract/contract-handle.js';
import { amountOption, entryArguments, interfaceIn } from './contract/contract-send.js';
import { eventText, statusText } from './outcome-text.js';
import { askNode, columns, type Lines, type NodeCommandOptions } from './sending-options.js';
import { address as addressValue, decimals, toAmount } from './values.js';

interface EstimateOptions extends NodeCommandOptions, ActingOptions {
  readonly at?: bigint;
}

interface TransferOptions extends EstimateOptions {
  readonly to: Uint8Array;
  readonly amount: string;
  readonly decimals?: number;
}

interface ContractOptions extends EstimateOptions {
  readonly idl?: string;
  readonly amount: bigint;
}

interface Estimated {
  readonly action: ActionLike;
  readonly idl?: string;
  readonly lines: Lines;
}

export function registerEstimateCommand(program: CliCommand, context: CommandContext): void {
  const command = program
    .command('estimate')
    .notes('Exit code 0: it would succeed. Exit code 1: it would not, and why.')
    .examples(
      'heddle estimate --from-dev 0 --to dev:1 --amount 1.5 --decimals 18',
      'heddle estimate call 0x682c…1b transfer to=dev:1 amount=250 --from-dev 0',
      'heddle estimate deploy token.wasm --idl token.idl --from-dev 0 name=Thread …',
    );

  const transferring = command
    .command('transfer', { isDefault: true })
    .description('of a transfer; the word may be left out')
    .requiredOption('--to <ADDRESS>', 'who receives it', addressValue)
    .requiredOption('--amount <AMOUNT>', 'how much, in the smallest unit: 1000, 1_000 or 1e18')
    .option('--decimals <N>', 'count the amount in units of 10^N: --amount 1.5 --decimals 18', decimals);
  addEstimateOptions(transferring)
    .examples('heddle estimate --from-dev 0 --to dev:1 --amount 1e18')
    .action((options: TransferOptions) => estimate(options, context, async () => transfer(options)));

  const calling = command
    .command('call')
    .description('of a call of a contract')
    .argument('<CONTRACT>', 'the contract', addressValue)
    .argument('<METHOD>', 'a method of its interface')
    .functionArguments('its arguments')
    .option('--idl <FILE>', "the contract's interface (default: the one on chain)")
    .addOption(amountOption('native balance to send with it'));
  addEstimateOptions(calling)
    .notes(ARGUMENTS_HELP)
    .examples(`heddle estimate call 0x682c…1b transfer to=dev:1 amount=250 --from-dev 0`)
    .action((contract: Uint8Array, method: string, words: string[], options: ContractOptions) =>
      estimate(options, context, (client) => call(client, { contract, method, words }, options, context)),
    );

  const deploying = command
    .command('deploy')
    .description('of a deployment')
    .argument('<WASM>', 'the compiled contract')
    .functionArguments("arguments of the contract's init")
    .option('--idl <FILE>', "the contract's interface, stored on chain beside its code")
    .addOption(amountOption('initial native balance'));
  addEstimateOptions(deploying)
    .notes(ARGUMENTS_HELP)
    .examples(`heddle estimate deploy token.wasm --idl token.idl --from-dev 0 name=Thread …`)
    .action((wasm: string, words: string[], options: ContractOptions) =>
      estimate(options, context, async () => deploy(wasm, words, options, context)),
    );
}

function addEstimateOptions(command: CliCommand): CliCommand {
  return addFromOptions(command, 'the sender').addOption(atOption()).reading();
}

async function estimate(
  options: EstimateOptions,
  context: CommandContext,
  prepare: (client: Client) => Promise<Estimated>,
): Promise<void> {
  const sender = actingAddress(options);
  if (sender === undefined) {
    throw new UsageError('no sender: give --from ADDRESS, or --from-dev INDEX');
  }
  const { status } = await askNode(options, context, async (client) => {
    const { action, idl, lines } = await prepare(client);
    const [result, { base_fee: baseFee }] = await Promise.all([
      client.tx_simulate(defined({ build: { sender, action }, idl, ...blockAt(options.at) })),
      client.txpool_stats(),
    ]);
    const shown: Lines = [['from', formatAddress(sender)], ...lines, ...resultLines(result, baseFee)];
    context.console.out(options.json ? `${rpcTypes.TxSimulateResult.toJson(result)}\n` : columns(shown));
    return result;
  });
  if (status.type !== 'success') throw new CliError(`it would not succeed: ${statusText(status)}`);
}

function resultLines(result: TxSimulateResult, baseFee: bigint): Lines {
  const { status, gas_used, gas_estimate, fee, contract, decoded } = result;
  return [
    ['outcome', status.type.replaceAll('_', ' ')],
    ['gas used', formatAmount(gas_used)],
    ...(status.type === 'success' ? [['gas limit', `${formatAmount(gas_estimate)} at least`] as const] : []),
    ['base fee', formatAmount(baseFee)],
    ['fee', formatAmount(fee)],
    ...(contract === undefined ? [] : [['contract', formatAddress(contract)] as const]),
    ...(decoded === undefined ? [] : [['result', cut(JSON.stringify(decoded))] as const]),
    ...result.logs.map((log) => ['event', eventText(log)] as const),
  ];
}

function transfer({ to, amount: text, decimals: places }: TransferOptions): Estimated {
  const value = toAmount(text, places, '--amount');
  return {
    action: { type: 'transfer', value: { to, amount: value } },
    lines: [
      ['to', formatAddress(to)],
      ['amount', formatAmount(value, places)],
    ],
  };
}

async function call(
  client: Client,
  given: GivenCall,
  options: ContractOptions,
  context: CommandContext,
): Promise<Estimated> {
  const { opened, args } = await openCall(client, given, options, context);
  const { idl, amount } = options;
  return {
    action: await opened.handle.action(given.method, args, amount),
    ...(idl !== undefined && { idl: opened.text }),
    lines: callLines(opened, given.method, amount),
  };
}

function deploy(
  wasm: string,
  words: readonly string[],
  { idl, amount }: ContractOptions,
  context: CommandContext,
): Estimated {
  const code = readModule(wasm, context.workingDirectory);
  const found = interfaceIn(idl, context);
  const init = entryArguments('init', words, found);
  return {
    action: deployAction({
      code,
      value: amount,
      ...(found !== undefined && { idl: found.text }),
      ...(init !== undefined && { init }),
    }),
    lines: [['code', `${formatAmount(BigInt(code.length))} bytes`]],
  };
}
