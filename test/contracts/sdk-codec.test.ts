import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import fc from 'fast-check';
import { ContractSandbox, type SandboxContract } from '../../src/contract-sdk/sandbox.js';
import type { JsonValue } from '../../src/idl/json-value.js';
import { deployProbe, probeAbi } from '../support/contracts/probe-contract.js';
import { sweep } from '../support/sweep.js';
import { address } from '../support/worlds/vm-world.js';

describe('codecs of the SDK', () => {
  let probe: SandboxContract;

  before(async () => {
    probe = deployProbe(await ContractSandbox.create(), address(1));
  });

  const hexOf = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');
  const fixed = (length: number): fc.Arbitrary<string> =>
    fc.uint8Array({ minLength: length, maxLength: length }).map((bytes) => `0x${hexOf(bytes)}`);
  const digest = fc.uint8Array({ minLength: 32, maxLength: 32 }).map(hexOf);
  const unsigned = (bits: number): fc.Arbitrary<number> => fc.integer({ min: 0, max: 2 ** bits - 1 });
  const signed = (bits: number): fc.Arbitrary<number> =>
    fc.integer({ min: -(2 ** (bits - 1)), max: 2 ** (bits - 1) - 1 });
  const u64 = fc.integer({ min: 0, max: Number.MAX_SAFE_INTEGER });
  const u128 = fc.bigInt(0n, 2n ** 128n - 1n).map(String);
  const bytes = fc.uint8Array({ maxLength: 300 }).map((value) => `0x${hexOf(value)}`);
  const text = fc.string({ unit: 'binary', maxLength: 40 });

  interface Tree {
    readonly children: readonly Tree[];
    readonly label: number;
  }
  const { tree } = fc.letrec<{ tree: Tree }>((tie) => ({
    tree: fc.record({
      children: fc.oneof({ maxDepth: 3 }, fc.constant([]), fc.array(tie('tree'), { maxLength: 3 })),
      label: unsigned(8),
    }),
  }));

  const choice: fc.Arbitrary<JsonValue> = fc.oneof(
    fc.constant({ type: 'nothing', value: null }),
    u64.map((value) => ({ type: 'number', value })),
    u128.map((value) => ({ type: 'wide', value })),
    text.map((value) => ({ type: 'text', value })),
    fixed(20).map((value) => ({ type: 'who', value })),
    fc.array(unsigned(8), { maxLength: 5 }).map((value) => ({ type: 'list', value })),
    fc.record({ left: unsigned(8), right: unsigned(8) }).map((value) => ({ type: 'pair', value })),
    signed(8).map((value) => ({ type: 'signed', value })),
  );

  const everything: fc.Arbitrary<JsonValue> = fc.record(
    {
      flag: fc.boolean(),
      a: unsigned(8),
      b: unsigned(16),
      c: unsigned(32),
      d: u64,
      e: u128,
      f: signed(8),
      g: signed(16),
      h: signed(32),
      i: fc.integer({ min: Number.MIN_SAFE_INTEGER, max: Number.MAX_SAFE_INTEGER }),
      j: fc.bigInt(-(2n ** 127n), 2n ** 127n - 1n).map(String),
      text,
      short: fc.constantFrom('', 'a', 'äb', '😀', 'abcde'),
      data: bytes,
      four: fixed(4),
      key: digest,
      who: fixed(20),
      digest,
      list: fc.array(unsigned(32), { maxLength: 5 }),
      pair: fc.tuple(fixed(20), fixed(20)),
      maybe: u128,
      tree: tree as fc.Arbitrary<unknown>,
      choice,
      new: fc.boolean(),
    },
    {
      requiredKeys: [
        'flag',
        'a',
        'b',
        'c',
        'd',
        'e',
        'f',
        'g',
        'h',
        'i',
        'j',
        'text',
        'short',
        'data',
        'four',
        'key',
        'who',
        'digest',
        'list',
        'pair',
        'choice',
        'new',
      ],
    },
  ) as fc.Arbitrary<unknown> as fc.Arbitrary<JsonValue>;

  const one = fc.sample(everything, { numRuns: 1, seed: 7 })[0];

  test('values of every type survive a round trip', () => {
    fc.assert(
      fc.property(everything, (value) => {
        const echoed = JSON.stringify(probe.call('echo', { value }));
        const sent = probeAbi.function('echo').decodeCall(probeAbi.function('echo').encodeCall({ value }))[
          'value'
        ];
        assert.equal(echoed, JSON.stringify(sent));
      }),
      { numRuns: sweep(15) },
    );
  });

  test('optional arguments and results may be absent', () => {
    assert.equal(probe.call('echo_optional', {}), null);
    assert.equal(probe.call('echo_optional', { b: 'x' }), 'x');
    assert.equal(probe.call('echo_optional', { a: 12, b: 'x' }), 'x:12');
  });

  test('lists of lists, of options and of limited length are read and written', () => {
    const args = {
      matrix: [
        [1, 2],
        [3, 4],
      ],
      short: [9],
      choices: [null, { type: 'nothing', value: null }],
    };
    assert.deepEqual(probe.call('echo_lists', args), [
      null,
      { type: 'nothing', value: null },
      { type: 'number', value: 65_538 },
      { type: 'number', value: 196_612 },
      { type: 'list', value: [9] },
    ]);
  });

  test('globals with computed values are initialized in every call', () => {
    const expected = [
      { type: 'list', value: [3, 2, 1] },
      { type: 'pair', value: { left: 1, right: 2 } },
      { type: 'nothing', value: null },
    ];
    assert.deepEqual(probe.call('constants'), expected);
    assert.deepEqual(probe.call('constants'), expected);
  });

  test('every shortened or lengthened encoding reverts', () => {
    const input = probeAbi.function('echo').encodeCall({ value: one });
    const revertOf = (bytes: Uint8Array): string => {
      const outcome = probe.sandbox.run(probe.at, { input: bytes });
      assert.equal(outcome.status, 'reverted', `${bytes.length} of ${input.length} bytes`);
      return new TextDecoder().decode(outcome.output);
    };
    for (let length = 0; length < input.length; length++) {
      assert.match(revertOf(input.subarray(0, length)), /^malformed data/);
    }
    assert.equal(revertOf(Buffer.concat([input, Buffer.of(0)])), 'malformed data: bytes follow its end');
  });

  test('the contract accepts exactly the bytes that the node accepts', () => {
    const definition = probeAbi.function('echo');
    const good = definition.encodeCall({ value: one });
    const change = fc.record({ at: fc.integer({ min: 4, max: good.length - 1 }), to: unsigned(8) });
    fc.assert(
      fc.property(fc.array(change, { minLength: 1, maxLength: 2 }), (changes) => {
        const input = Uint8Array.from(good);
        for (const { at, to } of changes) input[at] = to;
        const outcome = probe.sandbox.run(probe.at, { input });
        const error = rejection(() => definition.arguments.decode(input.subarray(4)));
        assert.equal(outcome.status, error === undefined ? 'success' : 'reverted', error);
        if (error === undefined)
          assert.deepEqual(Buffer.from(outcome.output), Buffer.from(input.subarray(4)));
      }),
      { numRuns: sweep(60) },
    );
  });

  test('text is strict UTF-8', () => {
    const head = Buffer.from(probeAbi.function('log_text').selector);
    const run = (...units: number[]): string => {
      const length = Buffer.alloc(4);
      length.writeUInt32LE(units.length);
      return probe.sandbox.run(probe.at, { input: Buffer.concat([head, length, Buffer.from(units)]) }).status;
    };
    for (const good of [
      [0x7f],
      [0xc2, 0x80],
      [0xef, 0xbf, 0xbf],
      [0xee, 0x80, 0x80],
      [0xf0, 0x90, 0x80, 0x80],
      [0xf4, 0x8f, 0xbf, 0xbf],
    ]) {
      assert.equal(run(...good), 'success', Buffer.from(good).toString('hex'));
    }
    for (const bad of [
      [0x80],
      [0xc0, 0x80],
      [0xc1, 0xbf],
      [0xc2],
      [0xc2, 0x41],
      [0xe0, 0x9f, 0xbf],
      [0xed, 0xa0, 0x80],
      [0xed, 0xbf, 0xbf],
      [0xe2, 0x82],
      [0xf0, 0x8f, 0xbf, 0xbf],
      [0xf4, 0x90, 0x80, 0x80],
      [0xf8, 0x88, 0x80, 0x80, 0x80],
      [0xff],
    ]) {
      assert.equal(run(...bad), 'reverted', Buffer.from(bad).toString('hex'));
    }
  });

  test('a list that claims more items than there are bytes is refused before memory is reserved', () => {
    const input = Buffer.from(
      probeAbi.function('echo_lists').encodeCall({ matrix: [], short: [], choices: [] }),
    );
    input.writeUInt32LE(0x4000_0000, 4);
    const outcome = probe.sandbox.run(probe.at, { input });
    assert.equal(outcome.status, 'reverted');
    assert.ok(outcome.gasUsed < 20_000n, `${outcome.gasUsed}`);
  });

  test('events carry their indexed fields as topics, as in the interface', () => {
    const args = { a: 77, b: `0x${'ab'.repeat(20)}`, c: 'name', d: one, e: 5 };
    const from = probe.sandbox.logs.length;
    probe.call('emit_all', args);
    const events = probe.sandbox.logs.slice(from);
    for (const [index, name, fields] of [
      [0, 'Small', { a: args.a, b: args.b, c: args.c, d: one }],
      [1, 'Large', { d: one, e: 5 }],
      [2, 'Empty', {}],
    ] as const) {
      const event = probeAbi.events.get(name);
      assert.ok(event !== undefined);
      const { topics, data } = event.encode(fields);
      assert.deepEqual(events[index]?.topics.map(hexOf), topics.map(hexOf), name);
      assert.equal(hexOf(events[index]?.data ?? new Uint8Array()), hexOf(data), name);
    }
  });

  test('errors carry their fields', () => {
    assert.deepEqual(probe.failure('fail_with', { value: one, count: 0 }), { name: 'Nothing', args: {} });
    const failure = probe.failure('fail_with', { value: one, count: 3 });
    assert.deepEqual(
      failure,
      probeAbi.decodeError(
        probeAbi.errors.get('Bad')?.encode({ value: one, indexed_like: 3 }) ?? new Uint8Array(),
      ),
    );
  });

  function rejection(decode: () => unknown): string | undefined {
    try {
      decode();
      return undefined;
    } catch (error) {
      return error instanceof Error ? error.message : String(error);
    }
  }
});
