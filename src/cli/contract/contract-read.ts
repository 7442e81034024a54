import { defined } from '../../base/defined.js';
import { formatAddress, formatAmount, formatHash } from '../../client/client.js';
import { encodeCall } from '../../client/contract-interface.js';
import type { UpgradePolicy } from '../../generated/ledger.js';
import type { Account, ContractIdlResult, ContractMetadataResult } from '../../generated/node-rpc-v1.js';
import { IdlError } from '../../idl/compiler/diagnostics.js';
import {
  type Documented,
  type EnumDefinition,
  type EventFieldDefinition,
  typeText,
} from '../../idl/manifest.js';
import { rpcTypes } from '../../ledger/rpc-codecs.js';
import { type ActingOptions, actingAddress, addFromOptions } from '../acting-account.js';
import type { CliCommand, CommandContext } from '../cli-command.js';
import { CliError } from '../cli-error.js';
import { atOption, blockAt } from '../connection-options.js';
import { statusText } from '../outcome-text.js';
import { printable } from '../send-action.js';
import { askNode, columns, type Lines, type NodeCommandOptions } from '../sending-options.js';
import { toAddress, u64 } from '../values.js';
import { ARGUMENTS_HELP, type GivenCall, openCall } from './contract-arguments.js';
import { type ContractInterface, readInterface } from './contract-handle.js';

interface ViewCommandOptions extends ActingOptions, NodeCommandOptions {
  readonly idl?: string;
  readonly at?: bigint;
  readonly gasLimit?: bigint;
}

export function registerContractReadCommands(contract: CliCommand, context: CommandContext): void {
  const viewing = contract
    .command('view')
    .description('call a contract without a transaction, and print the result')
    .argument('<ADDRESS>', 'the contract')
    .argument('<METHOD>', 'a view of its interface; or a method, whose effects are then discarded')
    .functionArguments('its arguments')
    .option('--idl <FILE>', "the contract's interface (default: the one on chain)");
  addFromOptions(viewing.connection(), 'the caller as seen by the contract (default: the zero address)')
    .addOption(atOption())
    .option('--gas-limit <N>', "most gas to use (default: the node's own limit)", u64)
    .json('print the whole answer as JSON: output, gas, events')
    .notes(ARGUMENTS_HELP)
    .examples(`heddle contract view 0x5f0c…91 balance_of owner=dev:0`)
    .action((address: string, method: string, args: string[], options: ViewCommandOptions) =>
      view({ contract: toAddress(address, 'ADDRESS'), method, words: args }, options, context),
    );

  contract
    .command('show')
    .connection()
    .description("show a contract's code, upgrade policy and interface")
    .argument('<ADDRESS>', 'the contract')
    .json('print metadata, interface and account as JSON')
    .examples('heddle contract show 0x5f0c…91')
    .action((address: string, options: NodeCommandOptions) => show(address, options, context));
}

async function view(given: GivenCall, options: ViewCommandOptions, context: CommandContext): Promise<void> {
  const { method } = given;
  const caller = actingAddress(options);
  await askNode(options, context, async (client) => {
    const { opened, args } = await openCall(client, given, options, context);
    const abi = await opened.handle.abi();
    const result = await client.view_call(
      defined({
        contract: opened.handle.address,
        input: encodeCall(abi, method, args),
        ...(options.idl !== undefined && { idl: opened.text }),
        ...blockAt(options.at),
        caller,
        gas_limit: options.gasLimit,
      }),
    );
    const { status, output } = result;
    if (options.json) context.console.out(`${rpcTypes.ViewCallResult.toJson(result)}\n`);
    if (status.type !== 'success') {
      throw new CliError(`${method} did not succeed: ${statusText(status)}`);
    }
    if (!options.json) {
      context.console.out(`${printable(abi.function(method).decodeResult(output))}\n`);
    }
  });
}

async function show(address: string, options: NodeCommandOptions, context: CommandContext): Promise<void> {
  const at = toAddress(address, 'ADDRESS');
  await askNode(options, context, async (client) => {
    const [metadata, contractIdl, account] = await Promise.all([
      client.contract_metadata({ address: at }),
      client.contract_idl({ address: at }),
      client.account({ address: at }),
    ]);
    if (options.json) {
      context.console.out(`${showJson(metadata, contractIdl, account)}\n`);
      return;
    }
    const known = columns([
      ['contract', formatAddress(at)],
      ...metadataLines(metadata),
      ['balance', formatAmount(account.balance)],
    ]);
    const { idl } = contractIdl;
    context.console.out(`${known}${idl === undefined ? 'no interface on chain\n' : interfaceText(idl)}`);
  });
}

function showJson(metadata: ContractMetadataResult, idl: ContractIdlResult, account: Account): string {
  const members = [
    `"metadata":${rpcTypes.ContractMetadataResult.toJson(metadata)}`,
    `"interface":${rpcTypes.ContractIdlResult.toJson(idl)}`,
    `"account":${rpcTypes.Account.toJson(account)}`,
  ];
  return `{${members.join(',')}}`;
}

function metadataLines(metadata: ContractMetadataResult): Lines {
  const { pending_upgrade: pending, idl_hash: idlHash } = metadata;
  return [
    [
      'code',
      `${formatAmount(BigInt(metadata.code_size))} bytes of ${metadata.vm.type}, ${formatHash(metadata.code_hash)}`,
    ],
    ...(idlHash === undefined ? [] : [['interface', formatHash(idlHash)] as const]),
    ['abi version', `${metadata.abi_version}`],
    ['policy', policyText(metadata.upgrade_policy)],
    ['deployed', `in block ${metadata.deployed_at} by ${formatAddress(metadata.deployer)}`],
    ...(pending === undefined
      ? []
      : [['upgrade', `to ${formatHash(pending.code_hash)}, ready at block ${pending.ready_at}`] as const]),
  ];
}

function policyText(policy: UpgradePolicy): string {
  switch (policy.type) {
    case 'immutable':
      return 'immutable';
    case 'admin':
      return `admin ${formatAddress(policy.value)}`;
    case 'timelock':
      return `admin ${formatAddress(policy.value.admin)}, ${policy.value.delay} blocks after announcing`;
  }
}

/** Lists the interface's items, or says that the text is invalid. */
export function interfaceText(idl: string): string {
  try {
    return describeInterface(readInterface(idl, 'interface'));
  } catch (error) {
    if (!(error instanceof IdlError) && !(error instanceof CliError)) throw error;
    return `the text on chain is not the interface of one contract: ${error.message}\n`;
  }
}

function describeInterface({ contract, manifest }: ContractInterface): string {
  const functions = (kind: 'method' | 'view') =>
    contract.functions
      .filter((each) => each.kind === kind)
      .map((each) => {
        const result = each.returns === undefined ? '' : ` -> ${typeText(each.returns)}`;
        const payable = each.payable === true ? '@payable ' : '';
        return entry(`${payable}${each.name}(${fields(each.params)})${result}`, each);
      });
  const parts: readonly (readonly [string, readonly string[]])[] = [
    ['methods', functions('method')],
    ['views', functions('view')],
    ['events', contract.events.map(record)],
    ['errors', contract.errors.map(record)],
    ['structs', manifest.structs.map(record)],
    ['enums', manifest.enums.map((each) => entry(`${each.name}: ${variants(each)}`, each))],
  ];
  const shown = parts.filter(([, entries]) => entries.length > 0);
  return `\n${contract.name}\n${shown.map(([title, entries]) => `\n${title}\n${entries.join('')}`).join('')}`;
}

/** One line: the signature with the first line of its documentation. */
function entry(signature: string, { doc }: Documented): string {
  const [first] = (doc ?? '').split('\n');
  return `  ${signature}\n${first === undefined || first === '' ? '' : `      ${first}\n`}`;
}

function record(definition: Documented & { readonly fields: readonly EventFieldDefinition[] }): string {
  return entry(`${definition.name} { ${fields(definition.fields)} }`, definition);
}

/** The variants as arguments name them. */
function variants({ variants: all }: EnumDefinition): string {
  return all
    .map(({ tag, payload }) => (payload === undefined ? tag : `${tag}(${typeText(payload)})`))
    .join(' | ');
}

function fields(definitions: readonly EventFieldDefinition[]): string {
  return definitions
    .map(({ name, type, optional, indexed }) => {
      const mark = indexed === true ? 'indexed ' : '';
      return `${mark}${name}${optional ? '?' : ''}: ${typeText(type)}`;
    })
    .join(', ');
}
