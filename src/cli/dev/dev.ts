import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { defined } from '../../base/defined.js';
import { type Client, formatHash } from '../../client/client.js';
import type { DevControlResult } from '../../generated/dev-v1.js';
import { fromHex } from '../../idl/hex.js';
import type { CliCommand, CommandContext } from '../cli-command.js';
import { UsageError } from '../cli-error.js';
import { height, integerBetween } from '../option-parsers.js';
import type { NodeCommandOptions } from '../sending-options.js';
import { amount, hexBytes, toAddress } from '../values.js';
import { blockLines, control, devCommand, duration, time } from './dev-options.js';
import { registerStateCommands } from './dev-state-files.js';
import { registerImpersonateCommand } from './impersonate.js';
import { registerScriptCommand } from './script/script.js';

export function registerDevCommands(program: CliCommand, context: CommandContext): void {
  const dev = program
    .command('dev')
    .notes(
      'The controls work at the node that seals the blocks of a development chain, with its admin token. A script works at',
      'any node, of any chain.',
    )
    .examples(
      'heddle dev mine 10',
      'heddle dev set-balance dev:3 5e24',
      'heddle dev snapshot',
      'heddle dev script scripts/deploy.mjs',
    );
  registerBlockCommands(dev, context);
  registerChangeCommands(dev, context);
  registerImpersonateCommand(dev, context);
  registerSnapshotCommands(dev, context);
  registerStateCommands(dev, context);
  registerScriptCommand(dev, context);
}

function registerBlockCommands(dev: CliCommand, context: CommandContext): void {
  devCommand(dev, 'mine', "seal blocks at once, with the pool's transactions")
    .argument('[COUNT]', 'number of blocks', integerBetween(1, 1_000), 1)
    .option(
      '--interval <DURATION>',
      'time between the blocks, such as 12s (default: as the clock goes)',
      duration,
    )
    .examples('heddle dev mine 10 --interval 1h')
    .action((count: number, options: NodeCommandOptions & { interval?: number }) =>
      control(
        options,
        context,
        'DevMineResult',
        (client) => client.dev.mine(defined({ count, intervalMs: options.interval })),
        (result) => [['sealed', `${result.count}`], ...blockLines(result.last)],
      ),
    );
  devCommand(dev, 'set-time', "set the chain's clock and seal a block with that time")
    .argument('<TIME>', 'milliseconds since 1970, or a time such as 2030-01-31T12:00:00Z', time)
    .examples('heddle dev set-time 2030-01-31T12:00:00Z')
    .action((ms: number, options: NodeCommandOptions) =>
      control(options, context, 'DevBlock', (client) => client.dev.setTime(ms), blockLines),
    );
  devCommand(dev, 'increase-time', "advance the chain's clock and seal a block")
    .argument('<DURATION>', 'such as 90s, 45m, 12h or 30d', duration)
    .examples('heddle dev increase-time 1d')
    .action((ms: number, options: NodeCommandOptions) =>
      control(options, context, 'DevBlock', (client) => client.dev.increaseTime(ms), blockLines),
    );
}

function registerChangeCommands(dev: CliCommand, context: CommandContext): void {
  const change = (options: NodeCommandOptions, run: (client: Client) => Promise<DevControlResult>) =>
    control(options, context, 'DevControlResult', run, ({ block, tx_hash }) => [
      ['transaction', formatHash(tx_hash)],
      ...blockLines(block),
    ]);
  devCommand(dev, 'set-balance', 'set the balance of an account')
    .argument('<ADDRESS>', 'the account, or a development account such as dev:0')
    .argument('<AMOUNT>', 'in the smallest unit: 1000, 1_000 or 1e18', amount)
    .examples('heddle dev set-balance dev:3 5e24')
    .action(async (address: string, value: bigint, options: NodeCommandOptions) => {
      const account = toAddress(address, 'ADDRESS');
      await change(options, (client) => client.dev.setBalance(account, value));
    });
  devCommand(dev, 'set-storage', 'set a slot of a contract, or remove it')
    .argument('<CONTRACT>', 'address of the contract')
    .argument('<SLOT>', '32 bytes in hexadecimal digits', (text) => hexBytes(text, 32))
    .argument('[VALUE]', 'hexadecimal digits (default: remove the slot)')
    .examples(`heddle dev set-storage 0x5f0c…91 0x00…01 0x2a`)
    .action(
      async (contract: string, slot: Uint8Array, value: string | undefined, options: NodeCommandOptions) => {
        const address = toAddress(contract, 'CONTRACT');
        const bytes = value === undefined ? undefined : anyBytes(value, 'VALUE');
        await change(options, (client) => client.dev.setStorage(address, slot, bytes));
      },
    );
  devCommand(dev, 'set-code', 'put a contract at an address without running its code')
    .argument('<ADDRESS>', 'address of the contract; its slots remain')
    .argument('[FILE]', 'the compiled contract')
    .option('--idl <FILE>', 'its interface (default: that of the contract there)')
    .option('--remove', 'remove the contract instead', false)
    .examples('heddle dev set-code 0x5f0c…91 build/token.wasm --idl token.idl')
    .action(
      async (
        address: string,
        file: string | undefined,
        options: NodeCommandOptions & { idl?: string; remove: boolean },
      ) => {
        const contract = toAddress(address, 'ADDRESS');
        if ((file === undefined) !== options.remove) {
          throw new UsageError('set-code: give either FILE, or --remove');
        }
        const read = (name: string) => readFileSync(resolve(context.workingDirectory, name));
        const code = file === undefined ? {} : { code: Uint8Array.from(read(file)) };
        const idl = options.idl === undefined ? {} : { idl: read(options.idl).toString('utf8') };
        await change(options, (client) => client.dev.setCode(contract, { ...code, ...idl }));
      },
    );
}

function registerSnapshotCommands(dev: CliCommand, context: CommandContext): void {
  devCommand(dev, 'snapshot', 'name the present state, for "heddle dev revert"')
    .examples('heddle dev snapshot')
    .action((options: NodeCommandOptions) =>
      control(
        options,
        context,
        'DevSnapshot',
        (client) => client.dev.snapshot(),
        ({ id, state_root }) => [
          ['snapshot', `${id}`],
          ['state root', formatHash(state_root)],
        ],
      ),
    );
  devCommand(dev, 'revert', 'restore the state of a snapshot, in new blocks')
    .argument('<ID>', 'as "heddle dev snapshot" prints it', height)
    .examples('heddle dev revert 12')
    .action((id: bigint, options: NodeCommandOptions) =>
      control(
        options,
        context,
        'DevChangesResult',
        (client) => client.dev.revert(id),
        ({ changes, last }) => [['restored', `${changes} values`], ...blockLines(last)],
      ),
    );
}

function anyBytes(text: string, name: string): Uint8Array {
  const bytes = fromHex(text.toLowerCase(), text.startsWith('0x') ? 2 : 0);
  if (bytes !== undefined) return bytes;
  throw new UsageError(`${name}: expected hexadecimal digits, got ${JSON.stringify(text)}`);
}
