import type { Log } from './log.js';

/** So many records a second are enough to find a fault by, and fill no disk. */
const RECORDS_A_SECOND = 10;

/**
 * For errors that a stranger may bring about as often as he likes: writes at most ten records a second. The first one after
 * others were left out says how many in `not_logged`.
 */
export class BoundedLog {
  readonly #log: Pick<Log, 'error'>;
  readonly #now: () => number;
  #secondEnds = Number.NEGATIVE_INFINITY;
  #written = 0;
  #leftOut = 0;

  /** @param now milliseconds, of any clock that only goes forward */
  constructor(log: Pick<Log, 'error'>, now: () => number = () => performance.now()) {
    this.#log = log;
    this.#now = now;
  }

  /** @returns whether the record was written */
  error(fields: object, message: string): boolean {
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
    this.#log.error({ ...fields, ...leftOut }, message);
    return true;
  }
}
