import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { named } from '../../async/thread-name.js';
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
  readonly #worker: Worker;
  readonly #exited: Promise<unknown>;
  #pending: PendingWrite[] = [];
  #failure: StoreError | undefined;
  #ending = false;

  private constructor(worker: Worker) {
    this.#worker = worker;
    this.#exited = new Promise((resolve) => {
      worker.once('exit', resolve);
    });
    worker.on('message', (reply: WriterReply) => this.#receive(reply));
    worker.on('error', (cause) =>
      this.#fail(new Error(`the writer thread failed: ${cause.message}`, { cause })),
    );
    worker.on('exit', () => {
      if (!this.#ending || this.#pending.length > 0)
        this.#fail(new Error('the writer thread ended unexpectedly'));
    });
  }

  /** Starts the thread and waits until it is attached to the database. */
  static async start(setup: WriterSetup): Promise<WriterThread> {
    const worker = new Worker(new URL('../../../workers/store-writer.js', import.meta.url), {
      ...named('store-writer'),
      workerData: setup,
      // The thread retains nothing from a batch, so the default nursery would waste memory.
      resourceLimits: { maxYoungGenerationSizeMb: 4 },
    });
    // Rejects if the thread fails before its first message.
    await once(worker, 'message');
    return new WriterThread(worker);
  }

  /** Sends an encoded batch and transfers its unshared buffers. Resolves once it is applied, and durable if `sync`. */
  write(batch: BatchPieces, sync: boolean): Promise<void> {
    return new Promise((resolve, reject) => {
      if (this.#failure !== undefined) {
        reject(this.#failure);
        return;
      }
      this.#pending.push({ resolve, reject });
      this.#post({ type: 'write', batch, sync }, unsharedBuffers(batch));
    });
  }

  /** Resolves once every write is answered and the thread has ended. */
  async end(): Promise<void> {
    this.#ending = true;
    this.#post({ type: 'end' });
    await this.#exited;
  }

  #post(request: WriterRequest, transfer: readonly ArrayBuffer[] = []): void {
    this.#worker.postMessage(request, transfer);
  }

  #receive(reply: WriterReply): void {
    if (reply.type === 'failed') this.#fail(new Error(reply.message));
    else if (reply.type === 'done') for (const { resolve } of this.#pending.splice(0, reply.count)) resolve();
  }

  #fail(cause: Error): void {
    this.#failure ??= writeFailure('the database', cause);
    const pending = this.#pending;
    this.#pending = [];
    for (const { reject } of pending) reject(this.#failure);
  }
}
