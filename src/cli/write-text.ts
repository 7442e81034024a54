import { writeFile } from 'node:fs/promises';
import { errorMessage } from '../base/errors.js';
import { CliError } from './cli-error.js';

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
