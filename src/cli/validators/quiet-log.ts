import type { Log } from '../../config/log.js';

function nothing(): void {
  // The commands report relevant events themselves.
}

/** A silent log, for parts of a node that a command uses directly. */
export const quietLog: Log = { debug: nothing, info: nothing, warn: nothing, error: nothing };
