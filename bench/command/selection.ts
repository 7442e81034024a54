import type { Benchmark } from '../catalogue/benchmark.js';
import { DEFAULT_PARTS } from '../catalogue.js';
import { BenchError } from './bench-error.js';

/** The benchmarks to run, in the order of the catalogue. */
export interface Selection {
  readonly benchmarks: readonly Benchmark[];
  /** For the only benchmark. */
  readonly arguments: readonly string[];
}

/**
 * Selects the benchmarks that words of the command line name. With exactly one benchmark, the words from the first on
 * that is no name are its arguments.
 *
 * @param words without the options of the command itself
 * @param further arguments for the only benchmark, given after `--`
 * @throws BenchError if a word is neither a name nor an argument
 */
export function select(
  words: readonly string[],
  further: readonly string[],
  catalogue: readonly Benchmark[],
): Selection {
  const names = new Set(catalogue.flatMap(namesOf));
  const end = words.findIndex((word) => !names.has(word));
  const named = end === -1 ? words : words.slice(0, end);
  const rest = end === -1 ? [] : words.slice(end);
  const wanted = new Set<string>(named.length === 0 ? DEFAULT_PARTS : named);
  const benchmarks = catalogue.filter((benchmark) => namesOf(benchmark).some((name) => wanted.has(name)));
  const [first] = rest;
  const isOne = named.length > 0 && benchmarks.length === 1;
  if (first !== undefined) {
    if (first.startsWith('-') && !isOne) throw severalBenchmarks(first, benchmarks, named);
    // A misspelt second name must not end as an argument of the first benchmark.
    if (!first.startsWith('-') && (!isOne || nearest(first, names).length > 0))
      throw unknownName(first, names, isOne);
  }
  const [after] = further;
  if (after !== undefined && !isOne) throw severalBenchmarks(after, benchmarks, named);
  return { benchmarks, arguments: [...rest, ...further] };
}

/** All names on the command line that select a benchmark. */
export function namesOf({ name, part, group }: Benchmark): string[] {
  return [name, part, ...(group === undefined ? [] : [group])];
}

function severalBenchmarks(
  argument: string,
  benchmarks: readonly Benchmark[],
  named: readonly string[],
): BenchError {
  const given =
    named.length === 0 ? 'none is named' : `${named.join(' ')} selects ${benchmarks.length} benchmarks`;
  return new BenchError(
    'usage',
    `${JSON.stringify(argument)} is no option of this command. Arguments of a benchmark follow the name of exactly one; ${given}`,
  );
}

function unknownName(word: string, names: ReadonlySet<string>, isArgument: boolean): BenchError {
  const near = nearest(word, names);
  const advice = near.length > 0 ? `did you mean ${near.join(' or ')}?` : '--list shows all names';
  const passing = isArgument ? ' (an argument of the benchmark goes after --)' : '';
  return new BenchError(
    'usage',
    `there is no benchmark or part ${JSON.stringify(word)}; ${advice}${passing}`,
  );
}

/** Edits that a misspelt name may need. */
const MOST_EDITS = 2;
const MOST_SUGGESTIONS = 3;

/** The names that a misspelt word may mean, the nearest first. */
export function nearest(word: string, names: Iterable<string>): string[] {
  if (word.length < 2) return [];
  return [...names]
    .map((name) => ({ name, edits: name.startsWith(word) ? 0 : editDistance(word, name) }))
    .filter(({ name, edits }) => edits <= Math.min(MOST_EDITS, Math.ceil(name.length / 3)))
    .sort((one, other) => one.edits - other.edits || one.name.localeCompare(other.name))
    .slice(0, MOST_SUGGESTIONS)
    .map(({ name }) => name);
}

/** Levenshtein's distance: insertions, deletions and replacements of a character. */
function editDistance(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, i) => i);
  for (let i = 1; i <= one.length; i++) {
    const next = [i];
    for (let j = 1; j <= other.length; j++) {
      const replaced = (row[j - 1] ?? 0) + (one[i - 1] === other[j - 1] ? 0 : 1);
      next.push(Math.min(replaced, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[other.length] ?? 0;
}
