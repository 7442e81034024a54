import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { sha256 } from '@noble/hashes/sha2.js';
import { ContractInterfaces } from '../../src/ledger/contract-interfaces.js';
import type { StoreReader } from '../../src/storage/store.js';
import { WriteBatch } from '../../src/storage/write-batch.js';
import { temporaryStore } from '../storage/stores.js';
import { ordinaryInterface } from '../support/forged/hostile-interfaces.js';
import { addInterfaces, address } from '../support/worlds/event-chain.js';

const SMALL = 'contract Small { method pay(to: address); }';
const LARGE = ordinaryInterface();
const utf8 = (text: string) => new TextEncoder().encode(text);

/** The interfaces of a store with contracts 1, 2, … at height 0, and the number of texts read from it. */
async function withContracts(t: TestContext, texts: readonly string[]) {
  const store = await temporaryStore(t, 'off');
  await addInterfaces(store, new Map(texts.map((text, at) => [at + 1, text])));
  let reads = 0;
  const counting: StoreReader = {
    get: (column, key) => {
      if (column === 'idl') reads++;
      return store.get(column, key);
    },
    getMany: (column, keys) => store.getMany(column, keys),
    scan: (column, range) => store.scan(column, range),
    close: () => store.close(),
  };
  return { interfaces: new ContractInterfaces(counting, { sha256 }), reads: () => reads };
}

/** A different large text for each number. */
const largeText = (n: number) => `${LARGE} //${n}`;

test('the cache keeps many small interfaces, but few large ones', async (t) => {
  const large = Array.from({ length: 6 }, (_, n) => largeText(n));
  const small = Array.from({ length: 100 }, (_, n) => `${SMALL}//${n}`);
  const { interfaces, reads } = await withContracts(t, [...small, ...large]);
  const readAll = (texts: readonly string[]) => {
    const before = reads();
    for (const text of texts) interfaces.stored(sha256(utf8(text)));
    return reads() - before;
  };
  assert.equal(readAll(small), small.length);
  assert.equal(readAll(small), 0);
  assert.equal(readAll(large.slice(0, 2)), 2);
  assert.equal(readAll(large.slice(0, 2)), 0);
  assert.equal(readAll(large), 4);
  assert.equal(readAll(large), 6, 'the large ones do not fit together');
});

test('the cache keeps the selectors of many large interfaces without evicting a compiled one', async (t) => {
  const texts = Array.from({ length: 8 }, (_, n) => largeText(n));
  const { interfaces, reads } = await withContracts(t, [SMALL, ...texts]);
  const small = interfaces.stored(sha256(utf8(SMALL)));
  const input = interfaces
    .strict(LARGE)
    .function('transfer_3')
    .encodeCall({ to: `0x${'01'.repeat(20)}`, amount: '1' });
  for (let round = 0; round < 2; round++) {
    for (const at of texts.keys())
      assert.equal(interfaces.functionName(address(at + 2), 0n, input), 'transfer_3');
  }
  assert.equal(reads(), 1 + texts.length);
  assert.equal(interfaces.functionName(address(2), 0n, new Uint8Array(4)), undefined);
  assert.equal(interfaces.functionName(address(200), 0n, input), undefined);
  assert.equal(interfaces.stored(sha256(utf8(SMALL))), small);
  assert.equal(reads(), 1 + texts.length);
});

test('an interface text from a caller is not kept', async (t) => {
  const { interfaces } = await withContracts(t, []);
  assert.notEqual(interfaces.strict(SMALL), interfaces.strict(SMALL));
  assert.equal(interfaces.lenient('contract {'), undefined);
});

test('an interface that was looked up before it was stored is found once it is', async (t) => {
  const store = await temporaryStore(t, 'off');
  const interfaces = new ContractInterfaces(store, { sha256 });
  const hash = sha256(utf8(SMALL));
  assert.equal(interfaces.stored(hash), undefined);
  const batch = new WriteBatch();
  batch.put('idl', hash, utf8(SMALL));
  await store.write(batch, { sync: false });
  assert.equal(interfaces.stored(hash)?.name, 'Small');
});

test('only an interface that declares the error of a revert is compiled for it', async (t) => {
  const text = 'contract Shop { error SoldOut { left: u8; } error Closed { } }';
  const { interfaces } = await withContracts(t, [text]);
  const soldOut = interfaces.strict(text).errors.get('SoldOut') ?? assert.fail('no such error');
  assert.equal(interfaces.declaring(address(1), 0n, soldOut.encode({ left: 2 }))?.name, 'Shop');
  const before = interfaces.compiledBytes;
  assert.equal(interfaces.declaring(address(1), 0n, Uint8Array.of(1, 2, 3, 4)), undefined);
  assert.equal(interfaces.declaring(address(2), 0n, soldOut.selector), undefined);
  assert.equal(interfaces.compiledBytes, before);
});
