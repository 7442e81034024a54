// DNS rebinding: a page whose domain resolves to this node is refused, because the Host header carries that domain.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { statusOf } from '../../support/http/host-status.js';
import type { AttackedNode } from '../../support/nodes/attacked-node.js';

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

export function strangeHosts(attacked: AttackedNode): void {
  test('are refused on every path, loopback names are not', async () => {
    const { url } = attacked.node;
    for (const host of LOOPBACK) assert.equal(await statusOf(url, host), 200, host);
    for (const host of STRANGE) {
      const status = await statusOf(url, host);
      assert.ok(status === 403 || status === 400, `${host}: ${status}`);
    }
    for (const path of ['/', '/health', '/ready', '/metrics', '/v2/rpc/idl', '/v2/rpc/manifest', '/no']) {
      for (const verb of ['GET', 'HEAD', 'OPTIONS', 'DELETE']) {
        assert.equal(await statusOf(url, 'evil.example', `${verb} ${path}`), 403, `${verb} ${path}`);
      }
    }
    await attacked.assertSound();
  });
}
