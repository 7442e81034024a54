import { setImmediate as nextTick } from 'node:timers/promises';
import type { Effect, JournalEntry } from '../core/types.js';

type Of<T extends Effect['type']> = Extract<Effect, { readonly type: T }>;
export type TimerEffect = Of<'set_timer' | 'cancel_timer'>;
/** What takes place in the order of the line. */
export type OrderedEffect = Exclude<Effect, TimerEffect | Of<'journal'>>;

export interface EffectQueueOptions {
  /** Resolves once the entries are on disk. */
  readonly journal: (entries: readonly JournalEntry[]) => Promise<void>;
  readonly timer: (effect: TimerEffect) => void;
  /** Takes an effect up; where it returns a promise, what follows waits for that. */
  readonly perform: (effect: OrderedEffect) => Promise<void> | undefined;
  /** Told once when the line has stopped, for the journal could not be written or something it waited for failed. */
  readonly onFailure: (error: unknown) => void;
}

/**
 * The one ordered line of what the core wants done. Nothing takes place before what stands ahead of it in the line is in the
 * journal, on disk; what all steps of a turn journal shares one sync. Timers alone are set at once.
 */
export class EffectQueue {
  readonly #options: EffectQueueOptions;
  #waiting: Effect[] = [];
  #isBusy = false;
  #isStopped = false;
  #underWay: Promise<void> = Promise.resolve();

  constructor(options: EffectQueueOptions) {
    this.#options = options;
  }

  /** Adds effects at the end. Those that have nothing to wait for have taken place when this returns. */
  push(effects: readonly Effect[]): void {
    if (this.#isStopped) return;
    for (const effect of effects) {
      if (effect.type === 'set_timer' || effect.type === 'cancel_timer') this.#options.timer(effect);
      else this.#waiting.push(effect);
    }
    if (!this.#isBusy) this.#drain();
  }

  /** Lets nothing more take place, and waits for what is under way. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    this.#waiting = [];
    await this.#underWay;
  }

  #drain(): void {
    this.#isBusy = true;
    for (let effect = this.#waiting.shift(); effect !== undefined; effect = this.#waiting.shift()) {
      const underWay = this.#begin(effect);
      if (underWay === undefined) continue;
      this.#underWay = underWay.then(
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

  /** Later entries may be on disk earlier than their turn is: nothing depends on their not being there. */
  async #journal(first: readonly JournalEntry[]): Promise<void> {
    await nextTick();
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
