import { type FileHandle, open } from 'node:fs/promises';
import { join } from 'node:path';
import { CONTROL_SOCKET } from './control-protocol.js';

/** Maximum length of a socket path on every system, in bytes, without the final NUL. */
const MAX_PATH_BYTES = 103;

export interface SocketPath {
  readonly path: string;
  /** Releases the path; call it once no socket uses it. */
  close(): Promise<void>;
}

/**
 * The path of a data directory's control socket. On Linux, a path that is too long goes through a descriptor of the
 * directory; other systems refuse it when it is used.
 */
export async function controlSocketPath(dataDir: string): Promise<SocketPath> {
  const path = join(dataDir, CONTROL_SOCKET);
  if (Buffer.byteLength(path) <= MAX_PATH_BYTES || process.platform !== 'linux') {
    return { path, close: async () => undefined };
  }
  const directory: FileHandle = await open(dataDir, 'r');
  return { path: `/proc/self/fd/${directory.fd}/${CONTROL_SOCKET}`, close: () => directory.close() };
}
