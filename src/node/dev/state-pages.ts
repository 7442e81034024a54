import { sameBytes } from '../../base/same-bytes.js';
import type { Crypto } from '../../crypto/crypto.js';
import type { DevAccount, DevStatePage } from '../../generated/dev-v1.js';
import { fromHex, toHex } from '../../idl/hex.js';
import { DEV_CONTROLLER_ADDRESS } from '../../ledger/dev-controls.js';
import { accountKey, slotKey } from '../../ledger/state-keys.js';
import { ADDRESS_NAME_BYTES, stateNames } from '../../ledger/state-names.js';
import { invalidParams } from '../../rpc/errors.js';
import { readAt } from '../../storage/state.js';
import type { StoreReader } from '../../storage/store.js';
import { accountOf, storedContract } from './state-changes.js';

/** A page ends once its values have this many bytes: their JSON, in hexadecimal, then stays below the body limit of a node. */
const PAGE_BYTES = 1024 * 1024;
/** Maximum number of accounts and slots of a page, whether in the state or not. */
const PAGE_NAMES = 4_096;
const MAX_NAME_BYTES = 52;

type OpenAccount = { -readonly [K in keyof Omit<DevAccount, 'slots'>]: DevAccount[K] } & {
  slots: NonNullable<DevAccount['slots']>[number][];
};

/**
 * A page of the accounts and slots of the state, ascending by address and slot.
 * @param tip height of the last committed block, for a listing without cursor
 * @throws RpcError invalid_params for a bad cursor; StateUnavailableError
 */
export function statePage(
  store: StoreReader,
  crypto: Crypto,
  tip: bigint,
  cursor: string | undefined,
): DevStatePage {
  const { height, from } = cursor === undefined ? { height: tip, from: undefined } : parse(cursor, tip);
  const accounts: OpenAccount[] = [];
  let bytes = 0;
  let names = 0;
  for (const name of stateNames(store, from)) {
    if (bytes >= PAGE_BYTES || names >= PAGE_NAMES) {
      return { height, accounts: accounts.map(closed), next_cursor: `${height}-${toHex(name)}` };
    }
    names++;
    const address = name.subarray(0, ADDRESS_NAME_BYTES);
    if (sameBytes(address, DEV_CONTROLLER_ADDRESS)) continue;
    if (name.length === ADDRESS_NAME_BYTES) {
      const value = readAt(store, accountKey(crypto, address), height);
      if (value === undefined) continue;
      const { balance, deploy_index, contract } = accountOf(value);
      const account: OpenAccount = { address, balance, deploy_index, slots: [] };
      if (contract !== undefined) {
        const { address: _, pending_upgrade: __, ...shown } = storedContract(store, address, contract);
        account.contract = shown;
        bytes += shown.code.length + (shown.idl?.length ?? 0);
      }
      accounts.push(account);
      bytes += 64;
    } else {
      const slot = name.subarray(ADDRESS_NAME_BYTES);
      const value = readAt(store, slotKey(crypto, address, slot), height);
      if (value === undefined) continue;
      let last = accounts.at(-1);
      if (!sameBytes(last?.address, address) || last === undefined) {
        last = { address, slots: [] };
        accounts.push(last);
      }
      last.slots.push({ slot, value });
      bytes += slot.length + value.length;
    }
  }
  return { height, accounts: accounts.map(closed) };
}

function closed({ slots, ...account }: OpenAccount): DevAccount {
  return slots.length === 0 ? account : { ...account, slots };
}

/** Parses a cursor: height ‖ "-" ‖ the next name in hexadecimal digits. */
function parse(cursor: string, tip: bigint): { readonly height: bigint; readonly from: Uint8Array } {
  const match = /^(\d{1,20})-([0-9a-f]{0,104})$/.exec(cursor);
  const height = BigInt(match?.[1] ?? -1);
  const from = fromHex(match?.[2] ?? '', 0);
  if (height < 0n || height > tip || from === undefined || from.length > MAX_NAME_BYTES) {
    const expected = 'next_cursor of an earlier page';
    throw invalidParams('params.cursor', expected, JSON.stringify(cursor.slice(0, 130)));
  }
  return { height, from };
}
