/** The client behind a call, as seen by the scheduler. Implementations may compute both fields on access. */
export interface Caller {
  /** The name under which a client's calls are counted together. */
  readonly client: string;
  /** True once nothing waits for the answer any more. */
  readonly isGone: boolean;
}

/** The client that a call is charged to; undefined for the node's own calls. */
export type Client =
  | {
      readonly client: string;
      /** Set for validators that relay others' transactions: these do not count against the validator's allowance. */
      readonly isRelay?: true;
    }
  | undefined;

export const NODE_ITSELF: Caller = { client: '', isGone: false };
