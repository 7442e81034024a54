import { watch } from 'node:fs';

/** Changes this close together, as editors make them, start one run. */
const SETTLE_MS = 100;

/** Files that a build or its tests read. */
const SOURCE = /(?:^|[\\/])contract\.json$|\.(?:[cm]?[jt]s|idl)$/;

/** Folders that a build or an installation writes. */
const WRITTEN = /(?:^|[\\/])(?:generated|node_modules|\.git)[\\/]/;

export interface WatchedRun {
  /** One run; a change aborts its signal. */
  run(signal: AbortSignal): Promise<void>;
  onFailure(error: unknown): void;
  /** Called when a run has ended and the next change is awaited. */
  onWait(): void;
}

/** Runs once, then again after each change of a source or test, until the signal. */
export async function watchProject(
  folder: string,
  signal: AbortSignal,
  { run, onFailure, onWait }: WatchedRun,
): Promise<void> {
  let onChange: (() => void) | undefined;
  let timer: NodeJS.Timeout | undefined;
  const watcher = watch(folder, { recursive: true }, (_event, path) => {
    if (path === null || !SOURCE.test(path) || WRITTEN.test(path)) return;
    clearTimeout(timer);
    timer = setTimeout(() => onChange?.(), SETTLE_MS);
  });
  const stop = (): void => onChange?.();
  signal.addEventListener('abort', stop, { once: true });
  try {
    while (!signal.aborted) {
      const replaced = new AbortController();
      const changed = new Promise<void>((resolve) => {
        onChange = () => {
          replaced.abort();
          resolve();
        };
      });
      try {
        await run(AbortSignal.any([signal, replaced.signal]));
      } catch (error) {
        if (!replaced.signal.aborted) onFailure(error);
      }
      if (signal.aborted) return;
      if (!replaced.signal.aborted) onWait();
      await changed;
    }
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', stop);
    watcher.close();
  }
}
