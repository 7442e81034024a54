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
