import assert from 'node:assert/strict';
import { once } from 'node:events';
import { join } from 'node:path';
import { after, afterEach, before, beforeEach, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { FarmNode } from '../../src/farm/node/farm-node.js';
import { RunConsumer } from '../../src/farm/worker/run-consumer.js';
import { eventually } from '../support/eventually.js';
import { Farm, type LocalWorker, linesOfFolder, viewLine } from '../support/farm/farm.js';
import { FarmStub, type StubParams, stubHash, TIP, viewAnswer } from '../support/farm/farm-stub.js';
import { WITHOUT_REDIS } from '../support/tokens/redis-server.js';

const inputOf = (params: StubParams): number => Number.parseInt(String(params['input']).slice(2), 16);

const lineOf = (place: number, height?: number): string =>
  viewLine(
    place.toString(16).padStart(4, '0'),
    height === undefined ? {} : { at: { type: 'height', value: height } },
  );

/** Lines of which each is a job, because its block differs from that before. */
const shortJobs = (count: number): string[] =>
  Array.from({ length: count }, (_, place) => lineOf(place, 1 + (place % 2)));

describe('workers of a farm', { skip: WITHOUT_REDIS, timeout: 300_000 }, () => {
  let farm: Farm;
  let stub: FarmStub;
  let workers: LocalWorker[];
  let runs = 0;
  before(async () => {
    farm = await Farm.start();
  });
  after(() => farm?.dispose());
  beforeEach(async () => {
    stub = await FarmStub.start();
    workers = [];
  });
  afterEach(async () => {
    await Promise.all(workers.map((worker) => worker.stop()));
    await stub.stop();
  });

  const submitted = async (lines: readonly string[], ...args: readonly string[]): Promise<string> => {
    const run = `run-${runs++}`;
    await farm.ok('submit', farm.file(`${run}.ndjson`, lines), '--name', run, '--url', stub.url, ...args);
    return run;
  };
  const begin = async (...args: Parameters<Farm['localWorker']>): Promise<LocalWorker> => {
    const worker = await farm.localWorker(...args);
    workers.push(worker);
    return worker;
  };

  test('report calls that fail, one by one', async () => {
    stub.view = (params) => {
      const place = inputOf(params);
      if (place % 5 === 1) return { kind: 'limit_exceeded', message: 'too much gas' };
      if (place % 5 === 2) return { kind: 'timeout', message: 'too slow' };
      if (place % 5 === 3) return '{"status":{"type":"out_of_gas","value":null},"gas_used":77}';
      return viewAnswer(10);
    };
    const run = await submitted(Array.from({ length: 50 }, (_, place) => lineOf(place)));
    await begin('one', [stub.url]);
    const status = await farm.complete(run);
    assert.deepEqual([status.calls, status.answered, status.failed, status.undetermined], [50, 30, 10, 10]);
    assert.deepEqual(status.errors, { limit_exceeded: 10, timeout: 10 });
    const lines = await farm.results(run);
    assert.equal(lines.length, 50);
    for (const [place, line] of lines.entries()) {
      const {
        line: number,
        error,
        result,
      } = JSON.parse(line) as {
        line: number;
        error?: { kind: string; message: string };
        result?: { status: { type: string } };
      };
      assert.equal(number, place + 1);
      assert.equal(error?.kind, [undefined, 'limit_exceeded', 'timeout', undefined, undefined][place % 5]);
      assert.equal(
        result?.status.type,
        ['success', undefined, undefined, 'out_of_gas', 'success'][place % 5],
      );
    }
    // Undetermined calls can be tried again, and only they.
    stub.view = () => viewAnswer(10);
    assert.match(await farm.ok('retry', run, '--undetermined'), /^\d+ jobs/);
    const again = await farm.until(
      run,
      'retried',
      ({ phase, undetermined }) => phase === 'complete' && undetermined === 0,
    );
    assert.deepEqual([again.calls, again.answered], [50, 50]);
    assert.deepEqual(again.errors, {});
  });

  test('give a reverted call the name of its error beside its result', async () => {
    const error = { name: 'InsufficientBalance', args: { available: '1' } };
    const reverted = { status: { type: 'reverted', value: { data: '0x', error } }, gas_used: 7 };
    stub.view = (params) => (inputOf(params) === 1 ? JSON.stringify(reverted) : viewAnswer(10));
    const run = await submitted([lineOf(0), lineOf(1)]);
    await begin('one', [stub.url]);
    await farm.complete(run);
    const names = (await farm.results(run)).map((line) => {
      const { error_name: name } = JSON.parse(line) as { error_name?: string };
      return name;
    });
    assert.deepEqual(names, [undefined, 'InsufficientBalance']);
  });

  test('ask an overloaded node for less, and for more later', async () => {
    let most = 4;
    let refused = 0;
    stub.view = async () => {
      if (stub.inFlight > most) {
        refused++;
        return { kind: 'overloaded', data: { retry_after_ms: 5 } };
      }
      await sleep(2);
      return viewAnswer(1);
    };
    const run = await submitted(Array.from({ length: 3_000 }, (_, place) => lineOf(place)));
    const { worker } = await begin('one', [stub.url], { concurrency: 32 });
    const [shift] = worker.shifts;
    const allowed = () => shift?.node.limit.allowed ?? 0;
    const start = allowed();
    await eventually('a lower limit', async () => worker.totals.overloads > 0 && allowed() < start);
    most = 1_000;
    const low = allowed();
    await farm.complete(run);
    assert.ok(allowed() > low, `${low} calls allowed, then ${allowed()}`);
    assert.ok(refused > 0);
    const { undetermined, answered } = await farm.status(run);
    assert.deepEqual([answered, undetermined], [3_000, 0]);
  });

  test('leave jobs to others while their node lacks the state, and say so', async () => {
    const behind = await FarmStub.start();
    behind.newest = 0;
    try {
      const run = await submitted(shortJobs(8));
      // Each of these takes and returns a job at once; that must not use up its attempts.
      for (const name of ['a', 'b', 'c', 'd', 'e', 'f', 'g']) await begin(name, [behind.url]);
      const waiting = await farm.until(
        run,
        'left',
        ({ workers: reports }) => reports.filter(({ nodes }) => nodes[0]?.problem !== '').length === 7,
      );
      assert.match(waiting.workers[0]?.nodes[0]?.problem ?? '', /stub not_found \(not_found\)/);
      assert.equal(waiting.failed_jobs, 0);
      assert.match(await farm.ok('status', run), /\n\s*a +http\S+ .*waiting: http\S+: stub not_found/);
      await begin('able', [stub.url]);
      const { shares, failed_jobs: failed } = await farm.complete(run);
      assert.equal(failed, 0);
      assert.equal(shares.find(({ worker }) => worker === 'able')?.jobs, 8);
      assert.equal(behind.calls, 0);
    } finally {
      await Promise.all(workers.map((worker) => worker.stop()));
      await behind.stop();
    }
  });

  test('wait for an unavailable node, and make no calls for a job that they gave back', async () => {
    const run = await submitted(Array.from({ length: 1_000 }, (_, place) => lineOf(place)));
    stub.interfere = (body) => (body.includes('view_call') ? 'reset' : undefined);
    const { worker } = await begin('one', [stub.url], { jobsAtOnce: 1 });
    const [shift] = worker.shifts;
    await eventually('a problem', async () => shift?.problem !== '');
    await eventually('no call in flight', async () => shift?.node.limit.inFlight === 0);
    stub.interfere = () => undefined;
    const { failed_jobs: failed, answered } = await farm.complete(run);
    assert.deepEqual([failed, answered], [0, 1_000]);
    // The calls of the sample, and each of the run; a few more that were sent before the job was given back.
    assert.ok(stub.calls <= 1_000 + 8 + 64, `${stub.calls} calls`);
  });

  test('that disagree are reported, and the first result counts', async () => {
    const liar = await FarmStub.start();
    try {
      liar.view = (params) => viewAnswer(inputOf(params) === 3 ? 666 : 1);
      const run = await submitted(shortJobs(4), '--audit', '1');
      await begin('honest', [stub.url], { jobsAtOnce: 1 });
      await begin('liar', [liar.url], { jobsAtOnce: 1 });
      // Checks by the worker that did the job find nothing, so the jobs run until the other one gets such a check.
      let status = await farm.complete(run);
      for (let again = 0; status.disagreements.length === 0; again++) {
        assert.ok(again < 100, 'no check found the liar');
        await farm.ok('remove', run);
        await farm.ok(
          'submit',
          farm.file(`${run}.ndjson`, shortJobs(4)),
          '--name',
          run,
          '--url',
          stub.url,
          '--audit',
          '1',
        );
        status = await farm.complete(run);
      }
      assert.deepEqual([status.calls, status.done], [4, 4]);
      const [disagreement] = status.disagreements;
      assert.equal(disagreement?.job, 3);
      const gas = disagreement.lines.map((line) => /"gas_used":(\d+)/.exec(line)?.[1]);
      assert.deepEqual(new Set(gas), new Set(['1', '666']));
      assert.match(await farm.ok('status', run), /1 DISAGREEMENTS: workers got different results/);
      const { code, err } = await farm.run(
        'results',
        run,
        '--out',
        join(farm.directory, `${run}-results`),
        '--compress',
        'none',
      );
      assert.equal(code, 1);
      assert.match(err, /workers disagree about 1 jobs/);
      await Promise.all(workers.map((worker) => worker.stop()));
    } finally {
      await liar.stop();
    }
  });

  test('compare a job that two of them did, and keep the result that came first', async () => {
    const liar = await FarmStub.start();
    try {
      const held = new AbortController();
      stub.view = () => viewAnswer(1);
      const run = await submitted([lineOf(0)]);
      stub.view = async () => {
        if (!held.signal.aborted) await once(held.signal, 'abort');
        return viewAnswer(1);
      };
      liar.view = () => viewAnswer(2);
      const first = await begin('slow', [stub.url], { jobsAtOnce: 1 });
      await eventually('a call', async () => stub.inFlight > 0);
      // As if the worker had been silent for longer than its lease.
      await farm.withStore(({ redis: { client } }) => client.del(`{heddle-farm}:queue:${run}:job-0:lock`));
      await begin('quick', [liar.url]);
      await farm.complete(run);
      held.abort();
      await eventually('the comparison', async () => first.worker.totals.disagreements === 1);
      const { disagreements, shares, failed_jobs: failed } = await farm.status(run);
      assert.equal(disagreements.length, 1);
      assert.deepEqual([failed, shares.map(({ worker }) => worker)], [0, ['quick']]);
      const head = `"method":"view_call","height":${TIP},"block_hash":"${stubHash(TIP)}"`;
      const folder = join(farm.directory, `${run}-results`);
      assert.equal((await farm.run('results', run, '--out', folder, '--compress', 'none')).code, 1);
      assert.deepEqual(linesOfFolder(folder), [`{"line":1,${head},"result":${viewAnswer(2)}}`]);
      await Promise.all(workers.map((worker) => worker.stop()));
    } finally {
      await liar.stop();
    }
  });

  test('abandon a canceled run, and continue it after a retry', async () => {
    stub.view = async () => {
      await sleep(5);
      return viewAnswer(1);
    };
    const run = await submitted(shortJobs(200));
    await begin('one', [stub.url]);
    await farm.until(run, 'begun', ({ done }) => done > 3);
    assert.match(await farm.ok('cancel', run), /\d+ of 200 jobs are done/);
    const { phase, waiting } = await farm.status(run);
    assert.deepEqual([phase, waiting], ['canceled', 0]);
    const folder = join(farm.directory, 'canceled');
    const refused = await farm.run('results', run, '--out', folder);
    assert.equal(refused.code, 1);
    assert.match(refused.err, /the run \S+ is canceled: \d+ of 200 jobs are done; "heddle farm retry/);
    await farm.ok('results', run, '--out', folder, '--compress', 'none', '--partial');
    const partial = linesOfFolder(folder);
    assert.equal(partial.length, 200);
    assert.ok(partial.some((line) => line.includes('no_result')));
    await farm.ok('retry', run);
    await farm.complete(run);
    const lines = await farm.results(run);
    assert.equal(lines.length, 200);
    assert.ok(lines.every((line) => line.includes('"result"')));
  });

  test('share their time between a large run and a small one', async () => {
    stub.view = async () => {
      await sleep(2);
      return viewAnswer(1);
    };
    const large = await submitted(shortJobs(500));
    await begin('one', [stub.url]);
    await farm.until(large, 'begun', ({ done }) => done > 0);
    const small = await submitted(shortJobs(20));
    await farm.complete(small);
    const { phase, done } = await farm.status(large);
    assert.equal(phase, 'running', `${done} jobs done`);
    await farm.ok('remove', large);
  });

  test('leave no key of a removed run, whether it is complete or in progress', async () => {
    stub.view = async () => {
      await sleep(3);
      return viewAnswer(1);
    };
    const [done, going] = [await submitted(shortJobs(5)), await submitted(shortJobs(500))];
    const worker = await begin('one', [stub.url]);
    await farm.complete(done);
    await farm.until(going, 'begun', (status) => status.done > 5);
    await farm.ok('remove', done);
    await farm.ok('remove', going);
    assert.equal((await farm.run('status', going)).code, 1);
    await eventually('no key', async () => {
      const keys = await farm.withStore(({ redis: { client } }) => client.keys(`*${going}*`));
      return keys.length === 0;
    });
    await worker.stop();
    const keys = await farm.withStore(({ redis: { client } }) => client.keys('*'));
    assert.deepEqual(
      keys.filter((key) => key.includes(done) || key.includes(going) || key.endsWith('m}:workers')),
      [],
    );
  });

  test('leave no key of a run that is removed while they look for dead workers', async () => {
    // Before calls are held, because the submission asks the node too.
    const run = await submitted([lineOf(0)]);
    const held = new AbortController();
    stub.view = async () => {
      if (!held.signal.aborted) await once(held.signal, 'abort');
      return viewAnswer(1);
    };
    const looking = farm.withStore(async (store) => {
      const { record } = await store.read(run);
      const { redis } = store;
      const node = new FarmNode({
        url: stub.url,
        token: undefined,
        concurrency: 1,
        onOverload: () => undefined,
      });
      const ignore = () => undefined;
      const consumer = new RunConsumer({
        redis,
        name: 'one',
        jobsAtOnce: 1,
        leaseMs: 50,
        log: { debug: ignore, info: ignore, warn: ignore, error: ignore },
        run,
        record,
        node,
        onJob: ignore,
        onAway: ignore,
        onQueueError: ignore,
        onFatal: ignore,
      });
      await eventually('a call', async () => stub.inFlight > 0);
      await store.remove(run);
      const keys = () => redis.client.keys(`*:${run}*`);
      await eventually('a look for dead workers', async () => (await keys()).length > 0);
      await consumer.abandon();
      node.close();
      assert.deepEqual(await keys(), []);
    });
    await looking.finally(() => held.abort());
  });
});
