import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { addressBytes } from '../../src/client/address-text.js';
import { ClientError, RpcCallError } from '../../src/client/client.js';
import { packageRoot } from '../../src/config/package-info.js';
import { compileInterface } from '../../src/explorer/interface/contract-interface.js';
import { contractFinder } from '../../src/explorer/names/find-contracts.js';
import { tokenMethodsOf, transferArguments } from '../../src/explorer/names/token-methods.js';
import { LookupCache } from '../../src/explorer/node/lookup-cache.js';
import type { Account } from '../../src/generated/node-rpc-v1.js';
import { toHex } from '../../src/idl/hex.js';

const TOKEN_IDL = readFileSync(join(packageRoot(), 'contracts', 'token', 'token.idl'), 'utf8');

function compiled(idl: string) {
  const compilation = compileInterface(idl);
  assert.ok(compilation.ok);
  return compilation.compiled;
}

/** Waits until a cache has asked everything, whose calls answer at once. */
async function rest(): Promise<void> {
  for (let turn = 0; turn < 20; turn++) await sleep(0);
}

/** A cache that answers each key with its length, and the batches that it asked for. */
function lengths(options: { readonly maxBatch: number; readonly freshMs?: number }) {
  const clock = { nowMs: 1 };
  const batches: (readonly string[])[] = [];
  let failure: Error | undefined;
  const cache = new LookupCache<number>({
    freshMs: 1_000,
    nowMs: () => clock.nowMs,
    ...options,
    find: async (keys) => {
      batches.push(keys);
      if (failure !== undefined) throw failure;
      return new Map(keys.filter((key) => key !== 'unknown').map((key) => [key, key.length]));
    },
  });
  const fail = (error: Error | undefined) => {
    failure = error;
  };
  return { cache, clock, batches, fail };
}

describe('a look-up cache', () => {
  test('asks for all keys of one tick in one call, each once', async () => {
    const { cache, batches } = lengths({ maxBatch: 10 });
    for (const key of ['a', 'bb', 'a', 'unknown']) cache.ask(key);
    assert.equal(cache.read('a'), undefined);
    await rest();
    assert.deepEqual(batches, [['a', 'bb', 'unknown']]);
    assert.deepEqual([cache.read('a'), cache.read('bb'), cache.read('unknown')], [1, 2, undefined]);
    for (const key of ['a', 'unknown']) cache.ask(key);
    await rest();
    assert.equal(batches.length, 1);
  });

  test('an old value stays while a new one is fetched', async () => {
    const { cache, clock, batches } = lengths({ maxBatch: 10 });
    cache.ask('a');
    await rest();
    clock.nowMs = 1_001;
    cache.ask('a');
    assert.equal(cache.read('a'), 1);
    await rest();
    assert.equal(batches.length, 2);
  });

  test('any number of keys takes few calls, and few values are kept', async () => {
    const { cache, batches } = lengths({ maxBatch: 50 });
    const keys = Array.from({ length: 5_000 }, (_, at) => `key ${at}`);
    for (const key of keys) cache.ask(key);
    await rest();
    assert.deepEqual(
      batches.map(({ length }) => length),
      [50, 50, 50, 50],
    );
    for (let start = 200; start < 5_000; start += 200) {
      for (const key of keys.slice(start, start + 200)) cache.ask(key);
      await rest();
    }
    const known = keys.toReversed().filter((key) => cache.read(key) !== undefined);
    assert.deepEqual([known.length, known[0]], [1_000, 'key 4999']);
  });

  test('a value is kept while it is shown, and its viewer is told when it arrives', async () => {
    const { cache } = lengths({ maxBatch: 50 });
    let times = 0;
    const end = cache.watch('shown', () => times++);
    const fill = async (name: string) => {
      for (let start = 0; start < 1_200; start += 200) {
        for (let at = 0; at < 200; at++) cache.ask(`${name} ${start + at}`);
        await rest();
      }
    };
    cache.ask('shown');
    await fill('some');
    assert.deepEqual([cache.read('shown'), times], [5, 1]);
    end();
    await fill('more');
    assert.deepEqual([cache.read('shown'), times], [undefined, 1]);
  });

  test('a failure shows nothing, ends the round, and is not retried at once', async () => {
    const { cache, clock, batches, fail } = lengths({ maxBatch: 1 });
    fail(new ClientError('unreachable', 'no answer'));
    for (const key of ['a', 'b', 'c']) cache.ask(key);
    await rest();
    assert.deepEqual(batches, [['a']]);
    cache.ask('a');
    await rest();
    assert.equal(batches.length, 1);
    fail(undefined);
    clock.nowMs = 30_001;
    for (const key of ['a', 'b']) cache.ask(key);
    await rest();
    assert.deepEqual([cache.read('a'), cache.read('b')], [1, 1]);
  });
});

function account(address: Uint8Array, is_contract: boolean): Account {
  return { address, is_contract, exists: true, balance: 0n, lanes: [], deploy_index: 0n };
}

describe('what an address is', () => {
  test('takes one call for all addresses, and the interface of each contract', async () => {
    const asked: string[] = [];
    const find = contractFinder(() => ({
      accounts: async ({ addresses }) => {
        asked.push(`${addresses.length} accounts`);
        const bytes = addresses.map((each) => addressBytes(each, 'address'));
        return { height: 1n, accounts: bytes.map((each) => account(each, (each[0] ?? 0) < 4)) };
      },
      contract_idl: async ({ address }) => {
        asked.push('idl');
        const bytes = addressBytes(address, 'address');
        const first = bytes[0] ?? 0;
        if (first === 3) throw new RpcCallError('contract_idl', gone);
        const idl = [TOKEN_IDL, 'no interface at all', undefined][first];
        return { address: bytes, ...(idl !== undefined && { idl }) };
      },
    }));
    const gone = { code: -32004, message: 'no contract', data: { kind: 'not_found', retryable: false } };
    const addresses = [0, 1, 2, 3, 4].map((first) => toHex(new Uint8Array(20).fill(first)));
    const found = await find(addresses);
    assert.deepEqual(asked, ['5 accounts', 'idl', 'idl', 'idl', 'idl']);
    const [token, invalid, without, removed, person] = addresses.map((each) => found.get(each));
    assert.ok(token?.kind === 'contract' && token.token !== undefined);
    assert.equal(token.compiled?.definition.name, 'Token');
    for (const each of [invalid, without, removed]) assert.deepEqual(each, { kind: 'contract' });
    assert.deepEqual(person, { kind: 'account' });
  });
});

test('many interfaces come in several answers', async () => {
  let inTick = 0;
  let most = 0;
  const find = contractFinder(() => ({
    accounts: async ({ addresses }) => ({
      height: 1n,
      accounts: addresses.map((each) => account(addressBytes(each, 'address'), true)),
    }),
    contract_idl: async ({ address }) => {
      most = Math.max(most, ++inTick);
      await sleep(0);
      inTick = 0;
      return { address: addressBytes(address, 'address') };
    },
  }));
  const found = await find(Array.from({ length: 64 }, (_, at) => toHex(new Uint8Array(20).fill(at))));
  assert.equal(found.size, 64);
  assert.equal(most, 16);
});

describe('a token', () => {
  const VIEWS = 'view decimals() -> u8; view symbol() -> string;';

  test('has views decimals and symbol, and a method transfer(address, amount)', () => {
    const methods = tokenMethodsOf(compiled(TOKEN_IDL));
    assert.deepEqual(
      [...(methods ?? [])],
      [
        ['transfer', { to: 'to', amount: 'amount' }],
        ['transfer_from', { to: 'to', amount: 'amount' }],
      ],
    );
    for (const other of [
      VIEWS,
      'method transfer(to: address, amount: u128); view symbol() -> string;',
      `${VIEWS} method transfer(to: string, amount: u128);`,
      `${VIEWS} method transfer(to: address, amount: u128, memo: string);`,
      `${VIEWS} method transfer(to: address, amount?: u128);`,
      `${VIEWS} view transfer(to: address, amount: u128) -> u8;`,
      'view decimals(of: u8) -> u8; view symbol() -> string; method transfer(to: address, amount: u128);',
    ]) {
      assert.equal(tokenMethodsOf(compiled(`contract Other { ${other} }`)), undefined, other);
    }
  });

  test('transfers what its call says, whatever the parameters are called', () => {
    const idl = `contract Coin { ${VIEWS} method transfer(dst: address, wad: u128); method burn(wad: u128); }`;
    const coin = compiled(idl);
    const methods = tokenMethodsOf(coin) ?? assert.fail();
    const to = `0x${'ab'.repeat(20)}`;
    const input = coin.abi.function('transfer').encodeCall({ dst: to, wad: String((1n << 128n) - 1n) });
    assert.deepEqual(transferArguments(coin, methods, input), {
      to: 'ab'.repeat(20),
      amount: (1n << 128n) - 1n,
    });
    const burn = coin.abi.function('burn').encodeCall({ wad: '1' });
    for (const other of [burn, input.subarray(0, 9), new Uint8Array(), new Uint8Array(3)]) {
      assert.equal(transferArguments(coin, methods, other), undefined);
    }
  });
});
