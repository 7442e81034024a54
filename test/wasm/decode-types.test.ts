import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LIMITS } from '../../src/vm/wasm/engine-limits.js';
import { isCommonType } from '../../src/wasm/decode-types.js';
import { I32, I64 } from '../../src/wasm/opcodes.js';

/** All lists of `length` value types. */
function lists(length: number): number[][] {
  if (length === 0) return [[]];
  return lists(length - 1).flatMap((list) => [
    [...list, I32],
    [...list, I64],
  ]);
}

test('contracts can have 4,737 function types in all', () => {
  let count = 0;
  for (let parameters = 0; parameters <= LIMITS.parameters; parameters++) {
    for (const params of lists(parameters)) {
      for (let length = 0; length <= 7; length++) {
        if (!isCommonType({ params, results: Array.from({ length }, () => I32) })) break;
        count += 2 ** length;
      }
    }
  }
  assert.equal(count, 4_737);
});
