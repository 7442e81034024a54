import { InvalidArgumentError } from 'commander';

/** Reads an option's value that is an integer between bounds, both included. */
export function integerBetween(min: number, max: number): (text: string) => number {
  return (text) => {
    const value = /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN;
    if (value >= min && value <= max) return value;
    throw new InvalidArgumentError(`expected a number from ${min} to ${max}, got ${JSON.stringify(text)}`);
  };
}
