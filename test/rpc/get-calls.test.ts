// Calls by GET, on a real node in this process.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { RPC_ERRORS, RpcError } from '../../src/rpc/errors.js';
import type { HttpAnswer } from '../outside/rpc.js';
import { BOB } from '../support/actions.js';
import { ContractNode } from '../support/nodes/contract-node.js';

/** On a development chain, caches ask each time. */
const CACHEABLE = 'public, no-cache';

describe('a call by GET', () => {
  let world: ContractNode;
  let paid: string;

  before(async () => {
    world = await ContractNode.start();
    [paid = ''] = await world.seal([world.pay(5)]);
  });
  after(() => world?.stop());

  const get = (
    method: string,
    params?: unknown,
    headers: Readonly<Record<string, string>> = {},
    verb = 'GET',
  ): Promise<HttpAnswer> => {
    const query = params === undefined ? '' : `?params=${encodeURIComponent(JSON.stringify(params))}`;
    return world.rpc.http({ method: verb, path: `/v2/rpc/call/${method}${query}`, headers });
  };
  const kindOf = ({ body }: HttpAnswer) =>
    (JSON.parse(body.toString()) as { readonly data: { readonly kind: string } }).data.kind;

  test('answers the bare result of the same call by POST, for caches where it never changes', async () => {
    const view = { contract: world.token, method: 'balance_of', args: { owner: BOB } };
    const cases: readonly (readonly [method: string, params: object, isImmutable: boolean])[] = [
      ['get_blocks', { from_height: 1, to_height: 2 }, true],
      ['get_blocks', { from_height: 1, to_height: 3 }, false],
      ['NodeRpcV1.get_block_summaries', { from_height: '1', to_height: '2' }, true],
      ['get_txs_in_range', { from_height: 1, to_height: 2 }, true],
      ['get_logs', { to_height: 2 }, true],
      ['get_logs', {}, false],
      ['tx_by_hash', { tx_hash: paid }, true],
      ['tx_by_hash', { tx_hash: '00'.repeat(32) }, false],
      ['tx_receipt', { tx_hash: paid, with_proof: true }, true],
      ['view_call', { ...view, at: { type: 'height', value: 1 } }, true],
      ['view_call', { ...view, at: { type: 'after_tx', value: paid } }, true],
      ['view_call', view, false],
      ['chain_traceCall', { ...view, at: { type: 'height', value: 2 } }, true],
      ['chain_traceTransaction', { tx_hash: paid }, true],
      ['finalized_history_proof', { height: 0, at_size: 1 }, true],
    ];
    for (const [method, params, isImmutable] of cases) {
      const said = `${method} ${JSON.stringify(params)}`;
      const expected = await world.rpc.call(method, params);
      // The third is a kept result.
      for (let i = 0; i < 3; i++) {
        const answer = await get(method, params);
        assert.equal(answer.status, 200, said);
        assert.equal(answer.headers['content-type'], 'application/json');
        assert.deepEqual(JSON.parse(answer.body.toString()), expected, said);
        assert.equal(answer.headers['cache-control'], isImmutable ? CACHEABLE : 'no-store', said);
        assert.equal(answer.headers.etag !== undefined, isImmutable, said);
      }
    }
    const metrics = (await world.rpc.http({ path: '/metrics' })).body.toString();
    assert.match(metrics, /^heddle_rpc_kept_results_total\{how="hit"\} [1-9]/m);
    assert.match(metrics, /^heddle_rpc_kept_result_bytes [1-9]/m);
  });

  test('is revalidated by its ETag, and private with an Authorization header', async () => {
    const params = { from_height: 1, to_height: 1 };
    const { headers, body } = await get('get_blocks', params);
    const known = await get('get_blocks', params, { 'if-none-match': headers.etag ?? '' });
    assert.deepEqual([known.status, known.body.length, known.headers.etag], [304, 0, headers.etag]);
    const other = await get('get_blocks', params, { 'if-none-match': '"other"' });
    assert.deepEqual([other.status, other.body], [200, body]);
    const refused = await get('get_blocks', params, { authorization: 'Bearer x.y.z' });
    assert.deepEqual([refused.status, kindOf(refused)], [401, 'unauthorized']);
    assert.ok(refused.headers['www-authenticate'] !== undefined);
    assert.equal(refused.headers['cache-control'], 'no-store');
  });

  test('by HEAD has the headers alone', async () => {
    const params = { from_height: 1, to_height: 1 };
    const { headers } = await get('get_blocks', params);
    const head = await get('get_blocks', params, {}, 'HEAD');
    assert.deepEqual([head.status, head.body.length, head.headers.etag], [200, 0, headers.etag]);
    assert.equal(head.headers['content-length'], headers['content-length']);
  });

  test('that fails is answered with the error object and a status of its own', async () => {
    for (const [method, params, status, kind] of [
      ['get_blocks', {}, 400, 'invalid_params'],
      ['get_blocks', [1, 2], 400, 'invalid_params'],
      ['get_blocks', 'text', 400, 'invalid_params'],
      ['get_blocks', { from_height: 2, to_height: 1 }, 400, 'invalid_params'],
      ['get_block', { from_height: 2 }, 404, 'method_not_found'],
      ['', {}, 404, 'method_not_found'],
      ['chain_traceTransaction', { tx_hash: '00'.repeat(32) }, 404, 'not_found'],
      [
        'view_call',
        { contract: world.token, input: '0x', at: { type: 'height', value: 99 } },
        404,
        'state_unavailable',
      ],
    ] as const) {
      const answer = await get(method, params);
      assert.deepEqual(
        [answer.status, kindOf(answer)],
        [status, kind],
        `${method} ${JSON.stringify(params)}`,
      );
      assert.equal(answer.headers['cache-control'], 'no-store');
    }
    for (const kind of Object.keys(RPC_ERRORS) as (keyof typeof RPC_ERRORS)[]) {
      assert.ok(new RpcError(kind, 'message', {} as never).getStatus >= 400, kind);
    }
  });

  test('takes one query parameter that is JSON', async () => {
    const path = '/v2/rpc/call/get_blocks';
    for (const query of [
      '?params={}&params={}',
      '?more=1',
      '?params={',
      '?params=',
      '?params=%ff',
      '?params=null',
    ]) {
      const answer = await world.rpc.http({ path: `${path}${query}` });
      assert.deepEqual([answer.status, kindOf(answer)], [400, 'invalid_params'], query);
    }
    const nested = `${'['.repeat(200)}${']'.repeat(200)}`;
    const deep = await world.rpc.http({ path: `${path}?params=${encodeURIComponent(`{"a":${nested}}`)}` });
    assert.equal(deep.status, 400);
  });

  test('is refused for every method that is not marked, so that nothing is submitted by GET', async () => {
    const { methods } = (await world.rpc.call('rpc.discover')) as {
      readonly methods: readonly { readonly name: string; readonly 'x-immutable'?: boolean }[];
    };
    const { size } = await world.client.txpool_stats();
    const encoded = `0x${Buffer.from(await world.signed(world.pay(1))).toString('hex')}`;
    const unmarked = methods.filter((method) => method['x-immutable'] !== true).map(({ name }) => name);
    assert.equal(unmarked.length, 40);
    for (const name of [...unmarked, 'NodeRpcV1.tx_submit', 'rpc.discover']) {
      for (const verb of ['GET', 'HEAD', 'POST', 'PUT', 'DELETE']) {
        const answer = await get(name, { encoded }, {}, verb);
        assert.deepEqual([answer.status, answer.headers.allow], [405, 'OPTIONS'], `${verb} ${name}`);
      }
    }
    assert.equal((await world.client.txpool_stats()).size, size);
    const post = await get('get_blocks', {}, {}, 'POST');
    assert.deepEqual([post.status, post.headers.allow], [405, 'GET, HEAD, OPTIONS']);
    const options = await get('get_blocks', {}, {}, 'OPTIONS');
    assert.deepEqual([options.status, options.headers.allow], [204, 'GET, HEAD, OPTIONS']);
  });
});
