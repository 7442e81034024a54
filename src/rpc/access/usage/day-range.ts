import { CodedError } from '../../../base/errors.js';
import { dayAfter, dayOf, daysIn, KEPT_DAYS, startOfDay } from './usage-days.js';

/** Number of days of a range whose first day is not given. */
const DEFAULT_DAYS = 30;
const SHOWN_CHARACTERS = 20;

/**
 * - `invalid`: an end is not a day, or the first day is after the last;
 * - `too_long`: more days than are kept.
 */
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

/** The first and the last day. */
export interface DayRange {
  readonly from: string;
  readonly to: string;
}

/**
 * The days that a caller asks for: by default the last 30.
 * @param nowMs milliseconds since 1970
 * @throws DayRangeError
 */
export function dayRange(
  { from, to }: { readonly from?: string | undefined; readonly to?: string | undefined },
  nowMs: number,
): DayRange {
  const last = to === undefined ? dayOf(nowMs) : expectDay(to, 'to');
  const first = from === undefined ? dayAfter(last, 1 - DEFAULT_DAYS) : expectDay(from, 'from');
  if (first > last) throw new DayRangeError('invalid', 'from', `a day up to the last one, ${last}`, first);
  const days = daysIn(first, last);
  if (days <= KEPT_DAYS) return { from: first, to: last };
  throw new DayRangeError(
    'too_long',
    'from',
    `at most ${KEPT_DAYS} days`,
    `${days} from ${first} to ${last}`,
  );
}

function expectDay(text: string, end: 'from' | 'to'): string {
  if (startOfDay(text) !== undefined) return text;
  const got = JSON.stringify(text.slice(0, SHOWN_CHARACTERS));
  throw new DayRangeError('invalid', end, 'a day such as 2026-01-31', got);
}
