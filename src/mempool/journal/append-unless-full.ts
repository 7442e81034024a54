import { ftruncateSync } from 'node:fs';
import { writeFully } from './journal-rewrite.js';

/**
 * Appends a record to a file, all of it or nothing: a full disk may cut it off, and a reader would skip the part and
 * count it as damage.
 * @param size length of the file before
 * @returns the errors if the write failed; a second one if the part stays, behind which readers find the next record
 */
export function appendUnlessDiskFull(fd: number, size: number, record: Buffer): readonly unknown[] {
  try {
    writeFully(fd, record);
    return [];
  } catch (error) {
    return [error, ...truncate(fd, size)];
  }
}

/** Whether the disk still has no room for this many bytes at the end of a file of this size. */
export function isDiskFull(fd: number, size: number, bytes: number): boolean {
  const problems = appendUnlessDiskFull(fd, size, Buffer.alloc(bytes));
  return [...problems, ...truncate(fd, size)].length > 0;
}

/** @returns the error if it failed */
function truncate(fd: number, size: number): readonly unknown[] {
  try {
    ftruncateSync(fd, size);
    return [];
  } catch (error) {
    return [error];
  }
}
