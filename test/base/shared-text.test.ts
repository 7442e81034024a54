import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { readSharedText, sharedTextBytes, shareText } from '../../src/base/shared-text.js';

/** Halves of surrogate pairs excluded: JSON text has none. */
const text = fc.string({ unit: 'grapheme' });

test('a text of any length arrives as it was sent', () => {
  fc.assert(
    fc.property(text, fc.nat(40_000), (part, length) => {
      const sent = part.repeat(Math.ceil(length / Math.max(1, part.length)));
      assert.equal(readSharedText(structuredClone(shareText(sent))), sent);
    }),
  );
});

test('a long text is shared instead of copied, and counts the bytes that it holds', () => {
  const sent = shareText('é'.repeat(20_000));
  assert.ok(typeof sent !== 'string');
  const { bytes } = structuredClone(sent);
  assert.ok(bytes.buffer instanceof SharedArrayBuffer);
  sent.bytes[0] = 1;
  assert.equal(bytes[0], 1);
  assert.equal(sharedTextBytes(sent), 40_000);
  assert.equal(sharedTextBytes(shareText('short')), 5);
});
