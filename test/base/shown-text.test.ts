import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { shownLine, shownText } from '../../src/base/shown-text.js';

test('characters that control a terminal become escapes', () => {
  // ESC and OSC 52, a C1 control, a bidirectional override, a tag, a line separator, a lone carriage return.
  const hostile = '\u001b]52;c;eA==\u0007 \u009b2J \u202eevil \u{e0041} \u2028 a\rb';
  const shown = '\\u001b]52;c;eA==\\u0007 \\u009b2J \\u202eevil \\udb40\\udc41 \\u2028 a\\u000db';
  assert.equal(shownText(hostile), shown);
  assert.equal(shownLine(hostile), shown);
});

test('a text keeps its line breaks and tabs, a single line shows them as escapes', () => {
  assert.equal(shownText('a\r\nb\n\tc'), 'a\r\nb\n\tc');
  assert.equal(shownLine('a\r\nb\n\tc'), 'a\\u000d\\u000ab\\u000a\\u0009c');
});

test('JSON keeps its value, and nothing that is shown controls the terminal', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (value) => {
      const json = JSON.stringify({ value }, null, 2);
      assert.deepEqual(JSON.parse(shownText(json)), { value });
      assert.doesNotMatch(shownLine(value), /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u);
    }),
  );
});
