import type { Command } from 'commander';
import type { CommandContext } from '../command-context.js';
import { registerContractProjectCommands } from './contract-project.js';
import { registerContractReadCommands } from './contract-read.js';
import { registerContractSendCommands } from './contract-send.js';

/** `heddle contract …`. */
export function registerContractCommands(program: Command, context: CommandContext): void {
  const contract = program
    .command('contract')
    .description('write, build, deploy and call contracts, and look at them');
  registerContractProjectCommands(contract, context);
  registerContractSendCommands(contract, context);
  registerContractReadCommands(contract, context);
}
