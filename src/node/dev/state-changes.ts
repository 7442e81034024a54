import { sameBytes } from '../../base/same-bytes.js';
import type { Crypto } from '../../crypto/crypto.js';
import type { AccountRecord, ContractRecord, DevChange, DevContract } from '../../generated/ledger.js';
import { EMPTY_ACCOUNT } from '../../ledger/accounts.js';
import { ledger } from '../../ledger/codecs.js';
import { copiedKey, forkedRawAt, isForkable, storedBlob } from '../../ledger/forked-state.js';
import { ADDRESS_NAME_BYTES, namesOf } from '../../ledger/state-names.js';
import { limitExceeded } from '../../rpc/errors.js';
import { latin1 } from '../../storage/latin1.js';
import { changedKeys, readManyAt, valueOfRaw } from '../../storage/state.js';
import type { StoreReader } from '../../storage/store.js';

/** Maximum number of accounts and slots that one revert restores. */
const MAX_RESTORED = 100_000;
const PORTION = 1_024;

/** Heights of a revert: `to` is the state to restore, `from` the last committed block. */
export interface RevertRange {
  readonly to: bigint;
  readonly from: bigint;
}

/** The changes that restore a height's state. @throws RpcError limit_exceeded; StateUnavailableError */
export function restoringChanges(
  store: StoreReader,
  crypto: Crypto,
  range: RevertRange,
): readonly DevChange[] {
  const { to, from } = range;
  const keys = keysChanged(store, range);
  const changes: DevChange[] = [];
  for (let start = 0; start < keys.length; start += PORTION) {
    const portion = keys.slice(start, start + PORTION);
    const names = namesOf(store, portion);
    const before = readManyAt(store, portion, to);
    const now = readManyAt(store, portion, from);
    for (const [index, name] of names.entries()) {
      // A consensus record has no name. Copies of a forked chain's state remain.
      if (name === undefined || !isForkable(name)) continue;
      const value = before[index] ?? forkedValue(store, crypto, { name, key: portion[index] }, to);
      if (sameBytes(value, now[index])) continue;
      if (name.length === ADDRESS_NAME_BYTES) {
        changes.push(...accountChanges(store, name, accountOf(now[index]), accountOf(value)));
      } else {
        const slot = { slot: name.subarray(ADDRESS_NAME_BYTES), ...(value === undefined ? {} : { value }) };
        const contract = name.subarray(0, ADDRESS_NAME_BYTES);
        changes.push({ type: 'slots', value: { contract, slots: [slot] } });
      }
    }
  }
  return changes;
}

function forkedValue(
  store: StoreReader,
  crypto: Crypto,
  { name, key }: { readonly name: Uint8Array; readonly key: Uint8Array | undefined },
  height: bigint,
): Uint8Array | undefined {
  if (key === undefined) return undefined;
  const raw = forkedRawAt(store, crypto, { name, key }, height, 'show');
  return raw === undefined ? undefined : valueOfRaw(raw);
}

/** The changes from one record of an account to another; its nonces stay. */
export function accountChanges(
  store: StoreReader,
  address: Uint8Array,
  now: AccountRecord,
  wanted: Omit<AccountRecord, 'lanes'>,
): DevChange[] {
  const changes: DevChange[] = [];
  if (now.balance !== wanted.balance) {
    changes.push({ type: 'balance', value: { address, amount: wanted.balance } });
  }
  if (now.deploy_index !== wanted.deploy_index) {
    changes.push({ type: 'deploy_index', value: { address, deploy_index: wanted.deploy_index } });
  }
  const { contract } = wanted;
  if (contract === undefined) {
    if (now.contract !== undefined) changes.push({ type: 'no_contract', value: address });
  } else if (now.contract === undefined || !isSameContract(now.contract, contract)) {
    changes.push({ type: 'contract', value: storedContract(store, address, contract) });
  }
  return changes;
}

/** A contract with its code and interface text, which the store keeps for good. */
export function storedContract(
  store: StoreReader,
  address: Uint8Array,
  { code_hash, code_size: _, idl_hash, ...rest }: ContractRecord,
): DevContract {
  const code = storedBlob(store, 'code', code_hash);
  if (code === undefined) throw new Error('the code of a contract is missing from the store');
  const idl = idl_hash === undefined ? undefined : storedBlob(store, 'idl', idl_hash);
  return { address, ...rest, code, ...(idl === undefined ? {} : { idl: new TextDecoder().decode(idl) }) };
}

/** The account of a state value; the empty one for none. */
export function accountOf(value: Uint8Array | undefined): AccountRecord {
  return value === undefined ? EMPTY_ACCOUNT : ledger.AccountRecord.decode(value);
}

function isSameContract(a: ContractRecord, b: ContractRecord): boolean {
  return sameBytes(ledger.ContractRecord.encode(a), ledger.ContractRecord.encode(b));
}

function keysChanged(store: StoreReader, { to, from }: RevertRange): readonly Uint8Array[] {
  const keys = new Map<string, Uint8Array>();
  for (let height = to + 1n; height <= from; height++) {
    const changed = changedKeys(store, height);
    for (const key of [...changed, ...copiedKeys(store, changed)]) keys.set(latin1(key), key);
    if (keys.size > MAX_RESTORED) {
      throw limitExceeded('restored_keys', MAX_RESTORED, keys.size, 'the accounts and slots to restore');
    }
  }
  return [...keys.values()];
}

/** The keys whose marks are among the given ones: the fork may have removed them in the block that copied them. */
function copiedKeys(store: StoreReader, keys: readonly Uint8Array[]): readonly Uint8Array[] {
  if (store.base === undefined) return [];
  return namesOf(store, keys).flatMap((name) => (name && copiedKey(name)) ?? []);
}
