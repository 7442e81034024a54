import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { FarmNode } from '../../src/farm/node/farm-node.js';
import { fileSource } from '../../src/farm/submit/call-source.js';
import { submitCalls } from '../../src/farm/submit/submit-run.js';
import { Farm, viewLine } from '../support/farm/farm.js';
import { FarmStub, stubHash, TIP, viewAnswer } from '../support/farm/farm-stub.js';
import { WITHOUT_REDIS } from '../support/tokens/redis-server.js';

describe('submission to a farm', { skip: WITHOUT_REDIS, timeout: 300_000 }, () => {
  let farm: Farm;
  let stub: FarmStub;
  before(async () => {
    farm = await Farm.start();
    stub = await FarmStub.start();
  });
  after(async () => {
    await farm?.dispose();
    await stub?.stop();
  });

  test('lists bad lines with their numbers, and submits nothing', async () => {
    const calls = farm.file('bad.ndjson', [
      viewLine('00'),
      'nonsense',
      '',
      '{"method":"tx_submit","params":{}}',
      viewLine('zz'),
      viewLine('00', { at: { type: 'latest', value: null } }),
      viewLine('00').replace('"input"', '"gas_limit":9007199254740993,"input"'),
    ]);
    const { code, err } = await farm.run('submit', calls, '--name', 'bad', '--url', stub.url);
    assert.equal(code, 1);
    assert.match(err, /bad\.ndjson: 5 bad lines; nothing is submitted/);
    assert.match(err, /line 2: expected JSON/);
    assert.match(err, /line 4: method: expected one of/);
    assert.match(err, /line 5: .*input/);
    assert.match(err, /line 6: params\.at: expected a height or a hash/);
    // JavaScript has rounded it already.
    assert.match(err, /line 7: params\.gas_limit: expected u64 .* as a string/);
    assert.equal(await farm.server.command('KEYS *'), '*0\r\n');
  });

  test('keeps bad lines as results if asked, and empty lines have none', async () => {
    const calls = farm.file('kept.ndjson', [viewLine('00'), 'nonsense', '', viewLine('01')]);
    await farm.ok('submit', calls, '--name', 'kept', '--url', stub.url, '--keep-bad-lines');
    const worker = await farm.localWorker('one', [stub.url]);
    const status = await farm.complete('kept');
    await worker.stop();
    assert.deepEqual([status.lines, status.calls, status.answered, status.failed], [4, 3, 2, 1]);
    assert.deepEqual(status.errors, { bad_line: 1 });
    const head = `"method":"view_call","height":${TIP},"block_hash":"${stubHash(TIP)}"`;
    const [first, second, third, ...rest] = await farm.results('kept');
    assert.equal(first, `{"line":1,${head},"result":${viewAnswer(1)}}`);
    assert.match(second ?? '', /^\{"line":2,"error":\{"kind":"bad_line","message":"expected JSON/);
    assert.equal(third, `{"line":4,${head},"result":${viewAnswer(1)}}`);
    assert.deepEqual(rest, []);
  });

  test('sends integers of any length exactly, and splits jobs by the block that calls name', async () => {
    const exact = '18446744073709551615';
    const texts: string[] = [];
    const hashes: unknown[] = [];
    stub.view = (params, text) => {
      texts.push(text);
      hashes.push((params['at'] as { readonly value?: unknown }).value);
      return viewAnswer(1);
    };
    const at = (height: number) => ({ at: { type: 'height', value: height } });
    const calls = farm.file('exact.ndjson', [
      viewLine('00').replace('"input"', `"gas_limit":"${exact}","input"`),
      viewLine('01', at(3)),
      viewLine('02', at(3)),
      viewLine('03', { at: { type: 'hash', value: stubHash(4) } }),
      viewLine('04'),
    ]);
    await farm.ok('submit', calls, '--name', 'exact', '--url', stub.url, '--at', '7');
    const worker = await farm.localWorker('one', [stub.url]);
    const { jobs } = await farm.complete('exact');
    await worker.stop();
    stub.view = () => viewAnswer(1);
    assert.equal(jobs, 4);
    assert.ok(texts.some((text) => text.includes(`"gas_limit":"${exact}"`)));
    assert.deepEqual(new Set(hashes), new Set([7, 3, 4].map(stubHash)));
    const blocks = (await farm.results('exact')).map((line) => {
      const { height, block_hash: hash } = JSON.parse(line) as { height: number; block_hash: string };
      assert.equal(hash, stubHash(height));
      return height;
    });
    assert.deepEqual(blocks, [7, 3, 3, 4, 7]);
  });

  test("lets a call's own overrides win over those of the run", async () => {
    const [one, other] = ['aa', 'bb'].map((digits) => `0x${digits.repeat(20)}`);
    const overrides = farm.file('overrides.json', [
      JSON.stringify([
        { address: one, balance: 1 },
        { address: other, balance: 2 },
      ]),
    ]);
    const seen = new Map<unknown, unknown>();
    stub.view = (params) => {
      seen.set(params['input'], params['overrides']);
      return viewAnswer(1);
    };
    const own = [{ address: other?.toUpperCase().replace('0X', '0x'), balance: 3 }];
    const calls = farm.file('overridden.ndjson', [
      viewLine('00'),
      viewLine('01', { overrides: own }),
      viewLine('02', { overrides: [] }),
    ]);
    const run = ['--name', 'overridden', '--url', stub.url, '--overrides', overrides];
    await farm.ok('submit', calls, ...run);
    const worker = await farm.localWorker('one', [stub.url]);
    await farm.complete('overridden');
    await worker.stop();
    stub.view = () => viewAnswer(1);
    const both = [
      { address: one, balance: 1 },
      { address: other, balance: 2 },
    ];
    assert.deepEqual(seen.get('0x00'), both);
    assert.deepEqual(seen.get('0x01'), [both[0], ...own]);
    assert.deepEqual(seen.get('0x02'), both);
  });

  describe('that is interrupted', () => {
    /** Each line is a job, because its block differs from that before. */
    const LINES = 300;
    let calls: string;
    before(() => {
      const at = (place: number) => ({ at: { type: 'height', value: 1 + (place % 2) } });
      const lines = Array.from({ length: LINES }, (_, place) =>
        viewLine(place.toString(16).padStart(4, '0'), at(place)),
      );
      calls = farm.file('interrupted.ndjson', lines);
    });

    /** Submits the calls until 64 jobs are there. */
    const interrupted = async (run: string, atInterruption: () => Promise<void>): Promise<unknown> =>
      farm.withStore(async (store) => {
        const ending = new AbortController();
        const node = new FarmNode({ url: stub.url, token: undefined, concurrency: 1 });
        let doing: Promise<void> | undefined;
        try {
          return await submitCalls({
            store,
            node,
            run,
            chainId: 77n,
            audit: undefined,
            overrides: undefined,
            source: fileSource(calls),
            at: { type: 'finalized' },
            keepsBadLines: false,
            signal: ending.signal,
            onProgress: (step) => {
              if (step === 'submitting')
                doing ??= atInterruption().then(() => ending.abort(new Error('stop')));
            },
          });
        } catch (error) {
          return error;
        } finally {
          await doing;
          node.close();
        }
      });

    const jobsOf = (run: string) =>
      farm.withStore(async ({ redis: { client } }) => {
        const key = `{heddle-farm}:run:${run}`;
        const waiting = await client.lrange(`{heddle-farm}:queue:${run}:wait`, 0, -1);
        const [jobs, input] = [
          await client.hgetall(`${key}:jobs`),
          await client.hgetallBuffer(`${key}:input`),
        ];
        const packed = Object.entries(input).map(([job, piece]) => [job, piece.toString('hex')] as const);
        return { waiting: waiting.sort(), jobs, input: new Map(packed) };
      });

    test('goes on with the same jobs', async () => {
      await farm.ok('submit', calls, '--name', 'whole', '--url', stub.url);
      const stopped = await interrupted('part', async () => undefined);
      assert.equal((stopped as Error).message, 'stop');
      const { phase, jobs, lines } = await farm.status('part');
      assert.deepEqual([phase, lines], ['submitting', jobs]);
      assert.ok(jobs >= 64 && jobs < LINES, `${jobs} jobs`);
      // As after a crash between adding jobs and counting them.
      await farm.server.command('HSET {heddle-farm}:run:part lines 10 jobs 10');
      const { code, err } = await farm.run(
        'submit',
        farm.file('other.ndjson', [viewLine('00')]),
        '--resume',
        'part',
        '--url',
        stub.url,
      );
      assert.equal(code, 1);
      assert.match(err, /does not hold the calls of the run part/);
      await farm.ok('submit', calls, '--resume', 'part', '--url', stub.url);
      assert.deepEqual(await jobsOf('part'), await jobsOf('whole'));
      const again = await farm.run('submit', calls, '--resume', 'part', '--url', stub.url);
      assert.equal(again.code, 1);
      assert.match(again.err, /the run part has been submitted completely/);
    });

    test('leaves a run that is canceled and retried incomplete', async () => {
      const stopped = await interrupted('canceled', async () => undefined);
      assert.equal((stopped as Error).message, 'stop');
      await farm.ok('cancel', 'canceled');
      const refused = await farm.run('submit', calls, '--resume', 'canceled', '--url', stub.url);
      assert.match(refused.err, /the run canceled is canceled; "heddle farm retry canceled" revives it/);
      const { err } = await farm.run('retry', 'canceled');
      assert.match(err, /the submission of canceled is incomplete/);
      assert.equal((await farm.status('canceled')).phase, 'submitting');
      await farm.ok('submit', calls, '--resume', 'canceled', '--url', stub.url);
      assert.deepEqual(await jobsOf('canceled'), await jobsOf('whole'));
    });

    test('does not revive a run that is canceled or removed meanwhile', async () => {
      const canceled = await interrupted('given-up', async () => void (await farm.ok('cancel', 'given-up')));
      assert.match((canceled as Error).message, /^stop$|the run given-up has been canceled or removed/);
      assert.equal((await farm.status('given-up')).phase, 'canceled');
      assert.deepEqual((await jobsOf('given-up')).waiting, []);

      const removed = await interrupted('removed', async () => void (await farm.ok('remove', 'removed')));
      assert.match((removed as Error).message, /^stop$|the run removed has been canceled or removed/);
      const keys = await farm.withStore(({ redis: { client } }) => client.keys('*removed*'));
      assert.deepEqual(keys, []);
    });
  });
});
