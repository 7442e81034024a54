import { TOKEN_SLOTS } from './token-slots.js';

/** Pause before a slot is reused, so that a thread that has just checked the old token cannot charge the new one. */
const PAUSE_MS = 1_000;
/** With fewer free slots, tokens lose theirs, because a slot takes a while to become free. */
const SPARE_SLOTS = TOKEN_SLOTS / 8;
/** The last free slots are for subjects that hold few. */
const LAST_SLOTS = TOKEN_SLOTS / 32;
const FEW_SLOTS = 16;
const EVICTED_AT_ONCE = 64;

interface Holder {
  readonly token: { readonly subject: string };
  /** When the token was last used; greater is later. */
  readonly lastUse: number;
}

/** Assigns the slots of {@link TOKEN_SLOTS} to tokens, fairly between their subjects. */
export class SlotAllocator<H extends Holder> {
  readonly #holders: () => Iterable<H>;
  readonly #evict: (holder: H) => void;
  readonly #free: number[] = Array.from({ length: TOKEN_SLOTS }, (_, slot) => TOKEN_SLOTS - 1 - slot);
  readonly #pauses = new Set<NodeJS.Timeout>();

  /** @param holders all tokens with a slot, the first one opened first @param evict releases the slot of one */
  constructor(holders: () => Iterable<H>, evict: (holder: H) => void) {
    this.#holders = holders;
    this.#evict = evict;
  }

  /** Takes a slot for a token of a subject; undefined if there is none. If few are free, some tokens lose theirs. */
  take(subject: string): number | undefined {
    if (this.#free.length + this.#pauses.size <= SPARE_SLOTS) {
      for (const holder of surplusHolders(this.#holders(), EVICTED_AT_ONCE)) this.#evict(holder);
    }
    if (this.#free.length <= LAST_SLOTS && this.#countOf(subject) >= FEW_SLOTS) return undefined;
    return this.#free.pop();
  }

  release(slot: number): void {
    const pause = setTimeout(() => {
      this.#pauses.delete(pause);
      this.#free.push(slot);
    }, PAUSE_MS).unref();
    this.#pauses.add(pause);
  }

  close(): void {
    for (const pause of this.#pauses) clearTimeout(pause);
  }

  #countOf(subject: string): number {
    let count = 0;
    for (const { token } of this.#holders()) if (token.subject === subject) count++;
    return count;
  }
}

/**
 * Chooses the tokens that lose their slots: always the least recently used token of the subject that holds the most
 * slots; if several subjects do, of all their tokens.
 * @param holders all tokens with a slot, the first one opened first
 */
export function surplusHolders<H extends Holder>(holders: Iterable<H>, count: number): H[] {
  const bySubject = new Map<string, H[]>();
  for (const holder of holders) {
    const { subject } = holder.token;
    const own = bySubject.get(subject);
    if (own === undefined) bySubject.set(subject, [holder]);
    else own.push(holder);
  }
  const groups = [...bySubject.values()];
  // `pop` takes the least recently used token; among equals, the one opened first.
  for (const group of groups) group.reverse().sort((a, b) => b.lastUse - a.lastUse);
  const chosen: H[] = [];
  while (chosen.length < count) {
    let most: H[] = [];
    for (const group of groups) if (isBefore(group, most)) most = group;
    const holder = most.pop();
    if (holder === undefined) break;
    chosen.push(holder);
  }
  return chosen;
}

function isBefore(group: readonly Holder[], other: readonly Holder[]): boolean {
  if (group.length !== other.length) return group.length > other.length;
  return (group.at(-1)?.lastUse ?? 0) < (other.at(-1)?.lastUse ?? 0);
}
