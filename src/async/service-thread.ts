import { type Transferable, Worker, type WorkerOptions } from 'node:worker_threads';
import { errorMessage } from '../base/errors.js';
import { named, type ThreadName } from './thread-name.js';

export interface ServiceThreadOptions<Reply, E extends Error> {
  readonly module: URL;
  readonly name: ThreadName;
  readonly worker: WorkerOptions;
  readonly onReply: (reply: Reply) => void;
  /** The error of a failed thread; `what` continues a sentence that begins with the thread's name. */
  readonly failure: (what: string, cause?: unknown) => E;
  /** The error of calls during and after a stop. */
  readonly stopped: () => E;
  /** Rejects the waiting calls. Called at least once, when the thread fails or ends. */
  readonly onEnd: (error: E) => void;
  /** Called once if the thread fails after it was ready. */
  readonly onFailure: ((error: E) => void) | undefined;
}

/** A worker thread that serves from its start until it is stopped or fails; a failed one is not replaced. */
export class ServiceThread<Request, Reply, Last, E extends Error> {
  readonly #worker: Worker;
  readonly #options: ServiceThreadOptions<Reply, E>;
  readonly #start: Promise<void>;
  #ready: { readonly resolve: () => void; readonly reject: (error: E) => void } | undefined;
  #onLast: ((last: Last | undefined) => void) | undefined;
  #stopping: Promise<Last | undefined> | undefined;
  #failure: E | undefined;

  constructor(options: ServiceThreadOptions<Reply, E>) {
    this.#options = options;
    this.#start = new Promise((resolve, reject) => {
      this.#ready = { resolve, reject };
    });
    this.#worker = new Worker(options.module, { ...named(options.name), ...options.worker });
    this.#worker.on('message', (reply: Reply) => {
      try {
        options.onReply(reply);
      } catch (error) {
        this.fail(`sent a message that cannot be handled: ${errorMessage(error)}`, error);
      }
    });
    this.#worker.on('error', (error: Error) => this.fail(`died: ${error.message}`, error));
    this.#worker.on('exit', (code) => {
      if (this.refusal === undefined) this.fail(`exited unexpectedly with code ${code}`);
      // A thread that dies while it stops has no last reply.
      this.#onLast?.(undefined);
      this.#end();
    });
  }

  /** Resolves once the thread has reported {@link ready}; rejects with its failure once it has ended. */
  async started(): Promise<void> {
    try {
      await this.#start;
    } catch (error) {
      await this.#worker.terminate();
      throw error;
    }
  }

  ready(): void {
    this.#ready?.resolve();
    this.#ready = undefined;
  }

  get refusal(): E | undefined {
    return this.#failure ?? (this.#stopping === undefined ? undefined : this.#options.stopped());
  }

  post(request: Request, transfer: readonly Transferable[] = []): void {
    this.#worker.postMessage(request, transfer);
  }

  /** Ends the thread; all calls reject with the failure. */
  fail(what: string, cause?: unknown): void {
    this.failWith(this.#options.failure(what, cause));
  }

  failWith(error: E): void {
    if (this.#failure !== undefined) return;
    this.#failure = error;
    const starting = this.#ready;
    this.#ready = undefined;
    starting?.reject(error);
    this.#end();
    this.#onLast?.(undefined);
    if (starting === undefined) this.#options.onFailure?.(error);
    void this.#worker.terminate();
  }

  /**
   * Has the thread finish the requests before this one, then ends it. New calls are refused at once.
   * @param request asks for the last reply, to be handed to {@link last}
   * @param before runs first, with the error that new calls get
   * @returns the last reply; undefined from a thread that failed
   */
  stop(request: Request, before?: (error: E) => Promise<void>): Promise<Last | undefined> {
    this.#stopping ??= this.#stop(request, before);
    return this.#stopping;
  }

  last(reply?: Last): void {
    this.#onLast?.(reply);
  }

  async #stop(request: Request, before?: (error: E) => Promise<void>): Promise<Last | undefined> {
    await before?.(this.refusal ?? this.#options.stopped());
    let last: Last | undefined;
    if (this.#failure === undefined) {
      last = await new Promise<Last | undefined>((resolve) => {
        this.#onLast = resolve;
        this.post(request);
      });
    }
    await this.#worker.terminate();
    this.#end();
    return last;
  }

  #end(): void {
    this.#options.onEnd(this.refusal ?? this.#options.stopped());
  }
}
