import type { Cancel, Runtime } from '../../async/runtime.js';
import type { ConsensusCore, CoreEvent, JournalEntry, TimerName } from '../core/types.js';
import type { CoreClock } from './core-clock.js';
import { EffectQueue, type OrderedEffect } from './effect-queue.js';

type Untimed<E> = E extends unknown ? Omit<E, 'nowMs'> : never;
/** A core event; the driver adds the time. */
export type CoreInput = Untimed<CoreEvent>;

export interface CoreDriverOptions {
  readonly runtime: Pick<Runtime, 'after' | 'nextTurn'>;
  readonly core: Pick<ConsensusCore, 'step'>;
  readonly clock: CoreClock;
  /** Resolves once the entries are on disk; undefined for a sole validator, whose commits are the journal. */
  readonly journal: ((entries: readonly JournalEntry[]) => Promise<void>) | undefined;
  readonly perform: (effect: OrderedEffect) => Promise<void> | undefined;
  /** Called once when the driver has stopped on an error. */
  readonly onFailure: (error: unknown) => void;
}

/** Owns the core: feeds it timed events and queues its effects. */
export class CoreDriver {
  readonly #options: CoreDriverOptions;
  readonly #effects: EffectQueue;
  readonly #timers: Timers;
  #isStopped = false;

  constructor(options: CoreDriverOptions) {
    const { runtime, clock, journal, perform } = options;
    this.#options = options;
    this.#timers = new Timers(runtime, clock, (timer) => this.dispatch({ type: 'timer', timer }));
    this.#effects = new EffectQueue({
      nextTurn: runtime.nextTurn,
      journal: journal ?? (() => Promise.resolve()),
      timer: (effect) => {
        if (effect.type === 'set_timer') this.#timers.set(effect.timer, effect.atMs);
        else this.#timers.cancel(effect.timer);
      },
      perform,
      onFailure: (error) => this.#fail(error),
    });
  }

  dispatch(news: CoreInput): void {
    if (this.#isStopped) return;
    const { core, clock, journal } = this.#options;
    try {
      const effects = core.step({ ...news, nowMs: clock.nowMs } as CoreEvent);
      this.#effects.push(journal === undefined ? effects.filter(({ type }) => type !== 'journal') : effects);
    } catch (error) {
      // After any exception the core's state cannot be trusted.
      this.#fail(error);
    }
  }

  /** Rearms the timers after the clock was stopped. */
  rearm(): void {
    if (!this.#isStopped) this.#timers.rearm();
  }

  /** Stops events and effects, and waits for the effect in progress. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    this.#timers.stop();
    await this.#effects.stop();
  }

  #fail(error: unknown): void {
    if (this.#isStopped) return;
    this.#isStopped = true;
    this.#timers.stop();
    this.#options.onFailure(error);
  }
}

interface Running {
  readonly atMs: number;
  readonly cancel: Cancel;
}

class Timers {
  readonly #runtime: Pick<Runtime, 'after'>;
  readonly #clock: CoreClock;
  readonly #fire: (timer: TimerName) => void;
  readonly #running = new Map<TimerName, Running>();

  constructor(runtime: Pick<Runtime, 'after'>, clock: CoreClock, fire: (timer: TimerName) => void) {
    this.#runtime = runtime;
    this.#clock = clock;
    this.#fire = fire;
  }

  set(timer: TimerName, atMs: number): void {
    this.#running.get(timer)?.cancel();
    const delayMs = Math.max(0, Math.ceil(this.#clock.msUntil(atMs)));
    const cancel = this.#runtime.after(delayMs, () => this.#elapsed(timer, atMs));
    this.#running.set(timer, { atMs, cancel });
  }

  cancel(timer: TimerName): void {
    this.#running.get(timer)?.cancel();
    this.#running.delete(timer);
  }

  /** Resets the running timers; call it when the clock resumes. */
  rearm(): void {
    for (const [timer, { atMs }] of [...this.#running]) this.set(timer, atMs);
  }

  stop(): void {
    for (const timer of [...this.#running.keys()]) this.cancel(timer);
  }

  /** A timeout may fire early; the core ignores a timer that is not due. */
  #elapsed(timer: TimerName, atMs: number): void {
    if (this.#clock.isStopped) return;
    if (this.#clock.nowMs < atMs) {
      this.set(timer, atMs);
      return;
    }
    this.#running.delete(timer);
    this.#fire(timer);
  }
}
