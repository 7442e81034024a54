import { InvalidArgumentError } from 'commander';

/** A height of an option. */
export function height(text: string): bigint {
  if (/^\d{1,16}$/.test(text)) return BigInt(text);
  throw new InvalidArgumentError(`expected a height, got ${JSON.stringify(text)}`);
}
