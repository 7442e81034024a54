import { constants } from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';

/** Time for the signal to take effect. A container's first process survives signals that it sends itself. */
const EFFECT_MS = 500;

/**
 * Ends this process by a signal at once, even with busy threads, so that a waiting parent sees the signal. All
 * listeners of the signal must have been removed.
 */
export async function exitBySignal(signal: NodeJS.Signals): Promise<never> {
  process.kill(process.pid, signal);
  await pause(EFFECT_MS);
  process.exit(128 + constants.signals[signal]);
}
