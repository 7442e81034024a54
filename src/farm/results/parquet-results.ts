import type { ByteWriter, ParquetWriter, SchemaElement } from 'hyparquet-writer';
import { memberTexts } from '../../load/result-text.js';
import { integerOf, membersOf, type Outcome, outcomeOf, textOf } from '../outcome.js';
import { compressFunction } from './compression.js';
import {
  type ByteTarget,
  type Compression,
  type ResultKind,
  ResultsError,
  type ResultWriter,
} from './result-writer.js';

type Cell = bigint | string | null;

interface Column {
  readonly name: string;
  readonly type: 'integer' | 'text';
  /** Absent only for columns that have a value in every row. */
  readonly optional?: true;
  /** Texts that differ from row to row: a dictionary would be a waste. */
  readonly distinct?: true;
  readonly cell: (row: Row) => Cell;
}

interface Row {
  /** The members as JSON text. */
  readonly members: ReadonlyMap<string, string>;
  readonly error: ReadonlyMap<string, string> | undefined;
  readonly outcome: Outcome;
}

const LARGEST_INT64 = 2n ** 63n - 1n;

const integer = (name: string): Column => ({
  name,
  type: 'integer',
  optional: true,
  cell: ({ members }) => int64(integerOf(members.get(name))),
});
/** A JSON string, by value. */
const word = (name: string): Column => ({
  name,
  type: 'text',
  optional: true,
  cell: ({ members }) => textOf(members.get(name)) ?? null,
});
/** Any JSON value, as the text that came. */
const json = (name: string): Column => ({
  name,
  type: 'text',
  optional: true,
  distinct: true,
  cell: ({ members }) => members.get(name) ?? null,
});

const LINE: Column = {
  name: 'line',
  type: 'integer',
  cell: ({ members }) => int64(integerOf(members.get('line'))),
};
const OUTCOME: readonly Column[] = [
  { name: 'status', type: 'text', optional: true, cell: ({ outcome }) => outcome.status ?? null },
  { name: 'gas_used', type: 'integer', optional: true, cell: ({ outcome }) => int64(outcome.gasUsed) },
  { name: 'error_name', type: 'text', optional: true, cell: ({ outcome }) => outcome.errorName ?? null },
  {
    name: 'error_kind',
    type: 'text',
    optional: true,
    cell: ({ error }) => textOf(error?.get('kind')) ?? null,
  },
  {
    name: 'error_message',
    type: 'text',
    optional: true,
    cell: ({ error }) => textOf(error?.get('message')) ?? null,
  },
];

export const COLUMNS: Readonly<Record<ResultKind, readonly Column[]>> = {
  calls: [
    LINE,
    json('id'),
    word('method'),
    integer('height'),
    word('block_hash'),
    ...OUTCOME,
    json('result'),
  ],
  traces: [
    LINE,
    integer('height'),
    integer('index'),
    word('tx_hash'),
    word('block_hash'),
    ...OUTCOME,
    json('receipt'),
    json('trace'),
  ],
};

/** The cells of a line, in the order of the columns. @throws ResultsError `bad_line` */
export function cellsOf(line: string, kind: ResultKind): readonly Cell[] {
  const row = rowOf(line, kind);
  const cells = COLUMNS[kind].map(({ cell }) => cell(row));
  if (cells[0] === null) throw badLine(line, 'it has no line number');
  return cells;
}

function rowOf(line: string, kind: ResultKind): Row {
  try {
    if (!line.startsWith('{')) throw badLine(line, 'it is no JSON object');
    const members = memberTexts(line);
    const answer = members.get(kind === 'calls' ? 'result' : 'receipt');
    const error = members.get('error');
    return {
      members,
      error: error === undefined ? undefined : membersOf(error),
      outcome: answer === undefined ? {} : outcomeOf(answer),
    };
  } catch (cause) {
    if (cause instanceof ResultsError) throw cause;
    throw badLine(line, 'it is not JSON', cause);
  }
}

/** Gas and heights are 64 bits without a sign; those beyond a Parquet integer are only in the JSON column. */
function int64(value: bigint | undefined): bigint | null {
  return value === undefined || value > LARGEST_INT64 ? null : value;
}

function badLine(line: string, problem: string, cause?: unknown): ResultsError {
  const start = line.length > 80 ? `${line.slice(0, 80)}…` : line;
  return new ResultsError('bad_line', `expected a result, one JSON object; ${problem}: ${start}`, { cause });
}

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
