/** A write log attached to calls: the writes of the first transactions of a block; see `block-write-log.ts`. */
export interface AttachedWriteLog {
  readonly height: number;
  readonly parts: readonly SharedArrayBuffer[];
  /** For replays; see {@link claimReplay}. */
  readonly claim?: SharedArrayBuffer;
}

/** A write log that a worker needs before it can trace a transaction: up to its index, exclusive. */
export interface WantedWriteLog {
  readonly height: number;
  readonly index: number;
}

const WANTED = '~';

/** Encodes a worker's request for a write log, returned instead of a result's JSON. */
export function encodeWantedWriteLog(wanted: WantedWriteLog): string {
  return WANTED + JSON.stringify(wanted);
}

export function decodeWantedWriteLog(answer: string): WantedWriteLog | undefined {
  return answer.startsWith(WANTED) ? JSON.parse(answer.slice(WANTED.length)) : undefined;
}

/** A request for the next part of a block's write log. It is sent as a call, with the write log so far. */
export interface ReplayRequest {
  readonly height: number;
  /** Number of transactions that the parts cover. */
  readonly covered: number;
  /** Number of transactions that the write log needs. */
  readonly upTo: number;
  /** The round of the request; one request of a round is executed. */
  readonly round: number;
  /** Distinguishes the requests of a round. */
  readonly ticket: number;
}

/** The answer to a replay; the part itself is beside it. */
export type ReplayAnswer = { readonly covered: number } | { readonly isElsewhere: true };

/*
 * Several clients may wait for the next part of one block's write log. Each has its own request in the call queue, so
 * that none depends on another's position there. The first request to reach a worker does the work; the others find it
 * claimed. The claim is one 64-bit word in shared memory: round × TICKETS + ticket.
 */

/** Upper bound of the ticket numbers in a round. */
const TICKETS = 2n ** 32n;

export function createClaim(): SharedArrayBuffer {
  return new SharedArrayBuffer(BigInt64Array.BYTES_PER_ELEMENT);
}

/** Claims a round for a request. A request keeps its claim when it moves to a second worker. */
export function claimReplay(claim: SharedArrayBuffer, round: number, ticket: number): boolean {
  const word = new BigInt64Array(claim);
  const first = BigInt(round) * TICKETS;
  const own = first + BigInt(ticket);
  for (;;) {
    const claimed = Atomics.load(word, 0);
    if (claimed === own) return true;
    if (claimed >= first) return false;
    if (Atomics.compareExchange(word, 0, claimed, own) === claimed) return true;
  }
}
