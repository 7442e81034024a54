import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { eventually } from '../support/eventually.js';
import { type Farm, viewLine } from '../support/farm/farm.js';
import type { FarmStub } from '../support/farm/farm-stub.js';
import { FarmWithRedis } from '../support/farm/farm-with-redis.js';
import { WITHOUT_REDIS } from '../support/tokens/redis-server.js';

describe('a farm whose Redis fails in other ways', { skip: WITHOUT_REDIS, timeout: 300_000 }, () => {
  let world: FarmWithRedis;
  let farm: Farm;
  let stub: FarmStub;
  beforeEach(async () => {
    world = await FarmWithRedis.start();
    ({ farm, stub } = world);
  });
  afterEach(() => world.stop());

  test('does not end a worker for connections that break now and then', async () => {
    const run = await world.submitted(1);
    const worker = await farm.localWorker('one', [stub.url], { patienceMs: 500 });
    await farm.complete(run);
    for (let round = 0; round < 3; round++) {
      await farm.server.command('CLIENT KILL TYPE normal');
      await sleep(700);
    }
    const next = await world.submitted(5);
    await farm.complete(next);
    await worker.stop();
    assert.equal(await worker.ended, undefined);
  });

  test('does not end a worker for a connection of the queue that breaks alone', async () => {
    const run = await world.submitted(1);
    const worker = await farm.localWorker('one', [stub.url], { patienceMs: 500 });
    await farm.complete(run);
    const waiting = await world.submitted(400);
    await farm.until(waiting, 'begun', ({ done }) => done > 0);
    const clients = (await farm.withStore(({ redis }) => redis.client.call('CLIENT', 'LIST'))) as string;
    for (const line of clients.split('\n').filter((one) => /name=\S*(:w|bclient|queue)/.test(one))) {
      await farm.server.command(`CLIENT KILL ID ${/\bid=(\d+)/.exec(line)?.[1]}`);
    }
    await sleep(700);
    await farm.server.command('CLIENT KILL TYPE normal');
    const { done } = await farm.status(waiting);
    await farm.until(waiting, 'going on', (status) => status.done > done);
    await farm.ok('remove', waiting);
    await worker.stop();
    assert.equal(await worker.ended, undefined);
  });

  test('ends a worker that was told to stop while Redis is down', async () => {
    const run = await world.submitted(150);
    const worker = farm.worker([stub.url], '--patience', '1');
    await farm.until(run, 'begun', ({ done }) => done > 5);
    await farm.server.stop('SIGKILL');
    worker.child.kill('SIGTERM');
    const { code, signal, stderr } = await worker.ended;
    assert.deepEqual([code, signal], [1, null], stderr);
    assert.match(stderr, /has not answered for 1 s/);
    await farm.server.start();
  });

  test('keeps jobs for later while Redis refuses writes, and seldom retries meanwhile', async () => {
    const run = await world.submitted(200);
    const worker = await farm.localWorker('one', [stub.url]);
    await farm.until(run, 'begun', ({ done }) => done > 5);
    await farm.server.command('CONFIG SET maxmemory 1');
    // The first one's jobs wait until their results are taken; this one asks for jobs.
    const late = await farm.localWorker('late', [stub.url]);
    for (const { log } of [worker, late]) {
      await eventually('the refusal', async () => log.some((line) => line.includes('OOM')));
    }
    const commands = async (): Promise<number> => {
      const text = await farm.withStore(({ redis }) => redis.client.info('stats'));
      return Number(/total_commands_processed:(\d+)/.exec(text)?.[1]);
    };
    const before = await commands();
    await sleep(2_000);
    const made = (await commands()) - before;
    assert.ok(made < 500, `${made} commands in two seconds`);
    await farm.server.command('CONFIG SET maxmemory 0');
    const { failed_jobs: failed } = await farm.complete(run);
    assert.equal(failed, 0);
    for (const { stop, ended } of [worker, late]) {
      await stop();
      assert.equal(await ended, undefined);
    }
    await world.expectResults(run, 200);
  });

  test('ends a worker and a submission that Redis has refused for too long', async () => {
    const run = await world.submitted(150);
    const worker = farm.worker([stub.url], '--patience', '1');
    await farm.until(run, 'begun', ({ done }) => done > 5);
    // As on a replica after a failover.
    await farm.server.command('REPLICAOF 127.0.0.1 1');
    const { code, stdout, stderr } = await worker.ended;
    assert.equal(code, 1);
    assert.match(stdout, /Redis refuses results: .*READONLY/);
    assert.match(stderr, /^heddle: .*READONLY/);
    await farm.server.command('REPLICAOF NO ONE');
    await farm.server.command('CONFIG SET maxmemory 1');
    const calls = farm.file('refused.ndjson', [viewLine('00')]);
    const refusals = await Promise.all([
      farm.run('submit', calls, '--name', 'refused', '--url', stub.url),
      farm.run('retry', run),
    ]);
    for (const { code: refused, err } of refusals) {
      assert.equal(refused, 1);
      assert.match(err, /OOM .*raise its maxmemory, or remove old runs with "heddle farm remove"/);
    }
    await farm.server.command('CONFIG SET maxmemory 0');
    await farm.ok('retry', run);
    const next = await farm.localWorker('two', [stub.url]);
    const { failed_jobs: failed } = await farm.complete(run);
    assert.equal(failed, 0);
    await next.stop();
    await world.expectResults(run, 150);
  });
});
