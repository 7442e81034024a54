import assert from 'node:assert/strict';
import { EventEmitter, once } from 'node:events';
import { test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { NativeLoads } from '../../../src/execution/pool/native-loads.js';

const FOREVER_MS = 60_000;

test('closing waits for the running loads, even if they fail, and refuses further ones', async () => {
  const pool = new NativeLoads();
  const thread = new NativeLoads(pool.memory);
  const stages = new EventEmitter();
  const first = thread.run(() => once(stages, 'loaded'));
  const second = thread.run(() => once(stages, 'never'));

  let isClosed = false;
  const closed = pool.close(FOREVER_MS).finally(() => {
    isClosed = true;
  });
  const refused = thread.run(async () => 1);
  await assert.rejects(refused, /being stopped/);
  assert.throws(() => thread.runSync(() => 1), /being stopped/);
  stages.emit('loaded', 7);
  assert.deepEqual(await first, [7]);
  await delay(5);
  assert.ok(!isClosed);
  stages.emit('error', new Error('no binary'));
  await assert.rejects(second, /no binary/);
  await closed;
});

test('closing does not wait beyond its time limit, nor when nothing loads', async () => {
  const pool = new NativeLoads();
  const two = pool.runSync(() => 2);
  assert.equal(two, 2);
  await pool.close(FOREVER_MS);
  const stuck = new NativeLoads();
  void stuck.run(() => new Promise(() => undefined));
  await stuck.close(1);
});
