import type { JsonValue } from '../idl/json-value.js';
import { MAX_DECIMALS } from './amounts.js';

// A contract may answer with anything: only answers of the usual form are shown.

/** A short word without spaces and invisible characters. */
const SYMBOL = /^[^\p{C}\p{Z}]{1,32}$/u;

/** The symbol in a token's answer; undefined unless it is a short word. */
export function tokenSymbol(answer: JsonValue): string | undefined {
  return typeof answer === 'string' && SYMBOL.test(answer) ? answer : undefined;
}

/** The decimals in a token's answer; undefined unless it is an integer from 0 to {@link MAX_DECIMALS}. */
export function tokenDecimals(answer: JsonValue): number | undefined {
  const isOne = typeof answer === 'number' && Number.isInteger(answer);
  return isOne && answer >= 0 && answer <= MAX_DECIMALS ? answer : undefined;
}
