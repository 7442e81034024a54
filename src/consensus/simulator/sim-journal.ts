import { type JournalEntry, placeOf } from '../core/types.js';

/** A validator's journal: synced entries survive a crash, and so may a prefix of unsynced ones. */
export class SimJournal {
  #synced: JournalEntry[] = [];

  get entries(): readonly JournalEntry[] {
    return this.#synced;
  }

  write(entries: readonly JournalEntry[]): void {
    for (const entry of entries) this.#synced.push(entry);
  }

  prune(epoch: number, view: number): void {
    this.#synced = this.#synced.filter((entry) => {
      const at = placeOf(entry);
      return at.epoch > epoch || (at.epoch === epoch && at.view > view);
    });
  }

  wipe(): void {
    this.#synced = [];
  }
}
