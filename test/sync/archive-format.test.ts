import assert from 'node:assert/strict';
import { test } from 'node:test';
import { decodeHead, encodeHead } from '../../src/sync/archive-format.js';
import { SnapshotError } from '../../src/sync/snapshot-error.js';
import { ModelState } from '../proofs/snapshot/snapshot-model.js';
import { fakeSnapshot } from './fake-snapshot.js';

const { head } = fakeSnapshot(new ModelState(), 5n);
const written = encodeHead(head);
const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`;
const long = JSON.stringify('x'.repeat(1_000_000));

/** The head with one member changed. */
function withMember(member: 'format' | 'light' | 'origin' | 'header' | 'path', json: string): string {
  const parsed = JSON.parse(written);
  const place = member === 'header' || member === 'path' ? parsed.origin : parsed;
  place[member] = '\u0000';
  return JSON.stringify(parsed).replace('"\\u0000"', () => json);
}

function refusal(text: string): string {
  try {
    decodeHead(text);
  } catch (error) {
    assert.ok(error instanceof SnapshotError, String(error).slice(0, 200));
    assert.equal(error.code, 'bad_archive');
    return error.message;
  }
  return assert.fail('it was taken');
}

test('the head of an archive round-trips', () => {
  assert.deepEqual(encodeHead(decodeHead(written)), written);
  const { head: later } = fakeSnapshot(new ModelState(), 5n, 3);
  assert.deepEqual(decodeHead(encodeHead(later)), later);
});

test('an invalid head is reported in one line, however long or deep it is', () => {
  for (const member of ['format', 'light', 'origin', 'header', 'path'] as const) {
    for (const json of [deep, long, `[${long}]`, `[${deep}]`, '7', 'null', '[7]', '["abc"]']) {
      const message = refusal(withMember(member, json));
      assert.ok(message.length < 300, `${member}: ${message.length} characters`);
    }
  }
  assert.match(refusal(withMember('path', '["abc"]')), /expected 64 hex digits, got "abc"$/);
  assert.match(refusal(withMember('format', '"other/1"')), /got "other\/1"$/);
  assert.match(refusal(deep), /snapshot\.json/);
});
