import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, test } from 'node:test';
import type { Farm } from '../support/farm/farm.js';
import type { FarmStub } from '../support/farm/farm-stub.js';
import { FarmWithRedis } from '../support/farm/farm-with-redis.js';
import { WITHOUT_REDIS } from '../support/tokens/redis-server.js';

describe('a farm whose Redis fails', { skip: WITHOUT_REDIS, timeout: 300_000 }, () => {
  let world: FarmWithRedis;
  let farm: Farm;
  let stub: FarmStub;
  beforeEach(async () => {
    world = await FarmWithRedis.start();
    ({ farm, stub } = world);
  });
  afterEach(() => world.stop());

  test('continues after a restart of Redis, however often it restarts', async () => {
    const run = await world.submitted(200);
    const worker = await farm.localWorker('one', [stub.url]);
    for (let restart = 1; restart <= 3; restart++) {
      await farm.until(run, 'going on', ({ done }) => done >= restart * 30);
      await farm.server.stop('SIGKILL');
      await farm.server.start();
    }
    const { calls, failed_jobs: failed } = await farm.complete(run);
    assert.deepEqual([calls, failed], [200, 0]);
    assert.ok(worker.log.some((line) => line.includes('"state":"back"')));
    await worker.stop();
    assert.equal(await worker.ended, undefined);
    await world.expectResults(run, 200);
  });

  test('ends a worker that has waited long enough, and another continues', async () => {
    const run = await world.submitted(150);
    const worker = farm.worker([stub.url], '--patience', '1', '--name', 'one');
    await farm.until(run, 'begun', ({ done }) => done > 5);
    await farm.server.stop('SIGKILL');
    const { code, signal, stdout, stderr } = await worker.ended;
    assert.deepEqual([code, signal], [1, null], stderr);
    assert.match(stdout, /Redis does not answer/);
    assert.match(stderr, /^heddle: redis:\/\/127\.0\.0\.1:\d+\/0 has not answered for 1 s: /);
    await farm.server.start();
    const next = await farm.localWorker('two', [stub.url]);
    const { failed_jobs: failed } = await farm.complete(run);
    assert.equal(failed, 0);
    await next.stop();
    await world.expectResults(run, 150);
  });

  test('is refused if Redis would evict calls and results', async () => {
    await farm.server.command('CONFIG SET maxmemory-policy allkeys-lru');
    assert.equal((await farm.run('status')).code, 0);
    await farm.server.command('CONFIG SET maxmemory 100mb');
    const { code, err } = await farm.run('status');
    assert.equal(code, 1);
    assert.match(err, /deletes keys .* set its maxmemory-policy to noeviction, not allkeys-lru/);
  });
});
