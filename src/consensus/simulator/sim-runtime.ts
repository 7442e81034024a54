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
  readonly #world: SimWorld;
  readonly #skewMs: () => number;
  readonly #isAlive: () => boolean;
  readonly #earlyMs: () => number;
  /** Reading of the monotonic clock at the start of the run. */
  readonly #zeroMs: number;
  readonly #timers = new Set<object>();

  constructor({ world, skewMs, earlyMs, isAlive }: SimRuntimeOptions) {
    this.#world = world;
    this.#skewMs = skewMs;
    this.#earlyMs = earlyMs;
    this.#isAlive = isAlive;
    this.#zeroMs = world.random.below(1_000_000);
  }

  /** Number of timers that have neither run nor been cancelled. */
  get timers(): number {
    return this.#timers.size;
  }

  readonly now = (): number => this.#zeroMs + this.#world.nowMs;

  readonly wallMs = (): number => Math.floor(this.#world.wallMs + this.#skewMs());

  readonly after = (delayMs: number, run: () => void): Cancel => {
    const timer = {};
    this.#timers.add(timer);
    const cancel = this.#world.after(Math.max(0, delayMs - this.#earlyMs()), () => {
      this.#timers.delete(timer);
      if (this.#isAlive()) run();
    });
    return () => {
      this.#timers.delete(timer);
      cancel();
    };
  };

  readonly nextTurn = (): Promise<void> =>
    new Promise((resolve) => {
      this.#world.after(0, () => {
        if (this.#isAlive()) resolve();
      });
    });

  readonly random = (bytes: number): Uint8Array =>
    Uint8Array.from({ length: bytes }, () => this.#world.random.below(256));
}
