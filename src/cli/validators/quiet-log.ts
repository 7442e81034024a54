import type { Log } from '../../config/log.js';

function nothing(): void {
  // Its users report what matters elsewhere.
}

/** For parts of a node that a command uses by itself, and tells of in its own words. */
export const quietLog: Log = { debug: nothing, info: nothing, warn: nothing, error: nothing };
