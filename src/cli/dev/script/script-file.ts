import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, relative, resolve, sep } from 'node:path';
import { pathToFileURL } from 'node:url';
import { errorMessage } from '../../../base/errors.js';
import { shownText } from '../../../base/shown-text.js';
import { CallFailedError, RpcCallError, type Script } from '../../../client/client.js';
import type { CommandContext } from '../../cli-command.js';
import { CliError, UsageError } from '../../cli-error.js';
import { statusText } from '../../outcome-text.js';
import { expectRunnable } from '../../typescript-files.js';

export interface ScriptFile {
  /** Absolute. */
  readonly path: string;
  /** Relative to the working directory, with `/` between folders; for records and messages. */
  readonly shown: string;
}

/** Longest message; a node or a contract may have written it. */
const MAX_MESSAGE = 2_000;
const CHECK_MS = 10_000;

/** The failure of a script, with the line in its file. @param askedAt a stack to look in as well */
export function scriptFailure({ path, shown }: ScriptFile, error: unknown, askedAt = ''): CliError {
  const stack = error instanceof Error ? (error.stack ?? '') : '';
  const isUnplaced = error instanceof SyntaxError && positionIn(path, stack) === undefined;
  const place = positionIn(path, `${stack}\n${askedAt}\n${isUnplaced ? syntaxCheck(path) : ''}`);
  const text = messageOf(error);
  const message = text.length > MAX_MESSAGE ? `${text.slice(0, MAX_MESSAGE - 1)}…` : text;
  return new CliError(`${shown}${place === undefined ? '' : `:${place}`}: ${shownText(message)}`, {
    cause: error,
  });
}

function messageOf(error: unknown): string {
  if (error instanceof RpcCallError)
    return `the node answered: ${error.message} (${error.reason ?? error.kind})`;
  if (error instanceof CallFailedError) {
    const { what, status, sent } = error;
    return `${what}: ${statusText(status)}${sent === undefined ? '' : ` (transaction ${sent.hashHex})`}`;
  }
  const name = error instanceof Error && BUGS.has(error.name) ? `${error.name}: ` : '';
  return `${name}${errorMessage(error)}`;
}

/** Errors that indicate a bug in the script; their messages need the name. */
const BUGS = new Set(['AssertionError', 'RangeError', 'ReferenceError', 'SyntaxError', 'TypeError']);

/** What Node says of a file with a syntax error: the error of an import does not have its line. */
function syntaxCheck(path: string): string {
  return spawnSync(process.execPath, ['--check', path], { encoding: 'utf8', timeout: CHECK_MS }).stderr;
}

/** Line and column of the innermost call in a file, or of its syntax error; undefined if the stack does not have the file. */
function positionIn(path: string, stack: string): string | undefined {
  for (const name of [pathToFileURL(path).href, path]) {
    const at = stack.indexOf(name);
    if (at === -1) continue;
    const [, position] = /^(?:\?pass=\w+)?:(\d+(?::\d+)?)/.exec(stack.slice(at + name.length)) ?? [];
    if (position !== undefined) return position;
  }
  return undefined;
}

export type PassKind = 'dry' | 'broadcast';

/** Finds a script and loads modules to be there before it, such as a loader of TypeScript. @throws CliError */
export async function findScript(
  file: string,
  imports: readonly string[],
  { workingDirectory }: CommandContext,
): Promise<ScriptFile> {
  const path = resolve(workingDirectory, file);
  if (!existsSync(path)) throw new UsageError(`${file}: there is no such file`);
  if (!/\.[cm]?[jt]s$/.test(path)) {
    throw new UsageError(`${file}: expected a script that ends in .mjs, .js, .mts or .ts`);
  }
  if (imports.length === 0) expectRunnable(file);
  const near = createRequire(join(workingDirectory, 'any.js'));
  for (const module of imports) {
    try {
      await import(pathToFileURL(near.resolve(module)).href);
    } catch (error) {
      throw new UsageError(`--import ${module}: ${errorMessage(error)}`, { cause: error });
    }
  }
  return { path, shown: relative(workingDirectory, path).split(sep).join('/') };
}

/**
 * Loads a script's function. Each pass loads the file again, because the first one may have changed its variables.
 * @throws CliError with the line if the file cannot be loaded or has no such function
 */
export async function loadScript(script: ScriptFile, pass: PassKind): Promise<Script> {
  const { href } = pathToFileURL(script.path);
  let module: { readonly run?: unknown; readonly default?: unknown };
  try {
    module = await import(`${href}?pass=${pass}`);
  } catch (error) {
    throw scriptFailure(script, error);
  }
  const run = module.run ?? module.default;
  if (typeof run === 'function') return run as Script;
  const names = Object.keys(module).join(', ') || 'nothing';
  throw new UsageError(
    `${script.shown}: expected an exported function run: export async function run({ deploy, sender, log }) {…}; it exports ${names}`,
  );
}
