import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Deferred } from '../../src/async/deferred.js';

describe('a deferred value', () => {
  it('reaches its listener at once, whichever came first', () => {
    const seen: number[] = [];
    const first = new Deferred<number>();
    first.whenSettled((value) => seen.push(value));
    first.resolve(1);
    const second = new Deferred<number>();
    second.resolve(2);
    second.whenSettled((value) => seen.push(value));
    assert.deepEqual(seen, [1, 2]);
  });

  it('runs its steps in order, once', () => {
    const later = new Deferred<number>();
    let steps = 0;
    const mapped = later
      .map((value) => value + ++steps)
      .map((value) => `${value}`)
      .map((text) => text.repeat(2));
    later.resolve(4);
    const seen: string[] = [];
    mapped.whenSettled((value) => seen.push(value));
    assert.deepEqual([seen, steps], [['55'], 1]);
  });

  it('may be awaited', async () => {
    const later = new Deferred<number>();
    setImmediate(() => later.resolve(7));
    assert.equal(await later.map((value) => value * 2), 14);
  });

  it('rejects as a promise if a step throws', async () => {
    const later = new Deferred<number>();
    later.resolve(1);
    const failing = later.map(() => {
      throw new RangeError('no');
    });
    await assert.rejects(Promise.resolve(failing), RangeError);
  });
});
