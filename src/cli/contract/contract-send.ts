import { Option } from 'commander';
import { deployAction, formatAddress, upgradeAction } from '../../client/client.js';
import type { UpgradePolicy } from '../../generated/ledger.js';
import type { CliCommand, CommandContext } from '../cli-command.js';
import { UsageError } from '../cli-error.js';
import { sendAction } from '../send-action.js';
import {
  addSendingOptions,
  connectTo,
  explainRejections,
  type Lines,
  type SendingOptions,
  senderOf,
} from '../sending-options.js';
import { amount, toAddress, u32, u64 } from '../values.js';
import {
  ARGUMENTS_HELP,
  callLines,
  type GivenCall,
  type JsonArguments,
  jsonArguments,
  openCall,
  readArguments,
} from './contract-arguments.js';
import {
  type ContractInterface,
  findFunction,
  readInterface,
  readModule,
  readText,
} from './contract-handle.js';

interface ContractSendOptions extends SendingOptions {
  readonly wait: 'included' | 'finalized';
  readonly idl?: string;
}

interface CodeOptions extends ContractSendOptions {
  readonly abiVersion: number;
  /** Of an upgrade. */
  readonly dropIdl?: boolean;
}

type CallOptions = ContractSendOptions & { readonly amount: bigint };

interface DeployCommandOptions extends CodeOptions {
  readonly init?: string;
  readonly policy: 'immutable' | 'admin' | 'timelock';
  readonly admin?: string;
  readonly delay?: bigint;
  readonly amount: bigint;
}

const GAS = 'a quarter above what a simulation needs';

export function registerContractSendCommands(contract: CliCommand, context: CommandContext): void {
  const deploying = contract
    .command('deploy')
    .description('put a contract on the chain')
    .argument('<WASM>', 'the compiled contract')
    .functionArguments("arguments of the contract's init")
    .option('--idl <FILE>', "the contract's interface, stored on chain beside its code")
    .option('--init <JSON>', 'the arguments of init as one JSON object or array')
    .choice(
      '--policy <POLICY>',
      'who may upgrade the contract: no one, or an admin, at once or after a delay',
      ['immutable', 'admin', 'timelock'],
      'immutable',
    )
    .option('--admin <ADDRESS>', 'the admin of the policy (default: the sender)')
    .option('--delay <BLOCKS>', 'blocks between announcing an upgrade and applying it, with a timelock', u64)
    .addOption(amountOption('initial native balance'))
    .option('--abi-version <N>', 'version of the interface', u32, 1);
  addSendingOptions(deploying, ['included', 'finalized'], GAS)
    .notes(ARGUMENTS_HELP)
    .examples(
      'heddle contract deploy token.wasm --idl token.idl --from-dev 0 name=Thread symbol=THR decimals=2 \\\n      supply=1e9 owner=dev:0 minter=dev:0',
    )
    .action((wasm: string, args: string[], options: DeployCommandOptions) =>
      deploy(wasm, args, options, context),
    );

  const calling = contract
    .command('call')
    .description('call a method in a transaction')
    .argument('<ADDRESS>', 'the contract')
    .argument('<METHOD>', 'a method of its interface')
    .functionArguments('its arguments')
    .option('--idl <FILE>', "the contract's interface (default: the one on chain)")
    .addOption(amountOption('native balance to send with it'));
  addSendingOptions(calling, ['included', 'finalized'], GAS)
    .notes(ARGUMENTS_HELP)
    .examples('heddle contract call 0x5f0c…91 transfer --from-dev 0 to=dev:1 amount=250')
    .action((address: string, method: string, args: string[], options: CallOptions) =>
      call({ contract: toAddress(address, 'ADDRESS'), method, words: args }, options, context),
    );

  const upgrading = contract
    .command('upgrade')
    .description("put new code in a contract's place, or announce it, as its policy says")
    .argument('<ADDRESS>', 'the contract')
    .argument('<WASM>', 'the new code')
    .functionArguments("arguments of the new code's migrate")
    .option('--idl <FILE>', 'the new interface, stored on chain')
    .addOption(new Option('--drop-idl', 'leave the contract without an interface on chain').conflicts('idl'))
    .option('--abi-version <N>', 'version of the interface', u32, 1);
  addSendingOptions(upgrading, ['included', 'finalized'], GAS)
    .examples('heddle contract upgrade 0x5f0c…91 token.wasm --idl token.idl --from-dev 0')
    .action((address: string, wasm: string, args: string[], options: CodeOptions) =>
      upgrade(toAddress(address, 'ADDRESS'), wasm, args, options, context),
    );
}

/** The default has a separate text because help cannot print a bigint. */
export function amountOption(description: string): Option {
  return new Option('--amount <AMOUNT>', description).argParser(amount).default(0n, '0');
}

async function deploy(
  wasm: string,
  words: readonly string[],
  options: DeployCommandOptions,
  context: CommandContext,
): Promise<void> {
  const { console, workingDirectory } = context;
  if (options.init !== undefined && words.length > 0) {
    throw new UsageError('expected the arguments of init after the file or in --init, got both');
  }
  const code = readModule(wasm, workingDirectory);
  const found = interfaceIn(options.idl, context);
  const init = initArguments(words, options.init, found);
  const sender = await senderOf(options, context);
  if (found === undefined) {
    console.err(
      'note: without --idl no interface is stored on chain: calls need raw input, or --idl each time\n',
    );
  }
  const action = deployAction({
    code,
    ...(found !== undefined && { idl: found.text }),
    ...(init !== undefined && { init }),
    value: options.amount,
    policy: policyOf(options, sender.signer.address),
    abiVersion: options.abiVersion,
  });
  await sendAction({ sender, action, options, console, what: [], contractName: found?.contract.name });
}

function policyOf(options: DeployCommandOptions, sender: Uint8Array): UpgradePolicy {
  const { policy, admin, delay } = options;
  if (policy === 'immutable' && admin !== undefined) {
    throw new UsageError('--admin needs --policy admin or timelock');
  }
  if (policy !== 'timelock' && delay !== undefined) throw new UsageError('--delay needs --policy timelock');
  const address = admin === undefined ? sender : toAddress(admin, '--admin');
  switch (policy) {
    case 'immutable':
      return { type: 'immutable' };
    case 'admin':
      return { type: 'admin', value: address };
    case 'timelock':
      if (delay === undefined) throw new UsageError('--policy timelock needs --delay BLOCKS');
      return { type: 'timelock', value: { admin: address, delay } };
  }
}

async function call(given: GivenCall, options: CallOptions, context: CommandContext): Promise<void> {
  const { method } = given;
  if (method === 'init') {
    throw new UsageError('init runs only at deployment and cannot be called');
  }
  const sender = await senderOf(options, context);
  const client = connectTo(options, context);
  const { opened, args } = await explainRejections(() => openCall(client, given, options, context));
  const what = callLines(opened, method, options.amount);
  const action = await opened.handle.action(method, args, options.amount);
  await sendAction({ sender, action, options, console: context.console, what });
}

async function upgrade(
  contract: Uint8Array,
  wasm: string,
  words: readonly string[],
  options: CodeOptions,
  context: CommandContext,
): Promise<void> {
  const { console, workingDirectory } = context;
  const code = readModule(wasm, workingDirectory);
  const found = interfaceIn(options.idl, context);
  const migrate = entryArguments('migrate', words, found);
  const sender = await senderOf(options, context);
  const client = connectTo(options, context);
  if (found === undefined && options.dropIdl !== true) {
    const { idl } = await explainRejections(() => client.contract_idl({ address: contract }));
    if (idl !== undefined) {
      throw new UsageError(
        'the contract would lose its interface on chain: give the new one with --idl FILE, or --drop-idl',
      );
    }
  }
  const action = upgradeAction(contract, {
    code,
    ...(found !== undefined && { idl: found.text }),
    ...(migrate !== undefined && { migrate }),
    abiVersion: options.abiVersion,
  });
  const after = async (): Promise<Lines> => {
    const { pending_upgrade: pending } = await client.contract_metadata({ address: contract });
    if (pending === undefined) return [];
    return [['ready at', `block ${pending.ready_at}: send the same upgrade again from then on`]];
  };
  await sendAction({
    sender,
    action,
    options,
    console,
    after,
    what: [['contract', formatAddress(contract)]],
  });
}

/** The interface in a file, or undefined without one. */
export function interfaceIn(
  file: string | undefined,
  context: CommandContext,
): ContractInterface | undefined {
  return file === undefined ? undefined : readInterface(readText(file, context.workingDirectory), file);
}

function initArguments(
  words: readonly string[],
  json: string | undefined,
  found: ContractInterface | undefined,
): JsonArguments | undefined {
  if (json === undefined) return entryArguments('init', words, found);
  const known = expectInterface('init', found);
  return jsonArguments(json, findFunction(known, 'init').params, known.manifest);
}

export function entryArguments(
  entry: 'init' | 'migrate',
  words: readonly string[],
  found: ContractInterface | undefined,
): JsonArguments | undefined {
  if (words.length === 0) return undefined;
  const known = expectInterface(entry, found);
  return readArguments(words, findFunction(known, entry).params, known.manifest);
}

function expectInterface(entry: string, found: ContractInterface | undefined): ContractInterface {
  if (found !== undefined) return found;
  throw new UsageError(`arguments of ${entry} need --idl to be encoded`);
}
