import type { Figure, Measured, Series } from './figure.js';

/**
 * Adds a figure to the results of this run. A benchmark that was not started by `npm run bench` only prints.
 *
 * @throws RangeError if the figure has no round, or one that is not a finite number
 */
export function recordFigure(figure: Figure): void {
  checkRounds(figure.name, figure.rounds);
  for (const { name, rounds } of figure.baselines ?? []) checkRounds(`${figure.name}, ${name}`, rounds);
  send({ kind: 'figure', figure });
}

/** Adds a series to the results of this run. @throws RangeError as {@link recordFigure} does */
export function recordSeries(series: Series): void {
  for (const { size, rounds } of series.points) checkRounds(`${series.name} at ${size}`, rounds);
  send({ kind: 'series', series });
}

function send(measured: Measured): void {
  process.send?.(measured);
}

function checkRounds(name: string, rounds: readonly number[]): void {
  if (rounds.length === 0) throw new RangeError(`${name}: no round was measured`);
  const bad = rounds.find((value) => !Number.isFinite(value));
  if (bad !== undefined) throw new RangeError(`${name}: expected finite numbers, got ${bad}`);
}
