import { setTimeout } from 'node:timers/promises';

/** Waits for `ms` milliseconds. Returns false, without throwing, if the signal aborts first. */
export async function pause(ms: number, signal: AbortSignal): Promise<boolean> {
  try {
    await setTimeout(ms, undefined, { signal });
    return true;
  } catch (error) {
    if (signal.aborted) return false;
    throw error;
  }
}
