const { env } = process;

/** Fractional parts of its multiples spread evenly over 0 to 1. */
const GOLDEN = (Math.sqrt(5) - 1) / 2;

/**
 * How many random cases the randomized tests try, as a factor: 1 in `npm test`, 10 in the slow tier, any positive number in
 * HEDDLE_SWEEP for people. A test that imports this file runs in both tiers.
 */
export const SWEEP = sweepOf(env['HEDDLE_SWEEP']);

/** The number of cases that is `atOne` at the factor 1; at least one. */
export function sweep(atOne: number): number {
  return Math.max(1, Math.round(atOne * SWEEP));
}

/** A value that differs between the tiers, such as the length of an attack: `fast` below the factor 10, else `slow`. */
export function perTier<T>(fast: T, slow: T): T {
  return SWEEP < 10 ? fast : slow;
}

/**
 * Cases of a systematic test, spread over all of them: `atOne` at the factor 1, all from a factor high enough.
 * @param salt another number draws others
 */
export function spread<T>(cases: readonly T[], atOne: number, salt = 0): readonly T[] {
  const count = Math.min(sweep(atOne), cases.length);
  const drawn = Array.from({ length: count }, (_, part) =>
    Math.floor(((part + (((part + salt) * GOLDEN) % 1)) * cases.length) / count),
  );
  return cases.filter((_, at) => drawn.includes(at));
}

function sweepOf(text = '1'): number {
  const factor = Number(text);
  if (!(factor > 0 && factor <= 10_000)) {
    throw new Error(`HEDDLE_SWEEP: expected a number above 0 and up to 10000, got ${text}`);
  }
  return factor;
}
