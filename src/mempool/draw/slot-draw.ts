import { MAX_SLOTS } from '../../ledger/constants.js';
import { opensAt } from '../../ledger/transaction-envelope.js';
import type { HeapWalk } from '../lanes/heap-walk.js';
import type { Entry, Lane } from '../lanes/sender-lanes.js';
import type { Prices } from '../prices.js';

/** Number of envelopes that find no slots in the block after which the search ends. */
const MAX_MISSED = 256;
/** The same for envelopes whose opening heights are full: they leave the pool once these heights are final. */
const MAX_WITHOUT_ROOM = 4_096;

interface SlotSpace extends Prices {
  readonly reservedAt?: (opensAt: bigint) => number;
}

/**
 * Assigns a block's opening slots to envelopes: to those with the highest tip per slot, ties by arrival, as far as the
 * block and their opening heights have room. Slots that nobody of them takes go to envelopes that become ready in the
 * block itself.
 */
export class SlotDraw {
  readonly #reservedAt: (opensAt: bigint) => number;
  readonly #assigned = new Set<Entry>();
  /** Slots assigned at each opening height. */
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

  /**
   * Assigns slots to envelopes in the order of a walk.
   * @param nextOf the envelope that follows another one in its lane, if it may be in the block
   */
  assign(
    walk: HeapWalk<Lane, Entry>,
    prices: Prices,
    nextOf: (entry: Entry) => Entry | undefined,
  ): readonly Entry[] {
    const drawn: Entry[] = [];
    let missed = 0;
    while (this.#left > 0 && missed < MAX_MISSED && this.#withoutRoom.size < MAX_WITHOUT_ROOM) {
      const step = walk.next();
      if (step === undefined || step.key < 0n) break;
      const entry = step.value;
      if (!this.take(entry)) {
        if (!this.#withoutRoom.has(entry)) missed++;
        continue;
      }
      drawn.push(entry);
      const next = nextOf(entry);
      if (next !== undefined) walk.add(next, next.slotRank(prices), next.arrival);
    }
    return drawn;
  }

  /** Assigns slots to an envelope if there is room. @returns true if it has its slots, also from before */
  take(entry: Entry): boolean {
    if (this.#assigned.has(entry)) return true;
    const { slots } = entry.offer;
    const height = opensAt(entry.transaction.signed.transaction);
    if (height === undefined) return true;
    const before = this.#reservedAt(height);
    if (before + slots > MAX_SLOTS) {
      this.#withoutRoom.add(entry);
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
    const { slots } = entry.offer;
    const height = opensAt(entry.transaction.signed.transaction);
    if (height === undefined) return;
    this.#assignedAt.set(height, (this.#assignedAt.get(height) ?? 0) - slots);
    this.#left += slots;
  }
}
