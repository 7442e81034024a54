import { spawnSync } from 'node:child_process';
import { pathToFileURL } from 'node:url';
import { errorMessage } from '../../../base/errors.js';
import { shownText } from '../../../base/shown-text.js';
import { CallFailedError, RpcCallError } from '../../../client/client.js';
import { CliError } from '../../cli-error.js';
import { statusText } from '../../outcome-text.js';
import type { ScriptFile } from './script-file.js';

/** Longest message; a node or a contract may have written it. */
const MAX_MESSAGE = 2_000;
const CHECK_MS = 10_000;

/**
 * The failure of a script, with the line of its file where it happened.
 * @param askedAt a stack to look in as well
 */
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
