// Hostile nodes, damaged data in Redis, and pages of other sites against the farm.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { request } from 'node:http';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { serveBoard } from '../../src/farm/board/board.js';
import { RunStore } from '../../src/farm/run/run-store.js';
import { eventually } from '../support/eventually.js';
import { Farm, type LocalWorker, viewLine } from '../support/farm/farm.js';
import { FarmStub, viewAnswer } from '../support/farm/farm-stub.js';
import { WITHOUT_REDIS } from '../support/tokens/redis-server.js';

const KEYS = '{heddle-farm}:run:';

describe('an attacked farm', { skip: WITHOUT_REDIS, timeout: 300_000 }, () => {
  let farm: Farm;
  let stub: FarmStub;
  let worker: LocalWorker;
  let runs = 0;
  before(async () => {
    farm = await Farm.start();
    stub = await FarmStub.start();
    worker = await farm.localWorker('one', [stub.url]);
  });
  after(async () => {
    await farm?.dispose();
    await stub?.stop();
  });

  const submitted = async (inputs: readonly string[]): Promise<string> => {
    const run = `run-${runs++}`;
    const lines = inputs.map((input, place) =>
      viewLine(input, { at: { type: 'height', value: 1 + (place % 2) } }),
    );
    await farm.ok('submit', farm.file(`${run}.ndjson`, lines), '--name', run, '--url', stub.url);
    return run;
  };
  /** Runs while the worker does nothing. */
  const withoutWorker = async <T>(use: () => Promise<T>): Promise<T> => {
    await worker.stop();
    try {
      return await use();
    } finally {
      worker = await farm.localWorker('one', [stub.url]);
    }
  };
  const expectWorks = async (): Promise<void> => {
    stub.view = () => viewAnswer(1);
    await farm.complete(await submitted(['00']));
  };

  test('shows texts of nodes without their control characters and tags', async () => {
    const codes = '\u001b[2J\u001b]0;owned\u0007';
    const tag = '</script><script>alert(1)</script>';
    stub.view = ({ input }) =>
      input === '0x00'
        ? { kind: `${codes}${tag}`, message: `${codes}${tag}\u202e` }
        : `{"status":{"type":${JSON.stringify(`${codes}${tag}`)},"value":null},"gas_used":"x"}`;
    const run = await submitted(['00', '01']);
    const { calls } = await farm.complete(run);
    assert.equal(calls, 2);
    const status = await farm.ok('status', run);
    assert.doesNotMatch(status, /[^\n\P{Cc}]|\u202e/u);
    assert.match(status, /owned/);
    const folder = join(farm.directory, run);
    await farm.ok('results', run, '--out', folder);
    const page = readFileSync(join(folder, 'summary.html'), 'utf8');
    assert.ok(!page.includes('<script>alert'));
    assert.match(page, /&#60;script&#62;alert/);
  });

  test('stores malformed answers, and an error message with a lone surrogate', async () => {
    const half = '\ud800';
    const answers: Readonly<Record<string, string>> = {
      '0x01': 'null',
      '0x02': '[]',
      '0x03': '{"status":7,"gas_used":-1}',
      '0x04': '{"status":{"type":"success"},"gas_used":99999999999999999999}',
      '0x05': `"${'x'.repeat(1_000_000)}"`,
    };
    stub.view = ({ input }) =>
      answers[String(input)] ?? { kind: 'limit_exceeded', message: `${'a'.repeat(299)}\u{1f600}${half}` };
    const run = await submitted(['00', '01', '02', '03', '04', '05', '06']);
    const { calls, failed, failed_jobs: given } = await farm.complete(run);
    assert.deepEqual([calls, failed, given], [7, 2, 0]);
    const lines = await farm.results(run);
    assert.equal(lines.length, 7);
    assert.ok(lines[4]?.endsWith(`"result":${answers['0x04']}}`));
  });

  test('waits for a node that answers garbage', async () => {
    stub.view = () => viewAnswer(1);
    const run = await submitted(['00', '01', '02']);
    const garbage = ['', 'null', '[', '{"jsonrpc":"2.0","id":0}', '[{"id":{}}]', '<html>', '\u0000'];
    let place = 0;
    stub.interfere = () => ({ status: 200, body: garbage[place++ % garbage.length] ?? '' });
    await eventually('a problem', async () => worker.worker.shifts[0]?.problem !== '');
    stub.interfere = () => undefined;
    const { failed_jobs: given, calls } = await farm.complete(run);
    assert.deepEqual([given, calls], [0, 3]);
  });

  test('gives up jobs with damaged data, states the reason, and runs the others', async () => {
    stub.view = () => viewAnswer(1);
    const run = await withoutWorker(async () => {
      const name = await submitted(['00', '01', '02', '03', '04', '05']);
      await farm.withStore(async ({ redis: { client } }) => {
        const bomb = gzipSync(Buffer.alloc(300 * 1024 * 1024));
        const lines = gzipSync(Buffer.alloc(200 * 1024 * 1024, '\n'));
        await client.hset(`${KEYS}${name}:input`, '0', bomb, '1', lines, '2', 'no gzip');
        await client.hdel(`${KEYS}${name}:input`, '3');
        await client.hset(`{heddle-farm}:queue:${name}:job-4`, 'data', '{"job":"four"}');
      });
      return name;
    });
    const { failed_job_reasons: reasons, done } = await farm.until(
      run,
      'stuck',
      ({ phase }) => phase === 'stuck',
    );
    assert.equal(done, 1);
    const texts = reasons.map(({ reason }) => reason);
    assert.equal(texts.length, 5);
    assert.equal(
      texts.filter((text) => /the calls of job [012] of \S+: cannot decompress/.test(text)).length,
      3,
    );
    assert.ok(texts.some((text) => text.includes('job 3 of') && text.includes('has no calls')));
    assert.ok(texts.some((text) => /a job of \S+: job: /.test(text)));
    assert.match(await farm.ok('status', run), /given up +5 jobs/);
    await expectWorks();
  });

  test('skips a run whose record is damaged, and still processes other runs', async () => {
    const run = await withoutWorker(async () => {
      const name = await submitted(['00']);
      await farm.withStore(({ redis: { client } }) =>
        client.hset(`${KEYS}${name}`, 'record', '{"version":2}'),
      );
      return name;
    });
    await expectWorks();
    assert.ok(worker.log.some((line) => line.startsWith(`skips a run: run ${run}: version`)));
    const { code, err } = await farm.run('status', run);
    assert.equal(code, 1);
    const listed = await farm.run('status');
    assert.equal(listed.code, 0);
    assert.match(listed.out, /\nrun-0 +complete/);
    assert.match(listed.err, /^heddle: run \S+: version/);
    assert.match(err, /^heddle: run \S+: version: .*; it was written by another version\n$/);
  });

  test('reports damaged results and writes none of them', async () => {
    const expectDamage = async (
      damage: (store: RunStore, run: string) => Promise<unknown>,
      message: RegExp,
    ) => {
      stub.view = () => viewAnswer(1);
      const run = await submitted(['00', '01']);
      await farm.complete(run);
      await farm.withStore((store) => damage(store, run));
      const { code, err } = await farm.run('results', run, '--out', join(farm.directory, run));
      assert.equal(code, 1, err);
      assert.match(err, message);
    };
    const bomb = gzipSync(Buffer.alloc(300 * 1024 * 1024));
    await expectDamage(
      ({ redis: { client } }, run) => client.hset(`${KEYS}${run}:result:0`, '0', bomb),
      /the results of job 0 of \S+: cannot decompress/,
    );
    await expectDamage(
      ({ redis: { client } }, run) => client.del(`${KEYS}${run}:result:1`),
      /piece 0 of job 1 of \S+ is missing/,
    );
    await expectDamage(
      ({ redis: { client } }, run) => client.hset(`${KEYS}${run}:done`, '0', '{"checksum":"no"}'),
      /job 0 of \S+: checksum: /,
    );
    await expectWorks();
  });

  test('serves its board to pages of this machine only, and lets nobody change anything', async () => {
    stub.view = () => viewAnswer(1);
    const run = await submitted(['00']);
    await farm.complete(run);
    const redis = await farm.connect();
    const board = await serveBoard({
      store: new RunStore(redis),
      host: '127.0.0.1',
      port: 0,
      allowsChanges: false,
    });
    try {
      const ask = (method: string, path: string, headers: Readonly<Record<string, string>>) =>
        new Promise<number>((resolve, reject) => {
          const asked = request(`${board.url}${path}`, { method, headers }, (answer) => {
            answer.resume();
            resolve(answer.statusCode ?? 0);
          });
          asked.on('error', reject);
          asked.end();
        });
      assert.equal(await ask('GET', '/', {}), 200);
      assert.equal(await ask('GET', '/metrics', {}), 200);
      assert.equal(await ask('GET', '/api/queues', { host: 'evil.example' }), 403);
      assert.equal(await ask('GET', '/api/queues', { host: `localhost.evil.example` }), 403);
      const clean = `/api/queues/${run}/clean/completed`;
      assert.equal(await ask('PUT', clean, { origin: 'http://evil.example' }), 403);
      assert.equal(await ask('PUT', clean, { origin: 'null' }), 403);
      assert.notEqual(await ask('PUT', clean, {}), 200);
      const kept = await redis.client.zcard(`{heddle-farm}:queue:${run}:completed`);
      assert.equal(kept, 1);
    } finally {
      await board.close();
      redis.close();
    }
  });
});
