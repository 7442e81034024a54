import { closeSync, fsyncSync, openSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';

/**
 * Replaces a file atomically: after a crash it holds either the old or the new content in full.
 * @param fresh temporary path in the same directory; a leftover there is removed
 * @param mode file mode, such as 0o600
 */
export async function replaceFile(path: string, text: string, fresh: string, mode: number): Promise<void> {
  // An existing file would keep its old mode.
  await rm(fresh, { force: true });
  const file = await open(fresh, 'wx', mode);
  try {
    await file.writeFile(text);
    await file.sync();
  } finally {
    await file.close();
  }
  await rename(fresh, path);
  await syncDirectory(dirname(path));
}

/** Like {@link replaceFile}, but synchronous. */
export function replaceFileSync(path: string, text: string, fresh: string, mode: number): void {
  rmSync(fresh, { force: true });
  const file = openSync(fresh, 'wx', mode);
  try {
    writeFileSync(file, text);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
  renameSync(fresh, path);
  // Windows cannot open directories.
  if (process.platform === 'win32') return;
  const directory = openSync(dirname(path), 'r');
  try {
    fsyncSync(directory);
  } finally {
    closeSync(directory);
  }
}

/** Syncs a directory, so that renames and removals in it survive a power cut. */
export async function syncDirectory(directory: string): Promise<void> {
  // Windows cannot open directories.
  if (process.platform === 'win32') return;
  const handle = await open(directory, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
