import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { idlParts } from '../../src/explorer/text/idl-parts.js';

const IDL = `/// A token.
contract Token {
  // Not a doc.
  view name() -> string; @payable method pay(view: u64, to?: address);
  event Paid { indexed from: address; }
}
@since("1.0") type Name = bytes32; /* no comment */`;

describe('an interface text in colours', () => {
  test('tells keywords, types, comments, literals and annotations apart', () => {
    const of = (kind: string) => idlParts(IDL).flatMap((part) => (part.kind === kind ? [part.text] : []));
    assert.deepEqual(of('keyword'), ['contract', 'view', 'method', 'event', 'indexed', 'type']);
    assert.deepEqual(of('type'), ['Token', 'string', 'u64', 'address', 'Paid', 'address', 'Name', 'bytes32']);
    assert.deepEqual(of('comment'), ['/// A token.', '// Not a doc.']);
    assert.deepEqual(of('literal'), ['"1.0"']);
    assert.deepEqual(of('annotation'), ['@payable', '@since']);
  });

  test('keeps the whole text, whatever it contains', () => {
    const units = fc.constantFrom(
      'contract ',
      '"',
      '\\',
      '//',
      '/',
      '\n',
      '@a',
      '1x',
      '-',
      '->',
      '€',
      'A',
      '{',
    );
    fc.assert(
      fc.property(fc.oneof(fc.string({ unit: 'binary' }), fc.string({ unit: units })), (text) => {
        assert.equal(
          idlParts(text)
            .map((part) => part.text)
            .join(''),
          text,
        );
      }),
    );
  });

  test('has a bounded number of parts, however many tokens it has', () => {
    const parts = idlParts('1 a '.repeat(16_000));
    assert.ok(parts.length <= 6_000, `${parts.length} parts`);
    assert.equal(parts.map((part) => part.text).join('').length, 64_000);
  });
});
