import { LRUCache } from 'lru-cache';
import type { Caller } from '../../async/caller.js';
import type { Reads } from '../../execution/calls/reads.js';
import { EventBloom, type EventSelection } from '../../ledger/event-bloom.js';

export type EventReads = Pick<Reads, 'read'>;

/** Blocks below the tip whose events are known; subscriptions further behind read each block. */
const RECENT_BLOCKS = 16n;
/** Maximum memory, in bytes; a block's events take at most a few hundred KiB. */
const MAX_BYTES = 8 * 1024 * 1024;

/**
 * Which contracts and topics the newest blocks have events of. One read of each block serves all log filters of a thread:
 * only a filter that may match reads the block's events.
 */
export class RecentEvents {
  readonly #blooms = new LRUCache<bigint, EventBloom>({
    maxSize: MAX_BYTES,
    sizeCalculation: ({ size }) => 1 + size,
  });
  readonly #pending = new Map<bigint, Promise<EventBloom>>();

  /** Whether a range, inclusive, may hold a selected event; undefined if it begins too far below the tip. */
  mayHave(
    selection: EventSelection,
    { from, to }: { readonly from: bigint; readonly to: bigint },
    reads: EventReads,
    caller: Caller,
  ): boolean | Promise<boolean> | undefined {
    if (to - from >= RECENT_BLOCKS) return undefined;
    const missing: bigint[] = [];
    for (let height = from; height <= to; height += 1n) {
      const bloom = this.#blooms.get(height);
      if (bloom === undefined) missing.push(height);
      else if (bloom.mayHave(selection)) return true;
    }
    if (missing.length === 0) return false;
    return Promise.all(missing.map((height) => this.#load(height, reads, caller))).then((blooms) =>
      blooms.some((bloom) => bloom.mayHave(selection)),
    );
  }

  #load(height: bigint, reads: EventReads, caller: Caller): Promise<EventBloom> {
    const pending = this.#pending.get(height);
    if (pending !== undefined) return pending;
    const loading = reads
      .read({ kind: 'event_bloom', height }, caller)
      .then((text) => {
        const bloom = EventBloom.decode(text);
        this.#blooms.set(height, bloom);
        return bloom;
      })
      .finally(() => this.#pending.delete(height));
    this.#pending.set(height, loading);
    return loading;
  }
}
