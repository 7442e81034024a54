import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { devAccount } from '../../src/client/client.js';
import { addressLink, blockLink, parseRoute, transactionLink } from '../../src/explorer/routing/route.js';
import {
  age,
  byteSize,
  counted,
  duration,
  grouped,
  percent,
  shortened,
  utc,
} from '../../src/explorer/text/format.js';
import { parseQuery } from '../../src/explorer/text/search.js';
import { excerpt, shortName } from '../../src/explorer/text/untrusted.js';
import { toHex } from '../../src/idl/hex.js';

const HASH = 'ab'.repeat(32);
const ADDRESS = 'cd'.repeat(20);

describe('numbers and times', () => {
  test('an amount keeps every digit', () => {
    assert.equal(grouped((1n << 128n) - 1n), '340,282,366,920,938,463,463,374,607,431,768,211,455');
    assert.equal(grouped(0), '0');
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: (1n << 128n) - 1n }), (value) => {
        assert.equal(BigInt(grouped(value).replaceAll(',', '')), value);
      }),
    );
  });

  test('a share is computed in integers, and a small one is not shown as nothing', () => {
    assert.equal(percent(1n, 8n), '12.5%');
    assert.equal(percent(10n ** 30n, 10n ** 30n), '100.0%');
    assert.equal(percent(1n, 10n ** 9n), '<0.1%');
    assert.equal(percent(0n, 5n), '0.0%');
    assert.equal(percent(5n, 0n), '0%');
  });

  test('a duration is in its largest unit', () => {
    assert.deepEqual([0, 850, 4_240, 42_000, 720_000, 7_200_000, 500_000_000].map(duration), [
      '0 ms',
      '850 ms',
      '4.2 s',
      '42 s',
      '12 min',
      '2 h',
      '6 d',
    ]);
  });

  test('an age is never negative, although clocks differ', () => {
    assert.equal(age(5_000, 1_000), '0 s ago');
    assert.equal(age(0, 59_999), '59 s ago');
    assert.equal(age(0, 120_000), '2 min ago');
  });

  test('a time beyond every calendar is shown in milliseconds', () => {
    assert.equal(utc(1_767_225_600_000n), '2026-01-01 00:00:00 UTC');
    assert.match(utc((1n << 64n) - 1n), /^18,446,744,073,709,551,615 ms$/);
  });

  test('hex digits are shortened in the middle, short ones not at all', () => {
    assert.equal(shortened(HASH, 4, 4), 'abab…abab');
    assert.equal(shortened('abcdef', 4, 4), 'abcdef');
  });

  test('sizes and counts have their units', () => {
    assert.deepEqual([12, 1_536, 3 * 1_024 ** 2].map(byteSize), ['12 B', '1.5 KiB', '3.0 MiB']);
    assert.deepEqual([counted(1, 'call'), counted(2n, 'call')], ['1 call', '2 calls']);
  });
});

describe('text from strangers', () => {
  test('invisible and reordering characters become escapes', () => {
    assert.equal(excerpt('a\u202eb\u0000c\u3164d\r', 9).text, 'a\\u202eb\\u0000c\\u3164d\\u000d');
    assert.equal(excerpt('two\nlines\tof <b>täxt</b> 漢字', 99).text, 'two\nlines\tof <b>täxt</b> 漢字');
  });

  test('a long text is cut, and never inside a character', () => {
    assert.deepEqual(excerpt('abcdef', 4), { text: 'abcd', left: 2 });
    assert.deepEqual(excerpt('abc😀', 4), { text: 'abc', left: 2 });
    assert.equal(shortName(`${'x'.repeat(200)}`, 10), `${'x'.repeat(10)}…`);
    assert.equal(shortName('one\n\n two'), 'one two');
  });

  test('any text stays within six times the limit', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 80 }), (text) => {
        assert.ok(excerpt(text, 50).text.length <= 50 * 6);
      }),
    );
  });
});

describe('search', () => {
  test('tells heights, hashes and addresses apart', () => {
    assert.deepEqual(parseQuery(' 1,234 '), { kind: 'height', height: 1_234n });
    assert.deepEqual(parseQuery(HASH.toUpperCase()), { kind: 'hash', hex: HASH });
    assert.deepEqual(parseQuery(`0x${HASH}`), { kind: 'hash', hex: HASH });
    assert.deepEqual(parseQuery(`0x${ADDRESS}`), { kind: 'address', hex: ADDRESS });
    // Digits alone may be a hash too.
    assert.deepEqual(parseQuery('1'.repeat(64)), { kind: 'hash', hex: '1'.repeat(64) });
  });

  test('takes names of accounts, validators and contracts', () => {
    assert.deepEqual(parseQuery('dev:3'), { kind: 'address', hex: toHex(devAccount(3).address) });
    assert.deepEqual(parseQuery('Validator 2'), { kind: 'validator', index: 2 });
    assert.deepEqual(parseQuery(' Token '), { kind: 'name', name: 'Token' });
    // Letters of a name may all be hex digits.
    assert.deepEqual(parseQuery('Feed'), { kind: 'name', name: 'Feed' });
  });

  test('says what it expects instead', () => {
    for (const text of [
      '',
      '  ',
      'bob!',
      'x'.repeat(129),
      '0x12',
      '-1',
      '1'.repeat(25),
      `${HASH}00`,
      'x'.repeat(100_000),
    ]) {
      const query = parseQuery(text);
      assert.equal(query.kind, 'unclear', text);
    }
    assert.match((parseQuery('0xabc') as { readonly message: string }).message, /has 3 hex digits/);
  });
});

describe('links', () => {
  test('lead to the page that they name', () => {
    assert.deepEqual(parseRoute(blockLink(7n)), { page: 'block', height: 7n });
    assert.deepEqual(parseRoute(transactionLink(HASH)), { page: 'transaction', hash: HASH });
    assert.deepEqual(parseRoute(addressLink(ADDRESS)), {
      page: 'address',
      address: ADDRESS,
      tab: 'overview',
    });
    assert.deepEqual(parseRoute(addressLink(ADDRESS, 'events')), {
      page: 'address',
      address: ADDRESS,
      tab: 'events',
    });
    for (const home of ['', '#', '#/']) assert.deepEqual(parseRoute(home), { page: 'home' });
    assert.deepEqual(parseRoute('#/health'), { page: 'health' });
  });

  test('of any other form lead to the page for unknown addresses', () => {
    const forms = [
      '#/block',
      '#/block/x',
      '#/block/-1',
      `#/block/${'9'.repeat(21)}`,
      '#/tx/12',
      '#/health/x',
    ];
    for (const link of [
      ...forms,
      `#/address/0x${ADDRESS}/none`,
      `#/address/${ADDRESS}`,
      '#//',
      '#/constructor',
    ]) {
      assert.deepEqual(parseRoute(link), { page: 'unknown' }, link);
    }
  });
});
