/**
 * What else than view calls travels in the batches of `call-batch.ts`, each as the JSON of its method's arguments. The place in the list is the byte that says so.
 */
export const CALL_KINDS = [
  'tx_simulate',
  'tx_simulate_access',
  'tx_simulate_pipeline',
  'chain_simulateBundle',
  'chain_traceCall',
  'chain_traceTransaction',
  'tx_simulate_trace',
] as const;

export type CallKind = (typeof CALL_KINDS)[number];
