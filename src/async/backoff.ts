/** The pause after some failures in a row, from 0: it doubles with each, up to `maxMs`. */
export function backoffMs(firstMs: number, maxMs: number, failures: number): number {
  return Math.min(maxMs, firstMs * 2 ** Math.min(failures, 16));
}

/** From half of a pause to the whole of it, so that those that failed together do not all retry together. */
export function jittered(ms: number, random: number): number {
  return ms * (0.5 + 0.5 * random);
}
