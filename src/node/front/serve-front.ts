import { setImmediate as nextTick } from 'node:timers/promises';
import type { MessagePort } from 'node:worker_threads';
import { collectGarbageWhenIdle } from '../../async/idle-gc.js';
import { SlicedWork } from '../../async/sliced-work.js';
import type { NativeChoice } from '../../config/native-mode.js';
import { loadCrypto } from '../../crypto/load-crypto.js';
import { nodeRpcV1Manifest } from '../../generated/node-rpc-v1.js';
import { setMaxResponseBytes } from '../../ledger/response-limit.js';
import { rpcMethods } from '../../ledger/rpc-codecs.js';
import { createLogger } from '../../log.js';
import { Access } from '../../rpc/access/access.js';
import { Discovery, readInterfaceText } from '../../rpc/discovery.js';
import { MainLink } from '../../rpc/front/main-link.js';
import type {
  FromFront,
  FrontFaultOrigin,
  FrontThreadData,
  ListenAt,
  ServedChain,
  ToFront,
} from '../../rpc/front/messages.js';
import { serializeError } from '../../rpc/front/serialized-error.js';
import { bindNodeRpcV1, RpcFrontEnd } from '../../rpc/front-end.js';
import { AllowedHosts } from '../../rpc/http/allowed-hosts.js';
import { ConnectionCount } from '../../rpc/http/connections.js';
import type { HttpServer } from '../../rpc/http/http-server.js';
import { openHttpServer } from '../../rpc/http/open-http-server.js';
import { CallsInFlight } from '../../rpc/limits/calls-in-flight.js';
import type { RenderedMetrics } from '../../rpc/metrics/metrics.js';
import { RpcMetrics, threadCounts } from '../../rpc/metrics/rpc-metrics.js';
import { ThreadMonitor } from '../../rpc/metrics/thread-monitor.js';
import { ReplaceableHandlers } from '../../rpc/replaceable-handlers.js';
import { openReader } from '../../storage/open-store.js';
import type { StoreReader } from '../../storage/store.js';
import { publishedLimits, rpcLimits } from '../limits.js';
import { forwardingHandlers } from './forwarding.js';
import { frontHandlers } from './front-handlers.js';

/**
 * What a front thread does: takes HTTP requests, and answers them by itself or has the main thread or the execution pool do so.
 * No error leaves it: a thread that ends while uWebSockets.js has connections there aborts the process.
 */
export async function serveFront(port: MessagePort, data: FrontThreadData): Promise<void> {
  const { config } = data;
  const send = (message: FromFront) => port.postMessage(message);
  const fault = (error: unknown, where: string, origin: FrontFaultOrigin = 'callback') =>
    send({ kind: 'fault', where, origin, error: serializeError(error) });
  process.on('uncaughtException', (error) => fault(error, 'nobody waited for it', 'uncaught_exception'));
  process.on('unhandledRejection', (error) => fault(error, 'nobody waited for it', 'unhandled_rejection'));
  setMaxResponseBytes(config.maxAnswerBytes);
  const watch = new ThreadMonitor();
  collectGarbageWhenIdle();

  const link = new MainLink((requests) => send({ kind: 'requests', requests }));
  const forward = forwardingHandlers(link);
  const handlers = new ReplaceableHandlers(forward);
  const metrics = new RpcMetrics(
    new CallsInFlight(data.callsInFlight),
    new ConnectionCount(data.connections),
  );
  const [crypto, log, interfaceText] = await Promise.all([
    loadCrypto(config.native),
    createLogger(config),
    readInterfaceText(),
  ]);
  let server: HttpServer | undefined;
  let store: StoreReader | undefined;
  const work = new SlicedWork();

  const serve = (chain: ServedChain) => {
    store = openReader(chain.store);
    handlers.replaceWith(
      frontHandlers({
        ...data,
        work,
        metrics,
        chain,
        store,
        crypto,
        link,
        forward,
        uptimeMs: () => performance.timeOrigin + performance.now() - data.startedMs,
        onFault: fault,
      }),
    );
  };
  const listen = async ({ host, port: at, shared }: ListenAt) => {
    const limits = rpcLimits(config);
    const frontEnd = new RpcFrontEnd({
      interfaces: [bindNodeRpcV1(rpcMethods, handlers.handlers)],
      access: await Access.open({ dataDirectory: config.dataDir, log }),
      metrics,
      renderMetrics: async () => (await link.ask({ kind: 'metrics' })) as RenderedMetrics,
      limits: { ...limits, maxBufferedBytes: Math.ceil(limits.maxBufferedBytes / data.threads) },
      discovery: new Discovery({
        idl: interfaceText,
        manifest: nodeRpcV1Manifest,
        limits: publishedLimits(config),
      }),
      log,
      work,
      baseUrl: config.baseUrl,
      cors: { origins: config.corsOrigins },
      allowedHosts: AllowedHosts.of(config.host, config.allowedHosts),
    });
    let choice: NativeChoice | undefined;
    server = await openHttpServer(
      { host, port: at, shared, ...frontEnd.httpOptions },
      config.native,
      (made) => {
        choice = made;
      },
    );
    send({ kind: 'listening', port: server.port, choice });
  };
  const stop = async (graceMs: number) => {
    await server?.stop(graceMs);
    await store?.close();
    // What the server closed is gone with the next turn.
    await nextTick();
    send({ kind: 'stopped' });
  };

  port.on('message', (message: ToFront) => {
    switch (message.kind) {
      case 'answers':
        link.onAnswers(message.answers);
        return;
      case 'serve':
        try {
          serve(message.chain);
        } catch (error) {
          send({ kind: 'failed', error: serializeError(error) });
        }
        return;
      case 'listen':
        listen(message.at).catch((error: unknown) =>
          send({ kind: 'not_listening', error: serializeError(error) }),
        );
        return;
      case 'count':
        send({
          kind: 'counts',
          id: message.id,
          counts: threadCounts(metrics, watch),
        });
        return;
      case 'stop':
        stop(message.graceMs).catch((error: unknown) => {
          fault(error, 'a front thread stopped');
          send({ kind: 'stopped' });
        });
    }
  });
}
