import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import { removeDirectory, temporaryDirectory } from '../temporary-directory.js';

const NAMES = ['chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome'];

/** Path of this machine's browser, or undefined. */
export function findChromium(): string | undefined {
  const folders = (process.env['PATH'] ?? '').split(delimiter);
  return folders.flatMap((folder) => NAMES.map((name) => join(folder, name))).find(isExecutable);
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/**
 * Opens a page in a headless browser while `use` runs.
 * @param signal ends the browser and rejects; a test passes its own, so that a timeout leaves no process
 */
export async function withPage<T>(
  browser: string,
  url: string,
  signal: AbortSignal,
  use: () => Promise<T>,
): Promise<T> {
  const profile = temporaryDirectory();
  const page = spawn(
    browser,
    [
      '--headless=new',
      '--no-sandbox',
      '--disable-gpu',
      '--no-first-run',
      '--disable-quic',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      `--user-data-dir=${profile}`,
      url,
    ],
    { stdio: 'ignore', detached: true },
  );
  try {
    return await Promise.race([use(), aborted(signal)]);
  } finally {
    await ended(page);
    removeDirectory(profile);
  }
}

async function aborted(signal: AbortSignal): Promise<never> {
  if (!signal.aborted) await once(signal, 'abort');
  throw signal.reason;
}

/** Ends the browser and its child processes. */
function ended(page: ChildProcess): Promise<void> {
  return new Promise((resolve) => {
    if (page.pid === undefined || page.exitCode !== null) {
      resolve();
      return;
    }
    page.once('exit', () => resolve());
    process.kill(-page.pid, 'SIGKILL');
  });
}
