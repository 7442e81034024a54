import type { StatsFs } from 'node:fs';
import { stat, statfs } from 'node:fs/promises';
import { hasCode } from '../../../base/errors.js';
import type { Config } from '../../../config/config.js';
import {
  DataDirectoryError,
  expectUsableDirectory,
  nearestExisting,
  ownerOf,
} from '../../../storage/data-directory.js';
import { MAX_MEMTABLE_BYTES } from '../../../storage/native/rocksdb-options.js';
import { type DoctorContext, type Finding, ok, problem, warning } from './doctor-context.js';
import { processOnPort } from './listening-process.js';

export const MIB = 1_048_576;
export const GIB = 1_024 * MIB;

export function bytesText(bytes: number): string {
  return bytes < GIB
    ? `${Math.floor(bytes / MIB)} MiB`
    : `${(Math.floor((bytes / GIB) * 10) / 10).toFixed(1)} GiB`;
}

/** The write-ahead log grows to at most four times the size of the memtables (rocksdb-options.ts). */
const LOG_BYTES = 4 * MAX_MEMTABLE_BYTES;
/** Headroom for the growth of blocks and state. */
const ROOM_BYTES = 10 * GIB;
const FEW_INODES = 10_000;
const TOO_FEW_INODES = 1_000;

type FreeSpace = Pick<StatsFs, 'bavail' | 'bsize' | 'files' | 'ffree'>;

/** Maximum size of the pool's files and the store's log in bytes; see docs/configuration.md, "Disk". */
export function shortTermBytes({ poolBytes }: Config): number {
  return 3 * poolBytes + 64 * MIB + LOG_BYTES;
}

export async function checkDiskSpace(
  config: Config,
  measure: (path: string) => Promise<FreeSpace> = statfs,
): Promise<Finding> {
  const place = nearestExisting(config.dataDir);
  const { bavail, bsize, files, ffree } = await measure(place);
  const free = bavail * bsize;
  // Some file systems, such as btrfs, create inodes as needed and report none.
  const countsInodes = files > 0;
  const inodes = countsInodes ? `, ${ffree} inodes free` : '';
  const found = `${bytesText(free)} free at ${place}${inodes}`;
  const needed = shortTermBytes(config);
  const expected = `at least ${bytesText(needed)} for the pool's journal and the store's log, ${bytesText(needed + ROOM_BYTES)} with room for the chain, and ${FEW_INODES} inodes`;
  const advice = 'free space on this file system, name a --data-dir on another one, or lower --pool-bytes';
  if (free < needed || (countsInodes && ffree < TOO_FEW_INODES)) {
    return problem(found, expected, advice);
  }
  if (free < needed + ROOM_BYTES || (countsInodes && ffree < FEW_INODES)) {
    return warning(found, expected, advice);
  }
  return ok(found, expected);
}

type FileSystem = { readonly name: string; readonly concern?: string };

const NETWORK = 'locks and syncs of a network file system may not hold, and each block waits for a sync';
const NOT_KEPT = 'its content is lost at a restart of the machine';
const OF_CONTAINER = 'its content is removed with the container; mount a volume';

/** Magic numbers of Linux file systems, from linux/magic.h. */
const FILE_SYSTEMS: ReadonlyMap<number, FileSystem> = new Map([
  [0xef53, { name: 'ext4' }],
  [0x5846_5342, { name: 'xfs' }],
  [0x9123_683e, { name: 'btrfs' }],
  [0x2fc1_2fc1, { name: 'zfs' }],
  [0xf2f5_2010, { name: 'f2fs' }],
  [0x6969, { name: 'nfs', concern: NETWORK }],
  [0x517b, { name: 'smb', concern: NETWORK }],
  [0xff53_4d42, { name: 'cifs', concern: NETWORK }],
  [0xfe53_4d42, { name: 'smb2', concern: NETWORK }],
  [0x0102_1997, { name: '9p', concern: NETWORK }],
  [0x00c3_6400, { name: 'ceph', concern: NETWORK }],
  [0x5346_414f, { name: 'afs', concern: NETWORK }],
  [0x6573_5546, { name: 'fuse', concern: NETWORK }],
  [0x0102_1994, { name: 'tmpfs', concern: NOT_KEPT }],
  [0x8584_58f6, { name: 'ramfs', concern: NOT_KEPT }],
  [0x794c_7630, { name: 'overlay', concern: OF_CONTAINER }],
]);

/** Checks whether the data directory is on a local file system that survives restarts. */
export async function checkFileSystem({ config }: DoctorContext): Promise<Finding> {
  const place = nearestExisting(config.dataDir);
  return describeFileSystem(place, (await statfs(place)).type);
}

/** @param type as statfs returns it */
export function describeFileSystem(place: string, type: number): Finding {
  const expected = 'a local file system that survives restarts, such as ext4 or xfs';
  // Magic numbers from 2^31 on may arrive as negative numbers.
  const number = type >>> 0;
  const known = FILE_SYSTEMS.get(number);
  if (process.platform !== 'linux' || known === undefined) {
    const found = `${place} is on a file system that the doctor does not know (type 0x${number.toString(16)})`;
    return ok(`${found}; it cannot tell whether that is local`, expected);
  }
  const { name, concern } = known;
  if (concern === undefined) return ok(`${place} is on ${name}`, expected);
  return warning(`${place} is on ${name}: ${concern}`, expected, 'name a --data-dir on a local disk');
}

const USABLE_DIRECTORY = 'a directory that the node can write to, of this format, used by no other node';
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
    return problem(error.message, USABLE_DIRECTORY, advice);
  }
  const mode = await modeOf(dataDir);
  if (mode === undefined) return ok(`${dataDir} is missing; the node creates it`, USABLE_DIRECTORY);
  if ((mode & OTHERS_MAY_WRITE) !== 0) {
    const found = `${dataDir} has mode 0${(mode & 0o777).toString(8)}: every user can replace its files`;
    return problem(found, 'mode 0700', `chmod 700 ${dataDir}`);
  }
  // Read again, because the node may have stopped since.
  const owner = await ownerOf(dataDir);
  if (owner === undefined) return ok(`${dataDir}, not in use`, USABLE_DIRECTORY);
  const found = `${dataDir} is in use by process ${owner}`;
  if ((await processOnPort(port))?.pid === owner) {
    return ok(`${found}, the running node`, USABLE_DIRECTORY);
  }
  return warning(
    `${found}, which does not listen on port ${port}`,
    USABLE_DIRECTORY,
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
