// The usage of tokens on a real node: several front threads, WebSockets, a clean stop and the commands take part.
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { RpcClient } from '../outside/rpc.js';
import { eventually } from '../support/eventually.js';
import { SocketWire } from '../support/http/socket-wire.js';
import { heddle, heddleOk } from '../support/nodes/command-line.js';
import { NodeProcess, removeDirectory, temporaryDirectory } from '../support/nodes/node-process.js';
import { issueToken } from '../support/tokens/issue-token.js';

describe('token usage on three front threads', () => {
  const dataDir = temporaryDirectory();
  let node: NodeProcess;
  let url: string;
  const start = async () => {
    node = await NodeProcess.start({ dataDir, flags: ['--front-threads', '3'] });
    url = node.url;
  };
  before(start);
  after(async () => {
    await node.stop();
    removeDirectory(dataDir);
  });

  const usage = async (...args: readonly string[]): Promise<unknown> =>
    JSON.parse(await heddleOk(['token', 'usage', ...args, '--json']));

  test('is complete after a clean stop, and customers can read their own', async () => {
    const alice = await issueToken(dataDir, '--units', '100000', '--sub', 'alice');
    const bob = await issueToken(dataDir, '--sub', '=bob');
    const clients = Array.from({ length: 12 }, () => new RpcClient(url, alice.token));
    await Promise.all(clients.map((rpc) => rpc.call('status', {})));
    await Promise.all(
      clients.map((rpc) =>
        rpc.batch(['health', 'health', 'txpool_stats'].map((method) => ({ method, params: {} }))),
      ),
    );
    for (const rpc of clients) rpc.close();
    const headers = { authorization: `Bearer ${bob.token}` };
    const socket = await SocketWire.open(Number(new URL(url).port), { headers });
    assert.ok('result' in (await socket.call('subscribe', { topic: 'new_blocks' })));
    socket.close();
    await node.stop();

    const rows = await usage('--data-dir', dataDir);
    const day = new Date().toISOString().slice(0, 10);
    const row = (id: string, sub: string, method: string, calls: number, units: number) => ({
      day,
      token: id,
      sub,
      method,
      calls,
      units,
    });
    assert.deepEqual(
      new Set(rows as readonly object[]),
      new Set([
        row(alice.id, 'alice', 'status', 12, 12),
        row(alice.id, 'alice', 'health', 24, 24),
        row(alice.id, 'alice', 'txpool_stats', 12, 12),
        row(bob.id, '=bob', 'subscribe', 1, 10),
      ]),
    );
    assert.deepEqual(await usage('--by', 'subject', '--data-dir', dataDir), [
      { sub: 'alice', calls: 48, units: 48 },
      { sub: '=bob', calls: 1, units: 10 },
    ]);
    assert.equal(
      await heddleOk(['token', 'usage', bob.id, '--csv', '--data-dir', dataDir]),
      `day,token,subject,method,calls,units\n${day},${bob.id},"'=bob",subscribe,1,10`,
    );

    await start();
    const file = join(dataDir, 'bob.token');
    writeFileSync(file, bob.token);
    const own = await usage('--token-file', file, '--url', url, '--by', 'method');
    assert.deepEqual(own, [{ method: 'subscribe', calls: 1, units: 10 }]);
    const other = await heddle(['token', 'usage', alice.id, '--token-file', file, '--url', url]);
    assert.equal(other.code, 1);
    assert.match(other.err, /the usage of another token needs a token of tier admin/);
    // The refused call has been charged, too.
    const asked = { method: 'token_usage', calls: 2, units: 10 };
    await eventually('the node writes what it counted', async () => {
      const rows = (await usage(bob.id, '--by', 'method', '--data-dir', dataDir)) as readonly object[];
      return rows.some((each) => JSON.stringify(each) === JSON.stringify(asked));
    });
  });

  const mistakes: readonly (readonly [args: readonly string[], code: number, message: RegExp])[] = [
    [['--from', 'monday'], 2, /--from: expected a day such as 2026-01-31, got "monday"/],
    [['--from', '2026-02-01', '--to', '2026-01-01'], 2, /--from: expected a day up to the last one/],
    [['--by', 'hour'], 2, /day, token, subject, method/],
    [['--csv', '--json'], 2, /cannot be used with/],
    [['--url', 'http://127.0.0.1:1'], 2, /either a node, by --url and --token-file, or its data directory/],
  ];
  for (const [args, code, message] of mistakes) {
    test(`refuses "${args.join(' ')}" and says why`, async () => {
      const result = await heddle(['token', 'usage', ...args, '--data-dir', dataDir]);
      assert.equal(result.code, code, result.err);
      assert.match(result.err, message);
    });
  }
});
