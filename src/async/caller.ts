/** Who asks for a call, as far as its turn goes. Both are found out where they are asked for. */
export interface Caller {
  /** Whose calls count together. */
  readonly client: string;
  /** Whether nobody waits for the answer any more. */
  readonly isGone: boolean;
}

/** Whose calls count together; undefined for the node's own. */
export type Client =
  | {
      readonly client: string;
      /** Set for validators that relay others' transactions: their allowance does not pay for these. */
      readonly isRelay?: true;
    }
  | undefined;

/** The node itself. */
export const NODE_ITSELF: Caller = { client: '', isGone: false };
