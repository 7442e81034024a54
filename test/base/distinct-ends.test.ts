import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { distinctEnds } from '../../src/base/distinct-ends.js';

const shortOf = (...names: readonly string[]) => [...distinctEnds(names)].sort();

describe('the distinct ends of paths', () => {
  test('leave out directories and the module of host functions, except where two names end alike', () => {
    assert.deepEqual(
      shortOf('assembly/token/Token#move', 'assembly/amm/Amm#swap', '~lib/heddle/calls/call', 'heddle.emit'),
      [
        ['assembly/amm/Amm#swap', 'Amm#swap'],
        ['assembly/token/Token#move', 'Token#move'],
        ['heddle.emit', 'emit'],
        ['~lib/heddle/calls/call', 'call'],
      ],
    );
    assert.deepEqual(shortOf('a/x/f', 'a/y/f', 'f'), [
      ['a/x/f', 'x/f'],
      ['a/y/f', 'y/f'],
      ['f', 'f'],
    ]);
    assert.deepEqual(shortOf('heddle.call', '~lib/heddle/calls/call'), [
      ['heddle.call', 'heddle.call'],
      ['~lib/heddle/calls/call', 'calls/call'],
    ]);
    assert.deepEqual(shortOf('/a', 'b//a', 'a'), [
      ['/a', '/a'],
      ['a', 'a'],
      ['b//a', 'b//a'],
    ]);
    assert.deepEqual(shortOf('heddle.call', '~lib/calls/call', 'a/heddle.call'), [
      ['a/heddle.call', 'a/heddle.call'],
      ['heddle.call', 'heddle.call'],
      ['~lib/calls/call', 'calls/call'],
    ]);
    const [[, mapping] = []] = shortOf('~lib/storage/Mapping<~lib/types/Address,~lib/types/U128>#set');
    assert.equal(mapping, 'Mapping<Address,U128>#set');
  });

  test('are different for different names, and no longer than the names', () => {
    const unit = fc.constantFrom('a', 'b', '/', '<', ',', '>', 'heddle.', '/a', '//a');
    fc.assert(
      fc.property(fc.array(fc.string({ unit, maxLength: 20 }), { maxLength: 12 }), (given) => {
        const found = distinctEnds(given);
        assert.equal(new Set(found.values()).size, new Set(given).size);
        for (const [name, end] of found) assert.ok(end.length <= name.length);
      }),
      { numRuns: 1_000 },
    );
  });
});
