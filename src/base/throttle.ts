/** Admits one event per interval. The caller passes the time in milliseconds, from a monotonic clock. */
export class Throttle {
  readonly #intervalMs: number;
  #admittedMs = Number.NEGATIVE_INFINITY;

  constructor(intervalMs: number) {
    this.#intervalMs = intervalMs;
  }

  /** Whether this event is the first since the last admitted event's interval ended. */
  admits(nowMs: number): boolean {
    if (nowMs - this.#admittedMs < this.#intervalMs) return false;
    this.#admittedMs = nowMs;
    return true;
  }
}

/**
 * Limits an error report to one per interval; the first one is immediate.
 * @param report receives the error and the number of errors since the last report, this one included
 */
export function throttled(
  report: (error: unknown, times: number) => void,
  intervalMs = 1_000,
  now: () => number = () => performance.now(),
): (error: unknown) => void {
  const throttle = new Throttle(intervalMs);
  let times = 0;
  return (error) => {
    times++;
    if (!throttle.admits(now())) return;
    report(error, times);
    times = 0;
  };
}
