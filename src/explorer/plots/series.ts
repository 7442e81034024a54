/** One line of a plot. */
export interface Series {
  readonly name: string;
  /** Times in seconds, ascending. */
  readonly times: readonly number[];
  readonly values: readonly number[];
}
