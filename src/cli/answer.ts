import type { CommandContext } from './cli-command.js';

/** Prints a command's answer: with `json` the values as one line of JSON, with bigints as numbers, or else the text. */
export function printAnswer(
  { console }: CommandContext,
  { json }: JsonFlag,
  values: unknown,
  text: string,
): void {
  const plain = (_name: string, value: unknown) => (typeof value === 'bigint' ? Number(value) : value);
  console.out(json === true ? `${JSON.stringify(values, plain)}\n` : text);
}

/** The option of {@link CliCommand.json}. */
export interface JsonFlag {
  readonly json?: boolean;
}
