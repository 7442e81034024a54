import { readAmount } from '../base/amount-text.js';
import { ClientError } from './client-error.js';

/** Most decimals of a unit: 10^38 is the highest power of ten below 2^128. */
export const MAX_DECIMALS = 38;

/**
 * Parses an amount. Accepts decimal digits, `_` or `,` between them, a fraction and an exponent: `1000000`,
 * `1_000_000`, `1,000,000`, `1e6` and `2.5e6`.
 * @param decimals size of the unit that the text counts: 10^decimals of the smallest unit; 0 to 38, default 0. With 0
 *   decimals, `0.5` is refused, as there is no smaller unit.
 * @returns the amount in the smallest unit
 * @throws ClientError `bad_amount` for anything else, for more fraction digits than decimals, and above 2^128 − 1;
 *   `bad_argument` for other decimals
 *
 * @example
 * parseAmount('2.5e6'); // 2500000n
 * parseAmount('1.5', 18); // 1500000000000000000n
 */
export function parseAmount(text: string, decimals = 0): bigint {
  checkDecimals(decimals);
  const value = readAmount(text, decimals);
  if (value !== undefined) return value;
  const expected =
    decimals === 0
      ? 'a whole amount up to 2^128 - 1, such as 1000, 1_000 or 1e3'
      : `an amount with at most ${decimals} decimals, up to 2^128 - 1 in the smallest unit, such as 1000, 1_000 or 1.5`;
  throw new ClientError('bad_amount', `expected ${expected}, got ${JSON.stringify(text)}`);
}

/**
 * Formats an amount with the digits of its whole part in groups of three: `1,000,000`.
 * @param amount in the smallest unit
 * @param decimals size of the unit to count: 10^decimals of the smallest unit; 0 to 38, default 0. Zeros at the end of
 *   the fraction are left out.
 * @throws ClientError `bad_argument` for other decimals
 *
 * @example
 * formatAmount(1_000_000n); // '1,000,000'
 * formatAmount(1_234_500_000n, 6); // '1,234.5'
 */
export function formatAmount(amount: bigint, decimals = 0): string {
  checkDecimals(decimals);
  const sign = amount < 0n ? '-' : '';
  const digits = (amount < 0n ? -amount : amount).toString().padStart(decimals + 1, '0');
  const whole = digits.slice(0, digits.length - decimals).replace(/\B(?=(\d{3})+$)/g, ',');
  const fraction = digits.slice(digits.length - decimals).replace(/0+$/, '');
  return `${sign}${whole}${fraction === '' ? '' : `.${fraction}`}`;
}

function checkDecimals(decimals: number): void {
  if (Number.isInteger(decimals) && decimals >= 0 && decimals <= MAX_DECIMALS) return;
  throw new ClientError('bad_argument', `expected decimals from 0 to ${MAX_DECIMALS}, got ${decimals}`);
}
