import { constants } from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';

/** A signal takes effect at once, where it does; the first process of a container is not ended by any that it sends itself. */
const EFFECT_MS = 500;

/**
 * Ends this process by a signal, at once and whatever its threads are at: whoever waits for the process sees that signal.
 * Nobody may listen for the signal any more.
 */
export async function exitBySignal(signal: NodeJS.Signals): Promise<never> {
  process.kill(process.pid, signal);
  await pause(EFFECT_MS);
  process.exit(128 + constants.signals[signal]);
}
