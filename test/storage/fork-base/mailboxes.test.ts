import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { Worker } from 'node:worker_threads';
import { createMailboxes, Mailboxes } from '../../../src/storage/fork-base/mailboxes.js';

const NAME = Uint8Array.of(1, 2, 3);

/** Asks from another thread, which posts the answer. */
function asking(memory: SharedArrayBuffer): Promise<unknown> {
  const module = new URL('../../../src/storage/fork-base/mailboxes.js', import.meta.url).href;
  const code = `
    import { parentPort, workerData } from 'node:worker_threads';
    import { Mailboxes } from ${JSON.stringify(module)};
    parentPort.postMessage(new Mailboxes(workerData).ask(Uint8Array.of(1, 2, 3), 'execute', 20_000));`;
  const worker = new Worker(new URL(`data:text/javascript,${encodeURIComponent(code)}`), {
    workerData: memory,
  });
  return new Promise((resolve, reject) => worker.once('message', resolve).once('error', reject));
}

describe('mailboxes', () => {
  for (const answer of [{ isHidden: true }, { isHidden: false }, { error: 'the node is away' }]) {
    test(`carry a question to another thread, and back: ${JSON.stringify(answer)}`, async () => {
      const memory = createMailboxes();
      const boxes = new Mailboxes(memory);
      const { count } = boxes;
      const answered = asking(memory);
      await boxes.asked(count);
      const [question, ...others] = boxes.take();
      assert.ok(question !== undefined);
      assert.deepEqual([question.name, question.purpose, others], [NAME, 'execute', []]);
      assert.deepEqual(boxes.take(), [], 'a question is taken once');
      boxes.answer(question, answer);
      assert.deepEqual(await answered, answer);
    });
  }

  test('of threads that gave up are free again after a while', () => {
    const boxes = new Mailboxes(createMailboxes());
    let given = 0;
    while (boxes.ask(NAME, 'show', 1) === undefined) {
      const taken = boxes.take();
      if (taken.length === 0) break;
      for (const question of taken) boxes.answer(question, { isHidden: false });
      given += taken.length;
    }
    assert.ok(given > 8, 'every box is in use');
    boxes.reclaim(0);
    boxes.reclaim(59_000);
    boxes.ask(NAME, 'show', 1);
    assert.equal(boxes.take().length, 0, 'too early');
    boxes.reclaim(60_000);
    boxes.ask(NAME, 'show', 1);
    assert.equal(boxes.take().length, 1);
  });
});
