/** borsh(Transaction) begins with chain_id u64, sender 20 bytes, lane u32 and nonce u64; gas_limit u64 is next. */
const GAS_LIMIT_AT = 8 + 20 + 4 + 8;
const FIRST_DIGIT = '0x'.length + 2 * GAS_LIMIT_AT;
const DIGITS = 16;

/**
 * The gas limit of an encoded transaction, read at its fixed place without decoding the rest; rounded above 2^53.
 * @param encoded `0x` and the hex digits of borsh(Transaction) or borsh(SignedTransaction), of any length
 * @returns undefined if there are no hex digits at that place
 */
export function encodedGasLimit(encoded: string): number | undefined {
  const digits = encoded.slice(FIRST_DIGIT, FIRST_DIGIT + DIGITS);
  if (!/^[0-9a-f]{16}$/i.test(digits)) return undefined;
  const bytes = digits.match(/../g) ?? [];
  return Number(`0x${bytes.reverse().join('')}`);
}
