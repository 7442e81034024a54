import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { ContractSandbox, type SandboxContract } from '../../src/contract-sdk/sandbox.js';
import { hex } from '../support/hex.js';
import { deployExample, sha256 } from '../support/worlds/contract-world.js';
import { address } from '../support/worlds/vm-world.js';

describe('the example compute', () => {
  let compute: SandboxContract;

  before(async () => {
    compute = deployExample(await ContractSandbox.create(), 'compute', address(0xc0));
  });

  const MASK = 2n ** 64n - 1n;

  /** A view's 64-bit result, decoded from its bytes because JSON holds only 53 bits. */
  function number(name: string, args: unknown): bigint {
    const outcome = compute.outcome(name, args);
    assert.equal(outcome.status, 'success');
    return Buffer.from(outcome.output).readBigUInt64LE();
  }

  function mix(x: bigint): bigint {
    let y = ((x ^ (x >> 30n)) * 0xbf58476d1ce4e5b9n) & MASK;
    y = ((y ^ (y >> 27n)) * 0x94d049bb133111ebn) & MASK;
    return y ^ (y >> 31n);
  }

  function chain(seed: bigint, length: number): bigint[] {
    const all: bigint[] = [];
    let x = seed;
    for (let i = 0; i < length; i++) {
      x = mix((x + 0x9e3779b97f4a7c15n) & MASK);
      all.push(x);
    }
    return all;
  }

  test('the loop returns the sum that its interface documents', () => {
    let expected = 1n;
    for (let i = 0n; i < 1000n; i++) expected = (expected * 31n + i) & MASK;
    assert.equal(number('count', { iterations: 1000 }), expected);
    assert.equal(number('count', { iterations: 0 }), 1n);
  });

  test('the sieve counts primes', () => {
    for (const [limit, primes] of [
      [0, 0],
      [1, 0],
      [2, 1],
      [3, 2],
      [4, 2],
      [9, 4],
      [10, 4],
      [100, 25],
      [7919, 1000],
      [1_000_000, 78_498],
    ]) {
      assert.equal(compute.call('sieve', { limit }), primes, `up to ${limit}`);
    }
    assert.deepEqual(compute.failure('sieve', { limit: 4_000_001 }), {
      name: 'TooLarge',
      args: { given: 4_000_001, most: 4_000_000 },
    });
  });

  test('both hash chains match sha256', () => {
    const seed = Uint8Array.from({ length: 32 }, (_, i) => i * 7);
    let expected = seed;
    for (let rounds = 0; rounds < 40; rounds++) {
      const args = { seed: hex(seed), rounds };
      assert.equal(compute.call('sha256_chain', args), hex(expected));
      assert.equal(compute.call('sha256_chain_in_wasm', args), hex(expected));
      expected = Uint8Array.from(sha256(expected));
    }
  });

  test('the mixing chain matches splitmix64', () => {
    assert.equal(number('mix_chain', { seed: 5, rounds: 0 }), 5n);
    assert.equal(number('mix_chain', { seed: 5, rounds: 100 }), chain(5n, 100).at(-1));
  });

  test('the matrix product is correct', () => {
    const size = 5;
    const entries = chain(9n, 2 * size * size);
    let sum = 0n;
    for (let row = 0; row < size; row++) {
      for (let column = 0; column < size; column++) {
        for (let k = 0; k < size; k++) {
          sum += (entries[row * size + k] ?? 0n) * (entries[size * size + k * size + column] ?? 0n);
        }
      }
    }
    assert.equal(number('matrix_product', { size, seed: 9 }), sum & MASK);
    assert.equal(number('matrix_product', { size: 0, seed: 9 }), 0n);
    assert.deepEqual(compute.failure('matrix_product', { size: 257, seed: 1 }), {
      name: 'TooLarge',
      args: { given: 257, most: 256 },
    });
  });

  test('a step of the loop costs a few units of gas', () => {
    const used = (iterations: number): bigint => compute.outcome('count', { iterations }).gasUsed;
    const perStep = Number(used(100_000) - used(0)) / 100_000;
    assert.ok(perStep > 5 && perStep < 20, `${perStep}`);
  });

  test('an endless run ends when its gas runs out', () => {
    const outcome = compute.outcome('count', { iterations: Number.MAX_SAFE_INTEGER }, { gas: 1_000_000n });
    assert.equal(outcome.status, 'out_of_gas');
    assert.equal(outcome.gasUsed, 1_000_000n);
  });
});
