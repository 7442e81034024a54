// heddle doctor on the Redis server of --quota-store.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { assertFinding, doctor } from '../support/doctor.js';
import { removeDirectory, temporaryDirectory } from '../support/node-process.js';
import { RedisServer, WITHOUT_REDIS } from '../support/redis-server.js';

describe('the quota store', { skip: WITHOUT_REDIS, timeout: 600_000 }, () => {
  const dataDir = temporaryDirectory();
  let server: RedisServer;
  before(async () => {
    server = await RedisServer.start('right-horse');
  });
  after(async () => {
    await server.dispose();
    removeDirectory(dataDir);
  });
  const examine = (url: string) =>
    doctor(['--data-dir', dataDir, '--port', '0'], { env: { HEDDLE_QUOTA_STORE: url } });

  test('is embedded, or answers and keeps changes', async () => {
    assertFinding(await examine('embedded'), 'quota store', 'ok', /^embedded$/);
    assertFinding(await examine(server.url), 'quota store', 'ok', /answers and keeps changes/);
  });

  test('must let the node in', async () => {
    const examined = await examine(`redis://:wrong-horse@127.0.0.1:${server.port}`);
    assertFinding(examined, 'quota store', 'problem', /refuses this node: WRONGPASS/);
    assert.doesNotMatch(examined.text, /-horse/);
  });

  test('should sync each change, and be there', async () => {
    await server.command('CONFIG SET appendfsync everysec');
    assertFinding(await examine(server.url), 'quota store', 'warning', /appendfsync everysec: .* twice/);
    await server.stop('SIGTERM');
    assertFinding(
      await examine(server.url),
      'quota store',
      'warning',
      /does not answer: connect ECONNREFUSED/,
    );
  });
});
