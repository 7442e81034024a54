import { CodedError, errorMessage, hasCode } from '../../base/errors.js';

export type ResultFormat = 'ndjson' | 'parquet';

export type ResultKind = 'calls' | 'traces';

export type Compression = 'none' | 'gzip' | 'zstd';

export interface ResultForm {
  readonly format: ResultFormat;
  /** Of the whole text, or of the pages in a Parquet file. */
  readonly compress: Compression;
  /** Decides the columns of a Parquet file. */
  readonly kind: ResultKind;
}

/** Writes results in order. A call must end before the next begins. */
export interface ResultWriter {
  /**
   * Resolves once more can be taken.
   * @param lines one JSON object each, without newlines
   * @throws ResultsError
   */
  write(lines: readonly string[]): Promise<void>;
  /**
   * Completes the output durably.
   * @throws ResultsError if a part is missing, also after an earlier failure
   */
  close(): Promise<void>;
  /** Gives up incomplete files. */
  abort(): Promise<void>;
}

/** Destination of bytes. A call must end before the next begins, and the bytes may change after it. */
export interface ByteTarget {
  /** @throws ResultsError */
  write(bytes: Uint8Array): Promise<void>;
  /** @throws ResultsError */
  close(): Promise<void>;
  abort(): Promise<void>;
}

export type ResultsErrorCode =
  /** A file, a folder or a stream cannot be written, for example because the disk is full. */
  | 'unwritable'
  /** The program that reads standard output has ended. */
  | 'reader_gone'
  /** The folder holds results of another run, or of this run in another form. */
  | 'other_results'
  /** The folder's files are not those that its manifest lists. */
  | 'damaged'
  /** Another process writes to the folder. */
  | 'in_use'
  /** This version of Node has no zstd. */
  | 'no_zstd'
  /** A line is not a result. */
  | 'bad_line';

export class ResultsError extends CodedError<ResultsErrorCode> {
  override readonly name = 'ResultsError';
}

/** @param what such as `results-00001.ndjson` or `standard output` */
export function unwritable(what: string, cause: unknown): ResultsError {
  if (cause instanceof ResultsError) return cause;
  if (hasCode(cause, 'EPIPE')) {
    return new ResultsError('reader_gone', `nothing reads ${what} any more`, { cause });
  }
  return new ResultsError('unwritable', `cannot write ${what}: ${errorMessage(cause)}`, { cause });
}
