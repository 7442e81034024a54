import type btree from 'sorted-btree';
import type { Entry } from './entry.js';
import { PoolCursorError } from './errors.js';
import type { PendingPage, PendingQuery } from './pool-types.js';
import type { Sender } from './sender.js';

/** Up to so many transactions of one account are collected and sorted; for more, the whole pool's order is followed. */
const SORTED_SENDER_SIZE = 4_096;

/**
 * A page of the pool, newest first.
 * @param byArrival every entry under its arrival number
 * @param sender what the account asked for has in the pool; undefined where it has nothing, or none was asked for
 * @throws PoolCursorError
 */
export function pageOf(
  query: PendingQuery,
  byArrival: btree.default<number, Entry>,
  sender: Sender | undefined,
): PendingPage {
  const below = query.cursor === undefined ? undefined : readCursor(query.cursor, query.sender);
  const found = entriesBelow(query, below, byArrival, sender);
  const page = found.slice(0, query.limit);
  const last = page.at(-1);
  const transactions = page.map((entry) => entry.view());
  if (found.length === page.length || last === undefined) return { transactions };
  return { transactions, nextCursor: writeCursor(last.arrival, query.sender) };
}

/** The newest entries that arrived before `below`, one more than the page takes where there are more. */
function entriesBelow(
  query: PendingQuery,
  below: number | undefined,
  byArrival: btree.default<number, Entry>,
  sender: Sender | undefined,
): Entry[] {
  const wanted = query.limit + 1;
  if (query.sender !== undefined) {
    if (sender === undefined) return [];
    if (sender.size <= SORTED_SENDER_SIZE) {
      return [...sender.entries()]
        .filter((entry) => below === undefined || entry.arrival < below)
        .sort((a, b) => b.arrival - a.arrival)
        .slice(0, wanted);
    }
  }
  const found: Entry[] = [];
  for (const [, entry] of byArrival.entriesReversed(below, undefined, true)) {
    if (sender === undefined || entry.lane.sender === sender) found.push(entry);
    if (found.length === wanted) break;
  }
  return found;
}

/** A cursor names the last entry shown by its arrival, which nothing that comes or goes can change, and its filter. */
function writeCursor(arrival: number, sender: string | undefined): string {
  return Buffer.from(`${arrival}/${sender ?? ''}`).toString('base64url');
}

function readCursor(cursor: string, sender: string | undefined): number {
  const match = /^(\d{1,16})\/([0-9a-f]{0,40})$/.exec(Buffer.from(cursor, 'base64url').toString('latin1'));
  const arrival = Number(match?.[1]);
  if (
    match === null ||
    !Number.isSafeInteger(arrival) ||
    writeCursor(arrival, match[2] || undefined) !== cursor
  ) {
    throw new PoolCursorError('cursor: expected the next_cursor of an earlier page, got something else');
  }
  if ((match[2] ?? '') !== (sender ?? '')) {
    const filter = match[2] ? `sender 0x${match[2]}` : 'no sender';
    throw new PoolCursorError(
      `cursor: it belongs to a listing with ${filter}; start the new one without a cursor`,
    );
  }
  return arrival;
}
