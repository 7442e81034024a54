import type { Runtime } from '../../async/runtime.js';
import type { ConsensusCore, CoreEvent, Effect, EffectOf, JournalEntry } from '../core/types.js';
import { CoreClock } from './core-clock.js';
import type { KnownBlocks } from './known-blocks.js';
import type { Lifecycle } from './lifecycle.js';
import type { VoteJournal } from './vote-journal.js';

type Untimed<E> = E extends unknown ? Omit<E, 'nowMs'> : never;
/** A core event; the queue adds the time. */
export type CoreInput = Untimed<CoreEvent>;

/** Effects performed in the core's order; the queue itself handles timers and journal. */
export type OrderedEffect = Exclude<Effect, EffectOf<'set_timer' | 'cancel_timer' | 'journal'>>;

/** Performs an effect; later effects wait for a returned promise. */
export type Perform = (effect: OrderedEffect) => Promise<void> | undefined;

export interface CoreQueueOptions {
  readonly runtime: Runtime;
  readonly core: Pick<ConsensusCore, 'step'>;
  /** Undefined for a sole validator, whose commits are the journal. */
  readonly journal?: Pick<VoteJournal, 'append'>;
  readonly known: Pick<KnownBlocks, 'get'>;
  /** Told once when the queue has stopped, because the core, the journal or an awaited effect failed. */
  readonly lifecycle: Pick<Lifecycle, 'fail'>;
}

/**
 * The only way into the core, and the only way out: each event that components push is a step of the core, and the
 * effects of all steps wait in one line. An effect is performed only after all earlier journal entries are on disk; the
 * entries of all steps of one turn of the event loop share one sync. Timers alone are set at once.
 */
export class CoreQueue {
  readonly clock: CoreClock;
  readonly #options: CoreQueueOptions;
  #perform: Perform = unconnected;
  #waiting: Effect[] = [];
  #hasStarted = false;
  #isBusy = false;
  #isStopped = false;
  #inFlight: Promise<void> = Promise.resolve();

  constructor(options: CoreQueueOptions) {
    this.#options = options;
    this.clock = new CoreClock(options.runtime, (timer) => this.push({ type: 'timer', timer }));
  }

  /** Whether the core has entered its first epoch. */
  get hasStarted(): boolean {
    return this.#hasStarted;
  }

  /** Sets the function that performs effects; call it before the first event. */
  connect(perform: Perform): void {
    this.#perform = perform;
  }

  /** Steps the core. Effects with nothing to wait for have been performed when this returns. */
  push(input: CoreInput): void {
    if (this.#isStopped) return;
    const { core } = this.#options;
    if (input.type === 'start') this.#hasStarted = true;
    try {
      this.#enqueue(core.step({ ...input, nowMs: this.clock.nowMs } as CoreEvent));
    } catch (error) {
      // After any exception the core's state cannot be trusted.
      this.#fail(error);
    }
  }

  /** Stops events, timers and effects, and waits for the effect in progress. */
  async stop(): Promise<void> {
    this.#end();
    await this.#inFlight;
  }

  #enqueue(effects: readonly Effect[]): void {
    const { journal } = this.#options;
    for (const effect of effects) {
      if (effect.type === 'set_timer') this.clock.set(effect.timer, effect.atMs);
      else if (effect.type === 'cancel_timer') this.clock.cancel(effect.timer);
      else if (effect.type !== 'journal' || journal !== undefined) this.#waiting.push(effect);
    }
    if (!this.#isBusy) this.#drain();
  }

  #drain(): void {
    this.#isBusy = true;
    for (let effect = this.#waiting.shift(); effect !== undefined; effect = this.#waiting.shift()) {
      const inFlight = this.#begin(effect);
      if (inFlight === undefined) continue;
      this.#inFlight = inFlight.then(
        () => this.#drain(),
        (error: unknown) => this.#fail(error),
      );
      return;
    }
    this.#isBusy = false;
  }

  #begin(effect: Effect): Promise<void> | undefined {
    switch (effect.type) {
      case 'journal':
        return this.#append(effect.entries);
      case 'set_timer':
      case 'cancel_timer':
        return undefined;
      default:
        return this.#perform(effect);
    }
  }

  /** Writes all waiting entries at once; nothing depends on later entries being absent. */
  async #append(first: readonly JournalEntry[]): Promise<void> {
    const { runtime, journal, known } = this.#options;
    await runtime.nextTurn();
    const entries = [...first];
    const rest: Effect[] = [];
    for (const effect of this.#waiting) {
      if (effect.type === 'journal') entries.push(...effect.entries);
      else rest.push(effect);
    }
    this.#waiting = rest;
    await journal?.append(entries, (hash) => known.get(hash)?.encoded());
  }

  #end(): void {
    this.#isStopped = true;
    this.#waiting = [];
    this.clock.cancelAll();
  }

  #fail(error: unknown): void {
    if (this.#isStopped) return;
    this.#end();
    this.#options.lifecycle.fail(error);
  }
}

function unconnected(): never {
  throw new Error('an event arrived before the queue was connected');
}
