import { mkdirSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { type REPLServer, start } from 'node:repl';
import { PassThrough, Readable, Writable } from 'node:stream';
import { types } from 'node:util';
import { errorMessage, toError } from '../../base/errors.js';
import type { CliCommand, CommandContext } from '../cli-command.js';
import { CliError, ReportedFailure } from '../cli-error.js';
import { passphraseFileOption } from '../key-file.js';
import { listOf } from '../option-parsers.js';
import { type ReplNames, type ReplOptions, replNames } from './repl-names.js';
import { showError, showValue } from './shown-value.js';

/** Names the file, or is empty for none, as NODE_REPL_HISTORY does. */
export const HISTORY_VARIABLE = 'HEDDLE_REPL_HISTORY';

/**
 * The file of past input, with its directory made, or undefined if input is not kept. Only its owner can read the
 * directory, as input may contain keys.
 */
export function historyFile(environment: CommandContext['environment']): string | undefined {
  const named = environment[HISTORY_VARIABLE];
  if (named === '') return undefined;
  const state = environment['XDG_STATE_HOME'] || join(homedir(), '.local', 'state');
  const file = named ?? join(state, 'heddle', 'console_history');
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  return file;
}

const PROMPT = 'heddle> ';

export function registerConsoleCommand(program: CliCommand, context: CommandContext): void {
  program
    .command('console')
    .connection('./heddle-data/admin.token, if it is there and the node on this machine')
    .option('--key <FILE>', 'the account to send from (default: development account 0)')
    .addOption(passphraseFileOption())
    .option(
      '--contract <NAME=ADDRESS>',
      'a contract under a name, by its interface on chain; may be repeated',
      listOf(String),
      [],
    )
    .option('--idl <FILE>', 'the interface of the contracts of --contract')
    .option('--eval <CODE>', 'run this, print its result, and end')
    .notes(
      'help() in the console lists what it offers. Top-level await works, Tab completes, Ctrl-D ends. Without a',
      'terminal, it reads lines from standard input, prints their results, and ends with code 1 if one failed.',
      `Past input is kept in the file that ${HISTORY_VARIABLE} names (empty: nowhere), by default`,
      'heddle/console_history in $XDG_STATE_HOME or ~/.local/state.',
    )
    .examples(
      'heddle console',
      'heddle console --contract token=0x5f0c…91',
      "echo 'await client.status()' | heddle console",
      'heddle console --eval \'formatAmount((await client.account({ address: address("dev:1") })).balance)\'',
    )
    .action(async (options: ReplOptions) => {
      const names = await replNames(options, context);
      const isPerson =
        options.eval === undefined && process.stdin.isTTY === true && context.console.isTerminal;
      if (isPerson) await converse(names, context);
      else
        await runLines(
          options.eval === undefined ? process.stdin : Readable.from([`${options.eval}\n`]),
          names,
          context,
        );
    });
}

async function converse(names: ReplNames, context: CommandContext): Promise<void> {
  const { console } = context;
  console.out(`${await greeting(names)}\n`);
  const history = historyOf(context);
  const server = start({
    prompt: PROMPT,
    ignoreUndefined: true,
    useGlobal: true,
    writer: (value: unknown) => textOf(value, true),
  });
  offer(server, names);
  if (history !== undefined) {
    server.setupHistory(history, (error) => {
      if (error) console.err(`heddle: input is not kept: ${errorMessage(error)}\n`);
    });
  }
  await ended(server, (error) => {
    console.err(`${showError(error)}\n`);
    server.displayPrompt();
  });
}

/** Runs lines that are not typed: only their results are printed. @throws ReportedFailure if a line failed */
async function runLines(input: Readable, names: ReplNames, context: CommandContext): Promise<void> {
  const { console } = context;
  let hasFailed = false;
  const failed = (text: string) => {
    console.err(`heddle: ${text}\n`);
    hasFailed = true;
  };
  let server: REPLServer | undefined;
  let onPrompt: (() => void) | undefined;
  const write = (text: string) => {
    if (text === (server?.getPrompt() ?? PROMPT)) onPrompt?.();
    else if (/^Uncaught\b/.test(text)) failed(text.replace(/^Uncaught:?\s+/, '').trimEnd());
    else console.out(text);
  };
  // The server takes the next line while one awaits, so it gets each line at its prompt.
  const given = new PassThrough();
  server = start({
    input: given,
    output: new Writable({
      decodeStrings: false,
      write: (chunk, _encoding, done) => {
        write(String(chunk));
        done();
      },
    }),
    prompt: PROMPT,
    terminal: false,
    useGlobal: true,
    ignoreUndefined: true,
    writer: (value: unknown) => textOf(value, false),
  });
  offer(server, names);
  const end = ended(server, (error) => failed(showError(error)));
  const isOver = end.then(() => true);
  for await (const line of createInterface({ input })) {
    const isReady = new Promise<false>((resolve) => {
      // An error is followed by two prompts.
      onPrompt = () => setImmediate(resolve, false);
    });
    given.write(`${line}\n`);
    if (await Promise.race([isReady, isOver])) break;
  }
  given.end();
  await end;
  // The prompt of an unfinished statement is another one.
  if (server.getPrompt() !== PROMPT) throw new CliError('the input ends within a statement');
  if (hasFailed) throw new ReportedFailure();
}

function textOf(value: unknown, colors: boolean): string {
  return types.isNativeError(value) ? showError(value) : showValue(value, colors);
}

async function greeting({ client, accounts }: ReplNames): Promise<string> {
  const keys = `${accounts.length} accounts; help() lists what is here`;
  try {
    const { chain_id: id, tip } = await client.status();
    return `${client.endpoint}: chain ${id}, height ${tip.height}, ${keys}`;
  } catch (error) {
    return `${client.endpoint} does not answer: ${errorMessage(error)}\n${keys}`;
  }
}

function historyOf(context: CommandContext): string | undefined {
  try {
    return historyFile(context.environment);
  } catch (error) {
    context.console.err(`heddle: input is not kept: ${errorMessage(error)}\n`);
    return undefined;
  }
}

function offer(server: REPLServer, { names }: ReplNames): void {
  for (const [name, value] of Object.entries(names)) {
    // Assignments may replace a name, as with those that a line declares.
    Object.defineProperty(server.context, name, {
      value,
      writable: true,
      enumerable: true,
      configurable: true,
    });
  }
}

/** Resolves when the console ends. @param onStray gets errors that no line waits for */
async function ended(server: REPLServer, onStray: (error: Error) => void): Promise<void> {
  const stray = (error: unknown) => onStray(toError(error));
  process.on('unhandledRejection', stray);
  try {
    await new Promise<void>((resolve) => server.once('exit', resolve));
  } finally {
    process.off('unhandledRejection', stray);
  }
}
