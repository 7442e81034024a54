/**
 * The hand-written map caches against `lru-cache` with the same keys and values: one for accounts that admission and
 * execution read and blocks change, one for accounts that view calls read. Reads 50,000 accounts of a real store in
 * random order.
 *
 *     npm run bench -- caches [--rounds 5] [--milliseconds 150]
 */
import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { LRUCache } from 'lru-cache';
import { loadCrypto } from '../src/crypto/load-crypto.js';
import type { AccountEntry } from '../src/execution/state-source.js';
import { bucketOf, ChangeTable } from '../src/execution/views/change-table.js';
import { StateCache } from '../src/execution/views/state-cache.js';
import type { AccountRecord } from '../src/generated/ledger.js';
import { AccountCache, type AccountChange, type CachedAccount } from '../src/ledger/account-cache.js';
import { ledger } from '../src/ledger/codecs.js';
import { type AddressHex, addressHex } from '../src/ledger/hex-types.js';
import { accountKey } from '../src/ledger/state-keys.js';
import { be64 } from '../src/storage/big-endian.js';
import { openStore } from '../src/storage/open-store.js';
import { WriteBatch } from '../src/storage/write-batch.js';
import { measurePairs, type PairedTask } from './micro/paired-tasks.js';

const ACCOUNTS = 50_000;
const READS = 1_000;
const HEIGHT = 1;

const crypto = await loadCrypto('auto');
const directory = await mkdtemp(join(tmpdir(), 'heddle-caches-'));
const store = await openStore({ directory, native: 'off', report: () => undefined });

const recordOf = (number: number): AccountRecord => ({
  balance: 10n ** 18n + BigInt(number),
  lanes: [{ lane: 0, next_nonce: BigInt(number) }],
  deploy_index: 0n,
});
const batch = new WriteBatch();
const addresses: AddressHex[] = [];
for (let number = 0; number < ACCOUNTS; number++) {
  const address = Buffer.from(number.toString(16).padStart(40, '0'), 'hex');
  const value = ledger.AccountRecord.encode(recordOf(number));
  batch.put('state', accountKey(crypto, address), Buffer.concat([be64(BigInt(HEIGHT)), value]));
  addresses.push(addressHex(address));
}
await store.write(batch, { sync: false });
const read = Array.from(
  { length: READS },
  (_, number) => addresses[(number * 7_919) % ACCOUNTS] ?? assert.fail(),
);

const accounts = new AccountCache(store, crypto, ACCOUNTS);
accounts.prefetch(addresses);
const lruAccounts = new LRUCache<AddressHex, CachedAccount>({ max: 2 * ACCOUNTS });
for (const address of addresses) lruAccounts.set(address, accounts.get(address));
const changes: AccountChange[] = read.map((address, number) => {
  const record = recordOf(number + 1);
  return { address, key: accounts.get(address).key, record, value: ledger.AccountRecord.encode(record) };
});

const table = ChangeTable.create(0);
const state = new StateCache({ store, crypto, changes: table, accounts: ACCOUNTS }).at(BigInt(HEIGHT));
const lruState = new LRUCache<string, { entry: AccountEntry; bucket: number; seen: number }>({
  max: ACCOUNTS,
});
for (const address of addresses) {
  const entry = state.account(address);
  lruState.set(address, { entry, bucket: bucketOf(entry.key), seen: HEIGHT });
}
/** Finds an account like `StateCache`, at the height last seen or at a later one. */
function findState(address: string, height: number): AccountEntry | undefined {
  const kept = lruState.get(address);
  if (kept === undefined) return undefined;
  if (kept.seen === height) return kept.entry;
  if (kept.seen > height || table.lastChange(kept.bucket) > kept.seen) return undefined;
  kept.seen = height;
  return kept.entry;
}

let found = 0;
/** Returns a task of {@link READS} operations, after a check that it finds or changes all. */
function ofAll(name: string, run: () => void): { readonly run: () => void; readonly operations: number } {
  found = 0;
  run();
  assert.equal(found, READS, `${name}: not all was there`);
  return { run, operations: READS };
}
// Each task has a separate loop, so that V8 compiles no call for several caches.
const pairs: readonly PairedTask[] = [
  {
    name: 'account read',
    ...ofAll('AccountCache', () => {
      for (const address of read) if (accounts.get(address).raw !== undefined) found++;
    }),
    floors: [
      {
        name: 'lru-cache',
        ...ofAll('lru-cache', () => {
          for (const address of read) if (lruAccounts.get(address)?.raw !== undefined) found++;
        }),
      },
    ],
    aim: { of: 'ratio', at: 'most', bound: 1 / 3 },
  },
  {
    name: 'account read by a view',
    ...ofAll('StateCache', () => {
      for (const address of read) if (state.account(address).raw !== undefined) found++;
    }),
    floors: [
      {
        name: 'lru-cache',
        ...ofAll('lru-cache for views', () => {
          for (const address of read) if (findState(address, HEIGHT)?.raw !== undefined) found++;
        }),
      },
    ],
    aim: { of: 'ratio', at: 'most', bound: 2 / 3 },
  },
  {
    name: 'account changed by a block',
    ...ofAll('AccountCache, changes', () => {
      accounts.commit(BigInt(HEIGHT), changes);
      found += READS;
    }),
    floors: [
      {
        name: 'lru-cache',
        ...ofAll('lru-cache, changes', () => {
          for (const { address, key, record, value } of changes) {
            const raw = value === undefined ? undefined : Buffer.concat([be64(BigInt(HEIGHT)), value]);
            lruAccounts.set(address, { key, raw, record, cachedJson: undefined });
          }
          found += READS;
        }),
      },
    ],
  },
];
await measurePairs('caches', 'ns', pairs);
await store.close();
await rm(directory, { recursive: true });
