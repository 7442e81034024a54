import { compressed } from './compression.js';
import { NdjsonWriter } from './ndjson-writer.js';
import { ParquetResults } from './parquet-writer.js';
import type { ByteTarget, ResultForm, ResultWriter } from './result-writer.js';

/** @throws ResultsError `no_zstd` */
export async function openTarget(
  target: ByteTarget,
  { format, compress, kind }: ResultForm,
): Promise<ResultWriter> {
  switch (format) {
    case 'ndjson':
      return new NdjsonWriter(compressed(target, compress));
    case 'parquet':
      return ParquetResults.open(target, kind, compress);
  }
}
