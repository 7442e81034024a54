import { readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { hasCode } from '../../base/errors.js';

const FILE = 'file:';

/**
 * How a new project depends on this program's package, which no registry has: as the project that it is installed in does,
 * or on its folder. Paths are relative to the new project, so that both can move together.
 * @param name of the package
 * @param root of the package
 * @param folder of the new project
 */
export function ownDependency(name: string, root: string, folder: string): string {
  const modules = dirname(root);
  const user = /[\\/]node_modules$/.test(modules) ? dirname(modules) : undefined;
  const spec = user === undefined ? undefined : specIn(user, name);
  if (user === undefined || spec === undefined) return fileSpec(folder, root);
  return spec.startsWith(FILE) ? fileSpec(folder, resolve(user, spec.slice(FILE.length))) : spec;
}

function fileSpec(folder: string, target: string): string {
  return `${FILE}${relative(folder, target).replaceAll('\\', '/')}`;
}

/** The dependency in a project's package.json; undefined if there is none. */
function specIn(project: string, name: string): string | undefined {
  let text: string;
  try {
    text = readFileSync(join(project, 'package.json'), 'utf8');
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return undefined;
    throw error;
  }
  const { dependencies, devDependencies } = JSON.parse(text) as {
    readonly dependencies?: Readonly<Record<string, string>>;
    readonly devDependencies?: Readonly<Record<string, string>>;
  };
  return devDependencies?.[name] ?? dependencies?.[name];
}
