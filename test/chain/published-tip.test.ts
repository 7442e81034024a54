import assert from 'node:assert/strict';
import { once } from 'node:events';
import { describe, it } from 'node:test';
import { Worker } from 'node:worker_threads';
import { createTipMemory, TipPublisher, TipReader } from '../../src/chain/published-tip.js';
import { publishedOf } from '../support/worlds/published-tips.js';

describe('the published tip', () => {
  it('is read as written, and stays one object until the next publication', () => {
    const memory = createTipMemory();
    const publisher = new TipPublisher(memory);
    publisher.publish(publishedOf(7));
    const reader = new TipReader(memory);
    assert.deepEqual(reader.published, publishedOf(7));
    assert.equal(reader.published, reader.published);
    publisher.publish(publishedOf(8));
    assert.deepEqual(reader.published, publishedOf(8));
  });

  it('is consistent, however fast it changes while it is read', async () => {
    const memory = createTipMemory();
    new TipPublisher(memory).publish(publishedOf(0));
    const rounds = 20_000;
    const worker = new Worker(new URL('../support/threads/tip-publishing-worker.js', import.meta.url), {
      workerData: { memory, rounds },
    });
    const ended = once(worker, 'exit');
    const reader = new TipReader(memory);
    let last = 0;
    while (last < rounds) {
      const published = reader.published;
      const height = Number(published.tip.header.height);
      assert.ok(height >= last, `${height} after ${last}`);
      assert.deepEqual(published, publishedOf(height));
      last = height;
    }
    await ended;
  });

  it('rejects a tip too long for the memory, and keeps the previous one', () => {
    const memory = createTipMemory();
    const publisher = new TipPublisher(memory);
    publisher.publish(publishedOf(1));
    const long = publishedOf(2);
    const validators = { ...long.tip.epochs.validators, group_public_key: new Uint8Array(200_000) };
    const tip = { ...long.tip, epochs: { ...long.tip.epochs, validators } };
    assert.throws(() => publisher.publish({ ...long, tip }), RangeError);
    assert.deepEqual(new TipReader(memory).published, publishedOf(1));
  });
});
