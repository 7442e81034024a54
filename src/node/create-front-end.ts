import type { SlicedWork } from '../async/sliced-work.js';
import type { Config } from '../config/config.js';
import { nodeRpcV1Manifest } from '../generated/node-rpc-v1.js';
import { rpcMethods } from '../ledger/rpc-codecs.js';
import type { Logger } from '../log.js';
import type { Access } from '../rpc/access/access.js';
import { Discovery } from '../rpc/discovery.js';
import { bindNodeRpcV1, RpcFrontEnd } from '../rpc/front-end.js';
import type { MethodHandlers } from '../rpc/handlers.js';
import { AllowedHosts } from '../rpc/http/allowed-hosts.js';
import type { RenderedMetrics } from '../rpc/metrics/metrics.js';
import type { RpcMetrics } from '../rpc/metrics/rpc-metrics.js';
import { publishedLimits, rpcLimits } from './limits.js';

/** Creates the RPC front end of one thread, as configured. */
export function createFrontEnd(parts: {
  readonly config: Config;
  readonly log: Logger;
  readonly access: Access;
  readonly handlers: MethodHandlers;
  readonly metrics: RpcMetrics;
  readonly renderMetrics: () => Promise<RenderedMetrics>;
  readonly work: SlicedWork;
  /** Number of threads that share the limit of buffered answers. */
  readonly threads: number;
  /** The IDL's text; see `readInterfaceText`. */
  readonly interfaceText: string;
}): RpcFrontEnd {
  const { config, log, access, metrics, renderMetrics, work, threads } = parts;
  const limits = rpcLimits(config);
  return new RpcFrontEnd({
    ...{ log, access, metrics, renderMetrics, work },
    interfaces: [bindNodeRpcV1(rpcMethods, parts.handlers)],
    limits: { ...limits, maxBufferedBytes: Math.ceil(limits.maxBufferedBytes / threads) },
    discovery: new Discovery({
      idl: parts.interfaceText,
      manifest: nodeRpcV1Manifest,
      limits: publishedLimits(config),
    }),
    baseUrl: config.baseUrl,
    cors: { origins: config.corsOrigins },
    allowedHosts: AllowedHosts.of(config.host, config.allowedHosts),
  });
}
