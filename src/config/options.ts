import { DEFAULT_HOST, DEFAULT_IDLE_BLOCK_TIME_MS, DEFAULT_PORT, MAX_DEV_ACCOUNTS } from './defaults.js';
import { LIMIT_OPTIONS } from './limits.js';
import { group, option } from './option.js';
import {
  choice,
  FILES,
  FORK_SOURCE,
  HOSTS,
  integer,
  LISTEN_HOST,
  largeInteger,
  mebibytes,
  milliseconds,
  NETWORKS,
  NODE_URLS,
  ORIGINS,
  PEER_ENDPOINTS,
  PORT,
  path,
  RECEIVER_URL,
  SWITCH,
  TRUST_ANCHOR,
  text,
} from './option-kinds.js';
import { EMBEDDED_QUOTA_STORE, QUOTA_STORE } from './quota-store-url.js';
import {
  DEFAULT_BLOCK_WORKERS,
  DEFAULT_FRONT_THREADS,
  DEFAULT_WORKERS,
  MAX_BLOCK_WORKERS,
  MAX_FRONT_THREADS,
} from './thread-defaults.js';

const MAX_TIMER_MS = 2_147_483_647;

/**
 * All options of the node, by member name in {@link Config}. Each entry declares flag, environment variable (`HEDDLE_`
 * + the flag in capitals), config file key, default, help and validation.
 */
export const OPTIONS = {
  ...group(
    'Node',
    {
      dataDir: option('data-dir', path('DIR'), {
        default: './heddle-data',
        ofValidator: 'data',
        help: 'directory of the chain, the pool and the tokens; created if missing',
      }),
      genesisFile: option('genesis', path('FILE'), {
        defaultText: 'the development genesis, with ten funded accounts',
        ofValidator: 'genesis.json',
        help: 'JSON file with block 0 of the chain',
      }),
      validatorKeyFile: option('validator-key', path('FILE'), {
        defaultText: "the development chain's; required to seal any other chain",
        help: 'private key file for the genesis group_public_key, created by "heddle keys new-validator"',
      }),
      workers: option('workers', integer(1, 256, 'threads'), {
        default: DEFAULT_WORKERS,
        defaultText: `cores - 1, at least 2, here ${DEFAULT_WORKERS}`,
        help: 'threads for calls, simulations and traces; a quarter as many more, at least two, serve reads; the last one starts with the first call',
      }),
    },
    {
      noCertificates: option('no-certificates', SWITCH, {
        default: false,
        defaultText: 'blocks get finality certificates',
        help: 'seal a chain without its --validator-key; followers and light clients cannot use this node',
      }),
      blockWorkers: option('block-workers', integer(1, MAX_BLOCK_WORKERS, 'threads'), {
        default: DEFAULT_BLOCK_WORKERS,
        defaultText: `cores, at most 8, here ${DEFAULT_BLOCK_WORKERS}`,
        help: 'threads for signatures and contract calls of blocks; started with the first transaction',
      }),
      native: option('native', choice(['auto', 'require', 'off']), {
        default: 'auto',
        help: 'native parts (HTTP, store, hashing, signatures): if they load, always, or never',
      }),
    },
  ),
  ...group(
    'Development',
    {
      fork: option('fork', FORK_SOURCE, {
        help: "start a development chain on top of another chain's state, read from this node with proofs and cached; a later start with the same --data-dir continues the fork",
      }),
      chainId: option(
        'chain-id',
        largeInteger(1n, 2n ** 64n - 1n, { expected: 'a chain id from 1 to 2^64 - 1', placeholder: 'N' }),
        {
          defaultText: "that of the data directory's chain, else 9545",
          help: 'chain id of a development chain',
        },
      ),
      devAccounts: option('accounts', integer(1, MAX_DEV_ACCOUNTS, 'accounts'), {
        defaultText: "those of the data directory's chain, else 10",
        help: 'number of funded accounts of a development chain',
      }),
      devBalance: option(
        'balance',
        // The same as that of the development controls: the amounts of all accounts together must fit 128 bits.
        largeInteger(0n, 2n ** 96n, {
          expected: 'an amount up to 2^96 in the smallest unit, such as 1000, 1_000 or 1e24',
          placeholder: 'AMOUNT',
        }),
        {
          defaultText: "that in the data directory's chain, else 1e24",
          help: 'initial balance of each account of a development chain, in the smallest unit',
        },
      ),
      mnemonic: option(
        'mnemonic',
        {
          ...text((value) => /^[a-z]+(\s+[a-z]+){11,23}$/.test(value.trim()), {
            expected: '12 to 24 English words of BIP-39',
            placeholder: 'WORDS',
          }),
          isSecret: true,
        },
        {
          defaultText: 'none, ed25519 accounts with public keys',
          help: "words that the accounts of a development chain derive from, as secp256k1 keys with the path m/44'/60'/0'/0/INDEX; commands read the variable",
        },
      ),
    },
    {
      forkTokenFile: option('fork-token-file', path('FILE'), {
        help: "file with the bearer token for --fork's node",
      }),
    },
  ),
  ...group(
    'HTTP',
    {
      host: option('host', LISTEN_HOST, { default: DEFAULT_HOST, help: 'address to listen on' }),
      port: option('port', PORT, {
        default: DEFAULT_PORT,
        help: 'port to listen on; 0 picks a free one',
        hint: (got) =>
          typeof got === 'string' && got.startsWith('tcp://')
            ? 'Kubernetes sets this variable for a Service called "heddle": use enableServiceLinks: false or --port'
            : undefined,
      }),
      corsOrigins: option('cors-origin', ORIGINS, {
        default: [],
        help: 'web origin whose pages may call the node, or *; may be repeated. Development chains answer pages on localhost too',
      }),
      allowedHosts: option('allowed-hosts', HOSTS, {
        default: [],
        defaultText: 'loopback names and addresses if --host is one, else any',
        help: 'allowed values of the Host header besides loopback names; *.NAME matches all subdomains, * everything; may be repeated, or separated by commas',
      }),
    },
    {
      frontThreads: option('front-threads', integer(0, MAX_FRONT_THREADS, 'threads'), {
        default: DEFAULT_FRONT_THREADS,
        defaultText: `one per core, here ${DEFAULT_FRONT_THREADS}`,
        help: 'threads that serve HTTP and answer all but long calls themselves; with 0 the main thread does both beside sealing',
      }),
      resultCacheBytes: option('result-cache', mebibytes(0), {
        default: 64,
        help: 'memory for results that never change, shared by the threads that serve HTTP, in MiB; 0 keeps none',
      }),
      baseUrl: option(
        'base-url',
        text((value) => value === '' || /^(\/[A-Za-z0-9._~-]+)+$/.test(value), {
          expected: 'nothing, or a path such as /heddle, without a slash at its end',
          placeholder: 'PATH',
        }),
        { default: '', help: 'path prefix of every endpoint' },
      ),
      explorer: option('explorer', choice(['on', 'off']), {
        default: 'on',
        help: 'serve the explorer, a web page that shows the chain, at the path /',
      }),
    },
  ),
  ...group(
    'Access',
    {
      paidAccess: option('paid-access', choice(['open', 'metered', 'token']), {
        defaultText: 'open on the development chain, else metered',
        help: 'who may call paid methods: everyone; everyone, limited to --paid-rate by address; or only callers with a paid token',
      }),
      trustedProxies: option('trusted-proxies', NETWORKS, {
        default: [],
        help: 'reverse proxies whose X-Forwarded-For header names the client; separated by commas, or repeated',
      }),
    },
    {
      paidRate: option('paid-rate', integer(1, 10_000_000, 'compute units per second'), {
        default: 1_000,
        help: 'compute units per second that an address may use for paid methods, with --paid-access metered',
      }),
      publicRate: option('public-rate', integer(0, 10_000_000, 'compute units per second'), {
        default: 0,
        defaultText: '0, unlimited',
        help: 'compute units per second that an address may use for public methods; callers with a paid token are exempt',
      }),
      rateBurst: option('rate-burst', integer(1, 3_600, 'seconds', 'SECONDS'), {
        default: 10,
        help: 'unused compute units that an address may save up, in seconds of its rate',
      }),
      tokenIssuerKeys: option('token-issuer-key', FILES, {
        default: [],
        defaultText: 'only tokens issued by this node',
        help: 'file with public Ed25519 keys of a service that issues tokens: PEM, JWK or JWK Set; may be repeated',
      }),
      quotaStore: option('quota-store', QUOTA_STORE, {
        default: EMBEDDED_QUOTA_STORE,
        defaultText: "embedded, the node's own store",
        help: 'store of prepaid balances, shared rates and revocations: embedded, or a Redis server that all nodes of a fleet share; better set by variable or file, because the URL may hold a password',
      }),
      quotaFallback: option('quota-fallback', choice(['deny', 'local']), {
        default: 'deny',
        help: 'while the Redis server of --quota-store is away: refuse calls of tokens with units or a rate once their units on hand are spent, or enforce rates by node and refuse only prepaid calls',
      }),
    },
  ),
  ...group(
    'Sealing',
    {
      seal: option('seal', choice(['timer', 'instant']), {
        default: 'timer',
        help: 'seal a block every --block-time, or as soon as a transaction is ready',
      }),
      blockTimeMs: option('block-time', milliseconds(1, 3_600_000), {
        default: 250,
        help: 'time between blocks while there is work',
      }),
      idleBlockTimeMs: option('idle-block-time', milliseconds(0, MAX_TIMER_MS), {
        default: DEFAULT_IDLE_BLOCK_TIME_MS,
        help: 'time between empty blocks while there is no work; 0 seals them only to let the base fee fall for a waiting transaction',
      }),
    },
    {},
  ),
  ...group(
    'Validating',
    {
      validator: option('validator', path('DIR'), {
        defaultText: 'none, the node is the only validator',
        help: 'directory of one of several validators, created by "heddle init" and "heddle dkg"; it holds genesis and data too',
      }),
      peers: option('peers', PEER_ENDPOINTS, {
        default: [],
        defaultText: 'those of peers.json in the directory, and of validators admitted since',
        help: 'endpoints of validators by index, or without indexes of the whole set in order; separated by commas, or repeated',
      }),
    },
    {
      p2pPort: option('p2p-port', PORT, {
        defaultText: "the port of the validator's endpoint",
        help: 'port to listen on for the other validators',
      }),
      p2pHost: option('p2p-host', LISTEN_HOST, {
        defaultText: "127.0.0.1 if the validator's endpoint is on loopback, else 0.0.0.0",
        help: 'address to listen on for the other validators; others are rejected after the TLS handshake',
      }),
      passphraseFile: option('passphrase-file', path('FILE'), {
        defaultText: 'the variable HEDDLE_PASSPHRASE, else the files are not encrypted',
        help: "file with the passphrase of the validator's identity and share",
      }),
    },
  ),
  ...group(
    'State',
    {
      stateRetention: option('state-retention', integer(0, Number.MAX_SAFE_INTEGER, 'blocks'), {
        default: 10_000,
        help: 'number of recent blocks with readable state, at least 1000; 0 keeps all',
      }),
    },
    {
      checkpointInterval: option('checkpoint-interval', integer(0, Number.MAX_SAFE_INTEGER, 'blocks'), {
        defaultText: '1000, on the development chain 100',
        help: 'number of blocks between snapshots that others can start from; 0 disables them',
      }),
      checkpointsKept: option('checkpoints-kept', integer(1, 1_000, 'checkpoints'), {
        default: 4,
        help: 'maximum number of checkpoints to serve, limited by --state-retention',
      }),
      proofWindow: option('proof-window', integer(1, 1_000_000, 'blocks'), {
        default: 1_024,
        help: 'number of recent blocks that state_proof serves, besides checkpoints',
      }),
      treeMemoryBytes: option('tree-memory', mebibytes(16), {
        default: 512,
        help: 'memory for the state tree, in MiB',
      }),
      awaitSnapshot: option('await-snapshot', path('FILE'), {
        help: 'start empty and import the state by import_snapshot_chunk; the file is a result of get_light_snapshot',
      }),
      cacheBytes: option('cache-size', mebibytes(1), {
        default: 32,
        help: "memory for the store's cache, in MiB",
      }),
    },
  ),
  ...group(
    'Following',
    {
      follow: option('follow', NODE_URLS, {
        default: [],
        defaultText: 'none, the node seals by itself',
        help: 'nodes to follow; this one seals nothing and verifies everything they send; needs --trust',
      }),
      trust: option('trust', TRUST_ANCHOR, {
        help: "trust anchor of a follower: the group's public key, a genesis file, or dev for the development chain",
      }),
    },
    {
      syncFrom: option('sync-from', choice(['checkpoint', 'genesis']), {
        default: 'checkpoint',
        help: 'start of an empty follower: the newest checkpoint, or block 0, which needs the genesis',
      }),
      followPollMs: option('follow-poll', milliseconds(10, 60_000), {
        default: 100,
        help: 'poll interval for the next block',
      }),
    },
  ),
  ...LIMIT_OPTIONS,
  ...group(
    'Logs',
    {
      logLevel: option(
        'log-level',
        choice(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'], 'LEVEL'),
        {
          default: 'info',
          help: 'minimum level of logged records: fatal, error, warn, info, debug, trace or silent',
        },
      ),
      logFormat: option('log-format', choice(['auto', 'pretty', 'json']), {
        default: 'auto',
        help: 'auto is pretty on a terminal and JSON elsewhere',
      }),
    },
    {
      slowCallMs: option('slow-call-ms', milliseconds(0, 600_000), {
        default: 1_000,
        help: 'RPC calls that take at least this long are logged; 0 logs none',
      }),
      otlpEndpoint: option('otlp-endpoint', RECEIVER_URL, {
        help: 'OpenTelemetry receiver (OTLP, JSON over HTTP) of traces, such as http://127.0.0.1:4318',
      }),
      otlpPercent: option('otlp-percent', integer(1, 100, 'percent', 'PERCENT'), {
        default: 100,
        help: 'share of the traces to record, in percent',
      }),
    },
  ),
} as const;
