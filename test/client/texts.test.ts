import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import {
  formatAddress,
  formatAmount,
  formatHash,
  parseAddress,
  parseAmount,
  parseHash,
} from '../../src/client/client.js';

describe('amounts', () => {
  const good: [text: string, value: bigint][] = [
    ['0', 0n],
    ['1000', 1000n],
    ['1_000', 1000n],
    ['1,000,000', 1_000_000n],
    ['1e18', 10n ** 18n],
    ['1E+3', 1000n],
    ['2.5e6', 2_500_000n],
    ['1.50e1', 15n],
    ['1.0', 1n],
    [' 7 ', 7n],
    ['340282366920938463463374607431768211455', (1n << 128n) - 1n],
  ];
  for (const [text, value] of good) {
    it(`${JSON.stringify(text)} is ${value}`, () => assert.equal(parseAmount(text), value));
  }
  for (const text of [
    '',
    '-1',
    '0.5',
    '1.25e1',
    '1e',
    '0x10',
    '1e99',
    'one',
    '1__0',
    '_1',
    '1 000',
    '340282366920938463463374607431768211456',
  ]) {
    it(`${JSON.stringify(text)} is refused`, () => {
      assert.throws(() => parseAmount(text), { name: 'ClientError', code: 'bad_amount' });
    });
  }

  it('every formatted amount parses back', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: (1n << 128n) - 1n }), (amount) => {
        assert.equal(parseAmount(formatAmount(amount)), amount);
        assert.equal(parseAmount(amount.toString()), amount);
      }),
    );
  });
});

describe('addresses', () => {
  it('every formatted address parses back, in either case, with and without 0x', () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 20, maxLength: 20 }), (address) => {
        const text = formatAddress(address);
        assert.match(text, /^0x[0-9a-f]{40}$/);
        assert.deepEqual(parseAddress(text), address);
        assert.deepEqual(parseAddress(`0x${text.slice(2).toUpperCase()}`), address);
        assert.deepEqual(parseAddress(text.slice(2)), address);
        assert.deepEqual(parseAddress(text.slice(2)), address);
      }),
    );
  });

  for (const text of [
    '',
    '0x',
    '0X'.padEnd(42, '0'),
    'ab'.repeat(19),
    'ab'.repeat(21),
    `0x${'ab'.repeat(19)}`,
    `0x${'ab'.repeat(21)}`,
    `0x${'g'.repeat(40)}`,
  ]) {
    it(`${JSON.stringify(text)} is refused`, () => {
      assert.throws(() => parseAddress(text), { name: 'ClientError', code: 'bad_address' });
    });
  }

  it('only 20 bytes make an address', () => {
    assert.throws(() => formatAddress(new Uint8Array(32)), { code: 'bad_address' });
  });
});

describe('hashes', () => {
  it('every formatted hash parses back, in either case, with and without 0x', () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 32, maxLength: 32 }), (hash) => {
        const text = formatHash(hash);
        assert.deepEqual(parseHash(text), hash);
        assert.deepEqual(parseHash(`0x${text.toUpperCase()}`), hash);
      }),
    );
  });

  for (const text of ['', '0x', 'ab'.repeat(31), 'ab'.repeat(33), `0x${'ab'.repeat(31)}`, 'g'.repeat(64)]) {
    it(`${JSON.stringify(text)} is refused`, () => {
      assert.throws(() => parseHash(text), { name: 'ClientError', code: 'bad_hash' });
    });
  }
});
