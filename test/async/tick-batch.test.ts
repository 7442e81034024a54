import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as nextTick } from 'node:timers/promises';
import { answerAll, chunks, TickBatch } from '../../src/async/tick-batch.js';

function doubling(): { readonly batch: TickBatch<number, number>; readonly sent: (readonly number[])[] } {
  const sent: (readonly number[])[] = [];
  const batch = new TickBatch<number, number>(() => {
    void answerAll(batch.take(), async (items) => {
      sent.push(items);
      return items.map((item) => 2 * item);
    });
  });
  return { batch, sent };
}

test('items of one tick are answered together, each with its own result', async () => {
  const { batch, sent } = doubling();
  const answers = [1, 2, 3].map((item) => batch.add(item));
  assert.equal(batch.size, 3);
  assert.deepEqual(await Promise.all(answers), [2, 4, 6]);
  assert.equal(batch.size, 0);
  assert.equal(await batch.add(4), 8);
  assert.deepEqual(sent, [[1, 2, 3], [4]]);
});

test('items left over keep their order until they are taken', async () => {
  let turns = 0;
  const batch = new TickBatch<string, string>(() => turns++);
  const answers = ['a', 'b', 'c'].map((item) => batch.add(item));
  await nextTick();
  for (const { item, resolve } of batch.take(2)) resolve(item.toUpperCase());
  answers.push(batch.add('d'));
  await nextTick();
  assert.equal(turns, 1, 'somebody is at it already');
  assert.deepEqual(
    batch.take().map(({ item, resolve }) => {
      resolve(item);
      return item;
    }),
    ['c', 'd'],
  );
  assert.deepEqual(await Promise.all(answers), ['A', 'B', 'c', 'd']);
  assert.deepEqual(batch.take(), []);
});

test('an error rejects every item of its batch and no other', async () => {
  const answer = async (items: readonly number[]) => {
    if (items.includes(1)) throw new Error('lost');
    return items.map(() => 'fine');
  };
  const batch = new TickBatch<number, string>(() => {
    for (const part of chunks(batch.take(), 2)) void answerAll(part, answer);
  });
  const settled = await Promise.allSettled([1, 2, 3].map((item) => batch.add(item)));
  assert.deepEqual(
    settled.map((one) => (one.status === 'fulfilled' ? one.value : String(one.reason))),
    ['Error: lost', 'Error: lost', 'fine'],
  );
});

test('an item without a result is rejected', async () => {
  const batch = new TickBatch<number, number>(
    () => void answerAll(batch.take(), async ([first = 0]) => [first]),
  );
  const settled = await Promise.allSettled([batch.add(1), batch.add(2)]);
  assert.deepEqual(
    settled.map(({ status }) => status),
    ['fulfilled', 'rejected'],
  );
});

test('the end of the tick can be scheduled differently', async () => {
  let turn: (() => void) | undefined;
  const batch = new TickBatch<number, number>(
    () => void answerAll(batch.take(), async (items) => items),
    (work) => {
      turn = work;
    },
  );
  const answer = batch.add(7);
  await nextTick();
  assert.equal(batch.size, 1);
  turn?.();
  assert.equal(await answer, 7);
});
