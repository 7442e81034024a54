import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { RpcError } from '../../../src/rpc/errors.js';
import { JsonScan } from '../../../src/rpc/json/json-scan.js';
import { sweep } from '../../support/sweep.js';

/** Scans a text with nothing after its value, `characters` at a time. */
function scanned(text: string, characters = Number.POSITIVE_INFINITY, noted?: number): JsonScan {
  const scan = new JsonScan(text, 0, noted);
  while (!scan.advance(characters)) {
    // Next span.
  }
  assert.match(text.slice(scan.at), /^[ \t\r\n]*$/, 'something is left');
  return scan;
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

function isScanned(text: string, characters: number): boolean {
  try {
    scanned(text, characters);
    return true;
  } catch (error) {
    assert.ok(
      error instanceof assert.AssertionError || (error instanceof RpcError && error.kind === 'parse_error'),
    );
    return false;
  }
}

function valuesOf(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 1;
  return Object.values(value).reduce((sum: number, each) => sum + valuesOf(each), 1);
}

function nestingOf(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  return 1 + Object.values(value).reduce((most: number, each) => Math.max(most, nestingOf(each)), 0);
}

describe('a scanned JSON text', () => {
  test('is accepted exactly if JSON.parse accepts it, in spans of any length', () => {
    const piece = fc.oneof(
      fc.json(),
      fc.constantFrom(
        '{',
        '}',
        '[',
        ']',
        ',',
        ':',
        '"',
        '\\',
        '-',
        '0',
        '1',
        '.',
        'e',
        '+',
        'true',
        'null',
        ' ',
        '\n',
      ),
      fc.constantFrom(
        '"a":',
        '\\u00',
        '\\u00e9',
        '\\n',
        '\u0001',
        '01',
        '1.',
        '-',
        '1e5',
        'nul',
        '\ufeff',
        '\u00a0',
      ),
    );
    const text = fc.array(piece, { maxLength: 6 }).map((pieces) => pieces.join(''));
    fc.assert(
      fc.property(text, fc.integer({ min: 1, max: 5 }), (source, characters) => {
        assert.equal(isScanned(source, characters), isJson(source));
      }),
      { numRuns: sweep(300) },
    );
  });

  test('has its values, entries and levels counted', () => {
    fc.assert(
      fc.property(fc.json(), (text) => {
        const value: unknown = JSON.parse(text);
        // The scan counts every copy of a duplicate name; the lengths are equal only if no name occurs twice.
        const isPlain = JSON.stringify(value).length === text.length;
        const { values, entries, nesting } = scanned(text);
        if (isPlain) assert.equal(values, valuesOf(value));
        if (Array.isArray(value)) assert.equal(entries, value.length);
        if (isPlain) assert.equal(nesting, nestingOf(value));
      }),
    );
  });

  test('has its long objects and arrays recorded, down to two levels, with their contents', () => {
    const long = `[${'1,'.repeat(50)}[[2]]]`;
    const text = `[{"a":${long},"b":[1]}, {"c":{"d":${long}}}]`;
    const { spans } = scanned(text, 7, 60);
    const first = text.indexOf(long);
    const second = text.indexOf('{"d"');
    assert.deepEqual(spans.get(first), { end: first + long.length, values: 54, nesting: 3 });
    assert.deepEqual(spans.get(second), { end: text.length - 2, values: 55, nesting: 4 });
    assert.deepEqual(
      [...spans.keys()].toSorted((a, b) => a - b),
      [0, 1, first, text.indexOf('{"c"'), second],
    );
  });

  test('may nest to any depth', () => {
    const depth = 1_000_000;
    assert.equal(scanned('['.repeat(depth) + ']'.repeat(depth), 10_000).nesting, depth);
  });

  test('is refused with the position if broken', () => {
    const broken: readonly (readonly [string, number])[] = [
      ['{"a":1,}', 7],
      ['[1 2]', 3],
      ['["\u0000"]', 2],
      ['"abc', 4],
      ['{"a" 1}', 5],
      ['[1,', 3],
      ['tru', 0],
      ['"\\x"', 1],
      ['-', 1],
    ];
    for (const [text, position] of broken) {
      assert.throws(
        () => scanned(text),
        (error) =>
          error instanceof RpcError && (error.details as { position?: number }).position === position,
        text,
      );
    }
  });
});
