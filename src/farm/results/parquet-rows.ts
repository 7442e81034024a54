import { memberTexts } from '../../load/result-text.js';
import { integerOf, membersOf, type Outcome, outcomeOf, textOf } from '../outcome.js';
import type { ResultKind } from './result-writer.js';
import { ResultsError } from './results-error.js';

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

/** A parsed line. */
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

/**
 * The cells of a line, in the order of the columns.
 * @throws ResultsError `bad_line`
 */
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
