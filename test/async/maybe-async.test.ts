import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Deferred } from '../../src/async/deferred.js';
import { type MaybeAsync, mapAsync, settle } from '../../src/async/maybe-async.js';

describe('a value at once or later', () => {
  const forms: readonly (readonly [name: string, make: () => MaybeAsync<number>])[] = [
    ['immediate', () => 1],
    ['promised', () => Promise.resolve(1)],
    ['deferred', () => deferred(1)],
  ];

  for (const [name, make] of forms) {
    it(`is mapped and reaches its listener if it is ${name}`, async () => {
      const sum = mapAsync(make(), (value, more) => value + more, 2);
      assert.equal(await new Promise((resolve, reject) => settle(sum, resolve, reject)), 3);
    });
  }

  it('reaches its listener within the call unless it is promised', () => {
    const seen: number[] = [];
    for (const [, make] of forms) settle(make(), (value) => seen.push(value));
    assert.deepEqual(seen, [1, 1]);
  });

  for (const [name, make] of forms.slice(1)) {
    it(`reports the failure of a step and of a listener if it is ${name}`, async () => {
      const fail = () => {
        throw new RangeError('no');
      };
      const failures = await Promise.all([
        new Promise((resolve) => settle(mapAsync(make(), fail, undefined), resolve, resolve)),
        new Promise((resolve) => settle(make(), fail, resolve)),
      ]);
      assert.ok(failures.every((error) => error instanceof RangeError));
    });
  }
});

function deferred(value: number): Deferred<number> {
  const later = new Deferred<number>();
  later.resolve(value);
  return later;
}
