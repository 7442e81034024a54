import { createReadStream } from 'node:fs';
import { errorMessage, hasCode } from '../../base/errors.js';
import { SweepError } from './place.js';

/** Maximum size of a sweep file and of each CSV file. */
const MAX_BYTES = 64 * 1_048_576;

/** Reads a UTF-8 file, without its byte order mark. @throws SweepError `unreadable` */
export async function* readText(path: string): AsyncGenerator<string, void, void> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let bytes = 0;
  try {
    for await (const chunk of createReadStream(path) as AsyncIterable<Buffer>) {
      bytes += chunk.length;
      if (bytes > MAX_BYTES) throw new RangeError(`expected at most ${MAX_BYTES} bytes (64 MiB), got more`);
      yield decoder.decode(chunk, { stream: true });
    }
    yield decoder.decode();
  } catch (error) {
    throw new SweepError('unreadable', `${path}: ${reason(error)}`, { cause: error });
  }
}

function reason(error: unknown): string {
  if (hasCode(error, 'ENOENT')) return 'no such file';
  if (hasCode(error, 'EACCES')) return 'no permission to read it';
  if (hasCode(error, 'EISDIR')) return 'expected a file, got a directory';
  if (hasCode(error, 'ERR_ENCODING_INVALID_ENCODED_DATA')) return 'expected UTF-8 text, got other bytes';
  return errorMessage(error);
}
