import type btree from 'sorted-btree';
import type { AddressHex } from '../ledger/hex-types.js';
import type { BundleMember } from './bundles/waiting-bundle.js';
import { PoolCursorError } from './errors.js';
import type { Entry } from './lanes/sender-lanes.js';
import type { PendingPage, PendingQuery } from './pool-types.js';

type Pending = Entry | BundleMember;

export interface Listed {
  /** All pooled transactions by arrival number. */
  readonly byArrival: btree.default<number, Pending>;
  /** An account's transactions, unordered, and their number. */
  readonly ownOf: (sender: AddressHex) => { readonly size: number; readonly entries: Iterable<Pending> };
  readonly isListed: (pending: Pending) => boolean;
}

/** A page of the pool, newest first. @throws PoolCursorError */
export function pageOf(query: PendingQuery, listed: Listed): PendingPage {
  const below = query.cursor === undefined ? undefined : readCursor(query.cursor, query.sender);
  const found = entriesBelow(query, below, listed);
  const page = found.slice(0, query.limit);
  const last = page.at(-1);
  const transactions = page.map((pending) => pending.view());
  if (found.length === page.length || last === undefined) return { transactions };
  return { transactions, nextCursor: writeCursor(last.arrival, query.sender) };
}

/** The newest entries that arrived before `below`, one more than the page holds if available. */
function entriesBelow(
  { sender, limit }: PendingQuery,
  below: number | undefined,
  { byArrival, ownOf, isListed }: Listed,
): Pending[] {
  const wanted = limit + 1;
  if (sender !== undefined) {
    const { size, entries } = ownOf(sender);
    // The shorter way, at most half of the pool: scans the account's entries, or skips those of others.
    if (size * 2 <= byArrival.size) return newestOf(entries, wanted, below, isListed);
  }
  const found: Pending[] = [];
  for (const [, pending] of byArrival.entriesReversed(below, undefined, true)) {
    if ((sender === undefined || pending.address === sender) && isListed(pending)) found.push(pending);
    if (found.length === wanted) break;
  }
  return found;
}

/** The newest entries, without sorting all of them. */
function newestOf(
  entries: Iterable<Pending>,
  wanted: number,
  below: number | undefined,
  isListed: (pending: Pending) => boolean,
): Pending[] {
  let newest: Pending[] = [];
  let above = -1;
  const cut = () => {
    newest = newest.sort((a, b) => b.arrival - a.arrival).slice(0, wanted);
    if (newest.length === wanted) above = newest.at(-1)?.arrival ?? above;
  };
  for (const pending of entries) {
    const { arrival } = pending;
    if (arrival <= above || (below !== undefined && arrival >= below) || !isListed(pending)) continue;
    if (newest.push(pending) >= 2 * wanted) cut();
  }
  cut();
  return newest;
}

/** A cursor: its filter and the last entry's arrival number, so that entries may come and go. */
function writeCursor(arrival: number, sender: string | undefined): string {
  return Buffer.from(`${arrival}/${sender ?? ''}`).toString('base64url');
}

function readCursor(cursor: string, sender: AddressHex | undefined): number {
  const match = /^(\d{1,16})\/([0-9a-f]{0,40})$/.exec(Buffer.from(cursor, 'base64url').toString('latin1'));
  const arrival = Number(match?.[1]);
  const isWhole = Number.isSafeInteger(arrival) && writeCursor(arrival, match?.[2] || undefined) === cursor;
  if (match === null || !isWhole) {
    throw new PoolCursorError('expected the next_cursor of an earlier page, got something else');
  }
  if ((match[2] ?? '') !== (sender ?? '')) {
    const filter = match[2] ? `sender 0x${match[2]}` : 'no sender';
    throw new PoolCursorError(`it belongs to a listing with ${filter}; start the new one without a cursor`);
  }
  return arrival;
}
