import { constants } from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';

/** A signal takes effect at once, where it does; the first process of a container is not ended by any that it sends itself. */
const EFFECT_MS = 500;

/**
 * Ends this process by a signal at once, even with busy threads; a parent that waits sees the signal. All listeners of
 * the signal must be gone.
 */
export async function exitBySignal(signal: NodeJS.Signals): Promise<never> {
  process.kill(process.pid, signal);
  await pause(EFFECT_MS);
  process.exit(128 + constants.signals[signal]);
}
