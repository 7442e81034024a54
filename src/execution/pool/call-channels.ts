import type { BatchWorkers } from '../calls/call-scheduler.js';
import type { CallTasks } from '../calls/call-tasks.js';
import { Cancellation } from '../cancellation.js';
import { ExecutionError } from '../execution-error.js';
import type { RunOptions, TaskWorkers } from '../task-runner.js';
import { ChannelClient, createChannelMemory, MAX_REQUEST_BYTES } from './call-channel.js';
import type { ChannelTasks } from './execution-tasks.js';

/** The workers that serve channels: a pool, or its proxy in another thread. */
export type ChannelWorkers = TaskWorkers<Pick<CallTasks, 'calls'> & ChannelTasks>;

/** A channel and its batch in flight. */
interface Channel {
  readonly memory: SharedArrayBuffer;
  readonly client: ChannelClient;
  /** Whether a worker serves it, or is about to. */
  isServed: boolean;
  /** Ends the task that serves it, together with its worker. */
  serving: Cancellation;
  batch: ChannelBatch | undefined;
  /** Parts received of a result that comes in parts. */
  parts: string[];
}

interface ChannelBatch {
  readonly encoded: Uint8Array;
  readonly cancellation: Cancellation | undefined;
  readonly resolve: (answers: string) => void;
  readonly reject: (error: unknown) => void;
}

/** Interval at which channels with a batch in flight are polled without a notification, in milliseconds. */
const POLL_MS = 20;

/**
 * Sends batches of calls to the workers through shared memory (see `call-channel.ts`). A worker serves a channel in
 * an ordinary task, which ends when the channel is idle for some milliseconds or other tasks wait. Only the first
 * batch needs a message and has to wake a thread, which costs more than a short batch.
 *
 * Hot: guarded by `bench/view-call-pool.bench.ts`.
 */
export class CallChannels implements BatchWorkers {
  readonly workers: number;
  readonly #pool: ChannelWorkers;
  readonly #channels: Channel[] = [];
  #isPolling = false;
  #watch: NodeJS.Timeout | undefined;

  constructor(pool: ChannelWorkers) {
    this.#pool = pool;
    this.workers = pool.workers;
  }

  /** Answers a batch in a worker, as `pool.run('calls', …)` does. @throws ExecutionError */
  run(_kind: 'calls', encoded: Uint8Array, options: RunOptions = {}): Promise<string> {
    if (encoded.length > MAX_REQUEST_BYTES) return this.#pool.run('calls', encoded, options);
    return new Promise((resolve, reject) => {
      const channel = this.#freeChannel();
      const { cancellation } = options;
      channel.batch = { encoded, cancellation, resolve, reject };
      cancellation?.onCancel(() => channel.serving.cancel());
      channel.client.send(encoded);
      if (!channel.isServed) void this.#serve(channel);
      this.#schedulePoll();
      this.#watch ??= this.#startWatch();
    });
  }

  #freeChannel(): Channel {
    // Prefers a channel that is being served.
    const free =
      this.#channels.find(({ batch, isServed }) => batch === undefined && isServed) ??
      this.#channels.find(({ batch }) => batch === undefined);
    if (free !== undefined) return free;
    const memory = createChannelMemory();
    const channel: Channel = {
      memory,
      client: new ChannelClient(memory),
      isServed: false,
      serving: new Cancellation(),
      batch: undefined,
      parts: [],
    };
    this.#channels.push(channel);
    return channel;
  }

  /** Has a worker serve the channel while it has a batch. Never rejects. */
  async #serve(channel: Channel): Promise<void> {
    channel.isServed = true;
    while (channel.batch !== undefined) {
      channel.serving = new Cancellation();
      if (channel.batch.cancellation?.isCancelled === true) channel.serving.cancel();
      channel.client.open();
      try {
        await this.#pool.run('call_channel', channel.memory, {
          cancellation: channel.serving,
          once: true,
        });
        this.#settle(channel);
      } catch (error) {
        this.#failed(channel, error);
      }
    }
    channel.isServed = false;
  }

  #failed(channel: Channel, error: unknown): void {
    channel.client.reset();
    channel.parts = [];
    const batch = this.#end(channel);
    if (batch === undefined) return;
    // A batch whose worker died may try another, as any task may.
    if (error instanceof ExecutionError && error.code === 'worker_died') {
      const { encoded, cancellation, resolve, reject } = batch;
      const options = cancellation === undefined ? {} : { cancellation };
      this.#pool.run('calls', encoded, options).then(resolve, reject);
    } else {
      batch.reject(error);
    }
  }

  #end(channel: Channel): ChannelBatch | undefined {
    const { batch } = channel;
    channel.batch = undefined;
    batch?.cancellation?.onCancel(undefined);
    return batch;
  }

  #settle(channel: Channel): void {
    if (channel.batch === undefined || channel.client.isBusy) return;
    const { client, parts } = channel;
    const part = client.take();
    if (client.hasMore) {
      parts.push(part);
      client.requestNextPart();
      this.#schedulePoll();
      return;
    }
    channel.parts = [];
    this.#end(channel)?.resolve(parts.length === 0 ? part : parts.join('') + part);
  }

  /**
   * Under load on V8 11.3, the promise of `Atomics.waitAsync` sometimes stays pending although the result is there;
   * the cause is unknown. Without this timer, a part of a long result would wait until another batch arrives.
   */
  #startWatch(): NodeJS.Timeout {
    return setInterval(() => {
      this.#poll();
      if (this.#channels.some(({ batch }) => batch !== undefined)) return;
      clearInterval(this.#watch);
      this.#watch = undefined;
    }, POLL_MS).unref();
  }

  #schedulePoll(): void {
    if (this.#isPolling) return;
    this.#isPolling = true;
    setImmediate(this.#pollAgain);
  }

  /** Polls once in the next event loop tick; after that, waits for notifications. */
  readonly #pollAgain = (): void => {
    this.#isPolling = false;
    this.#poll();
    for (const channel of this.#channels) {
      if (channel.batch === undefined) continue;
      const told = channel.client.waitForAnswer();
      if (told === undefined) this.#settle(channel);
      else void told.then(this.#onWake);
    }
  };

  readonly #onWake = (): void => this.#poll();

  #poll(): void {
    for (const channel of this.#channels) this.#settle(channel);
  }
}
