import * as v from 'valibot';
import { GeometricCurve } from './geometric-curve.js';
import { members, type Place } from './place.js';

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

/** Maximum number of digits: 512 bits have 155. */
const MAX_DIGITS = 155;

export const EXPECTED_INTEGER =
  `an integer: a string of at most ${MAX_DIGITS} digits, or a number ` +
  `from ${Number.MIN_SAFE_INTEGER} to ${Number.MAX_SAFE_INTEGER}`;

/** The digits of an integer; a zero before them would change its meaning in some readers. */
export const DIGITS = /^(?:0|-?[1-9][0-9]*)$/;

/** An integer of the file, which is written into calls with the same JSON type. */
export interface FileInteger {
  readonly value: bigint;
  /** True if it is a string of digits, false if it is a number. */
  readonly isText: boolean;
}

export const fileInteger: v.GenericSchema<unknown, FileInteger> = v.pipe(
  v.union(
    [
      v.pipe(v.number(), v.safeInteger(EXPECTED_INTEGER)),
      v.pipe(v.string(), v.regex(DIGITS, EXPECTED_INTEGER), v.maxLength(MAX_DIGITS + 1, EXPECTED_INTEGER)),
    ],
    EXPECTED_INTEGER,
  ),
  v.transform((given) => ({ value: BigInt(given), isText: typeof given === 'string' })),
);

export function integerJson(value: bigint, isText: boolean): string {
  return isText ? `"${value}"` : String(value);
}

/** Maximum number of values on a logarithmic scale, which are computed at once. */
const MAX_LOG_COUNT = 100_000;

const EXPECTED_COUNT = 'an integer from 2';

const scale = v.optional(v.picklist(['linear', 'log'], '"linear" or "log"'), 'linear');

const rangeSchema = members({
  from: fileInteger,
  to: fileInteger,
  step: v.optional(fileInteger),
  count: v.optional(
    v.pipe(v.number(EXPECTED_COUNT), v.safeInteger(EXPECTED_COUNT), v.minValue(2, EXPECTED_COUNT)),
  ),
  scale,
});

const boundsSchema = members({ from: fileInteger, to: fileInteger, scale });

/** Inclusive bounds. */
export interface Bounds {
  readonly from: bigint;
  readonly to: bigint;
  /** True if values are strings of digits, false if they are numbers. */
  readonly isText: boolean;
  readonly isLog: boolean;
}

/** Checks `{"from", "to", "scale"?}`. @throws SweepError */
export function readBounds(value: unknown, place: Place): Bounds {
  return checkBounds(place.check(boundsSchema, value), place);
}

/** Checks `{"from", "to", "step"?, "count"?, "scale"?}`. @throws SweepError */
export function readRange(value: unknown, place: Place): Points {
  const range = place.check(rangeSchema, value);
  const bounds = checkBounds(range, place);
  const { step, count } = range;
  if (count === undefined) {
    if (bounds.isLog)
      throw place.at('count').unexpected(`${EXPECTED_COUNT}, because the scale is log`, undefined);
    return steps(bounds, step, place);
  }
  if (step !== undefined) throw place.wrong('expected either step or count, got both');
  const integers = bounds.to - bounds.from + 1n;
  if (count > integers) {
    throw place.at('count').unexpected(`at most ${integers}, the number of integers in the range`, count);
  }
  return bounds.isLog ? logarithmic(bounds, count, place) : even(bounds, count, place);
}

function checkBounds({ from, to, scale }: v.InferOutput<typeof boundsSchema>, place: Place): Bounds {
  const { isText } = from;
  if (to.isText !== isText) {
    throw place.at('to').unexpected(`a ${isText ? 'string' : 'number'} like from`, given(to));
  }
  if (to.value < from.value) throw place.at('to').unexpected(`at least from, ${from.value}`, given(to));
  const isLog = scale === 'log';
  if (isLog && from.value < 1n) {
    throw place.at('from').unexpected('at least 1, because the scale is log', given(from));
  }
  return { from: from.value, to: to.value, isText, isLog };
}

function steps({ from, to, isText }: Bounds, step: FileInteger | undefined, place: Place): Points {
  const distance = to - from;
  const width = step?.value ?? 1n;
  if (step !== undefined && (width < 1n || (width > distance && distance > 0n))) {
    const expected =
      distance > 0n ? `an integer from 1 to ${distance}, the width of the range` : 'at least 1';
    throw place.at('step').unexpected(expected, given(step));
  }
  const size = checkedSize(distance / width + 1n, place);
  return { size, json: (index) => integerJson(from + BigInt(index) * width, isText) };
}

/** `count` integers at equal distances, up to rounding. */
function even({ from, to, isText }: Bounds, count: number, place: Place): Points {
  const size = checkedSize(BigInt(count), place);
  const gaps = BigInt(count - 1);
  const distance = to - from;
  return {
    size,
    // Adding half a gap before the division rounds to the nearest integer.
    json: (index) => integerJson(from + (2n * BigInt(index) * distance + gaps) / (2n * gaps), isText),
  };
}

/**
 * `count` integers nearest to a geometric series. Integers that would repeat are replaced by the successor of the one
 * before. The last needs no correction: the series is convex and the range has at least `count` integers.
 */
function logarithmic({ from, to, isText }: Bounds, count: number, place: Place): Points {
  if (count > MAX_LOG_COUNT) {
    throw place.at('count').unexpected(`at most ${MAX_LOG_COUNT}, because the scale is log`, count);
  }
  const curve = new GeometricCurve(from, to);
  const gaps = BigInt(count - 1);
  const values = [from];
  let previous = from;
  for (let index = 1n; index < gaps; index++) {
    const near = curve.near((index << BigInt(curve.bits)) / gaps);
    previous = near > previous ? near : previous + 1n;
    values.push(previous);
  }
  values.push(to);
  return { size: count, json: (index) => integerJson(values[index] ?? to, isText) };
}

/** The integer as in the file. */
function given({ value, isText }: FileInteger): string | number {
  return isText ? String(value) : Number(value);
}
