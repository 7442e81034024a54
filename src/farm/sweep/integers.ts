import * as v from 'valibot';

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

/** An integer as JSON. */
export function integerJson(value: bigint, isText: boolean): string {
  return isText ? `"${value}"` : String(value);
}
