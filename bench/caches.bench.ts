/**
 * The caches that are maps by hand, beside `lru-cache` with the same keys and values: accounts as admission and execution
 * read them, and what view calls read of the state. 50,000 accounts, read in no order.
 *
 *     node dist/bench/caches.bench.js
 */
import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { LRUCache } from 'lru-cache';
import { Bench } from 'tinybench';
import { loadCrypto } from '../src/crypto/load-crypto.js';
import { ChangeTable } from '../src/execution/views/change-table.js';
import { StateCache } from '../src/execution/views/state-cache.js';
import { AccountCache, type AccountChange } from '../src/ledger/account-cache.js';
import { EMPTY_ACCOUNT } from '../src/ledger/accounts.js';
import { addressHex } from '../src/ledger/hex-names.js';
import { openStore } from '../src/storage/open-store.js';

const ACCOUNTS = 50_000;
const READS = 1_000;

const crypto = await loadCrypto('auto');
const directory = await mkdtemp(join(tmpdir(), 'heddle-caches-'));
const store = await openStore({ directory, native: 'off', report: () => undefined });
const addresses = Array.from({ length: ACCOUNTS }, (_, number) =>
  addressHex(Buffer.from(number.toString(16).padStart(40, '0'), 'hex')),
);
const read = Array.from(
  { length: READS },
  (_, number) => addresses[(number * 7_919) % ACCOUNTS] ?? assert.fail(),
);

const accounts = new AccountCache(store, crypto, ACCOUNTS);
accounts.prefetch(addresses);
const lru = new LRUCache<string, ReturnType<AccountCache['get']>>({ max: 2 * ACCOUNTS });
for (const address of addresses) lru.set(address, accounts.get(address));
const changes: AccountChange[] = read.map((address) => {
  const { key } = accounts.get(address);
  return { address, key, record: EMPTY_ACCOUNT, value: undefined };
});

const cache = new StateCache({ store, crypto, changes: ChangeTable.create(0), accounts: ACCOUNTS });
const state = cache.at(1n);
for (const address of addresses) state.account(address);

let found = 0;
const bench = new Bench({ time: 1_000 });
bench.add('AccountCache: read 1,000', () => {
  for (const address of read) if (accounts.get(address).raw === undefined) found++;
});
bench.add('lru-cache: read the same', () => {
  for (const address of read) if (lru.get(address)?.raw === undefined) found++;
});
bench.add('AccountCache: commit 1,000 changes', () => accounts.commit(1n, changes));
bench.add('lru-cache: set the same', () => {
  for (const { address, key, record } of changes) {
    lru.set(address, { key, raw: undefined, record, shown: undefined });
  }
});
bench.add('StateCache: read 1,000', () => {
  for (const address of read) if (state.account(address).raw === undefined) found++;
});
await bench.run();
await store.close();
await rm(directory, { recursive: true });
if (found === 0) throw new Error('nothing was read');

for (const { name, result } of bench.tasks) {
  if (result.state !== 'completed') throw new Error(`${name} did not complete`);
  console.log(`${name.padEnd(36)} ${(result.latency.p50 * 1e3).toFixed(1).padStart(7)} µs`);
}
