import { setTimeout as delay } from 'node:timers/promises';

const LOADING = 0;
const CLOSED = 1;
const LOOK_MS = 2;

/**
 * Lets a pool stop only while none of its threads is loading native code or attaching to the store: a native part may
 * abort the process if its thread is terminated meanwhile. Shared by the pool and its threads.
 */
export class NativeLoads {
  readonly memory: SharedArrayBuffer;
  readonly #words: Int32Array<SharedArrayBuffer>;

  constructor(memory = new SharedArrayBuffer(2 * Int32Array.BYTES_PER_ELEMENT)) {
    this.memory = memory;
    this.#words = new Int32Array(memory);
  }

  /** Runs `load` in a thread. @throws Error if the pool is stopping; else the error of `load` */
  async run<T>(load: () => Promise<T>): Promise<T> {
    this.#enter();
    try {
      return await load();
    } finally {
      this.#leave();
    }
  }

  runSync<T>(load: () => T): T {
    this.#enter();
    try {
      return load();
    } finally {
      this.#leave();
    }
  }

  /**
   * Refuses further loads, and resolves when none is running, or after about `timeoutMs`. It counts looks, because a
   * process that stands still loads nothing either.
   */
  async close(timeoutMs: number): Promise<void> {
    Atomics.store(this.#words, CLOSED, 1);
    for (let looks = timeoutMs / LOOK_MS; looks > 0 && Atomics.load(this.#words, LOADING) > 0; looks--) {
      await delay(LOOK_MS);
    }
  }

  #enter(): void {
    // Counted first: the pool looks at the number after it has set the flag.
    Atomics.add(this.#words, LOADING, 1);
    if (Atomics.load(this.#words, CLOSED) === 0) return;
    this.#leave();
    throw new Error('the workers are being stopped');
  }

  #leave(): void {
    Atomics.sub(this.#words, LOADING, 1);
  }
}
