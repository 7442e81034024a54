import { ServiceThread } from '../../async/service-thread.js';
import { writeFailure } from '../disk-full.js';
import type { StoreError } from '../store-error.js';
import { type BatchPieces, unsharedBuffers } from '../write-batch.js';
import type { WriterReply, WriterRequest, WriterSetup } from './write-loop.js';

interface PendingWrite {
  readonly resolve: () => void;
  readonly reject: (error: StoreError) => void;
}

/** The owner's side of the RocksDB writer thread (the thread's side: write-loop.ts). */
export class WriterThread {
  readonly #thread: ServiceThread<WriterRequest, WriterReply, void, Error>;
  #pending: PendingWrite[] = [];
  #failure: StoreError | undefined;

  private constructor(setup: WriterSetup) {
    this.#thread = new ServiceThread({
      module: new URL('../../../workers/store-writer.js', import.meta.url),
      name: 'store-writer',
      // The thread retains nothing from a batch, so the default nursery would waste memory.
      worker: { workerData: setup, resourceLimits: { maxYoungGenerationSizeMb: 4 } },
      onReply: (reply) => this.#receive(reply),
      failure: (what, cause) => new Error(`the writer thread ${what}`, { cause }),
      stopped: () => new Error('the writer thread was stopped'),
      onEnd: (error) => this.#fail(error),
      onFailure: undefined,
    });
  }

  /** Starts the thread and waits until it is attached to the database. @throws Error */
  static async start(setup: WriterSetup): Promise<WriterThread> {
    const writer = new WriterThread(setup);
    await writer.#thread.started();
    return writer;
  }

  /** Sends an encoded batch and transfers its unshared buffers. Resolves once it is applied, and durable if `sync`. */
  write(batch: BatchPieces, sync: boolean): Promise<void> {
    return new Promise((resolve, reject) => {
      if (this.#failure !== undefined) {
        reject(this.#failure);
        return;
      }
      this.#pending.push({ resolve, reject });
      this.#thread.post({ type: 'write', batch, sync }, unsharedBuffers(batch));
    });
  }

  /** Resolves once every write is answered and the thread has ended. */
  async end(): Promise<void> {
    await this.#thread.stop({ type: 'end' });
  }

  #receive(reply: WriterReply): void {
    if (reply.type === 'ready') this.#thread.ready();
    else if (reply.type === 'failed') this.#fail(new Error(reply.message));
    else for (const { resolve } of this.#pending.splice(0, reply.count)) resolve();
  }

  #fail(cause: Error): void {
    this.#failure ??= writeFailure('the database', cause);
    const pending = this.#pending;
    this.#pending = [];
    for (const { reject } of pending) reject(this.#failure);
  }
}
