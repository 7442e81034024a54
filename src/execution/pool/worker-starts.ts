/** The part of a thread needed to observe its start. */
export interface StartingThread {
  readonly threadId: number;
  prependListener(event: 'message' | 'exit', listener: () => void): unknown;
  off(event: 'message' | 'exit', listener: () => void): unknown;
}

/** The part of a Piscina used here. */
export interface StartingPool {
  readonly threads: readonly StartingThread[];
  on(event: 'workerDestroy', listener: () => void): unknown;
}

/**
 * Tracks which threads of a pool are still loading their modules. Node 20 ends the whole process with a fatal error
 * if a thread is terminated while it loads an ES module by `require`, as Piscina's do. So a pool has to wait until no
 * thread is loading before it stops.
 */
export class WorkerStarts {
  readonly #piscina: StartingPool;
  readonly #onLost: () => void;
  readonly #started = new Set<number>();
  readonly #known = new WeakSet<StartingThread>();
  #starting = 0;
  #onSettled: (() => void) | undefined;

  /** @param onLost called after a loaded thread has exited and the pool has had time to replace it */
  constructor(piscina: StartingPool, onLost: () => void) {
    this.#piscina = piscina;
    this.#onLost = onLost;
    // The destroyed thread's replacement exists once the listeners of this event have run.
    piscina.on('workerDestroy', () => setImmediate(() => this.look()));
    this.look();
  }

  /** Number of threads that have loaded. */
  get started(): number {
    return this.#started.size;
  }

  /** Returns true if the thread with an id has loaded. */
  hasStarted(threadId: number): boolean {
    return this.#started.has(threadId);
  }

  /** Looks for new threads. Called whenever the pool may have made one: when a task starts or ends. */
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

  /** A thread's first message means that its module is loaded. */
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
    // Runs before the pool's own listener, which assigns a task to the thread.
    thread.prependListener('message', started);
    thread.prependListener('exit', () => {
      settle();
      // A thread that failed to load would fail again.
      if (this.#started.delete(threadId)) setImmediate(this.#onLost);
    });
  }
}
