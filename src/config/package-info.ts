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
  return packageJson().name;
}

export function packageVersion(): string {
  return packageJson().version;
}

export function supportedNode(): string {
  return packageJson().engines.node;
}

interface PackageJson {
  readonly name: string;
  readonly version: string;
  readonly engines: { readonly node: string };
}

function packageJson(): PackageJson {
  return JSON.parse(readFileSync(join(packageRoot(), 'package.json'), 'utf8'));
}
