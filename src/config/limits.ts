import { DEFAULT_MAX_ANSWER_BYTES } from '../base/answer-limit.js';
import { defaultConnectionsFor, descriptorLimit } from './descriptor-limit.js';
import { group, option } from './option.js';
import { bytes, integer, milliseconds } from './option-kinds.js';
import { DEFAULT_FRONT_THREADS } from './thread-defaults.js';

const KIB = 1_024;
const MIB = 1_024 * KIB;
const GIB = 1_024 * MIB;

const DEFAULT_CONNECTIONS = defaultConnectionsFor(descriptorLimit());
const HALF_OF_CONNECTIONS = Math.ceil(DEFAULT_CONNECTIONS / 2);

/** With 64 MiB, a busy front thread refuses twenty calls of one client that include two of 4 MB. */
const DEFAULT_BUFFERED_BYTES = Math.max(256 * MIB, DEFAULT_FRONT_THREADS * 128 * MIB);

/** The limits that an operator sets. The manifest lists each under its name in `published`. */
export const LIMIT_OPTIONS = {
  ...group(
    'HTTP',
    {},
    {
      maxBodyBytes: option('max-body-bytes', bytes(KIB, GIB), {
        default: 4 * MIB,
        published: 'body_bytes',
        help: 'maximum request body; a longer one gets 413',
      }),
      maxBacklogBytes: option('max-backlog-bytes', bytes(64 * KIB, GIB), {
        default: 16 * MIB,
        published: 'backlog_bytes',
        help: 'maximum unread responses of a client before it is disconnected',
      }),
      maxAnswerBytes: option('max-answer-bytes', bytes(64 * KIB, GIB), {
        default: DEFAULT_MAX_ANSWER_BYTES,
        published: 'answer_bytes',
        help: 'maximum result of one call; a longer one fails with limit_exceeded, and pages end earlier; a single block of get_blocks and a get_snapshot_chunk are exempt',
      }),
      maxBufferedBytes: option('max-buffered-bytes', bytes(MIB, 1_024 * GIB), {
        default: DEFAULT_BUFFERED_BYTES,
        defaultText: `128 MiB per front thread, at least 256 MiB, here ${DEFAULT_BUFFERED_BYTES}`,
        published: 'buffered_bytes',
        help: 'maximum unfinished bodies, unread responses and waiting calls of all clients together, in equal parts for the front threads; beyond it the oldest and largest are cut off',
      }),
      requestTimeoutMs: option('request-timeout', milliseconds(100, 3_600_000), {
        default: 30_000,
        published: 'request_ms',
        help: 'maximum time for a complete request to arrive',
      }),
      maxBatchCalls: option('max-batch', integer(1, 10_000, 'calls'), {
        default: 200,
        published: 'batch_calls',
        help: 'maximum calls in one JSON-RPC batch',
      }),
      maxBatchAnswerBytes: option('max-batch-answer-bytes', bytes(64 * KIB, GIB), {
        default: 16 * MIB,
        published: 'batch_answer_bytes',
        help: 'maximum response to one batch',
      }),
      maxCallsInFlight: option('max-calls', integer(1, 1_000_000, 'calls'), {
        default: 10_000,
        published: 'calls',
        help: 'maximum calls in flight, at most 71 % of them from one client; further ones are rejected as overloaded at once',
      }),
      maxConnections: option('max-connections', integer(16, 1_000_000, 'connections'), {
        default: DEFAULT_CONNECTIONS,
        defaultText: `what the descriptor limit leaves, here ${DEFAULT_CONNECTIONS}`,
        help: 'maximum open HTTP connections; further ones are closed at once',
      }),
      maxConnectionsPerClient: option('max-connections-per-client', integer(1, 1_000_000, 'connections'), {
        default: HALF_OF_CONNECTIONS,
        defaultText: `half of that, here ${HALF_OF_CONNECTIONS}`,
        help: 'maximum per client, identified by its address; while few are free, at most twice the number of free ones',
      }),
      maxWaiters: option('max-waiters', integer(1, 1_000_000, 'callers'), {
        default: 10_000,
        published: 'waiters',
        help: 'maximum callers of tx_submit that wait for their block; beyond it the oldest are answered, with their transaction pending',
      }),
      maxWaitersPerClient: option('max-waiters-per-client', integer(1, 1_000_000, 'callers'), {
        default: 1_000,
        published: 'waiters_per_client',
        help: "maximum per client, identified by its token's subject, else its address",
      }),
      maxSubscriptionLag: option('max-subscription-lag', integer(1, 1_000_000, 'blocks'), {
        default: 256,
        published: 'subscription_lag',
        help: 'a subscription this many blocks behind, because its client reads too slowly, is ended with a notice',
      }),
      maxLogLookups: option('max-log-lookups', integer(1, 1_000_000, 'lookups'), {
        default: 1_000,
        published: 'log_lookups',
        help: 'maximum index lookups per block for log filters, at most 71 % of them for one client: 1 per alternative of the first topic, 1 for a contract alone, 20 without both; equal filters count once per thread, and once for each client that has them',
      }),
      maxReplays: option('max-replays', integer(1, 100_000, 'subscriptions'), {
        default: 200,
        published: 'replays',
        help: 'maximum subscriptions that begin more than 1,024 blocks below the tip and have not caught up, at most 71 % of them of one client',
      }),
    },
  ),
  ...group(
    'Pool',
    {},
    {
      poolSize: option('pool-size', integer(1, 10_000_000, 'transactions'), {
        default: 100_000,
        published: 'pool_transactions',
        help: 'maximum pending transactions',
      }),
      poolBytes: option('pool-bytes', bytes(MIB, 64 * GIB), {
        default: 256 * MIB,
        published: 'pool_bytes',
        help: 'maximum total encoded size of pending transactions; in memory they take about twice as much',
      }),
      gappedTtlMs: option('gapped-ttl', milliseconds(1, 2_147_483_647), {
        default: 600_000,
        published: 'gapped_ms',
        help: 'maximum time a transaction waits for an earlier nonce of its lane',
      }),
      bundleBlocks: option('bundle-blocks', integer(1, 1_000_000, 'blocks'), {
        default: 100,
        published: 'bundle_blocks',
        help: 'maximum blocks a bundle without max_height waits for',
      }),
    },
  ),
  ...group(
    'Limits',
    {},
    {
      maxCallGas: option('max-call-gas', integer(1, 1_000_000_000_000, 'gas', 'GAS'), {
        default: 1_000_000_000,
        published: 'call_gas',
        help: 'maximum gas of one view call or simulated transaction',
      }),
      maxCallMs: option('max-call-ms', milliseconds(10, 600_000), {
        default: 5_000,
        published: 'call_ms',
        help: 'maximum run time of one view call or simulation',
      }),
    },
  ),
} as const;

/** A limit that no option changes. */
interface FixedLimit {
  readonly default: number;
  readonly published: string;
  readonly help: string;
}

function fixed(value: number, published: string, help: string): FixedLimit {
  return { default: value, published, help };
}

/** The limits that only tests change, by member name in {@link Limits}. */
export const FIXED_LIMITS = {
  maxBatchCost: fixed(2_000, 'batch_cost', 'compute units of one batch, by the base prices of its calls'),
  maxNesting: fixed(128, 'nesting', 'levels of a request body; a value of the type json may have 64'),
  maxJsonValues: fixed(
    20_000,
    'json_values',
    'JSON values in long parameters, for calls that neither workers answer nor admins make',
  ),
  maxMessagesInFlight: fixed(
    1_024,
    'messages_in_flight',
    'messages of one WebSocket that wait for an answer',
  ),
  maxSubscriptions: fixed(
    20_000,
    'subscriptions',
    'WebSocket subscriptions, at most 71 % of them of one client; further ones are rejected as overloaded',
  ),
  maxSubscriptionsPerConnection: fixed(100, 'subscriptions_per_connection', 'subscriptions of one WebSocket'),
  maxResumeHeights: fixed(
    100_000,
    'resume_heights',
    "blocks from the tip down to a subscription's from_height",
  ),
  maxLogLookupsPerConnection: fixed(
    100,
    'log_lookups_per_connection',
    'index lookups per block for the log filters of one WebSocket',
  ),
  maxReplaysPerConnection: fixed(
    5,
    'replays_per_connection',
    'subscriptions of one WebSocket that begin more than 1,024 blocks below the tip and have not caught up',
  ),
  maxAccounts: fixed(1_000, 'accounts', 'addresses in one call of accounts'),
  maxPageSize: fixed(500, 'page_size', 'entries in one page of a listing'),
  maxLogs: fixed(10_000, 'logs', 'events in one page of get_logs'),
  maxRangeHeights: fixed(1_000, 'range_heights', 'heights in one range of blocks'),
  maxRangeBytes: fixed(16 * MIB, 'range_bytes', 'bytes of one range of blocks or page of events'),
  maxCallWaitMs: fixed(
    10_000,
    'call_wait_ms',
    'milliseconds that a call waits to start; one that would wait longer is rejected as overloaded',
  ),
  maxTraceBytes: fixed(16 * MIB, 'trace_bytes', 'bytes of one trace, which is cut off there'),
  maxPipelineSteps: fixed(64, 'pipeline_steps', 'steps in one tx_simulate_pipeline'),
  maxBundleTransactions: fixed(64, 'bundle_transactions', 'transactions in one bundle'),
  maxNonceGap: fixed(64, 'nonce_gap', "nonces from a lane's last one up to that of a new transaction"),
  maxPendingLanes: fixed(16, 'pending_lanes', 'lanes of one account with pending transactions'),
} as const;

/** The limits of a node. Names of times and sizes end in their unit. */
export type Limits = Readonly<Record<keyof typeof LIMIT_OPTIONS | keyof typeof FIXED_LIMITS, number>>;

const ALL = Object.entries<{ readonly default: number; readonly published?: string }>({
  ...LIMIT_OPTIONS,
  ...FIXED_LIMITS,
}) as [keyof Limits, { readonly default: number; readonly published?: string }][];

export const DEFAULT_LIMITS = Object.freeze(
  Object.fromEntries(ALL.map(([member, { default: value }]) => [member, value])),
) as Limits;

/** Limits by their names in the manifest. */
export function publishedLimits(limits: Limits): Readonly<Record<string, number>> {
  return Object.fromEntries(
    ALL.flatMap(([member, { published }]) => (published === undefined ? [] : [[published, limits[member]]])),
  );
}
