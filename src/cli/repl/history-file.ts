import { mkdirSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import type { CommandContext } from '../command-context.js';

/** Names the file, or is empty for none, as NODE_REPL_HISTORY does. */
export const HISTORY_VARIABLE = 'HEDDLE_REPL_HISTORY';

/**
 * The file of past input, with its directory made, or undefined if input is not kept. Only its owner can read the
 * directory, as input may contain keys.
 */
export function historyFile({ environment }: Pick<CommandContext, 'environment'>): string | undefined {
  const named = environment[HISTORY_VARIABLE];
  if (named === '') return undefined;
  const state = environment['XDG_STATE_HOME'] || join(homedir(), '.local', 'state');
  const file = named ?? join(state, 'heddle', 'console_history');
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  return file;
}
