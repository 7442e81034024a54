import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { readAmount } from '../../src/base/amount-text.js';
import { amountText } from '../../src/explorer/amounts/unit.js';
import { compileInterface } from '../../src/explorer/interface/contract-interface.js';
import { isBrief, openParts } from '../../src/explorer/parts/json-plan.js';
import {
  memberShape,
  primitiveOf,
  type Shape,
  structNameOf,
  variantOf,
} from '../../src/explorer/parts/json-shape.js';
import { isIdentifier, isMoment } from '../../src/explorer/text/field-names.js';
import type { JsonValue } from '../../src/idl/json-value.js';

const IDL = `
contract Shop {
  method buy(who: address, lines: Line[], note?: string, kind: Kind) -> u128;
}
struct Line { label: string; count: u64; }
enum Kind { Plain, Gift: Line }
`;

/** Number of members of the open parts. */
function shownOf(value: JsonValue, open: ReadonlySet<object>): number {
  if (typeof value !== 'object' || value === null || !open.has(value)) return 0;
  const members: readonly JsonValue[] = Object.values(value).slice(0, 25);
  return members.reduce<number>((sum, member) => sum + 1 + shownOf(member, open), 0);
}

describe('the open parts of a decoded value', () => {
  test('stay within the budget, and the value itself is among them', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 6 }), (given) => {
        const value = given as JsonValue;
        const open = openParts(value, 50);
        assert.ok(shownOf(value, open) <= 50);
        assert.equal(open.has(value as object), typeof value === 'object' && value !== null);
      }),
    );
  });

  test('are three levels of structs, and one level inside a list', () => {
    const wide = Object.fromEntries([1, 2, 3, 4, 5].map((at) => [`field ${at}`, at]));
    const deep: JsonValue = { a: { b: { c: wide } } };
    assert.equal(openParts(deep, 200).size, 3);
    const list: JsonValue = [[[1]], [[2]]];
    assert.equal(openParts(list, 200).size, 3);
  });

  test('are brief objects at any level, as far as the budget goes', () => {
    const item = { deal: { id: 7, state: { type: 'open' } } };
    assert.equal(openParts([item], 200).size, 4);
    const many = Array.from({ length: 25 }, () => item);
    assert.ok(openParts(many, 200).size < 1 + 3 * 25);
  });

  test('are few in a value whose parts multiply at each level', () => {
    const row = Array.from({ length: 25 }, () => 0);
    const cube: JsonValue = row.map(() => row.map(() => row.map(() => 0)));
    const open = openParts(cube, 200);
    assert.equal(shownOf(cube, open), 200);
  });
});

describe('a brief object', () => {
  test('has few members, which are short and have no members', () => {
    const address = `0x${'ab'.repeat(20)}`;
    for (const brief of [
      { available: '0', required: '1' },
      { payer: address, payee: address, state: { type: 'open' }, note: null },
      { state: { type: 'open', value: null } },
      {},
    ]) {
      assert.equal(isBrief(brief), true, JSON.stringify(brief));
    }
    for (const long of [
      { a: 1, b: 2, c: 3, d: 4, e: 5 },
      { text: 'x'.repeat(100) },
      { state: { type: 'x'.repeat(100) } },
      { inner: { a: 1 } },
      { gift: { type: 'gift', value: 1 } },
      [1],
      'text',
    ]) {
      assert.equal(isBrief(long), false, JSON.stringify(long));
    }
  });
});

describe('what a name tells about a number', () => {
  test('ids, nonces, lanes and indices are identifiers; amounts and counts are not', () => {
    for (const name of ['id', 'deal_id', 'nonce', 'permit_nonce', 'lane', 'index', 'deploy_index']) {
      assert.equal(isIdentifier(name), true, name);
    }
    for (const name of ['paid', 'amount', 'deal_count', 'indexes', 'ids']) {
      assert.equal(isIdentifier(name), false, name);
    }
  });

  test('a moment is named in milliseconds, and no duration is taken for one', () => {
    assert.equal(isMoment('deadline_ms', 1_767_225_600_000n), true);
    assert.equal(isMoment('deadline', 1_767_225_600_000n), false);
    for (const value of [0n, 60_000n, 31_536_000_000n, (1n << 64n) - 1n]) {
      assert.equal(isMoment('timeout_ms', value), false, String(value));
    }
  });
});

describe('an amount in units', () => {
  const units = (decimals: number, symbol: string) => (amount: bigint) =>
    amountText(amount, { decimals, symbol });

  test('is exact to the last digit', () => {
    assert.deepEqual([0n, 1n, 1_250n, 10n ** 9n].map(units(2, 'THR')), [
      '0 THR',
      '0.01 THR',
      '12.5 THR',
      '10,000,000 THR',
    ]);
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: (1n << 128n) - 1n }), fc.nat(38), (amount, decimals) => {
        assert.equal(
          readAmount(amountText(amount, { decimals, symbol: 'X' }).slice(0, -2), decimals),
          amount,
        );
        assert.equal(readAmount(amountText(amount, { decimals, symbol: '' }), 0), amount);
      }),
    );
  });

  test('without a symbol still counts the smallest unit', () => {
    assert.deepEqual([0n, 21_000n, 10n ** 15n, 15n * 10n ** 17n].map(units(18, '')), [
      '0',
      '21,000',
      '0.001e18',
      '1.5e18',
    ]);
    assert.equal(units(0, '')(1_500n), '1,500');
  });

  test("a stranger's symbol is short, and its invisible characters are escapes", () => {
    assert.equal(units(0, 'x'.repeat(32))(1n), `1 ${'x'.repeat(12)}…`);
    assert.equal(units(0, 'a\u3164b')(1n), '1 a\\u3164b');
  });
});

describe('the types of a decoded value', () => {
  const compilation = compileInterface(IDL);
  assert.ok(compilation.ok);
  const { types, definition } = compilation.compiled;
  const args: Shape = { types, type: { fields: definition.functions[0]?.params ?? [] } };

  test('follow arguments, lists, structs, options and enums', () => {
    assert.equal(primitiveOf(memberShape(args, {}, 'who')), 'address');
    assert.equal(primitiveOf(memberShape(args, {}, 'note')), 'string');
    const line = memberShape(memberShape(args, {}, 'lines'), [], '0');
    assert.equal(primitiveOf(memberShape(line, {}, 'label')), 'string');
    assert.equal(primitiveOf(memberShape(line, {}, 'count')), 'u64');
    const kind = memberShape(args, {}, 'kind');
    const gift = memberShape(kind, { type: 'gift', value: {} }, 'value');
    assert.equal(primitiveOf(memberShape(gift, {}, 'label')), 'string');
    assert.equal(primitiveOf(memberShape(kind, { type: 'plain' }, 'type')), 'string');
  });

  test('give variants and structs their names', () => {
    const kind = memberShape(args, {}, 'kind');
    const gift = variantOf(kind, { type: 'gift', value: { label: 'x', count: 2 } });
    assert.deepEqual([gift?.name, gift?.payload], ['Gift', { label: 'x', count: 2 }]);
    assert.equal(primitiveOf(memberShape(gift?.shape, {}, 'count')), 'u64');
    for (const plain of [{ type: 'plain' }, { type: 'plain', value: null }]) {
      assert.deepEqual(variantOf(kind, plain), { name: 'Plain', payload: null, shape: undefined });
    }
    assert.equal(structNameOf(memberShape(memberShape(args, {}, 'lines'), [], '0')), 'Line');
    // A struct whose members have these names is no enum.
    assert.equal(variantOf(memberShape(args, {}, 'lines'), { type: 'plain' }), undefined);
    assert.equal(variantOf(args, { type: 'plain' }), undefined);
  });

  test('without an interface, only an object in the form of an enum counts as one', () => {
    assert.equal(variantOf(undefined, { type: 'sold_out' })?.name, 'sold_out');
    for (const other of [
      { type: 'open', value: 1, more: 2 },
      { type: 'Two words' },
      { type: 7 },
      ['type'],
      null,
    ]) {
      assert.equal(variantOf(undefined, other), undefined, JSON.stringify(other));
    }
  });

  test('are unknown for members that the interface does not declare', () => {
    assert.equal(memberShape(args, {}, 'constructor'), undefined);
    assert.equal(memberShape(memberShape(args, {}, 'kind'), { type: 'other' }, 'value'), undefined);
    assert.equal(primitiveOf(undefined), undefined);
    assert.equal(primitiveOf(memberShape(args, {}, 'lines')), undefined);
  });
});
