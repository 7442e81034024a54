import { statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The folder of package.json. */
export const ROOT = dirname(dirname(dirname(fileURLToPath(import.meta.url))));
/** Everything that a build writes. */
export const DIST = join(ROOT, 'dist');

/** @returns true if the file exists and was written after all `inputs`, paths relative to the root, which must exist */
export function isNewerThan(path, inputs) {
  const written = modifiedMs(path);
  return inputs.every((input) => {
    const changed = modifiedMs(join(ROOT, input));
    return changed !== 0 && changed < written;
  });
}

/** Time of the last change in milliseconds since 1970; 0 if there is no such file. */
function modifiedMs(path) {
  return statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;
}
