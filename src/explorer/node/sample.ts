/** The node's state at one poll. */
export interface Sample {
  /** The node's clock, in milliseconds. */
  readonly atMs: number;
  readonly poolSize: number;
  readonly lagMs: number;
}
