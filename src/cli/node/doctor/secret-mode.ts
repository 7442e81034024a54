import { type Stats, statSync } from 'node:fs';
import { resolve } from 'node:path';
import { hasCode } from '../../../base/errors.js';
import { type CheckName, type Finding, problem, warning } from './finding.js';

const GROUP = 0o070;
const WORLD = 0o007;

/**
 * Checks the mode of a secret file. Access for everyone is a problem; access for its group is a warning, because the
 * group may have one member, as in Kubernetes. The code that reads the file reports one that is missing or
 * inaccessible.
 * @param credentials a directory of systemd credentials: there the group's bits are the mask of an access control list
 *   that lets only the user of the unit in
 */
export function exposedSecret(check: CheckName, path: string, credentials?: string): Finding | undefined {
  let stats: Stats;
  try {
    stats = statSync(path);
  } catch (error) {
    if (['ENOENT', 'ENOTDIR', 'EACCES'].some((code) => hasCode(error, code))) return undefined;
    throw error;
  }
  const isOpen = (bits: number) => process.platform !== 'win32' && (stats.mode & bits) !== 0;
  const mode = `has mode ${(stats.mode & 0o777).toString(8).padStart(4, '0')}`;
  const advice = `chmod 600 '${path}'`;
  if (isOpen(WORLD)) return problem(check, `${path} ${mode}: others can use it`, 'mode 0600', advice);
  if (credentials !== undefined && resolve(path).startsWith(`${resolve(credentials)}/`)) return undefined;
  if (isOpen(GROUP)) return warning(check, `${path} ${mode}: its group can use it`, 'mode 0600', advice);
  return undefined;
}
