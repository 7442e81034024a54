// A stranger that asks whether a long result has changed gets 200 bytes, and costs no work that grows with the result.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { NODE_ITSELF } from '../../src/async/caller.js';
import { type Sliced, SlicedWork } from '../../src/async/sliced-work.js';
import { BoundedLog } from '../../src/config/bounded-log.js';
import { rpcMethods } from '../../src/ledger/rpc-codecs.js';
import type { Dispatcher } from '../../src/rpc/dispatcher.js';
import { GetCalls } from '../../src/rpc/get-calls.js';
import { EncodedResult, type InvocationContext, type MethodHandlers } from '../../src/rpc/handlers.js';
import type { HttpRequest, HttpResponse } from '../../src/rpc/http/http-server.js';
import { KeptResults } from '../../src/rpc/results/kept-results.js';

const MIB = 1_048_576;
const CONTEXT = { ...NODE_ITSELF, client: 'address 1' } as InvocationContext;
const HASH = 'ab'.repeat(32);

/** Counts the slices of all jobs. */
class CountedWork extends SlicedWork {
  slices = 0;

  override run<T>(job: Sliced<T>, caller: Parameters<SlicedWork['run']>[1]): Promise<T> {
    return super.run(this.#counted(job), caller);
  }

  *#counted<T>(job: Sliced<T>): Sliced<T> {
    for (;;) {
      this.slices++;
      const step = job.next();
      if (step.done === true) return step.value;
      yield step.value;
    }
  }
}

/** Calls by GET of one method with one result. */
class World {
  readonly work = new CountedWork();
  readonly finalizedHeight = 10n;
  readonly oldestState = 0n;
  isDevelopment = false;
  runs = 0;
  readonly #calls: GetCalls;

  constructor(method: 'get_blocks' | 'tx_by_hash', result: string) {
    const results = new KeptResults({
      maxBytes: 64 * MIB,
      maxAnswerBytes: 16 * MIB,
      methods: rpcMethods,
    });
    results.serve(this);
    const all = results.over({
      [method]: () => {
        this.runs++;
        return Promise.resolve(new EncodedResult(result));
      },
    } as unknown as MethodHandlers) as unknown as Readonly<
      Record<string, (params: unknown, call: InvocationContext) => EncodedResult | Promise<EncodedResult>>
    >;
    const dispatcher = {
      declaration: (name: string) => rpcMethods.get(name),
      call: async (name: string, params: unknown, context: InvocationContext) =>
        (await all[name]?.(params, context))?.json,
    } as unknown as Dispatcher;
    const log = new BoundedLog({ error: assert.fail } as never);
    this.#calls = new GetCalls({
      dispatcher,
      results,
      work: this.work,
      log,
      maxNesting: 64,
      rpcPath: '/v2/rpc',
    });
  }

  get(method: string, params: object, known = ''): Promise<HttpResponse> {
    const request = {
      query: `params=${encodeURIComponent(JSON.stringify(params))}`,
      header: (name: string) => (name === 'if-none-match' ? known : ''),
    } as HttpRequest;
    return this.#calls.answer(request, method, CONTEXT);
  }
}

const tagOf = ({ headers }: HttpResponse) => headers.find(([name]) => name === 'etag')?.[1] ?? assert.fail();
const lifetimeOf = ({ headers }: HttpResponse) => headers.find(([name]) => name === 'cache-control')?.[1];

test('a thousand requests for a kept result of 3.8 MB hash it once', async () => {
  const world = new World('get_blocks', JSON.stringify({ blocks: ['x'.repeat(3_800_000)] }));
  const range = { from_height: 1, to_height: 9 };
  const tag = tagOf(await world.get('get_blocks', range));
  const once = world.work.slices;
  assert.ok(once >= 29, `${once} slices`);
  // The second call is kept.
  await world.get('get_blocks', range);
  world.work.slices = 0;
  for (let round = 0; round < 10; round++) {
    const answers = Array.from({ length: 100 }, () => world.get('get_blocks', range, tag));
    for (const { status, body } of await Promise.all(answers)) assert.deepEqual([status, body], [304, '']);
  }
  assert.ok(world.work.slices <= once, `${world.work.slices} slices`);
  assert.equal(world.runs, 2);
  const other = await world.get('get_blocks', range, '"other"');
  assert.deepEqual([other.status, tagOf(other)], [200, tag]);
  assert.ok(world.work.slices <= once);
});

test('requests for a kept transaction of 500 KB do not parse it again', async (t) => {
  const status = { type: 'included', value: { height: 5, index: 0, finalized: true } };
  const world = new World('tx_by_hash', JSON.stringify({ status, transaction: 'x'.repeat(1_000_000) }));
  let tag = '';
  for (let i = 0; i < 3; i++) tag = tagOf(await world.get('tx_by_hash', { tx_hash: HASH }));
  world.work.slices = 0;
  const { mock } = t.mock.method(JSON, 'parse');
  for (let i = 0; i < 100; i++) {
    assert.equal((await world.get('tx_by_hash', { tx_hash: HASH }, tag)).status, 304);
  }
  const longest = Math.max(...mock.calls.map((call) => String(call.arguments[0]).length));
  assert.ok(longest < 1_000, `parsed ${longest} characters`);
  assert.equal(world.work.slices, 0);
});

test('a result that is not kept gets the same tag, hashed in slices', async () => {
  const long = JSON.stringify({ blocks: ['é𝄞'.repeat(2_000_000)] });
  const world = new World('get_blocks', long);
  const tags = new Set<string>();
  for (let i = 0; i < 4; i++) {
    world.work.slices = 0;
    tags.add(tagOf(await world.get('get_blocks', { from_height: 1, to_height: 9 })));
    assert.ok(world.work.slices >= long.length / (128 * 1024 + 1));
  }
  assert.deepEqual([tags.size, world.runs], [1, 4]);
});

test('caches revalidate results of a development chain each time, since another chain may replace it', async () => {
  const world = new World('get_blocks', '{"blocks":[]}');
  const range = { from_height: 1, to_height: 9 };
  assert.equal(lifetimeOf(await world.get('get_blocks', range)), 'public, max-age=31536000, immutable');
  world.isDevelopment = true;
  const answer = await world.get('get_blocks', range);
  assert.equal(lifetimeOf(answer), 'public, no-cache');
  assert.equal((await world.get('get_blocks', range, tagOf(answer))).status, 304);
});
