import assert from 'node:assert/strict';
import { after, afterEach, before, beforeEach, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { eventually } from '../support/eventually.js';
import { Farm, viewLine } from '../support/farm.js';
import { FarmStub, viewAnswer } from '../support/farm-stub.js';
import { WITHOUT_REDIS } from '../support/redis-server.js';

describe('a farm whose Redis fails', { skip: WITHOUT_REDIS, timeout: 300_000 }, () => {
  let farm: Farm;
  let stub: FarmStub;
  let runs = 0;
  before(async () => {
    stub = await FarmStub.start();
  });
  after(() => stub?.stop());
  beforeEach(async () => {
    farm = await Farm.start();
    stub.view = async () => {
      await sleep(2);
      return viewAnswer(1);
    };
  });
  afterEach(() => farm.dispose());

  const submitted = async (jobs: number): Promise<string> => {
    const run = `run-${runs++}`;
    const lines = Array.from({ length: jobs }, (_, place) =>
      viewLine(place.toString(16).padStart(4, '0'), { at: { type: 'height', value: 1 + (place % 2) } }),
    );
    await farm.ok('submit', farm.file(`${run}.ndjson`, lines), '--name', run, '--url', stub.url);
    return run;
  };
  const expectResults = async (run: string, jobs: number): Promise<void> => {
    const numbers = (await farm.results(run)).map((line) => {
      const { line: number, result } = JSON.parse(line) as { line: number; result?: object };
      assert.ok(result !== undefined, line);
      return number;
    });
    assert.deepEqual(
      numbers,
      Array.from({ length: jobs }, (_, place) => place + 1),
    );
  };

  test('goes on after its restart, even if that comes again and again', async () => {
    const run = await submitted(200);
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
    await expectResults(run, 200);
  });

  test('does not end a worker for connections that break now and then', async () => {
    const run = await submitted(1);
    const worker = await farm.localWorker('one', [stub.url], { patienceMs: 500 });
    await farm.complete(run);
    for (let round = 0; round < 3; round++) {
      await farm.server.command('CLIENT KILL TYPE normal');
      await sleep(700);
    }
    const next = await submitted(5);
    await farm.complete(next);
    await worker.stop();
    assert.equal(await worker.ended, undefined);
  });

  test('does not end a worker for a connection of the queue that breaks alone', async () => {
    const run = await submitted(1);
    const worker = await farm.localWorker('one', [stub.url], { patienceMs: 500 });
    await farm.complete(run);
    const waiting = await submitted(400);
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

  test('ends a worker that has waited long enough, and another goes on', async () => {
    const run = await submitted(150);
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
    await expectResults(run, 150);
  });

  test('ends a worker that was told to stop while Redis is away', async () => {
    const run = await submitted(150);
    const worker = farm.worker([stub.url], '--patience', '1');
    await farm.until(run, 'begun', ({ done }) => done > 5);
    await farm.server.stop('SIGKILL');
    worker.child.kill('SIGTERM');
    const { code, signal, stderr } = await worker.ended;
    assert.deepEqual([code, signal], [1, null], stderr);
    assert.match(stderr, /has not answered for 1 s/);
    await farm.server.start();
  });

  test('keeps jobs for later while it refuses writes, and asks it rarely meanwhile', async () => {
    const run = await submitted(200);
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
    await expectResults(run, 200);
  });

  test('is refused if it would delete calls and results', async () => {
    await farm.server.command('CONFIG SET maxmemory-policy allkeys-lru');
    assert.equal((await farm.run('status')).code, 0);
    await farm.server.command('CONFIG SET maxmemory 100mb');
    const { code, err } = await farm.run('status');
    assert.equal(code, 1);
    assert.match(err, /deletes keys .* set its maxmemory-policy to noeviction, not allkeys-lru/);
  });

  test('ends a worker and a submission that it has refused for too long', async () => {
    const run = await submitted(150);
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
    await expectResults(run, 150);
  });
});
