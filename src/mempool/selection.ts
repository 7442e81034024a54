import { MAX_BODY_BYTES } from '../ledger/constants.js';
import { GAS } from '../ledger/gas.js';
import type { VerifiedTransaction } from '../ledger/verified-transaction.js';
import type { Entry } from './entry.js';
import type { Heap } from './heap.js';
import { HeapWalk } from './heap-walk.js';
import type { Lane } from './lane.js';
import type { BlockSpace } from './pool-types.js';

/** After so many that did not fit the block counts as full: what is left of it is not worth a search of the pool. */
const MAX_MISFITS = 256;

/** What the encoding of a block's item adds to a transaction's: the variant's byte. */
const ITEM_OVERHEAD_BYTES = 1;

/**
 * Draws a block's transactions: the ready heads by tip, the higher first, ties by arrival; behind each drawn one the
 * next of its lane. What does not fit is passed over, and with it the rest of its lane. The heap stays as it is, and
 * only as much of it is visited as is drawn: k transactions cost O(k log k). Guarded by `bench/mempool.bench.ts`.
 * @param heads the lanes with a ready head, by its tip at the block's base fee, the highest first, and then by arrival
 */
export function selectTransactions(heads: Heap<Lane>, space: BlockSpace): VerifiedTransaction[] {
  const walk = new HeapWalk<Lane, Entry>(heads, (lane) => lane.head);
  const maxTransactions = space.maxTransactions ?? Number.POSITIVE_INFINITY;
  const selected: VerifiedTransaction[] = [];
  let gasLeft = space.gasLimit;
  let bytesLeft = space.maxBytes ?? MAX_BODY_BYTES;
  let misfits = 0;
  while (selected.length < maxTransactions && gasLeft >= GAS.tx_base && misfits < MAX_MISFITS) {
    const step = walk.next();
    // Tips come in falling order: after the first that cannot pay the base fee, none can.
    if (step === undefined || step.key < 0n) break;
    const entry = step.value;
    const { gas_limit: gas } = entry.transaction.signed.transaction;
    const bytes = entry.bytes + ITEM_OVERHEAD_BYTES;
    if (gas > gasLeft || bytes > bytesLeft) {
      misfits++;
      continue;
    }
    selected.push(entry.transaction);
    gasLeft -= gas;
    bytesLeft -= bytes;
    const next = entry.lane.after(entry);
    if (next !== undefined) walk.add(next, next.tip(space.baseFee), next.arrival);
  }
  return selected;
}
