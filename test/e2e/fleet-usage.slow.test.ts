// The usage of a token that two real nodes add up in Redis, and that one of them keeps while Redis is away.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { RpcClient } from '../outside/rpc.js';
import { eventually } from '../support/eventually.js';
import { callAccount, Fleet, PRICE } from '../support/tokens/fleet.js';
import { RedisServer, WITHOUT_REDIS } from '../support/tokens/redis-server.js';

test('the nodes of a fleet add up the usage of a token', { skip: WITHOUT_REDIS }, async () => {
  const server = await RedisServer.start();
  const fleet = new Fleet(server.url);
  try {
    const { dataDir, url } = await fleet.add('--quota-fallback', 'local');
    const other = await fleet.add('--quota-fallback', 'local');
    const { id, token } = await fleet.token(dataDir, 'issue', '--tier', 'paid');
    const clients = [url, other.url].map((each) => new RpcClient(each, token));
    const callAll = async (times: number) => {
      for (let call = 0; call < times; call++) {
        for (const rpc of clients) assert.equal(await callAccount(rpc), 200);
      }
    };
    const counted = async (calls: number): Promise<boolean> => {
      // A node that has not reconnected yet cannot tell.
      const rows = await fleet
        .command('token', 'usage', id, '--by', 'method', '--json', '--data-dir', dataDir)
        .catch(() => '');
      return rows === JSON.stringify([{ method: 'account', calls, units: PRICE * calls }]);
    };
    await callAll(5);
    await eventually('the calls to both nodes are counted', () => counted(10));

    await server.stop('SIGTERM');
    await callAll(3);
    await server.start();
    await eventually('the calls while Redis was away are counted', () => counted(16));
    for (const rpc of clients) rpc.close();
  } finally {
    await fleet.dispose();
    await server.dispose();
  }
});
