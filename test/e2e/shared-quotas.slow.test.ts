// Quotas that three nodes share in Redis: rates of addresses and tokens, prepaid balances, revocations, and what holds
// while Redis is away.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { heddle } from '../support/nodes/command-line.js';
import { removeDirectory, temporaryDirectory } from '../support/nodes/node-process.js';
import { RedisServer, WITHOUT_REDIS } from '../support/tokens/redis-server.js';
import { LIMITED, testAddresses } from '../support/tokens/shared-quotas/addresses.js';
import { testBalance } from '../support/tokens/shared-quotas/balance.js';
import { testSharedLimits } from '../support/tokens/shared-quotas/limits.js';
import { withFleet } from '../support/tokens/shared-quotas/world.js';

describe('three nodes with shared quotas', { skip: WITHOUT_REDIS }, () => {
  const world = withFleet(LIMITED, ['--quota-fallback', 'local']);
  // First, because it counts refusals from the nodes' start on.
  describe('a rate', () => testSharedLimits(world, 2_000));
  describe('an address that calls all of them', () => testAddresses(world, { loadMs: 5_000, awayMs: 3_000 }));
  describe('a prepaid token', () =>
    testBalance(world, {
      exactUnits: 901,
      killUnits: 4_001,
      signals: ['SIGKILL'],
      rounds: 1,
      killsNode: false,
    }));
});

describe('a quota store that refuses the node', { skip: WITHOUT_REDIS }, () => {
  test('ends the start and the commands with a message that names the option, not the password', async () => {
    const server = await RedisServer.start('right-horse');
    const dataDir = temporaryDirectory();
    try {
      const HEDDLE_QUOTA_STORE = `redis://:wrong-horse@127.0.0.1:${server.port}`;
      for (const command of [
        ['start', '--port', '0', '--log-level', 'fatal'],
        ['token', 'list'],
      ]) {
        const { code, out, err } = await heddle([...command, '--data-dir', dataDir], { HEDDLE_QUOTA_STORE });
        assert.equal(code, 1, err);
        assert.match(err, /--quota-store redis:\/\/127\.0\.0\.1:\d+\/0 refuses this node: WRONGPASS/);
        assert.doesNotMatch(out + err, /wrong-horse/);
      }
      const bad = await heddle(['start', '--quota-store', 'redis://:wrong-horse@127.0.0.1/none']);
      assert.equal(bad.code, 2);
      assert.match(bad.err, /quota-store: expected embedded, or a Redis server such as/);
      assert.doesNotMatch(bad.err, /wrong-horse/);
    } finally {
      await server.dispose();
      removeDirectory(dataDir);
    }
  });
});
