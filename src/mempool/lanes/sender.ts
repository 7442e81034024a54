import type { AddressHex } from '../../ledger/hex-types.js';
import type { Entry } from './entry.js';
import { HeapNode } from './heap.js';
import { Lane } from './lane.js';

/** What one account has in the pool. */
export class Sender {
  /** The lanes with transactions waiting, by number. */
  readonly lanes = new Map<number, Lane>();
  /** The most that all its transactions together can take from it. */
  cost = 0n;
  size = 0;
  /** The places that its transactions behind gaps take. */
  gappedPlaces = 0;
  /** Its place among the senders that make room behind gaps. */
  readonly gappedNode = new HeapNode<Sender>(this);

  constructor(readonly address: AddressHex) {}

  /** The transaction that waits with a nonce of a lane. */
  find(lane: number, nonce: bigint): Entry | undefined {
    return this.lanes.get(lane)?.find(nonce);
  }

  /** The lane, opened where it has nothing waiting yet. */
  open(id: number, accountNonce: bigint): Lane {
    let lane = this.lanes.get(id);
    if (lane === undefined) {
      lane = new Lane(this, id, accountNonce);
      this.lanes.set(id, lane);
    }
    return lane;
  }

  /** Of the last transactions of its lanes the one that came last: what goes first when the account cannot pay for all. */
  newestTail(): Entry | undefined {
    let newest: Entry | undefined;
    for (const { tail } of this.lanes.values()) {
      if (tail !== undefined && (newest === undefined || tail.arrival > newest.arrival)) newest = tail;
    }
    return newest;
  }

  *entries(): IterableIterator<Entry> {
    for (const lane of this.lanes.values()) yield* lane.entries();
  }
}
