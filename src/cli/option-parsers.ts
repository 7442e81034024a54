import { InvalidArgumentError } from 'commander';

/** Parses an integer between two bounds, inclusive. */
export function integerBetween(min: number, max: number): (text: string) => number {
  return (text) => {
    const value = /^\d{1,16}$/.test(text) ? Number(text) : Number.NaN;
    if (value >= min && value <= max) return value;
    throw new InvalidArgumentError(`expected an integer from ${min} to ${max}, got ${JSON.stringify(text)}`);
  };
}

/** Parses each value of an option that may be repeated. */
export function listOf<T>(parse: (text: string) => T): (text: string, before?: readonly T[]) => readonly T[] {
  return (text, before = []) => [...before, parse(text)];
}

export function height(text: string): bigint {
  if (/^\d{1,16}$/.test(text)) return BigInt(text);
  throw new InvalidArgumentError(`expected a height, got ${JSON.stringify(text)}`);
}
