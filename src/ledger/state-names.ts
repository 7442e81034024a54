import type { Sha256 } from '../crypto/crypto.js';
import type { Genesis } from '../generated/ledger.js';
import type { StoreReader } from '../storage/store.js';
import type { WriteBatch } from '../storage/write-batch.js';
import { accountKey } from './state-keys.js';

/*
 * State keys are hashes. On development chains, the store also has the names behind them, so that development controls can
 * list and restore the state: "name/" ‖ key → name, and "named/" ‖ name, to list them by address. The name of an account
 * is its address, that of a slot is contract 20 ‖ slot 32; consensus records have none. A name remains when its key is
 * removed from the state.
 */

const NAME_OF_KEY = Buffer.from('name/');
const NAME = Buffer.from('named/');
const ARE_COMPLETE = Buffer.from('names_complete');
const NOTHING = new Uint8Array(0);

export const ADDRESS_NAME_BYTES = 20;

/** A write that may create a key, with its name if it has one. */
interface NamedWrite {
  readonly key: Uint8Array;
  readonly previous: Uint8Array | undefined;
  /** 40 lowercase hex digits. */
  readonly account?: { readonly address: string };
  readonly name?: Uint8Array;
}

/** Adds the names of the keys that a block creates, or copies from a forked chain and removes. */
export function appendStateNames(batch: WriteBatch, writes: readonly NamedWrite[]): void {
  for (const { key, previous, account, name } of writes) {
    if (previous !== undefined) continue;
    if (account !== undefined) put(batch, key, Buffer.from(account.address, 'hex'));
    else if (name !== undefined) put(batch, key, name);
  }
}

/** Adds the names of the genesis; the names of a store that has them are complete. */
export function appendGenesisNames(
  batch: WriteBatch,
  { accounts }: Pick<Genesis, 'accounts'>,
  crypto: Sha256,
): void {
  for (const { address } of accounts) put(batch, accountKey(crypto, address), address);
  batch.put('meta', ARE_COMPLETE, NOTHING);
}

/** True if the store has the names of all accounts and slots; false if its state came from a snapshot, for example. */
export function areNamesComplete(store: StoreReader): boolean {
  return store.get('meta', ARE_COMPLETE) !== undefined;
}

/** The names of keys, in the order of `keys`; undefined for consensus records. */
export function namesOf(store: StoreReader, keys: readonly Uint8Array[]): (Uint8Array | undefined)[] {
  return store.getMany(
    'meta',
    keys.map((key) => Buffer.concat([NAME_OF_KEY, key])),
  );
}

/** The names from a given one on, ascending: each account, followed by the slots of its contract. */
export function* stateNames(store: StoreReader, from: Uint8Array = NOTHING): IterableIterator<Uint8Array> {
  // "named0" follows every "named/…".
  const lt = Uint8Array.from(NAME);
  lt[NAME.length - 1] = (NAME[NAME.length - 1] ?? 0) + 1;
  for (const [key] of store.scan('meta', { gte: Buffer.concat([NAME, from]), lt })) {
    yield key.subarray(NAME.length);
  }
}

function put(batch: WriteBatch, key: Uint8Array, name: Uint8Array): void {
  batch.put('meta', Buffer.concat([NAME_OF_KEY, key]), name);
  batch.put('meta', Buffer.concat([NAME, name]), NOTHING);
}
