import type { SlicedWork } from '../async/sliced-work.js';
import type { Config } from '../config/config.js';
import { devV1Manifest } from '../generated/dev-v1.js';
import { nodeRpcV1Manifest } from '../generated/node-rpc-v1.js';
import { rpcMethods } from '../ledger/rpc-codecs.js';
import type { Logger } from '../log.js';
import type { Access } from '../rpc/access/access.js';
import { Discovery, readInterfaceTexts } from '../rpc/discovery.js';
import { bindNodeRpcV1, RpcFrontEnd } from '../rpc/front-end.js';
import type { MethodHandlers } from '../rpc/handlers.js';
import { AllowedHosts } from '../rpc/http/allowed-hosts.js';
import { readExplorerSite } from '../rpc/http/explorer-site.js';
import { TrustedProxies } from '../rpc/http/trusted-proxies.js';
import { localRpcUrl } from '../rpc/local-url.js';
import { bindDevV1, type DevHandlers } from '../rpc/methods/dev.js';
import type { RenderedMetrics } from '../rpc/metrics/node-metrics.js';
import type { RpcMetrics } from '../rpc/metrics/rpc-metrics.js';
import { KeptResults } from '../rpc/results/kept-results.js';
import type { SubscriptionMemory } from '../rpc/subscriptions/subscription-quota.js';
import type { Tracing } from '../rpc/tracing/tracing.js';
import { manifestLimits, possibleConnections } from './limits.js';

/** Creates the result cache of one thread, with its share of the configured size. */
export function createKeptResults(config: Config, metrics: RpcMetrics, threads: number): KeptResults {
  const { resultCacheBytes, maxAnswerBytes } = config;
  const maxBytes = Math.floor(resultCacheBytes / threads);
  const results = new KeptResults({ maxBytes, maxAnswerBytes, methods: rpcMethods });
  metrics.resultCache = results.cache;
  return results;
}

/** Creates the RPC front end of one thread, as configured. @throws HttpServerError `site_missing` */
export async function createFrontEnd(parts: {
  readonly config: Config;
  readonly log: Logger;
  readonly access: Access;
  readonly handlers: MethodHandlers;
  readonly devHandlers: DevHandlers;
  readonly hasControls: () => boolean;
  readonly metrics: RpcMetrics;
  readonly renderMetrics: () => Promise<RenderedMetrics>;
  readonly work: SlicedWork;
  readonly tracing: Tracing | undefined;
  /** Number of threads that share the limit of buffered answers. */
  readonly threads: number;
  /** The results kept in front of the handlers. */
  readonly results: KeptResults;
  /** The server's port; valid once it listens. */
  readonly port: () => number;
  /** Shared by the subscriptions of all threads. */
  readonly subscriptionMemory?: SubscriptionMemory;
}): Promise<RpcFrontEnd> {
  const { config, threads, results } = parts;
  const texts = await readInterfaceTexts();
  return new RpcFrontEnd({
    ...parts,
    interfaces: [bindNodeRpcV1(rpcMethods, results.over(parts.handlers)), bindDevV1(parts.devHandlers)],
    limits: {
      ...config,
      maxConnections: possibleConnections(config),
      maxBufferedBytes: Math.ceil(config.maxBufferedBytes / threads),
    },
    discovery: new Discovery({
      idl: texts.node_rpc_v1,
      manifest: nodeRpcV1Manifest,
      others: [{ name: 'dev_v1', idl: texts.dev_v1, manifest: devV1Manifest, isServed: parts.hasControls }],
      limits: manifestLimits(config),
      rpcUrl: () => localRpcUrl(parts.port(), config.baseUrl),
    }),
    slowCallMs: config.slowCallMs,
    explorer: config.explorer === 'on' ? await readExplorerSite() : undefined,
    baseUrl: config.baseUrl,
    cors: {
      origins: config.corsOrigins,
      // Developers run their pages on this machine; what such a chain holds is of no worth.
      localPages:
        config.validator === undefined && config.follow.length === 0 ? parts.hasControls : undefined,
    },
    allowedHosts: AllowedHosts.of(config.host, config.allowedHosts),
    trustedProxies: TrustedProxies.of(config.trustedProxies),
  });
}
