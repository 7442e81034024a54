import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { Deferred } from '../../../src/async/deferred.js';
import { nodeRpcV1Manifest } from '../../../src/generated/node-rpc-v1.js';
import { rpcMethods } from '../../../src/ledger/rpc-codecs.js';
import { RpcError } from '../../../src/rpc/errors.js';
import { EncodedResult, type HandlerContext, type MethodHandlers } from '../../../src/rpc/handlers.js';
import { JsonSource } from '../../../src/rpc/json/json-text.js';
import { IMMUTABLE_RESULTS } from '../../../src/rpc/results/immutable-results.js';
import { KeptResults } from '../../../src/rpc/results/kept-results.js';

const HASH = 'ab'.repeat(32);
const ADDRESS = `0x${'cd'.repeat(20)}`;
const CALL = { client: 'address 1' } as HandlerContext;

/** Handlers of one method that answer the given texts in turn; the last one again and again. */
class World {
  readonly isDevelopment = false;
  finalizedHeight = 10n;
  oldestState = 0n;
  runs = 0;
  readonly results = new KeptResults({ maxBytes: 1_048_576, maxAnswerBytes: 10_000, methods: rpcMethods });
  readonly #handler: (params: unknown, call: HandlerContext) => unknown;

  constructor(method: string, answer: (run: number) => unknown) {
    const handlers = { [method]: () => answer(this.runs++) } as unknown as MethodHandlers;
    const all = this.results.over(handlers) as unknown as Record<
      string,
      (params: unknown, call: HandlerContext) => unknown
    >;
    this.#handler = all[method] ?? assert.fail();
    this.results.serve(this);
  }

  /** The text of an answer to params as they come from the wire. */
  async ask(params: unknown, isText = true): Promise<string> {
    // JSON.stringify writes an infinite number as null; JSON.parse reads 1e400 as one.
    const text = isText ? JSON.stringify(params).replace('"infinite"', '1e400') : '';
    const given = isText ? new JsonSource(text, undefined, JSON.parse(text)) : params;
    const result = await this.#handler(given, CALL);
    if (result instanceof Error) throw result;
    return result instanceof EncodedResult ? result.json : assert.fail(`${result}`);
  }
}

const view = (run: number, height = 5) => new EncodedResult(`{"run":${run},"height":${height}}`);
const at = (value: number) => ({ contract: ADDRESS, at: { type: 'height', value } });

test('the rules cover exactly the methods that the interface marks', () => {
  const marked = nodeRpcV1Manifest.interfaces.flatMap(({ methods }) => methods.filter((m) => m.immutable));
  assert.deepEqual(marked.map(({ name }) => name).sort(), [...IMMUTABLE_RESULTS.keys()].sort());
  for (const { once, tier } of marked) assert.ok(once !== true && tier !== 'admin');
});

describe('a call at a fixed height', () => {
  test('runs twice, then its kept result is answered, in every spelling of its params', async () => {
    const world = new World('view_call', view);
    for (const run of [0, 1, 1, 1]) assert.equal(await world.ask(at(5)), view(run).json);
    for (const params of [
      { at: { value: '5', type: 'height' }, contract: ADDRESS.toUpperCase().replace('0X', '0x') },
      { ...at(5), input: null, overrides: null },
    ]) {
      assert.equal(await world.ask(params), view(1).json);
    }
    assert.equal(world.runs, 2);
    assert.deepEqual([world.results.cache?.hits, world.results.cache?.misses], [4, 2]);
  });

  test('is told apart from calls with other params', async () => {
    const world = new World('view_call', view);
    const long = (digit: string) => ({ ...at(5), input: `0x${digit.repeat(1_000)}` });
    const all = [at(5), at(6), { ...at(5), value: '1' }, { ...at(5), input: '0x' }, long('a'), long('b')];
    for (const params of [...all, ...all]) await world.ask(params);
    const answers = await Promise.all(all.map((params) => world.ask(params)));
    assert.equal(new Set(answers).size, all.length);
    assert.equal(world.runs, 2 * all.length);
  });

  test('runs each time until its block is final, also if it becomes final meanwhile', async () => {
    let finish: ((result: EncodedResult) => void) | undefined;
    const world = new World('view_call', (run) =>
      run === 2 ? new Promise((resolve) => (finish = resolve)) : view(run),
    );
    for (const run of [0, 1]) assert.equal(await world.ask(at(11)), view(run).json);
    const slow = world.ask(at(11));
    world.finalizedHeight = 11n;
    finish?.(view(2));
    assert.equal(await slow, view(2).json);
    assert.equal(await world.ask(at(11)), view(3).json, 'the result from before finality is not kept');
    assert.equal(await world.ask(at(11)), view(3).json);
  });

  test('fails like any other once its state is pruned', async () => {
    const pruned = new RpcError('state_unavailable', 'pruned', {});
    const world = new World('view_call', (run) => {
      if (world.oldestState > 5n) throw pruned;
      return view(run);
    });
    for (let i = 0; i < 3; i++) await world.ask(at(5));
    world.oldestState = 5n;
    assert.equal(await world.ask(at(5)), view(1).json);
    world.oldestState = 6n;
    await assert.rejects(world.ask(at(5)), pruned);
    assert.equal(world.results.cache?.entries, 0);
  });

  test('inside a block needs the state before the block', async () => {
    const world = new World('view_call', (run) => view(run, 5));
    const after = { contract: ADDRESS, at: { type: 'after_tx', value: HASH } };
    for (let i = 0; i < 3; i++) await world.ask(after);
    assert.equal(world.runs, 2);
    world.oldestState = 5n;
    await world.ask(after);
    assert.equal(world.runs, 3);
  });
});

describe('results that may change are not kept', () => {
  const kept = async (method: string, params: unknown, answer: (run: number) => unknown, isText = true) => {
    const world = new World(method, answer);
    for (let i = 0; i < 4; i++) await world.ask(params, isText);
    return world.runs === 2;
  };
  const json = (text: string) => () => new EncodedResult(text);

  test('calls that follow the tip', async () => {
    for (const ref of [undefined, null, { type: 'latest' }, { type: 'finalized' }])
      assert.equal(await kept('view_call', { contract: ADDRESS, at: ref }, view), false);
    assert.equal(
      await kept('view_call', { contract: ADDRESS, at: { type: 'hash', value: HASH } }, view),
      true,
    );
    const newer = (run: number) => view(run, 11);
    assert.equal(
      await kept('view_call', { contract: ADDRESS, at: { type: 'hash', value: HASH } }, newer),
      false,
    );
  });

  test('ranges that end beyond the final block, or nowhere', async () => {
    const range = (to: bigint) => ({ from_height: 1n, to_height: to });
    for (const method of ['get_blocks', 'get_block_summaries', 'get_txs_in_range', 'get_logs']) {
      const answer = async () => json('{}')();
      assert.equal(await kept(method, range(10n), answer, false), true, method);
      assert.equal(await kept(method, range(11n), answer, false), false, method);
    }
    assert.equal(await kept('get_logs', { from_height: 1n }, json('{}'), false), false);
    assert.equal(await kept('finalized_history_proof', { height: 1n }, json('{}'), false), false);
    assert.equal(await kept('finalized_history_proof', { height: 1n, at_size: 7n }, json('{}'), false), true);
  });

  test('transactions that are pending, unknown, rejected or not final', async () => {
    const hash = { tx_hash: new Uint8Array(32) };
    const included = (finalized: boolean, height: number) =>
      json(`{"status":{"type":"included","value":{"height":${height},"finalized":${finalized}}}}`);
    assert.equal(await kept('tx_by_hash', hash, included(true, 10), false), true);
    assert.equal(await kept('tx_by_hash', hash, included(false, 10), false), false);
    assert.equal(await kept('tx_by_hash', hash, included(true, 11), false), false);
    for (const status of ['{"type":"pending","value":{"ready":true}}', '{"type":"not_found","value":null}'])
      assert.equal(await kept('tx_by_hash', hash, json(`{"status":${status}}`), false), false);
    for (const method of ['tx_receipt', 'chain_traceTransaction']) {
      const params = method === 'tx_receipt' ? hash : { tx_hash: HASH };
      const isText = method !== 'tx_receipt';
      const receipt = (text: string) => kept(method, params, json(`{"receipt":${text}}`), isText);
      assert.equal(await receipt('{"height":10,"finalized":true}'), true);
      assert.equal(await receipt('{"height":10,"finalized":false}'), false);
      assert.equal(await receipt('{"height":9,"opens_at":10,"finalized":true}'), false, 'not opened yet');
      assert.equal(await receipt('{"height":10,"opens_at":9,"finalized":true}'), true);
    }
    assert.equal(await kept('tx_receipt', hash, json('{}'), false), false);
  });

  test('errors, whether thrown, rejected or settled', async () => {
    const error = new RpcError('not_found', 'not yet', {});
    for (const fail of [
      () => {
        throw error;
      },
      () => Promise.reject(error),
      () => {
        const later = new Deferred<EncodedResult | Error>();
        later.resolve(error);
        return later;
      },
    ]) {
      const world = new World('view_call', fail);
      for (let i = 0; i < 4; i++) await assert.rejects(world.ask(at(5)), error);
      assert.equal(world.runs, 4);
    }
  });

  test('long params and invalid ones, which the handler gets unchanged', async () => {
    assert.equal(await kept('view_call', { ...at(5), input: `0x${'00'.repeat(3_000)}` }, view), false);
    assert.equal(await kept('view_call', { ...at(5), inptu: '0x' }, view), false);
    assert.equal(await kept('view_call', { ...at(5), method: 'look', args: ['infinite'] }, view), false);
  });

  test('nothing at all before there is a chain, or with a size of 0', async () => {
    const none = new KeptResults({ maxBytes: 0, maxAnswerBytes: 1, methods: rpcMethods });
    const handlers = {} as MethodHandlers;
    assert.equal(none.over(handlers), handlers);
    assert.equal(none.asked('view_call', new JsonSource('', undefined, at(5))), undefined);
  });
});
