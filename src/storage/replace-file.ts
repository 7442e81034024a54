import { open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';

/**
 * Puts a file in the place of what is there: it is the old one or the new one, whole, whenever the machine stops.
 * @param fresh a path in the same directory for what is not whole yet; a leftover there is removed
 * @param mode of the file, such as 0o600
 */
export async function replaceFile(path: string, text: string, fresh: string, mode: number): Promise<void> {
  // A leftover keeps the mode that it has.
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

/** Makes what was renamed or removed in a directory survive a power cut. */
export async function syncDirectory(directory: string): Promise<void> {
  // Directories cannot be opened there.
  if (process.platform === 'win32') return;
  const handle = await open(directory, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
