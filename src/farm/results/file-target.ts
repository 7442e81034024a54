import { randomBytes } from 'node:crypto';
import { type FileHandle, open, rename, rm } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import { hasCode } from '../../base/errors.js';
import { syncDirectory } from '../../storage/replace-file.js';
import type { ByteTarget } from './result-writer.js';
import { ResultsError, unwritable } from './result-writer.js';

/** Names of incomplete files of results. */
export const PART_NAME = /^results[-.].*\.[0-9a-f]{8}\.part$/;

/** A path next to a file for its content until it is complete; no two processes share one. */
export function partPath(path: string): string {
  return `${path}.${randomBytes(4).toString('hex')}.part`;
}

/** A file that appears under its name only when it is complete and on disk. */
export class FileTarget implements ByteTarget {
  readonly #path: string;
  readonly #part: string;
  readonly #handle: FileHandle;
  bytes = 0;

  private constructor(path: string, part: string, handle: FileHandle) {
    this.#path = path;
    this.#part = part;
    this.#handle = handle;
  }

  /** @throws ResultsError */
  static async create(path: string): Promise<FileTarget> {
    const part = partPath(path);
    try {
      return new FileTarget(path, part, await open(part, 'wx'));
    } catch (error) {
      throw unwritable(part, error);
    }
  }

  async write(bytes: Uint8Array): Promise<void> {
    try {
      await this.#handle.appendFile(bytes);
      this.bytes += bytes.length;
    } catch (error) {
      throw unwritable(this.#part, error);
    }
  }

  async close(): Promise<void> {
    try {
      await this.#handle.sync();
      await this.#handle.close();
      await rename(this.#part, this.#path);
      await syncDirectory(dirname(this.#path));
    } catch (error) {
      if (hasCode(error, 'ENOENT')) throw inUse(this.#path, error);
      throw unwritable(this.#path, error);
    }
  }

  /** Closing a second time does no harm. */
  async abort(): Promise<void> {
    try {
      await this.#handle.close();
      await rm(this.#part, { force: true });
    } catch (error) {
      throw unwritable(this.#part, error);
    }
  }
}

/** A later process removes the incomplete files that it finds. */
function inUse(path: string, cause: unknown): ResultsError {
  return new ResultsError(
    'in_use',
    `${dirname(path)}: another process took over the folder and removed the incomplete ${basename(path)}; let one process write at a time`,
    { cause },
  );
}
