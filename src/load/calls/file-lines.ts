import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import { CallsError } from './call-line.js';

/**
 * Lines of a file or of standard input, read on demand.
 * @param file a path, or `-`
 * @throws CallsError unreadable
 */
export async function* fileLines(file: string): AsyncGenerator<string, void, undefined> {
  const input = file === '-' ? process.stdin : createReadStream(file, { highWaterMark: 1 << 18 });
  let failure: Error | undefined;
  const lines = createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY });
  input.on('error', (error: Error) => {
    failure = error;
    lines.close();
  });
  try {
    yield* lines;
  } catch (error) {
    // The lines end with the error of their input.
    if (error !== failure) throw error;
  } finally {
    input.destroy();
  }
  if (failure !== undefined) {
    throw new CallsError('unreadable', `cannot read ${file}: ${failure.message}`, { cause: failure });
  }
}
