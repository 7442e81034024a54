import { accessSync, readFileSync } from 'node:fs';
import { replaceFile } from '../../storage/replace-file.js';

/** Thrown where a file that people write or read cannot serve; the message names the file and what is wrong. */
export class PublicFileError extends Error {
  override readonly name = 'PublicFileError';
}

/** Whether nothing is at a path. What cannot be looked at is not missing: whoever reads it says why. */
export function isMissing(path: string): boolean {
  try {
    accessSync(path);
    return false;
  } catch (error) {
    return hasCode(error, 'ENOENT') || hasCode(error, 'ENOTDIR');
  }
}

/**
 * Reads a JSON file.
 * @param read what makes a value of its content; what it throws is wrong with the content
 * @returns undefined where there is none
 * @throws PublicFileError
 */
export function readJsonFile<T>(path: string, what: string, read: (value: unknown) => T): T | undefined {
  let content: string;
  try {
    content = readFileSync(path, 'utf8');
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return undefined;
    throw new PublicFileError(`${path}: it cannot be read: ${reasonOf(error)}`, { cause: error });
  }
  try {
    return read(JSON.parse(content));
  } catch (error) {
    throw new PublicFileError(`${path}: it is no ${what}: ${reasonOf(error)}`, { cause: error });
  }
}

/**
 * Writes a file in place of what is there, whole or not at all, synced.
 * @throws PublicFileError
 */
export async function writePublicFile(path: string, text: string): Promise<void> {
  try {
    await replaceFile(path, text, `${path}.${process.pid}.new`, 0o644);
  } catch (error) {
    throw new PublicFileError(`${path}: it cannot be written: ${reasonOf(error)}`, { cause: error });
  }
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

function hasCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code;
}
