import { randomBytes } from 'node:crypto';
import { hostname } from 'node:os';
import { InvalidArgumentError, Option } from 'commander';
import { defined } from '../../base/defined.js';
import { loadConfig } from '../../config/config.js';
import { expectRunName } from '../../farm/run/run-record.js';
import { FarmWorker } from '../../farm/worker/farm-worker.js';
import { createLogger, type Logger } from '../../log.js';
import type { RunningNode } from '../../node.js';
import { type CliCommand, type CommandContext, tokenFileOption } from '../cli-command.js';
import { CliError, UsageError } from '../cli-error.js';
import { tokenOf, urlOrDefault } from '../connection-options.js';
import { watchSignals } from '../end-process.js';
import { integerBetween } from '../option-parsers.js';
import { openRedis, redisOption } from './farm-options.js';

export interface HostAndPort {
  /** Without brackets. */
  readonly host: string;
  readonly port: number;
}

/** Parses `HOST:PORT`; an IPv6 address is in brackets. @throws InvalidArgumentError */
export function hostAndPort(text: string): HostAndPort {
  const [, host, port] = /^(\[[0-9a-fA-F:]+\]|[A-Za-z0-9.-]+):(\d{1,5})$/.exec(text) ?? [];
  if (host === undefined || port === undefined || Number(port) > 65_535) {
    throw new InvalidArgumentError(`expected HOST:PORT such as 127.0.0.1:9600, got ${JSON.stringify(text)}`);
  }
  return { host: host.replace(/^\[|\]$/g, ''), port: Number(port) };
}

interface WorkerOptions {
  readonly redis?: string;
  readonly url?: readonly string[];
  readonly dataDir?: string;
  readonly genesis?: string;
  readonly workers?: string;
  readonly tokenFile?: string;
  readonly concurrency: number;
  readonly jobs: number;
  readonly lease: number;
  readonly patience: number;
  readonly name?: string;
  readonly metrics?: HostAndPort;
}

const LOG = { logLevel: 'info', logFormat: 'auto' } as const;

export function registerWorkerCommand(farm: CliCommand, context: CommandContext): void {
  farm
    .command('worker')
    .description('run jobs of all runs until it is stopped; SIGTERM finishes those in progress')
    .option('--url <URL,…>', 'nodes that execute the calls; several with commas (default: HEDDLE_URL)', urls)
    .addOption(
      new Option(
        '--data-dir <DIR>',
        "run a node in this process on a stopped node's directory; it seals nothing",
      ).conflicts('url'),
    )
    .option('--genesis <FILE>', 'genesis of --data-dir (default: the development genesis)')
    .option('--workers <N>', 'execution threads of the node of --data-dir (default: as "heddle start")')
    .addOption(tokenFileOption())
    .option('--concurrency <N>', 'maximum number of calls in flight at a node', integerBetween(1, 1_024), 64)
    .option('--jobs <N>', 'jobs in progress at once per node', integerBetween(1, 64), 2)
    .option(
      '--lease <SECONDS>',
      'time after which others take over the jobs of a dead worker',
      integerBetween(1, 3_600),
      15,
    )
    .option(
      '--patience <SECONDS>',
      'how long to wait for a lost or full Redis before giving up',
      integerBetween(1, 86_400),
      60,
    )
    .option('--name <NAME>', 'name in tables and results (default: host and random digits)')
    .option('--metrics <HOST:PORT>', 'serve Prometheus metrics at /metrics', hostAndPort)
    .addOption(redisOption())
    .notes(
      'A worker takes jobs as fast as its nodes answer, and less once they are overloaded. It leaves jobs to others while a',
      'node does not answer, refuses, or lacks the state that a job needs; "heddle farm status" tells why.',
    )
    .examples(
      'heddle farm worker --redis redis://10.0.0.5 --url http://10.0.0.7:9545,http://10.0.0.8:9545',
      'heddle farm worker --data-dir archive-copy --genesis genesis.json',
    )
    .action((options: WorkerOptions) => work(options, context));
}

async function work(options: WorkerOptions, context: CommandContext): Promise<void> {
  const log = await createLogger(LOG);
  const name = expectRunName(options.name ?? defaultName());
  const token = tokenOf(options, context);
  const redis = await openRedis(options.redis, context, {
    patienceMs: options.patience * 1_000,
    onChange: (state, why) => {
      if (state === 'back') log.info({}, 'Redis answers again');
      else log.warn({}, state === 'lost' ? `Redis does not answer: ${why}` : `Redis refuses results: ${why}`);
    },
  });
  const node = await ownNode(options, context, log).catch((error: unknown) => {
    redis.close();
    throw error;
  });
  const signals = watchSignals((signal, isFirst) => {
    if (!isFirst) log.warn({ signal }, 'ended at once; others take over the jobs in progress');
  });
  try {
    const urls =
      node === undefined ? (options.url ?? [urlOrDefault(undefined, context.environment)]) : [node.url];
    const { concurrency, jobs: jobsAtOnce, lease } = options;
    const worker = new FarmWorker({
      redis,
      name,
      concurrency,
      jobsAtOnce,
      leaseMs: lease * 1_000,
      log,
      nodes: urls.map((url) => ({ url, token: node === undefined ? token : undefined })),
    });
    const metrics = await serveMetrics(worker, options, log);
    log.info({ name, nodes: urls.map((url) => new URL(url).origin), redis: redis.name }, 'waiting for jobs');
    try {
      await Promise.race([worker.run(signals.first), failureOf(node)]);
    } finally {
      metrics?.close();
    }
    log.info({ name, ...worker.totals }, 'stopped');
  } finally {
    signals.forget();
    redis.close();
    await node?.stop();
  }
}

async function ownNode(
  { dataDir, genesis, workers }: WorkerOptions,
  { environment, workingDirectory }: CommandContext,
  log: Logger,
): Promise<RunningNode | undefined> {
  if (dataDir === undefined) {
    if (genesis === undefined && workers === undefined) return undefined;
    throw new UsageError('--genesis and --workers need --data-dir');
  }
  const own = { 'data-dir': dataDir, host: '127.0.0.1', port: '0', 'paid-access': 'open' };
  const flags = defined({ ...own, genesis, workers });
  const config = loadConfig({ flags, environment, workingDirectory });
  const { startNode } = await import('../../node.js');
  const node = await startNode(config, log, { sealing: 'manual' });
  log.info({ url: node.url, data_dir: config.dataDir }, 'started the node in this process');
  return node;
}

/** Rejects if the node in this process cannot continue. */
async function failureOf(node: RunningNode | undefined): Promise<never> {
  const error = await (node?.failure ?? new Promise<never>(() => undefined));
  throw new CliError(`the node in this process stopped: ${error.message}`, { cause: error });
}

async function serveMetrics(
  worker: FarmWorker,
  { metrics }: WorkerOptions,
  log: Logger,
): Promise<{ close(): void } | undefined> {
  if (metrics === undefined) return undefined;
  const { serveWorkerMetrics } = await import('../../farm/metrics/worker-metrics.js');
  const served = await serveWorkerMetrics(worker, metrics);
  log.info({ url: served.url }, 'serving metrics');
  return served;
}

/** Host names of a fleet often differ at their end, and process ids in containers do not. */
function defaultName(): string {
  const host = hostname()
    .toLowerCase()
    .replace(/[^a-z0-9-]+/g, '-')
    .slice(-50)
    .replace(/^-+/, '');
  return `${host || 'worker'}-${randomBytes(3).toString('hex')}`;
}

function urls(text: string, before: readonly string[] = []): readonly string[] {
  const given = text.split(',').map((url) => url.trim());
  for (const url of given) {
    if (/^https?:\/\/[^/]/.test(url) && URL.canParse(url) && new URL(url).username === '') continue;
    throw new InvalidArgumentError(
      `expected URLs such as http://127.0.0.1:9545, without a user, got ${JSON.stringify(url)}`,
    );
  }
  return [...before, ...given];
}
