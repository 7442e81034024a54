import type { Place } from './place.js';

/** Maximum number of calls of a sweep. */
export const MAX_CALLS = 100_000_000;

/** The values of a parameter of the grid, by index. */
export interface Points {
  readonly size: number;
  /** @returns JSON text */
  json(index: number): string;
}

/** @throws SweepError if one parameter has more values than a sweep may have calls */
export function checkedSize(size: bigint, place: Place): number {
  if (size > MAX_CALLS) throw place.wrong(`expected at most ${MAX_CALLS} values, got ${size}`);
  return Number(size);
}
