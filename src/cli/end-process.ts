import { once } from 'node:events';
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

/** Listens for SIGINT and SIGTERM. @returns a function that removes the listeners */
export function onSignals(listener: (signal: NodeJS.Signals) => void): () => void {
  process.on('SIGINT', listener);
  process.on('SIGTERM', listener);
  return () => {
    process.off('SIGINT', listener);
    process.off('SIGTERM', listener);
  };
}

/** The first signal aborts `first`, the second one ends the process at once. @param onSignal to log it */
export function watchSignals(onSignal: (signal: NodeJS.Signals, isFirst: boolean) => void): {
  readonly first: AbortSignal;
  /** The first signal's name. */
  name(): NodeJS.Signals | undefined;
  forget(): void;
} {
  const ended = new AbortController();
  let name: NodeJS.Signals | undefined;
  const forget = onSignals((signal) => {
    onSignal(signal, name === undefined);
    if (name === undefined) {
      name = signal;
      ended.abort();
    } else {
      forget();
      void exitBySignal(signal);
    }
  });
  return { first: ended.signal, name: () => name, forget };
}

/** Resolves once the signal aborts. */
export async function untilAborted(signal: AbortSignal): Promise<undefined> {
  if (!signal.aborted) await once(signal, 'abort');
  return undefined;
}

/** Runs work that SIGINT and SIGTERM interrupt. @param reason message of the CliError that aborts the work's signal */
export async function interruptible<T>(
  reason: string,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const ended = new AbortController();
  // A second signal ends the process by its default action.
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
