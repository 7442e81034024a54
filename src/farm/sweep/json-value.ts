import type { Place } from './place.js';

/** Maximum depth of arrays and objects. */
const MAX_DEPTH = 64;

/**
 * Checks that parsed JSON has the numbers of its text, and that functions may recurse into it.
 * @throws SweepError
 */
export function checkJsonValue(value: unknown, place: Place, depth = 0): void {
  if (typeof value === 'number') {
    // Fractions are rounded too, but to the number that they stand for.
    if (Number.isFinite(value) && (!Number.isInteger(value) || Number.isSafeInteger(value))) return;
    const { MIN_SAFE_INTEGER: least, MAX_SAFE_INTEGER: most } = Number;
    throw place.wrong(`expected a number from ${least} to ${most}, or a string of digits, got ${value}`);
  }
  if (typeof value !== 'object' || value === null) return;
  if (depth === MAX_DEPTH)
    throw place.wrong(`expected at most ${MAX_DEPTH} nested arrays and objects, got more`);
  const entries = Array.isArray(value) ? value.entries() : Object.entries(value);
  for (const [key, member] of entries) {
    if (typeof member === 'number' || typeof member === 'object')
      checkJsonValue(member, place.at(key), depth + 1);
  }
}

/** A value as JSON text without line separators: some readers of lines end a line at U+2028 and U+2029. */
export function jsonText(value: unknown): string {
  return JSON.stringify(value).replace(/[\u2028\u2029]/g, (separator) =>
    separator === '\u2028' ? '\\u2028' : '\\u2029',
  );
}
