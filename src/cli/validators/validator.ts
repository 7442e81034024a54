import { resolve } from 'node:path';
import { InvalidArgumentError } from 'commander';
import { errorMessage } from '../../base/errors.js';
import { shownLine } from '../../base/shown-text.js';
import { parseAddress } from '../../client/address-text.js';
import { formatAddress, formatAmount } from '../../client/client.js';
import {
  changeId,
  MAX_APPROVED,
  readApprovalsFile,
  writeApprovalsFile,
} from '../../consensus/files/approvals-file.js';
import { validatorPaths } from '../../consensus/files/validator-directory.js';
import { loadBls } from '../../crypto/load-bls.js';
import type { NewValidator, ValidatorChange } from '../../generated/ledger.js';
import type { PendingValidatorChange } from '../../generated/node-rpc-v1.js';
import { fromHex, toHex } from '../../idl/hex.js';
import { ledger } from '../../ledger/codecs.js';
import { rpcTypes } from '../../ledger/rpc-codecs.js';
import { isEndpoint } from '../../ledger/validators/check-change.js';
import { printAnswer } from '../answer.js';
import type { CliCommand, CommandContext } from '../cli-command.js';
import { CliError, UsageError } from '../cli-error.js';
import { askNode, type NodeCommandOptions } from '../sending-options.js';

interface ChangeOptions {
  readonly validator: string;
  readonly add?: ValidatorChange;
  readonly remove?: ValidatorChange;
  readonly json?: boolean;
}

export function registerValidatorCommands(program: CliCommand, context: CommandContext): void {
  const { workingDirectory } = context;
  const validator = program.command('validator');
  const list = (directory: string): string => validatorPaths(resolve(workingDirectory, directory)).approvals;

  withChange(validator.command('approve'), 'approve a change of the validator set, until it takes effect')
    .notes(
      'It takes effect at the end of an epoch, once a quorum of operators approve it and a block in the first third of that',
      "epoch carries it. The directory's running node picks it up by itself. IDENTITY and",
      'ENCRYPTION are the identity_key and the encryption_key that "heddle init" printed for the validator.',
    )
    .examples(
      'heddle validator approve --validator /var/lib/heddle --add 5f0c…91:8e1d…70@validator-4.example:9645',
    )
    .action(async (options: ChangeOptions) => {
      const change = theChange(options);
      if (change.type === 'add' && !(await loadBls('auto')).isPublicKey(change.value.encryption_key)) {
        throw new UsageError(`0x${toHex(change.value.encryption_key)} is not an encryption key`);
      }
      const path = list(options.validator);
      const approved = readApprovalsFile(path);
      if (approved.some((each) => changeId(each) === changeId(change))) {
        throw new CliError(`already approved: ${changeText(change)}`);
      }
      if (approved.length >= MAX_APPROVED) {
        throw new CliError(`${path}: ${MAX_APPROVED} changes are approved already; withdraw some first`);
      }
      await writeApprovalsFile(path, [...approved, change]);
      printAnswer(context, options, { approved: changeJson(change) }, `approved: ${changeText(change)}\n`);
    });

  withChange(validator.command('withdraw'), 'withdraw the approval of a change')
    .examples('heddle validator withdraw --validator /var/lib/heddle --remove 0x5f0c…91')
    .action(async (options: ChangeOptions) => {
      const change = theChange(options);
      const path = list(options.validator);
      const approved = readApprovalsFile(path);
      const left = approved.filter((each) => changeId(each) !== changeId(change));
      if (left.length === approved.length) {
        throw new CliError(`not approved: ${changeText(change)}`);
      }
      await writeApprovalsFile(path, left);
      printAnswer(context, options, { withdrawn: changeJson(change) }, `withdrawn: ${changeText(change)}\n`);
    });

  validator
    .command('approvals')
    .description("list the operator's approved changes that have not taken effect")
    .requiredOption('--validator <DIR>', "the validator's directory")
    .json()
    .examples('heddle validator approvals --validator /var/lib/heddle')
    .action((options: ChangeOptions) => {
      const changes = readApprovalsFile(list(options.validator));
      const lines = changes.map((change) => `${changeText(change)}\n`);
      printAnswer(context, options, changes.map(changeJson), lines.join(''));
    });
  registerPendingChangesCommand(validator, context);
}

function withChange(command: CliCommand, description: string): CliCommand {
  return command
    .description(description)
    .requiredOption('--validator <DIR>', "the validator's directory")
    .option(
      '--add <IDENTITY:ENCRYPTION@HOST:PORT>',
      'a validator to add, with its address for the others',
      addition,
    )
    .option('--remove <ADDRESS>', 'a validator to leave', removal)
    .json();
}

function theChange({ add, remove }: ChangeOptions): ValidatorChange {
  const [change, another] = [add, remove].filter((each) => each !== undefined);
  if (change === undefined || another !== undefined) {
    throw new UsageError('expected one change: --add IDENTITY:ENCRYPTION@HOST:PORT or --remove ADDRESS');
  }
  return change;
}

function addition(text: string): ValidatorChange {
  const at = text.indexOf('@');
  const [keys, endpoint] = [text.slice(0, Math.max(0, at)), text.slice(at + 1)];
  const [identity_key, encryption_key] = keys.split(':').map((key) => fromHex(key.replace(/^0x/, ''), 0));
  const areKeys = identity_key?.length === 32 && encryption_key?.length === 48;
  if (!areKeys || keys.split(':').length !== 2 || !isEndpoint(endpoint)) {
    const got = JSON.stringify(text.slice(0, 240));
    throw new InvalidArgumentError(`expected 64 hex digits, :, 96 hex digits, @, and HOST:PORT, got ${got}`);
  }
  return { type: 'add', value: { identity_key, encryption_key, endpoint } };
}

function removal(text: string): ValidatorChange {
  try {
    return { type: 'remove', value: parseAddress(text) };
  } catch (error) {
    throw new InvalidArgumentError(errorMessage(error));
  }
}

function changeJson(change: ValidatorChange): unknown {
  return JSON.parse(ledger.ValidatorChange.toJson(change));
}

export function registerPendingChangesCommand(validator: CliCommand, context: CommandContext): void {
  validator
    .command('changes')
    .reading()
    .description('list pending changes of the validator set, and who approves them')
    .notes('All nodes list the changes in blocks. Only validators list those that still gather approvals.')
    .examples('heddle validator changes --url http://127.0.0.1:9600')
    .action(async (options: NodeCommandOptions) => {
      const { pending_changes: changes } = await askNode(options, context, (client) =>
        client.validator_status(),
      );
      context.console.out(options.json === true ? changesJson(changes) : changesText(changes));
    });
}

function changesJson(changes: readonly PendingValidatorChange[]): string {
  return `[${changes.map((change) => rpcTypes.PendingValidatorChange.toJson(change)).join(',')}]\n`;
}

/** Three lines for each change. */
export function changesText(changes: readonly PendingValidatorChange[]): string {
  if (changes.length === 0) return 'no pending changes\n';
  return changes
    .map(({ change, approvals, approvals_needed: needed, included, effective_height: height }) => {
      const approvers = approvals.map(({ index, address }) => `\n    ${index} ${formatAddress(address)}`);
      const when = `takes effect at height ${formatAmount(height)} at the earliest`;
      return [
        changeText(change),
        `  ${included ? 'in a block' : 'in no block yet'}; ${when}`,
        `  approved by ${approvals.length}, ${needed} needed${approvers.join('')}`,
        '',
      ].join('\n');
    })
    .join('');
}

/** A change of the validator set, in the form of the options `--add` and `--remove`. */
export function changeText(change: ValidatorChange): string {
  switch (change.type) {
    case 'add':
      return `add ${keysText(change.value)}@${shownLine(change.value.endpoint)}`;
    case 'remove':
      return `remove ${formatAddress(change.value)}`;
  }
}

function keysText({ identity_key, encryption_key }: NewValidator): string {
  return `${toHex(identity_key)}:${toHex(encryption_key)}`;
}
