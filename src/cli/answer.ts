import { Option } from 'commander';
import type { CommandContext } from './command-context.js';

/** The option that prints an answer as one line of JSON instead of text. */
export function jsonOption(): Option {
  return new Option('--json', 'print JSON');
}

/** Prints a command's answer: with `json` the values as one line of JSON, with bigints as numbers, or else the text. */
export function printAnswer(
  { console }: CommandContext,
  { json }: { readonly json?: boolean },
  values: unknown,
  text: string,
): void {
  const plain = (_name: string, value: unknown) => (typeof value === 'bigint' ? Number(value) : value);
  console.out(json === true ? `${JSON.stringify(values, plain)}\n` : text);
}
