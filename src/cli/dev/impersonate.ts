import { defined } from '../../base/defined.js';
import { type Client, formatAmount, formatHash } from '../../client/client.js';
import type { DevImpersonateResult } from '../../generated/dev-v1.js';
import type { Receipt } from '../../generated/node-rpc-v1.js';
import type { CliCommand, CommandContext } from '../cli-command.js';
import { CliError, UsageError } from '../cli-error.js';
import { ARGUMENTS_HELP, readArguments } from '../contract/contract-arguments.js';
import { readInterface } from '../contract/contract-handle.js';
import { statusText } from '../outcome-text.js';
import { around, expectSuccess } from '../send-action.js';
import type { Lines, NodeCommandOptions } from '../sending-options.js';
import { amount, toAddress, u64 } from '../values.js';
import { blockLines, control, devCommand } from './dev-options.js';

interface ImpersonateOptions extends NodeCommandOptions {
  readonly to?: string;
  readonly amount?: bigint;
  readonly contract?: string;
  readonly gasLimit?: bigint;
}

export function registerImpersonateCommand(dev: CliCommand, context: CommandContext): void {
  devCommand(dev, 'impersonate', 'send a transfer or call a contract as any account, without its key')
    .argument('<SENDER>', 'who sends, pays the amount, and keeps the nonces')
    .argument('[METHOD]', 'with --contract: a function of its interface')
    .functionArguments("the function's arguments")
    .option('--to <ADDRESS>', 'send a transfer to this account')
    .option('--amount <AMOUNT>', 'how much to send, or to pay with the call (default: 0)', amount)
    .option('--contract <ADDRESS>', 'call this contract')
    .option('--gas-limit <N>', "most gas to use (default: three quarters of a block's)", u64)
    .notes(ARGUMENTS_HELP)
    .examples(
      'heddle dev impersonate 0x5f0c…91 --to dev:1 --amount 1e18',
      'heddle dev impersonate 0x5f0c…91 --contract 0x77ab…02 transfer to=dev:1 amount=250',
    )
    .action(
      async (
        sender: string,
        method: string | undefined,
        words: readonly string[],
        options: ImpersonateOptions,
      ) => {
        const account = toAddress(sender, 'SENDER');
        let receipt: Receipt | undefined;
        const run = async (client: Client): Promise<DevImpersonateResult> => {
          const done =
            options.contract === undefined
              ? await transfer(client, account, method, options)
              : await call(client, account, options.contract, method, words, options);
          // It has the result, the events and the error by their names.
          receipt = await client.waitForReceipt(done.tx_hash);
          return done;
        };
        await control(options, context, 'DevImpersonateResult', run, (done) => resultLines(done, receipt));
        expectSuccess(receipt);
      },
    );
}

function transfer(
  client: Client,
  sender: Uint8Array,
  method: string | undefined,
  { to, amount: value = 0n, gasLimit }: ImpersonateOptions,
): Promise<DevImpersonateResult> {
  if (to === undefined || method !== undefined) {
    throw new UsageError('impersonate: give either --to ADDRESS, or --contract ADDRESS and a METHOD');
  }
  const action = { type: 'transfer', value: { to: toAddress(to, '--to'), amount: value } } as const;
  return client.dev.impersonate(sender, action, gasLimit === undefined ? {} : { gasLimit });
}

async function call(
  client: Client,
  sender: Uint8Array,
  address: string,
  method: string | undefined,
  words: readonly string[],
  { to, amount: value = 0n, gasLimit }: ImpersonateOptions,
): Promise<DevImpersonateResult> {
  if (to !== undefined || method === undefined) {
    throw new UsageError('impersonate: give either --to ADDRESS, or --contract ADDRESS and a METHOD');
  }
  const contract = toAddress(address, '--contract');
  const { idl } = await client.contract_idl({ address: contract });
  if (idl === undefined) throw new CliError('the contract has no interface on the chain');
  const { manifest, contract: declared } = readInterface(idl, 'the interface of the contract');
  const params = declared.functions.find(({ name }) => name === method)?.params ?? [];
  const args = readArguments(words, params, manifest);
  return client.dev.impersonateCall(defined({ sender, contract, method, args, value, gasLimit }));
}

function resultLines(
  { block, tx_hash, outcome, gas_used }: DevImpersonateResult,
  receipt: Receipt | undefined,
): Lines {
  const lines: Lines = [
    ['transaction', formatHash(tx_hash)],
    ['status', receipt === undefined ? outcome.type : statusText(receipt.status)],
    ['gas used', formatAmount(gas_used)],
  ];
  return [...(receipt === undefined ? lines : around(lines, receipt)), ...blockLines(block)];
}
