import { ServiceThread } from '../../async/service-thread.js';
import { createMailboxes } from '../../storage/fork-base/mailboxes.js';
import type { StateBaseHandle, StoreHandle } from '../../storage/store.js';
import { ForkError } from './fork-error.js';
import type { ForkReply, ForkRequest, ForkWorkerData } from './fork-messages.js';

type ForkData = Omit<ForkWorkerData, 'mailboxes'>;

/** The thread that reads the forked chain. */
export class ForkThread {
  readonly #mailboxes = createMailboxes();
  readonly #thread: ServiceThread<ForkRequest, ForkReply, undefined, ForkError>;
  /** Set once, before the thread is ready. */
  #cache: StoreHandle | undefined;
  /** Names that executions have missed, ascending by time. */
  #missed: Uint8Array[] = [];
  #flushes: { readonly resolve: () => void; readonly reject: (error: ForkError) => void }[] = [];

  private constructor(data: ForkData, onFailure: (error: ForkError) => void) {
    const workerData: ForkWorkerData = { ...data, mailboxes: this.#mailboxes };
    this.#thread = new ServiceThread({
      module: new URL('./fork-worker.js', import.meta.url),
      name: 'fork',
      worker: { workerData },
      onReply: (reply) => this.#receive(reply),
      failure: (what, cause) => new ForkError(`the thread that reads the forked chain ${what}`, { cause }),
      stopped: () => new ForkError('the thread that reads the forked chain has been stopped'),
      onEnd: (error) => {
        for (const { reject } of this.#flushes.splice(0)) reject(error);
      },
      onFailure,
    });
  }

  /** @throws ForkError */
  static async start(data: ForkData, onFailure: (error: ForkError) => void): Promise<ForkThread> {
    const thread = new ForkThread(data, onFailure);
    await thread.#thread.started();
    return thread;
  }

  get handle(): StateBaseHandle {
    if (this.#cache === undefined) throw new TypeError('the thread has not started');
    return { cache: this.#cache, mailboxes: this.#mailboxes };
  }

  /** Hides names from executions until the next call. @throws ForkError */
  async hide(names: readonly Uint8Array[]): Promise<void> {
    this.#thread.post({ type: 'copying', names });
    await this.#flush();
  }

  /** The names that executions have missed since the last call. @throws ForkError */
  async missed(): Promise<readonly Uint8Array[]> {
    await this.#flush();
    return this.#missed.splice(0);
  }

  async stop(): Promise<void> {
    await this.#thread.stop({ type: 'stop' });
  }

  #flush(): Promise<void> {
    const { refusal } = this.#thread;
    if (refusal !== undefined) return Promise.reject(refusal);
    return new Promise((resolve, reject) => {
      this.#flushes.push({ resolve, reject });
      this.#thread.post({ type: 'flush' });
    });
  }

  #receive(reply: ForkReply): void {
    switch (reply.type) {
      case 'ready':
        this.#cache = reply.cache;
        this.#thread.ready();
        break;
      case 'missed':
        this.#missed.push(reply.name);
        break;
      case 'flushed':
        this.#flushes.shift()?.resolve();
        break;
      case 'stopped':
        this.#thread.last();
    }
  }
}
