import { Worker } from 'node:worker_threads';
import { SlotPool } from '../../async/slot-pool.js';
import { named, type ThreadName } from '../../async/thread-name.js';
import type { AccessMemory } from '../../rpc/access/access.js';
import type {
  FromFront,
  FrontThreadData,
  ListenAt,
  ServedChain,
  ToFront,
} from '../../rpc/front/front-messages.js';
import { LinkServer, type LinkServerOptions } from '../../rpc/front/link-server.js';
import { deserializeError } from '../../rpc/front/serialized-error.js';
import { ConnectionCount } from '../../rpc/http/connections.js';
import { HttpServerError, listenError } from '../../rpc/http/http-server-error.js';
import { probePort } from '../../rpc/http/probe-port.js';
import type { ThreadCounts } from '../../rpc/metrics/rpc-metrics.js';
import { subscriptionMemory } from '../../rpc/subscriptions/subscription-quota.js';
import { disableWasmInlining } from '../../vm/thread-stack.js';
import { CONTRACT_STACK_MB } from '../../vm/wasm/engine-limits.js';
import type { NodeEnvironment } from '../core/core-options.js';
import type { PoolFeed } from '../pool-feed.js';
import { PendingSender } from './pending-sender.js';

/** The services behind the front threads, once open. */
export interface Backing extends Omit<LinkServerOptions, 'maxAnswerBytes' | 'log' | 'send'> {
  /** The feed of pending transactions; undefined before there is a chain. */
  readonly poolFeed: () => PoolFeed | undefined;
}

export interface FrontThreadsOptions extends NodeEnvironment {
  /** Start time of the node, milliseconds since 1970. */
  readonly startedMs: number;
  /** Shared by all threads for rate limits and tokens. */
  readonly access: AccessMemory;
}

/** Time that Prometheus metrics wait for a busy thread's counts; after that they show its last known counts. */
const COUNT_MS = 1_000;
/** Requests and answers are short-lived, so the default would only triple the memory. */
const YOUNG_GENERATION_MB = 16;
const PORT_ATTEMPTS = 5;
/** Time that a thread gets to stop, beyond the grace period for its answers. */
const STOP_MARGIN_MS = 750;

/**
 * The main thread's handle to the front threads. They start early, to be ready when the node is. A thread must not
 * exit while it has uWebSockets.js connections, because that aborts the process: only {@link stop} ends a thread,
 * after the thread reports that all its connections are closed.
 */
export class FrontThreads {
  readonly #options: FrontThreadsOptions;
  readonly #threads: FrontThread[];
  readonly #counts = new Map<FrontThread, ThreadCounts>();

  constructor(options: FrontThreadsOptions) {
    this.#options = options;
    const { config, startedMs, access } = options;
    disableWasmInlining();
    const callsInFlight = SlotPool.memory();
    const connections = ConnectionCount.memory();
    const subscriptions = subscriptionMemory();
    const threads = config.native === 'off' ? 1 : config.frontThreads;
    if (threads < config.frontThreads) this.#warnSingleThread();
    const shared = { threads, config, startedMs, callsInFlight, connections, subscriptions, access };
    this.#threads = Array.from(
      { length: threads },
      (_, index) => new FrontThread({ index, ...shared }, options),
    );
  }

  /** Lets the threads start answering calls by themselves. */
  serve(chain: ServedChain): void {
    for (const thread of this.#threads) thread.send({ kind: 'serve', chain });
  }

  /** Starts taking requests. @returns the port. @throws HttpServerError */
  async listen(backing: Backing): Promise<number> {
    const { host } = this.#options.config;
    const [first, ...others] = this.#threads;
    if (first === undefined) throw new Error('there are no front threads');
    const shared = others.length > 0;
    const listening = await this.#listenFirst(first, shared, backing);
    const { choice } = listening;
    if (choice !== undefined) this.#options.report(choice);
    if (shared && choice?.native === false) await this.#reduceToOne(others);
    const further = this.#threads.slice(1);
    await Promise.all(
      further.map((thread) => thread.listen({ host, port: listening.port, shared }, backing)),
    );
    return listening.port;
  }

  /** By thread name. */
  async counts(): Promise<ReadonlyMap<string, ThreadCounts>> {
    await Promise.all(
      this.#threads.map(async (thread) => {
        const counts = await thread.counts();
        if (counts !== undefined) this.#counts.set(thread, counts);
      }),
    );
    const named = new Map<string, ThreadCounts>();
    for (const thread of this.#threads) {
      const counts = this.#counts.get(thread);
      if (counts !== undefined) named.set(thread.name, counts);
    }
    return named;
  }

  /** Stops taking requests; answers in flight get `graceMs` to finish. */
  async stop(graceMs: number): Promise<void> {
    await Promise.all(this.#threads.map((thread) => thread.stop(graceMs)));
  }

  /** The library cannot share a port that it picked itself. Another process may take the one found here. */
  async #listenFirst(first: FrontThread, shared: boolean, backing: Backing): Promise<Listening> {
    const { host, port } = this.#options.config;
    for (let attempt = 1; ; attempt++) {
      const free = await freePort(host, port);
      try {
        return await first.listen({ host, port: shared ? free : port, shared }, backing);
      } catch (error) {
        const isTaken = error instanceof HttpServerError && error.code === 'port_in_use';
        if (!isTaken || port !== 0 || attempt === PORT_ATTEMPTS) throw error;
      }
    }
  }

  async #reduceToOne(others: readonly FrontThread[]): Promise<void> {
    this.#threads.splice(1);
    await Promise.all(others.map((thread) => thread.stop(0)));
    this.#warnSingleThread();
  }

  #warnSingleThread(): void {
    this.#options.log.warn(
      { front_threads: 1 },
      'one front thread takes all requests: without uWebSockets.js they cannot share a port',
    );
  }
}

interface Listening {
  readonly port: number;
  readonly choice: Extract<FromFront, { readonly kind: 'listening' }>['choice'];
}

class FrontThread {
  readonly name: ThreadName;
  readonly #worker: Worker;
  readonly #options: FrontThreadsOptions;
  readonly #counting = new Map<number, (counts: ThreadCounts) => void>();
  #server: LinkServer | undefined;
  #onListening: ((listening: Listening) => void) | undefined;
  #onRefused: ((error: Error) => void) | undefined;
  #onStopped: (() => void) | undefined;
  #stopping: Promise<void> | undefined;
  readonly #pending = new PendingSender((transactions) => this.send({ kind: 'pending', transactions }));
  #poolFeed: Backing['poolFeed'] = () => undefined;
  #isEnding = false;
  #failure: Error | undefined;
  #id = 0;

  constructor(data: FrontThreadData, options: FrontThreadsOptions) {
    this.#options = options;
    this.name = `front-${data.index}`;
    this.#worker = new Worker(new URL('./front-worker.js', import.meta.url), {
      ...named(this.name),
      workerData: data,
      // Cheap view calls run in the front thread.
      resourceLimits: { stackSizeMb: CONTRACT_STACK_MB, maxYoungGenerationSizeMb: YOUNG_GENERATION_MB },
    });
    this.#worker.on('message', (message: FromFront) => this.#onMessage(message));
    this.#worker.on('error', (error) => this.#onLost(error));
    this.#worker.on('exit', (code) => this.#onLost(new Error(`a front thread ended with ${code}`)));
  }

  send(message: ToFront): void {
    this.#worker.postMessage(message);
  }

  listen(at: ListenAt, backing: Backing): Promise<Listening> {
    if (this.#failure !== undefined) return Promise.reject(this.#failure);
    this.#poolFeed = backing.poolFeed;
    this.#server = new LinkServer({
      ...backing,
      maxAnswerBytes: this.#options.config.maxAnswerBytes,
      log: this.#options.log,
      send: (answers) => this.send({ kind: 'answers', answers }),
    });
    return new Promise((resolve, reject) => {
      this.#onListening = resolve;
      this.#onRefused = reject;
      this.send({ kind: 'listen', at });
    });
  }

  counts(): Promise<ThreadCounts | undefined> {
    this.#id++;
    const id = this.#id;
    return new Promise((resolve) => {
      const settle = (counts: ThreadCounts | undefined) => {
        clearTimeout(timer);
        this.#counting.delete(id);
        resolve(counts);
      };
      const timer = setTimeout(() => settle(undefined), COUNT_MS);
      this.#counting.set(id, settle);
      this.send({ kind: 'count', id });
    });
  }

  /** Ends the thread once its connections are closed; one that takes long stays until the process ends. */
  stop(graceMs: number): Promise<void> {
    this.#stopping ??= this.#stop(graceMs);
    return this.#stopping;
  }

  async #stop(graceMs: number): Promise<void> {
    if (this.#isEnding) return;
    const isClosed = await new Promise<boolean>((resolve) => {
      let timer = setTimeout(() => {
        // Begins only now, so that a main thread that stood still reads the thread's last messages first.
        timer = setTimeout(resolve, STOP_MARGIN_MS, false);
      }, graceMs);
      this.#onStopped = () => {
        clearTimeout(timer);
        resolve(true);
      };
      this.send({ kind: 'stop', graceMs });
    });
    this.#isEnding = true;
    this.#server?.close();
    this.#poolFeed()?.remove(this.#pending.onTransactions);
    if (isClosed) await this.#worker.terminate();
    else this.#worker.unref();
  }

  #onMessage(message: FromFront): void {
    switch (message.kind) {
      case 'requests':
        this.#server?.receive(message.requests);
        return;
      case 'listening':
        this.#onListening?.(message);
        return;
      case 'not_listening':
        this.#onRefused?.(deserializeError(message.error));
        return;
      case 'failed':
        this.#fail(deserializeError(message.error));
        return;
      case 'counts':
        this.#counting.get(message.id)?.(message.counts);
        return;
      case 'stopped':
        this.#onStopped?.();
        return;
      case 'watch_pending':
        if (message.on) this.#poolFeed()?.add(this.#pending.onTransactions);
        else this.#poolFeed()?.remove(this.#pending.onTransactions);
        return;
      case 'pending_taken':
        this.#pending.onTaken();
        return;
      case 'fault':
        this.#options.faults.report(deserializeError(message.error), message.where, message.origin);
    }
  }

  /** Marks the thread as failed. It may have connections, so it is stopped like any other. */
  #fail(cause: Error): void {
    if (this.#isEnding || this.#failure !== undefined) return;
    const message = `the thread ${this.name} cannot serve: ${cause.message}`;
    this.#failure = new HttpServerError('unavailable', message, { cause });
    this.#onRefused?.(this.#failure);
    this.#options.fail(this.#failure);
  }

  #onLost(error: Error): void {
    if (this.#isEnding) return;
    this.#fail(error);
    this.#isEnding = true;
    this.#onStopped?.();
  }
}

/**
 * A free port for port 0, else the given port after a check. The front threads bind with port sharing, which never fails
 * on a port in use, so this check binds without sharing first.
 * @throws HttpServerError
 */
async function freePort(host: string, port: number): Promise<number> {
  try {
    return await probePort(host, port);
  } catch (error) {
    throw listenError(host, port, error);
  }
}
