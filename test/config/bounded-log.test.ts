import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { BoundedLog } from '../../src/config/bounded-log.js';

function setUp() {
  const records: { readonly fields: object; readonly message: string }[] = [];
  const clock = { ms: 5 };
  const log = new BoundedLog(
    { error: (fields, message) => records.push({ fields, message }) },
    () => clock.ms,
  );
  return { records, clock, log };
}

describe('a bounded log', () => {
  it('writes ten records a second, and counts the omitted ones', () => {
    const { records, clock, log } = setUp();
    const written = Array.from({ length: 25 }, (_, at) => log.error({ at }, `the ${at}th`));
    assert.deepEqual(
      written,
      Array.from({ length: 25 }, (_, at) => at < 10),
    );
    clock.ms += 1_000;
    assert.ok(log.error({ at: 25 }, 'later'));
    assert.ok(log.error({ at: 26 }, 'later still'));
    assert.equal(records.length, 12);
    assert.deepEqual(records[0], { fields: { at: 0 }, message: 'the 0th' });
    assert.deepEqual(records[10], { fields: { at: 25, not_logged: 15 }, message: 'later' });
    assert.deepEqual(records[11], { fields: { at: 26 }, message: 'later still' });
  });

  it('writes every infrequent record', () => {
    const { records, clock, log } = setUp();
    for (let at = 0; at < 100; at++) {
      clock.ms += 100;
      assert.ok(log.error({ at }, 'again'));
    }
    assert.equal(records.length, 100);
  });
});
