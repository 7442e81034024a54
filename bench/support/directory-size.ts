import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { hasCode } from '../../src/base/errors.js';

/** The total length of a directory's files in bytes. A running node may remove some of them meanwhile. */
export function directoryBytes(directory: string): number {
  const lengths = readdirSync(directory, { recursive: true, encoding: 'utf8' }).map((name) => {
    try {
      const found = statSync(join(directory, name));
      return found.isFile() ? found.size : 0;
    } catch (error) {
      if (hasCode(error, 'ENOENT')) return 0;
      throw error;
    }
  });
  return lengths.reduce((sum, each) => sum + each, 0);
}
