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

/** The node's version from package.json. */
export function packageVersion(): string {
  const parsed: unknown = JSON.parse(readFileSync(join(packageRoot(), 'package.json'), 'utf8'));
  const version = typeof parsed === 'object' && parsed !== null && 'version' in parsed ? parsed.version : '';
  if (typeof version !== 'string' || version === '') throw new Error('package.json: expected a version');
  return version;
}
