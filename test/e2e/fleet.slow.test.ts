// Quotas that three nodes share in Redis, under longer loads, while Redis and nodes are killed again and again.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { REPORT_MS } from '../../src/rpc/access/address-reporter.js';
import { RpcClient } from '../outside/rpc.js';
import { callAccount, Fleet } from '../support/tokens/fleet.js';
import { RedisServer, WITHOUT_REDIS } from '../support/tokens/redis-server.js';
import { LIMITED, scripts, testAddresses } from '../support/tokens/shared-quotas/addresses.js';
import { testBalance } from '../support/tokens/shared-quotas/balance.js';
import { withFleet } from '../support/tokens/shared-quotas/world.js';

describe('an address that calls all nodes of a fleet', { skip: WITHOUT_REDIS }, () => {
  testAddresses(withFleet(LIMITED, []), { loadMs: 10_000, awayMs: 4_000 });
});

describe('a prepaid token on three nodes', { skip: WITHOUT_REDIS }, () => {
  testBalance(withFleet([], []), {
    exactUnits: 9_001,
    killUnits: 40_001,
    signals: ['SIGKILL', 'SIGTERM'],
    rounds: 3,
    killsNode: true,
  });
});

describe('an address on nodes without a rate', { skip: WITHOUT_REDIS }, () => {
  test('costs Redis nothing', async () => {
    const server = await RedisServer.start();
    const fleet = new Fleet(server.url);
    try {
      const rpc = new RpcClient((await fleet.add('--paid-access', 'open')).url);
      for (let call = 0; call < 200; call++) assert.equal(await callAccount(rpc), 200);
      await sleep(4 * REPORT_MS);
      rpc.close();
      assert.equal(await scripts(server), 0);
    } finally {
      await fleet.dispose();
      await server.dispose();
    }
  });
});
