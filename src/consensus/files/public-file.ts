import { accessSync, readFileSync } from 'node:fs';
import { errorMessage, hasCode } from '../../base/errors.js';
import { replaceFile } from '../../storage/replace-file.js';

/** Thrown when a public file is unusable; the message names the file and the problem. */
export class PublicFileError extends Error {
  override readonly name = 'PublicFileError';
}

/** True if nothing exists at a path. An inaccessible path is not missing: reading it reports the reason. */
export function isMissing(path: string): boolean {
  try {
    accessSync(path);
    return false;
  } catch (error) {
    return hasCode(error, 'ENOENT') || hasCode(error, 'ENOTDIR');
  }
}

/**
 * @param read converts the parsed content; its errors are reported as invalid content
 * @returns undefined if there is no file
 * @throws PublicFileError
 */
export function readJsonFile<T>(path: string, what: string, read: (value: unknown) => T): T | undefined {
  let content: string;
  try {
    content = readFileSync(path, 'utf8');
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return undefined;
    throw new PublicFileError(`${path}: cannot read: ${errorMessage(error)}`, { cause: error });
  }
  try {
    return read(JSON.parse(content));
  } catch (error) {
    throw new PublicFileError(`${path}: not a valid ${what}: ${errorMessage(error)}`, { cause: error });
  }
}

/** Atomically writes or replaces a file, synced. @throws PublicFileError */
export async function writePublicFile(path: string, text: string): Promise<void> {
  try {
    await replaceFile(path, text, `${path}.${process.pid}.new`, 0o644);
  } catch (error) {
    throw new PublicFileError(`${path}: cannot write: ${errorMessage(error)}`, { cause: error });
  }
}
