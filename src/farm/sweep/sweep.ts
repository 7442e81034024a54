/**
 * Sweeps: many calls from one template, for stress tests and back-tests. A sweep file is a JSON object:
 *
 * - `call`: the template, `{"method", "params"}`.
 * - `parameters`: an object whose members are the parameters, of one of these kinds:
 *   - `{"range": {"from", "to", "step"?}}`: `from`, `from` + `step` and so on, up to `to` at most; the step is 1 if
 *     absent.
 *   - `{"range": {"from", "to", "count", "scale"?}}`: `count` different integers from `from` to `to`, at equal
 *     distances, or with the scale "log" at equal ratios, both up to rounding.
 *   - `{"values": […]}`: different values of any JSON type.
 *   - `{"csv": path, "numbers"?: […]}`: the rows of a CSV file, whose first row names the columns. The path starts from
 *     the folder of the sweep file. Values are strings, except in the columns listed in `numbers`.
 *   - `{"random": {"from", "to", "scale"?}}`: an integer drawn anew for each call, uniformly, or with the scale "log"
 *     with the same probability for each factor of ten.
 * - `samples`: number of calls at each point of the grid, 1 if absent; only with a random parameter.
 * - `seed`: of the random parameters, 1 if absent.
 *
 * Rules:
 *
 * 1. All parameters but the random ones form a grid: each combination of their values is a point, and the rows of a CSV
 *    file count as one parameter. The first parameter in the file varies slowest.
 * 2. A string `${name}` in the template is replaced by the value with its JSON type; inside a longer string, the text
 *    of a string, number or boolean is inserted. `${name.column}` refers to a column of a CSV file. `$${` stands for
 *    the characters `${`. References are allowed in `params`, but not in names of members. Every parameter must be used.
 * 3. A bound that is a string of digits gives strings, which the RPC interface uses for wide integers; a number gives
 *    numbers. Integers have at most 155 digits.
 * 4. The `id` of a call has a member for each value: `height` for a parameter, `row.address` for a column of a CSV file
 *    that the template uses.
 * 5. The same files, samples and seed give the same calls on every machine. The draws of a random parameter depend on
 *    the seed, its bounds, and its position among the random parameters.
 */
import { dirname, isAbsolute, join } from 'node:path';
import { readCsvColumns } from './csv-columns.js';
import type { CsvDefinition } from './definition.js';
import { Place } from './place.js';
import { type Axis, type Expansion, expand, type LinePart, type RandomColumn } from './random-draws.js';
import { MAX_CALLS } from './range.js';
import { readSweepFile, type SweepFile, samplesSchema, seedSchema } from './sweep-file.js';
import { jsonText } from './template.js';
import { findUses, type Use, usedName } from './uses.js';

export interface SweepOptions {
  /** Replaces the member of the file. */
  readonly seed?: number;
  /** Replaces the member of the file. */
  readonly samples?: number;
}

export interface Sweep {
  /** Number of calls. */
  readonly size: number;
  /** The calls as lines of NDJSON: `{"id": …, "method": …, "params": …}`. Every iteration gives the same lines. */
  lines(): Iterable<string>;
}

/** Reads and checks a sweep file and its CSV files. @throws SweepError */
export async function readSweep(path: string, options: SweepOptions): Promise<Sweep> {
  const file = await readSweepFile(path);
  const given = new Place(undefined);
  const seed = options.seed === undefined ? file.seed : given.at('seed').check(seedSchema, options.seed);
  const samples =
    options.samples === undefined ? file.samples : given.at('samples').check(samplesSchema, options.samples);

  const uses = findUses(file);
  const names: string[] = [];
  const axes: Axis[] = [];
  const random: RandomColumn[] = [];
  for (const [name, definition] of file.definitions) {
    const column = names.length;
    const used = [...(uses.get(name)?.values() ?? [])];
    names.push(...used.map((use) => use.name));
    if (definition.kind === 'random') random.push({ column, draw: definition.draw });
    else if (definition.kind === 'csv') axes.push(await csvAxis(path, file, name, definition, used, column));
    else axes.push({ column, size: definition.points.size, columns: [definition.points.json] });
  }
  if (samples !== undefined && random.length === 0) {
    const place = options.samples === undefined ? file.place : given;
    throw place.at('samples').wrong('expected a random parameter, because only its values differ, got none');
  }
  const counts = [...axes.map(({ size }) => size), samples ?? 1];
  const size = counts.reduce((product, count) => product * BigInt(count), 1n);
  if (size > MAX_CALLS) {
    throw file.place.wrong(`expected at most ${MAX_CALLS} calls, got ${counts.join(' × ')} = ${size}`);
  }

  const parts = lineParts(file, names);
  const expansion: Expansion = { parts, axes, random, samples: samples ?? 1, seed: seed ?? 1 };
  return { size: Number(size), lines: () => ({ [Symbol.iterator]: () => expand(expansion) }) };
}

async function csvAxis(
  sweepPath: string,
  { place }: SweepFile,
  name: string,
  { file, numbers }: CsvDefinition,
  used: readonly Use[],
  column: number,
): Promise<Axis> {
  const texts = await readCsvColumns(
    isAbsolute(file) ? file : join(dirname(sweepPath), file),
    used.map(({ csvColumn = '', place }) => ({ name: csvColumn, place })),
    numbers.map((number, index) => ({
      name: number,
      place: place.at('parameters', name, 'numbers', index),
    })),
  );
  return {
    column,
    size: texts[0]?.length ?? 0,
    columns: texts.map((rows) => (index) => rows[index] ?? ''),
  };
}

/** A whole line: identifier, method and template. */
function lineParts({ method, params }: SweepFile, names: readonly string[]): LinePart[] {
  const id = names.flatMap((name, column) => [
    `${column === 0 ? '' : ','}${jsonText(name)}:`,
    { column, isWhole: true },
  ]);
  const columns = new Map(names.map((name, column) => [name, column]));
  const template = params.map((part) =>
    typeof part === 'string' ? part : { column: columns.get(usedName(part)) ?? 0, isWhole: part.isWhole },
  );
  return merged(['{"id":{', ...id, `},"method":${jsonText(method)},"params":`, ...template, '}']);
}

function merged(parts: readonly LinePart[]): LinePart[] {
  const joined: LinePart[] = [];
  for (const part of parts) {
    const last = joined.at(-1);
    if (typeof part === 'string' && typeof last === 'string') joined[joined.length - 1] = last + part;
    else joined.push(part);
  }
  return joined;
}
