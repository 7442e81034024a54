import type { TransactionEnvelope } from '../ledger/transaction-envelope.js';
import { TransactionError } from './errors.js';
import type { GappedEnd } from './lanes/gapped-book.js';
import { HeapWalk } from './lanes/heap-walk.js';
import type { LaneBook } from './lanes/lane-book.js';
import type { Entry, Lane, Sender } from './lanes/sender-lanes.js';
import type { PoolLimits } from './pool-types.js';
import type { Prices } from './prices.js';

/** A share of the pool, or an amount to free. */
export interface PoolShare {
  readonly transactions: number;
  /** Encoded size. */
  readonly bytes: number;
}

interface Needed extends PoolShare {
  /** Places behind gaps; 0 for a ready transaction. */
  readonly gappedPlaces: number;
}

interface Newcomer {
  /** The lowest tip of the new transaction and its predecessors in the lane. */
  readonly worth: bigint;
  readonly ready: boolean;
  /** The sender's pooled transactions; undefined if there are none. */
  readonly sender: Sender | undefined;
  /** The lane that it enters; evicting anything up to `position` there could put it behind a gap. */
  readonly lane: Lane | undefined;
  readonly position: number;
  /** Places behind gaps that the sender would have, including this transaction's. */
  readonly places: number;
}

/**
 * Chooses transactions to evict for a new one, only from the ends of lanes so that no gap arises: first
 * gapped ones, which yield to a ready one at any price; then, only for a ready one, ready ones that are worth less.
 * @returns undefined if too little can be freed
 */
function chooseEvictions(
  needed: Needed,
  newcomer: Newcomer,
  { gapped, readyEnds, prices }: LaneBook,
): Entry[] | undefined {
  const leaving: Entry[] = [];
  let bytes = 0;
  let places = 0;
  const missing = () =>
    leaving.length < needed.transactions || bytes < needed.bytes || places < needed.gappedPlaces;
  for (const end of gapped.walk(newcomer.lane, newcomer.position)) {
    if (!missing() || !yieldsTo(end, newcomer, prices)) break;
    leaving.push(end.entry);
    bytes += end.entry.bytes;
    places += gapped.placesOf(end.entry.bytes);
  }
  if (!missing()) return leaving;
  if (!newcomer.ready) return undefined;

  const readyWalk = new HeapWalk<Lane, Entry>(readyEnds, (lane) =>
    lane === newcomer.lane ? undefined : lane.readyEnd,
  );
  while (missing()) {
    const step = readyWalk.next();
    if (step === undefined || step.key >= newcomer.worth) return undefined;
    const entry = step.value;
    leaving.push(entry);
    bytes += entry.bytes;
    const next = entry.lane.before(entry);
    if (next !== undefined) readyWalk.add(next, next.worth(prices), -next.arrival);
  }
  return leaving;
}

function yieldsTo({ sender, entry, places }: GappedEnd, newcomer: Newcomer, prices: Prices): boolean {
  if (newcomer.ready) return true;
  if (sender !== newcomer.sender && places !== newcomer.places) return places > newcomer.places;
  return entry.tip(prices) < newcomer.worth;
}

const NOWHERE = { sender: undefined, lane: undefined, position: 0, places: 0 };
/** A new transaction that outbids all others. */
const ANYONE: Newcomer = { worth: 2n ** 256n, ready: true, ...NOWHERE };

/** Admission to a full pool and the resulting evictions; rule 5 of `pool.ts`. */
export class EvictionPolicy {
  readonly #limits: PoolLimits;
  readonly #lanes: LaneBook;
  /** The bundles' share of the pool. */
  readonly #bundled: PoolShare;

  constructor(limits: PoolLimits, lanes: LaneBook, bundled: PoolShare) {
    this.#limits = limits;
    this.#lanes = lanes;
    this.#bundled = bundled;
  }

  /** The current minimum max_fee for admission. */
  get minFee(): bigint {
    const { minFee } = this.#limits;
    const lowest = this.#lowestWorth;
    if (!this.#full || lowest === undefined) return minFee;
    const needed = this.#lanes.prices.baseFee + lowest + 1n;
    return needed > minFee ? needed : minFee;
  }

  /**
   * The transactions to evict so that a new one fits, or why it is rejected.
   * @param present the transaction that the new one would replace
   * @param ready true if the new transaction waits for no earlier nonce
   */
  roomFor(
    transaction: TransactionEnvelope,
    present: Entry | undefined,
    ready: boolean,
  ): readonly Entry[] | TransactionError {
    const { maxTransactions, maxBytes } = this.#limits;
    const { gapped } = this.#lanes;
    const size = this.#lanes.transactions + this.#bundled.transactions;
    const bytes = this.#lanes.bytes + this.#bundled.bytes;
    const places = ready ? 0 : this.#furtherPlaces(transaction, present);
    const needed = {
      transactions: size + (present === undefined ? 1 : 0) - maxTransactions,
      bytes: bytes + transaction.encoded.length - (present?.bytes ?? 0) - maxBytes,
      gappedPlaces: ready ? 0 : gapped.excess(places),
    };
    if (needed.transactions <= 0 && needed.bytes <= 0 && needed.gappedPlaces <= 0) return [];
    const newcomer = this.#newcomer(transaction, ready, places);
    const leaving = chooseEvictions(needed, newcomer, this.#lanes);
    if (leaving !== undefined) return leaving;
    const tip = this.#lanes.tipOf(transaction);
    const lowest = this.#lowestWorth;
    if (ready && lowest !== undefined && tip <= lowest) return this.#underpriced(tip);
    const message =
      needed.transactions > 0 || needed.bytes > 0
        ? 'the pool is full of transactions that precede this one'
        : `transactions behind nonce gaps may take ${gapped.share} places of the pool, and those there precede this one`;
    return new TransactionError('pool_full', message, { size, bytes });
  }

  /** The reason that a transaction cannot displace any other, at any position in its lane; undefined if it can. */
  underpriced(transaction: TransactionEnvelope): TransactionError | undefined {
    const lowest = this.#lowestWorth;
    if (!this.#full || lowest === undefined) return undefined;
    const { lane, nonce } = transaction.signed.transaction;
    if (this.#lanes.sender(transaction.sender)?.find(lane, nonce) !== undefined) return undefined;
    const tip = this.#lanes.tipOf(transaction);
    return tip <= lowest ? this.#underpriced(tip) : undefined;
  }

  /** Transactions to evict because the pool exceeds its limits, for instance after a start with smaller ones. */
  excess(): readonly Entry[] {
    const { maxTransactions, maxBytes } = this.#limits;
    const { transactions, bytes } = this.#lanes;
    const needed = {
      transactions: transactions + this.#bundled.transactions - maxTransactions,
      bytes: bytes + this.#bundled.bytes - maxBytes,
      gappedPlaces: 0,
    };
    return chooseEvictions(needed, ANYONE, this.#lanes) ?? [];
  }

  get #full(): boolean {
    return this.#lanes.transactions + this.#bundled.transactions >= this.#limits.maxTransactions;
  }

  /** The tip that a new ready transaction must exceed; undefined if any tip suffices. */
  get #lowestWorth(): bigint | undefined {
    const { gapped, readyEnds } = this.#lanes;
    return gapped.size > 0 ? undefined : readyEnds.first?.key;
  }

  /** Number of places behind gaps that a transaction takes in addition to the one it replaces. */
  #furtherPlaces({ encoded }: TransactionEnvelope, present: Entry | undefined): number {
    const { gapped } = this.#lanes;
    return gapped.placesOf(encoded.length) - (present === undefined ? 0 : gapped.placesOf(present.bytes));
  }

  #newcomer(transaction: TransactionEnvelope, ready: boolean, furtherPlaces: number): Newcomer {
    const { lane: laneId, nonce } = transaction.signed.transaction;
    const sender = this.#lanes.sender(transaction.sender);
    const lane = sender?.lanes.get(laneId);
    const position = lane?.positionOf(nonce) ?? 0;
    const tip = this.#lanes.tipOf(transaction);
    const before = ready ? lane?.at(position - 1)?.worth(this.#lanes.prices) : undefined;
    const worth = before !== undefined && before < tip ? before : tip;
    return { worth, ready, sender, lane, position, places: (sender?.gappedPlaces ?? 0) + furtherPlaces };
  }

  #underpriced(tip: bigint): TransactionError {
    const { baseFee } = this.#lanes.prices;
    const needed = this.minFee;
    const priority = needed > baseFee ? needed - baseFee : 0n;
    const message =
      `the pool is full; above the base fee of ${baseFee} the transaction pays ${tip}, but getting in takes a ` +
      `max_fee of ${needed} and a priority_fee of ${priority}`;
    return new TransactionError('fee_too_low', message, { needed });
  }
}
