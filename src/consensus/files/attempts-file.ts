import { readJsonFile, writePublicFile } from './public-file.js';

/** Reads the number of the last attempt begun, or 0 if there was none. @throws PublicFileError */
export function readAttempts(path: string): number {
  return readJsonFile(path, 'number of attempts', numberFromJson) ?? 0;
}

/** Resolves once the file is synced. @throws PublicFileError */
export async function writeAttempts(path: string, attempt: number): Promise<void> {
  await writePublicFile(path, `${JSON.stringify({ attempt })}\n`);
}

function numberFromJson(value: unknown): number {
  const attempt =
    typeof value === 'object' && value !== null && 'attempt' in value ? value.attempt : undefined;
  if (typeof attempt !== 'number' || !Number.isSafeInteger(attempt) || attempt < 0) {
    throw new TypeError('expected {"attempt": a number}');
  }
  return attempt;
}
