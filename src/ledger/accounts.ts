import type { AccountRecord, Lane } from '../generated/ledger.js';

/** The record of an address that is not in the state. */
export const EMPTY_ACCOUNT: AccountRecord = Object.freeze({ balance: 0n, lanes: [], deploy_index: 0n });

/** Whether a record is all zero: such an account is not in the state at all. */
export function isEmptyAccount(record: AccountRecord): boolean {
  return (
    record.balance === 0n &&
    record.lanes.length === 0 &&
    record.deploy_index === 0n &&
    record.contract === undefined
  );
}

/** The nonce that a lane of the account expects next; 0 for a lane never used. */
export function nextNonce(record: AccountRecord, lane: number): bigint {
  for (const used of record.lanes) {
    if (used.lane === lane) return used.next_nonce;
  }
  return 0n;
}

/** Whether the account has used a lane. */
export function hasLane(record: Pick<AccountRecord, 'lanes'>, lane: number): boolean {
  return record.lanes.some((used) => used.lane === lane);
}

/** The lanes with one lane's next nonce set, still ascending by lane. */
export function withNextNonce(lanes: readonly Lane[], lane: number, next: bigint): readonly Lane[] {
  const changed = { lane, next_nonce: next };
  if (lanes.length === 1 && lanes[0]?.lane === lane) return [changed];
  const result = lanes.filter((used) => used.lane !== lane);
  const place = result.findIndex((used) => used.lane > lane);
  result.splice(place < 0 ? result.length : place, 0, changed);
  return result;
}
