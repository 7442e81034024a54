import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { compileInterface } from '../../src/explorer/contract/contract-interface.js';
import { openParts } from '../../src/explorer/parts/json-plan.js';
import { memberShape, primitiveOf, type Shape } from '../../src/explorer/parts/json-shape.js';
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
    const deep: JsonValue = { a: { b: { c: { d: 1 } } } };
    assert.equal(openParts(deep, 200).size, 3);
    const list: JsonValue = [[[1]], [[2]]];
    assert.equal(openParts(list, 200).size, 3);
  });

  test('of a value that multiplies itself are few', () => {
    const row = Array.from({ length: 25 }, () => 0);
    const cube: JsonValue = row.map(() => row.map(() => row.map(() => 0)));
    const open = openParts(cube, 200);
    assert.equal(shownOf(cube, open), 200);
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

  test('are unknown for members that the interface does not declare', () => {
    assert.equal(memberShape(args, {}, 'constructor'), undefined);
    assert.equal(memberShape(memberShape(args, {}, 'kind'), { type: 'other' }, 'value'), undefined);
    assert.equal(primitiveOf(undefined), undefined);
    assert.equal(primitiveOf(memberShape(args, {}, 'lines')), undefined);
  });
});
