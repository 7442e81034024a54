import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The package's directory: the nearest parent of this file with a package.json. */
export function packageRoot(): string {
  let directory = dirname(fileURLToPath(import.meta.url));
  while (!existsSync(join(directory, 'package.json'))) {
    const parent = dirname(directory);
    if (parent === directory) throw new Error('the package has no package.json; reinstall it');
    directory = parent;
  }
  return directory;
}

/** `heddle`, or the name of a package that has a part of its modules. */
export function packageName(): string {
  return textOf(packageJson(), 'name');
}

/** The node's version from package.json. */
export function packageVersion(): string {
  return textOf(packageJson(), 'version');
}

/** The range of supported Node versions from package.json. */
export function supportedNode(): string {
  return textOf(memberOf(packageJson(), 'engines'), 'node');
}

function packageJson(): unknown {
  return JSON.parse(readFileSync(join(packageRoot(), 'package.json'), 'utf8'));
}

function textOf(value: unknown, name: string): string {
  const text = memberOf(value, name);
  if (typeof text !== 'string' || text === '') throw new Error(`package.json: expected a text for ${name}`);
  return text;
}

function memberOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null
    ? Object.getOwnPropertyDescriptor(value, name)?.value
    : undefined;
}
