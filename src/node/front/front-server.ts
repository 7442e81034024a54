import { setImmediate as nextTick } from 'node:timers/promises';
import { SlicedWork } from '../../async/sliced-work.js';
import type { NativeChoice } from '../../config/native-mode.js';
import type { Crypto } from '../../crypto/crypto.js';
import type { Logger } from '../../log.js';
import { Access } from '../../rpc/access/access.js';
import type {
  FromFront,
  FrontFaultOrigin,
  FrontThreadData,
  ListenAt,
  ServedChain,
  ToFront,
} from '../../rpc/front/front-messages.js';
import { linkedAddressReports, linkedTokens, linkedUsage } from '../../rpc/front/linked-services.js';
import { MainLink } from '../../rpc/front/main-link.js';
import { serializeError } from '../../rpc/front/serialized-error.js';
import type { MethodHandlers } from '../../rpc/handlers.js';
import { ConnectionCount } from '../../rpc/http/connections.js';
import type { HttpServer } from '../../rpc/http/http-server.js';
import { openHttpServer } from '../../rpc/http/open-http-server.js';
import { CallsInFlight } from '../../rpc/limits/calls-in-flight.js';
import type { RenderedMetrics } from '../../rpc/metrics/node-metrics.js';
import { RpcMetrics, threadCounts } from '../../rpc/metrics/rpc-metrics.js';
import type { ThreadMonitor } from '../../rpc/metrics/thread-monitor.js';
import { ReplaceableHandlers } from '../../rpc/replaceable-handlers.js';
import type { KeptResults } from '../../rpc/results/kept-results.js';
import type { Tracing } from '../../rpc/tracing/tracing.js';
import { openReader } from '../../storage/open-store.js';
import type { StoreReader } from '../../storage/store.js';
import { accessRules } from '../access-rules.js';
import { configuredTracing } from '../configured-tracing.js';
import { createFrontEnd, createKeptResults } from '../create-front-end.js';
import { EventLink } from '../event-link.js';
import { forwardingDevHandlers, forwardingHandlers } from './forwarding.js';
import { frontHandlers } from './front-handlers.js';
import { FrontPending } from './front-pending.js';

/** Time limit for exporting the last spans; the main thread allows a stopping front thread more than that. */
const EXPORT_MS = 500;

export interface FrontServerOptions {
  readonly data: FrontThreadData;
  readonly crypto: Crypto;
  readonly log: Logger;
  readonly watch: ThreadMonitor;
  readonly send: (message: FromFront) => void;
  readonly onFault: (error: unknown, where: string, origin?: FrontFaultOrigin) => void;
}

/** A front thread's HTTP server, controlled by messages from the main thread. */
export class FrontServer {
  readonly #options: FrontServerOptions;
  readonly #link: MainLink;
  readonly #forward: MethodHandlers;
  readonly #handlers: ReplaceableHandlers<MethodHandlers>;
  readonly #metrics: RpcMetrics;
  readonly #work = new SlicedWork();
  readonly #events = new EventLink();
  readonly #pending: FrontPending;
  readonly #results: KeptResults;
  #server: HttpServer | undefined;
  #access: Access | undefined;
  #tracing: Tracing | undefined;
  #store: StoreReader | undefined;
  #hasControls = false;

  constructor(options: FrontServerOptions) {
    this.#options = options;
    const { data, send } = options;
    this.#link = new MainLink((requests) => send({ kind: 'requests', requests }));
    this.#pending = new FrontPending(send);
    this.#forward = forwardingHandlers(this.#link);
    this.#handlers = new ReplaceableHandlers(this.#forward);
    const { config, threads, callsInFlight, connections } = data;
    this.#metrics = new RpcMetrics(new CallsInFlight(callsInFlight), new ConnectionCount(connections));
    this.#results = createKeptResults(config, this.#metrics, threads);
  }

  /** Handles a message from the main thread. Never throws. */
  receive(message: ToFront): void {
    const { send, onFault, watch } = this.#options;
    switch (message.kind) {
      case 'answers':
        this.#link.onAnswers(message.answers);
        return;
      case 'serve':
        try {
          this.#serve(message.chain);
        } catch (error) {
          send({ kind: 'failed', error: serializeError(error) });
        }
        return;
      case 'listen':
        this.#listen(message.at).catch((error: unknown) =>
          send({ kind: 'not_listening', error: serializeError(error) }),
        );
        return;
      case 'count':
        send({ kind: 'counts', id: message.id, counts: threadCounts(this.#metrics, watch) });
        return;
      case 'pending':
        this.#pending.receive(message.transactions);
        return;
      case 'stop':
        this.#stop(message.graceMs).catch((error: unknown) => {
          onFault(error, 'a front thread stopped');
          send({ kind: 'stopped' });
        });
    }
  }

  /** Starts answering calls in this thread. */
  #serve(chain: ServedChain): void {
    const { data, crypto, onFault } = this.#options;
    const store = openReader(chain.store);
    this.#store = store;
    this.#hasControls = chain.hasControls;
    this.#handlers.replaceWith(
      frontHandlers({
        ...data,
        chain,
        store,
        crypto,
        onFault,
        work: this.#work,
        metrics: this.#metrics,
        link: this.#link,
        forward: this.#forward,
        results: this.#results,
        openEvents: (source) => this.#events.open({ ...source, pending: this.#pending }),
        uptimeMs: () => performance.timeOrigin + performance.now() - data.startedMs,
      }),
    );
  }

  async #listen({ host, port, shared }: ListenAt): Promise<void> {
    const { data, log, send } = this.#options;
    const { config, threads } = data;
    this.#tracing = await configuredTracing(config, log, `front-${data.index}`);
    const access = await Access.open({
      dataDirectory: config.dataDir,
      rules: accessRules(config),
      memory: data.access,
      service: linkedTokens(this.#link),
      usage: linkedUsage(this.#link),
      sharedAddresses: { reports: linkedAddressReports(this.#link), threads },
      log,
    });
    this.#access = access;
    const frontEnd = await createFrontEnd({
      config,
      log,
      access,
      threads,
      tracing: this.#tracing,
      handlers: this.#handlers.handlers,
      devHandlers: forwardingDevHandlers(this.#link),
      hasControls: () => this.#hasControls,
      metrics: this.#metrics,
      renderMetrics: () => this.#link.ask<RenderedMetrics>({ kind: 'metrics' }),
      work: this.#work,
      subscriptionMemory: data.subscriptions,
      results: this.#results,
      port: () => this.#server?.port ?? port,
    });
    this.#events.attach(frontEnd.events);
    let choice: NativeChoice | undefined;
    const options = { host, port, shared, ...frontEnd.httpOptions };
    this.#server = await openHttpServer(options, config.native, (made) => {
      choice = made;
    });
    send({ kind: 'listening', port: this.#server.port, choice });
  }

  async #stop(graceMs: number): Promise<void> {
    await this.#server?.stop(graceMs);
    await this.#access?.close();
    await this.#tracing?.stop(EXPORT_MS);
    await this.#store?.close();
    // The server's connections are closed in the next tick.
    await nextTick();
    this.#options.send({ kind: 'stopped' });
  }
}
