import { signal } from '@preact/signals';
import { MAX_DECIMALS } from '../../client/client.js';
import { tokenSymbol } from '../../client/token-answers.js';
import { keepChoice, keptChoice } from '../node/browser-storage.js';
import type { Unit } from './unit.js';

const SHOWN = 'heddle.units';
const NATIVE = 'heddle.native-unit';

/** The chain defines no unit of its balances; commands and guides count in 10^18. */
const USUAL: Unit = { decimals: 18, symbol: '' };

/** True if amounts are shown in units, otherwise in the smallest one. */
export const inUnits = signal(keptChoice(SHOWN) === 'yes');

/** The unit of native amounts. */
export const nativeUnit = signal(readUnit(keptChoice(NATIVE)) ?? USUAL);

/** Shows amounts in units or in the smallest one, also on later visits. */
export function showUnits(wanted: boolean): void {
  inUnits.value = wanted;
  keepChoice(SHOWN, wanted ? 'yes' : 'no');
}

/** Counts native amounts in another unit, also on later visits. @returns a message if the texts are no unit */
export function setNativeUnit(decimals: string, symbol: string): string | undefined {
  const unit = readUnit(`${decimals.trim()} ${symbol.trim()}`);
  if (unit === undefined) {
    return `Expected decimals from 0 to ${MAX_DECIMALS}, and a symbol of at most 32 characters without spaces.`;
  }
  nativeUnit.value = unit;
  keepChoice(NATIVE, `${unit.decimals} ${unit.symbol}`);
  return undefined;
}

function readUnit(text: string | undefined): Unit | undefined {
  const [, digits, symbol] = /^(\d{1,2}) (.*)$/.exec(text ?? '') ?? [];
  const decimals = Number(digits);
  if (symbol === undefined || !(decimals <= MAX_DECIMALS)) return undefined;
  return symbol === '' || tokenSymbol(symbol) !== undefined ? { decimals, symbol } : undefined;
}
