/** The client behind a call, as seen by the scheduler. Implementations may compute both fields on access. */
export interface Caller {
  /** The name under which a client's calls are counted together. */
  readonly client: string;
  /** True once nothing waits for the answer any more. */
  readonly isGone: boolean;
  /** Counts the gas and time of one call, and may limit them; absent for callers that pay for nothing. */
  readonly allowance?: CallAllowance | undefined;
}

/** The gas and time that a call may use; it reports its use here. */
export interface CallAllowance {
  /** Gas limit of the call; only the node's limit applies if undefined. */
  readonly gas: number | undefined;
  /** Time limit of the call, in milliseconds; only the node's limit applies if undefined. */
  readonly ms: number | undefined;
  /**
   * Counts use, any number of times.
   * @param ms execution time in milliseconds
   * @param gas undefined if unknown because the execution was ended: the whole gas limit then counts as used
   */
  use(ms: number, gas: number | undefined): void;
  /** Counts work that is charged like gas in compute units, and does not count towards the gas limit. */
  noteWork(gas: number): void;
}

/** The client that a call is charged to; undefined for the node's own calls. */
export type ChargedClient =
  | {
      readonly client: string;
      /** Set for validators that relay others' transactions: these do not count against the validator's allowance. */
      readonly isRelay?: true;
    }
  | undefined;

export const NODE_ITSELF: Caller = { client: '', isGone: false };
