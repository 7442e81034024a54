/** The median of at least one value: of an even number, the mean of the middle two. */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  const upper = sorted[middle] ?? Number.NaN;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? Number.NaN) + upper) / 2;
}

/** Turns a median absolute deviation of normally distributed values into their standard deviation. */
const NORMAL = 1.4826;

/**
 * Corrections of {@link NORMAL} for 2 to 9 values, which underestimate: C. Croux and P. J. Rousseeuw, Time-efficient
 * algorithms for two highly robust estimators of scale, 1992.
 */
const FEW_VALUES = [1.196, 1.495, 1.363, 1.206, 1.2, 1.14, 1.129, 1.107];

/**
 * Relative standard deviation of rounds, estimated from their median absolute deviation, so that one disturbed round
 * among several does not count.
 *
 * @returns undefined with one round, and with a median of 0
 */
export function relativeSpread(rounds: readonly number[]): number | undefined {
  const count = rounds.length;
  const middle = median(rounds);
  if (count < 2 || middle === 0) return undefined;
  const deviation = median(rounds.map((value) => Math.abs(value - middle)));
  const correction = FEW_VALUES[count - 2] ?? count / (count - 0.8);
  return (NORMAL * correction * deviation) / Math.abs(middle);
}

/** The ratios to a baseline, round by round; undefined unless both have the same number of rounds. */
export function roundRatios(
  rounds: readonly number[],
  baseline: readonly number[],
): readonly number[] | undefined {
  if (rounds.length !== baseline.length) return undefined;
  const ratios = rounds.map((value, i) => value / (baseline[i] ?? Number.NaN));
  return ratios.every(Number.isFinite) ? ratios : undefined;
}
