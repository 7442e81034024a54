import type { Log } from '../config/log.js';

function nothing(): void {
  // The commands report relevant events themselves.
}

/** The log of parts of a node that a command uses directly. */
export const SILENT_LOG: Log = { debug: nothing, info: nothing, warn: nothing, error: nothing };
