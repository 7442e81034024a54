import { rpcMethods } from '../ledger/rpc-codecs.js';
import { Access } from '../rpc/access/access.js';
import { readInterfaceText } from '../rpc/discovery.js';
import { bindNodeRpcV1 } from '../rpc/front-end.js';
import type { MethodHandlers } from '../rpc/handlers.js';
import type { HttpServer } from '../rpc/http/http-server.js';
import { openHttpServer } from '../rpc/http/open-http-server.js';
import { createFrontEnd } from './create-front-end.js';
import type { FrontChain } from './front/front-chain.js';
import type { FrontThreads } from './front/front-threads.js';
import type { NodeContext } from './node-context.js';

export interface ListenerOptions
  extends Pick<NodeContext, 'config' | 'log' | 'report' | 'metrics' | 'mainThreadWork'> {
  readonly handlers: MethodHandlers;
  /** Undefined on a node that takes requests on the main thread. */
  readonly front: { readonly threads: FrontThreads; readonly chain: FrontChain } | undefined;
}

/** Takes requests, on the front threads or on the main thread. @throws HttpServerError */
export async function openListener(
  options: ListenerOptions,
): Promise<Pick<HttpServer, 'host' | 'port' | 'stop'>> {
  const { config, log, report, metrics, mainThreadWork, handlers, front } = options;
  // Creates the token files that every thread reads.
  const access = await Access.open({ dataDirectory: config.dataDir, log });
  if (front !== undefined) {
    const { threads, chain } = front;
    const port = await threads.listen({
      interfaces: [bindNodeRpcV1(rpcMethods, handlers)],
      pool: (name) => chain.pool(name),
      accounts: (addresses) => chain.accounts(addresses),
      answer: async () => metrics.render(await threads.counts()),
      scheduler: mainThreadWork,
      beforeAnswers: () => chain.onPoolChanged(),
    });
    return { host: config.host, port, stop: (graceMs) => threads.stop(graceMs) };
  }
  const frontEnd = createFrontEnd({
    ...{ config, log, access, handlers, work: mainThreadWork.work, threads: 1 },
    metrics: metrics.rpc,
    renderMetrics: () => metrics.render(),
    interfaceText: await readInterfaceText(),
  });
  const { host, port } = config;
  return openHttpServer({ host, port, ...frontEnd.httpOptions }, config.native, report);
}
