import { formatAmount } from '../../client/client.js';
import { grouped } from '../text/format.js';
import { shortName } from '../text/untrusted.js';

/** How amounts of a currency are shown. */
export interface Unit {
  /** The unit is 10^decimals of the smallest one; 0 to 38. */
  readonly decimals: number;
  /** Empty without one. A token's contract chooses it. */
  readonly symbol: string;
}

/** Maximum number of characters shown of a symbol. */
const MAX_SYMBOL = 12;

/**
 * An amount in a unit, exact to the last digit: `1.5 THR`. Without a symbol, the number still counts the smallest unit:
 * `1.5e18`, or `1,500` if it is far below a unit.
 * @param amount in the smallest unit
 */
export function amountText(amount: bigint, { decimals, symbol }: Unit): string {
  if (symbol !== '') return `${formatAmount(amount, decimals)} ${symbolText(symbol)}`;
  const isSmall = decimals === 0 || amount < 10n ** BigInt(Math.max(0, decimals - 3));
  return isSmall ? grouped(amount) : `${formatAmount(amount, decimals)}e${decimals}`;
}

/** A symbol, which may be a contract's choice, as shown. */
export function symbolText(symbol: string): string {
  return shortName(symbol, MAX_SYMBOL);
}
