import { Command, CommanderError } from 'commander';
import { ClientError } from '../client/client-error.js';
import { RpcCallError } from '../client/rpc-call-error.js';
import { ConfigError } from '../config/config-error.js';
import { packageVersion } from '../config/package-info.js';
import { CliError } from './cli-error.js';
import type { CommandContext } from './command-context.js';
import { withDevAccounts } from './dev-signer.js';

/** Adds a command with its subcommands. */
type Register = (program: Command, context: CommandContext) => void;

/** Commands by name, in help order, each loaded on demand: loading dominates the startup of a short command. */
const COMMANDS: Readonly<Record<string, () => Promise<Register>>> = {
  start: async () => (await import('./node/start.js')).registerStartCommand,
  send: async () => (await import('./send.js')).registerSendCommand,
  balance: async () => (await import('./read/balance.js')).registerBalanceCommand,
  account: async () => (await import('./read/account.js')).registerAccountCommand,
  block: async () => (await import('./read/block.js')).registerBlockCommand,
  tx: async () => (await import('./read/tx.js')).registerTxCommand,
  receipt: async () => (await import('./read/receipt.js')).registerReceiptCommand,
  logs: async () => (await import('./read/logs.js')).registerLogsCommand,
  storage: async () => (await import('./read/storage.js')).registerStorageCommand,
  pool: async () => (await import('./read/pool.js')).registerPoolCommand,
  estimate: async () => (await import('./estimate.js')).registerEstimateCommand,
  bundle: async () => (await import('./bundle.js')).registerBundleCommand,
  contract: async () => (await import('./contract/contract.js')).registerContractCommands,
  console: async () => (await import('./repl/repl.js')).registerConsoleCommand,
  genesis: async () => (await import('./validators/genesis.js')).registerGenesisCommands,
  init: async () => (await import('./validators/init.js')).registerInitCommand,
  dkg: async () => (await import('./validators/dkg.js')).registerDkgCommand,
  validator: async () => (await import('./validators/validator.js')).registerValidatorCommands,
  localnet: async () => (await import('./validators/localnet.js')).registerLocalnetCommand,
  doctor: async () => (await import('./node/doctor.js')).registerDoctorCommand,
  status: async () => (await import('./node/status.js')).registerStatusCommand,
  trace: async () => (await import('./load/trace.js')).registerTraceCommand,
  replay: async () => (await import('./load/replay.js')).registerReplayCommand,
  light: async () => (await import('./light/light.js')).registerLightCommand,
  load: async () => (await import('./load/load.js')).registerLoadCommand,
  simulate: async () => (await import('./load/simulate.js')).registerSimulateCommand,
  farm: async () => (await import('./farm/farm.js')).registerFarmCommands,
  'simulate-consensus': async () =>
    (await import('./simulate-consensus.js')).registerSimulateConsensusCommand,
  token: async () => (await import('./token/token.js')).registerTokenCommands,
  keys: async () => (await import('./keys.js')).registerKeysCommands,
  verify: async () => (await import('./node/verify.js')).registerVerifyCommand,
  dev: async () => (await import('./dev/dev.js')).registerDevCommands,
  'dev-state': async () => (await import('./node/dev-state.js')).registerDevStateCommand,
  snapshot: async () => (await import('./node/snapshot.js')).registerSnapshotCommands,
  idl: async () => (await import('./idl.js')).registerIdlCommands,
  completion: async () => (await import('./completion/completion.js')).registerCompletionCommand,
};

/** Built-in error classes, which indicate a bug; the project's own errors have messages for users. */
const UNEXPECTED = new Set([
  'Error',
  'AggregateError',
  'RangeError',
  'ReferenceError',
  'SyntaxError',
  'TypeError',
]);

/** Builds the command line with only the command that `args` names, or with all for help, completion and unknown names. */
async function buildProgram(args: readonly string[], context: CommandContext): Promise<Command> {
  const [name = ''] = args;
  const isOneEnough = name !== 'completion' && Object.hasOwn(COMMANDS, name);
  const wanted = isOneEnough ? COMMANDS[name] : undefined;
  const program = new Command('heddle')
    .description('A blockchain node built for parallel execution on worker threads.')
    .version(packageVersion(), '-V, --version', 'print the version')
    .helpOption('-h, --help', 'print help')
    .helpCommand('help [COMMAND]', 'print help for a command')
    .exitOverride()
    .configureOutput({
      writeOut: (text) => context.console.out(text),
      writeErr: (text) => context.console.err(text.replace(/^error: /, 'heddle: ')),
    })
    .configureHelp({ sortSubcommands: false })
    .showHelpAfterError("(add --help to show the command's usage)")
    .addHelpText(
      'after',
      [
        '',
        'Examples:',
        '  $ heddle start                                  a development chain on 127.0.0.1:9545',
        '  $ heddle send --from-dev 0 --to 0x… --amount 1e18',
        '  $ heddle balance dev:0 --decimals 18',
        '  $ heddle status                                 watch it',
        '  $ heddle start --help                           every option of the node',
        '',
        'Exit codes: 0 success, 1 failure, 2 wrong usage.',
        '',
      ].join('\n'),
    );
  for (const load of wanted === undefined ? Object.values(COMMANDS) : [wanted]) {
    const register = await load();
    register(program, context);
  }
  return program;
}

/**
 * Runs a command to completion. Leaves the exit code of the process as it was, for callers that run more than a command.
 * @param args the arguments after the program's name
 * @returns the exit code: 0 success, 1 failure, 2 wrong usage
 */
export async function runCommandLine(args: readonly string[], context: CommandContext): Promise<number> {
  const earlier = process.exitCode;
  process.exitCode = undefined;
  try {
    const program = await buildProgram(args, context);
    await withDevAccounts(context.environment, () => program.parseAsync(args, { from: 'user' }));
    return typeof process.exitCode === 'number' ? process.exitCode : 0;
  } catch (error) {
    // Commander has printed its message. Requested help is a success; help for a missing command is not.
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
    context.console.err(`${describe(error, wantsStack(args, context.environment))}\n`);
    return exitCodeOf(error);
  } finally {
    process.exitCode = earlier;
  }
}

function exitCodeOf(error: unknown): number {
  if (error instanceof CliError) return error.exitCode;
  return error instanceof ConfigError || (error instanceof ClientError && error.code === 'bad_url') ? 2 : 1;
}

function describe(error: unknown, withStack: boolean): string {
  if (!(error instanceof Error)) return `heddle: ${String(error)}`;
  if (withStack) return `heddle: ${error.stack ?? error.message}${describeCause(error)}`;
  const message =
    error instanceof RpcCallError ? `the node answered: ${error.message} (${error.kind})` : error.message;
  const hint = UNEXPECTED.has(error.name) ? ' (--log-level debug shows where)' : '';
  return `${message}${hint}`
    .split('\n')
    .map((line) => `heddle: ${line}`)
    .join('\n');
}

function describeCause(error: Error): string {
  return error.cause instanceof Error ? `\ncaused by: ${error.cause.stack ?? error.cause.message}` : '';
}

function wantsStack(args: readonly string[], environment: CommandContext['environment']): boolean {
  const at = args.findIndex((arg) => arg === '--log-level' || arg.startsWith('--log-level='));
  const flag = at === -1 ? undefined : args[at]?.includes('=') ? args[at]?.split('=')[1] : args[at + 1];
  return ['debug', 'trace'].includes(flag ?? environment['HEDDLE_LOG_LEVEL'] ?? '');
}
