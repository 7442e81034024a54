import type { Runtime } from '../../async/runtime.js';
import type { Effect, EffectOf, JournalEntry } from '../core/types.js';

export type TimerEffect = EffectOf<'set_timer' | 'cancel_timer'>;
/** Effects executed in queue order. */
export type OrderedEffect = Exclude<Effect, TimerEffect | EffectOf<'journal'>>;

export interface EffectQueueOptions extends Pick<Runtime, 'nextTurn'> {
  readonly journal: (entries: readonly JournalEntry[]) => Promise<void>;
  readonly timer: (effect: TimerEffect) => void;
  /** Executes an effect; later effects wait for a returned promise. */
  readonly perform: (effect: OrderedEffect) => Promise<void> | undefined;
  /** Called once when the queue has stopped, because the journal or an awaited effect failed. */
  readonly onFailure: (error: unknown) => void;
}

/**
 * The single ordered queue of the core's effects. An effect runs only after all earlier journal entries are on disk;
 * the entries of all steps of one turn of the event loop
 * share one sync. Timers alone take effect immediately.
 */
export class EffectQueue {
  readonly #options: EffectQueueOptions;
  #waiting: Effect[] = [];
  #isBusy = false;
  #isStopped = false;
  #inFlight: Promise<void> = Promise.resolve();

  constructor(options: EffectQueueOptions) {
    this.#options = options;
  }

  /** Appends effects. Those with nothing to wait for have run when this returns. */
  push(effects: readonly Effect[]): void {
    if (this.#isStopped) return;
    for (const effect of effects) {
      if (effect.type === 'set_timer' || effect.type === 'cancel_timer') this.#options.timer(effect);
      else this.#waiting.push(effect);
    }
    if (!this.#isBusy) this.#drain();
  }

  /** Drops all queued effects and waits for the one in progress. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    this.#waiting = [];
    await this.#inFlight;
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
        return this.#journal(effect.entries);
      case 'set_timer':
      case 'cancel_timer':
        return undefined;
      default:
        return this.#options.perform(effect);
    }
  }

  /** Writes all queued entries at once; nothing depends on later entries being absent. */
  async #journal(first: readonly JournalEntry[]): Promise<void> {
    await this.#options.nextTurn();
    const entries = [...first];
    const rest: Effect[] = [];
    for (const effect of this.#waiting) {
      if (effect.type === 'journal') entries.push(...effect.entries);
      else rest.push(effect);
    }
    this.#waiting = rest;
    await this.#options.journal(entries);
  }

  #fail(error: unknown): void {
    if (this.#isStopped) return;
    this.#isStopped = true;
    this.#waiting = [];
    this.#options.onFailure(error);
  }
}
