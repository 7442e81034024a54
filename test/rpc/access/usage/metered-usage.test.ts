// What the front end counts for a token, from its requests to the store.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { RpcError } from '../../../../src/rpc/errors.js';
import { FakeRpc } from '../../../support/http/fake-rpc.js';

describe('usage of tokens', () => {
  let rpc: FakeRpc;
  before(async () => {
    rpc = await FakeRpc.create({
      failures: {
        overloaded: new RpcError('overloaded', 'later', { retry_after_ms: 1 }),
        absent: new RpcError('not_found', 'none', {}),
      },
    });
  });
  after(() => rpc.dispose());

  const issue = async (units?: number) => {
    const claims = { subject: 'ann', tier: 'paid', expiresAtMs: Date.now() + 3_600_000, units } as const;
    const { id, token } = await rpc.tokens.issue(claims);
    return { id, headers: { authorization: `Bearer ${token}` } };
  };

  /** Calls and units by method. */
  const usageOf = async (id: string) => {
    await rpc.access.close();
    await rpc.tokens.usage.flush();
    const today = new Date().toISOString().slice(0, 10);
    const query = { from: '2020-01-01', to: today, token: id, limit: 10 };
    const days = await rpc.tokens.usage.usage(query);
    return Object.fromEntries(
      days.flatMap(({ methods }) => methods.map(({ method, calls, units }) => [method, [calls, units]])),
    );
  };

  test('single calls, batches and notifications count with their price and their work', async () => {
    const { id, headers } = await issue(1_000);
    await rpc.call('echo', { value: 'x'.repeat(10_000) }, headers);
    const call = (method: string, params: object) => ({ jsonrpc: '2.0', method, params });
    await rpc.post(
      JSON.stringify([
        ...[1, 2, 3].map((at) => ({ ...call('later', { value: at }), id: at })),
        call('echo', { value: 1 }),
      ]),
      headers,
    );
    await rpc.post(JSON.stringify(call('echo', { value: 2 })), headers);
    // The long call has 10,000 characters of parameters and as many of its result: 4 units of 4,096.
    const used = { echo: [3, 7], later: [3, 15] };
    assert.deepEqual(await usageOf(id), used);
    assert.equal((await rpc.tokens.manager.show(id)).left, 1_000 - 22, 'usage is what the balance paid');
  });

  test('a call that fails counts unless the node is at fault', async () => {
    const { id, headers } = await issue();
    await rpc.call('fail', { how: 'absent' }, headers);
    await rpc.call('fail', { how: 'overloaded' }, headers);
    await rpc.call('fail', { how: 'unknown fault' }, headers);
    assert.deepEqual(await usageOf(id), { fail: [1, 1] });
  });

  test('refused calls, unknown methods and wrong requests count nothing', async () => {
    const { id, headers } = await issue(3);
    await rpc.call('later', { value: 1 }, headers);
    await rpc.call('secret', {}, headers);
    for (const name of ['nothing', '__proto__', 'constructor', 'x'.repeat(5_000), '']) {
      await rpc.call(name, {}, headers);
    }
    await rpc.post('{', headers);
    assert.deepEqual(await usageOf(id), {});
  });

  test('callers without a token have no usage', async () => {
    const before = await rpc.tokens.usage.usage({ from: '2020-01-01', to: '9999-12-31', limit: 100 });
    await rpc.call('echo', { value: 1 });
    await rpc.access.close();
    await rpc.tokens.usage.flush();
    const now = await rpc.tokens.usage.usage({ from: '2020-01-01', to: '9999-12-31', limit: 100 });
    assert.deepEqual(now, before);
  });
});
