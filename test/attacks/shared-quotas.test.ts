// What strangers and careless issuers can do to a quota store that several nodes share.
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { after, before, describe, test } from 'node:test';
import { RpcClient } from '../outside/rpc.js';
import { eventually } from '../support/eventually.js';
import type { NodeProcess } from '../support/nodes/node-process.js';
import { perTier } from '../support/sweep.js';
import { callAccount, Fleet, PRICE } from '../support/tokens/fleet.js';
import { RedisServer, WITHOUT_REDIS } from '../support/tokens/redis-server.js';

const NEW_TOKENS = perTier(300, 2_000);
const PASSWORD = `p:${randomBytes(12).toString('hex')}@/%`;

describe('a shared quota store', { skip: WITHOUT_REDIS, timeout: 600_000 }, () => {
  let server: RedisServer;
  let fleet: Fleet;
  let node: NodeProcess;
  before(async () => {
    server = await RedisServer.start(PASSWORD);
    fleet = new Fleet(server.url);
    node = await fleet.add('--log-level', 'trace');
  });
  after(async () => {
    await fleet.dispose();
    await server.dispose();
  });

  const statusOf = async (token: string): Promise<number> => {
    const rpc = new RpcClient(node.url, token);
    try {
      return await callAccount(rpc);
    } finally {
      rpc.close();
    }
  };
  const claims = (jti: string, units: number) => ({
    sub: 'x',
    tier: 'paid',
    exp: Math.floor(Date.now() / 1_000) + 3_600,
    jti,
    units,
  });
  const records = async (): Promise<number> => Number((await server.command('ZCARD heddle:tokens')).slice(1));

  test('never hears of forged tokens', async () => {
    const before = await records();
    const commands = async (): Promise<string> =>
      /cmdstat_hgetall:calls=(\d+)/.exec(await server.command('INFO commandstats'))?.[1] ?? '0';
    const asked = await commands();
    for (let at = 0; at < 300; at++) {
      const [head, body] = fleet.sign(claims(`forged-${at}`, 1_000)).split('.');
      assert.equal(await statusOf(`${head}.${body}.${randomBytes(32).toString('base64url')}`), 401);
    }
    assert.equal(await records(), before);
    assert.equal(await commands(), asked);
  });

  test('keeps apart tokens whose ids look like keys or commands', async () => {
    const ids = [
      ...['tokens', 'revocations', '*', '?', 'a:b', 'heddle:token:tokens', '{x}', '__proto__', 'constructor'],
      ...[
        'x\r\nFLUSHALL\r\n',
        '$3\r\nfoo\r\n',
        '\0',
        "') redis.call('FLUSHALL') --",
        'ä€😀',
        ' ',
        'x'.repeat(128),
      ],
    ];
    for (const [at, id] of ids.entries()) {
      const token = fleet.sign(claims(id, PRICE * (at + 1)));
      let served = 0;
      while ((await statusOf(token)) === 200) served++;
      assert.equal(served, at + 1, JSON.stringify(id));
    }
    const listed = JSON.parse(await fleet.command('token', 'list', '--json', '--data-dir', node.dataDir)) as {
      readonly id: string;
      readonly left: number | null;
    }[];
    for (const id of ids) assert.equal(listed.find((each) => each.id === id)?.left, 0, JSON.stringify(id));
    assert.equal(await statusOf(fleet.sign(claims('x'.repeat(129), 10))), 401);
    await fleet.token(node.dataDir, 'revoke', '*');
    await eventually(
      'the one token is refused',
      async () => (await statusOf(fleet.sign(claims('*', 4)))) === 401,
    );
    assert.equal(await statusOf(fleet.sign(claims('tokens', 4))), 402, 'and no other');
  });

  test('serves honest callers while many new tokens come', async () => {
    const { token } = await fleet.token(node.dataDir, 'issue', '--tier', 'paid', '--units', '100000');
    const honest = new RpcClient(node.url, token);
    let isOver = false;
    let served = 0;
    const serving = (async () => {
      while (!isOver) {
        assert.equal(await callAccount(honest), 200);
        served++;
      }
    })();
    let at = 0;
    await Promise.all(
      Array.from({ length: 16 }, async () => {
        while (at < NEW_TOKENS) await statusOf(fleet.sign(claims(`new-${at++}`, 10)));
      }),
    );
    isOver = true;
    await serving;
    honest.close();
    assert.ok(served > 0);
  });

  test('never shows its password, even when it refuses the node later', async () => {
    const rpc = new RpcClient(node.url, fleet.sign(claims('waits', 100_000)));
    assert.equal(await callAccount(rpc), 200);
    await server.command('CONFIG SET requirepass another\r\nCLIENT KILL TYPE normal');
    await eventually('the node notices', async () => {
      const page = (await rpc.http({ path: '/metrics' })).body.toString();
      return page.includes('heddle_quota_store_up 0');
    });
    const { body } = await rpc.post('{"jsonrpc":"2.0","id":1,"method":"status"}');
    const page = (await rpc.http({ path: '/metrics' })).body.toString();
    rpc.close();
    assert.match(node.log, /is lost/);
    for (const text of [node.log, page, body.toString()]) {
      assert.ok(!text.includes(PASSWORD) && !text.includes(encodeURIComponent(PASSWORD)));
      assert.ok(!text.includes(PASSWORD.slice(2, 14)));
    }
  });
});
