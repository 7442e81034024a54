import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';
import { postRequest, RawHttpConnection } from './raw-http.js';

interface LoadTask {
  readonly url: string;
  readonly path: string;
  readonly body: string;
  readonly connections: number;
  /** Requests under way on each connection. */
  readonly depth: number;
}

/** Keeps a server busy from a thread of its own: each connection sends its next request when an answer has come. */
export class HttpLoad {
  readonly #worker: Worker;

  constructor(task: LoadTask) {
    this.#worker = new Worker(new URL(import.meta.url), { workerData: task });
    this.#worker.on('error', (error) => {
      throw error;
    });
  }

  /** Answers so far, all with status 200. */
  answers(): Promise<number> {
    return new Promise((resolve) => {
      this.#worker.once('message', resolve);
      this.#worker.postMessage('answers');
    });
  }

  async stop(): Promise<void> {
    await this.#worker.terminate();
  }
}

async function load({ url, path, body, connections, depth }: LoadTask): Promise<void> {
  const request = postRequest(path, body);
  let answers = 0;
  for (let i = 0; i < connections; i++) {
    const connection = await RawHttpConnection.open(
      url,
      (status, text) => {
        if (status !== 200) throw new Error(`the server answered ${status}: ${text.toString()}`);
        answers++;
        connection.send(request);
      },
      (error) => {
        throw error;
      },
    );
    for (let sent = 0; sent < depth; sent++) connection.send(request);
  }
  parentPort?.on('message', () => parentPort?.postMessage(answers));
}

if (!isMainThread) await load(workerData as LoadTask);
