import type { Cancel, Runtime } from '../../../src/async/runtime.js';

interface Timer {
  readonly atMs: number;
  readonly run: () => void;
}

/** A runtime whose time passes, and whose turns end, only when the test says so. */
export class ManualRuntime implements Runtime {
  #nowMs = 10_000;
  readonly #timers = new Set<Timer>();
  #turns: (() => void)[] = [];

  readonly now = (): number => this.#nowMs;
  readonly wallMs = (): number => this.#nowMs;

  readonly after = (delayMs: number, run: () => void): Cancel => {
    const timer = { atMs: this.#nowMs + delayMs, run };
    this.#timers.add(timer);
    return () => this.#timers.delete(timer);
  };

  readonly nextTurn = (): Promise<void> => new Promise((resolve) => this.#turns.push(resolve));

  readonly random = (bytes: number): Uint8Array => new Uint8Array(bytes);

  /** Number of timers that have neither run nor been cancelled. */
  get timers(): number {
    return this.#timers.size;
  }

  /** Lets time pass, and runs the timers due by then, earliest first. */
  advance(ms: number): void {
    const untilMs = this.#nowMs + ms;
    for (;;) {
      const [next] = [...this.#timers]
        .filter(({ atMs }) => atMs <= untilMs)
        .sort((one, other) => one.atMs - other.atMs);
      if (next === undefined) break;
      this.#timers.delete(next);
      this.#nowMs = Math.max(this.#nowMs, next.atMs);
      next.run();
    }
    this.#nowMs = untilMs;
  }

  /** Begins the next turn of the event loop. */
  turn(): void {
    const turns = this.#turns;
    this.#turns = [];
    for (const resolve of turns) resolve();
  }
}
