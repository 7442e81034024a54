import { type FileHandle, open } from 'node:fs/promises';
import { join } from 'node:path';
import { CONTROL_SOCKET } from './control-protocol.js';

/** Longest path that every system accepts for a socket, in bytes, without the final zero. */
const MAX_PATH_BYTES = 103;

export interface SocketPath {
  readonly path: string;
  /** Releases the path; call it once no socket uses it. */
  close(): Promise<void>;
}

/**
 * The path of a data directory's control socket. Linux reaches a directory with a long path through its descriptor;
 * elsewhere the long path is returned and refused by the system.
 */
export async function controlSocketPath(dataDir: string): Promise<SocketPath> {
  const path = join(dataDir, CONTROL_SOCKET);
  if (Buffer.byteLength(path) <= MAX_PATH_BYTES || process.platform !== 'linux') {
    return { path, close: async () => undefined };
  }
  const directory: FileHandle = await open(dataDir, 'r');
  return { path: `/proc/self/fd/${directory.fd}/${CONTROL_SOCKET}`, close: () => directory.close() };
}
