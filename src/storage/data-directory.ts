import { existsSync, readFileSync } from 'node:fs';
import {
  access,
  constants,
  mkdir,
  open,
  readdir,
  readFile,
  rename,
  rm,
  stat,
  writeFile,
} from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { CodedError, errorMessage, hasCode } from '../base/errors.js';

/** Format version of the data directory as a whole. Directories of other versions are not opened. */
const DATA_FORMAT_VERSION = 5;

const FORMAT_FILE = 'FORMAT';
const FORMAT_TEXT = /^heddle data directory, format (\d+)\n$/;
const LOCK_PREFIX = 'lock.';
/** Maximum attempts to take the lock. Two processes starting at the same moment both back off and retry. */
const LOCK_ATTEMPTS = 6;
const LOCK_PAUSE_MS = 40;

/**
 * - `in_use`: a live process, `pid`, owns the directory;
 * - `wrong_version`: the directory has a format that this program does not read;
 * - `not_a_directory`: the path, or one of its parents, is a file;
 * - `not_writable`: the directory cannot be created or written to.
 */
export type DataDirectoryErrorCode = 'in_use' | 'wrong_version' | 'not_a_directory' | 'not_writable';

export class DataDirectoryError extends CodedError<DataDirectoryErrorCode> {
  override readonly name = 'DataDirectoryError';

  constructor(
    code: DataDirectoryErrorCode,
    message: string,
    options?: ErrorOptions,
    /** The owner, for `in_use`. */
    readonly pid?: number,
  ) {
    super(code, message, options);
  }
}

/**
 * A data directory owned by this process.
 *
 * The lock is a file whose name identifies the owning process: `lock.<pid>-<start time>-<boot>`. To own the directory,
 * a process creates its file and then checks that no other live process has one. It removes the files of dead
 * processes, whose names can never become valid again. So a stale lock is never taken over, `kill -9` leaves nothing to
 * clean up, and at most one of two simultaneous starts wins. Processes in different PID namespaces do not see each
 * other.
 */
export class DataDirectory {
  readonly #lockFile: string;

  private constructor(
    /** Absolute. */
    readonly path: string,
    lockFile: string,
  ) {
    this.#lockFile = lockFile;
  }

  /** Takes ownership of a directory and creates it (mode 0700) if missing. @throws {DataDirectoryError} */
  static async open(path: string): Promise<DataDirectory> {
    const absolute = resolve(path);
    await expectWritable(absolute, () => makeWithParents(absolute));
    const lockFile = await acquireLock(absolute);
    try {
      if (!(await expectFormat(absolute))) await writeFormat(absolute);
    } catch (error) {
      await rm(lockFile, { force: true });
      throw error;
    }
    return new DataDirectory(absolute, lockFile);
  }

  /** Releases the lock. */
  async close(): Promise<void> {
    await rm(this.#lockFile, { force: true });
  }
}

/** Pid of the live process that owns a data directory; undefined if there is none. Changes nothing. */
export async function ownerOf(path: string): Promise<number | undefined> {
  try {
    return (await findClaims(resolve(path), '')).rival;
  } catch (cause) {
    if (hasCode(cause, 'ENOENT') || hasCode(cause, 'ENOTDIR')) return undefined;
    throw cause;
  }
}

/**
 * Checks that a data directory can be opened, or created if it is missing. Changes nothing.
 * @throws {DataDirectoryError} `not_a_directory`, `not_writable`, `wrong_version`
 */
export async function expectUsableDirectory(path: string): Promise<void> {
  const absolute = resolve(path);
  await expectWritable(absolute, async () => nearestExisting(absolute));
  await expectFormat(absolute);
}

/** The path itself if it exists, or else its nearest existing ancestor. @param path absolute */
export function nearestExisting(path: string): string {
  return existsSync(path) || dirname(path) === path ? path : nearestExisting(dirname(path));
}

/** Checks the directory that `find` gives for a path, which errors name. */
async function expectWritable(path: string, find: () => Promise<string>): Promise<void> {
  try {
    const directory = await find();
    if (!(await stat(directory)).isDirectory()) throw notADirectory(path);
    await access(directory, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch (cause) {
    if (cause instanceof DataDirectoryError) throw cause;
    if (hasCode(cause, 'EEXIST') || hasCode(cause, 'ENOTDIR')) throw notADirectory(path, cause);
    throw notWritable(path, cause);
  }
}

/** Replaces `mkdir` with `recursive`, which never returns if the system reports ENOENT, as it does below /proc. */
async function makeWithParents(path: string): Promise<string> {
  try {
    await mkdir(path, { mode: 0o700 });
  } catch (cause) {
    if (hasCode(cause, 'EEXIST')) return path;
    const parent = dirname(path);
    if (!hasCode(cause, 'ENOENT') || existsSync(parent)) throw cause;
    await makeWithParents(parent);
    await makeWithParents(path);
  }
  return path;
}

async function acquireLock(path: string): Promise<string> {
  const own = lockName(process.pid);
  const lockFile = join(path, own);
  for (let attempt = 1; ; attempt++) {
    await makeLockFile(path, lockFile);
    const { rival, dead } = await findClaims(path, own);
    for (const name of dead) await rm(join(path, name), { force: true });
    if (rival === undefined) return lockFile;
    await rm(lockFile, { force: true });
    if (attempt === LOCK_ATTEMPTS) throw inUse(path, rival);
    await sleep(LOCK_PAUSE_MS * Math.random());
  }
}

async function makeLockFile(path: string, lockFile: string): Promise<void> {
  try {
    await (await open(lockFile, 'wx', 0o600)).close();
  } catch (cause) {
    if (hasCode(cause, 'EEXIST')) throw inUse(path, process.pid);
    throw notWritable(path, cause);
  }
}

interface Claims {
  /** Pid of another live process that claims the directory. */
  readonly rival: number | undefined;
  /** Lock files of dead processes that were found before the rival's. */
  readonly dead: readonly string[];
}

async function findClaims(path: string, own: string): Promise<Claims> {
  const dead: string[] = [];
  for (const name of await readdir(path)) {
    if (!name.startsWith(LOCK_PREFIX) || name === own) continue;
    const pid = Number.parseInt(name.slice(LOCK_PREFIX.length), 10);
    if (Number.isSafeInteger(pid) && pid > 0 && isAlive(pid) && lockName(pid) === name) {
      return { rival: pid, dead };
    }
    dead.push(name);
  }
  return { rival: undefined, dead };
}

/** The only lock file name that a live process can use. */
function lockName(pid: number): string {
  // Clock ticks since boot; they tell apart processes that reuse a pid.
  const started = processStat(pid)?.[19];
  if (started === undefined) return `${LOCK_PREFIX}${pid}`;
  const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'latin1').slice(0, 8);
  return `${LOCK_PREFIX}${pid}-${started}-${boot}`;
}

function isAlive(pid: number): boolean {
  const state = processStat(pid)?.[0];
  if (state !== undefined) return state !== 'Z' && state !== 'X';
  try {
    process.kill(pid, 0);
    return true;
  } catch (cause) {
    // EPERM: the process exists but belongs to another user.
    return hasCode(cause, 'EPERM');
  }
}

/** Fields of /proc/<pid>/stat from the third (the state) on; the second may contain spaces and parentheses. */
function processStat(pid: number): string[] | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'latin1');
    return text.slice(text.lastIndexOf(')') + 2).split(' ');
  } catch (cause) {
    if (hasCode(cause, 'ENOENT') || hasCode(cause, 'ESRCH') || hasCode(cause, 'EACCES')) return undefined;
    throw cause;
  }
}

/** @returns false for a directory without a format, which is new or missing */
async function expectFormat(path: string): Promise<boolean> {
  let text: string;
  try {
    text = await readFile(join(path, FORMAT_FILE), 'utf8');
  } catch (cause) {
    if (!hasCode(cause, 'ENOENT')) throw notWritable(path, cause);
    return false;
  }
  const version = FORMAT_TEXT.exec(text)?.[1];
  if (version !== String(DATA_FORMAT_VERSION)) {
    throw new DataDirectoryError(
      'wrong_version',
      `${path} has data in another format: expected format ${DATA_FORMAT_VERSION} in ${FORMAT_FILE}, got ` +
        `${JSON.stringify(text.slice(0, 80))}. Use the version of this program that created it, or another directory`,
    );
  }
  return true;
}

async function writeFormat(path: string): Promise<void> {
  const file = join(path, FORMAT_FILE);
  try {
    await writeFile(`${file}.new`, `heddle data directory, format ${DATA_FORMAT_VERSION}\n`, { flush: true });
    await rename(`${file}.new`, file);
  } catch (cause) {
    throw notWritable(path, cause);
  }
}

function inUse(path: string, pid: number): DataDirectoryError {
  const message = `${path} is in use by process ${pid}: stop it first, or use another directory`;
  return new DataDirectoryError('in_use', message, undefined, pid);
}

function notADirectory(path: string, cause?: unknown): DataDirectoryError {
  const message = `${path} is not a directory, or one of its parents is not`;
  return new DataDirectoryError('not_a_directory', message, { cause });
}

function notWritable(path: string, cause: unknown): DataDirectoryError {
  const message = `${path} cannot be created or written to: ${errorMessage(cause)}`;
  return new DataDirectoryError('not_writable', message, { cause });
}
