import { InvalidArgumentError, Option } from 'commander';
import { OPTIONS } from '../config/options.js';
import type { BlockRef } from '../generated/node-rpc-v1.js';

const DEFAULT_URL = `http://${OPTIONS.host.default}:${OPTIONS.port.default}`;

/** The option that selects a command's node. */
export function urlOption(): Option {
  return new Option('--url <URL>', `the node to talk to (default: HEDDLE_URL, else ${DEFAULT_URL})`);
}

export function urlOrDefault(
  given: string | undefined,
  environment: Readonly<Record<string, string | undefined>>,
): string {
  return given ?? (environment['HEDDLE_URL'] || DEFAULT_URL);
}

/** Parses an integer between two bounds, inclusive. */
export function integerBetween(min: number, max: number): (text: string) => number {
  return (text) => {
    const value = /^\d{1,16}$/.test(text) ? Number(text) : Number.NaN;
    if (value >= min && value <= max) return value;
    throw new InvalidArgumentError(`expected an integer from ${min} to ${max}, got ${JSON.stringify(text)}`);
  };
}

/** Parses each value of an option that may be repeated, whose default is a list. */
export function listOf<T>(parse: (text: string) => T): (text: string, before: readonly T[]) => readonly T[] {
  return (text, before) => [...before, parse(text)];
}

/** Parses a height. @throws InvalidArgumentError */
export function height(text: string): bigint {
  if (/^\d{1,16}$/.test(text)) return BigInt(text);
  throw new InvalidArgumentError(`expected a height, got ${JSON.stringify(text)}`);
}

/** A height as a reference to the state after its block. */
export function blockAt(at: bigint | undefined): { readonly at?: BlockRef } {
  return at === undefined ? {} : { at: { type: 'height', value: at } };
}

/** The option that selects the state to read. */
export function atOption(): Option {
  return new Option('--at <HEIGHT>', 'the state after this block (default: the last one)').argParser(height);
}
