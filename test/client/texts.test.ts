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

  for (const [text, decimals, value] of [
    ['1.5', 18, 15n * 10n ** 17n],
    ['1_000.50', 2, 100_050n],
    ['0.000001', 6, 1n],
    ['2.5e6', 2, 250_000_000n],
    ['1', 38, 10n ** 38n],
    ['3.402823669209384634633746074317682114', 38, 340282366920938463463374607431768211400n],
  ] as const) {
    it(`${text} with ${decimals} decimals is ${value}`, () =>
      assert.equal(parseAmount(text, decimals), value));
  }

  it('more fraction digits than decimals, and units beyond 2^128, are refused', () => {
    for (const [text, decimals] of [
      ['1.005', 2],
      ['0.1', 0],
      ['1.25e1', 0],
      ['4', 38],
    ] as const) {
      assert.throws(() => parseAmount(text, decimals), { name: 'ClientError', code: 'bad_amount' }, text);
    }
    assert.throws(() => parseAmount('1.005', 2), /an amount with at most 2 decimals.*got "1\.005"/);
  });

  it('decimals are whole numbers from 0 to 38', () => {
    for (const decimals of [-1, 39, 1.5, Number.NaN, 1e9]) {
      assert.throws(() => parseAmount('1', decimals), { name: 'ClientError', code: 'bad_argument' });
      assert.throws(() => formatAmount(1n, decimals), { name: 'ClientError', code: 'bad_argument' });
    }
  });

  for (const [amount, decimals, text] of [
    [1_234_500_000n, 6, '1,234.5'],
    [1n, 18, '0.000000000000000001'],
    [10n ** 21n, 18, '1,000'],
    [0n, 6, '0'],
    [-1_500n, 3, '-1.5'],
  ] as const) {
    it(`${amount} with ${decimals} decimals is written ${text}`, () =>
      assert.equal(formatAmount(amount, decimals), text));
  }

  it('every formatted amount parses back', () => {
    const amounts = fc.bigInt({ min: 0n, max: (1n << 128n) - 1n });
    fc.assert(
      fc.property(amounts, fc.integer({ min: 0, max: 38 }), (amount, decimals) => {
        assert.equal(parseAmount(formatAmount(amount, decimals), decimals), amount);
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
