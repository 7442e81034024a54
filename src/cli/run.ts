import { CommanderError, Help } from 'commander';
import { withSourcePositions } from '../base/source-positions.js';
import { ClientError } from '../client/client-error.js';
import { RpcCallError } from '../client/rpc-call-error.js';
import { ConfigError } from '../config/config-error.js';
import { packageVersion } from '../config/package-info.js';
import { CliCommand, type CommandContext } from './cli-command.js';
import { CliError, ReportedFailure } from './cli-error.js';
import { COMMANDS, LOADERS } from './commands.js';
import { withDevAccounts } from './dev-signer.js';

/** Built-in error classes, which indicate a bug; the project's own errors have messages for users. */
const UNEXPECTED = /^(Aggregate|Range|Reference|Syntax|Type|)Error$/;

/**
 * Builds the command line with the command that `args` names, or with all for completion. Of the others it has only names
 * and descriptions, enough for help and for suggestions: loading them all takes half a second.
 */
async function buildProgram(args: readonly string[], context: CommandContext): Promise<CliCommand> {
  const wanted = args[0] === 'help' ? args[1] : args[0];
  const program = new CliCommand('heddle')
    .description('A blockchain node built for parallel execution on worker threads.')
    .version(packageVersion(), '-V, --version', 'print the version')
    .helpOption('-h, --help', 'print help')
    .helpCommand('help [COMMAND]', 'print help for a command')
    .exitOverride()
    .configureOutput({
      writeOut: (text) => context.console.out(text),
      writeErr: (text) => context.console.err(text.replace(/^error: /, 'heddle: ')),
    })
    .configureHelp({
      sortSubcommands: false,
      // A command that is not loaded does not know its options and arguments.
      subcommandTerm(command): string {
        return command.parent === program
          ? command.name()
          : Help.prototype.subcommandTerm.call(this, command);
      },
    })
    .showHelpAfterError("(add --help to show the command's usage)")
    .examples(
      'heddle start                                  a development chain on 127.0.0.1:9545',
      'heddle send --from-dev 0 --to 0x… --amount 1e18',
      'heddle balance dev:0 --decimals 18',
      'heddle status                                 watch it',
      'heddle start --help                           the options of the node',
    )
    .addHelpText('after', 'Exit codes: 0 success, 1 failure, 2 wrong usage.\n');
  for (const name of Object.keys(COMMANDS) as (keyof typeof COMMANDS)[]) {
    if (name === wanted || wanted === 'completion') (await LOADERS[name]())(program, context);
    else program.command(name);
    program.commands.at(-1)?.description(COMMANDS[name]);
  }
  return program;
}

/** Runs a command. @returns 0 success, 1 failure, 2 wrong usage */
export async function runCommandLine(args: readonly string[], context: CommandContext): Promise<number> {
  try {
    const program = await buildProgram(args, context);
    await withDevAccounts(context.environment, () => program.parseAsync(args, { from: 'user' }));
    return 0;
  } catch (error) {
    // Commander has printed its message. Requested help is a success; help for a missing command is not.
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
    if (!(error instanceof ReportedFailure)) {
      context.console.err(`${describe(error, wantsStack(args, context.environment))}\n`);
    }
    return exitCodeOf(error);
  }
}

function exitCodeOf(error: unknown): number {
  if (error instanceof CliError) return error.exitCode;
  return error instanceof ConfigError || (error instanceof ClientError && error.code === 'bad_url') ? 2 : 1;
}

function describe(error: unknown, withStack: boolean): string {
  if (!(error instanceof Error)) return `heddle: ${String(error)}`;
  if (withStack) {
    const { cause } = error;
    const below = cause instanceof Error ? `\ncaused by: ${cause.stack ?? cause.message}` : '';
    return withSourcePositions(`heddle: ${error.stack ?? error.message}${below}`);
  }
  const message =
    error instanceof RpcCallError ? `the node answered: ${error.message} (${error.kind})` : error.message;
  const hint = UNEXPECTED.test(error.name) ? ' (--log-level debug shows where)' : '';
  return `${message}${hint}`.replaceAll(/^|(?<=\n)/g, 'heddle: ');
}

function wantsStack(args: readonly string[], environment: CommandContext['environment']): boolean {
  const at = args.findIndex((arg) => arg === '--log-level' || arg.startsWith('--log-level='));
  const flag = at === -1 ? undefined : args[at]?.includes('=') ? args[at]?.split('=')[1] : args[at + 1];
  return ['debug', 'trace'].includes(flag ?? environment['HEDDLE_LOG_LEVEL'] ?? '');
}
