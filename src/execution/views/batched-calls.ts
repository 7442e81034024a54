export interface BatchHead {
  readonly tipHeight: number;
  readonly finalizedHeight: number;
  /** The clock for block timestamps, milliseconds since 1970. */
  readonly nowMs: number;
}

/** The methods whose calls are batched. The index in the list encodes the method as one byte. */
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
