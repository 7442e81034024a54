import type { Log } from './log.js';

/** Maximum records per second: enough to find a fault, too few to fill a disk. */
const RECORDS_A_SECOND = 10;

/**
 * Throttles logs of events that strangers can cause at will: at most ten records per second. The first record after
 * suppressed ones carries their number in `not_logged`.
 */
export class BoundedLog {
  readonly #log: Pick<Log, 'error'> & Partial<Pick<Log, 'info'>>;
  readonly #now: () => number;
  #secondEnds = Number.NEGATIVE_INFINITY;
  #written = 0;
  #leftOut = 0;

  /** @param now milliseconds of any monotonic clock */
  constructor(
    log: Pick<Log, 'error'> & Partial<Pick<Log, 'info'>>,
    now: () => number = () => performance.now(),
  ) {
    this.#log = log;
    this.#now = now;
  }

  /** @returns true if the record was written */
  error(fields: object, message: string): boolean {
    return this.#write('error', fields, message);
  }

  /** @returns true if the record was written */
  info(fields: object, message: string): boolean {
    return this.#write('info', fields, message);
  }

  #write(level: 'error' | 'info', fields: object, message: string): boolean {
    const now = this.#now();
    if (now >= this.#secondEnds) {
      this.#secondEnds = now + 1_000;
      this.#written = 0;
    }
    if (this.#written === RECORDS_A_SECOND) {
      this.#leftOut++;
      return false;
    }
    this.#written++;
    const leftOut = this.#leftOut > 0 ? { not_logged: this.#leftOut } : {};
    this.#leftOut = 0;
    this.#log[level]?.({ ...fields, ...leftOut }, message);
    return true;
  }
}
