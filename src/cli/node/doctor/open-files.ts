import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { hasCode } from '../../../base/errors.js';
import { descriptorLimit, KEPT_DESCRIPTORS, parseDescriptorLimit } from '../../../config/descriptor-limit.js';
import type { DoctorContext } from './doctor-context.js';
import { type Finding, ok, problem, warning } from './finding.js';

/** A public node may need more connections than a lower limit allows. */
const FEW = 4_096;
const ADVICE =
  'raise the limit: LimitNOFILE=65536 in the systemd unit, --ulimit nofile=65536 of a container, or ulimit -n 65536 in the shell';

/** Compares the descriptor limit with the configured connections and the files of the store. */
export function checkOpenFiles({ config, owner }: DoctorContext): Finding {
  const { limit, whose } = limitOf(owner);
  const files = storeFiles(join(config.dataDir, 'store'));
  const kept = KEPT_DESCRIPTORS + files;
  const found = `${limit} open files allowed for ${whose}; the store has ${files} files`;
  const expected = `at least ${kept}: ${KEPT_DESCRIPTORS} for threads and other validators, and one for each file of the store; one more for each of ${config.maxConnections} connections`;
  if (limit < kept) return problem('open files', found, expected, ADVICE);
  if (limit < config.maxConnections + kept) {
    return warning('open files', found, expected, `${ADVICE}; or lower --max-connections`);
  }
  if (limit < FEW) return warning('open files', found, `${expected}; ${FEW} for a public node`, ADVICE);
  return ok('open files', found, expected);
}

/** The limit of the running node, or else of this process: a node started in the same shell would have it too. */
function limitOf(owner: number | undefined): { readonly limit: number; readonly whose: string } {
  if (owner !== undefined) {
    try {
      const limit = parseDescriptorLimit(readFileSync(`/proc/${owner}/limits`, 'latin1'));
      return { limit, whose: `the running node (process ${owner})` };
    } catch (error) {
      const isHidden = ['ENOENT', 'ESRCH', 'EACCES', 'EPERM'].some((code) => hasCode(error, code));
      if (!isHidden) throw error;
    }
  }
  return { limit: descriptorLimit(), whose: 'this process' };
}

function storeFiles(directory: string): number {
  return existsSync(directory) ? readdirSync(directory).length : 0;
}
