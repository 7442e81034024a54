// DNS rebinding: a page whose domain resolves to this node is refused, because the Host header carries that domain.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { AttackedNode } from '../support/attacked-node.js';
import { NATIVE_MODES } from '../support/native-modes.js';
import { rawExchange } from '../support/raw-http.js';

const BODY = '{"jsonrpc":"2.0","id":1,"method":"health"}';
const LOOPBACK = [
  'localhost',
  'LOCALHOST:9545',
  'localhost.',
  'node.localhost:1',
  '127.0.0.1',
  '127.1.2.3:80',
  '[::1]',
  '[::1]:9545',
  '[0:0:0:0:0:0:0:1]',
  '[::ffff:127.0.0.1]:9545',
];
const STRANGE = [
  'evil.example',
  'evil.example:9545',
  'localhost.evil.example',
  '127.0.0.1.evil.example',
  'evillocalhost',
  '0.0.0.0:9545',
  '10.0.0.1',
  '[::2]:9545',
  '[::]',
  'localhost:9545:1',
  'localhost:port',
  'a b',
  'evil.example@localhost',
  'x'.repeat(2_000),
];

async function statusOf(attacked: AttackedNode, host: string, path = 'POST /v2/rpc'): Promise<number> {
  const body = path.startsWith('POST') ? BODY : '';
  const head = `${path} HTTP/1.1\r\nHost: ${host}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\nConnection: close\r\n\r\n`;
  const { statuses, text } = await rawExchange(attacked.node.url, head + body, 5_000);
  assert.equal(statuses.length, 1, text);
  if (statuses[0] === 403 && !path.startsWith('HEAD'))
    assert.match(text, /"code":-32002,.*--allowed-hosts.*"kind":"forbidden"/);
  return statuses[0] ?? 0;
}

for (const native of NATIVE_MODES) {
  describe(`strange hosts, native ${native}`, () => {
    test('are refused on every path, loopback names are not', async (t) => {
      const attacked = await AttackedNode.start(['--native', native]);
      t.after(() => attacked.dispose());
      for (const host of LOOPBACK) assert.equal(await statusOf(attacked, host), 200, host);
      for (const host of STRANGE) {
        const status = await statusOf(attacked, host);
        assert.ok(status === 403 || status === 400, `${host}: ${status}`);
      }
      for (const path of ['/', '/health', '/ready', '/metrics', '/v2/rpc/idl', '/v2/rpc/manifest', '/no']) {
        for (const verb of ['GET', 'HEAD', 'OPTIONS', 'DELETE']) {
          assert.equal(await statusOf(attacked, 'evil.example', `${verb} ${path}`), 403, `${verb} ${path}`);
        }
      }
      await attacked.assertSound();
    });

    test('are the hosts that --allowed-hosts does not list', async (t) => {
      const hosts = 'Node.Example,*.under.example,other.example:8080,10.0.0.1,[2001:db8::1]';
      const attacked = await AttackedNode.start(['--native', native, '--allowed-hosts', hosts]);
      t.after(() => attacked.dispose());
      const allowed = [
        'node.example',
        'NODE.EXAMPLE:1234',
        'a.under.example',
        'a.b.under.example:1',
        'other.example:8080',
        '10.0.0.1:9545',
        '[2001:DB8:0::1]:9545',
        'localhost',
      ];
      for (const host of allowed) assert.equal(await statusOf(attacked, host), 200, host);
      const refused = [
        'under.example',
        'xunder.example',
        'x.node.example',
        'other.example',
        '10.0.0.2',
        '[2001:db8::2]',
      ];
      for (const host of refused) assert.equal(await statusOf(attacked, host), 403, host);
    });

    test('do not exist when * is allowed', async (t) => {
      const attacked = await AttackedNode.start(['--native', native, '--allowed-hosts', '*']);
      t.after(() => attacked.dispose());
      assert.equal(await statusOf(attacked, 'evil.example'), 200);
    });
  });
}
