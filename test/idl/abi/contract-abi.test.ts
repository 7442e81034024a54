import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { describe, test } from 'node:test';
import { AbiError } from '../../../src/idl/abi/abi-context.js';
import { compileContract } from '../../../src/idl/abi/contract-abi.js';
import { BorshError, JsonDecodeError } from '../../../src/idl/codecs/codec-errors.js';
import { compileIdl } from '../../../src/idl/compiler/compile.js';
import type { Manifest } from '../../../src/idl/manifest.js';
import { hex } from '../../support/hex.js';
import { sampleManifest } from '../../support/sample-idl.js';

const sha256 = (data: Uint8Array): Uint8Array => Uint8Array.from(createHash('sha256').update(data).digest());
const hashOf = (text: string): Uint8Array => sha256(Buffer.from(text));

const shop = compileContract(sampleManifest(), sha256);
const BUYER = `0x${'11'.repeat(20)}`;

function manifestOf(text: string): Manifest {
  return compileIdl([{ name: 'contract.idl', text }]).manifest;
}

function abiError(code: AbiError['code']): (error: unknown) => boolean {
  return (error) => error instanceof AbiError && error.code === code;
}

describe('signatures', () => {
  test('name structs and enums, replace aliases, and write options with a question mark', () => {
    assert.deepEqual(
      [...shop.functions.values()].map(({ kind, signature }) => `${kind} ${signature}`),
      [
        'method Shop.buy(u64,string?)',
        'method Shop.order(Order,u128)',
        'method Shop.close()',
        'view Shop.price(u64)',
      ],
    );
    assert.equal(shop.events.get('Sold')?.signature, 'Shop.Sold(address,u64,string,u128,bool?)');
    assert.equal(shop.errors.get('TooPoor')?.signature, 'Shop.TooPoor(u128,u128)');
  });

  test('write lists with and without length, through any depth of aliases', () => {
    const abi = compileContract(
      manifestOf(
        'type P = u128[2]; type Q = P[]; enum E { A, B: u8 } contract C { method m(a: Q, b: E?, c: bytes7, d: hash?[]); }',
      ),
      sha256,
    );
    assert.equal(abi.function('m').signature, 'C.m(u128[2][],E?,bytes7,hash?[])');
  });

  test('hash to a selector, the first four bytes, and to topic 0, the whole hash', () => {
    assert.equal(hex(shop.function('price').selector), hex(hashOf('Shop.price(u64)')).slice(0, 8));
    assert.equal(
      hex(shop.errors.get('SoldOut')?.selector ?? new Uint8Array()),
      hex(hashOf('Shop.SoldOut()')).slice(0, 8),
    );
    assert.deepEqual(shop.events.get('Closed')?.topic, hashOf('Shop.Closed()'));
  });
});

describe('calls', () => {
  test('are the selector and the arguments in Borsh', () => {
    const input = shop.function('buy').encodeCall({ item: 7, note: 'hi' });
    assert.equal(
      hex(input),
      `${hex(hashOf('Shop.buy(u64,string?)')).slice(0, 8)}07000000000000000102000000${hex(Buffer.from('hi'))}`,
    );
    assert.deepEqual(shop.function('buy').decodeCall(input), { item: 7, note: 'hi' });
  });

  test('accept arguments by position too; trailing options may be left out', () => {
    const buy = shop.function('buy');
    assert.deepEqual(buy.encodeCall([7, 'hi']), buy.encodeCall({ item: 7, note: 'hi' }));
    assert.deepEqual(buy.encodeCall([7]), buy.encodeCall({ item: 7 }));
    assert.deepEqual(buy.encodeCall([7, null]), buy.encodeCall({ item: 7 }));
    assert.deepEqual(shop.function('close').encodeCall(undefined), shop.function('close').selector);
    assert.deepEqual(shop.function('close').encodeCall([]), shop.function('close').selector);
  });

  test('refuse wrong arguments by name', () => {
    const buy = shop.function('buy');
    assert.throws(
      () => buy.encodeCall([]),
      /args: expected 1 to 2 arguments \(item, note\), got a list of 0 items/,
    );
    assert.throws(() => buy.encodeCall([1, 'a', 2]), JsonDecodeError);
    assert.throws(() => buy.encodeCall({ itm: 1 }), /args\.itm: .* did you mean item\?/);
    assert.throws(
      () => shop.function('order').encodeCall({ order: { item: 1, corners: [['1']] }, tip: '0' }),
      /args\.order\.corners\[0\]: expected a list of 2 items/,
    );
  });

  test('accept structs, lists and aliases', () => {
    const args = {
      order: {
        item: 1,
        corners: [
          ['1', '2'],
          ['3', '340282366920938463463374607431768211455'],
        ],
      },
      tip: '9',
    };
    const order = shop.function('order');
    assert.deepEqual(order.decodeCall(order.encodeCall(args)), args);
  });

  test('are found by their selector', () => {
    assert.equal(shop.functionOf(shop.function('price').encodeCall([1]))?.name, 'price');
    assert.equal(shop.functionOf(Uint8Array.of(1, 2, 3, 4)), undefined);
    assert.equal(shop.functionOf(Uint8Array.of(1, 2)), undefined);
  });

  test('of another function, cut short or too long are refused', () => {
    const price = shop.function('price');
    assert.throws(() => price.decodeCall(shop.function('close').encodeCall([])), abiError('wrong_selector'));
    assert.throws(() => price.decodeCall(Uint8Array.of(1)), abiError('wrong_selector'));
    assert.throws(() => price.decodeCall(price.encodeCall([1]).subarray(0, 9)), BorshError);
    assert.throws(() => price.decodeCall(Buffer.concat([price.encodeCall([1]), Buffer.of(0)])), BorshError);
  });

  test('of an unknown function list the known ones', () => {
    assert.throws(
      () => shop.function('sell'),
      /Shop has no function "sell"; it has buy, order, close, price/,
    );
  });
});

describe('results', () => {
  test('are Borsh, and an absent result is no bytes', () => {
    const { functions } = shop;
    const buy = functions.get('buy');
    assert.deepEqual(buy?.encodeResult(true), Uint8Array.of(1));
    assert.equal(buy?.decodeResult(Uint8Array.of(0)), false);
    assert.equal(shop.function('price').decodeResult(shop.function('price').encodeResult('5')), '5');
    assert.deepEqual(shop.function('close').encodeResult(null), new Uint8Array(0));
    assert.equal(shop.function('close').decodeResult(new Uint8Array(0)), null);
    assert.throws(() => shop.function('close').decodeResult(Uint8Array.of(1)), BorshError);
    assert.throws(() => shop.function('close').encodeResult(1), JsonDecodeError);
    assert.throws(() => buy?.decodeResult(Uint8Array.of(2)), BorshError);
  });
});

describe('events', () => {
  const sold = {
    buyer: BUYER,
    item: 7,
    label: 'a label of more than twenty-eight bytes',
    price: '12',
    paid: true,
  };

  test('put indexed fields into topics, padded on the left or hashed, and the rest into data', () => {
    const encoded = shop.events.get('Sold')?.encode(sold);
    assert.deepEqual(encoded?.topics.map(hex), [
      hex(hashOf('Shop.Sold(address,u64,string,u128,bool?)')),
      `${'00'.repeat(12)}${'11'.repeat(20)}`,
      `${'00'.repeat(24)}0700000000000000`,
      hex(sha256(Buffer.concat([Buffer.of(sold.label.length, 0, 0, 0), Buffer.from(sold.label)]))),
    ]);
    assert.equal(hex(encoded?.data ?? new Uint8Array()), `0c${'00'.repeat(15)}0101`);
  });

  test('decode, except for indexed values of which only the topic remains', () => {
    const encoded = shop.events.get('Sold')?.encode(sold);
    assert.ok(encoded);
    const decoded = shop.decodeEvent(encoded.topics, encoded.data);
    const label = { topic: hex(encoded.topics[3] ?? new Uint8Array()) };
    assert.deepEqual(decoded, { name: 'Sold', args: { ...sold, label } });
  });

  test('omit absent options', () => {
    const { paid: _, ...unpaid } = sold;
    const encoded = shop.events.get('Sold')?.encode(unpaid);
    assert.ok(encoded);
    assert.equal('paid' in (shop.decodeEvent(encoded.topics, encoded.data)?.args ?? {}), false);
  });

  test('are found by the topic of a value', () => {
    const event = shop.events.get('Sold');
    assert.ok(event);
    const { topics } = event.encode(sold);
    assert.deepEqual(event.encodeTopic('buyer', BUYER), topics[1]);
    assert.deepEqual(event.encodeTopic('item', 7), topics[2]);
    assert.deepEqual(event.encodeTopic('label', sold.label), topics[3]);
    assert.throws(() => event.encodeTopic('price', '12'), abiError('wrong_topics'));
  });

  test('of other contracts are not matched; malformed ones are refused', () => {
    const encoded = shop.events.get('Sold')?.encode(sold);
    assert.ok(encoded);
    const [first, second] = encoded.topics;
    assert.ok(first && second);
    assert.equal(shop.decodeEvent([second], encoded.data), undefined);
    assert.equal(shop.decodeEvent([], encoded.data), undefined);
    assert.throws(() => shop.decodeEvent([first], encoded.data), abiError('wrong_topics'));
    const dirty = Uint8Array.from(second);
    dirty[0] = 1;
    const topics = encoded.topics.with(1, dirty);
    assert.throws(() => shop.decodeEvent(topics, encoded.data), abiError('wrong_topics'));
    assert.throws(
      () => shop.decodeEvent(encoded.topics.with(1, new Uint8Array(31)), encoded.data),
      abiError('wrong_topics'),
    );
    assert.throws(() => shop.decodeEvent(encoded.topics, encoded.data.subarray(1)), BorshError);
  });
});

describe('errors', () => {
  test('are a selector and their fields', () => {
    const data = shop.errors.get('TooPoor')?.encode({ needed: '10', has: 3 });
    assert.ok(data);
    assert.equal(
      hex(data),
      `${hex(hashOf('Shop.TooPoor(u128,u128)')).slice(0, 8)}0a${'00'.repeat(15)}03${'00'.repeat(15)}`,
    );
    assert.deepEqual(shop.decodeError(data), { name: 'TooPoor', args: { needed: '10', has: '3' } });
  });

  test('that are undeclared are not guessed', () => {
    assert.equal(shop.decodeError(Uint8Array.of(1, 2, 3, 4)), undefined);
    assert.equal(shop.decodeError(new Uint8Array(0)), undefined);
  });
});

describe('a contract', () => {
  test('must be named if there are several', () => {
    const two = manifestOf('contract A { method a(); } contract B { method b(); }');
    assert.throws(() => compileContract(two, sha256), /expected the name of one of the contracts A, B/);
    assert.equal(compileContract(two, sha256, 'B').name, 'B');
    assert.throws(
      () => compileContract(two, sha256, 'C'),
      /expected the contract C, but the interface declares A, B/,
    );
    assert.throws(
      () => compileContract(manifestOf('struct S { a: u8; }'), sha256),
      abiError('unknown_contract'),
    );
  });

  test('may not have two functions with one selector', () => {
    const constant = (): Uint8Array => new Uint8Array(32);
    const two = manifestOf('contract A { method a(); method b(); }');
    assert.throws(() => compileContract(two, constant), /A\.b\(\) and A\.a\(\) have the same selector/);
  });
});
