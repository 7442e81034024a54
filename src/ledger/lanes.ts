import type { AccountRecord, Lane } from '../generated/ledger.js';

/** Maximum number of lanes of an account; its record in the state holds all of them. */
export const MAX_LANES = 256;

/** The lane's next expected nonce; 0 for an unused lane. */
export function nextNonce(record: AccountRecord, lane: number): bigint {
  for (const used of record.lanes) {
    if (used.lane === lane) return used.next_nonce;
  }
  return 0n;
}

export function hasLane(record: Pick<AccountRecord, 'lanes'>, lane: number): boolean {
  return record.lanes.some((used) => used.lane === lane);
}

/** The lanes with one lane's next nonce replaced, sorted by lane. */
export function withNextNonce(lanes: readonly Lane[], lane: number, next: bigint): readonly Lane[] {
  const changed = { lane, next_nonce: next };
  if (lanes.length === 1 && lanes[0]?.lane === lane) return [changed];
  const result = lanes.filter((used) => used.lane !== lane);
  const place = result.findIndex((used) => used.lane > lane);
  result.splice(place < 0 ? result.length : place, 0, changed);
  return result;
}
