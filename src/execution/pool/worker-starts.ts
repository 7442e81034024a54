/** A thread, as far as its start can be seen. */
export interface StartingThread {
  readonly threadId: number;
  prependListener(event: 'message' | 'exit', listener: () => void): unknown;
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
  readonly #onLost: () => void;
  readonly #started = new Set<number>();
  readonly #known = new WeakSet<StartingThread>();
  #starting = 0;
  #onSettled: (() => void) | undefined;

  /** @param onLost told when a thread that had loaded has ended, and the pool has had time to replace it */
  constructor(piscina: StartingPool, onLost: () => void) {
    this.#piscina = piscina;
    this.#onLost = onLost;
    // The one that takes its place is there when the listeners of this event are through.
    piscina.on('workerDestroy', () => setImmediate(() => this.look()));
    this.look();
  }

  /** How many threads have loaded. */
  get started(): number {
    return this.#started.size;
  }

  /** Whether a thread has loaded, by its number. */
  hasStarted(threadId: number): boolean {
    return this.#started.has(threadId);
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
    const { threadId } = thread;
    let isStarting = true;
    const settle = () => {
      thread.off('message', started);
      if (isStarting) this.#starting--;
      isStarting = false;
      if (this.#starting === 0) this.#onSettled?.();
    };
    const started = () => {
      this.#started.add(threadId);
      settle();
    };
    // Before the pool's own, which gives the thread something to do.
    thread.prependListener('message', started);
    thread.prependListener('exit', () => {
      settle();
      // One that does not even load would not the next time.
      if (this.#started.delete(threadId)) setImmediate(this.#onLost);
    });
  }
}
