import { Worker } from 'node:worker_threads';

/** Requests over a number of connections, with one in flight on each. */
export interface CallTask {
  readonly url: string;
  /** JSON-RPC bodies, sent in turn. */
  readonly bodies: readonly string[];
  readonly connections: number;
  /** The run ends after this time, but not before there are as many answers as connections. */
  readonly milliseconds: number;
  /** The run ends after this number of answers, if it comes first. */
  readonly answers?: number;
}

export interface CallTimes {
  readonly answers: number;
  readonly seconds: number;
  /** Time from sending to answer, in milliseconds. */
  readonly p50: number;
  readonly p99: number;
}

/** The answer of the thread. */
export type CallReply = { readonly times: CallTimes } | { readonly failure: string };

/** A thread that sends calls and measures the time to each answer. */
export class CallLoad {
  readonly #worker = new Worker(new URL('./call-worker.js', import.meta.url));

  /** @throws Error if an answer is an error */
  async run(task: CallTask): Promise<CallTimes> {
    const reply = await new Promise<CallReply>((resolve, reject) => {
      this.#worker.once('error', reject);
      this.#worker.once('message', (answer: CallReply) => {
        this.#worker.off('error', reject);
        resolve(answer);
      });
      this.#worker.postMessage(task);
    });
    if ('failure' in reply) throw new Error(reply.failure);
    return reply.times;
  }

  async stop(): Promise<void> {
    await this.#worker.terminate();
  }
}
