import { MAX_SLOTS } from '../../ledger/constants.js';
import type { SealedWalk } from '../lanes/sealed-heads.js';
import type { Entry } from '../lanes/sender-lanes.js';
import type { Prices } from '../prices.js';

/** Number of envelopes whose opening heights are full that one draw reports, so that its work has a limit. */
const MAX_WITHOUT_ROOM = 4_096;

interface SlotSpace extends Prices {
  readonly reservedAt?: (opensAt: bigint) => number;
}

/**
 * Assigns a block's opening slots to envelopes: to those with the highest tip per slot, ties by arrival, as far as the
 * block and their opening heights have room. Slots that nobody of them takes go to envelopes that become ready in the
 * block itself.
 *
 * Envelopes that do not fit cannot end the search early, however many there are: those with more slots than the block
 * has left are not visited, and after one that its height has no room for, all with the same height and number of slots
 * are skipped. A height without room either was full before the block or has an envelope in the block, so that at most
 * 16 × 16 groups are skipped in addition to those for full heights.
 */
export class SlotDraw {
  readonly #reservedAt: (opensAt: bigint) => number;
  readonly #assigned = new Set<Entry>();
  readonly #assignedAt = new Map<bigint, number>();
  readonly #withoutRoom = new Set<Entry>();
  #left = MAX_SLOTS;

  constructor({ reservedAt = () => 0 }: SlotSpace) {
    this.#reservedAt = reservedAt;
  }

  /** Envelopes whose opening heights were full before this block: no later block can include them either. */
  get withoutRoom(): Iterable<Entry> {
    return this.#withoutRoom;
  }

  /** Assigns slots in the order of a walk. @param nextOf what may follow an envelope in its lane */
  assign(walk: SealedWalk, prices: Prices, nextOf: (entry: Entry) => Entry | undefined): readonly Entry[] {
    const drawn: Entry[] = [];
    while (this.#left > 0) {
      const step = walk.next(this.#left);
      if (step === undefined || step.key < 0n) break;
      const entry = step.value;
      if (!this.take(entry)) {
        const skipped = walk.close(entry);
        if (this.#withoutRoom.has(entry)) this.#reportWithoutRoom(skipped);
        continue;
      }
      drawn.push(entry);
      const next = nextOf(entry);
      if (next !== undefined) walk.add(next, next.slotRank(prices));
    }
    return drawn;
  }

  /** Assigns slots to an envelope if there is room. @returns true if it has its slots, also from before */
  take(entry: Entry): boolean {
    if (this.#assigned.has(entry)) return true;
    const { opensAt: height, offer } = entry;
    const { slots } = offer;
    if (height === undefined) return true;
    const before = this.#reservedAt(height);
    if (before + slots > MAX_SLOTS) {
      this.#reportWithoutRoom([entry]);
      return false;
    }
    const assigned = this.#assignedAt.get(height) ?? 0;
    if (slots > this.#left || before + assigned + slots > MAX_SLOTS) return false;
    this.#assigned.add(entry);
    this.#assignedAt.set(height, assigned + slots);
    this.#left -= slots;
    return true;
  }

  /** Takes the slots of an envelope back that the block did not include. */
  release(entry: Entry): void {
    if (!this.#assigned.delete(entry)) return;
    const { opensAt: height, offer } = entry;
    const { slots } = offer;
    if (height === undefined) return;
    this.#assignedAt.set(height, (this.#assignedAt.get(height) ?? 0) - slots);
    this.#left += slots;
  }

  #reportWithoutRoom(entries: Iterable<Entry>): void {
    for (const entry of entries) {
      if (this.#withoutRoom.size >= MAX_WITHOUT_ROOM) return;
      this.#withoutRoom.add(entry);
    }
  }
}
