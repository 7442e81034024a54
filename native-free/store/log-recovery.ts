import { fstatSync } from 'node:fs';
import { StoreError } from '../../src/storage/store-error.js';
import { damaged, FILE_HEADER_BYTES, type LogHeader } from './log-format.js';
import { LogReader, readHeader } from './log-reader.js';
import type { MemoryColumns } from './memory-columns.js';

/** What was found in a log at start. */
export interface RecoveredLog {
  readonly header: LogHeader;
  /** Bytes of the file that are sound; what is behind them is an unfinished record, to be cut off. */
  readonly length: number;
  readonly fileLength: number;
}

/**
 * Replays a whole log into `columns`.
 * @throws {StoreError} `damaged` when something unsound is not the unfinished last record (rule 4 of log-format.ts), and
 *   `wrong_format`.
 */
export function recoverLog(fd: number, path: string, columns: MemoryColumns): RecoveredLog {
  const fileLength = fstatSync(fd).size;
  if (fileLength < FILE_HEADER_BYTES) {
    throw damaged(
      path,
      0,
      `expected a file header of ${FILE_HEADER_BYTES} bytes, the file has ${fileLength} bytes`,
    );
  }
  const header = readHeader(fd, path);
  const reader = new LogReader(fd, header.salt, FILE_HEADER_BYTES);
  for (;;) {
    const record = reader.next(fileLength);
    if (record.type === 'end') return { header, length: fileLength, fileLength };
    if (record.type === 'unsound') {
      const next = reader.findRecordHeader(reader.offset, fileLength);
      if (next !== undefined) {
        throw damaged(path, reader.offset, `${record.why}, but the log goes on at byte ${next}`);
      }
      return { header, length: reader.offset, fileLength };
    }
    try {
      columns.apply(record.payload);
    } catch (cause) {
      if (!(cause instanceof StoreError)) throw cause;
      throw damaged(
        path,
        reader.offset,
        `a record with a sound checksum holds an unsound batch: ${cause.message}`,
      );
    }
  }
}
