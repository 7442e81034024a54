import type { Cancel, Runtime } from '../../async/runtime.js';
import type { SimWorld } from './sim-world.js';

export interface SimRuntimeOptions {
  readonly world: SimWorld;
  /** Error of the wall clock. */
  readonly skewMs: () => number;
  /** How early the next timer fires. */
  readonly earlyMs: () => number;
  readonly isAlive: () => boolean;
}

/** A process's clocks, timers and randomness. Nothing happens any more once the process is dead. */
export class SimRuntime implements Runtime {
  readonly #options: SimRuntimeOptions;
  /** Reading of the monotonic clock at the start of the run. */
  readonly #zeroMs: number;
  readonly #timers = new Set<object>();

  constructor(options: SimRuntimeOptions) {
    this.#options = options;
    this.#zeroMs = options.world.random.below(1_000_000);
  }

  /** Number of timers that have neither run nor been cancelled. */
  get timers(): number {
    return this.#timers.size;
  }

  readonly now = (): number => this.#zeroMs + this.#options.world.nowMs;

  readonly wallMs = (): number => Math.floor(this.#options.world.wallMs + this.#options.skewMs());

  readonly after = (delayMs: number, run: () => void): Cancel => {
    const timer = {};
    this.#timers.add(timer);
    const cancel = this.#options.world.after(Math.max(0, delayMs - this.#options.earlyMs()), () => {
      this.#timers.delete(timer);
      if (this.#options.isAlive()) run();
    });
    return () => {
      this.#timers.delete(timer);
      cancel();
    };
  };

  readonly nextTurn = (): Promise<void> =>
    new Promise((resolve) => {
      this.#options.world.after(0, () => {
        if (this.#options.isAlive()) resolve();
      });
    });

  readonly random = (bytes: number): Uint8Array =>
    Uint8Array.from({ length: bytes }, () => this.#options.world.random.below(256));
}
