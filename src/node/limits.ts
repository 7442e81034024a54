import type { Config } from '../config/config.js';
import { descriptorLimit, maxConnectionsFor } from '../config/descriptor-limit.js';
import { MAX_ENTERED_CODES, MAX_ENTERED_MACHINE_CODE } from '../execution/entered-code.js';
import { MAX_IDL_BYTES } from '../ledger/constants.js';
import { MAX_OUTCOME_BYTES } from '../ledger/outcome-bytes.js';
import { gappedPlaces } from '../mempool/lanes/gapped-book.js';
import { UNIT_BYTES, UNIT_GAS } from '../rpc/calls/call-work.js';
import type { PublishedLimits } from '../rpc/discovery.js';
import { CROWDED_MESSAGE_BYTES, DEFAULT_RPC_LIMITS, type RpcLimits } from '../rpc/limits.js';
import { HOST_LIMITS, LIMITS } from '../vm/wasm/limits.js';

/** The configured limits of the RPC front end. */
export function rpcLimits(config: Config): RpcLimits {
  return {
    ...DEFAULT_RPC_LIMITS,
    maxBodyBytes: config.maxBodyBytes,
    maxBacklogBytes: config.maxBacklogBytes,
    maxAnswerBytes: config.maxAnswerBytes,
    maxBufferedBytes: config.maxBufferedBytes,
    requestTimeoutMs: config.requestTimeoutMs,
    maxBatchCalls: config.maxBatch,
    maxBatchCost: config.maxBatchCost,
    maxBatchAnswerBytes: config.maxBatchAnswerBytes,
    maxCallsInFlight: config.maxCalls,
    maxSubscriptions: config.maxSubscriptions,
    maxSubscriptionsPerConnection: config.maxSubscriptionsPerConnection,
    maxSubscriptionLag: config.maxSubscriptionLag,
    maxResumeHeights: config.maxResumeHeights,
    maxLogLookups: config.maxLogLookups,
    maxLogLookupsPerConnection: config.maxLogLookupsPerConnection,
    maxReplays: config.maxReplays,
    maxReplaysPerConnection: config.maxReplaysPerConnection,
    maxConnections: Math.min(config.maxConnections, maxConnectionsFor(descriptorLimit())),
    maxConnectionsPerClient: config.maxConnectionsPerClient,
  };
}

/** The limits for clients in the manifest: the configured ones, and those of the chain's rules. */
export function publishedLimits(config: Config): PublishedLimits {
  const rpc = rpcLimits(config);
  return {
    body_bytes: rpc.maxBodyBytes,
    backlog_bytes: rpc.maxBacklogBytes,
    answer_bytes: rpc.maxAnswerBytes,
    buffered_bytes: rpc.maxBufferedBytes,
    request_ms: rpc.requestTimeoutMs,
    batch_calls: rpc.maxBatchCalls,
    batch_cost: rpc.maxBatchCost,
    unit_gas: UNIT_GAS,
    unit_bytes: UNIT_BYTES,
    batch_answer_bytes: rpc.maxBatchAnswerBytes,
    nesting: rpc.maxNesting,
    json_values: rpc.maxJsonValues,
    calls: rpc.maxCallsInFlight,
    message_bytes: rpc.maxBodyBytes,
    crowded_message_bytes: Math.min(rpc.maxBodyBytes, CROWDED_MESSAGE_BYTES),
    messages_in_flight: rpc.maxMessagesInFlight,
    subscriptions: rpc.maxSubscriptions,
    subscriptions_per_connection: rpc.maxSubscriptionsPerConnection,
    subscription_lag: rpc.maxSubscriptionLag,
    resume_heights: rpc.maxResumeHeights,
    log_lookups: rpc.maxLogLookups,
    log_lookups_per_connection: rpc.maxLogLookupsPerConnection,
    replays: rpc.maxReplays,
    replays_per_connection: rpc.maxReplaysPerConnection,
    waiters: config.maxWaiters,
    waiters_per_client: config.maxWaitersPerClient,
    accounts: config.maxAccounts,
    page_size: config.maxPageSize,
    logs: config.maxLogs,
    range_heights: config.maxRangeHeights,
    range_bytes: config.maxRangeBytes,
    call_gas: config.maxCallGas,
    call_ms: config.maxCallMs,
    call_wait_ms: config.maxCallWaitMs,
    trace_bytes: config.maxTraceBytes,
    pipeline_steps: config.maxPipelineSteps,
    transaction_bytes: config.maxTransactionBytes,
    nonce_gap: config.maxNonceGap,
    gapped_ms: config.gappedTtlMs,
    gapped_transactions: gappedPlaces({ maxTransactions: config.poolSize }),
    pending_lanes: config.maxPendingLanes,
    pool_transactions: config.poolSize,
    pool_bytes: config.poolBytes,
    bundle_transactions: config.bundleTransactions,
    bundle_blocks: config.bundleBlocks,
    code_bytes: LIMITS.codeBytes,
    idl_bytes: MAX_IDL_BYTES,
    machine_code_bytes: LIMITS.machineCode,
    entered_codes: MAX_ENTERED_CODES,
    entered_machine_code_bytes: MAX_ENTERED_MACHINE_CODE,
    stack_bytes: LIMITS.stackBytes,
    outcome_bytes: MAX_OUTCOME_BYTES,
    slot_value_bytes: HOST_LIMITS.storageValueBytes,
    call_depth: LIMITS.depth,
  };
}
