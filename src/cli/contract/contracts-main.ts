#!/usr/bin/env node
// The program of the package heddle-contracts: the commands of `heddle contract` that need no node.
import { CommanderError } from 'commander';
import { errorMessage } from '../../base/errors.js';
import { processEnvironment } from '../../config/environment.js';
import { packageVersion } from '../../config/package-info.js';
import { CliCommand } from '../cli-command.js';
import { CliError } from '../cli-error.js';
import { processConsole } from '../console.js';
import { registerContractProjectCommands } from './contract-project.js';
import { registerContractTestCommand } from './test/contract-test.js';

const output = processConsole();
const program = new CliCommand('heddle-contracts')
  .description('Creates, builds and tests contracts.')
  .version(packageVersion(), '-V, --version', 'print the version')
  .helpOption('-h, --help', 'print help')
  .exitOverride();
const context = {
  console: output,
  environment: processEnvironment(),
  workingDirectory: process.cwd(),
};
registerContractProjectCommands(program, context);
registerContractTestCommand(program, context);
try {
  await program.parseAsync();
} catch (error) {
  if (error instanceof CommanderError) process.exitCode = error.exitCode === 0 ? 0 : 2;
  else {
    output.err(`heddle-contracts: ${errorMessage(error)}\n`);
    process.exitCode = error instanceof CliError ? error.exitCode : 1;
  }
}
