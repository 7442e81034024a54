/* What the name of a field or function tells about its number. Only display depends on it. */

/** Numbers that identify something: their digits are not grouped. */
export function isIdentifier(name: string): boolean {
  return /^(id|nonce|lane|index)$|_(id|nonce|index)$/.test(name);
}

/** 2001-09-09, later than any duration in milliseconds ends that a contract may count. */
const FIRST_TIME_MS = 1_000_000_000_000n;
/** The end of year 9999. */
const LAST_TIME_MS = 253_402_300_799_999n;

/** Whether a number is a moment: names of times and durations end in `_ms`, and no duration reaches so far. */
export function isMoment(name: string, value: bigint): boolean {
  return name.endsWith('_ms') && value >= FIRST_TIME_MS && value <= LAST_TIME_MS;
}

const TOKEN_AMOUNTS: ReadonlySet<string> = new Set([
  ...['amount', 'supply', 'total_supply', 'balance', 'balance_of', 'allowance'],
  // Of errors.
  ...['available', 'required'],
]);

/** Whether a field, or the result of a view, of a token counts its tokens. */
export function isTokenAmount(name: string): boolean {
  return TOKEN_AMOUNTS.has(name);
}
