import { constants } from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';
import { CliError } from './cli-error.js';

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

/**
 * Runs work that SIGINT and SIGTERM interrupt.
 * @param reason message of the CliError that aborts the work's signal
 */
export async function interruptible<T>(
  reason: string,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const ended = new AbortController();
  const end = () => ended.abort(new CliError(reason));
  process.once('SIGINT', end);
  process.once('SIGTERM', end);
  try {
    return await work(ended.signal);
  } finally {
    process.off('SIGINT', end);
    process.off('SIGTERM', end);
  }
}
