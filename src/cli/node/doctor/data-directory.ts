import { stat } from 'node:fs/promises';
import { hasCode } from '../../../base/errors.js';
import { DataDirectoryError, expectUsableDirectory, ownerOf } from '../../../storage/data-directory.js';
import type { DoctorContext } from './doctor-context.js';
import { type Finding, ok, problem, warning } from './finding.js';
import { processOnPort } from './listening-process.js';

const EXPECTED = 'a directory that the node can write to, of this format, used by no other node';
const OTHERS_MAY_WRITE = 0o002;

/** Checks whether a node could open the data directory, and whether one has it open. */
export async function checkDataDirectory({ config }: DoctorContext): Promise<Finding> {
  const { dataDir, port } = config;
  try {
    await expectUsableDirectory(dataDir);
  } catch (error) {
    if (!(error instanceof DataDirectoryError)) throw error;
    const advice =
      error.code === 'wrong_version'
        ? 'run the version of heddle that made it, or name another --data-dir'
        : 'name another --data-dir, or give the user of the node access to it';
    return problem('data directory', error.message, EXPECTED, advice);
  }
  const mode = await modeOf(dataDir);
  if (mode === undefined) return ok('data directory', `${dataDir} is missing; the node creates it`, EXPECTED);
  if ((mode & OTHERS_MAY_WRITE) !== 0) {
    const found = `${dataDir} has mode 0${(mode & 0o777).toString(8)}: every user can replace its files`;
    return problem('data directory', found, 'mode 0700', `chmod 700 ${dataDir}`);
  }
  // Read again, because the node may have stopped since.
  const owner = await ownerOf(dataDir);
  if (owner === undefined) return ok('data directory', `${dataDir}, not in use`, EXPECTED);
  const found = `${dataDir} is in use by process ${owner}`;
  if ((await processOnPort(port))?.pid === owner) {
    return ok('data directory', `${found}, the running node`, EXPECTED);
  }
  return warning(
    'data directory',
    `${found}, which does not listen on port ${port}`,
    EXPECTED,
    'stop that process before you start a node here; if it is the node, give the doctor the options of the node',
  );
}

async function modeOf(path: string): Promise<number | undefined> {
  try {
    return (await stat(path)).mode;
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return undefined;
    throw error;
  }
}
