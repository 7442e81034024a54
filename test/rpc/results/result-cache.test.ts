import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ResultCache } from '../../../src/rpc/results/result-cache.js';

const MIB = 1_048_576;
const heights = { block: 1n };

/** Makes a call twice, as one that is kept. */
function keep(cache: ResultCache, key: string, json: string, client = 'address 1'): void {
  for (let i = 0; i < 2; i++) if (cache.isWanted(key)) cache.keep(key, { json, heights }, client);
}

test('a call is wanted when it is repeated', () => {
  const cache = new ResultCache(MIB);
  assert.equal(cache.isWanted('a'), false);
  assert.equal(cache.isWanted('b'), false);
  assert.equal(cache.isWanted('a'), true);
});

test('any number of calls made once keeps nothing and evicts nothing', () => {
  const cache = new ResultCache(MIB);
  keep(cache, 'honest', '{"a":1}');
  for (let i = 0; i < 50_000; i++) assert.equal(cache.isWanted(`unique ${i}`), false);
  assert.equal(cache.entries, 1);
  assert.equal(cache.get('honest')?.json, '{"a":1}');
});

test('the bytes of all entries stay within the bound, wide text counts double', () => {
  const cache = new ResultCache(MIB);
  for (let i = 0; i < 500; i++) keep(cache, `key ${i}`, 'x'.repeat(10_000), `address ${i}`);
  assert.ok(cache.bytes <= MIB && cache.bytes > 0.9 * MIB, `${cache.bytes}`);
  assert.equal(cache.get('key 0'), undefined);
  assert.notEqual(cache.get('key 499'), undefined);
  const one = new ResultCache(MIB);
  keep(one, 'latin', 'é'.repeat(1_000));
  const { bytes } = one;
  keep(one, 'wide', '→'.repeat(1_000));
  assert.ok(one.bytes - bytes >= 2_000 && bytes < 2_000);
});

test('a result of more than a sixteenth of the cache is not kept', () => {
  const cache = new ResultCache(MIB);
  keep(cache, 'long', 'x'.repeat(MIB / 16));
  assert.equal(cache.entries, 0);
});

test('one client evicts its own results beyond a quarter, and nothing of others', () => {
  const cache = new ResultCache(MIB);
  for (let i = 0; i < 50; i++) keep(cache, `honest ${i}`, 'h'.repeat(10_000), 'address honest');
  const kept = Array.from({ length: 50 }, (_, i) => i).filter((i) => cache.get(`honest ${i}`) !== undefined);
  assert.ok(kept.length >= 24);
  for (let i = 0; i < 1_000; i++) keep(cache, `flood ${i}`, 'f'.repeat(10_000), 'address flood');
  for (const i of kept) assert.notEqual(cache.get(`honest ${i}`), undefined, `honest ${i} is still there`);
  assert.ok(cache.bytes <= MIB / 2);
});
