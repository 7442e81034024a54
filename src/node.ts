import { setTimeout as pause } from 'node:timers/promises';
import { collectGarbageWhenIdle } from './async/idle-gc.js';
import type { SlicedWork } from './async/sliced-work.js';
import type { ReportedFault } from './chain/faults/containment.js';
import type { PendingBlock } from './chain/pending-blocks.js';
import type { OpeningFault } from './chain/sealed/opening-attempts.js';
import type { Config } from './config/config.js';
import type { NativeChoice, NativeReport } from './config/native-mode.js';
import { packageVersion } from './config/package-info.js';
import { FollowerInfo } from './consensus/consensus-info.js';
import type { SealTiming } from './consensus/shell/commit-queue.js';
import type { Genesis } from './generated/ledger.js';
import { nodeRpcV1Manifest } from './generated/node-rpc-v1.js';
import { nextBaseFee } from './ledger/fees.js';
import { rpcMethods } from './ledger/rpc-codecs.js';
import type { Logger } from './log.js';
import type { RejectionReason } from './mempool/errors.js';
import { type NodeCore, openCore } from './node/core.js';
import { FailureSignal } from './node/failure-signal.js';
import { Faults } from './node/faults.js';
import { FrontThreads } from './node/front/front-threads.js';
import { type PublishedParts, publishChain } from './node/front/publish-chain.js';
import { publishedLimits, rpcLimits } from './node/limits.js';
import type { NodeContext, RunningServices, Upstream } from './node/node-context.js';
import { observeChain, observeFault, observeOpeningFault } from './node/observe-chain.js';
import { openAwaiting } from './node/open-awaiting.js';
import { nativeReport, openBase } from './node/open-base.js';
import { expectValidatorKey } from './node/open-certificates.js';
import { openFollower } from './node/open-follower.js';
import { openFollowing } from './node/open-following.js';
import { openValidator } from './node/open-validator.js';
import { Teardown } from './node/teardown.js';
import { expectFollowed, isFollower, ownGenesis } from './node/trust-anchor.js';
import { expectValidatorDirectory } from './node/validator/validator-files.js';
import { Access } from './rpc/access/access.js';
import { Discovery, readInterfaceText } from './rpc/discovery.js';
import { MainThreadScheduler } from './rpc/front/main-thread-scheduler.js';
import { bindNodeRpcV1, RpcFrontEnd } from './rpc/front-end.js';
import type { MethodHandlers } from './rpc/handlers.js';
import { AllowedHosts } from './rpc/http/allowed-hosts.js';
import type { HttpServer } from './rpc/http/http-server.js';
import { openHttpServer } from './rpc/http/open-http-server.js';
import { accountHandlers, pendingAccountLines } from './rpc/methods/accounts.js';
import { buildHandlers } from './rpc/methods/build.js';
import { bundleHandlers } from './rpc/methods/bundles.js';
import { callHandlers } from './rpc/methods/calls.js';
import { contractHandlers } from './rpc/methods/contracts.js';
import { epochHandlers } from './rpc/methods/epochs.js';
import { listingHandlers } from './rpc/methods/listings.js';
import { logHandlers } from './rpc/methods/logs.js';
import { poolHandlers } from './rpc/methods/pool.js';
import { proofHandlers } from './rpc/methods/proofs.js';
import { receiptHandlers } from './rpc/methods/receipts.js';
import { sealedHandlers } from './rpc/methods/sealed.js';
import { snapshotHandlers } from './rpc/methods/snapshots.js';
import { statusHandlers } from './rpc/methods/status.js';
import { transactionHandlers } from './rpc/methods/transactions.js';
import { EventLoopMonitor } from './rpc/metrics/event-loop-monitor.js';
import { watchMesh } from './rpc/metrics/mesh-metrics.js';
import { NodeMetrics } from './rpc/metrics/metrics.js';
import type { BoundInterface } from './rpc/rpc-interface.js';

/** A node that takes requests. */
export interface RunningNode {
  /** Where it listens, such as `http://127.0.0.1:9545`. */
  readonly url: string;
  /** Undefined on a follower that has to learn it from its first snapshot. */
  readonly chainId: bigint | undefined;
  /** 64 lowercase hex digits; undefined on a follower that has no chain yet. */
  readonly genesisHash: string | undefined;
  /** Whether it runs the development chain. */
  readonly devMode: boolean;
  /** Resolves with the reason when the node cannot go on; it still has to be stopped. */
  readonly failure: Promise<Error>;
  /** Takes no more requests, finishes the block under way, and closes everything in order. */
  stop(): Promise<void>;
  /**
   * Seals one block now; only with `sealing: 'manual'`.
   * @param timestampMs the block's time, milliseconds since 1970; raised to the parent's plus one where it is not after it
   */
  sealNow(timestampMs: number): Promise<void>;
}

/** What a program that embeds a node may set beside the configuration. */
export interface NodeOverrides {
  /** The node's clock, milliseconds since 1970. */
  readonly now?: () => number;
  /** `manual`: blocks are sealed by {@link RunningNode.sealNow} alone. */
  readonly sealing?: 'paced' | 'manual';
  /**
   * Whether the node becomes the last handler of its process for exceptions and rejections that nobody catches, for as long
   * as it runs. A program that embeds a node has its own.
   */
  readonly watchProcess?: boolean;
}

/** How long the parts of a node that did not start may take to end. */
const FAILED_START_GRACE_MS = 1_900;
/** How long answers under way may take while the node stops. */
const STOP_GRACE_MS = 500;

/**
 * Starts a node: opens its data directory, takes up the chain where it was, and listens.
 * @throws DataDirectoryError, StoreError, ChainError, ConfigError, ProofError, HttpServerError, each saying what to do
 */
export async function startNode(
  config: Config,
  log: Logger,
  overrides: NodeOverrides = {},
): Promise<RunningNode> {
  const teardown = new Teardown();
  const failing = new FailureSignal();
  try {
    return await failing.raceWithFailure(start(config, log, overrides, teardown, failing));
  } catch (error) {
    const ended = teardown.run().catch((err: unknown) => log.warn({ err }, 'a part could not be ended'));
    // A part that failed may not answer when it is told to end.
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
  expectValidatorDirectory(config);
  const startedAt = performance.now();
  const uptimeMs = () => performance.now() - startedAt;
  const { fail } = failing;
  const metrics = new NodeMetrics();
  teardown.add(() => metrics.stop());
  teardown.add(collectGarbageWhenIdle());
  const faults = new Faults({ log, fail, count: (origin) => metrics.faults.inc({ origin }) });
  let unwatch: () => void = () => undefined;
  // Ended last: what comes to light while the rest is being ended must not cut that short.
  teardown.add(() => unwatch());
  const watch = new EventLoopMonitor();
  teardown.add(() => watch.stop());
  const mainThreadWork = new MainThreadScheduler(config.maxCallWaitMs);
  const parts = new Map<string, NativeChoice>();
  const report = nativeReport(log, parts);
  metrics.describeBuild(packageVersion(), parts);
  const { maxConnections } = rpcLimits(config);
  if (maxConnections < config.maxConnections) {
    log.warn(
      { max_connections: maxConnections },
      `--max-connections is lowered from ${config.maxConnections}: the process may have too few descriptors (ulimit -n)`,
    );
  }
  const fronts =
    config.frontThreads === 0
      ? undefined
      : new FrontThreads({
          config,
          log,
          report,
          startedMs: performance.timeOrigin + startedAt,
          onFault: (error, where, origin) => faults.report(error, where, origin),
          onLost: fail,
        });
  teardown.add(() => fronts?.stop(0));
  const base = await openBase({ config, log, report, teardown });
  let opened: { readonly core: NodeCore; readonly published: PublishedParts } | undefined;
  const context: NodeContext = {
    config,
    log,
    report,
    base,
    now,
    sealing,
    uptimeMs,
    metrics,
    mainThreadWork,
    eventLoopLagMs: () => watch.longestTickMs(),
    failureMessage: () => failing.error?.message,
    fail,
    faults,
    onOpened:
      fronts === undefined
        ? undefined
        : (core, published) => {
            opened = { core, published };
            fronts.serve(published.chain);
          },
  };
  const serving = isFollower(config)
    ? await openFollowing(context, openParts, teardown)
    : await openSealingNode(context, teardown);
  const interfaces = [bindNodeRpcV1(rpcMethods, serving.handlers)];
  // Makes the token files that every thread reads.
  const access = await Access.open({ dataDirectory: config.dataDir, log });
  const render = async () => metrics.render(await fronts?.counts());
  const listening =
    fronts === undefined
      ? await listenHere({ config, log, report, access, interfaces, metrics, work: mainThreadWork.work })
      : {
          host: config.host,
          port: await fronts.listen({
            interfaces,
            pool: (name) => (name === 'reads' ? opened?.core.readers : opened?.core.workers),
            accounts: (addresses) => {
              if (opened === undefined)
                throw new Error('a front thread asks for accounts before there is a chain');
              return pendingAccountLines(opened.core, addresses);
            },
            answer: () => render(),
            scheduler: mainThreadWork,
            beforeAnswers: () => opened?.published.onPoolChanged(),
          }),
          stop: (graceMs: number) => fronts.stop(graceMs),
        };
  teardown.add(async () => {
    serving.releaseWaiters();
    await listening.stop(STOP_GRACE_MS);
  });

  if (watchProcess) unwatch = faults.watch(process);
  serving.start();
  return {
    url: `http://${listening.host.includes(':') ? `[${listening.host}]` : listening.host}:${listening.port}`,
    devMode: config.genesisFile === undefined && !isFollower(config),
    failure: failing.first,
    stop: () => teardown.run(),
    ...serving.chain(),
  };
}

/** Takes requests on this thread. */
async function listenHere(parts: {
  readonly config: Config;
  readonly log: Logger;
  readonly report: NativeReport;
  readonly access: Access;
  readonly interfaces: readonly BoundInterface[];
  readonly metrics: NodeMetrics;
  readonly work: SlicedWork;
}): Promise<HttpServer> {
  const { config, log, report, access, interfaces, metrics, work } = parts;
  const frontEnd = new RpcFrontEnd({
    interfaces,
    access,
    metrics: metrics.rpc,
    renderMetrics: () => metrics.render(),
    limits: rpcLimits(config),
    work,
    discovery: new Discovery({
      idl: await readInterfaceText(),
      manifest: nodeRpcV1Manifest,
      limits: publishedLimits(config),
    }),
    log,
    baseUrl: config.baseUrl,
    cors: { origins: config.corsOrigins },
    allowedHosts: AllowedHosts.of(config.host, config.allowedHosts),
  });
  return openHttpServer(
    { host: config.host, port: config.port, ...frontEnd.httpOptions },
    config.native,
    report,
  );
}

/** Opens a node that seals: at once, or after it got its state. */
function openSealingNode(context: NodeContext, teardown: Teardown): Promise<RunningServices> {
  const { config, base } = context;
  const genesis = ownGenesis(config, base.crypto);
  expectValidatorKey(config);
  return config.awaitSnapshot === undefined
    ? openParts(context, genesis, undefined, teardown)
    : openAwaiting(context, config.awaitSnapshot, genesis, openParts, teardown);
}

/** Opens the chain and everything that serves it. */
async function openParts(
  context: NodeContext,
  genesis: Genesis,
  upstream: Upstream | undefined,
  teardown: Teardown,
): Promise<RunningServices> {
  const { config, log, report, base, now, sealing, uptimeMs, metrics, fail, faults } = context;
  const onAtFault = (fault: ReportedFault) => observeFault(metrics.chain, log, fault);
  const onSealed = (block: PendingBlock, timing: SealTiming) =>
    observeChain(metrics.chain, log, block, timing);
  const onRefused = (reason: RejectionReason) => metrics.chain.refuse(reason);
  const onOpeningFault = (fault: OpeningFault) => observeOpeningFault(metrics.chain, log, fault);
  const core = await openCore(
    { config, log, report, teardown, now, onRefused, onOpeningFault, onFailure: fail, faults },
    base,
    genesis,
  );
  const following =
    upstream === undefined
      ? undefined
      : openFollower({ ...upstream, config, core, log, teardown, now, onApplied: onSealed, onFailure: fail });
  const shell =
    following === undefined
      ? await openValidator({
          config,
          core,
          log,
          report,
          teardown,
          now,
          sealing,
          onSealed,
          onAtFault,
          showCounts: (counts) => watchMesh(metrics.registry, counts),
          onInvalidProposal: (proposer) => metrics.chain.invalidProposals.inc({ validator: proposer }),
          onFailure: fail,
        })
      : undefined;
  metrics.chain.watch({
    height: () => core.chain.tip.header.height,
    baseFee: () => nextBaseFee(core.chain.tip.header),
    poolTransactions: () => core.pool.size,
    poolBytes: () => core.pool.stats().bytes,
    waiters: () => core.waiters.size,
    storeBytes: () => core.store.sizeBytes(),
    pendingBlocks: () => core.blockParts.pending.size,
    pendingBytes: () => core.blockParts.pending.bytes,
  });
  const handlers: MethodHandlers = {
    ...statusHandlers({
      version: packageVersion(),
      blockTimeMs: config.blockTimeMs,
      uptimeMs,
      now,
      eventLoopLagMs: context.eventLoopLagMs,
      sealingFailure: context.failureMessage,
      failingOpenings: () => core.blockParts.executor.openings.failing,
      ...(following === undefined ? {} : { following: () => following.follower.report() }),
      agreement: shell ?? new FollowerInfo(core.chain),
      ...core,
    }),
    ...accountHandlers({ ...config, ...core, work: context.mainThreadWork.work }),
    ...contractHandlers(core),
    ...buildHandlers(core),
    ...callHandlers(core),
    ...bundleHandlers({
      ...config,
      ...core,
      ...(following === undefined ? {} : { admission: following.forwarder }),
    }),
    ...sealedHandlers({
      ...core,
      ...(following === undefined ? {} : { admission: following.forwarder }),
    }),
    ...receiptHandlers(core),
    ...transactionHandlers({
      ...core,
      ...(following === undefined
        ? {}
        : {
            admission: following.forwarder,
            findUpstream: (hash: Uint8Array) => following.forwarder.find(hash),
          }),
    }),
    ...listingHandlers({ ...config, ...core }),
    ...logHandlers({ ...config, ...core }),
    ...snapshotHandlers({ maxPageSize: config.maxPageSize, ...core }),
    ...proofHandlers(core),
    ...epochHandlers(core),
    ...poolHandlers({ maxPageSize: config.maxPageSize, ...core }),
  };
  if (context.onOpened !== undefined) {
    const report = following === undefined ? undefined : () => following.follower.report();
    context.onOpened(
      core,
      publishChain({
        config,
        core,
        following: report,
        hasKey: () => shell?.epochKeyAvailable ?? true,
        teardown,
      }),
    );
  }
  return {
    handlers,
    start: () => {
      following?.follower.start();
      if (sealing === 'paced') shell?.start();
    },
    releaseWaiters: () => core.waiters.settleAll(),
    chain: () => ({
      chainId: core.chain.genesis.chain_id,
      genesisHash: Buffer.from(core.chain.genesisHash).toString('hex'),
      sealNow: (timestampMs) =>
        shell?.sealNow(timestampMs) ?? Promise.reject(new Error('a follower seals no blocks')),
    }),
  };
}
