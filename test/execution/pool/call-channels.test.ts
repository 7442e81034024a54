import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { Cancellation } from '../../../src/execution/cancellation.js';
import { ExecutionError } from '../../../src/execution/execution-error.js';
import { CallChannels } from '../../../src/execution/pool/call-channels.js';
import type { ExecutionPool } from '../../../src/execution/pool/execution-pool.js';
import { NodeParts } from '../../support/nodes/node-parts.js';

const worker = new URL('../../support/threads/channel-worker.js', import.meta.url);

function start(workers: number): { readonly pool: ExecutionPool; readonly channels: CallChannels } {
  const parts = new NodeParts();
  after(() => parts.close());
  const pool = parts.execution({ setup: { native: 'off' }, workers, worker });
  return { pool, channels: new CallChannels(pool) };
}

const ask = (channels: CallChannels, text: string, cancellation?: Cancellation): Promise<string> =>
  channels.run('calls', Buffer.from(text), cancellation === undefined ? {} : { cancellation });

describe('channels to the workers', () => {
  it('deliver every answer to its caller, sequentially and concurrently', async () => {
    const { channels } = start(2);
    for (let round = 0; round < 300; round++) {
      const texts = [`1 first of ${round}`, `3 second of ${round}, ünïcöde €`];
      const answers = await Promise.all(texts.map((text) => ask(channels, text)));
      assert.deepEqual(answers, [texts[0], (texts[1] ?? '').repeat(3)]);
    }
  });

  it('deliver answers after pauses in which the worker slept or left', async () => {
    const { channels } = start(1);
    for (const pauseMs of [0, 1, 2, 3, 5, 20, 0, 2]) {
      await delay(pauseMs);
      assert.equal(await ask(channels, `1 after ${pauseMs}`), `1 after ${pauseMs}`);
    }
  });

  it('yield to other tasks and continue after them', async () => {
    const { pool, channels } = start(1);
    let answered = 0;
    let going = true;
    const stream = (async () => {
      while (going) {
        await ask(channels, '1 more');
        answered++;
      }
    })();
    for (let task = 0; task < 50; task++) await pool.run('verify_signatures', new Uint8Array(0));
    going = false;
    await stream;
    assert.ok(answered > 0);
  });

  it('carry answers and batches larger than the shared memory', async () => {
    const { channels } = start(1);
    assert.equal(await ask(channels, 'long'), 'long '.repeat(200_000));
    for (const text of ['200000 😀', '200001 é😀', '400000 x']) {
      assert.equal(await ask(channels, text), text.repeat(Number.parseInt(text, 10)));
    }
    const long = `1${'x'.repeat(400_000)}`;
    assert.equal(await ask(channels, long), `by task: ${long}`);
    assert.equal(await ask(channels, '2 short '), '2 short 2 short ');
  });

  it('deliver answers without a notification', async () => {
    const { channels } = start(1);
    assert.equal(await ask(channels, 'unnotified'), 'long '.repeat(200_000));
  });

  it('survive the loss of a worker', async () => {
    const { channels } = start(1);
    assert.equal(await ask(channels, '1 before'), '1 before');
    const died = (error: unknown): boolean => error instanceof ExecutionError && error.code === 'worker_died';
    await assert.rejects(ask(channels, 'die'), died);
    assert.equal(await ask(channels, '1 after'), '1 after');
  });

  it('terminate a cancelled batch with its worker', async () => {
    const { channels } = start(1);
    const cancellation = new Cancellation();
    const hanging = ask(channels, 'hang', cancellation);
    await delay(50);
    cancellation.cancel();
    const aborted = (error: unknown): boolean => error instanceof ExecutionError && error.code === 'aborted';
    await assert.rejects(hanging, aborted);
    assert.equal(await ask(channels, '1 after'), '1 after');
  });
});
