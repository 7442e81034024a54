import type { Log } from '../../config/log.js';

function nothing(): void {
  // Whoever uses this says elsewhere what matters.
}

/** For parts of a node that a command uses by itself, and tells of in its own words. */
export const quietLog: Log = { debug: nothing, info: nothing, warn: nothing, error: nothing };
