import { pipeline } from 'node:stream/promises';
import { CsvError, type InfoRecord, parse } from 'csv-parse';
import { Place } from './place.js';
import { DIGITS } from './range.js';
import { jsonText } from './template.js';
import { readText } from './text-file.js';

const EXPECTED_NUMBER = `an integer from ${Number.MIN_SAFE_INTEGER} to ${Number.MAX_SAFE_INTEGER}`;

/** A column, and the location that names it. */
interface NamedColumn {
  readonly name: string;
  readonly place: Place;
}

interface Reader {
  readonly index: number;
  readonly name: string;
  readonly isNumber: boolean;
}

/**
 * Reads columns of a CSV file, whose first row names them.
 * @param numbers columns whose values are integers; they need not be wanted, but must exist
 * @returns for each wanted column, JSON text for each row
 * @throws SweepError
 */
export async function readCsvColumns(
  path: string,
  wanted: readonly NamedColumn[],
  numbers: readonly NamedColumn[],
): Promise<string[][]> {
  const file = new Place(path);
  const columns = wanted.map((): string[] => []);
  let header: readonly string[] | undefined;
  let readers: readonly Reader[] = [];

  const onRecord = (row: readonly string[], { lines }: InfoRecord): null => {
    if (header === undefined) {
      header = checkHeader(row, file);
      const numeric = new Set(numbers.map((column) => indexOf(column, row, path)));
      readers = wanted.map((column) => {
        const index = indexOf(column, row, path);
        return { index, name: column.name, isNumber: numeric.has(index) };
      });
      return null;
    }
    if (row.length !== header.length) {
      throw file
        .at(`line ${lines}`)
        .wrong(`expected ${header.length} values as in the header, got ${row.length}`);
    }
    for (const [position, { index, name, isNumber }] of readers.entries()) {
      const value = row[index] ?? '';
      if (isNumber && !isSafeInteger(value)) {
        throw file.at(`line ${lines}, column ${name}`).unexpected(EXPECTED_NUMBER, value);
      }
      columns[position]?.push(isNumber ? value : jsonText(value));
    }
    return null;
  };

  const parser = parse({
    on_record: onRecord,
    // The header and the number of values are checked above.
    relax_column_count: true,
    skip_empty_lines: true,
    trim: true,
  });
  // Nothing comes out, but the parser ends only once its end has been read.
  parser.resume();
  try {
    await pipeline(readText(path), parser);
  } catch (error) {
    if (error instanceof CsvError) throw file.wrong(`expected CSV: ${error.message}`);
    throw error;
  }
  if (header === undefined)
    throw file.wrong('expected a row with the names of the columns, got an empty file');
  if (columns[0]?.length === 0) throw file.wrong('expected rows after the names of the columns, got none');
  return columns;
}

/** Columns without a name are allowed; they cannot be referred to. */
function checkHeader(row: readonly string[], file: Place): readonly string[] {
  const duplicate = row.find((name, index) => name !== '' && row.indexOf(name) < index);
  if (duplicate !== undefined) throw file.at('line 1').wrong(`expected one column ${duplicate}, got several`);
  return row;
}

function indexOf({ name, place }: NamedColumn, header: readonly string[], path: string): number {
  const index = header.indexOf(name);
  const names = header.filter((column) => column !== '').join(', ');
  if (index < 0) throw place.unexpected(`a column of ${path} (${names})`, name);
  return index;
}

function isSafeInteger(text: string): boolean {
  return DIGITS.test(text) && Number.isSafeInteger(Number(text));
}
