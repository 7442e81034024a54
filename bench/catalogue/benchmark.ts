/** A group of benchmarks; its name on the command line selects all of them. */
export type Part = 'micro' | 'macro' | 'growth' | 'load' | 'floods' | 'engine';

/** Benchmarks of a part that are often run without its others; its name on the command line selects them. */
export type Group = 'peers';

export interface Benchmark {
  /**
   * Name on the command line: lower case with hyphens, unique. It may be that of a part only if the part has no other
   * benchmark.
   */
  readonly name: string;
  readonly part: Part;
  readonly group?: Group;
  /**
   * One line for `--list`, the report and bench/README.md: the thing measured, then its baseline or aim; no full stop.
   * Code is in backquotes.
   */
  readonly about: string;
  /** Program, relative to this folder, without its extension. */
  readonly program: string;
  /** Arguments of `--quick`; a benchmark without them has no shorter form. */
  readonly quick?: readonly string[];
  /** Flags of Node.js. */
  readonly nodeFlags?: readonly string[];
}
