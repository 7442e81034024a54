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

/** Tracks which threads of a pool have loaded: its library may assign a task to one that is still loading. */
export class WorkerStarts {
  readonly #piscina: StartingPool;
  readonly #onLost: () => void;
  readonly #started = new Set<number>();
  readonly #known = new WeakSet<StartingThread>();

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

  hasStarted(threadId: number): boolean {
    return this.#started.has(threadId);
  }

  /** Looks for new threads. Called whenever the pool may have made one: when a task starts or ends. */
  look(): void {
    for (const thread of this.#piscina.threads) {
      if (this.#known.has(thread)) continue;
      this.#known.add(thread);
      this.#watch(thread);
    }
  }

  /** A thread's first message means that its module is loaded. */
  #watch(thread: StartingThread): void {
    const { threadId } = thread;
    const started = () => {
      this.#started.add(threadId);
      thread.off('message', started);
    };
    // Runs before the pool's own listener, which assigns a task to the thread.
    thread.prependListener('message', started);
    thread.prependListener('exit', () => {
      // A thread that failed to load would fail again.
      if (this.#started.delete(threadId)) setImmediate(this.#onLost);
    });
  }
}
