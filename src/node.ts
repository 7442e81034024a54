import { setTimeout as pause } from 'node:timers/promises';
import { collectGarbageWhenIdle } from './async/idle-gc.js';
import type { Config } from './config/config.js';
import type { NativeChoice } from './config/native-mode.js';
import { packageVersion } from './config/package-info.js';
import type { Logger } from './log.js';
import { configuredTracing } from './node/configured-tracing.js';
import { CheckpointRequests } from './node/control/checkpoint-requests.js';
import { openControl } from './node/control/control-server.js';
import { expectValidatorKey } from './node/core/open-chain-services.js';
import { createKeptResults } from './node/create-front-end.js';
import { expectDevChain } from './node/dev/dev-chain.js';
import { EventLink } from './node/event-link.js';
import { FailureSignal } from './node/failure-signal.js';
import { FAULT_ORIGINS, Faults } from './node/faults.js';
import { openFollowing } from './node/follower/open-following.js';
import { expectFollowed, isFollower, ownGenesis } from './node/follower/trust-anchor.js';
import { expectForkAlone, openFork } from './node/fork/open-fork.js';
import { FrontChain } from './node/front/front-chain.js';
import { FrontThreads } from './node/front/front-threads.js';
import { possibleConnections } from './node/limits.js';
import type { NodeContext, RunningServices } from './node/node-context.js';
import { openAwaiting } from './node/open-awaiting.js';
import { nativeReport, openBase } from './node/open-base.js';
import { openListener } from './node/open-listener.js';
import { openParts } from './node/open-parts.js';
import { openTokens } from './node/open-tokens.js';
import { Teardown } from './node/teardown.js';
import { expectValidatorDirectory } from './node/validator/validator-files.js';
import { accessMemory } from './rpc/access/access.js';
import { MainThreadScheduler } from './rpc/front/main-thread-scheduler.js';
import { tokenUsageHandlers } from './rpc/methods/token-usage.js';
import { NodeMetrics } from './rpc/metrics/node-metrics.js';
import { RecentTicks } from './rpc/metrics/thread-monitor.js';

/** A running node that takes requests. */
export interface RunningNode {
  /** The address the node listens on, such as `http://127.0.0.1:9545`. */
  readonly url: string;
  /** Undefined on a follower that learns the chain id from its first snapshot. */
  readonly chainId: bigint | undefined;
  /** 64 lowercase hex digits; undefined on a follower that has no chain yet. */
  readonly genesisHash: string | undefined;
  readonly devMode: boolean;
  /** Addresses of the accounts that a development chain began with, by index; empty on other chains. */
  readonly devAccounts: readonly Uint8Array[];
  /** An account's balance at the tip; undefined while the node has no chain. */
  balanceOf(address: Uint8Array): bigint | undefined;
  /** Resolves with the reason when the node cannot continue; the caller must still stop it. */
  readonly failure: Promise<Error>;
  /** Stops taking requests, finishes the block in progress, and closes every part in order. */
  stop(): Promise<void>;
  /**
   * Seals one block now; only with `sealing: 'manual'`.
   * @param timestampMs the block's time, milliseconds since 1970; raised to the parent's time plus one if it is not
   * later
   */
  sealNow(timestampMs: number): Promise<void>;
}

/** Settings that an embedding program passes in addition to the configuration. */
export interface NodeOverrides {
  /** The node's clock, milliseconds since 1970. */
  readonly now?: () => number;
  /** `manual`: only {@link RunningNode.sealNow} seals blocks. */
  readonly sealing?: 'paced' | 'manual';
  /**
   * Whether the node handles the process's uncaught exceptions and rejections while it runs. Default false, for
   * programs that embed a node and have their own handlers.
   */
  readonly watchProcess?: boolean;
}

/** Time within which the parts of a node that failed to start should end. */
const FAILED_START_GRACE_MS = 1_900;
/** Time that answers in flight get to finish while the node stops. */
const STOP_GRACE_MS = 500;
/** Time limit for exporting the last spans. */
const EXPORT_MS = 2_000;

/**
 * Starts a node: opens its data directory, resumes its chain, and listens.
 * @throws DataDirectoryError, StoreError, ChainError, ConfigError, ProofError, HttpServerError; the message names the
 * remedy
 */
export async function startNode(
  config: Config,
  log: Logger,
  overrides: NodeOverrides = {},
): Promise<RunningNode> {
  const teardown = new Teardown();
  const failing = new FailureSignal();
  const starting = start(config, log, overrides, teardown, failing);
  try {
    return await failing.raceWithFailure(starting);
  } catch (error) {
    // A database that is still open at exit can abort the process, so parts that are starting end first.
    const ended = Promise.allSettled([starting])
      .then(() => teardown.run())
      .catch((err: unknown) => log.warn({ err }, 'a part failed to stop'));
    // A failed part may not answer when it is told to end.
    await Promise.race([ended, pause(FAILED_START_GRACE_MS, undefined, { ref: false })]);
    throw error;
  }
}

async function start(
  config: Config,
  log: Logger,
  { now = Date.now, sealing = 'paced', watchProcess = false }: NodeOverrides,
  teardown: Teardown,
  failing: FailureSignal,
): Promise<RunningNode> {
  expectFollowed(config);
  expectForkAlone(config);
  expectDevChain(config);
  expectValidatorDirectory(config);
  const startedAt = performance.now();
  const metrics = new NodeMetrics();
  teardown.add(() => metrics.stop());
  teardown.add(collectGarbageWhenIdle());
  const { fail } = failing;
  const faults = new Faults({ log, fail, count: (origin) => metrics.faults.inc({ origin }) });
  for (const origin of FAULT_ORIGINS) metrics.faults.inc({ origin }, 0);
  // Ended last, so that a late exception cannot cut the teardown short.
  const watching = new Teardown();
  teardown.add(() => watching.run());
  const watch = new RecentTicks();
  teardown.add(() => watch.stop());
  const mainThreadWork = new MainThreadScheduler(config.maxCallWaitMs);
  const choices = new Map<string, NativeChoice>();
  const report = nativeReport(log, choices);
  metrics.describeBuild(packageVersion(), choices);
  warnOfFewDescriptors(config, log);
  const tracing = await configuredTracing(config, log, 'main');
  teardown.add(() => tracing?.stop(EXPORT_MS));
  const startedMs = performance.timeOrigin + startedAt;
  const memory = accessMemory();
  const environment = { config, log, report, teardown, fail, faults, now };
  const front =
    config.frontThreads === 0
      ? undefined
      : new FrontChain(new FrontThreads({ ...environment, startedMs, access: memory }));
  teardown.add(() => front?.threads.stop(0));
  const results = createKeptResults(config, metrics.rpc, 1);
  const own = await openBase(environment);
  failing.throwIfFailed();
  const fork = isFollower(config) ? undefined : await openFork({ ...environment, base: own });
  const base = fork?.base ?? own;
  const context: NodeContext = {
    ...environment,
    sealing,
    metrics,
    tracing,
    mainThreadWork,
    results,
    base,
    fork,
    uptimeMs: () => performance.now() - startedAt,
    eventLoopLagMs: () => watch.longestMs(),
    failureMessage: () => failing.error?.message,
    front,
    events: new EventLink(),
  };
  const serving = isFollower(config) ? await openFollowing(context) : await openSealingNode(context);
  const controls = () => serving.controls();
  const tokens = await openTokens(context, memory);
  const { usage } = tokens;
  const handlers = {
    ...serving.handlers,
    ...tokenUsageHandlers({ usage, now, maxPageSize: config.maxPageSize }),
  };
  const checkpoints = new CheckpointRequests(() => serving.checkpointParts());
  teardown.add(await openControl(context, { tokens: tokens.manager, usage, checkpoints }));
  const listening = await openListener(context, { handlers, controls, tokens, accessMemory: memory });
  teardown.add(async () => {
    serving.releaseWaiters();
    await listening.stop(STOP_GRACE_MS);
  });

  if (watchProcess) watching.add(faults.watch(process));
  await serving.start();
  return {
    url: `http://${listening.host.includes(':') ? `[${listening.host}]` : listening.host}:${listening.port}`,
    devMode: config.genesisFile === undefined && !isFollower(config),
    failure: failing.first,
    stop: () => teardown.run(),
    ...serving.chain(),
  };
}

function warnOfFewDescriptors(config: Config, log: Logger): void {
  const maxConnections = possibleConnections(config);
  if (maxConnections >= config.maxConnections) return;
  log.warn(
    { max_connections: maxConnections },
    `--max-connections is lowered from ${config.maxConnections}: the process may have too few descriptors (ulimit -n)`,
  );
}

/** Opens a node that seals, at once or after it has received its state. */
async function openSealingNode(context: NodeContext): Promise<RunningServices> {
  const { config, base } = context;
  const genesis = context.fork?.genesis ?? (await ownGenesis(config, base.crypto, base.store));
  expectValidatorKey(config);
  return config.awaitSnapshot === undefined
    ? openParts(context, genesis)
    : openAwaiting(context, config.awaitSnapshot, genesis);
}
