import { type Stats, statSync } from 'node:fs';
import { hasCode } from '../../../base/errors.js';
import { type CheckName, type Finding, problem } from './finding.js';

const OTHERS = 0o077;

/**
 * A problem if others than its owner may use a secret file. A missing or inaccessible file is left to the code that
 * reads it.
 */
export function exposedSecret(check: CheckName, path: string): Finding | undefined {
  let stats: Stats;
  try {
    stats = statSync(path);
  } catch (error) {
    if (['ENOENT', 'ENOTDIR', 'EACCES'].some((code) => hasCode(error, code))) return undefined;
    throw error;
  }
  if (process.platform === 'win32' || (stats.mode & OTHERS) === 0) return undefined;
  const mode = (stats.mode & 0o777).toString(8).padStart(4, '0');
  return problem(check, `${path} has mode ${mode}: others can use it`, 'mode 0600', `chmod 600 '${path}'`);
}
