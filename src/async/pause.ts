import { setTimeout } from 'node:timers/promises';

/** Waits so many milliseconds. @returns false where the signal came first; that is no error */
export async function pause(ms: number, signal: AbortSignal): Promise<boolean> {
  try {
    await setTimeout(ms, undefined, { signal });
    return true;
  } catch (error) {
    if (signal.aborted) return false;
    throw error;
  }
}
