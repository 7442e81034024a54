const { env } = process;

/**
 * How many random cases the randomized tests try, as a factor: 1 in `npm test`, 10 in the slow tier, any positive number in
 * HEDDLE_SWEEP for people. A test that imports this file runs in both tiers.
 */
export const SWEEP = sweepOf(env['HEDDLE_SWEEP']);

/** The number of cases that is `atOne` at the factor 1; at least one. */
export function sweep(atOne: number): number {
  return Math.max(1, Math.round(atOne * SWEEP));
}

function sweepOf(text = '1'): number {
  const factor = Number(text);
  if (!(factor > 0 && factor <= 10_000)) {
    throw new Error(`HEDDLE_SWEEP: expected a number above 0 and up to 10000, got ${text}`);
  }
  return factor;
}
