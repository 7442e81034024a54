import type { ByteWriter, ParquetWriter, SchemaElement } from 'hyparquet-writer';
import { compressFunction } from './compression.js';
import { COLUMNS, cellsOf } from './parquet-rows.js';
import type { ByteTarget, Compression, ResultKind, ResultWriter } from './result-writer.js';

/** Limits of a row group, which is in memory until it is written. */
export interface RowGroupLimits {
  readonly rows: number;
  /** Characters of the lines. */
  readonly characters: number;
}

const LIMITS: RowGroupLimits = { rows: 50_000, characters: 16 * 1024 * 1024 };

const CODECS = { none: 'UNCOMPRESSED', gzip: 'GZIP', zstd: 'ZSTD' } as const;

type Library = typeof import('hyparquet-writer');

/** Writes results as a Parquet file with bounded row groups. */
export class ParquetResults implements ResultWriter {
  readonly #target: ByteTarget;
  readonly #kind: ResultKind;
  readonly #limits: RowGroupLimits;
  readonly #bytes: ByteWriter;
  readonly #parquet: ParquetWriter;
  #columns: (bigint | string | null)[][];
  #characters = 0;
  /** A file with a gap must not become complete. */
  #failure: { readonly reason: unknown } | undefined;

  private constructor(
    library: Library,
    target: ByteTarget,
    kind: ResultKind,
    compress: Compression,
    limits: RowGroupLimits,
  ) {
    this.#target = target;
    this.#kind = kind;
    this.#limits = limits;
    this.#bytes = new library.ByteWriter();
    this.#parquet = new library.ParquetWriter({
      writer: this.#bytes,
      schema: schemaOf(kind),
      codec: CODECS[compress],
      ...(compress !== 'none' && { compressors: { [CODECS[compress]]: pageCompressor(compress) } }),
      createdBy: 'heddle',
    });
    this.#columns = COLUMNS[kind].map(() => []);
  }

  /** @throws ResultsError `no_zstd` */
  static async open(
    target: ByteTarget,
    kind: ResultKind,
    compress: Compression,
    limits: RowGroupLimits = LIMITS,
  ): Promise<ParquetResults> {
    // Loaded on demand: other formats do not need it.
    return new ParquetResults(await import('hyparquet-writer'), target, kind, compress, limits);
  }

  async write(lines: readonly string[]): Promise<void> {
    try {
      for (const line of lines) await this.#add(line);
    } catch (error) {
      this.#failure = { reason: error };
      throw error;
    }
  }

  async close(): Promise<void> {
    if (this.#failure !== undefined) throw this.#failure.reason;
    await this.#endGroup();
    await this.#parquet.finish();
    await this.#passOn();
    await this.#target.close();
  }

  abort(): Promise<void> {
    return this.#target.abort();
  }

  get #rows(): number {
    return this.#columns[0]?.length ?? 0;
  }

  async #add(line: string): Promise<void> {
    for (const [place, cell] of cellsOf(line, this.#kind).entries()) this.#columns[place]?.push(cell);
    this.#characters += line.length;
    if (this.#rows >= this.#limits.rows || this.#characters >= this.#limits.characters)
      await this.#endGroup();
  }

  async #endGroup(): Promise<void> {
    const rows = this.#rows;
    if (rows === 0) return;
    const columnData = COLUMNS[this.#kind].map(({ name, type, distinct }, place) => ({
      name,
      data: this.#columns[place] ?? [],
      // The writer keeps the bounds of all groups until the end, so long texts have none.
      statistics: type === 'integer',
      ...(distinct && { encoding: 'PLAIN' as const }),
    }));
    await this.#parquet.write({ columnData, rowGroupSize: rows });
    this.#columns = COLUMNS[this.#kind].map(() => []);
    this.#characters = 0;
    await this.#passOn();
  }

  async #passOn(): Promise<void> {
    await this.#target.write(this.#bytes.getBytes());
    this.#bytes.index = 0;
  }
}

function schemaOf(kind: ResultKind): SchemaElement[] {
  const columns = COLUMNS[kind];
  return [
    { name: 'root', num_children: columns.length },
    ...columns.map(
      ({ name, type, optional }): SchemaElement => ({
        name,
        repetition_type: optional ? 'OPTIONAL' : 'REQUIRED',
        // Not the JSON type: readers would parse it, and cut integers to 53 bits.
        ...(type === 'integer' ? { type: 'INT64' } : { type: 'BYTE_ARRAY', converted_type: 'UTF8' }),
      }),
    ),
  ];
}

/** A page without values stays empty, as other writers have it. */
function pageCompressor(compress: Exclude<Compression, 'none'>): (page: Uint8Array) => Uint8Array {
  const compressPage = compressFunction(compress);
  return (page) => (page.length === 0 ? page : compressPage(page));
}
