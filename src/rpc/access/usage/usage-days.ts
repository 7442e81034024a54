import { CodedError } from '../../../base/errors.js';

/*
 * Days of usage, in UTC, as `YYYY-MM-DD`: their order as text is their order in time.
 */

const DAY_MS = 24 * 3_600_000;

/** Number of days whose usage is kept, and maximum number of days in one query. */
export const KEPT_DAYS = 400;
/** Number of days of a range whose first day is not given. */
const DEFAULT_DAYS = 30;
const SHOWN_CHARACTERS = 20;

export function dayOf(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10);
}

/** The start of a day since 1970, in milliseconds; undefined for other text. */
export function startOfDay(text: string): number | undefined {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return undefined;
  const ms = Date.parse(`${text}T00:00:00Z`);
  // Date.parse takes February 30 for March 2.
  return ms >= 0 && dayOf(ms) === text ? ms : undefined;
}

export function untilNextDay(ms: number): number {
  return DAY_MS - (ms % DAY_MS);
}

/** The day that is some days later, or earlier for a negative number. */
export function dayAfter(day: string, days: number): string {
  return dayOf(Date.parse(`${day}T00:00:00Z`) + days * DAY_MS);
}

/** Number of days in a range, with both ends; below 1 if the range is empty. */
export function daysIn(from: string, to: string): number {
  return Math.round((Date.parse(to) - Date.parse(from)) / DAY_MS) + 1;
}

export function daysOf(from: string, to: string): readonly string[] {
  return Array.from({ length: Math.max(0, daysIn(from, to)) }, (_, at) => dayAfter(from, at));
}

/** When the usage of a day may be forgotten, in milliseconds since 1970. */
export function expiryOfDay(day: string): number {
  return Date.parse(`${day}T00:00:00Z`) + (KEPT_DAYS + 1) * DAY_MS;
}

/** `invalid`: an end is not a day, or the first is after the last; `too_long`: more days than are kept. */
export type DayRangeErrorCode = 'invalid' | 'too_long';

export class DayRangeError extends CodedError<DayRangeErrorCode> {
  override readonly name = 'DayRangeError';

  /** @param end the end at fault; for `too_long` the first */
  constructor(
    code: DayRangeErrorCode,
    readonly end: 'from' | 'to',
    readonly expected: string,
    readonly got: string,
  ) {
    super(code, `expected ${expected}, got ${got}`);
  }
}

export interface DayRange {
  readonly from: string;
  readonly to: string;
}

/** By default the last 30 days. @param nowMs milliseconds since 1970 @throws DayRangeError */
export function dayRange(
  { from, to }: { readonly [End in keyof DayRange]?: string | undefined },
  nowMs: number,
): DayRange {
  const last = to === undefined ? dayOf(nowMs) : expectDay(to, 'to');
  const first = from === undefined ? dayAfter(last, 1 - DEFAULT_DAYS) : expectDay(from, 'from');
  if (first > last) throw new DayRangeError('invalid', 'from', `a day up to the last one, ${last}`, first);
  const days = daysIn(first, last);
  if (days <= KEPT_DAYS) return { from: first, to: last };
  const got = `${days} from ${first} to ${last}`;
  throw new DayRangeError('too_long', 'from', `at most ${KEPT_DAYS} days`, got);
}

function expectDay(text: string, end: 'from' | 'to'): string {
  if (startOfDay(text) !== undefined) return text;
  const got = JSON.stringify(text.slice(0, SHOWN_CHARACTERS));
  throw new DayRangeError('invalid', end, 'a day such as 2026-01-31', got);
}
