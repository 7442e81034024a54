/** A measurement at one size. */
export interface Point {
  readonly size: number;
  readonly value: number;
}

/** `value = factor · size^exponent`. */
export interface PowerLaw {
  readonly factor: number;
  readonly exponent: number;
  /** Standard error of the exponent; absent with two points, which every line meets. */
  readonly error?: number;
  /** Share of the variance of log value that the line explains, 0 to 1; absent with two points. */
  readonly rSquared?: number;
}

/**
 * Fits a power law by least squares on logarithms. With x = ln size, y = ln value, means x̄ and ȳ, and n points:
 *
 *     exponent b = Σ(x − x̄)(y − ȳ) / Σ(x − x̄)²
 *     ln factor  = ȳ − b·x̄
 *     error      = √( Σ(y − ȳ − b(x − x̄))² / (n − 2) / Σ(x − x̄)² )
 *     R²         = 1 − Σ(y − ȳ − b(x − x̄))² / Σ(y − ȳ)²
 *
 * @returns undefined with fewer than two sizes, and if a size or a value has no logarithm
 */
export function fitPowerLaw(points: readonly Point[]): PowerLaw | undefined {
  if (new Set(points.map(({ size }) => size)).size < 2) return undefined;
  if (!points.every(({ size, value }) => size > 0 && value > 0)) return undefined;
  const xs = points.map(({ size }) => Math.log(size));
  const ys = points.map(({ value }) => Math.log(value));
  const [xMean, yMean] = [mean(xs), mean(ys)];
  const pairs = xs.map((x, i) => ({ dx: x - xMean, dy: (ys[i] ?? 0) - yMean }));
  const xSquares = sum(pairs.map(({ dx }) => dx * dx));
  const exponent = sum(pairs.map(({ dx, dy }) => dx * dy)) / xSquares;
  const residuals = sum(pairs.map(({ dx, dy }) => (dy - exponent * dx) ** 2));
  const ySquares = sum(pairs.map(({ dy }) => dy * dy));
  return {
    factor: Math.exp(yMean - exponent * xMean),
    exponent,
    ...(points.length > 2 && {
      error: Math.sqrt(residuals / (points.length - 2) / xSquares),
      // A constant has no variance to explain, and the line meets it.
      rSquared: ySquares === 0 ? 1 : 1 - residuals / ySquares,
    }),
  };
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

function mean(values: readonly number[]): number {
  return sum(values) / values.length;
}
