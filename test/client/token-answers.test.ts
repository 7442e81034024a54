import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { tokenDecimals, tokenSymbol } from '../../src/client/token-answers.js';

describe("a token's answers", () => {
  test('name a symbol only if it is a short word', () => {
    assert.equal(tokenSymbol('THR'), 'THR');
    for (const other of ['', 'two words', 'x'.repeat(33), 'a\u202eb', 'a\u0000', 7, null, ['THR']]) {
      assert.equal(tokenSymbol(other), undefined, JSON.stringify(other));
    }
  });

  test('count decimals only from 0 to 38', () => {
    assert.deepEqual([0, 18, 38].map(tokenDecimals), [0, 18, 38]);
    for (const other of [-1, 1.5, 39, '18', null, {}]) {
      assert.equal(tokenDecimals(other), undefined, JSON.stringify(other));
    }
  });
});
