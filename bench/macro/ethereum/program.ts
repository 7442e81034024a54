import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { errorMessage } from '../../../src/base/errors.js';
import { packageRoot } from '../../../src/config/package-info.js';
import { MacroError } from '../macro-error.js';

export type EthereumKind = 'anvil' | 'ganache';

/** An installed development node. */
export interface EthereumProgram {
  readonly kind: EthereumKind;
  readonly path: string;
  readonly version: string;
}

/** The npm package of each node. */
export const PACKAGES: Readonly<Record<EthereumKind, string>> = {
  anvil: '@foundry-rs/anvil',
  ganache: 'ganache',
};

const VERSION_TIMEOUT_MS = 20_000;
const run = promisify(execFile);

/** The path of a program: in the project's `node_modules/.bin`, then on the PATH. */
export function findProgram(name: string): string | undefined {
  const onPath = (process.env['PATH'] ?? '').split(delimiter).filter(Boolean);
  return [join(packageRoot(), 'node_modules', '.bin'), ...onPath]
    .map((folder) => join(folder, name))
    .find((path) => existsSync(path));
}

/** The version in a node's answer to `--version`, such as `1.7.1`, or undefined if it is no such answer. */
export function parseVersion(kind: EthereumKind, output: string): string | undefined {
  return new RegExp(`^${kind} (?:v|version: )(\\d+\\.\\d+\\.\\d+[\\w.+-]*)`, 'i').exec(output)?.[1];
}

/**
 * Looks for a node.
 *
 * @param path the program to take; absent: the installed one, if there is one
 * @throws MacroError if the program does not run or has no version
 */
export async function ethereumProgram(
  kind: EthereumKind,
  path: string | undefined,
): Promise<EthereumProgram | undefined> {
  const found = path ?? findProgram(kind);
  if (found === undefined) return undefined;
  const { stdout } = await run(found, ['--version'], { timeout: VERSION_TIMEOUT_MS }).catch(
    (error: unknown) => {
      const message = `${found} --version does not run: ${errorMessage(error)}`;
      throw new MacroError('program_unusable', message, { cause: error });
    },
  );
  const version = parseVersion(kind, stdout);
  if (version === undefined) {
    throw new MacroError(
      'program_unusable',
      `${found} --version: expected the version of ${kind}, got ${JSON.stringify(stdout.slice(0, 100))}`,
    );
  }
  return { kind, path: found, version };
}
