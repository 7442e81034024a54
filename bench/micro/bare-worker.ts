import { isMainThread, parentPort, Worker } from 'node:worker_threads';

const REQUEST = 0;
const ANSWER = 1;

/** A thread that answers messages and nothing else. */
export class MessageEcho {
  readonly #worker = new Worker(new URL(import.meta.url));
  readonly #waiting: (() => void)[] = [];

  constructor() {
    this.#worker.on('message', () => this.#waiting.shift()?.());
  }

  /** Calls back when the thread has answered. */
  ask(message: Uint8Array, answered: () => void): void {
    this.#waiting.push(answered);
    this.#worker.postMessage(message);
  }

  async stop(): Promise<void> {
    await this.#worker.terminate();
  }
}

/** A thread that sleeps on a word of shared memory, and wakes the one that woke it. */
export class WordEcho {
  readonly #worker = new Worker(new URL(import.meta.url));
  readonly #words = new Int32Array(new SharedArrayBuffer(8));

  constructor() {
    this.#worker.postMessage(this.#words);
  }

  /** Blocks this thread until the other has answered. */
  ask(): void {
    const answered = Atomics.load(this.#words, ANSWER);
    Atomics.add(this.#words, REQUEST, 1);
    Atomics.notify(this.#words, REQUEST);
    while (Atomics.wait(this.#words, ANSWER, answered) === 'timed-out');
  }

  async stop(): Promise<void> {
    await this.#worker.terminate();
  }
}

function serve(words: Int32Array): never {
  for (let request = 0; ; request++) {
    Atomics.wait(words, REQUEST, request);
    Atomics.add(words, ANSWER, 1);
    Atomics.notify(words, ANSWER);
  }
}

if (!isMainThread) {
  parentPort?.on('message', (message: Uint8Array | Int32Array) => {
    if (message instanceof Int32Array) serve(message);
    parentPort?.postMessage('{}');
  });
}
