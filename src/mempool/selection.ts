import type { VerifiedTransaction } from '../ledger/verified-transaction.js';
import { BlockFill, ITEM_OVERHEAD_BYTES } from './block-fill.js';
import { BundleDraw, type DrawnBundle } from './bundle-draw.js';
import type { Entry } from './entry.js';
import type { Heap } from './heap.js';
import { HeapWalk } from './heap-walk.js';
import type { Lane } from './lane.js';
import type { BlockSpace } from './pool-types.js';
import type { WaitingBundle } from './waiting-bundle.js';

/** What a block is drawn from. */
export interface SelectionSources {
  /** The lanes with a ready head, by its tip at the block's base fee, the highest first, and then by arrival. */
  readonly heads: Heap<Lane>;
  /** The ready bundles, by their price at the block's base fee, in the same order. */
  readonly bundles: Heap<WaitingBundle>;
  /** A sender's lane; undefined where it has nothing waiting on its own. */
  readonly laneOf: (sender: string, lane: number) => Lane | undefined;
}

/** What was drawn for a block, in its order. */
export interface Selection {
  readonly transactions: readonly VerifiedTransaction[];
  readonly bundles: readonly DrawnBundle[];
}

/**
 * Draws a block's transactions: the ready heads by tip, the higher first, ties by arrival; behind each drawn one the
 * next of its lane; bundles among them, each in its place. What does not fit is passed over, and with it the rest of its
 * lane. The heaps stay as they are, and only as much of them is visited as is drawn: k transactions cost O(k log k).
 * Guarded by `bench/mempool.bench.ts`.
 */
export function selectTransactions(
  { heads, bundles, laneOf }: SelectionSources,
  space: BlockSpace,
): Selection {
  const walk = new HeapWalk<Lane, Entry>(heads, (lane) => lane.head);
  const fill = new BlockFill(space);
  const draw = bundles.size === 0 ? undefined : new BundleDraw(bundles, fill, laneOf, space.isHeldBack);
  while (!fill.full) {
    const step = walk.next();
    // Tips come in falling order: after the first that cannot pay the base fee, none can.
    if (step === undefined || step.key < 0n) break;
    const entry = step.value;
    const { lane } = entry;
    if (draw !== undefined) {
      draw.drawBefore({ price: step.key, arrival: entry.arrival });
    }
    if (space.isHeldBack?.(entry.transaction.hashHex) === true) continue;
    const { gas_limit: gas } = entry.transaction.signed.transaction;
    if (!fill.reserve(gas, entry.bytes + ITEM_OVERHEAD_BYTES, 1)) continue;
    fill.transactions.push(entry.transaction);
    draw?.note(lane);
    const next = lane.after(entry);
    if (next !== undefined) walk.add(next, next.tip(space.baseFee), next.arrival);
  }
  draw?.drawBefore(undefined);
  return { transactions: fill.transactions, bundles: draw?.drawn ?? [] };
}
