import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';
import { postRequest, RawHttpConnection } from './raw-http.js';

interface ProbeTask {
  readonly url: string;
  readonly body: string;
  readonly intervalMs: number;
}

/**
 * Asks one question again and again on a connection and a thread of its own, so that what it measures is the server
 * and not the generator of the load beside it.
 */
export class LatencyProbe {
  readonly #worker: Worker;
  readonly #samples: Promise<readonly number[]>;

  constructor(task: ProbeTask) {
    this.#worker = new Worker(new URL(import.meta.url), { workerData: task });
    this.#samples = new Promise((resolve, reject) => {
      this.#worker.once('message', resolve);
      this.#worker.once('error', reject);
    });
    // Its failure is told by finish; whoever never gets there has another error to tell.
    this.#samples.catch(() => undefined);
  }

  /** Ends the probe: the time of every answer, in milliseconds. */
  async finish(): Promise<readonly number[]> {
    this.#worker.postMessage('finish');
    const samples = await this.#samples;
    await this.#worker.terminate();
    return samples;
  }
}

async function probe(task: ProbeTask): Promise<void> {
  const samples: number[] = [];
  const request = postRequest('/v2/rpc', task.body);
  let sentAt = 0;
  let waiting = false;
  const fail = (error: Error): void => {
    throw error;
  };
  const connection = await RawHttpConnection.open(
    task.url,
    (status, body) => {
      if (status !== 200) throw new Error(`the probe was answered ${status}: ${body.toString()}`);
      samples.push(performance.now() - sentAt);
      waiting = false;
    },
    fail,
  );
  const timer = setInterval(() => {
    if (waiting) return;
    waiting = true;
    sentAt = performance.now();
    connection.send(request);
  }, task.intervalMs);
  parentPort?.once('message', () => {
    clearInterval(timer);
    // An answer that is still out counts as late as it already is.
    if (waiting) samples.push(performance.now() - sentAt);
    connection.close();
    parentPort?.postMessage(samples);
  });
}

if (!isMainThread) await probe(workerData as ProbeTask);
