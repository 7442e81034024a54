import type { AccountRecord } from '../generated/ledger.js';

/** Record of an address outside the state. */
export const EMPTY_ACCOUNT: AccountRecord = Object.freeze({ balance: 0n, lanes: [], deploy_index: 0n });

/** True if a record is all zero; such accounts are not kept in the state. */
export function isEmptyAccount(record: AccountRecord): boolean {
  return (
    record.balance === 0n &&
    record.lanes.length === 0 &&
    record.deploy_index === 0n &&
    record.contract === undefined
  );
}
