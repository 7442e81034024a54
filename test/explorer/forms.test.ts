import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { type Draft, emptyArguments, emptyDraft } from '../../src/explorer/contract/draft.js';
import { argumentsValue, draftText } from '../../src/explorer/contract/draft-value.js';
import {
  gasLimitFor,
  prepareAddress,
  prepareAmount,
  prepareHeight,
  prepareInput,
} from '../../src/explorer/contract/prepare-call.js';
import { exampleJson } from '../../src/explorer/contract/type-hint.js';
import { type CompiledInterface, compileInterface } from '../../src/explorer/interface/contract-interface.js';
import { parsePrivateKey } from '../../src/explorer/keys/private-key.js';
import type { JsonValue } from '../../src/idl/json-value.js';
import { defaultGasLimit } from '../../src/ledger/gas.js';
import { HOSTILE_IDL } from './hostile-contract.js';

const ORDERS = `
contract Orders {
  method place(order: Order, tags: string[], note?: string, kind: Kind, pair: u8[2], huge: u128);
  view json_like(data: bytes) -> u64;
}
struct Order { owner: address; amount: u64; open: bool; }
enum Kind { Plain, Limited: u32 }
`;

function compiled(idl: string): CompiledInterface {
  const compilation = compileInterface(idl);
  return compilation.ok ? compilation.compiled : assert.fail(compilation.message);
}

function functionOf({ definition }: CompiledInterface, name: string) {
  return definition.functions.find((each) => each.name === name) ?? assert.fail(`no function ${name}`);
}

const text = (value: string): Draft => ({ kind: 'text', text: value });

const FILLED: readonly Draft[] = [
  { kind: 'struct', fields: [text(`0x${'ab'.repeat(20)}`), text('1e3'), { kind: 'bool', value: true }] },
  { kind: 'list', items: [text('a <b>'), text('')] },
  { kind: 'option' },
  { kind: 'enum', variant: 1, payload: text('7') },
  { kind: 'list', items: [text('1'), text('2')] },
  text('340282366920938463463374607431768211455'),
];

/** Number of fields of a draft, at any depth. */
function sizeOf(draft: Draft): number {
  switch (draft.kind) {
    case 'struct':
      return 1 + draft.fields.reduce((sum, field) => sum + sizeOf(field), 0);
    case 'list':
      return 1 + draft.items.reduce((sum, item) => sum + sizeOf(item), 0);
    case 'enum':
      return 1 + (draft.payload === undefined ? 0 : sizeOf(draft.payload));
    default:
      return 1;
  }
}

describe('the form of a function', () => {
  const orders = compiled(ORDERS);
  const place = functionOf(orders, 'place');

  test('begins empty in the shape of its types', () => {
    assert.deepEqual(emptyArguments(orders.types, place.params), [
      { kind: 'struct', fields: [text(''), text(''), { kind: 'bool', value: false }] },
      { kind: 'list', items: [] },
      { kind: 'option' },
      { kind: 'enum', variant: 0 },
      { kind: 'list', items: [text(''), text('')] },
      text(''),
    ]);
  });

  test('becomes the arguments of a call, exactly', () => {
    const expected: JsonValue = {
      order: { owner: `0x${'ab'.repeat(20)}`, amount: 1_000, open: true },
      tags: ['a <b>', ''],
      kind: { type: 'limited', value: 7 },
      pair: [1, 2],
      huge: '340282366920938463463374607431768211455',
    };
    assert.deepEqual(argumentsValue(orders.types, place.params, FILLED), expected);
    const input = prepareInput(orders, place, FILLED);
    assert.ok(input.ok);
    assert.deepEqual(orders.abi.function('place').decodeCall(input.value), expected);
  });

  test('takes any part as JSON text, such as a list that is too long for fields', () => {
    const tags = Array.from({ length: 500 }, (_, at) => `tag ${at}`);
    const prepared = prepareInput(
      orders,
      place,
      FILLED.with(1, { kind: 'json', text: JSON.stringify(tags) }),
    );
    assert.ok(prepared.ok);
    const decoded = orders.abi.function('place').decodeCall(prepared.value);
    assert.deepEqual((decoded as { readonly tags: JsonValue }).tags, tags);
  });

  test('becomes JSON text with what its fields hold, and shows the form of the text', () => {
    const order = FILLED[0] ?? assert.fail();
    assert.deepEqual(JSON.parse(draftText(orders.types, 'Order', order)), {
      owner: `0x${'ab'.repeat(20)}`,
      amount: 1_000,
      open: true,
    });
    const unfinished = emptyDraft(orders.types, 'Order');
    assert.equal(draftText(orders.types, 'Order', unfinished), '');
    assert.equal(
      exampleJson(orders.types, { list: 'Order' }),
      '[{ "owner": "0x…", "amount": 0, "open": false }, …]',
    );
    assert.equal(exampleJson(orders.types, 'Kind'), '{ "type": "plain" }');
    assert.equal(exampleJson(orders.types, { option: 'u128' }), '"0"');
  });

  test('names the field of a mistake', () => {
    const cases: readonly (readonly [place: number, draft: Draft, path: string, message: RegExp])[] = [
      [5, text(''), 'args.huge', /whole number/],
      [5, text('1.5'), 'args.huge', /whole number/],
      [5, text('-1'), 'args.huge', /u128/],
      [1, { kind: 'json', text: '{' }, 'args.tags', /JSON/],
      [4, { kind: 'list', items: [text('1'), text('256')] }, 'args.pair[1]', /u8/],
      [3, { kind: 'enum', variant: 1, payload: text('4294967296') }, 'args.kind.limited', /u32/],
      [
        0,
        { kind: 'struct', fields: [text('0x12'), text('1'), { kind: 'bool', value: false }] },
        'args.order.owner',
        /address/,
      ],
    ];
    for (const [at, draft, path, message] of cases) {
      const prepared = prepareInput(orders, place, FILLED.with(at, draft));
      assert.ok(!prepared.ok, path);
      assert.equal(prepared.mistake.path, path);
      assert.match(prepared.mistake.message, message);
    }
  });

  test('reads amounts, addresses and heights beside the arguments', () => {
    assert.deepEqual(prepareAmount({ value: '', path: 'value' }), { ok: true, value: 0n });
    assert.deepEqual(prepareAmount({ value: '2.5e6', path: 'value' }), { ok: true, value: 2_500_000n });
    assert.equal(prepareAmount({ value: '0.5', path: 'value' }).ok, false);
    assert.deepEqual(prepareAddress({ value: ' ', path: 'sender' }), { ok: true, value: undefined });
    assert.equal(prepareAddress({ value: 'bob', path: 'sender' }).ok, false);
    assert.deepEqual(prepareHeight({ value: '1,000', path: 'height' }), { ok: true, value: 1_000n });
    assert.equal(prepareHeight({ value: '-1', path: 'height' }).ok, false);
  });
});

describe('a hostile interface', () => {
  const hostile = compiled(HOSTILE_IDL);

  test('gets a form of bounded size, with JSON for what is too wide or too deep', () => {
    for (const { params } of hostile.definition.functions) {
      const drafts = emptyArguments(hostile.types, params);
      assert.ok(drafts.reduce((sum, draft) => sum + sizeOf(draft), 0) <= 200);
    }
    assert.deepEqual(emptyDraft(hostile.types, 'Wide0'), { kind: 'json', text: '' });
    for (const type of ['Wide0', 'Node', 'Pair']) {
      assert.ok(exampleJson(hostile.types, type).length <= 301, type);
    }
    assert.deepEqual(emptyDraft(hostile.types, { list: 'u8', length: 60_000 }), { kind: 'json', text: '' });
    // An enum that contains itself begins with the variant that ends there.
    assert.deepEqual(emptyDraft(hostile.types, 'Node'), { kind: 'enum', variant: 1 });
  });

  test('is refused if it is longer than the chain allows, or not an interface', () => {
    const long = compileInterface(`${HOSTILE_IDL}${'\n'.repeat(70_000)}`);
    assert.ok(!long.ok);
    for (const wrong of [
      '',
      '<script>',
      'contract A {',
      'struct A { a: u8; }',
      'contract A {} contract B {}',
    ]) {
      assert.equal(compileInterface(wrong).ok, false, wrong);
    }
  });
});

test('a private key is read with or without its prefix, and a mistake never repeats it', () => {
  const digits = '5b'.repeat(32);
  assert.deepEqual(parsePrivateKey(` 0x${digits}`), parsePrivateKey(digits));
  for (const wrong of [
    '',
    digits.slice(1),
    `${digits}00`,
    'secret words that nobody may see',
    'zz'.repeat(32),
  ]) {
    assert.throws(
      () => parsePrivateKey(wrong),
      (error: Error) => wrong === '' || !error.message.includes(wrong),
    );
  }
});

test('a gas limit leaves room for changes of the state, within a block', () => {
  const call = { contract: new Uint8Array(20), input: new Uint8Array(4), value: 0n };
  const action = { type: 'call', value: call } as const;
  assert.equal(gasLimitFor(action, 40_000n, 100_000_000n), defaultGasLimit(action));
  assert.equal(gasLimitFor(action, 40_000_000n, 100_000_000n), 50_000_000n);
  assert.equal(gasLimitFor(action, 90_000_000n, 100_000_000n), 100_000_000n);
  assert.equal(gasLimitFor(action, 120_000_000n, 100_000_000n), 120_000_000n);
  assert.equal(gasLimitFor(action, 40_000_000n, undefined), 50_000_000n);
});
