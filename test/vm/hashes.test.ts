import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { HostCrypto } from '../../src/vm/host-crypto.js';
import { assemble } from '../support/contracts/wasm-assembler.js';
import { HOST_CRYPTO } from '../support/crypto/host-crypto.js';
import { hex } from '../support/hex.js';
import { address, VmWorld } from '../support/worlds/vm-world.js';

const SELF = address(1);
const PAGE = 65_536;
const HASHES = ['blake3', 'keccak256', 'sha256'] as const;

/** Copies its input to `outcomeAt`, hashes it into `banned` and returns the hash. */
function hashing(name: string, at: number, out: number): Uint8Array {
  return assemble({
    imports: [name, 'input_read', 'input_size', 'set_output'],
    memory: [1],
    functions: [
      {
        name: 'invoke',
        type: '>i',
        code: `i32.const ${at}; i32.const 0; call input_size; call input_read; drop
          i32.const ${at}; call input_size; i32.const ${out}; call ${name}
          i32.const ${out}; i32.const 32; call set_output; i32.const 0`,
      },
    ],
  });
}

/** Counts calls that reach the host. */
function counting(): { readonly counted: HostCrypto; readonly counts: Map<string, number> } {
  const counts = new Map<string, number>();
  const count = (name: 'blake3' | 'keccak256' | 'sha256') => (data: Uint8Array) => {
    counts.set(name, (counts.get(name) ?? 0) + 1);
    return HOST_CRYPTO[name](data);
  };
  return {
    counts,
    counted: {
      ...HOST_CRYPTO,
      blake3: count('blake3'),
      keccak256: count('keccak256'),
      sha256: count('sha256'),
    },
  };
}

for (const name of HASHES) {
  test(`${name} in a contract is ${name}, for every length, observed or not`, () => {
    const plain = new VmWorld(HOST_CRYPTO);
    plain.deploy(SELF, hashing(name, 40, 8));
    const observed = new VmWorld(HOST_CRYPTO);
    observed.deploy(SELF, hashing(name, 40, 8), 'observed');
    const lengths = [
      ...Array.from({ length: 300 }, (_, length) => length),
      511,
      512,
      1023,
      1024,
      1025,
      1088,
      2047,
      20_000,
    ];
    for (const length of lengths) {
      const input = Uint8Array.from({ length }, (_, index) => (index * 7 + length) & 0xff);
      const outcome = plain.run(SELF, { input });
      assert.equal(hex(outcome.output), hex(HOST_CRYPTO[name](input)), `${length} bytes`);
      assert.deepEqual(observed.run(SELF, { input }), outcome);
    }
  });
}

test('hashes of random bytes anywhere in memory are right, over their own input too', () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...HASHES),
      fc.uint8Array({ maxLength: 400 }),
      fc.integer({ min: 0, max: 100 }),
      fc.integer({ min: 0, max: 500 }),
      (name, input, at, out) => {
        const world = new VmWorld(HOST_CRYPTO);
        world.deploy(SELF, hashing(name, at, out));
        assert.equal(hex(world.run(SELF, { input }).output), hex(HOST_CRYPTO[name](input)));
      },
    ),
    { numRuns: 40 },
  );
});

test('input and output may end at the end of memory but not beyond', () => {
  const input = new Uint8Array(64).fill(9);
  for (const name of HASHES) {
    const endingAt = (at: number, out: number): string => {
      const world = new VmWorld(HOST_CRYPTO);
      world.deploy(SELF, hashing(name, at, out));
      const { status, trap, output } = world.run(SELF, { input });
      return trap?.kind ?? `${status} ${hex(output)}`;
    };
    const good = `success ${hex(HOST_CRYPTO[name](input))}`;
    assert.equal(endingAt(PAGE - 64, 0), good);
    assert.equal(endingAt(0, PAGE - 32), good);
    assert.equal(endingAt(PAGE - 63, 0), 'bad_pointer');
    assert.equal(endingAt(0, PAGE - 31), 'bad_pointer');
    assert.equal(endingAt(0, -1), 'bad_pointer');
  }
});

test('short inputs are hashed in the contract, and all inputs by the host when observed', () => {
  const { counted, counts } = counting();
  const world = new VmWorld(counted);
  for (const name of HASHES) {
    world.deploy(SELF, hashing(name, 0, 0));
    world.run(SELF, { input: new Uint8Array(150) });
    assert.equal(counts.get(name), undefined);
    world.deploy(SELF, hashing(name, 0, 0), 'observed');
    world.run(SELF, { input: new Uint8Array(150) });
    assert.equal(counts.get(name), 1);
  }
});
