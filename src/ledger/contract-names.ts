import { sameBytes } from '../base/same-bytes.js';
import { sha256 } from '../crypto/sha256.js';
import type { AccountRecord, ContractRecord } from '../generated/ledger.js';
import { IDL_LIMITS } from '../idl/compiler/idl-limits.js';
import { contractNameOf } from '../idl/contract-name.js';
import { toHex } from '../idl/hex.js';
import { be64 } from '../storage/big-endian.js';
import { latin1 } from '../storage/latin1.js';
import { readAt } from '../storage/state.js';
import type { StoreReader } from '../storage/store.js';
import type { WriteBatch } from '../storage/write-batch.js';
import { ledger } from './codecs.js';
import { MAX_HEIGHT } from './constants.js';
import { accountKey } from './state-keys.js';

/*
 * Index of contracts by the name in their interface:
 *
 *   by_name   name128 ‖ be64(height of the deployment) ‖ contract20 → hash of the interface, 32 bytes ‖ name
 *
 * name128 is the name in lower case, padded with zeros. Entries are written without reading: that of an interface that
 * an upgrade replaced stays, and readers skip it.
 */

export const NAME_KEY_BYTES = IDL_LIMITS.nameLength + 8 + 20;
const HASH_BYTES = 32;

export interface NameEntry {
  readonly key: Uint8Array;
  /** Undefined if the contract has another interface now. */
  readonly contract: NamedContract | undefined;
}

export interface NamedContract {
  /** 20 bytes. */
  readonly address: Uint8Array;
  readonly name: string;
  readonly record: ContractRecord;
}

interface AccountWrite {
  readonly account?: { readonly address: string; readonly record: AccountRecord };
}

/** Adds the contracts that a block deploys or upgrades. @param idls the interface texts that it brings */
export function appendContractNames(
  batch: WriteBatch,
  writes: readonly AccountWrite[],
  idls: readonly { readonly hash: Uint8Array; readonly bytes: Uint8Array }[],
): void {
  if (idls.length === 0) return;
  const names = new Map(
    idls.map(({ hash, bytes }) => [toHex(hash), contractNameOf(new TextDecoder().decode(bytes))]),
  );
  for (const { account } of writes) {
    const contract = account?.record.contract;
    if (account === undefined || contract?.idl_hash === undefined) continue;
    const name = names.get(toHex(contract.idl_hash));
    // An interface with a longer name does not compile, and a page holds many names.
    if (name === undefined || name.length > IDL_LIMITS.nameLength) continue;
    const key = Buffer.concat([
      nameField(name),
      be64(contract.deployed_at),
      Buffer.from(account.address, 'hex'),
    ]);
    batch.put('by_name', key, Buffer.concat([contract.idl_hash, Buffer.from(name, 'latin1')]));
  }
}

/** A name in lower case, padded with zeros. */
function nameField(name: string): Uint8Array {
  const field = Buffer.alloc(IDL_LIMITS.nameLength);
  field.write(name.toLowerCase(), 'latin1');
  return field;
}

/** Contracts whose names begin with some letters of any case, ascending by name and height of deployment. */
export function* contractsByName(
  store: StoreReader,
  prefix: string,
  after: Uint8Array | undefined,
): IterableIterator<NameEntry> {
  const start = Buffer.from(prefix.toLowerCase(), 'latin1');
  const gte = after === undefined ? start : Buffer.concat([after, Buffer.of(0)]);
  // No letter is 0xff.
  const lt = Buffer.concat([start, Buffer.of(0xff)]);
  for (const [key, value] of store.scan('by_name', { gte, lt })) {
    const address = key.subarray(NAME_KEY_BYTES - 20);
    const state = readAt(store, accountKey({ sha256 }, address), MAX_HEIGHT);
    const record = state === undefined ? undefined : ledger.AccountRecord.decode(state).contract;
    const isCurrent =
      record?.idl_hash !== undefined && sameBytes(record.idl_hash, value.subarray(0, HASH_BYTES));
    const name = latin1(value.subarray(HASH_BYTES));
    yield { key, contract: isCurrent ? { address, name, record } : undefined };
  }
}
