import { ClientError } from './client-error.js';

const MAX_U128 = (1n << 128n) - 1n;

/**
 * Parses an amount in the chain's smallest unit. Accepts decimal digits, `_` or `,` between them, and an exponent:
 * `1000000`, `1_000_000`, `1,000,000`, `1e6` and `2.5e6`, but not `0.5`, as there is no smaller unit.
 * @throws ClientError `bad_amount` for anything else, and above 2^128 − 1
 *
 * @example
 * parseAmount('2.5e6'); // 2500000n
 */
export function parseAmount(text: string): bigint {
  const match = /^(\d+(?:[_,]\d+)*)(?:\.(\d+))?(?:[eE]\+?(\d{1,2}))?$/.exec(text.trim());
  const whole = match?.[1]?.replace(/[_,]/g, '');
  if (whole !== undefined) {
    const fraction = (match?.[2] ?? '').replace(/0+$/, '');
    const exponent = Number(match?.[3] ?? 0);
    if (fraction.length <= exponent) {
      const value = BigInt(whole + fraction) * 10n ** BigInt(exponent - fraction.length);
      if (value <= MAX_U128) return value;
    }
  }
  throw new ClientError(
    'bad_amount',
    `expected a whole amount up to 2^128 - 1, such as 1000, 1_000 or 1e3, got ${JSON.stringify(text)}`,
  );
}

/**
 * Formats an amount with its digits in groups of three: `1,000,000`.
 *
 * @example
 * formatAmount(1_000_000n); // '1,000,000'
 */
export function formatAmount(amount: bigint): string {
  return amount.toString().replace(/\B(?=(\d{3})+$)/g, ',');
}
