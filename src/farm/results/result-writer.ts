export type ResultFormat = 'ndjson' | 'parquet';

export type ResultKind = 'calls' | 'traces';

export type Compression = 'none' | 'gzip' | 'zstd';

/** The form of the results. */
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
