import type { Worker } from 'node:worker_threads';
import type { Piscina } from 'piscina';

/**
 * Knows which threads of a pool are still loading their modules. Node 20 ends the whole process with a fatal error where a
 * thread is terminated while it loads an ES module by `require`, as Piscina's do: a pool that is to be stopped has to wait
 * until none of them does.
 */
export class WorkerStarts {
  #starting: number;
  #onSettled: (() => void) | undefined;

  /** @param piscina a pool of a fixed number of threads that was just made */
  constructor(piscina: Piscina) {
    const { threads } = piscina;
    this.#starting = threads.length;
    for (const thread of threads) this.#watch(thread);
    // The event comes at once for the first threads, and for a replacement once it is loaded.
    let first = threads.length;
    piscina.on('workerCreate', () => {
      if (first > 0) first--;
      else this.#started();
    });
    piscina.on('workerDestroy', () => {
      this.#starting++;
    });
  }

  /** Resolves when no thread is loading, or after `timeoutMs`. */
  settled(timeoutMs: number): Promise<void> {
    if (this.#starting <= 0) return Promise.resolve();
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, timeoutMs);
      this.#onSettled = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }

  /** A thread's first message says that its module is loaded. */
  #watch(thread: Worker): void {
    const started = () => {
      thread.off('message', started);
      thread.off('exit', started);
      this.#started();
    };
    thread.on('message', started);
    thread.on('exit', started);
  }

  #started(): void {
    this.#starting--;
    if (this.#starting <= 0) this.#onSettled?.();
  }
}
