import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';
import { RPC_PATH } from '../load/request-task.js';
import { postRequest, RawHttpConnection } from './raw-http.js';

interface ProbeTask {
  readonly url: string;
  /** Default {@link RPC_PATH}. */
  readonly path?: string;
  readonly body: string;
  readonly intervalMs: number;
}

/**
 * Repeats one request on a separate connection and thread, so that it measures the server and not the load generator.
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
    // The failure is reported by `finish`; a caller that never gets there has another error to report.
    this.#samples.catch(() => undefined);
  }

  /** Ends the probe. Returns the time of every answer in milliseconds. */
  async finish(): Promise<readonly number[]> {
    this.#worker.postMessage('finish');
    const samples = await this.#samples;
    await this.#worker.terminate();
    return samples;
  }
}

async function probe(task: ProbeTask): Promise<void> {
  const samples: number[] = [];
  const request = postRequest(task.path ?? RPC_PATH, task.body);
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
    // An unanswered request counts with its delay so far.
    if (waiting) samples.push(performance.now() - sentAt);
    connection.close();
    parentPort?.postMessage(samples);
  });
}

if (!isMainThread) await probe(workerData as ProbeTask);
