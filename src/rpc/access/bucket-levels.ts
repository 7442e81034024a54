import type { SlotLevels } from './token-slots.js';

/** Maximum number of tokens whose levels are kept, some 200 bytes each. */
const MAX_KEPT = 65_536;

/**
 * The fill levels of buckets whose tokens have lost their slots, until the buckets are empty: a token that gets another
 * slot continues where it stopped.
 */
export class BucketLevels {
  /** By token id, oldest first. */
  readonly #kept = new Map<string, SlotLevels>();
  readonly #max: number;

  constructor(max = MAX_KEPT) {
    this.#max = max;
  }

  get size(): number {
    return this.#kept.size;
  }

  /** @param levels undefined if all buckets are empty */
  keep(id: string, levels: SlotLevels | undefined): void {
    this.#kept.delete(id);
    if (levels === undefined) return;
    this.#kept.set(id, levels);
    if (this.#kept.size <= this.#max) return;
    const [oldest] = this.#kept.keys();
    if (oldest !== undefined) this.#kept.delete(oldest);
  }

  take(id: string): SlotLevels | undefined {
    const levels = this.#kept.get(id);
    this.#kept.delete(id);
    return levels;
  }

  /** Forgets the levels of buckets that are empty by now. */
  dropEmpty(nowNs: bigint): void {
    for (const [id, levels] of this.#kept) {
      if (levels.every((emptyAt) => emptyAt <= nowNs)) this.#kept.delete(id);
    }
  }
}
