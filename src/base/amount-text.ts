const MAX_U128 = (1n << 128n) - 1n;

/**
 * Reads an amount: decimal digits with `_` or `,` between them, a fraction and an exponent.
 * @param decimals the unit of the text is 10^decimals of the smallest unit
 * @returns the amount in the smallest unit; undefined for other text, for more fraction digits than decimals, and above
 *   2^128 − 1
 */
export function readAmount(text: string, decimals: number): bigint | undefined {
  const match = /^(\d+(?:[_,]\d+)*)(?:\.(\d+))?(?:[eE]\+?(\d{1,2}))?$/.exec(text.trim());
  const whole = match?.[1]?.replace(/[_,]/g, '');
  if (whole === undefined) return undefined;
  const fraction = (match?.[2] ?? '').replace(/0+$/, '');
  const exponent = Number(match?.[3] ?? 0) + decimals;
  if (fraction.length > exponent) return undefined;
  const value = BigInt(whole + fraction) * 10n ** BigInt(exponent - fraction.length);
  return value <= MAX_U128 ? value : undefined;
}
