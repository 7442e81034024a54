import assert from 'node:assert/strict';
import { test } from 'node:test';
import { answerBatch } from '../../src/rpc/batch.js';
import { ByteBudget } from '../../src/rpc/byte-budget.js';
import { RpcRequest } from '../../src/rpc/json-rpc.js';

function requests(count: number): RpcRequest[] {
  return Array.from({ length: count }, (_, id) => {
    const request = new RpcRequest();
    request.id = String(id);
    return request;
  });
}

test('a batch that is left off holds nothing, also of calls that end later', async () => {
  const budget = new ByteBudget(1_000_000, () => assert.fail('an error'));
  const ends: (() => void)[] = [];
  const answer = ({ id }: RpcRequest): string | Promise<string> =>
    id === '1' ? new Promise((resolve) => ends.push(() => resolve('y'.repeat(9_000)))) : 'x'.repeat(9_000);
  const limits = {
    maxAnswerBytes: 1_000_000,
    budget,
    client: { remoteAddress: '192.0.2.1', subject: undefined },
  };
  const batch = answerBatch(requests(5), answer, limits);
  for (let begun = 0; begun < 3; begun++) batch.next();
  assert.ok(budget.used >= 9_000);
  batch.return({ status: 200, headers: [], body: '' });
  assert.equal(budget.used, 0);
  for (const end of ends) end();
  await new Promise((resolve) => setImmediate(resolve));
  assert.equal(budget.used, 0);
});

test('a batch that is gone through gives back what it held with its answer', async () => {
  const budget = new ByteBudget(1_000_000, () => assert.fail('an error'));
  const answer = () => Promise.resolve('7');
  const limits = {
    maxAnswerBytes: 1_000_000,
    budget,
    client: { remoteAddress: '192.0.2.1', subject: undefined },
  };
  const batch = answerBatch(requests(3), answer, limits);
  for (;;) {
    const { done, value } = batch.next();
    if (done !== true) continue;
    const { body } = await value;
    assert.equal((JSON.parse(body.toString()) as readonly unknown[]).length, 3);
    break;
  }
  assert.equal(budget.used, 0);
});
