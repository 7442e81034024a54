import assert from 'node:assert/strict';
import type { CommandContext } from '../../../src/cli/cli-command.js';
import { consoleOn } from '../../../src/cli/console.js';
import { runCommandLine } from '../../../src/cli/run.js';

export interface CommandOutcome {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

const { HEDDLE_NATIVE } = process.env;
/** A suite that runs without native parts has its commands run without them, too. */
const INHERITED = HEDDLE_NATIVE === undefined ? {} : { HEDDLE_NATIVE };

/** Runs a command line in this process, as if its output were piped. */
export async function heddle(
  args: readonly string[],
  environment: CommandContext['environment'] = INHERITED,
  workingDirectory = process.cwd(),
): Promise<CommandOutcome> {
  const written = { out: '', err: '' };
  const code = await runCommandLine(args, {
    console: consoleOn({
      out: (text) => {
        written.out += text;
      },
      err: (text) => {
        written.err += text;
      },
      isTerminal: false,
      size: () => ({ columns: 80, rows: 24 }),
    }),
    environment,
    workingDirectory,
  });
  return { code, ...written };
}

/** Runs a command line in this process; it must succeed. @returns its standard output, trimmed */
export async function heddleOk(
  args: readonly string[],
  environment: CommandContext['environment'] = {},
): Promise<string> {
  const { code, out, err } = await heddle(args, environment);
  assert.equal(code, 0, `heddle ${args.join(' ')}: ${err}`);
  return out.trim();
}
