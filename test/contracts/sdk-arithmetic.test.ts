import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import fc from 'fast-check';
import { ContractSandbox, type SandboxContract } from '../../src/contract-sdk/sandbox.js';
import { deployProbe, probeAbi } from '../support/contracts/probe-contract.js';
import { address } from '../support/worlds/vm-world.js';

describe('arithmetic of the SDK', () => {
  let probe: SandboxContract;

  before(async () => {
    probe = deployProbe(await ContractSandbox.create(), address(1));
  });

  const LIMIT = 2n ** 128n;
  const OVERFLOW = 'arithmetic overflow';

  /** Numbers of every bit length, and numbers near powers of two. */
  const u128 = fc.oneof(
    fc.bigInt(0n, LIMIT - 1n),
    fc.tuple(fc.integer({ min: 0, max: 128 }), fc.bigInt(-2n, 2n)).map(([bits, near]) => {
      const value = 2n ** BigInt(bits) + near;
      return value < 0n ? 0n : value >= LIMIT ? LIMIT - 1n : value;
    }),
    fc
      .tuple(fc.integer({ min: 1, max: 128 }), fc.bigInt(0n, LIMIT - 1n))
      .map(([bits, value]) => value >> BigInt(128 - bits)),
  );

  /** The result of a call or its revert data. */
  function answer(name: string, args: Record<string, bigint>): unknown {
    const texts = Object.fromEntries(Object.entries(args).map(([key, value]) => [key, value.toString()]));
    const outcome = probe.outcome(name, texts);
    if (outcome.status === 'success') return probeAbi.function(name).decodeResult(outcome.output);
    assert.equal(outcome.status, 'reverted', outcome.trap?.message);
    return probe.revertOf(outcome);
  }

  /** The expected outcome for an exact result. */
  function fitting(value: bigint): string {
    return value >= LIMIT ? OVERFLOW : value < 0n ? 'arithmetic underflow' : value.toString();
  }

  function agrees(name: string, expected: (a: bigint, b: bigint) => string, numRuns = 300): void {
    fc.assert(
      fc.property(u128, u128, (a, b) => {
        assert.equal(answer(name, { a, b }), expected(a, b), `${name} ${a} ${b}`);
      }),
      { numRuns },
    );
  }

  test('sums, differences and products of u128 are exact or revert', () => {
    agrees('u128_add', (a, b) => fitting(a + b));
    agrees('u128_sub', (a, b) => fitting(a - b));
    agrees('u128_mul', (a, b) => fitting(a * b), 600);
  });

  test('quotients and remainders of u128 round down, and division by zero reverts', () => {
    agrees('u128_div', (a, b) => (b === 0n ? 'division by zero' : (a / b).toString()), 600);
    agrees('u128_rem', (a, b) => (b === 0n ? 'division by zero' : (a % b).toString()), 600);
  });

  test('u128 values are ordered by value', () => {
    fc.assert(
      fc.property(u128, fc.oneof(u128, fc.constant(undefined)), (a, other) => {
        const b = other ?? a;
        assert.deepEqual(answer('u128_compare', { a, b }), [
          a === b,
          a !== b,
          a < b,
          a > b,
          a <= b,
          a >= b,
          a === 0n,
        ]);
      }),
    );
  });

  test('mulDiv keeps all 256 bits of the product and rounds as its name says', () => {
    fc.assert(
      fc.property(u128, u128, u128, (a, b, divisor) => {
        const expected = (up: boolean): string => {
          if (divisor === 0n) return 'division by zero';
          const product = a * b;
          const quotient = product / divisor;
          if (quotient >= LIMIT) return OVERFLOW;
          return fitting(quotient + (up && product % divisor > 0n ? 1n : 0n));
        };
        assert.equal(answer('mul_div', { a, b, divisor }), expected(false), `${a} ${b} ${divisor}`);
        assert.equal(answer('mul_div_up', { a, b, divisor }), expected(true), `${a} ${b} ${divisor}`);
      }),
      { numRuns: 800 },
    );
  });

  test('the root of a product is the largest number whose square is not above it', () => {
    fc.assert(
      fc.property(u128, u128, (a, b) => {
        const root = BigInt(String(answer('sqrt_of_product', { a, b })));
        assert.ok(root * root <= a * b && (root + 1n) * (root + 1n) > a * b, `${a} ${b}: ${root}`);
      }),
      { numRuns: 300 },
    );
  });

  test('i128 adds, subtracts and compares, and reverts beyond its range', () => {
    const i128 = u128.map((value) => BigInt.asIntN(128, value));
    const inRange = (value: bigint): string =>
      BigInt.asIntN(128, value) === value ? value.toString() : OVERFLOW;
    fc.assert(
      fc.property(i128, i128, (a, b) => {
        assert.equal(answer('i128_add', { a, b }), inRange(a + b));
        assert.equal(answer('i128_sub', { a, b }), inRange(a - b));
        assert.equal(answer('i128_less', { a, b }), a < b);
      }),
      { numRuns: 300 },
    );
  });

  test('checked operations on u64 revert instead of wrapping around', () => {
    const most = 2n ** 53n - 1n;
    assert.deepEqual(probe.call('u64_ops', { a: 9, b: 4 }), [13, 5]);
    assert.equal(probe.failure('u64_ops', { a: 3, b: 4 }), 'arithmetic underflow');
    assert.equal(probe.failure('u64_mul', { a: Number(most), b: 4096 }), OVERFLOW);
    assert.equal(probe.call('u64_mul', { a: 94_906_265, b: 94_906_265 }), 94_906_265 ** 2);
  });
});
