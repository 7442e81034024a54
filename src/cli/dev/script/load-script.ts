import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, relative, resolve, sep } from 'node:path';
import { pathToFileURL } from 'node:url';
import { errorMessage } from '../../../base/errors.js';
import type { Script } from '../../../client/client.js';
import { UsageError } from '../../cli-error.js';
import type { CommandContext } from '../../command-context.js';
import { expectRunnable } from '../../typescript-files.js';
import { scriptFailure } from './script-failure.js';
import type { ScriptFile } from './script-file.js';

/** The passes over a script. */
export type PassKind = 'dry' | 'broadcast';

/**
 * Finds a script and loads the modules that must be loaded before it.
 * @param imports such as a loader of TypeScript
 * @throws CliError if there is no such file, or this version of Node cannot run it
 */
export async function findScript(
  file: string,
  imports: readonly string[],
  { workingDirectory }: Pick<CommandContext, 'workingDirectory'>,
): Promise<ScriptFile> {
  const path = resolve(workingDirectory, file);
  if (!existsSync(path)) throw new UsageError(`${file}: there is no such file`);
  if (!/\.[cm]?[jt]s$/.test(path)) {
    throw new UsageError(`${file}: expected JavaScript or TypeScript: .mjs, .js, .mts or .ts`);
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
    `${script.shown}: expected a function that is exported as run: export async function run({ deploy, sender, log }) {…}; it exports ${names}`,
  );
}
