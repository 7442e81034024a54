/** A thread, as far as its start can be seen. */
export interface StartingThread {
  on(event: 'message' | 'exit', listener: () => void): unknown;
  off(event: 'message' | 'exit', listener: () => void): unknown;
}

/** A Piscina, as far as it is looked at. */
export interface StartingPool {
  readonly threads: readonly StartingThread[];
  on(event: 'workerDestroy', listener: () => void): unknown;
}

/**
 * Knows which threads of a pool are still loading their modules. Node 20 ends the whole process with a fatal error where a
 * thread is terminated while it loads an ES module by `require`, as Piscina's do: a pool that is to be stopped has to wait
 * until none of them does.
 */
export class WorkerStarts {
  readonly #piscina: StartingPool;
  readonly #known = new WeakSet<StartingThread>();
  #starting = 0;
  #onSettled: (() => void) | undefined;

  constructor(piscina: StartingPool) {
    this.#piscina = piscina;
    // The one that takes its place is there when the listeners of this event are through.
    piscina.on('workerDestroy', () => setImmediate(() => this.look()));
    this.look();
  }

  /** To be called when the pool may have made a thread: with a task, and at its end. */
  look(): void {
    for (const thread of this.#piscina.threads) {
      if (this.#known.has(thread)) continue;
      this.#known.add(thread);
      this.#starting++;
      this.#watch(thread);
    }
  }

  /** Resolves when no thread is loading, or after `timeoutMs`. */
  settled(timeoutMs: number): Promise<void> {
    if (this.#starting === 0) return Promise.resolve();
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, timeoutMs);
      this.#onSettled = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }

  /** A thread's first message says that its module is loaded. */
  #watch(thread: StartingThread): void {
    const started = () => {
      thread.off('message', started);
      thread.off('exit', started);
      this.#starting--;
      if (this.#starting === 0) this.#onSettled?.();
    };
    thread.on('message', started);
    thread.on('exit', started);
  }
}
