import { InvalidArgumentError } from 'commander';

/** Parses an integer between two bounds, inclusive. */
export function integerBetween(min: number, max: number): (text: string) => number {
  return (text) => {
    const value = /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN;
    if (value >= min && value <= max) return value;
    throw new InvalidArgumentError(`expected a number from ${min} to ${max}, got ${JSON.stringify(text)}`);
  };
}
