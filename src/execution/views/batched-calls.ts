/** What every call of a batch shares. */
export interface BatchHead {
  /** Under which the worker reports how far it is. */
  readonly task: number;
  readonly tipHeight: number;
  readonly finalizedHeight: number;
  /** The node's clock: milliseconds since 1970. */
  readonly nowMs: number;
}

/**
 * The methods whose calls travel in batches. The place in the list is the byte that says which it is.
 */
export const CALL_KINDS = [
  'view_call',
  'tx_simulate',
  'tx_simulate_access',
  'tx_simulate_pipeline',
  'chain_simulateBundle',
  'chain_traceCall',
  'chain_traceTransaction',
  'tx_simulate_trace',
] as const;

export type CallKind = (typeof CALL_KINDS)[number];
