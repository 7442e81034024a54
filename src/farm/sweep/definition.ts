import * as v from 'valibot';
import { members, type Place } from './place.js';
import { type Draw, integerDraw } from './random-draws.js';
import type { Points } from './range.js';
import { readBounds, readRange } from './range.js';
import { jsonText } from './template.js';

export type Definition =
  /** A range, or a list of values. */
  | { readonly kind: 'points'; readonly points: Points; readonly canBeInText: boolean }
  | CsvDefinition
  | { readonly kind: 'random'; readonly draw: Draw };

export interface CsvDefinition {
  readonly kind: 'csv';
  /** As in the sweep file. */
  readonly file: string;
  /** Columns whose values are numbers. */
  readonly numbers: readonly string[];
}

const KINDS = ['range', 'values', 'csv', 'random'] as const;

const EXPECTED_VALUES = 'an array with at least one value';
const EXPECTED_PATH = 'the path of a CSV file';
const EXPECTED_NUMBERS = 'an array with names of columns';

const rangeSchema = members({ range: v.unknown() });
const randomSchema = members({ random: v.unknown() });
const valuesSchema = members({
  values: v.pipe(v.array(v.unknown(), EXPECTED_VALUES), v.minLength(1, EXPECTED_VALUES)),
});
const csvSchema = members({
  csv: v.pipe(v.string(EXPECTED_PATH), v.nonEmpty(EXPECTED_PATH)),
  numbers: v.optional(v.array(v.string('the name of a column'), EXPECTED_NUMBERS), []),
});

/** @throws SweepError */
export function readDefinition(value: unknown, place: Place): Definition {
  const expected = `an object with one of ${KINDS.join(', ')}`;
  if (typeof value !== 'object' || value === null) throw place.unexpected(expected, value);
  const [kind, second] = KINDS.filter((name) => Object.hasOwn(value, name));
  if (second !== undefined) throw place.wrong(`expected ${expected}, got ${kind} and ${second}`);
  switch (kind) {
    case 'range': {
      const { range } = place.check(rangeSchema, value);
      return { kind: 'points', points: readRange(range, place.at('range')), canBeInText: true };
    }
    case 'values':
      return listed(place.check(valuesSchema, value).values, place.at('values'));
    case 'csv': {
      const { csv, numbers } = place.check(csvSchema, value);
      return { kind: 'csv', file: csv, numbers };
    }
    case 'random': {
      const { random } = place.check(randomSchema, value);
      return { kind: 'random', draw: integerDraw(readBounds(random, place.at('random'))) };
    }
    default:
      throw place.unexpected(expected, value);
  }
}

function listed(values: readonly unknown[], place: Place): Definition {
  const texts = values.map((value) => jsonText(value));
  const seen = new Set<string>();
  for (const [index, text] of texts.entries()) {
    if (seen.has(text))
      throw place.at(index).unexpected('a value that is not in the list yet', values[index]);
    seen.add(text);
  }
  return {
    kind: 'points',
    points: { size: texts.length, json: (index) => texts[index] ?? 'null' },
    canBeInText: values.every((value) => value !== null && typeof value !== 'object'),
  };
}
