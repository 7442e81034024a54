import type { Command } from 'commander';
import type { CommandContext } from '../command-context.js';
import { registerContractProjectCommands } from './contract-project.js';
import { registerContractReadCommands } from './contract-read.js';
import { registerContractSendCommands } from './contract-send.js';

/** `heddle contract …`. */
export function registerContractCommands(program: Command, context: CommandContext): void {
  const contract = program
    .command('contract')
    .description('create, build, deploy, call and inspect contracts');
  registerContractProjectCommands(contract, context);
  registerContractSendCommands(contract, context);
  registerContractReadCommands(contract, context);
}
