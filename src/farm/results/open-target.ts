import { compressed } from './compression.js';
import { ParquetResults } from './parquet-results.js';
import type { ByteTarget, ResultForm, ResultWriter } from './result-writer.js';

/** Number of characters converted to bytes at once. */
const PIECE_CHARACTERS = 4 * 1024 * 1024;

/** Writes each line as it is, with a newline after it. */
export class NdjsonWriter implements ResultWriter {
  readonly #target: ByteTarget;

  constructor(target: ByteTarget) {
    this.#target = target;
  }

  async write(lines: readonly string[]): Promise<void> {
    let piece = '';
    for (const line of lines) {
      piece += `${line}\n`;
      if (piece.length < PIECE_CHARACTERS) continue;
      await this.#target.write(Buffer.from(piece));
      piece = '';
    }
    if (piece !== '') await this.#target.write(Buffer.from(piece));
  }

  close(): Promise<void> {
    return this.#target.close();
  }

  abort(): Promise<void> {
    return this.#target.abort();
  }
}

/** @throws ResultsError `no_zstd` */
export async function openTarget(
  target: ByteTarget,
  { format, compress, kind }: ResultForm,
): Promise<ResultWriter> {
  return format === 'ndjson'
    ? new NdjsonWriter(compressed(target, compress))
    : ParquetResults.open(target, kind, compress);
}
