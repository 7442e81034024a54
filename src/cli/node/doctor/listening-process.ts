import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { hasCode } from '../../../base/errors.js';

/** State of a listening socket in /proc/net/tcp. */
const LISTEN = '0A';

export interface ListeningProcess {
  /** Undefined if the process belongs to another user, or the system is not Linux. */
  readonly pid: number | undefined;
  /** Name of the program, such as `node`. */
  readonly name: string | undefined;
}

/** Finds a process that listens on a TCP port, on any address; undefined if none is found. */
export async function processOnPort(port: number): Promise<ListeningProcess | undefined> {
  const inodes = new Set([
    ...listeningInodes('/proc/net/tcp', port),
    ...listeningInodes('/proc/net/tcp6', port),
  ]);
  if (inodes.size === 0) return undefined;
  for (const name of tolerantly(() => readdirSync('/proc'), [])) {
    if (!/^\d+$/.test(name) || !holdsOneOf(name, inodes)) continue;
    const program = tolerantly(() => readFileSync(`/proc/${name}/comm`, 'utf8').trim(), undefined);
    return { pid: Number(name), name: program };
  }
  return { pid: undefined, name: undefined };
}

/** Inodes of the sockets that listen on a port, from a table such as /proc/net/tcp. */
function listeningInodes(table: string, port: number): string[] {
  const lines = tolerantly(() => readFileSync(table, 'latin1'), '')
    .split('\n')
    .slice(1);
  const suffix = `:${port.toString(16).toUpperCase().padStart(4, '0')}`;
  return lines.flatMap((line) => {
    const fields = line.trim().split(/\s+/);
    const [local, state, inode] = [fields[1], fields[3], fields[9]];
    return state === LISTEN && local?.endsWith(suffix) === true && inode !== undefined ? [inode] : [];
  });
}

function holdsOneOf(pid: string, inodes: ReadonlySet<string>): boolean {
  const directory = `/proc/${pid}/fd`;
  return tolerantly(() => readdirSync(directory), []).some((name) => {
    const target = tolerantly(() => readlinkSync(`${directory}/${name}`), '');
    const inode = /^socket:\[(\d+)\]$/.exec(target)?.[1];
    return inode !== undefined && inodes.has(inode);
  });
}

/** Tolerates processes that end or close files meanwhile, and those of other users, which cannot be read. */
function tolerantly<T>(read: () => T, otherwise: T): T {
  try {
    return read();
  } catch (error) {
    const isHidden = ['ENOENT', 'ESRCH', 'EACCES', 'EPERM', 'EINVAL'].some((code) => hasCode(error, code));
    if (isHidden) return otherwise;
    throw error;
  }
}
