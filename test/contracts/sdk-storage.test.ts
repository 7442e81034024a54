import assert from 'node:assert/strict';
import { beforeEach, describe, test } from 'node:test';
import fc from 'fast-check';
import { ContractSandbox, type SandboxContract } from '../../src/contract-sdk/sandbox.js';
import { deployProbe } from '../support/contracts/probe-contract.js';
import { hex } from '../support/hex.js';
import { addressText, bytesOfHex, sha256, slotText } from '../support/worlds/contract-world.js';
import { address } from '../support/worlds/vm-world.js';

describe('storage of the SDK', () => {
  const PROBE = address(1);

  let world: ContractSandbox;
  let probe: SandboxContract;

  beforeEach(async () => {
    world = await ContractSandbox.create();
    probe = deployProbe(world, PROBE);
  });

  /** The slot of a key as described in contracts/sdk/storage.ts. */
  function slotOf(field: number, key: Uint8Array): Uint8Array {
    const slot = new Uint8Array(32);
    if (key.length <= 27) {
      slot[0] = key.length;
      new DataView(slot.buffer).setUint32(1, field, true);
      slot.set(key, 5);
      return slot;
    }
    const numbered = Buffer.concat([Buffer.alloc(4), key]);
    numbered.writeUInt32LE(field);
    slot[0] = 0xff;
    slot.set(sha256(numbered).subarray(0, 31), 1);
    return slot;
  }

  interface Keys {
    readonly small: number;
    readonly number: number;
    readonly who: string;
    readonly digest: string;
    readonly text: string;
    readonly wide: string;
    readonly flag: boolean;
    readonly data: string;
  }

  const fixed = (length: number): fc.Arbitrary<string> =>
    fc.uint8Array({ minLength: length, maxLength: length }).map((value) => `0x${hex(value)}`);

  const keys: fc.Arbitrary<Keys> = fc.record({
    small: fc.integer({ min: 0, max: 255 }),
    number: fc.nat(Number.MAX_SAFE_INTEGER),
    who: fixed(20),
    digest: fixed(32).map((value) => value.slice(2)),
    text: fc.string({ unit: 'grapheme', maxLength: 30 }),
    wide: fc.bigInt(0n, 2n ** 128n - 1n).map(String),
    flag: fc.boolean(),
    data: fc.uint8Array({ maxLength: 40 }).map((value) => `0x${hex(value)}`),
  });

  function littleEndian(value: bigint, length: number): Buffer {
    return Buffer.from(value.toString(16).padStart(2 * length, '0'), 'hex').reverse();
  }

  function sized(bytes: Uint8Array): Buffer {
    return Buffer.concat([littleEndian(BigInt(bytes.length), 4), bytes]);
  }

  /** Field numbers of the probe's mappings with the encodings of their keys. */
  function encodedKeys(key: Keys): readonly (readonly [field: number, key: Uint8Array])[] {
    const number = littleEndian(BigInt(key.number), 8);
    const who = bytesOfHex(key.who);
    const text = sized(Buffer.from(key.text));
    return [
      [1, Buffer.of(key.small)],
      [2, number],
      [3, who],
      [4, bytesOfHex(key.digest)],
      [5, text],
      [6, littleEndian(BigInt(key.wide), 16)],
      [7, Buffer.of(key.flag ? 1 : 0)],
      [8, sized(bytesOfHex(key.data))],
      [9, Buffer.concat([who, number])],
      [10, Buffer.concat([text, text])],
    ];
  }

  test('every key has the slot defined by the rules', () => {
    fc.assert(
      fc.property(keys, fc.integer({ min: 1, max: 1_000_000 }), (key, value) => {
        probe.call('put', { key, value });
        encodedKeys(key).forEach(([field, encoded], i) => {
          const expected = littleEndian(BigInt(value + i), 8).toString('hex');
          assert.equal(slotText(world, PROBE, slotOf(field, encoded)), expected, `field ${field}`);
        });
        assert.deepEqual(
          probe.call('get', { key }),
          encodedKeys(key).map((_, i) => value + i),
        );
      }),
      { numRuns: 60 },
    );
  });

  test('different keys never share a slot', () => {
    fc.assert(
      fc.property(fc.array(keys, { minLength: 2, maxLength: 20 }), (all) => {
        const bySlot = new Map<string, string>();
        for (const key of all) {
          for (const [field, encoded] of encodedKeys(key)) {
            const slot = hex(slotOf(field, encoded));
            const owner = `${field}/${hex(encoded)}`;
            assert.equal(bySlot.get(slot) ?? owner, owner);
            bySlot.set(slot, owner);
          }
        }
      }),
    );
  });

  test('the neighbours of a key keep their defaults', () => {
    const key: Keys = {
      small: 1,
      number: 1,
      who: addressText(address(1)),
      digest: '01'.repeat(32),
      text: 'a',
      wide: '1',
      flag: true,
      data: '0x01',
    };
    const near: Keys = {
      small: 0,
      number: 256,
      who: addressText(address(0)),
      digest: '00'.repeat(32),
      text: 'a\0',
      wide: '0',
      flag: false,
      data: '0x0100',
    };
    probe.call('put', { key, value: 5 });
    assert.deepEqual(probe.call('get', { key: near }), [0, 0, 0, 0, 0, 0, 0, 0, 0, 0]);
  });

  const VALUES = {
    number: 7,
    flag: true,
    wide: '340282366920938463463374607431768211455',
    who: addressText(address(9)),
    digest: 'ab'.repeat(32),
    text: 'tëxt 😀',
    data: '0x00ff',
    pair: { left: 1, right: 2 },
    list: [1, 2, 65_535],
    maybe: 3,
    signed: -5,
  };
  const ZEROS = {
    ...VALUES,
    number: 0,
    flag: false,
    wide: '0',
    who: addressText(address(0)),
    digest: '00'.repeat(32),
    signed: 0,
  };

  test('cells keep values of every type, whatever their length', () => {
    for (const values of [
      VALUES,
      ZEROS,
      { ...VALUES, text: 'x'.repeat(16_000), data: `0x${'ab'.repeat(700)}` },
    ]) {
      probe.call('put_values', { values });
      assert.deepEqual(probe.call('get_values'), values);
    }
  });

  test('zero is the default of fixed-size values and takes no slot', () => {
    const cell = (field: number): string | undefined =>
      slotText(world, PROBE, slotOf(field, new Uint8Array(0)));
    probe.call('put_values', { values: VALUES });
    assert.equal(cell(20), '07000000');
    probe.call('put_values', { values: ZEROS });
    for (const field of [20, 21, 22, 23, 24, 30]) assert.equal(cell(field), undefined, `field ${field}`);
    assert.notEqual(cell(25), undefined);
  });

  test('reading a text that was never written reverts', () => {
    assert.equal(probe.failure('get_values'), 'there is no value in storage');
  });

  test('removed values read as absent', () => {
    assert.equal(probe.call('has_values'), false);
    assert.equal(probe.call('remove_values'), false);
    probe.call('put_values', { values: VALUES });
    assert.equal(probe.call('has_values'), true);
    assert.equal(probe.call('remove_values'), true);
    assert.equal(probe.call('has_values'), false);
  });

  test('a value whose size differs from its type’s is an error, not a different number', () => {
    probe.call('put_values', { values: VALUES });
    for (const [field, bytes, message] of [
      [20, '0700', 'a value in storage has another size than its type'],
      [22, '07', 'a value in storage has another size than its type'],
      [27, '010203', 'malformed data: bytes follow its end'],
    ] as const) {
      const before = world.readStorage(PROBE, slotOf(field, new Uint8Array(0))) ?? new Uint8Array();
      world.writeStorage(PROBE, slotOf(field, new Uint8Array(0)), bytesOfHex(bytes));
      assert.equal(probe.failure('get_values'), message);
      world.writeStorage(PROBE, slotOf(field, new Uint8Array(0)), before);
    }
  });

  test('two storage fields with the same number are refused', () => {
    assert.equal(probe.failure('clash'), 'two parts of the storage have the same field number');
  });

  test('a lock blocks reentrant calls while held, and is released afterwards', () => {
    const target = addressText(PROBE);
    probe.call('with_lock', { target, depth: 0 });
    assert.equal(
      probe.failure('with_lock', { target, depth: 1 }),
      'the contract is in the middle of another call',
    );
    const other = deployProbe(world, address(2));
    other.call('with_lock', { target, depth: 1 });
    probe.call('with_lock', { target, depth: 0 });
  });
});
