import { stat } from 'node:fs/promises';
import { userInfo } from 'node:os';
import { nearestExisting } from '../../../storage/data-directory.js';
import type { DoctorContext } from './doctor-context.js';
import { type Finding, ok, warning } from './finding.js';

/** Checks whether the doctor runs as the user of the node: its findings about permissions hold for one user only. */
export async function checkUser({ config }: DoctorContext): Promise<Finding[]> {
  const own = process.getuid?.();
  if (own === undefined) return [];
  const directory = nearestExisting(config.dataDir);
  const { uid } = await stat(directory);
  const found = `this command runs as ${nameOf(own)}, and ${directory} belongs to user id ${uid}`;
  if (own === 0 && uid === 0) {
    const give = directory === config.dataDir ? 'chown -R' : 'install -d -m 700 -o';
    const advice = `run the node as a user of its own: useradd --system heddle; ${give} heddle '${config.dataDir}'`;
    return [
      warning('user', found, 'a user other than root, so that a fault of the node stays its own', advice),
    ];
  }
  const expected = 'the user who runs the node';
  // A missing directory has no owner yet; its parent does.
  if (uid === own || directory !== config.dataDir) return [ok('user', found, expected)];
  const advice = `run it as that user, for instance: sudo -u '#${uid}' heddle doctor …`;
  return [warning('user', found, expected, advice)];
}

function nameOf(uid: number): string {
  try {
    return `${userInfo().username} (id ${uid})`;
  } catch {
    // A container may run under an id without an entry in /etc/passwd.
    return `user id ${uid}`;
  }
}
