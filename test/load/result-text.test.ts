import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { ClientError } from '../../src/client/client-error.js';
import { decodeResultTexts } from '../../src/load/result-text.js';

const calls = (count: number) =>
  Array.from({ length: count }, (_, place) => ({ id: place + 1, method: 'm', params: '{}' }));

test('results are the node’s own text, matched by id, in whatever order they come', () => {
  fc.assert(
    fc.property(fc.array(fc.json(), { minLength: 1, maxLength: 6 }), fc.nat(), (results, turn) => {
      const answers = results.map(
        (result, place) => `{"jsonrpc":"2.0", "id" : ${place + 1},"result": ${result} }`,
      );
      const at = turn % answers.length;
      const text = ` [${[...answers.slice(at), ...answers.slice(0, at)].join(' , ')}] `;
      const outcomes = decodeResultTexts(calls(results.length), { text });
      for (const [place, outcome] of outcomes.entries()) {
        assert.ok(outcome.ok);
        assert.equal(outcome.result.text, results[place]);
        assert.deepEqual(outcome.result.value, JSON.parse(results[place] ?? ''));
      }
    }),
  );
});

test('integers keep all their digits, and multi-line texts become one line', () => {
  const text = '{"jsonrpc":"2.0","id":1,"result":{"value":123456789012345678901234567890}}';
  const [outcome] = decodeResultTexts(calls(1), { text });
  assert.ok(outcome?.ok);
  assert.equal(outcome.result.text, '{"value":123456789012345678901234567890}');
  const [lines] = decodeResultTexts(calls(1), { text: '{"jsonrpc":"2.0","id":1,"result":{\n"a":\r\n1}}' });
  assert.ok(lines?.ok);
  assert.equal(lines.result.text, '{"a":1}');
});

test('errors stay errors, and an invalid answer is refused', () => {
  const error = '{"code":-32005,"message":"too much","data":{"kind":"limit_exceeded"}}';
  const text = `[{"jsonrpc":"2.0","id":2,"error":${error}},{"jsonrpc":"2.0","id":1,"result":null}]`;
  const [first, second] = decodeResultTexts(calls(2), { text });
  assert.ok(first?.ok === true && first.result.text === 'null');
  assert.ok(second?.ok === false);
  assert.throws(() => decodeResultTexts(calls(1), { text: '<html>' }), ClientError);
});
