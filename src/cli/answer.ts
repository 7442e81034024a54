import { writeFile } from 'node:fs/promises';
import { errorMessage } from '../base/errors.js';
import { shownLine } from '../base/shown-text.js';
import type { CommandContext } from './cli-command.js';
import { CliError } from './cli-error.js';

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

/** Rows of text in columns, a line each; the first row has the headings. */
export function textTable(rows: readonly (readonly string[])[]): string[] {
  const cells = rows.map((row) => row.map(shownLine));
  const widths: number[] = [];
  for (const row of cells) {
    for (const [column, cell] of row.entries()) widths[column] = Math.max(widths[column] ?? 0, cell.length);
  }
  return cells.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  );
}

/** @param option that names the file, for the message @throws CliError if the file cannot be written */
export async function writeText(path: string, text: string, option?: string): Promise<void> {
  try {
    await writeFile(path, text);
  } catch (error) {
    throw unwritable(path, error, option);
  }
}

export function unwritable(path: string, error: unknown, option?: string): CliError {
  const prefix = option === undefined ? '' : `${option}: `;
  return new CliError(`${prefix}cannot write ${path}: ${errorMessage(error)}`, { cause: error });
}
