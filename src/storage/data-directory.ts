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
import { describeCause } from './store-error.js';

/** Version of everything kept in a data directory; another one is not opened. */
const DATA_FORMAT_VERSION = 2;

const FORMAT_FILE = 'FORMAT';
const FORMAT_TEXT = /^heddle data directory, format (\d+)\n$/;
const LOCK_PREFIX = 'lock.';
/** Two processes that start at the same moment each see the other and step back; they try again after random pauses. */
const LOCK_ATTEMPTS = 6;
const LOCK_PAUSE_MS = 40;

/**
 * - `in_use`: a live process owns the directory, named by `pid`;
 * - `wrong_version`: its files have a format this program does not read;
 * - `not_a_directory`: the path, or a part of it, is a file;
 * - `not_writable`: it cannot be made or written to.
 */
export type DataDirectoryErrorCode = 'in_use' | 'wrong_version' | 'not_a_directory' | 'not_writable';

export class DataDirectoryError extends Error {
  override readonly name = 'DataDirectoryError';
  readonly code: DataDirectoryErrorCode;
  /** The owner, for `in_use`. */
  readonly pid: number | undefined;

  constructor(
    code: DataDirectoryErrorCode,
    message: string,
    details: { readonly pid?: number; readonly cause?: unknown } = {},
  ) {
    super(message, { cause: details.cause });
    this.code = code;
    this.pid = details.pid;
  }
}

/**
 * A data directory while this process owns it.
 *
 * The lock is a file whose name identifies the owning process: `lock.<pid>-<start time>-<boot>`. To own the directory a
 * process makes its file, and then finds no file of another live process; it removes those of dead ones, whose names can
 * never become valid again. So there is no moment at which a stale lock is taken over, nothing to clean up after `kill -9`,
 * and of two that start together at most one wins. Processes in different PID namespaces do not see each other.
 */
export class DataDirectory {
  /** Absolute. */
  readonly path: string;
  readonly #lockFile: string;

  private constructor(path: string, lockFile: string) {
    this.path = path;
    this.#lockFile = lockFile;
  }

  /**
   * Takes possession of a directory, making it (mode 0700) where it is missing.
   * @throws {DataDirectoryError}
   */
  static async open(path: string): Promise<DataDirectory> {
    const absolute = resolve(path);
    await makeDirectory(absolute);
    const lockFile = await acquireLock(absolute);
    try {
      await checkFormat(absolute);
    } catch (error) {
      await rm(lockFile, { force: true });
      throw error;
    }
    return new DataDirectory(absolute, lockFile);
  }

  /** Lets others own it. */
  async close(): Promise<void> {
    await rm(this.#lockFile, { force: true });
  }
}

/** The pid of the live process that owns a data directory; undefined where none does, or there is no such directory. */
export async function ownerOf(path: string): Promise<number | undefined> {
  try {
    return await findLiveRival(resolve(path), '');
  } catch (cause) {
    if (hasCode(cause, 'ENOENT') || hasCode(cause, 'ENOTDIR')) return undefined;
    throw cause;
  }
}

async function makeDirectory(path: string): Promise<void> {
  try {
    await makeWithParents(path);
    if (!(await stat(path)).isDirectory()) throw notADirectory(path);
    await access(path, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch (cause) {
    if (cause instanceof DataDirectoryError) throw cause;
    if (hasCode(cause, 'EEXIST') || hasCode(cause, 'ENOTDIR')) throw notADirectory(path, cause);
    throw notWritable(path, cause);
  }
}

/** Like `mkdir` with `recursive`, which never returns where the system refuses with ENOENT, as it does below /proc. */
async function makeWithParents(path: string): Promise<void> {
  try {
    await mkdir(path, { mode: 0o700 });
  } catch (cause) {
    if (hasCode(cause, 'EEXIST')) return;
    const parent = dirname(path);
    if (!hasCode(cause, 'ENOENT') || existsSync(parent)) throw cause;
    await makeWithParents(parent);
    await makeWithParents(path);
  }
}

async function acquireLock(path: string): Promise<string> {
  const own = lockName(process.pid);
  const lockFile = join(path, own);
  for (let attempt = 1; ; attempt++) {
    await makeLockFile(path, lockFile);
    const rival = await findLiveRival(path, own);
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

/** The pid of another live process that claims the directory. Claims of dead ones are removed. */
async function findLiveRival(path: string, own: string): Promise<number | undefined> {
  for (const name of await readdir(path)) {
    if (!name.startsWith(LOCK_PREFIX) || name === own) continue;
    const pid = Number.parseInt(name.slice(LOCK_PREFIX.length), 10);
    if (Number.isSafeInteger(pid) && pid > 0 && isAlive(pid) && lockName(pid) === name) return pid;
    await rm(join(path, name), { force: true });
  }
  return undefined;
}

/** The one name under which a process that lives now can claim a directory. */
function lockName(pid: number): string {
  const started = startTime(pid);
  return started === undefined ? `${LOCK_PREFIX}${pid}` : `${LOCK_PREFIX}${pid}-${started}-${bootId()}`;
}

/** The process's start in clock ticks since boot, where the system tells: it differs for each process with the same pid. */
function startTime(pid: number): string | undefined {
  return processStat(pid)?.[19];
}

function isAlive(pid: number): boolean {
  const state = processStat(pid)?.[0];
  if (state !== undefined) return state !== 'Z' && state !== 'X';
  try {
    process.kill(pid, 0);
    return true;
  } catch (cause) {
    // A process of another user may not be signalled, but is there.
    return hasCode(cause, 'EPERM');
  }
}

/** The fields of /proc/<pid>/stat from the third, the state, on; the second may contain spaces and parentheses. */
function processStat(pid: number): string[] | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'latin1');
    return text.slice(text.lastIndexOf(')') + 2).split(' ');
  } catch (cause) {
    if (hasCode(cause, 'ENOENT') || hasCode(cause, 'ESRCH') || hasCode(cause, 'EACCES')) return undefined;
    throw cause;
  }
}

function bootId(): string {
  return readFileSync('/proc/sys/kernel/random/boot_id', 'latin1').slice(0, 8);
}

async function checkFormat(path: string): Promise<void> {
  const file = join(path, FORMAT_FILE);
  let text: string;
  try {
    text = await readFile(file, 'utf8');
  } catch (cause) {
    if (!hasCode(cause, 'ENOENT')) throw notWritable(path, cause);
    await writeFormat(path, file);
    return;
  }
  const version = FORMAT_TEXT.exec(text)?.[1];
  if (version !== String(DATA_FORMAT_VERSION)) {
    throw new DataDirectoryError(
      'wrong_version',
      `${path} has data of another format: expected ${FORMAT_FILE} to name format ${DATA_FORMAT_VERSION}, it says ` +
        `${JSON.stringify(text.slice(0, 80))}. Use the version of this program that made it, or another directory`,
    );
  }
}

async function writeFormat(path: string, file: string): Promise<void> {
  try {
    await writeFile(`${file}.new`, `heddle data directory, format ${DATA_FORMAT_VERSION}\n`, { flush: true });
    await rename(`${file}.new`, file);
  } catch (cause) {
    throw notWritable(path, cause);
  }
}

function hasCode(cause: unknown, code: string): boolean {
  return cause instanceof Error && 'code' in cause && cause.code === code;
}

function inUse(path: string, pid: number): DataDirectoryError {
  return new DataDirectoryError(
    'in_use',
    `${path} is in use by process ${pid}: stop it first, or use another directory`,
    {
      pid,
    },
  );
}

function notADirectory(path: string, cause?: unknown): DataDirectoryError {
  return new DataDirectoryError(
    'not_a_directory',
    `${path} is not a directory, or lies below something that is none`,
    {
      cause,
    },
  );
}

function notWritable(path: string, cause: unknown): DataDirectoryError {
  return new DataDirectoryError(
    'not_writable',
    `${path} cannot be made or written to: ${describeCause(cause)}`,
    {
      cause,
    },
  );
}
