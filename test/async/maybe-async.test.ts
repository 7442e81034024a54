import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Deferred } from '../../src/async/deferred.js';
import { type MaybeAsync, mapAsync, settle } from '../../src/async/maybe-async.js';

describe('a value that may be asynchronous', () => {
  const forms: readonly (readonly [name: string, make: () => MaybeAsync<number>])[] = [
    ['immediate', () => 1],
    ['promised', () => Promise.resolve(1)],
    ['deferred', () => deferred(1)],
  ];

  for (const [name, make] of forms) {
    it(`can be mapped and settled when it is ${name}`, async () => {
      const sum = mapAsync(make(), (value, more) => value + more, 2);
      assert.equal(await new Promise((resolve, reject) => settle(sum, resolve, reject)), 3);
    });
  }

  it('settles before the call returns unless it is promised', () => {
    const seen: number[] = [];
    for (const [, make] of forms) settle(make(), (value) => seen.push(value));
    assert.deepEqual(seen, [1, 1]);
  });

  for (const [name, make] of forms.slice(1)) {
    it(`reports errors thrown by its mapping or its listener when it is ${name}`, async () => {
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
