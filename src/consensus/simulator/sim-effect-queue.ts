import type { Effect, EffectOf, JournalEntry, TimerName } from '../core/types.js';
import type { SimJournal } from './sim-journal.js';
import type { World } from './world.js';

/** Effects executed in queue order. */
export type SimEffect = Exclude<Effect, EffectOf<'set_timer' | 'cancel_timer' | 'journal'>>;

/** What the parts of a modelled validator share. */
export interface SimPartOptions {
  readonly world: World;
  readonly index: number;
  readonly isHonest: () => boolean;
  /** Runs a callback after a delay unless the node crashes first. */
  readonly later: (delayMs: number, run: () => void) => void;
  /** Crashes the process and restarts it a little later. */
  readonly interrupt: () => void;
}

export interface SimEffectQueueOptions extends SimPartOptions {
  readonly journal: SimJournal;
  readonly isAlive: () => boolean;
  readonly perform: (effect: SimEffect) => void;
  readonly onTimer: (timer: TimerName) => void;
}

/** Runs the core's effects in order: those after a journal entry wait until it is synced; timers are set at once. */
export class SimEffectQueue {
  readonly #options: SimEffectQueueOptions;
  #timers = new Map<TimerName, number>();
  #effects: Effect[] = [];
  #next = 0;
  #syncing: readonly JournalEntry[] | undefined;
  #working = false;

  constructor(options: SimEffectQueueOptions) {
    this.#options = options;
  }

  push(effects: readonly Effect[]): void {
    for (const effect of effects) {
      if (effect.type === 'set_timer') this.#setTimer(effect.timer, effect.atMs);
      else if (effect.type === 'cancel_timer') this.#timers.delete(effect.timer);
      else this.#effects.push(effect);
    }
    this.#work();
  }

  /** Crashes the process: an arbitrary prefix of an unsynced write survives. */
  crash(): void {
    const begun = this.#syncing ?? [];
    this.#write(begun.slice(0, this.#options.world.random.below(begun.length + 1)));
    this.#timers = new Map();
    this.#effects = [];
    this.#next = 0;
    this.#syncing = undefined;
  }

  #setTimer(timer: TimerName, atMs: number): void {
    const { world, index, later, onTimer } = this.#options;
    this.#timers.set(timer, atMs);
    later(atMs - world.nowMs, () => {
      if (this.#timers.get(timer) !== atMs) return;
      this.#timers.delete(timer);
      world.trace(() => `${index} ${timer} timer`);
      onTimer(timer);
    });
  }

  #work(): void {
    if (this.#working) return;
    this.#working = true;
    while (this.#syncing === undefined && this.#next < this.#effects.length && this.#options.isAlive()) {
      const effect = this.#effects[this.#next++];
      if (effect !== undefined) this.#take(effect);
    }
    if (this.#next >= this.#effects.length) {
      this.#effects = [];
      this.#next = 0;
    }
    this.#working = false;
  }

  #take(effect: Effect): void {
    switch (effect.type) {
      case 'journal':
        this.#sync(effect.entries);
        return;
      case 'set_timer':
      case 'cancel_timer':
        return;
      default:
        this.#options.perform(effect);
    }
  }

  #sync(entries: readonly JournalEntry[]): void {
    const { world, later, interrupt } = this.#options;
    const { scenario, random, isStable } = world;
    this.#syncing = entries;
    if (!isStable && random.chance(scenario.badTimesCrash)) {
      interrupt();
    } else if (scenario.syncMs === 0) {
      this.#synced(entries);
    } else {
      later(scenario.syncMs, () => {
        this.#synced(entries);
        this.#work();
      });
    }
  }

  #synced(entries: readonly JournalEntry[]): void {
    this.#write(entries);
    this.#syncing = undefined;
  }

  #write(entries: readonly JournalEntry[]): void {
    const { world, index, journal, isHonest } = this.#options;
    const { behavior } = world.options;
    for (const entry of entries) {
      if (entry.type === 'vote' && isHonest()) world.checks.noteOwnVote(entry.message, index, world.nowMs);
    }
    journal.write(entries.filter((entry) => behavior.journals(entry)));
  }
}
