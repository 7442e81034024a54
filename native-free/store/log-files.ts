import { renameSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { syncDirectory } from '../../src/storage/replace-file.js';
import { encodeHeader, FILE_HEADER_BYTES, firstHeader } from './log-format.js';
import { LogWriter, writeFully } from './log-writer.js';

/** The log's file name within a store's directory. */
export const LOG_FILE = 'store.log';
/** A file that is being prepared to become the log; meaningless after a crash. */
export const PREPARED_FILE = 'store.log.next';

/** Makes an empty log in the directory, whole or not at all. */
export async function createLog(directory: string): Promise<LogWriter> {
  const prepared = join(directory, PREPARED_FILE);
  const header = firstHeader();
  const file = await open(prepared, 'w+', 0o600);
  await writeFully(file, encodeHeader(header), 0);
  await file.datasync();
  putInPlace(directory);
  await syncDirectory(directory);
  return new LogWriter(file, header, FILE_HEADER_BYTES);
}

/** Makes the prepared file the log, in one step for everyone who opens it. */
export function putInPlace(directory: string): void {
  renameSync(join(directory, PREPARED_FILE), join(directory, LOG_FILE));
}
