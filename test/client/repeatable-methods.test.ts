// Transient failures are retried: every method must be idempotent or be marked `@once`.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { nodeRpcV1Calls } from '../../src/generated/node-rpc-v1-codecs.js';

/** Reviewed one by one: these are idempotent. A new method belongs here or gets `@once`. */
const REPEATABLE = `
  status health readiness validator_status account accounts predict_address contract_metadata contract_idl view_call
  tx_build tx_build_simulate tx_submit tx_by_hash tx_receipt tx_simulate tx_simulate_access tx_simulate_pipeline
  list_blocks list_txs list_txs_by_sender list_txs_by_contract list_txs_by_recipient list_tokens_by_holder list_contracts get_logs
  list_pending_txs txpool_stats get_blocks get_block_summaries get_txs_in_range state_proof finalized_history_root finalized_history_proof get_checkpoint_list
  get_light_snapshot get_checkpoint list_checkpoints get_snapshot_chunk import_snapshot_chunk tx_submit_bundle
  chain_simulateBundle chain_traceTransaction chain_traceCall tx_simulate_trace finality_proof
  light_client_context get_epoch_key tx_submit_sealed token_usage`;

test('the client retries exactly the methods reviewed as idempotent', () => {
  const repeated = Object.entries(nodeRpcV1Calls).filter(([, { isRepeatable }]) => isRepeatable);
  assert.deepEqual(repeated.map(([name]) => name).sort(), REPEATABLE.trim().split(/\s+/).sort());
});
