// Nobody reads the usage of others, and no request makes the node keep more than it means to.
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { RpcClient, RpcFailure } from '../../outside/rpc.js';
import { eventually } from '../../support/eventually.js';
import type { AttackedNode } from '../../support/nodes/attacked-node.js';
import { issueToken } from '../../support/tokens/issue-token.js';

interface Usage {
  readonly token: string;
  readonly days: readonly {
    readonly day: string;
    readonly methods: readonly { readonly method: string }[];
  }[];
}

export function tokenUsage(attacked: AttackedNode): void {
  const withToken = async <T>(
    token: string | undefined,
    work: (rpc: RpcClient) => Promise<T>,
  ): Promise<T> => {
    const rpc = new RpcClient(attacked.node.url, token);
    try {
      return await work(rpc);
    } finally {
      rpc.close();
    }
  };
  const refusalOf = (token: string | undefined, params: object): Promise<string | undefined> =>
    withToken(token, async (rpc) => {
      const failure = await rpc.call('token_usage', params).catch((error: unknown) => error);
      assert.ok(failure instanceof RpcFailure, JSON.stringify(failure));
      return failure.data.kind;
    });

  test('a caller cannot read the usage of another token', async () => {
    const alice = await issueToken(attacked.dataDir);
    const bob = await issueToken(attacked.dataDir);
    const forged = `${alice.token.split('.').slice(0, 2).join('.')}.${randomBytes(32).toString('base64url')}`;
    assert.equal(await refusalOf(bob.token, { token: alice.id }), 'forbidden');
    assert.equal(await refusalOf(undefined, { token: alice.id }), 'unauthorized');
    assert.equal(await refusalOf(undefined, {}), 'unauthorized');
    assert.equal(await refusalOf(forged, {}), 'unauthorized');
    for (const token of ['', '*', `${alice.id}\0`, '../', '__proto__', 'x'.repeat(100_000)]) {
      assert.equal(await refusalOf(bob.token, { token }), 'forbidden');
    }
  });

  test('a flood of unknown methods adds nothing to the usage', async () => {
    const { id, token } = await issueToken(attacked.dataDir);
    await withToken(token, async (rpc) => {
      const names = Array.from(
        { length: 2_000 },
        (_, at) => `method_${at}_${randomBytes(8).toString('hex')}`,
      );
      for (const odd of ['__proto__', 'constructor', 'NodeRpcV1.', 'x'.repeat(20_000)]) names.push(odd);
      await rpc.batch(names.map((method) => ({ method, params: {} })));
      await rpc.call('NodeRpcV1.status', {});
      const usage = async () => (await rpc.call('token_usage', {})) as Usage;
      await eventually('the calls are counted', async () => (await usage()).days.length > 0);
      const { token: whose, days } = await usage();
      assert.equal(whose, id);
      const methods = new Set(days.flatMap((day) => day.methods.map(({ method }) => method)));
      methods.delete('token_usage');
      assert.deepEqual([...methods], ['status']);
    });
  });

  test('days far ahead, far back or malformed cost no more than others', async () => {
    const { token } = await issueToken(attacked.dataDir);
    assert.equal(await refusalOf(token, { from_day: '1970-01-01', to_day: '9999-12-31' }), 'limit_exceeded');
    for (const day of ['+275760-09-13', '10000-01-01', '0000-00-00', '-1', '9'.repeat(200_000)]) {
      assert.equal(await refusalOf(token, { from_day: day }), 'invalid_params');
      assert.equal(await refusalOf(token, { to_day: day }), 'invalid_params');
    }
    const ahead = { from_day: '9998-12-01', to_day: '9999-12-31' };
    const { days } = (await withToken(token, (rpc) => rpc.call('token_usage', ahead))) as Usage;
    assert.deepEqual(days, []);
    for (const cursor of ['2026', '9999-99-99', '9999-12-31\0', 'z'.repeat(10)]) {
      assert.equal(await refusalOf(token, { ...ahead, cursor }), 'invalid_params');
    }
    await attacked.assertAnswers();
  });
}
