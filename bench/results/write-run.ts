import type { BenchmarkRun } from './run.js';

/** Digits that a figure keeps; more are noise. */
const DIGITS = 5;

/** The JSON of a run, with each list of numbers on one line. */
export function runJson(run: BenchmarkRun): string {
  const shortened = (_: string, value: unknown): unknown =>
    typeof value === 'number' && !Number.isInteger(value) ? Number(value.toPrecision(DIGITS)) : value;
  const text = JSON.stringify(run, shortened, 1);
  // Text in quotes has no line breaks, so this finds only lists.
  return `${text.replace(/\[\n([\s\d.,e+-]+)\]/g, (_, list: string) => `[${list.trim().replace(/\s+/g, ' ')}]`)}\n`;
}
