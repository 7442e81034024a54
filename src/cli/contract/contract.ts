import type { CliCommand, CommandContext } from '../cli-command.js';
import { registerContractProjectCommands } from './contract-project.js';
import { registerContractReadCommands } from './contract-read.js';
import { registerContractSendCommands } from './contract-send.js';
import { registerContractTestCommand } from './test/contract-test.js';

export function registerContractCommands(program: CliCommand, context: CommandContext): void {
  const contract = program.command('contract');
  registerContractProjectCommands(contract, context);
  registerContractTestCommand(contract, context);
  registerContractSendCommands(contract, context);
  registerContractReadCommands(contract, context);
}
