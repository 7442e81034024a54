import { availableParallelism } from 'node:os';
import { DEFAULT_HOST, DEFAULT_IDLE_BLOCK_TIME_MS, DEFAULT_PORT, MAX_DEV_ACCOUNTS } from './defaults.js';
import { defaultConnectionsFor, descriptorLimit } from './descriptor-limit.js';
import {
  booleanSwitch,
  choice,
  files,
  forkSource,
  hosts,
  integer,
  largeInteger,
  mebibytes,
  networks,
  nodeUrls,
  option,
  optional,
  path,
  peerEndpoints,
  receiverUrl,
  text,
  texts,
  trustAnchor,
} from './option.js';
import { EMBEDDED_QUOTA_STORE, quotaStore } from './quota-store-url.js';

/** Leaves address space for call workers; see `vm/thread-shares.ts`. */
const MAX_BLOCK_WORKERS = 96;
const MAX_TIMER_MS = 2_147_483_647;
const KIB = 1_024;
const MIB = 1_048_576;
const GIB = 1_073_741_824;

const DEFAULT_CONNECTIONS = defaultConnectionsFor(descriptorLimit());
const HALF_OF_CONNECTIONS = Math.ceil(DEFAULT_CONNECTIONS / 2);
/**
 * At least two even on two cores: otherwise one long call would hold up all others and leave a core idle
 * (bench/macro).
 */
const DEFAULT_WORKERS = Math.max(2, availableParallelism() - 1);

/** More front threads do not help: even 256 cores default to this many. */
const MAX_FRONT_THREADS = 64;
const DEFAULT_FRONT_THREADS = Math.min(
  MAX_FRONT_THREADS,
  Math.max(1, Math.floor(availableParallelism() / 4)),
);

/**
 * All options of the node, by member name in {@link Config}. Each entry declares flag, environment variable (`HEDDLE_`
 * + the flag in capitals), config file key, default, help and validation.
 */
export const OPTIONS = {
  dataDir: option(path('DIR'), {
    flag: 'data-dir',
    group: 'Node',
    default: './heddle-data',
    ofValidator: 'data',
    help: 'directory of the chain, the pool and the tokens; created if missing',
  }),
  genesisFile: option(optional(path('FILE')), {
    flag: 'genesis',
    group: 'Node',
    default: undefined,
    defaultText: 'the development genesis, with ten funded accounts',
    ofValidator: 'genesis.json',
    help: 'JSON file with block 0 of the chain',
  }),
  validatorKeyFile: option(optional(path('FILE')), {
    flag: 'validator-key',
    group: 'Node',
    default: undefined,
    defaultText: "the development chain's; required to seal any other chain",
    help: 'private key file for the genesis group_public_key, created by "heddle keys new-validator"',
  }),
  noCertificates: option(booleanSwitch(), {
    flag: 'no-certificates',
    group: 'Node',
    default: false,
    defaultText: 'blocks get finality certificates',
    help: 'seal a chain without its --validator-key; followers and light clients cannot use this node',
  }),
  workers: option(integer({ min: 1, max: 256, unit: 'threads' }), {
    flag: 'workers',
    group: 'Node',
    default: DEFAULT_WORKERS,
    defaultText: `cores - 1, at least 2, here ${DEFAULT_WORKERS}`,
    help: 'threads for calls, simulations and traces; a quarter as many more, at least two, serve reads; the last one starts with the first call',
  }),
  blockWorkers: option(integer({ min: 1, max: MAX_BLOCK_WORKERS, unit: 'threads' }), {
    flag: 'block-workers',
    group: 'Node',
    default: Math.min(8, availableParallelism()),
    defaultText: `cores, at most 8, here ${Math.min(8, availableParallelism())}`,
    help: 'threads for signatures and contract calls of blocks; started with the first transaction',
  }),
  native: option(choice(['auto', 'require', 'off']), {
    flag: 'native',
    group: 'Node',
    default: 'auto',
    help: 'native parts (HTTP, store, hashing, signatures): if they load, always, or never',
  }),

  fork: option(optional(forkSource()), {
    flag: 'fork',
    group: 'Development',
    default: undefined,
    defaultText: 'none',
    help: "start a development chain on top of another chain's state, read from this node with proofs and cached; a later start with the same --data-dir continues the fork",
  }),
  forkTokenFile: option(optional(path('FILE')), {
    flag: 'fork-token-file',
    group: 'Development',
    default: undefined,
    defaultText: 'none',
    help: "file with the bearer token for --fork's node",
  }),
  chainId: option(
    optional(
      largeInteger({
        min: 1n,
        max: 2n ** 64n - 1n,
        expected: 'a chain id from 1 to 2^64 - 1',
        placeholder: 'N',
      }),
    ),
    {
      flag: 'chain-id',
      group: 'Development',
      default: undefined,
      defaultText: "that of the data directory's chain, else 9545",
      help: 'chain id of a development chain',
    },
  ),
  devAccounts: option(optional(integer({ min: 1, max: MAX_DEV_ACCOUNTS, unit: 'accounts' })), {
    flag: 'accounts',
    group: 'Development',
    default: undefined,
    defaultText: "those of the data directory's chain, else 10",
    help: 'number of funded accounts of a development chain',
  }),
  devBalance: option(
    optional(
      // The same as that of the development controls: the amounts of all accounts together must fit 128 bits.
      largeInteger({
        min: 0n,
        max: 2n ** 96n,
        expected: 'an amount up to 2^96 in the smallest unit, such as 1000, 1_000 or 1e24',
        placeholder: 'AMOUNT',
      }),
    ),
    {
      flag: 'balance',
      group: 'Development',
      default: undefined,
      defaultText: "that in the data directory's chain, else 1e24",
      help: 'initial balance of each account of a development chain, in the smallest unit',
    },
  ),
  mnemonic: option(
    optional({
      ...text({
        accept: (value) => /^[a-z]+(\s+[a-z]+){11,23}$/.test(value.trim()),
        expected: '12 to 24 English words of BIP-39',
        placeholder: 'WORDS',
      }),
      isSecret: true,
    }),
    {
      flag: 'mnemonic',
      group: 'Development',
      default: undefined,
      defaultText: 'none, ed25519 accounts with public keys',
      help: "words that the accounts of a development chain derive from, as secp256k1 keys with the path m/44'/60'/0'/0/INDEX; commands read the variable",
    },
  ),

  host: option(
    text({
      accept: (value) => /^[^\s/]+$/.test(value),
      expected: 'an address or host name to listen on, such as 127.0.0.1 or 0.0.0.0',
      placeholder: 'HOST',
    }),
    { flag: 'host', group: 'HTTP', default: DEFAULT_HOST, help: 'address to listen on' },
  ),
  port: option(integer({ min: 0, max: 65_535, placeholder: 'PORT' }), {
    flag: 'port',
    group: 'HTTP',
    default: DEFAULT_PORT,
    help: 'port to listen on; 0 picks a free one',
    hint: (got) =>
      typeof got === 'string' && got.startsWith('tcp://')
        ? 'Kubernetes sets this variable for a Service called "heddle": use enableServiceLinks: false or --port'
        : undefined,
  }),
  frontThreads: option(integer({ min: 0, max: MAX_FRONT_THREADS, unit: 'threads' }), {
    flag: 'front-threads',
    group: 'HTTP',
    default: DEFAULT_FRONT_THREADS,
    defaultText: `cores / 4, at least 1, here ${DEFAULT_FRONT_THREADS}`,
    help: 'threads that serve HTTP and answer simple calls themselves; with 0 the main thread does both beside sealing',
  }),
  resultCacheBytes: option(mebibytes({ min: 0, max: 1_048_576 }), {
    flag: 'result-cache',
    group: 'HTTP',
    default: 64,
    help: 'memory for results that never change, shared by the threads that serve HTTP, in MiB; 0 keeps none',
  }),
  baseUrl: option(
    text({
      accept: (value) => value === '' || /^(\/[A-Za-z0-9._~-]+)+$/.test(value),
      expected: 'nothing, or a path such as /heddle, without a slash at its end',
      placeholder: 'PATH',
    }),
    {
      flag: 'base-url',
      group: 'HTTP',
      default: '',
      defaultText: 'none',
      help: 'path prefix of every endpoint',
    },
  ),
  corsOrigins: option(
    texts({
      accept: (value) => value === '*' || isOrigin(value),
      expected: 'origins such as https://app.example.com, or *',
      placeholder: 'ORIGIN',
    }),
    {
      flag: 'cors-origin',
      group: 'HTTP',
      default: [],
      defaultText: 'none',
      help: 'web origin whose pages may call the node, or *; may be repeated. Development chains answer pages on localhost too',
    },
  ),
  explorer: option(choice(['on', 'off']), {
    flag: 'explorer',
    group: 'HTTP',
    default: 'on',
    help: 'serve the explorer, a web page that shows the chain, at the path /',
  }),
  allowedHosts: option(hosts(), {
    flag: 'allowed-hosts',
    group: 'HTTP',
    default: [],
    defaultText: 'loopback names and addresses if --host is one, else any',
    help: 'allowed values of the Host header besides loopback names; *.NAME matches all subdomains, * everything; may be repeated, or separated by commas',
  }),
  maxBodyBytes: option(integer({ min: KIB, max: GIB, unit: 'bytes', placeholder: 'BYTES' }), {
    flag: 'max-body-bytes',
    group: 'HTTP',
    default: 4 * MIB,
    help: 'maximum request body; a longer one gets 413',
  }),
  maxBacklogBytes: option(integer({ min: 64 * KIB, max: GIB, unit: 'bytes', placeholder: 'BYTES' }), {
    flag: 'max-backlog-bytes',
    group: 'HTTP',
    default: 16 * MIB,
    help: 'maximum unread responses of a client before it is disconnected',
  }),
  maxAnswerBytes: option(integer({ min: 64 * KIB, max: GIB, unit: 'bytes', placeholder: 'BYTES' }), {
    flag: 'max-answer-bytes',
    group: 'HTTP',
    default: 16 * MIB,
    help: 'maximum result of one call; a longer one fails with limit_exceeded, and pages end earlier; a single block of get_blocks and a get_snapshot_chunk are exempt',
  }),
  maxBufferedBytes: option(integer({ min: MIB, max: 1_024 * GIB, unit: 'bytes', placeholder: 'BYTES' }), {
    flag: 'max-buffered-bytes',
    group: 'HTTP',
    default: 256 * MIB,
    help: 'maximum unfinished bodies, unread responses and waiting calls of all clients together; beyond it the oldest and largest are cut off',
  }),
  requestTimeoutMs: option(integer({ min: 100, max: 3_600_000, unit: 'milliseconds', placeholder: 'MS' }), {
    flag: 'request-timeout',
    group: 'HTTP',
    default: 30_000,
    help: 'maximum time for a complete request to arrive',
  }),
  maxBatch: option(integer({ min: 1, max: 10_000, unit: 'calls' }), {
    flag: 'max-batch',
    group: 'HTTP',
    default: 200,
    help: 'maximum calls in one JSON-RPC batch',
  }),
  maxBatchCost: option(integer({ min: 1, max: 1_000_000, unit: 'compute units' }), {
    flag: 'max-batch-cost',
    group: 'HTTP',
    default: 2_000,
    help: 'maximum compute units of one batch, by the base prices of its calls',
  }),
  maxBatchAnswerBytes: option(integer({ min: 64 * KIB, max: GIB, unit: 'bytes', placeholder: 'BYTES' }), {
    flag: 'max-batch-answer-bytes',
    group: 'HTTP',
    default: 16 * MIB,
    help: 'maximum response to one batch',
  }),
  maxCalls: option(integer({ min: 1, max: 1_000_000, unit: 'calls' }), {
    flag: 'max-calls',
    group: 'HTTP',
    default: 10_000,
    help: 'maximum calls in flight, at most 71 % of them from one client; further ones are rejected as overloaded at once',
  }),
  maxConnections: option(integer({ min: 16, max: 1_000_000, unit: 'connections' }), {
    flag: 'max-connections',
    group: 'HTTP',
    default: DEFAULT_CONNECTIONS,
    defaultText: `what the descriptor limit leaves, here ${DEFAULT_CONNECTIONS}`,
    help: 'maximum open HTTP connections; further ones are closed at once',
  }),
  maxConnectionsPerClient: option(integer({ min: 1, max: 1_000_000, unit: 'connections' }), {
    flag: 'max-connections-per-client',
    group: 'HTTP',
    default: HALF_OF_CONNECTIONS,
    defaultText: `half of that, here ${HALF_OF_CONNECTIONS}`,
    help: 'maximum per client, identified by its address; while few are free, at most twice the number of free ones',
  }),
  maxWaiters: option(integer({ min: 1, max: 1_000_000, unit: 'callers' }), {
    flag: 'max-waiters',
    group: 'HTTP',
    default: 10_000,
    help: 'maximum callers of tx_submit that wait for their block; beyond it the oldest are answered, with their transaction pending',
  }),
  maxWaitersPerClient: option(integer({ min: 1, max: 1_000_000, unit: 'callers' }), {
    flag: 'max-waiters-per-client',
    group: 'HTTP',
    default: 1_000,
    help: "maximum per client, identified by its token's subject, else its address",
  }),
  maxSubscriptions: option(integer({ min: 1, max: 1_000_000, unit: 'subscriptions' }), {
    flag: 'max-subscriptions',
    group: 'HTTP',
    default: 20_000,
    help: 'maximum WebSocket subscriptions, at most 71 % of them of one client; further ones are rejected as overloaded',
  }),
  maxSubscriptionsPerConnection: option(integer({ min: 1, max: 10_000, unit: 'subscriptions' }), {
    flag: 'max-subscriptions-per-connection',
    group: 'HTTP',
    default: 100,
    help: 'maximum per WebSocket',
  }),
  maxSubscriptionLag: option(integer({ min: 1, max: 1_000_000, unit: 'blocks' }), {
    flag: 'max-subscription-lag',
    group: 'HTTP',
    default: 256,
    help: 'a subscription this many blocks behind, because its client reads too slowly, is ended with a notice',
  }),
  maxResumeHeights: option(integer({ min: 1, max: 1_000_000_000, unit: 'blocks' }), {
    flag: 'max-resume-heights',
    group: 'HTTP',
    default: 100_000,
    help: "maximum distance of a subscription's from_height from the tip",
  }),
  maxLogLookups: option(integer({ min: 1, max: 1_000_000, unit: 'lookups' }), {
    flag: 'max-log-lookups',
    group: 'HTTP',
    default: 1_000,
    help: 'maximum index lookups per block for log filters, at most 71 % of them for one client: 1 per alternative of the first topic, 1 for a contract alone, 20 without both; equal filters count once per thread, and once for each client that has them',
  }),
  maxLogLookupsPerConnection: option(integer({ min: 1, max: 100_000, unit: 'lookups' }), {
    flag: 'max-log-lookups-per-connection',
    group: 'HTTP',
    default: 100,
    help: 'maximum per WebSocket',
  }),
  maxReplays: option(integer({ min: 1, max: 100_000, unit: 'subscriptions' }), {
    flag: 'max-replays',
    group: 'HTTP',
    default: 200,
    help: 'maximum subscriptions that begin more than 1,024 blocks below the tip and have not caught up, at most 71 % of them of one client',
  }),
  maxReplaysPerConnection: option(integer({ min: 1, max: 100_000, unit: 'subscriptions' }), {
    flag: 'max-replays-per-connection',
    group: 'HTTP',
    default: 5,
    help: 'maximum per WebSocket',
  }),

  paidAccess: option(optional(choice(['open', 'metered', 'token'])), {
    flag: 'paid-access',
    group: 'Access',
    default: undefined,
    defaultText: 'open on the development chain, else metered',
    help: 'who may call paid methods: everyone; everyone, limited to --paid-rate by address; or only callers with a paid token',
  }),
  paidRate: option(integer({ min: 1, max: 10_000_000, unit: 'compute units per second' }), {
    flag: 'paid-rate',
    group: 'Access',
    default: 1_000,
    help: 'compute units per second that an address may use for paid methods, with --paid-access metered',
  }),
  publicRate: option(integer({ min: 0, max: 10_000_000, unit: 'compute units per second' }), {
    flag: 'public-rate',
    group: 'Access',
    default: 0,
    defaultText: '0, unlimited',
    help: 'compute units per second that an address may use for public methods; callers with a paid token are exempt',
  }),
  rateBurst: option(integer({ min: 1, max: 3_600, unit: 'seconds', placeholder: 'SECONDS' }), {
    flag: 'rate-burst',
    group: 'Access',
    default: 10,
    help: 'unused compute units that an address may save up, in seconds of its rate',
  }),
  trustedProxies: option(networks(), {
    flag: 'trusted-proxies',
    group: 'Access',
    default: [],
    defaultText: 'none',
    help: 'reverse proxies whose X-Forwarded-For header names the client; separated by commas, or repeated',
  }),
  tokenIssuerKeys: option(files(), {
    flag: 'token-issuer-key',
    group: 'Access',
    default: [],
    defaultText: 'only tokens issued by this node',
    help: 'file with public Ed25519 keys of a service that issues tokens: PEM, JWK or JWK Set; may be repeated',
  }),
  quotaStore: option(quotaStore(), {
    flag: 'quota-store',
    group: 'Access',
    default: EMBEDDED_QUOTA_STORE,
    defaultText: "embedded, the node's own store",
    help: 'store of prepaid balances, shared rates and revocations: embedded, or a Redis server that all nodes of a fleet share; better set by variable or file, because the URL may hold a password',
  }),
  quotaFallback: option(choice(['deny', 'local']), {
    flag: 'quota-fallback',
    group: 'Access',
    default: 'deny',
    help: 'while the Redis server of --quota-store is away: refuse calls of tokens with units or a rate once their units on hand are spent, or enforce rates by node and refuse only prepaid calls',
  }),

  seal: option(choice(['timer', 'instant']), {
    flag: 'seal',
    group: 'Sealing',
    default: 'timer',
    help: 'seal a block every --block-time, or as soon as a transaction is ready',
  }),
  blockTimeMs: option(integer({ min: 1, max: 3_600_000, unit: 'milliseconds', placeholder: 'MS' }), {
    flag: 'block-time',
    group: 'Sealing',
    default: 250,
    help: 'time between blocks while there is work',
  }),
  idleBlockTimeMs: option(integer({ min: 0, max: MAX_TIMER_MS, unit: 'milliseconds', placeholder: 'MS' }), {
    flag: 'idle-block-time',
    group: 'Sealing',
    default: DEFAULT_IDLE_BLOCK_TIME_MS,
    help: 'time between empty blocks while there is no work; 0 seals them only to let the base fee fall for a waiting transaction',
  }),

  validator: option(optional(path('DIR')), {
    flag: 'validator',
    group: 'Validating',
    default: undefined,
    defaultText: 'none, the node is the only validator',
    help: 'directory of one of several validators, created by "heddle init" and "heddle dkg"; it holds genesis and data too',
  }),
  p2pPort: option(optional(integer({ min: 0, max: 65_535, placeholder: 'PORT' })), {
    flag: 'p2p-port',
    group: 'Validating',
    default: undefined,
    defaultText: "the port of the validator's endpoint",
    help: 'port to listen on for the other validators',
  }),
  p2pHost: option(
    optional(
      text({
        accept: (value) => /^[^\s/]+$/.test(value),
        expected: 'an address or host name to listen on, such as 127.0.0.1 or 0.0.0.0',
        placeholder: 'HOST',
      }),
    ),
    {
      flag: 'p2p-host',
      group: 'Validating',
      default: undefined,
      defaultText: "127.0.0.1 if the validator's endpoint is on loopback, else 0.0.0.0",
      help: 'address to listen on for the other validators; others are rejected after the TLS handshake',
    },
  ),
  peers: option(peerEndpoints(), {
    flag: 'peers',
    group: 'Validating',
    default: [],
    defaultText: 'those of peers.json in the directory, and of validators admitted since',
    help: 'endpoints of validators by index, or without indexes of the whole set in order; separated by commas, or repeated',
  }),
  passphraseFile: option(optional(path('FILE')), {
    flag: 'passphrase-file',
    group: 'Validating',
    default: undefined,
    defaultText: 'the variable HEDDLE_PASSPHRASE, else the files are not encrypted',
    help: "file with the passphrase of the validator's identity and share",
  }),

  stateRetention: option(integer({ min: 0, max: Number.MAX_SAFE_INTEGER, unit: 'blocks' }), {
    flag: 'state-retention',
    group: 'State',
    default: 10_000,
    help: 'number of recent blocks with readable state, at least 1000; 0 keeps all',
  }),
  checkpointInterval: option(optional(integer({ min: 0, max: Number.MAX_SAFE_INTEGER, unit: 'blocks' })), {
    flag: 'checkpoint-interval',
    group: 'State',
    default: undefined,
    defaultText: '1000, on the development chain 100',
    help: 'number of blocks between snapshots that others can start from; 0 disables them',
  }),
  checkpointsKept: option(integer({ min: 1, max: 1_000, unit: 'checkpoints' }), {
    flag: 'checkpoints-kept',
    group: 'State',
    default: 4,
    help: 'maximum number of checkpoints to serve, limited by --state-retention',
  }),
  proofWindow: option(integer({ min: 1, max: 1_000_000, unit: 'blocks' }), {
    flag: 'proof-window',
    group: 'State',
    default: 1_024,
    help: 'number of recent blocks that state_proof serves, besides checkpoints',
  }),
  treeMemoryBytes: option(mebibytes({ min: 16, max: 1_048_576 }), {
    flag: 'tree-memory',
    group: 'State',
    default: 512,
    help: 'memory for the state tree, in MiB',
  }),
  awaitSnapshot: option(optional(path('FILE')), {
    flag: 'await-snapshot',
    group: 'State',
    default: undefined,
    defaultText: 'none',
    help: 'start empty and import the state by import_snapshot_chunk; the file is a result of get_light_snapshot',
  }),
  cacheBytes: option(mebibytes({ min: 1, max: 1_048_576 }), {
    flag: 'cache-size',
    group: 'State',
    default: 32,
    help: "memory for the store's cache, in MiB",
  }),

  follow: option(nodeUrls(), {
    flag: 'follow',
    group: 'Following',
    default: [],
    defaultText: 'none, the node seals by itself',
    help: 'nodes to follow; this one seals nothing and verifies everything they send; needs --trust',
  }),
  trust: option(optional(trustAnchor()), {
    flag: 'trust',
    group: 'Following',
    default: undefined,
    defaultText: 'none',
    help: "trust anchor of a follower: the group's public key, a genesis file, or dev for the development chain",
  }),
  syncFrom: option(choice(['checkpoint', 'genesis']), {
    flag: 'sync-from',
    group: 'Following',
    default: 'checkpoint',
    help: 'start of an empty follower: the newest checkpoint, or block 0, which needs the genesis',
  }),
  followPollMs: option(integer({ min: 10, max: 60_000, unit: 'milliseconds', placeholder: 'MS' }), {
    flag: 'follow-poll',
    group: 'Following',
    default: 100,
    help: 'poll interval for the next block',
  }),

  poolSize: option(integer({ min: 1, max: 10_000_000, unit: 'transactions' }), {
    flag: 'pool-size',
    group: 'Pool',
    default: 100_000,
    help: 'maximum pending transactions',
  }),
  poolBytes: option(integer({ min: MIB, max: 64 * GIB, unit: 'bytes', placeholder: 'BYTES' }), {
    flag: 'pool-bytes',
    group: 'Pool',
    default: 256 * MIB,
    help: 'maximum total encoded size of pending transactions; in memory they take about twice as much',
  }),
  maxNonceGap: option(integer({ min: 0, max: 1_000_000, unit: 'nonces' }), {
    flag: 'max-nonce-gap',
    group: 'Pool',
    default: 64,
    help: "maximum distance of a transaction from its lane's last nonce",
  }),
  gappedTtlMs: option(integer({ min: 1, max: MAX_TIMER_MS, unit: 'milliseconds', placeholder: 'MS' }), {
    flag: 'gapped-ttl',
    group: 'Pool',
    default: 600_000,
    help: 'maximum time a transaction waits for an earlier nonce of its lane',
  }),
  maxPendingLanes: option(integer({ min: 1, max: 256, unit: 'lanes' }), {
    flag: 'max-pending-lanes',
    group: 'Pool',
    default: 16,
    help: 'maximum lanes of one account with pending transactions',
  }),
  // The maximum is the limit of the ledger.
  maxTransactionBytes: option(integer({ min: KIB, max: 512 * KIB, unit: 'bytes', placeholder: 'BYTES' }), {
    flag: 'max-transaction-bytes',
    group: 'Pool',
    default: 512 * KIB,
    help: 'maximum signed transaction',
  }),
  bundleTransactions: option(integer({ min: 1, max: 1_000, unit: 'transactions' }), {
    flag: 'max-bundle-transactions',
    group: 'Pool',
    default: 64,
    help: 'maximum transactions in one bundle',
  }),
  bundleBlocks: option(integer({ min: 1, max: 1_000_000, unit: 'blocks' }), {
    flag: 'bundle-blocks',
    group: 'Pool',
    default: 100,
    help: 'maximum blocks a bundle without max_height waits for',
  }),

  maxAccounts: option(integer({ min: 1, max: 100_000, unit: 'addresses' }), {
    flag: 'max-accounts',
    group: 'Limits',
    default: 1_000,
    help: 'maximum addresses in one call of accounts',
  }),
  maxPageSize: option(integer({ min: 1, max: 10_000, unit: 'entries' }), {
    flag: 'max-page-size',
    group: 'Limits',
    default: 500,
    help: 'maximum entries in one page of a listing',
  }),
  maxLogs: option(integer({ min: 1, max: 100_000, unit: 'events' }), {
    flag: 'max-logs',
    group: 'Limits',
    default: 10_000,
    help: 'maximum events in one page of get_logs',
  }),
  maxRangeHeights: option(integer({ min: 1, max: 100_000, unit: 'heights' }), {
    flag: 'max-range-heights',
    group: 'Limits',
    default: 1_000,
    help: 'maximum heights in one range of blocks',
  }),
  maxRangeBytes: option(integer({ min: MIB, max: GIB, unit: 'bytes', placeholder: 'BYTES' }), {
    flag: 'max-range-bytes',
    group: 'Limits',
    default: 16 * MIB,
    help: 'maximum size of one range of blocks or page of events',
  }),

  maxCallGas: option(integer({ min: 1, max: 1_000_000_000_000, unit: 'gas', placeholder: 'GAS' }), {
    flag: 'max-call-gas',
    group: 'Limits',
    default: 1_000_000_000,
    help: 'maximum gas of one view call or simulated transaction',
  }),
  maxTraceBytes: option(integer({ min: 4 * KIB, max: 256 * MIB, unit: 'bytes', placeholder: 'BYTES' }), {
    flag: 'max-trace-bytes',
    group: 'Limits',
    default: 16 * MIB,
    help: 'maximum size of one trace, which is cut off there',
  }),
  maxCallMs: option(integer({ min: 10, max: 600_000, unit: 'milliseconds', placeholder: 'MS' }), {
    flag: 'max-call-ms',
    group: 'Limits',
    default: 5_000,
    help: 'maximum run time of one view call or simulation',
  }),
  maxCallWaitMs: option(integer({ min: 10, max: 600_000, unit: 'milliseconds', placeholder: 'MS' }), {
    flag: 'max-call-wait-ms',
    group: 'Limits',
    default: 10_000,
    help: 'maximum wait of a call before it starts; one that would wait longer is rejected as overloaded',
  }),
  maxPipelineSteps: option(integer({ min: 1, max: 1_000, unit: 'steps' }), {
    flag: 'max-pipeline-steps',
    group: 'Limits',
    default: 64,
    help: 'maximum steps in one tx_simulate_pipeline',
  }),

  logLevel: option(choice(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'], 'LEVEL'), {
    flag: 'log-level',
    group: 'Logs',
    default: 'info',
    help: 'minimum level of logged records: fatal, error, warn, info, debug, trace or silent',
  }),
  logFormat: option(choice(['auto', 'pretty', 'json']), {
    flag: 'log-format',
    group: 'Logs',
    default: 'auto',
    help: 'auto is pretty on a terminal and JSON elsewhere',
  }),
  slowCallMs: option(integer({ min: 0, max: 600_000, unit: 'milliseconds', placeholder: 'MS' }), {
    flag: 'slow-call-ms',
    group: 'Logs',
    default: 1_000,
    help: 'RPC calls that take at least this long are logged; 0 logs none',
  }),
  otlpEndpoint: option(optional(receiverUrl()), {
    flag: 'otlp-endpoint',
    group: 'Logs',
    default: undefined,
    defaultText: 'none',
    help: 'OpenTelemetry receiver (OTLP, JSON over HTTP) of traces, such as http://127.0.0.1:4318',
  }),
  otlpPercent: option(integer({ min: 1, max: 100, unit: 'percent', placeholder: 'PERCENT' }), {
    flag: 'otlp-percent',
    group: 'Logs',
    default: 100,
    help: 'share of the traces to record, in percent',
  }),
} as const;

function isOrigin(value: string): boolean {
  return URL.canParse(value) && new URL(value).origin === value && /^https?:/.test(value);
}
